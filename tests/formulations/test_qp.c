// SPDX-License-Identifier: Apache-2.0
// The convex programs: polygons, the conditions of optimality at known answers, lifting,
// the own residual, units and labels.
#include "formulations/judge/residual.h"
#include "formulations/qp.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/zoo.h"

static const char *const forms[] = {"dual", "primal"};
static const char *const outers[] = {"tresca", "desaxce", "convex", "frictionless"};
static const char *const cones[] = {"adapted", "facets", "box"};

static struct dls_qp_options options(const char *form, const char *outer,
                                     const char *cone, const char *facets)
{
    struct dls_qp_options o;
    const struct dls_option *table = dls_formulation_qp.options;
    dls_option_defaults(table, &o);
    assert_int_equal(dls_option_set(table, &o, "form", form, "qp", NULL), DLS_OK);
    assert_int_equal(dls_option_set(table, &o, "outer", outer, "qp", NULL), DLS_OK);
    assert_int_equal(dls_option_set(table, &o, "cone", cone, "qp", NULL), DLS_OK);
    assert_int_equal(dls_option_set(table, &o, "facets", facets, "qp", NULL), DLS_OK);
    return o;
}

// --- polygons -------------------------------------------------------------------------

// p = P_K(y) if and only if (y - p).(c - p) <= 0 for all c in K; the rays through the
// vertices, the apex and 2 p generate what is needed.
static void polygon_projects(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    for (int trial = 0; trial < 2000; trial++) {
        int sides = 4 + 2 * dls_rng_below(&g, 7);
        struct dls_polygon P = dls_polygon_make(2, sides, dls_rng_range(&g, 0.5, 1));
        double angle = dls_rng_range(&g, -4, 4), mu = dls_rng_range(&g, 0.05, 1.5);
        double e[2] = {cos(angle), sin(angle)}, y[3], p[3];
        for (int i = 0; i < 3; i++) y[i] = dls_rng_normal(&g);
        dls_polygon_project(&P, e, mu, y, p);
        double along = 0;
        for (int i = 0; i < 3; i++) along += (y[i] - p[i]) * p[i];
        assert_close(along, 0, 1e-13);
        for (int k = 0; k < sides; k++) {
            double n[2], v[2];
            dls_polygon_turn(e, P.normal[k], n);
            dls_polygon_turn(e, P.vertex[k], v);
            assert_true(n[0] * p[1] + n[1] * p[2] <= mu * P.apothem * p[0] + 1e-13);
            double polar =
                y[0] - p[0] + mu * (v[0] * (y[1] - p[1]) + v[1] * (y[2] - p[2]));
            assert_true(polar <= 1e-13);
        }
    }
}

static void polygon_splits_and_supports(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(2);
    for (int trial = 0; trial < 500; trial++) {
        int tangents = 1 + trial % 2;
        const struct dls_polygon P = dls_polygon_make(tangents, 8, 0.9);
        double angle = tangents == 2 ? dls_rng_range(&g, -4, 4) : 0;
        double e[2] = {cos(angle), sin(angle)}, ab[2], best = -1;
        double y[2] = {dls_rng_normal(&g), tangents == 2 ? dls_rng_normal(&g) : 0};
        int i = dls_polygon_split(&P, e, P.vertex, y, ab);
        double one[2], two[2];
        dls_polygon_turn(e, P.vertex[i], one);
        dls_polygon_turn(e, P.vertex[(i + 1) % P.sides], two);
        assert_true(ab[0] >= 0 && ab[1] >= 0);
        for (int c = 0; c < 2; c++)
            assert_close(ab[0] * one[c] + ab[1] * two[c], y[c], 1e-13);
        for (int k = 0; k < P.sides; k++) {
            dls_polygon_turn(e, P.vertex[k], one);
            best = fmax(best, one[0] * y[0] + one[1] * y[1]);
        }
        assert_close(dls_polygon_support(&P, e, y), best, 1e-14);
    }
}

// --- programs -------------------------------------------------------------------------

struct program {
    struct dls_arena a;
    struct dls_problem p;
    double *r, *u, *z;
    void *form;
    struct dls_qp_frozen frozen;
};

// False where the problem has no such program.
static bool make(struct program *it, const struct zoo_animal *animal,
                 const struct dls_qp_options *o)
{
    struct dls_error err;
    *it = (struct program){0};
    animal->make(&it->p, &it->r, &it->u, &it->a);
    enum dls_status status =
        dls_formulation_qp.build(&it->form, &it->p, o, &it->a, &err);
    if (status == DLS_UNSUPPORTED) return dls_arena_free(&it->a), false;
    assert_int_equal(status, DLS_OK);
    it->z = DLS_NEW(&it->a, double, dls_formulation_qp.size(it->form));
    assert_true(dls_qp_frozen_create(&it->frozen, it->form, &it->a));
    return true;
}

static void discard(struct program *it)
{
    dls_formulation_qp.destroy(it->form);
    dls_arena_free(&it->a);
}

// Largest violation of the conditions of optimality, all written out from P, A and z:
// stationarity, feasibility, signs of the multipliers, complementarity.
static double kkt(struct program *it)
{
    const struct dls_qp *f = it->form;
    const double *x = it->z, *y = it->z + f->x_size;
    double *grad = DLS_NEW(&it->a, double, f->x_size), worst = 0;
    struct dls_csr P = *f->P, A = *f->A;
    P.x = it->frozen.P;
    A.x = it->frozen.A;
    memcpy(grad, it->frozen.c, (size_t)f->x_size * sizeof *grad);
    dls_csr_add(&P, 1, x, grad);
    dls_csr_add_transposed(&A, 1, y, grad);
    for (int i = 0; i < f->x_size; i++) worst = fmax(worst, fabs(grad[i]));
    for (int i = 0; i < f->y_size; i++) {
        double Ax = 0, l = it->frozen.l[i], h = it->frozen.h[i];
        for (int k = A.p[i]; k < A.p[i + 1]; k++) Ax += A.x[k] * x[A.j[k]];
        worst = fmax(worst, fmax(l - Ax, Ax - h));
        if (y[i] > 0) worst = fmax(worst, fmin(y[i], h - Ax));
        if (y[i] < 0) worst = fmax(worst, fmin(-y[i], Ax - l));
    }
    return worst;
}

// At a solution of Coulomb's problem the program frozen there is solved by it, whatever
// the form, the outer loop and (in 3D) the square that touches the disk.
static void coulomb_answers_solve_their_programs(void **state)
{
    (void)state;
    int programs = 0;
    for (const struct zoo_animal *z = zoo; z->name; z++)
        for (int form = 0; form < 2; form++)
            for (int outer = 0; outer < 2; outer++) {
                struct dls_qp_options o =
                    options(forms[form], outers[outer], "adapted", "8");
                struct program it;
                if (!make(&it, z, &o)) continue;
                dls_formulation_qp.start(it.form, it.r, it.z);
                dls_qp_freeze(it.form, it.z, &it.frozen);
                double violation = kkt(&it);
                // Numbers of order one, sums over a few dozen entries.
                if (!(violation < 1e-12))
                    fail_msg("%s %s %s: %g", z->name, forms[form], outers[outer],
                             violation);
                assert_null(dls_formulation_qp.relaxes(it.form));
                discard(&it);
                programs++;
            }
    assert_true(programs >= 20); // local ones in the dual form, global ones in both
}

// Without an optimum the violation is seen: the same test must be able to fail.
static void violations_are_seen(void **state)
{
    (void)state;
    struct dls_qp_options o = options("dual", "desaxce", "adapted", "8");
    struct program it;
    assert_true(make(&it, zoo, &o));
    for (int i = 0; i < it.p.m; i++) it.r[i] *= 1.5;
    dls_formulation_qp.start(it.form, it.r, it.z);
    dls_qp_freeze(it.form, it.z, &it.frozen);
    assert_true(kkt(&it) > 1e-3);
    discard(&it);
}

// lift(start(r)) = r for r in the cone of every formulation, here well inside it; primal
// multipliers give r back through the vertices.
static void start_and_lift_agree(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(3);
    for (const struct zoo_animal *z = zoo; z->name; z++)
        for (int k = 0; k < 2 * 3 * 3; k++) {
            struct dls_qp_options o =
                options(forms[k % 2], outers[k / 2 % 3], cones[k / 6], "6");
            struct program it;
            if (!make(&it, z, &o)) continue;
            int d = it.p.d;
            for (int i = 0; i < it.p.m; i++) {
                double mu = it.p.mu[i / d];
                it.r[i] = i % d ? dls_rng_range(&g, -0.5, 0.5) * mu : 1;
            }
            double *back = DLS_NEW(&it.a, double, it.p.m);
            dls_formulation_qp.start(it.form, it.r, it.z);
            dls_formulation_qp.lift(it.form, it.z, back);
            for (int i = 0; i < it.p.m; i++) assert_close(back[i], it.r[i], 1e-13);
            discard(&it);
        }
}

// Where nothing is relaxed the own residual is the judge's natural one.
static void own_residual_is_the_judges(void **state)
{
    (void)state;
    for (const struct zoo_animal *z = zoo; z->name; z++)
        for (int form = 0; form < 2; form++) {
            struct dls_qp_options o = options(forms[form], "tresca", "adapted", "8");
            struct program it;
            if (!make(&it, z, &o)) continue;
            struct dls_judge *judge = NULL;
            struct dls_measures m;
            for (int i = 0; i < it.p.m; i++) it.r[i] *= 1.25;
            dls_formulation_qp.start(it.form, it.r, it.z);
            dls_formulation_qp.lift(it.form, it.z, it.r);
            assert_int_equal(dls_judge_create(&judge, &it.p, &it.a, NULL), DLS_OK);
            dls_judge_measure(judge, it.r, &m);
            assert_close(dls_formulation_qp.residual(it.form, it.z), m.natural, 1e-13);
            dls_judge_destroy(judge);
            discard(&it);
        }
}

// Units of mass and time changed by powers of two: the same program to the last bit.
static void units_do_not_matter(void **state)
{
    (void)state;
    struct dls_qp_options o = options("dual", "tresca", "adapted", "8");
    struct program one, two;
    assert_true(make(&one, zoo, &o));
    assert_true(make(&two, zoo, &o));
    for (int k = 0; k < dls_csr_count(two.p.W); k++) two.p.W->x[k] *= 0x1p-20;
    for (int i = 0; i < two.p.m; i++) two.p.q[i] *= 0x1p7;
    dls_formulation_qp.destroy(two.form);
    assert_int_equal(dls_formulation_qp.build(&two.form, &two.p, &o, &two.a, NULL),
                     DLS_OK);
    const struct dls_qp *f = one.form, *g = two.form;
    assert_memory_equal(f->P->x, g->P->x,
                        (size_t)dls_csr_count(f->P) * sizeof *f->P->x);
    memset(one.r, 0, (size_t)one.p.m * sizeof *one.r);
    dls_formulation_qp.start(f, one.r, one.z);
    dls_formulation_qp.start(g, one.r, two.z);
    dls_qp_freeze(f, one.z, &one.frozen);
    dls_qp_freeze(g, two.z, &two.frozen);
    assert_memory_equal(one.frozen.c, two.frozen.c,
                        (size_t)f->x_size * sizeof *one.frozen.c);
    discard(&one);
    discard(&two);
}

static const struct zoo_animal *animal(const char *name)
{
    const struct zoo_animal *z = zoo;
    while (strcmp(z->name, name)) z++;
    return z;
}

static void relaxations_are_labelled(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *outer, *cone, *label;
    } cases[] = {
        {"mixed-3d", "tresca", "facets", "6 facets"},
        {"mixed-3d", "desaxce", "box", "box"},
        {"mixed-3d", "convex", "adapted", "no shift"},
        {"mixed-3d", "convex", "facets", "6 facets, no shift"},
        {"mixed-3d", "convex", "box", "box, no shift"},
        {"mixed-3d", "frictionless", "facets", "no friction"},
        {"mixed-2d", "tresca", "facets", NULL}, // a segment has no facets
        {"mixed-2d", "convex", "box", "no shift"},
        {"frictionless-3d", "convex", "facets", NULL}, // mu = 0: nothing to relax
        {"lcp", "frictionless", "adapted", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct dls_qp_options o = options("dual", cases[k].outer, cases[k].cone, "6");
        struct program it;
        assert_true(make(&it, animal(cases[k].problem), &o));
        const char *label = dls_formulation_qp.relaxes(it.form);
        if (cases[k].label)
            assert_string_equal(label, cases[k].label);
        else
            assert_null(label);
        discard(&it);
    }
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err;
    double *r, *u;
    void *form = NULL;
    animal("mixed-3d")->make(&p, &r, &u, &a);
    struct dls_qp_options odd = options("dual", "tresca", "facets", "7");
    assert_int_equal(dls_formulation_qp.build(&form, &p, &odd, &a, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "7"));
    struct dls_qp_options primal = options("primal", "tresca", "facets", "8");
    assert_int_equal(dls_formulation_qp.build(&form, &p, &primal, &a, &err),
                     DLS_UNSUPPORTED);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygon_projects),
        cmocka_unit_test(polygon_splits_and_supports),
        cmocka_unit_test(coulomb_answers_solve_their_programs),
        cmocka_unit_test(violations_are_seen),
        cmocka_unit_test(start_and_lift_agree),
        cmocka_unit_test(own_residual_is_the_judges),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(relaxations_are_labelled),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
