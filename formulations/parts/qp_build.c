// SPDX-License-Identifier: Apache-2.0
// Building the programs of qp.c.
//
// Units make all numbers of a program comparable with one, which tolerances and the
// equality test of a solver rely on: velocity = rms of q, impulse = velocity / (mean of
// the diagonal of W), both rounded to powers of two, so that a change of units by powers
// of two leaves the program as it is to the last bit.
//
//     dual    P = W impulse / velocity      primal    P = M velocity / impulse
//
// split into the symmetric part P and the rest `skew`.
#include "formulations/parts/qp_rows.h"

#include "base/deadline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The power of two nearest to x below; 1 where x is not positive.
static double power_of_two(double x)
{
    int exponent = 0;
    if (!(x > 0) || !isfinite(x)) return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

// Fills W_TT and returns the mean diagonal entry of W; B is a d x d block's room.
static double diagonals(struct dls_qp *f, double *B)
{
    int d = f->problem->d, contacts = f->problem->contacts;
    double sum = 0;
    for (int a = 0; a < contacts; a++) {
        const double *W_aa = B;
        if (f->primal)
            dls_inertia_diagonal(f->inertia, f->problem, a, f->work, B);
        else
            W_aa = dls_bsr_diagonal(f->dual.W, a);
        f->W_TT[a] = 0;
        for (int i = 1; i < d; i++) f->W_TT[a] += W_aa[i * (d + 1)] / (d - 1);
        if (!(f->W_TT[a] > 0)) f->W_TT[a] = W_aa[0];
        for (int i = 0; i < d; i++) sum += W_aa[i * (d + 1)] / (d * contacts);
    }
    return sum;
}

static void choose_units(struct dls_qp *f, const double *q)
{
    double B[9], square = 0;
    int m = f->problem->m;
    for (int i = 0; i < m; i++) square += q[i] * q[i] / m;
    f->velocity = power_of_two(sqrt(square));
    f->impulse = f->velocity / power_of_two(diagonals(f, B));
}

// P and skew of the square matrix B times s, padded with empty rows to x_size.
static enum dls_status split(struct dls_qp *f, const struct dls_csr *B, double s,
                             struct dls_arena *a)
{
    int count = dls_csr_count(B), to = 0;
    if (!dls_deadline_allows(DLS_SECONDS_A_TRIPLET * 2 * count)) return DLS_MAX_TIME;
    double asymmetry = dls_csr_asymmetry(B, a);
    struct dls_arena scratch = dls_arena_scratch(a);
    int *i = DLS_NEW(&scratch, int, 2 * (size_t)count);
    int *j = DLS_NEW(&scratch, int, 2 * (size_t)count);
    double *x = DLS_NEW(&scratch, double, 2 * (size_t)count);
    if (asymmetry < 0 || a->failed) return dls_arena_free(&scratch), DLS_ENOMEM;
    for (int row = 0; row < B->rows; row++)
        for (int k = B->p[row]; k < B->p[row + 1]; k++, to += 2) {
            i[to] = j[to + 1] = row;
            j[to] = i[to + 1] = B->j[k];
            x[to] = x[to + 1] = 0.5 * s * B->x[k];
        }
    f->P = dls_csr_from_triplets(f->x_size, f->x_size, to, i, j, x, a);
    if (asymmetry > 0) {
        for (int k = 1; k < to; k += 2) x[k] = -x[k];
        f->skew = dls_csr_from_triplets(f->x_size, f->x_size, to, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

static struct dls_csr *identity(int m, struct dls_arena *a)
{
    struct dls_csr *I = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, m + 1), *j = DLS_NEW(a, int, m);
    double *x = DLS_NEW(a, double, m);
    if (a->failed) return NULL;
    for (int i = 0; i < m; i++) p[i + 1] = i + 1, j[i] = i, x[i] = 1;
    *I = (struct dls_csr){.rows = m, .cols = m, .p = p, .j = j, .x = x};
    return I;
}

// Entries of A as triplets (all of value 1) where i is not NULL; returns their number.
static int pattern(const struct dls_qp *f, int *i, int *j)
{
    const struct dls_problem *p = f->problem;
    int to = 0, joints = f->primal ? p->joints : 0;
    for (int a = 0; a < p->contacts; a++)
        for (int row = f->first[a]; row < f->first[a + 1]; row++) {
            int begin = f->local->p[a * p->d], end = f->local->p[(a + 1) * p->d];
            for (int k = begin; k < end; k++, to++)
                if (i) i[to] = row, j[to] = f->local->j[k];
            if (f->slack[a] < 0 || row == f->first[a]) continue;
            if (i) i[to] = row, j[to] = f->slack[a];
            to++;
        }
    for (int g = 0; g < joints; g++)
        for (int k = p->G->p[g]; k < p->G->p[g + 1]; k++, to++)
            if (i) i[to] = f->first[p->contacts] + g, j[to] = p->G->j[k];
    return to;
}

static enum dls_status make_A(struct dls_qp *f, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int count = pattern(f, NULL, NULL);
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    if (!scratch.failed) {
        pattern(f, i, j);
        f->A = dls_csr_from_triplets(f->y_size, f->x_size, count, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return f->A ? DLS_OK : DLS_ENOMEM;
}

// Numbers the rows and the unknowns t.
static void number(struct dls_qp *f)
{
    const struct dls_problem *p = f->problem;
    f->x_size = f->primal ? p->n : p->m;
    for (int a = 0; a < p->contacts; a++) {
        bool t = f->primal && dls_qp_kind_of(f, a) == DLS_QP_CYLINDER;
        f->slack[a] = t ? f->x_size++ : -1;
        f->first[a + 1] = f->first[a] + dls_qp_rows(f, a);
    }
    f->y_size = f->first[p->contacts] + (f->primal ? p->joints : 0);
}

static void choose_polygon(struct dls_qp *f, const struct dls_qp_options *o)
{
    int d = f->problem->d, sides = o->cone == DLS_QP_FACETS ? o->facets : 4;
    double half = acos(-1) / sides;
    bool inside = o->cone == DLS_QP_FACETS; // vertices on the disk
    f->polygon = dls_polygon_make(d - 1, sides, inside ? cos(half) : 1);
    f->turn[0] = d == 3 && inside ? cos(half) : 1;
    f->turn[1] = d == 3 && inside ? sin(half) : 0;
    f->adapted = d == 3 && o->cone == DLS_QP_ADAPTED;
    f->round = d < 3 || f->adapted;
}

static enum dls_status label(struct dls_qp *f, const struct dls_qp_options *o,
                             struct dls_arena *a)
{
    bool friction = false;
    for (int c = 0; f->problem->d > 1 && c < f->problem->contacts; c++)
        friction |= f->problem->mu[c] > 0;
    if (!friction) return DLS_OK;
    const char *shift = f->outer == DLS_QP_CONVEX ? "no shift" : NULL;
    if (f->outer == DLS_QP_FRICTIONLESS)
        f->relaxes = "no friction";
    else if (f->round)
        f->relaxes = shift;
    else if (o->cone == DLS_QP_BOX)
        f->relaxes = shift ? "box, no shift" : "box";
    else
        f->relaxes =
            dls_text(a, "%d facets%s", f->polygon.sides, shift ? ", no shift" : "");
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

static enum dls_status supported(const struct dls_problem *p,
                                 const struct dls_qp_options *o, struct dls_error *err)
{
    if (p->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "no program for rolling rows");
    if (o->form && !dls_problem_is_global(p))
        return dls_fail(err, DLS_UNSUPPORTED, "the primal program needs M and H");
    if (o->facets % 2)
        return dls_fail(err, DLS_EINVAL, "facets = %d is not even", o->facets);
    return DLS_OK;
}

// W or M and what gives the units; q of the primal form needs the scratch arrays.
static enum dls_status operators(struct dls_qp *f, struct dls_arena *a,
                                 struct dls_error *err)
{
    const struct dls_problem *p = f->problem;
    if (f->primal) {
        f->local = p->H;
        return dls_inertia_create(&f->inertia, p, a, err);
    }
    enum dls_status status = dls_delassus_build(&f->dual, p, a, err);
    if (status != DLS_OK) return status;
    f->q = f->dual.q;
    f->local = identity(p->m, a);
    return f->local ? DLS_OK : DLS_ENOMEM;
}

// u = H M^-1 f + w into f->u.
static void free_velocity(struct dls_qp *f)
{
    const struct dls_problem *p = f->problem;
    double *g = f->work + p->n;
    for (int k = 0; k < p->joints; k++) g[k] = -p->b[k];
    dls_inertia_solve(f->inertia, p->f, g, f->work, NULL);
    memcpy(f->u, p->w, (size_t)p->m * sizeof *f->u);
    dls_csr_add(p->H, 1, f->work, f->u);
    memset(f->work, 0, (size_t)(p->n + p->joints) * sizeof *f->work);
}

enum dls_status dls_qp_build(struct dls_qp *f, const struct dls_problem *p,
                             const struct dls_qp_options *o, struct dls_arena *a,
                             struct dls_error *err)
{
    enum dls_status status = supported(p, o, err);
    if (status != DLS_OK) return status;
    *f = (struct dls_qp){.problem = p, .primal = o->form, .outer = o->outer};
    choose_polygon(f, o);
    f->first = DLS_NEW(a, int, p->contacts + 1);
    f->slack = DLS_NEW(a, int, p->contacts);
    f->W_TT = DLS_NEW(a, double, p->contacts);
    f->r = DLS_NEW(a, double, p->m);
    f->u = DLS_NEW(a, double, p->m);
    if (a->failed) return DLS_ENOMEM;
    number(f);
    f->work = DLS_NEW(a, double, f->x_size + (f->primal ? p->joints : 0));
    if (a->failed) return DLS_ENOMEM;
    status = operators(f, a, err);
    if (status != DLS_OK) return status;
    if (f->primal) free_velocity(f);
    if (f->primal) f->q = dls_copy(a, f->u, (size_t)p->m, sizeof *f->u);
    if (a->failed) return DLS_ENOMEM;
    choose_units(f, f->q);

    struct dls_arena scratch = dls_arena_scratch(a);
    const struct dls_csr *B = f->primal ? p->M : dls_bsr_to_csr(f->dual.W, &scratch);
    double unit = f->impulse / f->velocity;
    status = B ? split(f, B, f->primal ? 1 / unit : unit, a) : DLS_ENOMEM;
    dls_arena_free(&scratch);
    if (status == DLS_OK) status = make_A(f, a);
    return status == DLS_OK ? label(f, o, a) : status;
}
