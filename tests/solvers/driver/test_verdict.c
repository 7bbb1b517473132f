// SPDX-License-Identifier: Apache-2.0
// The driver's verdicts, on methods that do one thing each to the impulse of one contact
// with W = 1, q = -1, mu = 0, whose answer is r = 1.
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>

#include "tests/support/support.h"

enum deed {
    RIGHT,
    SAME,
    FLICKER,
    ADVANCE,
    PAUSE,
    GROW,
    NOT_A_NUMBER,
    END,
    RETURN,
    PASS_BY,
};

struct doer {
    enum deed deed;
    int steps;
};

static enum deed deed;   // of the next run
static long taken;       // steps of the last one
enum { RESTS_FOR = 40 }; // steps of PAUSE that show nothing
enum { PASSES_AT = 10 }; // the step of PASS_BY that is right
static bool says_so;     // of PAUSE: that it advances; of PASS_BY: that it is right

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)form, (void)opt, (void)err;
    struct doer *s = *self = DLS_NEW(a, struct doer, 1);
    if (!s) return DLS_ENOMEM;
    s->deed = deed;
    return DLS_OK;
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    struct doer *s = self;
    taken = ++s->steps;
    switch (s->deed) {
    case RIGHT:
        z[0] = 1;
        break;
    case ADVANCE: // in a measure of its own
        work->advances++;
        z[0] = 2 + 1.0 / s->steps;
        break;
    case FLICKER: // never the same twice, never better
        z[0] = 2 + 1.0 / s->steps;
        break;
    case PAUSE: // shows nothing for a while, and says whether it has something to try
        if (s->steps > RESTS_FOR) z[0] = 1;
        work->advances += says_so;
        break;
    case GROW:
        z[0] = 10 * z[0] + 1e3;
        break;
    case NOT_A_NUMBER:
        z[0] = NAN;
        break;
    case END:
        z[0] = 0.5;
        return DLS_FINISHED;
    case RETURN: // from afar
        z[0] = s->steps < 5 ? 1000 / s->steps : 1;
        break;
    case PASS_BY: // right in one step alone
        z[0] = s->steps == PASSES_AT ? 1 : 2 + 1.0 / s->steps;
        work->check = says_so && s->steps == PASSES_AT;
        break;
    case SAME:
        break;
    }
    return DLS_OK;
}

static const struct dls_solver doer = {
    .name = "doer",
    .brief = "does one thing",
    .takes = &dls_formulation_delassus,
    .create = create,
    .step = step,
};

static void reset(void *self, const double *z) { (void)self, (void)z; }

static struct dls_stats run_solver(const struct dls_solver *solver, enum deed what,
                                   const struct dls_settings *settings, double *r)
{
    struct dls_arena a = {0};
    const double W = 1, q = -1, mu = 0;
    struct dls_problem p = support_local(1, 1, &W, &q, &mu, &a);
    struct dls_stats stats;
    deed = what;
    dls_solve(solver, NULL, &p, settings, r, &stats);
    dls_arena_free(&a);
    return stats;
}

static struct dls_stats run(enum deed what, const struct dls_settings *settings,
                            double *r)
{
    return run_solver(&doer, what, settings, r);
}

static void verdicts(void **state)
{
    (void)state;
    static const struct {
        enum deed deed;
        enum dls_status status;
        double r; // the best of what the judge saw
    } want[] = {
        {RIGHT, DLS_OK, 1},        {SAME, DLS_STALLED, 0},
        {FLICKER, DLS_STALLED, 0}, {ADVANCE, DLS_MAX_TIME, 0},
        {GROW, DLS_DIVERGED, 0},   {NOT_A_NUMBER, DLS_DIVERGED, 0},
        {END, DLS_FINISHED, 0.5},
    };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        struct dls_settings settings = dls_settings_default();
        double r = 0;
        if (want[k].deed == ADVANCE) settings.max_time = 0.4;
        struct dls_stats stats = run(want[k].deed, &settings, &r);
        if (stats.status != want[k].status)
            fail_msg("deed %d: %s instead of %s", (int)want[k].deed,
                     dls_status_name(stats.status), dls_status_name(want[k].status));
        assert_close(r, want[k].r, 0);
        assert_close(stats.measures.natural, fabs(1 - r), 1e-15);
    }
}

// Iterates that are alike end a method without state at once. One that keeps state is
// given longer, and as long as it likes while it says that it advances.
static void who_may_be_stalled(void **state)
{
    (void)state;
    struct dls_solver with_state = doer;
    with_state.reset = reset;
    static const struct {
        bool state, says_so;
        enum dls_status status;
    } want[] = {{false, false, DLS_STALLED},
                {false, true, DLS_OK},
                {true, false, DLS_OK},
                {true, true, DLS_OK}};
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        double r = 0;
        says_so = want[k].says_so;
        struct dls_stats stats =
            run_solver(want[k].state ? &with_state : &doer, PAUSE, NULL, &r);
        assert_int_equal(stats.status, want[k].status);
        assert_true(stats.status ? taken < RESTS_FOR : taken == RESTS_FOR + 1);
    }
    double r = 0; // state alone is not for ever
    assert_int_equal(run_solver(&with_state, SAME, NULL, &r).status, DLS_STALLED);
}

// The verdict depends on counts and residuals: the same number of steps, however long
// the run was allowed to take. A run that is given time uses it.
static void stalled_by_counts(void **state)
{
    (void)state;
    long steps = 0;
    for (double max_time = 20; max_time <= 2000; max_time *= 10) {
        struct dls_settings settings = dls_settings_default();
        double r = 0;
        settings.max_time = max_time;
        assert_int_equal(run(FLICKER, &settings, &r).status, DLS_STALLED);
        assert_true(taken >= 100000);
        assert_true(!steps || taken == steps);
        steps = taken;
    }
}

// What dls_solver_find gives for an unknown name is refused.
static void no_solver(void **state)
{
    (void)state;
    double r = 0.5;
    struct dls_stats stats =
        run_solver(dls_solver_find("no-such-solver"), RIGHT, NULL, &r);
    assert_int_equal(stats.status, DLS_EINVAL);
    assert_true(*stats.message);
    assert_close(r, 0.5, 0);
}

// Steps are counted exactly, whenever the judge looks.
static void limit_of_iterations(void **state)
{
    (void)state;
    struct dls_settings settings = dls_settings_default();
    for (int every = 0; every < 8; every++) {
        double r = 0;
        settings.max_iter = 137;
        settings.check_every = every;
        struct dls_stats stats = run(FLICKER, &settings, &r);
        assert_int_equal(stats.status, DLS_MAX_ITER);
        assert_int_equal(taken, 137);
        assert_int_equal(stats.iterations, 0); // of the answer: the start was best
    }
    for (int every = 0; every < 8; every++) { // of an answer that is not the start
        double r = 1 + 1e-7;
        settings.check_every = every;
        struct dls_stats stats = run(RETURN, &settings, &r); // right from step 5 on
        int first_look = every > 0 ? (5 + every - 1) / every * every : 5;
        assert_int_equal(stats.status, DLS_OK);
        assert_int_equal(stats.iterations, first_look);
        assert_int_equal(taken, first_look);
    }
}

// A method may leave a good start.
static void excursion(void **state)
{
    (void)state;
    double r = 1 + 1e-7;
    struct dls_stats stats = run(RETURN, NULL, &r);
    assert_int_equal(stats.status, DLS_OK);
    assert_close(r, 1, 0);
}

// An answer that a method leaves again, between two checks, is kept where the method asks
// for a check.
static void answers_on_the_way(void **state)
{
    (void)state;
    struct dls_settings settings = dls_settings_default();
    settings.check_every = 7;
    settings.max_iter = 100;
    for (int asks = 0; asks < 2; asks++) {
        double r = 0;
        says_so = asks;
        struct dls_stats stats = run(PASS_BY, &settings, &r);
        assert_int_equal(stats.status, asks ? DLS_OK : DLS_MAX_ITER);
        assert_int_equal(taken, asks ? PASSES_AT : settings.max_iter);
    }
}

// Moreau's test looks at what a step changes. FLICKER's k-th step moves r = 2 + 1 / k by
// 1 / (k (k - 1)), over the larger of both: 9.7e-4 at k = 23, 1.06e-3 before. The judge
// still says that the law is far, and a start that is right has to be confirmed.
static void moreaus_test(void **state)
{
    (void)state;
    struct dls_settings settings = dls_settings_default();
    settings.measure = DLS_CORRECTION;
    settings.tol = 1e-3;
    for (int every = 0; every < 4; every++) {
        double r = 0;
        settings.check_every = every;
        struct dls_stats stats = run(FLICKER, &settings, &r);
        assert_int_equal(stats.status, DLS_OK);
        assert_int_equal(stats.iterations, 23);
        assert_true(stats.measures.natural > 1 && stats.measures.correction < 1e-3);
    }
    double right = 1;
    assert_int_equal(run(RIGHT, &settings, &right).iterations, 1);
    double nan = 0;
    assert_int_equal(run(NOT_A_NUMBER, &settings, &nan).status, DLS_DIVERGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreaus_test),       cmocka_unit_test(verdicts),
        cmocka_unit_test(who_may_be_stalled), cmocka_unit_test(stalled_by_counts),
        cmocka_unit_test(no_solver),          cmocka_unit_test(limit_of_iterations),
        cmocka_unit_test(excursion),          cmocka_unit_test(answers_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
