// SPDX-License-Identifier: Apache-2.0
// The judge of every answer.
//
// From the original problem and the impulses r alone it computes
//
//     u = W r + q,   or   M v = f + H^T r + G^T lambda,  G v + b = 0,  u = H v + w,
//     u~ = u + (mu |u_T| + mu_r |u_R|) e_N                       [DeSaxce1998]
//
//     natural = |r - P_K(r - u~)| / |q|                          [Acary2018, rho = 1]
//
//     merit   = sqrt( sum_a l_a |C_a|^2 / sum_a |q_a|^2 / l_a ),
//               C_a = r_a - P_K(r_a - u~_a / l_a),
//
// with l_a the largest eigenvalue of the symmetric part of W_aa: l |C|^2 and |q|^2 / l
// are energies, so merit does not change when masses, lengths or times change units.
// An elliptic cone is made round first: the rows of its second tangent are scaled by
// mu_2 / mu (ellipse.c). Rolling rows have other units than tangential ones; they are scaled
// by mu_r / mu first, after which mu is the coefficient of both. Where |q| is below 1e-300,
// the residuals are absolute.
//
//     bipotential = sum_a |u_a . r_a + phi_a r_N,a| / sum_a |q_a|^2 / l_a,
//               phi_a = mu |u_T| + mu_r |u_R|                    [Moreau2004, (31)]
//
// is the gap of De Saxcé's bipotential. On u_N >= 0 and r in K each term is >= 0, and zero
// where the law holds. With penetration = 0 and cone_excess = 0 a gap of zero is the law;
// alone it is not (r = 0 has none), so it stops no run. Where the energy of the free
// velocity leaves the range of doubles, the gap is not known.
//
// l_a <= 0 is an error in a contact problem. A plain LCP (d = 1) may have such rows by
// right: it has no merit then.
//
// The status of a contact is the part of the cone that the projection in C_a lands on:
// apex = open, interior = stick, boundary = slip.
//
// Cost: one product with W, or one solve with the kept factor of M, per measure.
#include "formulations/judge/residual.h"

#include "formulations/judge/measure.h"
#include "formulations/parts/frames.h"
#include "formulations/parts/inertia.h"

#include "base/contract.h"
#include "base/symmetric3.h"
#include "base/threads.h"
#include "base/vector.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

struct dls_judge {
    const struct dls_problem *problem;
    struct dls_inertia *inertia; // NULL in local problems
    double *u, *q, *l;           // m, m, contacts
    double *v, *lambda, *rhs;    // n, joints, n
    double *g;                   // joints: -b
    double *miss, *energy;       // contacts: |C_a| of natural, sqrt(l_a) |C_a| of merit
    double *gap;                 // contacts: of the bipotential
    double norm_q, energy_q;     // |q|, root of sum |q_a|^2 / l_a
    bool no_merit;               // some l_a <= 0
    bool natural;                // alone: there are no l_a
};

// --- creation -------------------------------------------------------------------------

// W_aa by rows.
static void diagonal_block(const struct dls_judge *g, int a, double *work, double *W)
{
    const struct dls_problem *p = g->problem;
    if (g->inertia && !p->H) {
        dls_frames_diagonal(p->frames, g->inertia->diagonal, a, W);
        return;
    }
    if (g->inertia) {
        dls_inertia_diagonal(g->inertia, p, a, work, W);
        return;
    }
    int first = a * p->d;
    memset(W, 0, (size_t)(p->d * p->d) * sizeof *W);
    for (int i = 0; i < p->d; i++)
        for (int k = dls_sorted_from(p->W->j, p->W->p[first + i],
                                     p->W->p[first + i + 1], first);
             k < p->W->p[first + i + 1] && p->W->j[k] < first + p->d; k++)
            W[i * p->d + p->W->j[k] - first] = p->W->x[k];
}

// Of a symmetric 2 x 2 matrix.
static double largest2(const double *S)
{
    double apart[2] = {S[0] - S[3], 2 * S[1]};
    return 0.5 * (S[0] + S[3] + dls_norm(2, apart));
}

// Largest eigenvalue of the symmetric part of the scaled W_aa.
static double largest_eigenvalue(const struct dls_problem *p, int a, const double *W)
{
    int d = p->d;
    double S[DLS_LARGEST_D * DLS_LARGEST_D], values[DLS_LARGEST_D],
        work[3 * DLS_LARGEST_D];
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            S[i * d + j] = 0.5 * (W[i * d + j] + W[j * d + i]) * dls_row_scale(p, a, i)
                           * dls_row_scale(p, a, j);
    if (d == 1) return S[0];
    if (d == 2) return largest2(S);
    double largest = d == 3 ? dls_symmetric3_largest(S) : NAN;
    if (!isnan(largest)) return largest;
    int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', d, S, d, values, work,
                                  3 * DLS_LARGEST_D);
    return info ? NAN : values[d - 1];
}

// l_a
static double scale_of(const struct dls_judge *g, int a, double *work)
{
    const struct dls_problem *p = g->problem;
    double W[DLS_LARGEST_D * DLS_LARGEST_D];
    if (g->inertia && !p->H && !p->rolling && !p->mu_2) {
        const double *M = g->inertia->diagonal;
        if (dls_frames_round(p->frames, M, a)) // W_T >= W_N
            return dls_frames_round_diagonal(p->frames, M, a).W_T;
        // Symmetric, and nothing to be scaled.
        if (p->frames->W && p->d == 2) return largest2(p->frames->W + 4 * (size_t)a);
        if (p->frames->W && p->d == 3) {
            double largest = dls_symmetric3_largest(p->frames->W + 9 * (size_t)a);
            if (!isnan(largest)) return largest;
        }
    }
    diagonal_block(g, a, work, W);
    return largest_eigenvalue(p, a, W);
}

struct weighing {
    struct dls_judge *judge;
    double *work;
};

static void weigh(void *data, int from, int to)
{
    const struct weighing *all = data;
    for (int a = from; a < to; a++)
        all->judge->l[a] = scale_of(all->judge, a, all->work);
}

static enum dls_status fill_eigenvalues(struct dls_judge *g, double *work,
                                        struct dls_error *err)
{
    const struct dls_problem *p = g->problem;
    // Rows of H need the work, which is one thread's.
    int threads = g->inertia && !p->H ? p->threads : 1;
    struct weighing all = {g, work};
    dls_share(threads, p->contacts, weigh, &all);
    for (int a = 0; a < p->contacts; a++) {
        if (g->l[a] > 1e-300 && g->l[a] < 1e300) continue;
        bool usable = g->l[a] > 0 && isfinite(g->l[a]) && isfinite(1 / g->l[a]);
        if (p->d == 1 && !usable) {
            g->l[a] = 1;
            g->no_merit = true;
        } else if (!usable)
            return dls_fail(err, DLS_EINVAL,
                            "W: the diagonal block of contact %d has no positive "
                            "eigenvalue%s",
                            a, g->l[a] > 0 ? " within the range of numbers" : "");
    }
    return DLS_OK;
}

// |q_a| in the units of tangential rows.
static inline double free_speed(const struct dls_judge *g, int a)
{
    const struct dls_problem *p = g->problem;
    const double *q = g->q + a * p->d;
    double scaled[DLS_LARGEST_D];
    if (!p->rolling && !p->mu_2) return p->d == 3 ? dls_norm(3, q) : dls_norm(p->d, q);
    for (int i = 0; i < p->d; i++) scaled[i] = dls_row_scale(p, a, i) * q[i];
    return dls_norm(p->d, scaled);
}

// Sums in one pass: each waits for its last addition, and they wait together.
static void fill_norms(struct dls_judge *g)
{
    const struct dls_problem *p = g->problem;
    double square = 0, energy = 0;
    if (g->natural) {
        g->norm_q = dls_norm(p->m, g->q);
        return;
    }
    for (int a = 0; a < p->contacts; a++) {
        g->energy[a] = free_speed(g, a) / sqrt(g->l[a]);
        for (int i = a * p->d; i < (a + 1) * p->d; i++) square += g->q[i] * g->q[i];
        energy += g->energy[a] * g->energy[a];
    }
    g->norm_q = dls_norm_of(square, p->m, g->q);
    g->energy_q = dls_norm_of(energy, p->contacts, g->energy);
}

struct rows {
    const struct dls_problem *problem;
    const double *r;
    double *u;
};

// u = W r + q of some contacts; u comes in as q.
static void add_rows(void *data, int from, int to)
{
    const struct rows *all = data;
    int d = all->problem->d;
    dls_csr_add_rows(all->problem->W, 1, all->r, all->u, d * from, d * to);
}

// u (and v, lambda) of the impulses r; r = NULL stands for zero.
static void velocities(struct dls_judge *g, const double *r, double *u)
{
    const struct dls_problem *p = g->problem;
    if (!g->inertia) {
        memcpy(u, p->q, (size_t)p->m * sizeof *u);
        struct rows all = {p, r, u};
        if (r) dls_share(p->threads, p->contacts, add_rows, &all);
        return;
    }
    memcpy(g->rhs, p->f, (size_t)p->n * sizeof *g->rhs);
    if (r) dls_problem_add_transposed(p, 1, r, g->rhs); // f + H^T r
    dls_inertia_solve(g->inertia, g->rhs, g->g, g->v, g->lambda);
    dls_problem_map(p, g->v, p->w, u); // u = H v + w
}

static enum dls_status create(struct dls_judge **out, const struct dls_problem *p,
                              bool natural, struct dls_arena *a, struct dls_error *err)
{
    if (!out || !p || !a)
        return dls_fail(err, DLS_EINVAL, "no problem or arena to judge with");
    struct dls_judge *g = *out = DLS_NEW(a, struct dls_judge, 1);
    if (!g) return DLS_ENOMEM;
    if (p->V)
        return dls_fail(err, DLS_UNSUPPORTED, "bilateral rows in a local problem");
    int weighed = natural ? 0 : p->contacts;
    *g = (struct dls_judge){
        .problem = p,
        .natural = natural,
        .u = DLS_RAW(a, double, p->m),
        .q = DLS_RAW(a, double, p->m),
        .miss = DLS_RAW(a, double, p->contacts),
        .l = DLS_RAW(a, double, weighed),
        .gap = DLS_RAW(a, double, weighed),
        .energy = DLS_RAW(a, double, weighed),
    };
    if (dls_problem_is_global(p)) {
        g->v = DLS_RAW(a, double, p->n);
        g->rhs = DLS_RAW(a, double, p->n);
        g->lambda = DLS_NEW(a, double, p->joints);
        g->g = DLS_NEW(a, double, p->joints);
    }
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k < p->joints; k++) g->g[k] = -p->b[k];
    enum dls_status status = DLS_OK;
    if (dls_problem_is_global(p)) status = dls_inertia_take(&g->inertia, p, a, err);
    if (status == DLS_OK && !natural) {
        if (g->inertia) memset(g->rhs, 0, (size_t)p->n * sizeof *g->rhs);
        status = fill_eigenvalues(g, g->rhs, err);
    }
    if (status != DLS_OK) return dls_judge_destroy(g), status;
    velocities(g, NULL, g->q);
    fill_norms(g);
    return DLS_OK;
}

enum dls_status dls_judge_create(struct dls_judge **out, const struct dls_problem *p,
                                 struct dls_arena *a, struct dls_error *err)
{
    return create(out, p, false, a, err);
}

enum dls_status dls_judge_create_natural(struct dls_judge **out,
                                         const struct dls_problem *p,
                                         struct dls_arena *a, struct dls_error *err)
{
    return create(out, p, true, a, err);
}

void dls_judge_destroy(struct dls_judge *g)
{
    if (g && g->inertia) dls_inertia_drop(g->inertia, g->problem);
}

// --- measures -------------------------------------------------------------------------

// Largest values and counts, which do not depend on who comes first.
static void merge(struct dls_measures *m, const struct dls_measures *part)
{
    m->penetration = fmax(m->penetration, part->penetration);
    m->cone_excess = fmax(m->cone_excess, part->cone_excess);
    m->signorini = fmax(m->signorini, part->signorini);
    m->angle = fmax(m->angle, part->angle);
    m->open += part->open;
    m->stick += part->stick;
    m->slip += part->slip;
}

static struct dls_measuring measuring(const struct dls_judge *g, const double *r)
{
    return (struct dls_measuring){g->problem, r,         g->u,  g->l,
                                  g->miss,    g->energy, g->gap};
}

struct shared {
    struct dls_measuring contacts;
    struct dls_measures *measures;
};

static void measure_all(void *data, int from, int to)
{
    const struct shared *all = data;
    struct dls_measures own = {0};
    dls_measure_contacts(&all->contacts, from, to, &own);
#pragma omp critical
    merge(all->measures, &own);
}

// |M v - f - H^T r - G^T lambda|; rhs holds f + H^T r.
static double momentum_defect(struct dls_judge *g)
{
    const struct dls_problem *p = g->problem;
    if (p->joints) dls_csr_add_transposed(p->G, 1, g->lambda, g->rhs);
    dls_csr_add(p->M, -1, g->v, g->rhs);
    return dls_norm(p->n, g->rhs);
}

// natural, from |C| of all contacts.
static double relative_miss(const struct dls_judge *g, double miss)
{
    return miss / (g->norm_q > 1e-300 ? g->norm_q : 1);
}

// The measures that are sums over all contacts, in one pass as above.
static void add_up(const struct dls_judge *g, struct dls_measures *m)
{
    int contacts = g->problem->contacts;
    double miss = 0, energy = 0, gap = 0, free = g->energy_q > 1e-300 ? g->energy_q : 1;
    for (int a = 0; a < contacts; a++) {
        miss += g->miss[a] * g->miss[a];
        energy += g->energy[a] * g->energy[a];
        gap += g->gap[a];
    }
    m->natural = relative_miss(g, dls_norm_of(miss, contacts, g->miss));
    m->merit = dls_norm_of(energy, contacts, g->energy) / free;
    m->bipotential = gap / free / free;
    if (!isnormal(free * free)) m->bipotential = NAN; // so do the products in gap
    if (g->no_merit) m->merit = m->bipotential = NAN;
}

static void miss_all(void *data, int from, int to)
{
    dls_measure_misses(data, from, to);
}

double dls_judge_natural(struct dls_judge *g, const double *r)
{
    DLS_ASSERT(g && r);
    const struct dls_problem *p = g->problem;
    velocities(g, r, g->u);
    struct dls_measuring contacts = measuring(g, r);
    dls_share(p->threads, p->contacts, miss_all, &contacts);
    return relative_miss(g, dls_norm(p->contacts, g->miss));
}

void dls_judge_measure(struct dls_judge *g, const double *r, struct dls_measures *m)
{
    DLS_ASSERT(g && r && m);
    const struct dls_problem *p = g->problem;
    *m = (struct dls_measures){.momentum = NAN, .correction = NAN};
    if (g->natural) {
        m->merit = m->bipotential = m->penetration = m->cone_excess = NAN;
        m->signorini = m->angle = NAN;
        m->natural = dls_judge_natural(g, r);
        return;
    }
    velocities(g, r, g->u);
    if (g->inertia) m->momentum = momentum_defect(g);
    struct shared all = {measuring(g, r), m};
    dls_share(p->threads, p->contacts, measure_all, &all);
    add_up(g, m);
}

const double *dls_judge_u(const struct dls_judge *g) { return g->u; }
const double *dls_judge_v(const struct dls_judge *g) { return g->v; }
const double *dls_judge_q(const struct dls_judge *g) { return g->q; }
double dls_judge_q_norm(const struct dls_judge *g) { return g->norm_q; }
const double *dls_judge_scales(const struct dls_judge *g, bool *merit)
{
    DLS_ASSERT(!g->natural);
    *merit = !g->no_merit;
    return g->l;
}
const double *dls_judge_lambda(const struct dls_judge *g)
{
    return g->problem->joints ? g->lambda : NULL;
}
