// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_problem.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

double *support_random_vector(struct dls_rng *rng, int count, double lo, double hi,
                              struct dls_arena *a)
{
    double *x = DLS_NEW(a, double, count);
    assert_non_null(x);
    for (int k = 0; k < count; k++) x[k] = dls_rng_range(rng, lo, hi);
    return x;
}

struct dls_csr *support_random_csr(struct dls_rng *rng, int rows, int cols, int count,
                                   struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    if (!rows || !cols) count = 0;
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = support_random_vector(rng, count, -1, 1, &scratch);
    for (int k = 0; k < count; k++) {
        i[k] = dls_rng_below(rng, rows);
        j[k] = dls_rng_below(rng, cols);
    }
    struct dls_csr *A = dls_csr_from_triplets(rows, cols, count, i, j, x, a);
    assert_non_null(A);
    dls_arena_free(&scratch);
    return A;
}

static struct dls_problem start(int contacts, int d, struct dls_rng *rng,
                                struct dls_arena *a)
{
    return (struct dls_problem){
        .contacts = contacts,
        .d = d,
        .rolling = d == 5,
        .m = contacts * d,
        .mu = support_random_vector(rng, contacts, 0, 1, a),
        .mu_r = d == 5 ? support_random_vector(rng, contacts, 0, 1, a) : NULL,
        .time = NAN,
        .step = NAN,
    };
}

struct dls_problem support_random_local(int contacts, int d, uint64_t seed,
                                        struct dls_arena *a)
{
    struct dls_rng rng = dls_rng_seed(seed);
    struct dls_problem p = start(contacts, d, &rng, a);
    p.W = support_random_csr(&rng, p.m, p.m, 4 * p.m, a);
    p.q = support_random_vector(&rng, p.m, -1, 1, a);
    return p;
}

struct dls_problem support_random_global(int contacts, int d, int joints, uint64_t seed,
                                         struct dls_arena *a)
{
    struct dls_rng rng = dls_rng_seed(seed);
    struct dls_problem p = start(contacts, d, &rng, a);
    p.n = 2 * p.m + 3;
    p.M = support_random_csr(&rng, p.n, p.n, 3 * p.n, a);
    p.H = support_random_csr(&rng, p.m, p.n, 3 * p.m, a);
    p.f = support_random_vector(&rng, p.n, -1, 1, a);
    p.w = support_random_vector(&rng, p.m, -1, 1, a);
    if (!joints) return p;
    p.joints = joints;
    p.G = support_random_csr(&rng, joints, p.n, 3 * joints, a);
    p.b = support_random_vector(&rng, joints, -1, 1, a);
    return p;
}

void support_add_history(struct dls_problem *p, struct dls_rng *rng,
                         struct dls_arena *a)
{
    p->u_minus = support_random_vector(rng, p->m, -1, 1, a);
    p->w_ob = support_random_vector(rng, p->m, -1, 1, a);
    p->e_n = support_random_vector(rng, p->contacts, 0, 1, a);
    p->e_t = support_random_vector(rng, p->contacts, 0, 1, a);
    p->gap = support_random_vector(rng, p->contacts, -1, 1, a);
    p->position = support_random_vector(rng, 3 * p->contacts, -1, 1, a);
    p->solution_r = support_random_vector(rng, p->m, -1, 1, a);
    p->guess_r = support_random_vector(rng, p->m, -1, 1, a);
    p->time = dls_rng_real(rng);
    p->step = 1e-3 * dls_rng_real(rng);
    p->title = dls_text(a, "a title");
    p->description = dls_text(a, "two\nlines");
    p->math_info = dls_text(a, "é in UTF-8");
    p->provenance = dls_text(a, "made by a test");
    p->body_pair = DLS_NEW(a, int, 2 * p->contacts);
    if (dls_problem_is_global(p)) {
        p->v_minus = support_random_vector(rng, p->n, -1, 1, a);
        p->hF = support_random_vector(rng, p->n, -1, 1, a);
        p->bodies = 2;
        p->body_start = DLS_NEW(a, int, 3);
        p->body_start[1] = p->n / 2;
        p->body_start[2] = p->n;
    }
    for (int k = 0; k < 2 * p->contacts; k++)
        p->body_pair[k] = dls_rng_below(rng, 3) - 1;
}

static void same_bytes(const void *a, const void *b, size_t bytes, const char *name)
{
    if (!a && !b) return;
    if (!a || !b) fail_msg("%s is on one side only", name);
    if (bytes && memcmp(a, b, bytes) != 0) fail_msg("%s differs", name);
}

static void same_reals(const double *a, const double *b, int count, const char *name)
{
    same_bytes(a, b, (size_t)count * sizeof *a, name);
}

static void same_ints(const int *a, const int *b, int count, const char *name)
{
    same_bytes(a, b, (size_t)count * sizeof *a, name);
}

static void same_text(const char *a, const char *b, const char *name)
{
    if (a && b && strcmp(a, b) != 0) fail_msg("%s: '%s' and '%s'", name, a, b);
    same_bytes(a, b, 0, name);
}

void support_same_csr(const struct dls_csr *a, const struct dls_csr *b,
                      const char *name)
{
    same_bytes(a, b, 0, name);
    if (!a) return;
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    same_ints(a->p, b->p, a->rows + 1, name);
    same_ints(a->j, b->j, dls_csr_count(a), name);
    same_reals(a->x, b->x, dls_csr_count(a), name);
}

static void same_sizes(const struct dls_problem *a, const struct dls_problem *b)
{
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->d, b->d);
    assert_int_equal(a->rolling, b->rolling);
    assert_int_equal(a->m, b->m);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->joints, b->joints);
    assert_int_equal(a->bodies, b->bodies);
}

void support_same_problem(const struct dls_problem *a, const struct dls_problem *b)
{
    same_sizes(a, b);
    support_same_csr(a->M, b->M, "M");
    support_same_csr(a->H, b->H, "H");
    support_same_csr(a->G, b->G, "G");
    support_same_csr(a->W, b->W, "W");
    support_same_csr(a->V, b->V, "V");
    support_same_csr(a->R, b->R, "R");
    same_reals(a->mu, b->mu, a->contacts, "mu");
    same_reals(a->mu_r, b->mu_r, a->contacts, "mu_r");
    same_reals(a->f, b->f, a->n, "f");
    same_reals(a->w, b->w, a->m, "w");
    same_reals(a->b, b->b, a->joints, "b");
    same_reals(a->q, b->q, a->m, "q");
    same_reals(a->s, b->s, a->joints, "s");
    same_reals(a->v_minus, b->v_minus, a->n, "v_minus");
    same_reals(a->u_minus, b->u_minus, a->m, "u_minus");
    same_reals(a->w_ob, b->w_ob, a->m, "w_ob");
    same_reals(a->e_n, b->e_n, a->contacts, "e_n");
    same_reals(a->e_t, b->e_t, a->contacts, "e_t");
    same_reals(a->hF, b->hF, a->n, "hF");
    same_reals(a->gap, b->gap, a->contacts, "gap");
    same_reals(a->position, b->position, 3 * a->contacts, "position");
    same_ints(a->body_start, b->body_start, a->bodies + 1, "bodies");
    same_ints(a->body_pair, b->body_pair, 2 * a->contacts, "body_pair");
    same_reals(&a->time, &b->time, isnan(a->time) && isnan(b->time) ? 0 : 1, "time");
    same_reals(&a->step, &b->step, isnan(a->step) && isnan(b->step) ? 0 : 1, "step");
    same_text(a->title, b->title, "title");
    same_text(a->description, b->description, "description");
    same_text(a->math_info, b->math_info, "math_info");
    same_text(a->provenance, b->provenance, "provenance");
    same_reals(a->solution_r, b->solution_r, a->m, "solution_r");
    same_reals(a->guess_r, b->guess_r, a->m, "guess_r");
}

bool support_behaves(enum dls_status status, const struct dls_error *err,
                     const char *path)
{
    if (status == DLS_OK) return true;
    size_t length = strlen(path);
    return (status == DLS_EINVAL || status == DLS_EIO)
           && !strncmp(err->text, path, length) && !strncmp(err->text + length, ": ", 2)
           && strlen(err->text) > length + 8 && !strchr(err->text, '\n');
}
