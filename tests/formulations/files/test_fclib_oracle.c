// SPDX-License-Identifier: Apache-2.0
// libfclib as the oracle: what we write it reads with the same numbers, and the other way
// round, bit for bit. It knows local and global problems, no rolling.
#include "formulations/files/formats.h"
#include "formulations/files/snapshot.h"

#include <fclib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/support_problem.h"

static const char *fresh_file(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/oracle.hdf5", support_folder());
    unlink(path); // libfclib adds to files that exist
    return path;
}

// libfclib's compressed columns or rows, or triplets, as our compressed rows.
static struct dls_csr *from_fclib(const struct fclib_matrix *A, struct dls_arena *a)
{
    int count = A->nz >= 0 ? A->nz : A->p[A->nz == -1 ? A->n : A->m];
    int *row = DLS_NEW(a, int, count), *column = DLS_NEW(a, int, count);
    for (int k = 0, line = 0; k < count; k++) {
        while (A->nz < 0 && k >= A->p[line + 1]) line++;
        row[k] = A->nz == -1 || A->nz >= 0 ? A->i[k] : line;
        column[k] = A->nz >= 0 ? A->p[k] : A->nz == -1 ? line : A->i[k];
    }
    return dls_csr_from_triplets(A->m, A->n, count, row, column, A->x, a);
}

// Our matrix in one of libfclib's three storages; borrows nothing.
static struct fclib_matrix *to_fclib(const struct dls_csr *A, int storage,
                                     struct dls_arena *a)
{
    struct fclib_matrix *B = DLS_NEW(a, struct fclib_matrix, 1);
    int count = dls_csr_count(A);
    const struct dls_csr *lines = storage == -1 ? dls_csr_transpose(A, a) : A;
    *B = (struct fclib_matrix){
        .nzmax = count,
        .m = A->rows,
        .n = A->cols,
        .nz = storage < 0 ? storage : count,
        .p = dls_copy(a, lines->p, (size_t)lines->rows + 1, sizeof(int)),
        .i = dls_copy(a, lines->j, (size_t)count, sizeof(int)),
        .x = dls_copy(a, lines->x, (size_t)count, sizeof(double)),
    };
    if (storage < 0) return B;
    B->p = B->i; // triplets: i is the row, p the column
    B->i = DLS_NEW(a, int, count);
    for (int row = 0; row < A->rows; row++)
        for (int k = A->p[row]; k < A->p[row + 1]; k++) B->i[k] = row;
    return B;
}

static void same_vector(const double *a, const double *b, int count)
{
    if (count) assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void compare_local(const struct dls_problem *p, const char *path)
{
    struct dls_arena a = {0};
    struct fclib_local *f = fclib_read_local(path);
    assert_non_null(f);
    assert_int_equal(f->spacedim, p->d);
    support_same_csr(p->W, from_fclib(f->W, &a), "W");
    same_vector(f->q, p->q, p->m);
    same_vector(f->mu, p->mu, p->contacts);
    if (p->joints) {
        support_same_csr(p->V, from_fclib(f->V, &a), "V");
        support_same_csr(p->R, from_fclib(f->R, &a), "R");
        same_vector(f->s, p->s, p->joints);
    }
    fclib_delete_local(f);
    free(f); // which the line above leaves to us
    dls_arena_free(&a);
}

static void compare_global(const struct dls_problem *p, const char *path)
{
    struct dls_arena a = {0};
    struct fclib_global *f = fclib_read_global(path);
    assert_non_null(f);
    assert_int_equal(f->spacedim, p->d);
    support_same_csr(p->M, from_fclib(f->M, &a), "M");
    support_same_csr(p->H, dls_csr_transpose(from_fclib(f->H, &a), &a), "H");
    same_vector(f->f, p->f, p->n);
    same_vector(f->w, p->w, p->m);
    same_vector(f->mu, p->mu, p->contacts);
    assert_int_equal(!f->G, !p->G);
    if (p->G) {
        support_same_csr(p->G, dls_csr_transpose(from_fclib(f->G, &a), &a), "G");
        same_vector(f->b, p->b, p->joints);
    }
    fclib_delete_global(f);
    free(f); // which the line above leaves to us
    dls_arena_free(&a);
}

static void add_joints(struct dls_problem *p, struct dls_arena *a)
{
    struct dls_rng rng = dls_rng_seed(6);
    p->joints = 4;
    p->V = support_random_csr(&rng, p->m, 4, 9, a);
    p->R = support_random_csr(&rng, 4, 4, 9, a);
    p->s = support_random_vector(&rng, 4, -1, 1, a);
}

static void libfclib_reads_ours(void **state)
{
    (void)state;
    const int contacts[] = {1, 7, 500}; // the last with deflated vectors
    for (int k = 0; k < 3; k++)
        for (int d = 2; d <= 3; d++)
            for (int joints = 0; joints < 2; joints++) {
                struct dls_arena a = {0};
                struct dls_rng rng = dls_rng_seed(4);
                const char *path = fresh_file();
                struct dls_problem p = support_random_local(contacts[k], d, 1, &a);
                if (joints) add_joints(&p, &a);
                assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
                compare_local(&p, path);
                support_add_history(&p, &rng, &a);
                p.title = NULL; // any text may be missing
                assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
                compare_local(&p, path);
                p = support_random_global(contacts[k], d, 5 * joints, 2, &a);
                assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
                compare_global(&p, path);
                support_add_history(&p, &rng, &a);
                assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
                compare_global(&p, path);
                dls_arena_free(&a);
            }
}

static void libfclib_reads_our_answers(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng rng = dls_rng_seed(5);
    struct dls_problem p = support_random_global(6, 3, 0, 2, &a);
    struct dls_answer answer = {
        .r = support_random_vector(&rng, p.m, -1, 1, &a),
        .u = support_random_vector(&rng, p.m, -1, 1, &a),
        .v = support_random_vector(&rng, p.n, -1, 1, &a),
    };
    const char *path = fresh_file();
    assert_int_equal(dls_snapshot_write(&p, path, &answer, NULL), DLS_OK);
    struct fclib_solution *s = fclib_read_solution(path);
    assert_non_null(s);
    same_vector(s->r, answer.r, p.m);
    same_vector(s->u, answer.u, p.m);
    same_vector(s->v, answer.v, p.n);
    fclib_delete_solutions(s, 1);
    dls_arena_free(&a);
}

// The group /certificate does not disturb it.
static void libfclib_reads_certified_files(void **state)
{
    (void)state;
    const char *path = "benchmarks/snapshots/conveyor.hdf5";
    struct dls_arena a = {0};
    struct dls_problem p;
    assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    struct fclib_global *problem = fclib_read_global(path);
    struct fclib_solution *s = fclib_read_solution(path);
    assert_true(problem && s);
    assert_int_equal(problem->H->n, p.m);
    same_vector(s->r, p.solution_r, p.m);
    fclib_delete_solutions(s, 1);
    fclib_delete_global(problem);
    free(problem);
    dls_arena_free(&a);
}

static void read_back(const struct dls_problem *p, const char *path,
                      struct dls_arena *a)
{
    struct dls_error err = {""};
    struct dls_problem back;
    if (dls_snapshot_read(&back, path, DLS_DAT_GUESS, a, &err))
        fail_msg("%s", err.text);
    support_same_problem(p, &back);
}

static void we_read_local_files(void **state)
{
    (void)state;
    for (int storage = -2; storage <= 0; storage++)
        for (int joints = 0; joints < 2; joints++) {
            struct dls_arena a = {0};
            struct dls_problem p = support_random_local(7, 3, 1, &a);
            if (joints) add_joints(&p, &a);
            struct fclib_local f = {
                .W = to_fclib(p.W, storage, &a),
                .V = joints ? to_fclib(p.V, storage, &a) : NULL,
                .R = joints ? to_fclib(p.R, storage, &a) : NULL,
                .mu = p.mu,
                .q = p.q,
                .s = p.s,
                .spacedim = 3,
            };
            const char *path = fresh_file();
            assert_int_equal(fclib_write_local(&f, path), 1);
            read_back(&p, path, &a);
            dls_arena_free(&a);
        }
}

static void we_read_global_files(void **state)
{
    (void)state;
    for (int storage = -2; storage <= 0; storage++)
        for (int joints = 0; joints < 2; joints++) {
            struct dls_arena a = {0};
            struct dls_problem p = support_random_global(7, 3, 5 * joints, 1, &a);
            const struct dls_csr *H = dls_csr_transpose(p.H, &a);
            const struct dls_csr *G = joints ? dls_csr_transpose(p.G, &a) : NULL;
            struct fclib_info info = {"a title", "about it", "unique"};
            struct fclib_global f = {
                .M = to_fclib(p.M, storage, &a),
                .H = to_fclib(H, storage, &a),
                .G = G ? to_fclib(G, storage, &a) : NULL,
                .mu = p.mu,
                .f = p.f,
                .b = p.b,
                .w = p.w,
                .spacedim = 3,
                .info = &info,
            };
            const char *path = fresh_file();
            assert_int_equal(fclib_write_global(&f, path), 1);
            p.title = info.title;
            p.description = info.description;
            p.math_info = info.math_info;
            read_back(&p, path, &a);
            dls_arena_free(&a);
        }
}

static void we_read_solutions_and_guesses(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng rng = dls_rng_seed(8);
    struct dls_problem p = support_random_local(4, 3, 1, &a), back;
    struct fclib_local f = {
        .W = to_fclib(p.W, -1, &a),
        .mu = p.mu,
        .q = p.q,
        .spacedim = 3,
    };
    struct fclib_solution answers[2];
    for (int k = 0; k < 2; k++)
        answers[k] = (struct fclib_solution){
            .r = support_random_vector(&rng, p.m, -1, 1, &a),
            .u = support_random_vector(&rng, p.m, -1, 1, &a),
        };
    const char *path = fresh_file();
    assert_int_equal(fclib_write_local(&f, path), 1);
    assert_int_equal(fclib_write_solution(&answers[0], path), 1);
    assert_int_equal(fclib_write_guesses(1, &answers[1], path), 1);
    assert_int_equal(dls_fclib_read(&back, path, &a, NULL), DLS_OK);
    same_vector(back.solution_r, answers[0].r, p.m);
    same_vector(back.guess_r, answers[1].r, p.m);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libfclib_reads_ours),
        cmocka_unit_test(libfclib_reads_our_answers),
        cmocka_unit_test(libfclib_reads_certified_files),
        cmocka_unit_test(we_read_local_files),
        cmocka_unit_test(we_read_global_files),
        cmocka_unit_test(we_read_solutions_and_guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
