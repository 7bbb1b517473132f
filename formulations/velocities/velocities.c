// SPDX-License-Identifier: Apache-2.0
// Velocities are looked for in this order.
//   1. Those that the problem gives; with joints these do not serve, for joints tie
//      velocities together outside of M.
//   2. Those of the bodies that the pattern of W shows (body_graph.c), with H and M from the
//      blocks of W (recover.c).
#include "formulations/velocities/velocities.h"

#include "formulations/velocities/body_graph.h"
#include "formulations/velocities/recover.h"

#include <math.h>
#include <string.h>

struct dls_velocities *dls_velocities_new(struct dls_arena *a)
{
    struct dls_velocities *v = DLS_NEW(a, struct dls_velocities, 1);
    if (v) v->arena = a;
    return v;
}

// The bodies that the pattern tells of.
static enum dls_status look(struct dls_velocities *v, const struct dls_bsr *W)
{
    if (v->looked) return v->seen;
    struct dls_body_graph *graph = DLS_NEW(v->arena, struct dls_body_graph, 1);
    enum dls_status status =
        graph ? dls_body_graph_build(graph, W, v->arena) : DLS_ENOMEM;
    if (status == DLS_OK) v->graph = graph;
    v->looked = status != DLS_ENOMEM;
    return v->seen = status;
}

// Rows of rolling and plain normal rows do not have the rank of a body's velocities.
static bool tells(const struct dls_problem *p)
{
    return p->contacts && !p->rolling && (p->d == 2 || p->d == 3);
}

static enum dls_status seek(struct dls_velocities *v, const struct dls_delassus *f)
{
    const struct dls_problem *p = f->problem;
    struct dls_recovered r;
    if (dls_problem_is_global(p) && !p->joints) {
        v->H = p->H;
        v->M = p->M;
        return DLS_OK;
    }
    if (!tells(p)) return DLS_UNSUPPORTED;
    enum dls_status status = look(v, f->W);
    if (status == DLS_OK) status = dls_recover(&r, f->W, v->graph, v->arena);
    if (status != DLS_OK) return status;
    v->H = r.H;
    v->M = r.M;
    return DLS_OK;
}

enum dls_status dls_velocities_find(const struct dls_delassus *f)
{
    struct dls_velocities *v = f->velocities;
    if (v->sought) return v->found;
    v->found = seek(v, f);
    v->sought = v->found != DLS_ENOMEM;
    return v->found;
}

enum dls_status dls_velocities_density(const struct dls_delassus *f, int *bodies,
                                       double *density)
{
    const struct dls_problem *p = f->problem;
    *bodies = 0;
    *density = dls_problem_density(p);
    if (p->n || !tells(p)) return DLS_OK;
    enum dls_status status = look(f->velocities, f->W);
    if (status == DLS_OK) *bodies = f->velocities->graph->bodies;
    if (*bodies)
        *density = (double)p->m / ((double)*bodies * dls_body_velocities(p->d));
    return status == DLS_ENOMEM ? DLS_ENOMEM : DLS_OK;
}

struct dls_csr *dls_velocities_scaled(const struct dls_velocities *v, const double *t,
                                      struct dls_arena *a)
{
    const struct dls_csr *H = v->H;
    struct dls_csr *S = DLS_NEW(a, struct dls_csr, 1);
    double *x = DLS_NEW(a, double, dls_csr_count(H));
    if (a->failed) return NULL;
    *S = *H;
    S->x = x;
    for (int i = 0; i < H->rows; i++)
        for (int k = H->p[i]; k < H->p[i + 1]; k++) x[k] = t[i] * H->x[k];
    return S;
}

// --- a part of the contacts -----------------------------------------------------------

// Numbers the velocities that the contacts of the list move, and those that M ties to
// them: with no others (M^-1) of the part is (M of the part)^-1. Returns how many; number
// is -1 for the others, `queue` and `number` have an entry per velocity.
static int number_velocities(const struct dls_csr *H, const struct dls_csr *M,
                             const int *list, int count, int d, int *queue, int *number)
{
    int n = 0, rows = d * count;
    for (int k = 0; k < M->rows; k++) number[k] = -1;
    for (int i = 0; i < rows; i++) {
        int row = list[i / d] * d + i % d;
        for (int k = H->p[row]; k < H->p[row + 1]; k++)
            if (number[H->j[k]] < 0) queue[n] = H->j[k], number[H->j[k]] = n++;
    }
    for (int at = 0; at < n; at++)
        for (int k = M->p[queue[at]]; k < M->p[queue[at] + 1]; k++)
            if (number[M->j[k]] < 0) queue[n] = M->j[k], number[M->j[k]] = n++;
    return n;
}

// The rows of A that `row` lists, with columns renumbered; all of them have a number.
static struct dls_csr *part_of(const struct dls_csr *A, const int *row, int rows,
                               int cols, const int *number, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t entries = 0, at = 0;
    for (int i = 0; i < rows; i++) entries += (size_t)(A->p[row[i] + 1] - A->p[row[i]]);
    int *i = DLS_NEW(&scratch, int, entries), *j = DLS_NEW(&scratch, int, entries);
    double *x = DLS_NEW(&scratch, double, entries);
    struct dls_csr *part = NULL;
    if (!scratch.failed) {
        for (int r = 0; r < rows; r++)
            for (int k = A->p[row[r]]; k < A->p[row[r] + 1]; k++, at++)
                i[at] = r, j[at] = number[A->j[k]], x[at] = A->x[k];
        part = dls_csr_from_triplets(rows, cols, (int)entries, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return part;
}

static enum dls_status restrict_to(struct dls_velocities *part,
                                   const struct dls_delassus *f, const int *list,
                                   int count, struct dls_arena *scratch)
{
    const struct dls_csr *H = f->velocities->H, *M = f->velocities->M;
    int d = f->d, rows = count * d;
    int *queue = DLS_NEW(scratch, int, M->rows),
        *number = DLS_NEW(scratch, int, M->rows);
    int *row = DLS_NEW(scratch, int, rows);
    if (scratch->failed) return DLS_ENOMEM;
    for (int i = 0; i < rows; i++) row[i] = list[i / d] * d + i % d;
    int n = number_velocities(H, M, list, count, d, queue, number);
    part->H = part_of(H, row, rows, n, number, part->arena);
    part->M = part_of(M, queue, n, n, number, part->arena);
    return part->H && part->M ? DLS_OK : DLS_ENOMEM;
}

enum dls_status dls_velocities_restrict(struct dls_velocities **out,
                                        const struct dls_delassus *f, const int *list,
                                        int count, struct dls_arena *a)
{
    enum dls_status status = dls_velocities_find(f);
    if (status == DLS_ENOMEM || !(*out = dls_velocities_new(a))) return DLS_ENOMEM;
    struct dls_velocities *part = *out;
    part->sought = part->looked = true;
    part->found = status;
    part->seen = DLS_UNSUPPORTED; // nobody has looked at the pattern of a part
    if (status != DLS_OK) return DLS_OK;
    struct dls_arena scratch = dls_arena_scratch(a);
    status = restrict_to(part, f, list, count, &scratch);
    dls_arena_free(&scratch);
    return status;
}
