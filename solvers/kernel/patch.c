// SPDX-License-Identifier: Apache-2.0
// The problem of a patch P is a step problem of its own,
//
//     u_P = W_PP r_P + q_P,     q_P = u_P - W_PP r_P  with what r was before,
//
// since the impulses of all others act on it through q_P alone.
#include "solvers/kernel/patch.h"

#include "solvers/kernel/nested.h"

#include "formulations/velocities/velocities.h"

#include "base/contract.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dls_patch_create(struct dls_patch *p, const struct dls_delassus *f,
                      struct dls_arena *a)
{
    *p = (struct dls_patch){
        .form = f,
        .list = DLS_NEW(a, int, f->contacts),
        .number = DLS_NEW(a, int, f->contacts),
    };
    return !a->failed;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void dls_patch_grow(struct dls_patch *p, int seed, int most)
{
    DLS_ASSERT(seed >= 0 && seed < p->form->contacts && most > 0);
    const struct dls_bsr *W = p->form->W;
    memset(p->number, 0, (size_t)W->rows * sizeof *p->number);
    p->list[0] = seed;
    p->number[seed] = p->count = 1;
    for (int at = 0; at < p->count; at++) // in order of distance
        for (int k = W->p[p->list[at]]; k < W->p[p->list[at] + 1]; k++)
            if (!p->number[W->j[k]] && p->count < most) {
                p->number[W->j[k]] = 1;
                p->list[p->count++] = W->j[k];
            }
    qsort(p->list, (size_t)p->count, sizeof *p->list, ascending);
    for (int c = 0; c < p->count; c++) p->number[p->list[c]] = c + 1;
}

// W_PP
static struct dls_csr *restricted(const struct dls_patch *p, struct dls_arena *a)
{
    const struct dls_bsr *W = p->form->W;
    int d = W->d, rows = p->count * d, at = 0;
    size_t blocks = 0;
    for (int c = 0; c < p->count; c++)
        for (int k = W->p[p->list[c]]; k < W->p[p->list[c] + 1]; k++)
            blocks += p->number[W->j[k]] > 0;
    struct dls_csr *A = DLS_NEW(a, struct dls_csr, 1);
    int *starts = DLS_NEW(a, int, (size_t)rows + 1);
    int *j = DLS_NEW(a, int, blocks *(size_t)(d * d));
    double *x = DLS_NEW(a, double, blocks *(size_t)(d * d));
    if (a->failed) return NULL;
    for (int row = 0; row < rows; row++) {
        int c = p->list[row / d];
        for (int k = W->p[c]; k < W->p[c + 1]; k++)
            for (int l = 0; l < d && p->number[W->j[k]] > 0; l++, at++) {
                j[at] = (p->number[W->j[k]] - 1) * d + l;
                x[at] = dls_bsr_block(W, k)[row % d * d + l];
            }
        starts[row + 1] = at;
    }
    *A = (struct dls_csr){.rows = rows, .cols = rows, .p = starts, .j = j, .x = x};
    return A;
}

// The problem of the patch, and z = r there.
static bool extract(const struct dls_patch *p, const double *u, const double *r,
                    struct dls_problem *alone, double *z, struct dls_arena *a)
{
    const struct dls_delassus *f = p->form;
    int d = f->d;
    *alone = (struct dls_problem){
        .contacts = p->count,
        .d = d,
        .m = p->count * d,
        .mu = DLS_NEW(a, double, p->count),
        .q = DLS_NEW(a, double, p->count *d),
        .W = restricted(p, a),
        .time = NAN,
        .step = NAN,
    };
    if (a->failed) return false;
    for (int c = 0; c < p->count; c++) {
        alone->mu[c] = f->mu[p->list[c]];
        memcpy(z + c * d, r + p->list[c] * d, (size_t)d * sizeof *z);
    }
    for (int k = 0; k < alone->m; k++) {
        double sum = u[p->list[k / d] * d + k % d];
        for (int e = alone->W->p[k]; e < alone->W->p[k + 1]; e++)
            sum -= alone->W->x[e] * z[alone->W->j[e]];
        alone->q[k] = sum;
    }
    return true;
}

// Solves the problem of the patch alone, from z.
static enum dls_status solve_alone(const struct dls_problem *alone, const char *solver,
                                   double accuracy, int steps, double *z, bool *solved,
                                   struct dls_work *work, struct dls_arena *a)
{
    struct dls_nested inner = {0};
    struct dls_judge *judge = NULL;
    struct dls_error err;
    enum dls_status status = dls_judge_create(&judge, alone, a, &err);
    if (status == DLS_OK)
        status = dls_nested_create(&inner, solver, NULL, alone, NULL, a, &err);
    if (status == DLS_OK) {
        dls_nested_start(&inner, z);
        status =
            dls_nested_solve(&inner, judge, accuracy / dls_norm(alone->m, alone->q),
                             steps, z, solved, work);
    }
    if (inner.solver) dls_nested_destroy(&inner);
    if (judge) dls_judge_destroy(judge);
    return status;
}

enum dls_status dls_patch_solve(struct dls_patch *p, const char *solver,
                                double accuracy, int steps, const double *u, double *r,
                                bool *solved, struct dls_work *work,
                                struct dls_arena *parent)
{
    struct dls_arena a = dls_arena_scratch(parent);
    struct dls_problem alone;
    int d = p->form->d;
    double *z = DLS_NEW(&a, double, p->count *d);
    *solved = false;
    enum dls_status status =
        a.failed || !extract(p, u, r, &alone, z, &a) ? DLS_ENOMEM : DLS_OK;
    if (status == DLS_OK)
        status =
            dls_velocities_restrict(&alone.velocities, p->form, p->list, p->count, &a);
    if (status == DLS_OK)
        status = solve_alone(&alone, solver, accuracy, steps, z, solved, work, &a);
    for (int c = 0; c < p->count && *solved; c++)
        memcpy(r + p->list[c] * d, z + c * d, (size_t)d * sizeof *z);
    dls_arena_free(&a);
    return status == DLS_ENOMEM ? DLS_ENOMEM : DLS_OK;
}
