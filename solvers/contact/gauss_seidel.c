// SPDX-License-Identifier: Apache-2.0
// The sweep of the nonlinear Gauss-Seidel method on the Delassus operator:
//
//     for each contact a:  u_a = sum_b W_ab r_b + q_a,
//                          r_a <- answer of the one-contact problem
//                                 u = W_aa r + b,   b = u_a - W_aa r_a
//
// Over-relaxation omega replaces W_aa by W_aa / omega with the same fixed points: since
// K is a cone, solve u = W_aa s + (u_a - W_aa r_a / omega) and set r_a = omega s.
//
// Cost: one pass over W and one local solve per contact; near memory bandwidth. Where a
// contact may have several answers they are counted, for the user. That takes the roots of a
// quartic, some 90 times as long as the solve, so it is done in the first sweeps and in
// every 64th after them.
#include "solvers/contact/gauss_seidel.h"

#include "base/contract.h"

enum { ALWAYS_COUNTED = 8, COUNTED_EVERY = 64 };

// A contact that was open is asked for u_N first, which is a third of its row. This pays
// while W is in the cache: 12 000 blocks of 76 bytes are nine tenths of a megabyte. Of a
// larger W the rows are waited for anyhow, and those that close are read twice.
enum { SMALL = 12000 };

enum dls_status dls_gauss_seidel_create(struct dls_gauss_seidel *g,
                                        const struct dls_delassus *f, double omega,
                                        enum dls_sweep_order order, struct dls_arena *a,
                                        struct dls_error *err)
{
    DLS_ASSERT(f->m == f->contacts * f->d && omega > 0 && omega <= 2);
    const struct dls_problem *p = f->problem;
    *g = (struct dls_gauss_seidel){
        .form = f,
        .solve = dls_contact_solver_for(f->d, p->rolling),
        .contacts = DLS_NEW(a, struct dls_local_contact, f->contacts),
        .omega = omega,
        .inverse = 1 / omega,
        .plain = !p->rolling,
        .small = !p->rolling && f->W->p[f->W->rows] <= SMALL,
    };
    if (!dls_sweep_create(&g->sweep, f->contacts, order, a)) return DLS_ENOMEM;
    g->staged = order == DLS_SWEEP_GIVEN && dls_stages_wanted(p);
    if (g->staged && !dls_stages_of_rows(&g->stages, f->W, a)) return DLS_ENOMEM;
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < f->contacts; c++) {
        struct dls_cone K =
            dls_cone_make(f->d, p->rolling, f->mu[c], p->rolling ? p->mu_r[c] : 0);
        if (!dls_contact_prepare(g->contacts + c, &K, dls_bsr_diagonal(f->W, c)))
            return dls_fail(err, DLS_UNSUPPORTED, "W_NN <= 0 at contact %d", c);
    }
    return DLS_OK;
}

// b = q_a + sum of W_ab r_b over the others + (1 - 1/omega) W_aa r_a in the plane.
static inline void others2(const struct dls_gauss_seidel *g, int a, const double *r,
                           double *b)
{
    const struct dls_delassus *f = g->form;
    b[0] = f->q[2 * a];
    b[1] = f->q[2 * a + 1];
    dls_bsr_add_row2(f->W, a, a, r, b);
    if (g->omega == 1) return;
    const double *W_aa = dls_bsr_diagonal(f->W, a), *r_a = r + 2 * (size_t)a;
    for (int i = 0; i < 2; i++)
        b[i] += (1 - g->inverse) * (W_aa[2 * i] * r_a[0] + W_aa[2 * i + 1] * r_a[1]);
}

// Solves contact a with the others as they stand; true where several answers are counted.
// The callers give d as a constant, for the compiler to unroll.
static inline bool relax(const struct dls_gauss_seidel *g, int a, double *r, int d,
                         bool counts)
{
    const struct dls_delassus *f = g->form;
    const struct dls_local_contact *contact = g->contacts + a;
    const double *W_aa = dls_bsr_diagonal(f->W, a);
    double b[5], *r_a = r + (size_t)a * (size_t)d, inverse = g->inverse;
    int answers = 1;
    bool counted = counts && contact->ambiguous;
    if (d == 3 && g->small && !counted && r_a[0] == 0 && r_a[1] == 0 && r_a[2] == 0
        && dls_bsr_first3(f->W, a, f->q, r) >= 0)
        return false; // it was open and stays so: b = u_a
    if (d == 2)       // b alone: what is added and taken away would be waited for
        others2(g, a, r, b);
    else {
        dls_bsr_row(f->W, a, f->q, r, b); // u_a = W_a: r + q_a
        for (int i = 0; i < d; i++)       // b = u_a - W_aa r_a / omega
            for (int l = 0; l < d; l++) b[i] -= W_aa[i * d + l] * r_a[l] * inverse;
    }
    if (b[0] >= 0 && g->plain && !counted) { // open, as the solver would find
        for (int i = 0; i < d; i++) r_a[i] = 0;
        return false;
    }
    g->solve(contact, W_aa, b, r_a, counted ? &answers : NULL);
    for (int i = 0; i < d; i++) r_a[i] *= g->omega;
    return answers > 1;
}

struct visit {
    const struct dls_gauss_seidel *g;
    double *r;
    bool counts;
};

static long relax_all(void *data, int from, int to)
{
    const struct visit *v = data;
    const struct dls_gauss_seidel *g = v->g;
    const int *order = g->staged ? g->stages.order : g->sweep.order;
    long ambiguous = 0;
    for (int k = from; k < to; k++) switch (g->form->d) {
        case 1:
            ambiguous += relax(g, order[k], v->r, 1, v->counts);
            break;
        case 2:
            ambiguous += relax(g, order[k], v->r, 2, v->counts);
            break;
        case 3:
            ambiguous += relax(g, order[k], v->r, 3, v->counts);
            break;
        case 5:
            ambiguous += relax(g, order[k], v->r, 5, v->counts);
            break;
        }
    return ambiguous;
}

void dls_gauss_seidel_sweep(struct dls_gauss_seidel *g, double *r,
                            struct dls_work *work)
{
    DLS_ASSERT(r && work);
    int contacts = g->form->contacts;
    dls_sweep_next(&g->sweep, work->seed);
    long sweeps = g->sweep.sweeps; // this one included
    bool counts = sweeps <= ALWAYS_COUNTED || sweeps % COUNTED_EVERY == 0;
    struct visit all = {g, r, counts};
    long found = g->staged ? dls_stages_run(&g->stages, g->form->problem->threads,
                                            relax_all, &all)
                           : relax_all(&all, 0, contacts);
    if (counts) work->ambiguous = found;
    work->products++;
    work->local_solves += contacts;
}
