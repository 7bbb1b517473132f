// SPDX-License-Identifier: Apache-2.0
// What facets do to the direction of friction: SimBenchmark's box with balls, pulled
// along the diagonal of the axes that the polygons of friction are aligned with.
#include "problems/mechanics/build.h"
#include "solvers/solver.h"

#include "formulations/lcp.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_lcp.h"

enum { BALLS = 25 };

// A box of 10 kg on the ground (mu 0.4) carries 25 balls of 1 kg (mu 0.8) and is pulled
// along the diagonal with 150 N. Coulomb's law moves the box with
// a = (150 - 0.4 * 35 * 9.81) / (10 + 25 * 2/7) and each ball with 2/7 of that.
static struct dls_problem box_with_balls(struct dls_arena *a)
{
    struct dls_build b;
    assert_true(dls_build_open(&b, 3, 1 + BALLS, 4 + BALLS, a));
    b.gravity = 9.81;
    b.step = 0.01;
    double pull = 150 / sqrt(2), half = 1, height = 0.1, radius = 0.1;
    int box = dls_build_body(&b, (struct dls_body){.mass = 10,
                                                   .inertia = {3.3, 3.3, 6.6},
                                                   .at = {0, 0, height / 2},
                                                   .force = {pull, pull, 0}});
    for (int k = 0; k < 4; k++)
        dls_build_touch(&b, (struct dls_touch){.body = box,
                                               .other = -1,
                                               .point = {k % 2 ? half : -half,
                                                         k / 2 ? half : -half, 0},
                                               .n = {0, 0, 1},
                                               .law = {.mu = 0.4}});
    for (int k = 0; k < BALLS; k++) {
        double x = 0.3 * (k % 5 - 2), y = 0.3 * (k / 5 - 2),
               inertia = 0.4 * radius * radius;
        int ball =
            dls_build_body(&b, (struct dls_body){.mass = 1,
                                                 .inertia = {inertia, inertia, inertia},
                                                 .at = {x, y, height + radius}});
        dls_build_touch(&b, (struct dls_touch){.body = ball,
                                               .other = box,
                                               .point = {x, y, height},
                                               .n = {0, 0, 1},
                                               .law = {.mu = 0.8}});
    }
    struct dls_problem p;
    static const struct dls_option none[] = {{0}};
    struct dls_origin origin = {"box-with-balls", none, NULL, "A box carries balls."};
    assert_int_equal(dls_build_close(&b, &p, &origin, a), DLS_OK);
    return p;
}

// Acceleration of the box, x and y; all balls must have 2/7 of it.
static void accelerate(const struct dls_problem *p, const struct dls_lcp_options *o,
                       double box[2])
{
    struct dls_arena a = {0};
    struct dls_judge *judge = NULL;
    struct dls_measures measures;
    struct dls_stats stats;
    double *r = DLS_NEW(&a, double, p->m);
    enum dls_status status = support_lemke(p, o, r, &stats);
    assert_true(status == DLS_OK || status == DLS_FINISHED);
    assert_true(stats.own <= 1e-12);
    assert_int_equal(dls_judge_create(&judge, p, &a, NULL), DLS_OK);
    dls_judge_measure(judge, r, &measures);
    const double *v = dls_judge_v(judge);
    for (int i = 0; i < 2; i++) {
        box[i] = v[i] / 0.01;
        for (int k = 1; k <= BALLS; k++)
            assert_close(v[6 * k + i] / 0.01, box[i] * 2 / 7, 1e-9);
    }
    dls_judge_destroy(judge);
    dls_arena_free(&a);
}

// Along the diagonal, which the polygons here have as an axis of symmetry.
static double acceleration(const struct dls_problem *p, const struct dls_lcp_options *o)
{
    double box[2];
    accelerate(p, o, box);
    assert_close(box[0], box[1], 1e-9);
    return hypot(box[0], box[1]);
}

static void anisotropy(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = box_with_balls(&a);
    double load = 0.4 * 35 * 9.81, mass = 10 + 25 * 2 / 7.0,
           exact = (150 - load) / mass;
    assert_close(exact, 0.7385, 1e-4);
    for (int form = DLS_LCP_STEWART_TRINKLE; form <= DLS_LCP_ANITESCU_POTRA; form++) {
        struct dls_lcp_options o = support_lcp_defaults();
        o.form = form;
        // The square with its corners on the axes is weak along the diagonal,
        o.facets = 4;
        assert_close(acceleration(&p, &o), (150 - load / sqrt(2)) / mass, 1e-9);
        // the square around the circle, sides along the axes, holds the box.
        o.polygon = DLS_LCP_CIRCUMSCRIBED, o.rotation = acos(-1) / 4;
        assert_close(acceleration(&p, &o), 0, 1e-9);
        // A corner on the circle in the direction of slip makes the law exact there.
        o.polygon = DLS_LCP_INSCRIBED;
        assert_close(acceleration(&p, &o), exact, 1e-9);
        // Corners beside the diagonal: the error falls like 1 - cos(pi / k).
        double last = INFINITY;
        for (int k = 4; k <= 64; k *= 4) {
            o.facets = k, o.rotation = acos(-1) / 4 + acos(-1) / k;
            double error = acceleration(&p, &o) - exact;
            assert_close(error, load * (1 - cos(acos(-1) / k)) / mass, 1e-9);
            assert_true(error < last / 10);
            last = error;
        }
    }
    dls_arena_free(&a);
}

// A joint holds v_y of the box: it slides along x, where a corner is, and both forms
// are exact. Half the friction, lest it stay.
static void rail(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = box_with_balls(&a);
    double exact = (150 / sqrt(2) - 0.2 * 35 * 9.81) / (10 + 25 * 2 / 7.0), box[2];
    p.joints = 1;
    p.G = dls_csr_from_triplets(1, p.n, 1, (int[]){0}, (int[]){1}, (double[]){1}, &a);
    p.b = DLS_NEW(&a, double, 1);
    for (int c = 0; c < p.contacts; c++) p.mu[c] /= 2;
    for (int form = DLS_LCP_STEWART_TRINKLE; form <= DLS_LCP_ANITESCU_POTRA; form++) {
        struct dls_lcp_options o = support_lcp_defaults();
        o.form = form, o.facets = 4;
        accelerate(&p, &o, box);
        assert_close(box[0], exact, 1e-9);
        assert_close(box[1], 0, 1e-9);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anisotropy),
        cmocka_unit_test(rail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
