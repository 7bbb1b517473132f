// SPDX-License-Identifier: Apache-2.0
// A run ends soon after its deadline, set-up included, whatever the solver: by a clock that
// work drives. A product with a matrix takes one unit of time, a factorisation ten, and a
// look at the clock a hundredth, so that the test is the same on every machine, however
// busy.
#include "solvers/solver.h"

#include "base/bsr.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/sparse_factor.h"

#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_problem.h"

static double now; // in units

double __real_dls_clock(void);
double __wrap_dls_clock(void);
double __wrap_dls_clock(void) { return now += 0.01; }

void __real_dls_bsr_multiply(const struct dls_bsr *, const double *, const double *,
                             double *);
void __wrap_dls_bsr_multiply(const struct dls_bsr *, const double *, const double *,
                             double *);
void __wrap_dls_bsr_multiply(const struct dls_bsr *A, const double *x, const double *b,
                             double *y)
{
    now += 1;
    __real_dls_bsr_multiply(A, x, b, y);
}

void __real_dls_csr_add(const struct dls_csr *, double, const double *, double *);
void __wrap_dls_csr_add(const struct dls_csr *, double, const double *, double *);
void __wrap_dls_csr_add(const struct dls_csr *A, double s, const double *x, double *y)
{
    now += 1;
    __real_dls_csr_add(A, s, x, y);
}

enum dls_status __real_dls_sparse_factor_update(struct dls_sparse_factor *);
enum dls_status __wrap_dls_sparse_factor_update(struct dls_sparse_factor *);
enum dls_status __wrap_dls_sparse_factor_update(struct dls_sparse_factor *s)
{
    enum dls_status status = __real_dls_sparse_factor_update(s);
    if (status != DLS_MAX_TIME) now += 10;
    return status;
}

// Units that a run may take after its deadline: the products of the longest stretch
// between two looks, and one factorisation that was begun before.
enum { MAX_TIME = 60, SLACK = 20 };

static double overshoot(const struct dls_solver *solver, const struct dls_problem *p,
                        double *r, struct dls_stats *stats)
{
    struct dls_settings set = dls_settings_default();
    set.max_time = MAX_TIME;
    set.tol = 1e-14; // nobody is done before
    memset(r, 0, (size_t)p->m * sizeof *r);
    dls_solve(solver, NULL, p, &set, r, stats);
    return stats->build_time + stats->create_time + stats->solve_time - MAX_TIME;
}

static void every_solver_keeps_its_deadline(void **state)
{
    (void)state;
    static const char *const sets[][2] = {{"brick-wall-3d", "courses=8 bricks=8"},
                                          {"sphere-packing", "across=6 layers=4"}};
    struct dls_arena a = {0};
    int bad = 0;
    for (int k = 0; k < 2; k++) {
        struct dls_problem p = support_generate(sets[k][0], sets[k][1], &a);
        double *r = DLS_NEW(&a, double, p.m);
        for (const struct dls_solver *const *s = dls_solvers; *s; s++) {
            struct dls_stats stats;
            if (!strncmp((*s)->brief, "peer:", 5)) continue; // they run in a child
            double late = overshoot(*s, &p, r, &stats);
            print_message("%s, %s: %s, %.1f units late\n", sets[k][0], (*s)->name,
                          dls_status_name(stats.status), late);
            bad += !(late <= SLACK);
        }
    }
    dls_arena_free(&a);
    assert_int_equal(bad, 0);
}

// Work that would end after the deadline is refused before it is begun, and said so.
static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_settings set = dls_settings_default();
    struct dls_problem p = support_generate("brick-wall-3d", "courses=8 bricks=8", &a);
    double *r = DLS_NEW(&a, double, p.m);
    set.max_time = 0.02; // two looks at the clock
    dls_solve(dls_solver_find("lemke"), NULL, &p, &set, r, &stats);
    print_message("%s\n", stats.message);
    assert_int_equal(stats.status, DLS_UNSUPPORTED);
    assert_non_null(strstr(stats.message, "its set-up would take"));
    assert_int_equal(stats.work.factorisations, 0);
    // Outside of a run there is no deadline.
    assert_true(dls_deadline_allows(1e9));
    // The deadline of a run inside another is the earlier one's again at its end.
    double before = dls_deadline_set(now + 5);
    dls_solve(dls_solver_find("pgs"), NULL, &p, &set, r, &stats);
    assert_true(dls_deadline_set(before) > now - 100);
    dls_arena_free(&a);
}

// An analysis cannot be interrupted either: it is not begun where it cannot end in time.
static void an_analysis_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sparse_factor factor;
    struct dls_problem p = support_generate("brick-wall-3d", "courses=8 bricks=8", &a);
    const double look = 0.01, least = 2e-8 * dls_csr_count(p.M);
    dls_deadline_set(now + look + 0.9 * least);
    assert_int_equal(dls_sparse_factor_create(&factor, p.M, DLS_FACTOR_POSITIVE, &a),
                     DLS_MAX_TIME);
    dls_sparse_factor_destroy(&factor);
    dls_deadline_set(now + look + 1.1 * least);
    assert_int_equal(dls_sparse_factor_create(&factor, p.M, DLS_FACTOR_POSITIVE, &a),
                     DLS_OK);
    dls_sparse_factor_destroy(&factor);
    dls_deadline_set(INFINITY);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_keeps_its_deadline),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(an_analysis_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
