// SPDX-License-Identifier: Apache-2.0
// Problems from arrays: dense and sparse give the same, bad ones give a sentence.
#include "formulations/arrays.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static const double dense[] = {4, 1, 0, 1, 3, 0, 0, 0, 2, 0, 0, 1}; // 4 x 3
static const double mu[] = {0.5, 0.25};

// The same matrix with unsorted rows and one entry in two pieces.
static const int p[] = {0, 3, 5, 6, 7};
static const int j[] = {1, 0, 0, 1, 0, 2, 2};
static const double x[] = {1, 1, 3, 3, 1, 2, 1};

static void dense_and_sparse_agree(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_csr *one, *two;
    const struct dls_matrix A = {.rows = 4, .cols = 3, .dense = dense};
    const struct dls_matrix B = {.rows = 4, .cols = 3, .p = p, .j = j, .x = x};
    assert_int_equal(dls_matrix_copy(&one, &A, "A", &a, NULL), DLS_OK);
    assert_int_equal(dls_matrix_copy(&two, &B, "B", &a, NULL), DLS_OK);
    assert_int_equal(dls_csr_count(one), 6);
    assert_int_equal(dls_csr_count(two), 6);
    assert_memory_equal(one->p, two->p, 5 * sizeof *p);
    assert_memory_equal(one->j, two->j, 6 * sizeof *j);
    assert_memory_equal(one->x, two->x, 6 * sizeof *x);
    dls_arena_free(&a);
}

static void local_and_global(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem problem;
    const double unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                 W[16] = {1, [5] = 1, [10] = 1, [15] = 1};
    const double q[] = {-1, 0, -1, 0.5}, f[] = {1, 2, 3};
    const struct dls_matrix M = {.rows = 3, .cols = 3, .dense = unit};
    const struct dls_matrix H = {.rows = 4, .cols = 3, .dense = dense};
    const struct dls_matrix wide = {.rows = 4, .cols = 4, .dense = W};
    const struct dls_frictions contacts = {2, 2, mu, NULL};
    assert_int_equal(dls_problem_from_m(&problem, &M, &H, f, NULL, contacts, &a, NULL),
                     DLS_OK);
    assert_int_equal(problem.n, 3);
    assert_int_equal(problem.m, 4);
    assert_true(problem.w[3] == 0 && problem.f[2] == 3 && problem.f != f);
    assert_int_equal(dls_problem_from_w(&problem, &wide, q, contacts, &a, NULL),
                     DLS_OK);
    assert_true(!problem.M && problem.q[3] == 0.5 && isnan(problem.time));
    dls_arena_free(&a);
}

static void says(const struct dls_matrix *W, const double *q,
                 struct dls_frictions contacts, const char *sentence)
{
    struct dls_arena a = {0};
    struct dls_problem problem;
    struct dls_error err = {""};
    assert_int_equal(dls_problem_from_w(&problem, W, q, contacts, &a, &err),
                     DLS_EINVAL);
    if (!strstr(err.text, sentence)) fail_msg("'%s' lacks '%s'", err.text, sentence);
    dls_arena_free(&a);
}

static void bad_arrays_have_a_sentence(void **state)
{
    (void)state;
    const double one[] = {1, 0, 0, 1}, bad[] = {1, NAN, 0, 1}, q[] = {-1, 0};
    const double less[] = {-0.1};
    const int far[] = {0, 2}, back[] = {0, 2, 1}, fine[] = {0, 1, 2};
    const struct dls_matrix W = {.rows = 2, .cols = 2, .dense = one};
    const struct dls_frictions contact = {1, 2, mu, NULL};
    says(&(struct dls_matrix){.rows = 2, .cols = 2, .dense = bad}, q, contact,
         "W: entry (0, 1)");
    says(&(struct dls_matrix){.rows = 4, .cols = 1, .dense = one}, q, contact,
         "W: 4 x 1, should be 2 x 2");
    says(&(struct dls_matrix){.rows = 2, .cols = 2}, q, contact, "neither dense nor");
    says(&(struct dls_matrix){.rows = 2, .cols = 2, .p = fine, .j = far, .x = one}, q,
         contact, "W: column 2, beyond 2");
    says(&(struct dls_matrix){.rows = 2, .cols = 2, .p = back, .j = far, .x = one}, q,
         contact, "W: pointers decrease at row 1");
    says(&W, bad, contact, "q: entry 1 is nan");
    says(&W, NULL, contact, "q: missing");
    says(&W, q, (struct dls_frictions){1, 2, less, NULL}, "mu: entry 0 is -0.1");
    says(&W, q, (struct dls_frictions){1, 7, mu, NULL}, "1 contacts of 7 rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_and_sparse_agree),
        cmocka_unit_test(local_and_global),
        cmocka_unit_test(bad_arrays_have_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
