// SPDX-License-Identifier: Apache-2.0
// The formulation `lcp`: exact in the plane, and how its error falls with the number of
// facets in space.
#include "solvers/solver.h"

#include "formulations/lcp.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_lcp.h"

enum { MOST = 16 };

// W = G G^T + 0.2 I, and a skew part of that size times `skew`.
static void random_operator(double *W, int m, double skew, struct dls_rng *g)
{
    double G[MOST * MOST];
    assert_true(m <= MOST);
    for (int k = 0; k < m * m; k++) G[k] = dls_rng_range(g, -1, 1);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            W[i * m + j] = 0.2 * (i == j) + skew * (G[i * m + j] - G[j * m + i]);
            for (int k = 0; k < m; k++) W[i * m + j] += G[i * m + k] * G[j * m + k] / m;
        }
}

// --- the plane: enumeration of states ------------------------------------------------

enum state { OPEN, STICK, FORWARD, BACK, STATES };

struct plane {
    int contacts;
    double W[MOST * MOST], q[MOST], mu[MOST];
};

// The answer in which contact a has state code[a]; false where there is none.
static bool answer_of(const struct plane *s, const enum state *code, double *r)
{
    int m = 2 * s->contacts, pivot[MOST];
    double B[MOST * MOST] = {0}, x[MOST] = {0}, u[MOST];
    for (int a = 0; a < s->contacts; a++) {
        int N = 2 * a, T = N + 1;
        bool slips = code[a] == FORWARD || code[a] == BACK;
        if (code[a] == OPEN) B[N * m + N] = 1; // r_N = 0, else u_N = 0
        for (int j = 0; code[a] != OPEN && j < m; j++) B[N * m + j] = s->W[N * m + j];
        if (code[a] != OPEN) x[N] = -s->q[N];
        if (code[a] != STICK) B[T * m + T] = 1; // r_T = +- mu r_N, else u_T = 0
        if (slips) B[T * m + N] = code[a] == FORWARD ? s->mu[a] : -s->mu[a];
        for (int j = 0; code[a] == STICK && j < m; j++) B[T * m + j] = s->W[T * m + j];
        if (code[a] == STICK) x[T] = -s->q[T];
    }
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, m, 1, B, m, pivot, x, 1)) return false;
    for (int i = 0; i < m; i++) {
        u[i] = s->q[i];
        for (int j = 0; j < m; j++) u[i] += s->W[i * m + j] * x[j];
    }
    const double eps = 1e-11;
    for (int a = 0; a < s->contacts; a++) {
        double r_N = x[2 * a], r_T = x[2 * a + 1], u_N = u[2 * a], u_T = u[2 * a + 1];
        if (r_N < -eps || u_N < -eps || fabs(r_T) > s->mu[a] * r_N + eps) return false;
        if (code[a] == FORWARD && u_T < -eps) return false;
        if (code[a] == BACK && u_T > eps) return false;
    }
    memcpy(r, x, (size_t)m * sizeof *r);
    return true;
}

// Counts the states with an answer, and tells how far r is from the nearest of them.
static int enumerate(const struct plane *s, const double *r, double *distance)
{
    int count = 0, all = 1;
    *distance = INFINITY;
    for (int a = 0; a < s->contacts; a++) all *= STATES;
    for (int k = 0; k < all; k++) {
        enum state code[MOST];
        double x[MOST], far = 0;
        for (int a = 0, rest = k; a < s->contacts; a++, rest /= STATES)
            code[a] = (enum state)(rest % STATES);
        if (!answer_of(s, code, x)) continue;
        count++;
        for (int i = 0; i < 2 * s->contacts; i++) far = fmax(far, fabs(x[i] - r[i]));
        *distance = fmin(*distance, far);
    }
    return count;
}

// Solves with Lemke; the answer must be one of those enumerated. Returns their number.
static int check_plane(const struct plane *s)
{
    struct dls_arena a = {0};
    struct dls_problem p = support_local(s->contacts, 2, s->W, s->q, s->mu, &a);
    struct dls_lcp_options o = support_lcp_defaults();
    struct dls_stats stats;
    double r[MOST], distance;
    enum dls_status status = support_lemke(&p, &o, r, &stats);
    assert_true(status == DLS_OK || status == DLS_FINISHED);
    assert_null(stats.relaxes);
    assert_true(stats.measures.natural <= 1e-12);
    int count = enumerate(s, r, &distance);
    assert_true(count > 0);
    assert_close(distance, 0, 1e-9); // W is above 0.2 and r up to about 10
    dls_arena_free(&a);
    return count;
}

static void exact_in_the_plane(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(11);
    for (int trial = 0; trial < 150; trial++) {
        struct plane s = {.contacts = 1 + trial % 4};
        random_operator(s.W, 2 * s.contacts, trial % 2 ? 0.5 : 0, &g);
        for (int a = 0; a < s.contacts; a++)
            s.mu[a] = dls_rng_below(&g, 4) ? dls_rng_range(&g, 0, 1.5) : 0;
        for (int i = 0; i < 2 * s.contacts; i++) s.q[i] = dls_rng_range(&g, -1, 0.6);
        check_plane(&s);
    }
}

// The rod at tan theta = 2 jams above mu = 4/3: some q have three answers, and Lemke's
// method ends at one of them. Below 4/3 the answer is unique.
static void painleve(void **state)
{
    (void)state;
    double c2 = 0.2, s2 = 0.8, sc = 0.4; // cos^2, sin^2, sin cos
    struct plane s = {1, {1 + 3 * c2, -3 * sc, -3 * sc, 1 + 3 * s2}, {0}, {0}};
    int most[2] = {0, 0};
    for (int jams = 0; jams < 2; jams++) {
        s.mu[0] = jams ? 1.5 : 1.3;
        for (int k = 0; k < 360; k++) {
            double angle = (k + 0.37) * acos(-1) / 180;
            s.q[0] = cos(angle), s.q[1] = sin(angle);
            int count = check_plane(&s);
            if (count > most[jams]) most[jams] = count;
        }
    }
    assert_int_equal(most[0], 1);
    assert_int_equal(most[1], 3);
}

// --- layout --------------------------------------------------------------------------

static void sizes_labels_and_maps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(12);
    double W[81], q[9], mu[] = {0.5, 0, 0.3}, r[9], back[9];
    random_operator(W, 9, 0, &g);
    for (int i = 0; i < 9; i++) q[i] = dls_rng_range(&g, -1, 1);
    struct dls_problem p = support_local(3, 3, W, q, mu, &a);
    const struct dls_formulation *f = &dls_formulation_lcp;
    struct dls_lcp_options o = support_lcp_defaults();
    o.facets = 6, o.polygon = DLS_LCP_CIRCUMSCRIBED, o.seed = 5;
    void *form;
    assert_int_equal(f->build(&form, &p, &o, &a, NULL), DLS_OK);
    assert_int_equal(f->size(form), 8 + 1 + 8);
    assert_string_equal(f->relaxes(form), "6 facets, circumscribed (Stewart-Trinkle)");
    double *z = DLS_NEW(&a, double, f->size(form));
    for (int trial = 0; trial < 100; trial++) {
        for (int c = 0; c < 3; c++) {
            double angle = dls_rng_range(&g, 0, 7);
            r[3 * c] = 1 + dls_rng_real(&g);
            r[3 * c + 1] = mu[c] * cos(angle), r[3 * c + 2] = mu[c] * sin(angle);
        }
        f->start(form, r, z);
        f->lift(form, z, back);
        for (int i = 0; i < 9; i++) assert_close(back[i], r[i], 1e-15);
        // The polygon lies around the circle: lambda's row has room for any r in K.
        assert_true(mu[0] * z[0] - z[1] - z[2] - z[3] - z[4] - z[5] - z[6] >= 0);
    }
    memset(p.mu, 0, sizeof mu);
    assert_int_equal(f->build(&form, &p, &o, &a, NULL), DLS_OK);
    assert_int_equal(f->size(form), 3);
    assert_null(f->relaxes(form));
    o.form = DLS_LCP_ANITESCU_POTRA;
    assert_int_equal(f->build(&form, &p, &o, &a, NULL), DLS_UNSUPPORTED);
    p.rolling = true;
    assert_int_equal(f->build(&form, &p, &o, &a, NULL), DLS_UNSUPPORTED);
    dls_arena_free(&a);
}

// Started at the answer, z solves the LCP: beta and lambda are found from r alone.
static void starts_at_the_answer(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(13);
    double W[64], q[8], mu[] = {0.5, 0.2, 0, 0.9}, r[8];
    random_operator(W, 8, 0.3, &g);
    for (int i = 0; i < 8; i++) q[i] = dls_rng_range(&g, -1, 0.4);
    struct dls_problem p = support_local(4, 2, W, q, mu, &a);
    struct dls_lcp_options o = support_lcp_defaults();
    struct dls_stats stats;
    support_lemke(&p, &o, r, &stats);
    void *form;
    const struct dls_formulation *f = &dls_formulation_lcp;
    assert_int_equal(f->build(&form, &p, &o, &a, NULL), DLS_OK);
    double *z = DLS_NEW(&a, double, f->size(form));
    assert_true(f->residual(form, z) > 0.1);
    f->start(form, r, z);
    assert_true(f->residual(form, z) <= 1e-13);
    dls_arena_free(&a);
}

// --- space: the error of facets ------------------------------------------------------

struct errors {
    double natural, angle, gap, own;
};

// Root mean squares over random turns of the polygons; `own` is the largest.
static struct errors mean_errors(const struct dls_problem *p, int facets, int polygon)
{
    enum { TURNS = 60 };
    struct dls_lcp_options o = support_lcp_defaults();
    struct errors e = {0, 0, 0, 0};
    int slips = 0;
    o.facets = facets, o.polygon = polygon;
    for (o.seed = 1; o.seed <= TURNS; o.seed++) {
        struct dls_stats stats;
        double r[MOST], u[MOST] = {0}, gap = 0;
        assert_int_equal(support_lemke(p, &o, r, &stats), DLS_FINISHED);
        memcpy(u, p->q, (size_t)p->m * sizeof *u);
        dls_csr_add(p->W, 1, r, u);
        for (int a = 0; a < p->contacts; a++) {
            const double *r_a = r + 3 * a, *u_a = u + 3 * a;
            double speed = hypot(u_a[1], u_a[2]);
            for (int l = 0; l < 3; l++) gap += r_a[l] * u_a[l];
            gap += p->mu[a] * r_a[0] * speed;
            if (!(speed > 1e-9 && r_a[0] > 1e-9)) continue;
            double angle = atan2(r_a[1] * u_a[2] - r_a[2] * u_a[1],
                                 -r_a[1] * u_a[1] - r_a[2] * u_a[2]);
            e.angle += angle * angle, slips++;
        }
        e.natural += stats.measures.natural * stats.measures.natural;
        e.gap += gap * gap;
        e.own = fmax(e.own, stats.own);
    }
    return (struct errors){sqrt(e.natural / TURNS), sqrt(e.angle / slips),
                           sqrt(e.gap / TURNS), e.own};
}

// Four contacts in mean sliding: mu |u_T| is far from zero at each.
static struct dls_problem sliding(struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(14);
    double W[144], q[12], mu[] = {0.3, 0.4, 0.5, 0.2};
    random_operator(W, 12, 0, &g);
    for (int k = 0; k < 144; k++) W[k] = 0.3 * W[k] + (k % 13 == 0);
    for (int c = 0; c < 4; c++) {
        double angle = dls_rng_range(&g, 0, 7);
        q[3 * c] = -1, q[3 * c + 1] = 2 * cos(angle), q[3 * c + 2] = 2 * sin(angle);
    }
    return support_local(4, 3, W, q, mu, a);
}

// A corner is up to pi / k away from the direction of slip, evenly spread: the angle
// has rms pi / (k sqrt 3), natural follows it and the gap its square. The bands allow
// for 60 samples (each rms within 6 %, a slope over two octaves within 0.1) and for
// terms of higher order at k = 8.
static void error_of_facets(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = sliding(&a);
    for (int polygon = DLS_LCP_INSCRIBED; polygon <= DLS_LCP_CIRCUMSCRIBED; polygon++) {
        struct errors e[3];
        for (int k = 0; k < 3; k++) {
            e[k] = mean_errors(&p, 8 << k, polygon);
            print_message("%2d facets: natural %.2e, angle %.2e, gap %.2e, LCP %.1e\n",
                          8 << k, e[k].natural, e[k].angle, e[k].gap, e[k].own);
            assert_true(e[k].own <= 1e-13);
            assert_close(e[k].angle * (8 << k) * sqrt(3) / acos(-1), 1, 0.15);
        }
        double natural = log2(e[2].natural / e[0].natural) / 2;
        double angle = log2(e[2].angle / e[0].angle) / 2;
        double gap = log2(e[2].gap / e[0].gap) / 2;
        print_message("slopes: natural %.2f, angle %.2f, gap %.2f\n", natural, angle,
                      gap);
        assert_close(natural, -1, 0.15);
        assert_close(angle, -1, 0.15);
        assert_close(gap, -2, 0.3);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_in_the_plane),    cmocka_unit_test(painleve),
        cmocka_unit_test(sizes_labels_and_maps), cmocka_unit_test(starts_at_the_answer),
        cmocka_unit_test(error_of_facets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
