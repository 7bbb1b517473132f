// SPDX-License-Identifier: Apache-2.0
// Assembles the linear complementarity problem of lcp.c, whose notation it shares: the
// directions d_i of each contact, then A by columns and b.
//
// Method: entries are gathered in any order and summed, A^T by rows = A by columns.
//   stewart-trinkle: the block P_a W_ac P_c^T for each block of W, then the rows and
//     columns of lambda.
//   anitescu-potra: M and G, P H and -H^T P^T row by row of H, then those of lambda.
// Cost: linear in the entries of A.
#include "formulations/lcp.h"

#include "base/deadline.h"
#include "base/rng.h"

#include <limits.h>
#include <math.h>

// --- directions ----------------------------------------------------------------------

// The unknowns of each contact and its directions.
static enum dls_status lay_out(struct dls_lcp *f, const struct dls_lcp_options *o,
                               struct dls_arena *a)
{
    const struct dls_problem *p = f->problem;
    int t = p->d - 1;
    f->facets = t == 0 ? 0 : t == 1 ? 2 : o->facets;
    int numbers = f->facets * t; // of a contact
    f->first = DLS_NEW(a, int, p->contacts + 1);
    f->directions = DLS_NEW_TABLE(a, double, p->contacts, numbers);
    if (a->failed) return DLS_ENOMEM;
    double radius = o->polygon == DLS_LCP_INSCRIBED ? 1 : 1 / cos(acos(-1) / f->facets);
    struct dls_rng rng = dls_rng_seed((uint64_t)o->seed);
    double *D = f->directions;
    f->first[0] = f->free;
    for (int c = 0; c < p->contacts; c++) {
        bool friction = t > 0 && p->mu[c] > 0;
        f->first[c + 1] = f->first[c] + (friction ? f->facets + 2 : 1);
        double turn = o->rotation + (o->seed ? 2 * acos(-1) * dls_rng_real(&rng) : 0);
        for (int i = 0; t == 1 && i < f->facets; i++) *D++ = i ? -1 : 1;
        for (int i = 0; t == 2 && i < f->facets; i++) {
            double angle = turn + 2 * acos(-1) * i / f->facets;
            *D++ = radius * cos(angle), *D++ = radius * sin(angle);
        }
    }
    f->n = f->first[p->contacts];
    return DLS_OK;
}

// --- assembly ------------------------------------------------------------------------

// Entries of A^T in any order.
struct entries {
    int count, *i, *j;
    double *x;
};

static bool entries_create(struct entries *e, long count, struct dls_arena *scratch)
{
    *e = (struct entries){
        .i = DLS_NEW(scratch, int, count),
        .j = DLS_NEW(scratch, int, count),
        .x = DLS_NEW(scratch, double, count),
    };
    return !scratch->failed;
}

static void put(struct entries *A, int row, int column, double x)
{
    if (x == 0) return;
    A->i[A->count] = column, A->j[A->count] = row;
    A->x[A->count++] = x;
}

// The block P_a W_ac P_c^T.
static void put_block(struct entries *A, const struct dls_lcp *f, int a, int c,
                      const double *W)
{
    int d = f->problem->d;
    double p[DLS_LCP_LARGEST_D], s[DLS_LCP_LARGEST_D];
    for (int j = 0; j <= dls_lcp_facets(f, c); j++) {
        dls_lcp_row(f, c, j, p);
        for (int l = 0; l < d; l++) {
            s[l] = 0;
            for (int k = 0; k < d; k++) s[l] += W[l * d + k] * p[k];
        }
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) {
            double sum = 0, row[DLS_LCP_LARGEST_D];
            dls_lcp_row(f, a, i, row);
            for (int l = 0; l < d; l++) sum += row[l] * s[l];
            put(A, f->first[a] + i, f->first[c] + j, sum);
        }
    }
}

// The rows and columns of lambda.
static void put_multipliers(struct entries *A, const struct dls_lcp *f)
{
    for (int a = 0; a < f->problem->contacts; a++) {
        int k = dls_lcp_facets(f, a), N = f->first[a], lambda = N + k + 1;
        if (!k) continue;
        put(A, lambda, N, f->problem->mu[a]);
        for (int i = 1; i <= k; i++)
            put(A, lambda, N + i, -1), put(A, N + i, lambda, 1);
    }
}

// b = P q (zero in the rows of lambda).
static void project(const struct dls_lcp *f, const double *q, double *b)
{
    int d = f->problem->d;
    double p[DLS_LCP_LARGEST_D];
    for (int a = 0; a < f->problem->contacts; a++)
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) {
            dls_lcp_row(f, a, i, p);
            for (int l = 0; l < d; l++) b[f->first[a] + i] += p[l] * q[a * d + l];
        }
}

static enum dls_status assemble_eliminated(struct dls_lcp *f, struct dls_arena *a,
                                           struct dls_error *err)
{
    const struct dls_bsr *W = f->delassus.W;
    long count = 0;
    for (int c = 0; c < W->rows; c++) {
        count += 1 + 2 * dls_lcp_facets(f, c);
        for (int k = W->p[c]; k < W->p[c + 1]; k++)
            count += (1L + dls_lcp_facets(f, c)) * (1 + dls_lcp_facets(f, W->j[k]));
    }
    if (count > INT_MAX / 2)
        return dls_fail(err, DLS_UNSUPPORTED, "%ld entries with %d facets", count,
                        f->facets);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct entries A;
    if (!dls_deadline_allows(DLS_SECONDS_A_TRIPLET * (double)count))
        return DLS_MAX_TIME;
    if (entries_create(&A, count, &scratch)) {
        for (int c = 0; c < W->rows; c++)
            for (int k = W->p[c]; k < W->p[c + 1]; k++)
                put_block(&A, f, c, W->j[k], dls_bsr_block(W, k));
        put_multipliers(&A, f);
        f->columns = dls_csr_from_triplets(f->n, f->n, A.count, A.i, A.j, A.x, a);
    }
    dls_arena_free(&scratch);
    if (a->failed) return DLS_ENOMEM;
    project(f, f->delassus.q, f->b);
    return DLS_OK;
}

// The entries of P H and of -H^T P^T.
static void put_coupling(struct entries *A, const struct dls_lcp *f)
{
    const struct dls_problem *p = f->problem;
    double row[DLS_LCP_LARGEST_D];
    for (int a = 0; a < p->contacts; a++)
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) {
            dls_lcp_row(f, a, i, row);
            for (int k = p->H->p[a * p->d]; k < p->H->p[(a + 1) * p->d]; k++) {
                int l = 0, z = f->first[a] + i;
                while (k >= p->H->p[a * p->d + l + 1]) l++;
                put(A, z, p->H->j[k], row[l] * p->H->x[k]);
                put(A, p->H->j[k], z, -row[l] * p->H->x[k]);
            }
        }
}

static enum dls_status assemble_kept(struct dls_lcp *f, struct dls_arena *a)
{
    const struct dls_problem *p = f->problem;
    long coupling = 2L * dls_csr_count(p->H) * (1 + f->facets);
    long count = dls_csr_count(p->M) + coupling + f->n * 2L;
    if (p->joints) count += 2L * dls_csr_count(p->G);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct entries A;
    if (!dls_deadline_allows(DLS_SECONDS_A_TRIPLET * (double)count))
        return DLS_MAX_TIME;
    if (count < INT_MAX && entries_create(&A, count, &scratch)) {
        for (int i = 0; i < p->n; i++)
            for (int k = p->M->p[i]; k < p->M->p[i + 1]; k++)
                put(&A, i, p->M->j[k], p->M->x[k]);
        for (int i = 0; i < p->joints; i++)
            for (int k = p->G->p[i]; k < p->G->p[i + 1]; k++) {
                put(&A, p->n + i, p->G->j[k], p->G->x[k]);
                put(&A, p->G->j[k], p->n + i, -p->G->x[k]);
            }
        put_coupling(&A, f);
        put_multipliers(&A, f);
        f->columns = dls_csr_from_triplets(f->n, f->n, A.count, A.i, A.j, A.x, a);
    }
    dls_arena_free(&scratch);
    if (!f->columns) return DLS_ENOMEM;
    for (int i = 0; i < p->n; i++) f->b[i] = -p->f[i];
    for (int i = 0; i < p->joints; i++) f->b[p->n + i] = p->b[i];
    project(f, p->w, f->b);
    return DLS_OK;
}

// --- the problem ---------------------------------------------------------------------

// Says what is relaxed: the circle, wherever a contact in space has friction. The label
// outlives the run and its memory, hence the table.
static const char *label(const struct dls_lcp *f, const struct dls_lcp_options *o)
{
#define LABELS_10(t, text)                                                             \
    t "0 facets, " text, t "1 facets, " text, t "2 facets, " text,                     \
        t "3 facets, " text, t "4 facets, " text, t "5 facets, " text,                 \
        t "6 facets, " text, t "7 facets, " text, t "8 facets, " text,                 \
        t "9 facets, " text
#define LABELS_100(text)                                                               \
    LABELS_10("", text), LABELS_10("1", text), LABELS_10("2", text),                   \
        LABELS_10("3", text), LABELS_10("4", text), LABELS_10("5", text),              \
        LABELS_10("6", text), LABELS_10("7", text), LABELS_10("8", text),              \
        LABELS_10("9", text)
    static const char *const labels[2][2][100] = {
        {{LABELS_100("inscribed (Stewart-Trinkle)")},
         {LABELS_100("circumscribed (Stewart-Trinkle)")}},
        {{LABELS_100("inscribed (Anitescu-Potra)")},
         {LABELS_100("circumscribed (Anitescu-Potra)")}},
    };
    if (f->problem->d < 3 || f->n == f->free + f->problem->contacts) return NULL;
    return labels[o->form][o->polygon][o->facets];
}

enum dls_status dls_lcp_build(struct dls_lcp *f, const struct dls_problem *p,
                              const struct dls_lcp_options *o, struct dls_arena *a,
                              struct dls_error *err)
{
    *f = (struct dls_lcp){.problem = p};
    bool kept = o->form == DLS_LCP_ANITESCU_POTRA;
    if (p->rolling) return dls_fail(err, DLS_UNSUPPORTED, "no LCP with rolling rows");
    if (kept && !dls_problem_is_global(p))
        return dls_fail(err, DLS_UNSUPPORTED, "anitescu-potra needs M and H");
    if (kept) f->free = p->n + p->joints;
    enum dls_status status = lay_out(f, o, a);
    if (status == DLS_OK)
        status = kept ? dls_inertia_create(&f->inertia, p, a, err)
                      : dls_delassus_build(&f->delassus, p, a, err);
    if (status != DLS_OK) return status;
    f->b = DLS_NEW(a, double, f->n);
    f->work = DLS_NEW(a, double, f->n + p->m);
    f->label = label(f, o);
    if (a->failed) return DLS_ENOMEM;
    return kept ? assemble_kept(f, a) : assemble_eliminated(f, a, err);
}
