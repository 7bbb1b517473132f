// SPDX-License-Identifier: Apache-2.0
// The driver's verdicts, on methods that do one thing each to the impulse of one contact
// with W = 1, q = -1, mu = 0, whose answer is r = 1.
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>

#include "tests/support/support.h"

enum deed { RIGHT, SAME, FLICKER, ADVANCE, GROW, NOT_A_NUMBER, END, RETURN };

struct doer {
    enum deed deed;
    int steps;
};

static enum deed deed; // of the next run

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
    s->steps++;
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

static struct dls_stats run(enum deed what, const struct dls_settings *settings,
                            double *r)
{
    struct dls_arena a = {0};
    const double W = 1, q = -1, mu = 0;
    struct dls_problem p = support_local(1, 1, &W, &q, &mu, &a);
    struct dls_stats stats;
    deed = what;
    dls_solve(&doer, NULL, &p, settings, r, &stats);
    dls_arena_free(&a);
    return stats;
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
        bool waits = want[k].deed == FLICKER || want[k].deed == ADVANCE;
        if (waits) settings.max_time = 0.4;
        struct dls_stats stats = run(want[k].deed, &settings, &r);
        if (stats.status != want[k].status)
            fail_msg("deed %d: %s instead of %s", (int)want[k].deed,
                     dls_status_name(stats.status), dls_status_name(want[k].status));
        assert_close(r, want[k].r, 0);
        assert_close(stats.measures.natural, fabs(1 - r), 1e-15);
    }
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
        assert_int_equal(stats.iterations, 0); // of the answer: the start was best
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(limit_of_iterations),
        cmocka_unit_test(excursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
