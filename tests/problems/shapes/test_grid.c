// SPDX-License-Identifier: Apache-2.0
// The cell grid against all pairs, and contacts of whole scenes: order, identities,
// repetition, exhausted memory.
#include "problems/mechanics/rigid.h"
#include "problems/shapes/grid.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

// Sizes over `decades`, in a box that leaves some contacts for each.
static void random_bounds(struct dls_bound *item, int count, int dim, double decades,
                          struct dls_rng *g)
{
    double edge = 2 * pow(count, 1.0 / dim);
    for (int k = 0; k < count; k++) {
        item[k].at = (dls_vec3){
            dls_rng_range(g, -edge, edge),
            dls_rng_range(g, -edge, edge),
            dim == 3 ? dls_rng_range(g, -edge, edge) : 0,
        };
        item[k].radius = pow(10, -decades * dls_rng_real(g));
    }
}

// The first `movable` items against all.
static void assert_pairs(const struct dls_bound *item, int count, int movable, int dim,
                         double reach)
{
    struct dls_arena a = {0};
    struct dls_nears near;
    dls_grid_pairs(&near, dim, count, movable, item, reach, &a);
    int at = 0;
    for (int i = 0; i < movable; i++)
        for (int j = i + 1; j < count; j++) {
            dls_vec3 across = dls_vec3_sub(item[i].at, item[j].at);
            double far = item[i].radius + item[j].radius + reach;
            if (!(dls_vec3_dot(across, across) <= far * far)) continue;
            assert_true(at < near.count);
            assert_int_equal(near.all[at].i, i);
            assert_int_equal(near.all[at++].j, j);
        }
    assert_int_equal(at, near.count);
    dls_arena_free(&a);
}

static void assert_all_pairs(const struct dls_bound *item, int count, int dim,
                             double reach)
{
    assert_pairs(item, count, count, dim, reach);
    assert_pairs(item, count, count / 3, dim, reach);
}

static void test_all_pairs(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    struct dls_bound item[300];
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 12; k++) { // one size; sizes over a factor 10 and 10000
            int count = k ? 300 : 1;
            random_bounds(item, count, dim, k % 3 == 1 ? 1 : k % 3 == 2 ? 4 : 0, &g);
            assert_all_pairs(item, count, dim, k < 6 ? 0 : 0.3);
        }
    assert_all_pairs(item, 0, 3, 0.1);
}

static void test_odd_places(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(2);
    struct dls_bound item[100];
    random_bounds(item, 100, 3, 1, &g);
    for (int k = 0; k < 10; k++) item[k] = item[10]; // all in one place
    for (int k = 20; k < 30; k++) item[k].radius = 0;
    for (int k = 30; k < 40; k++) item[k].at.x = -item[k].radius; // on cell borders
    item[50].at.x = INFINITY;
    item[51].at.y = NAN;
    item[52].at.z = -1e300;
    item[53].at.x = 1e12, item[54] = item[53]; // far away, side by side
    assert_all_pairs(item, 100, 3, 0.01);
}

// --- scenes ---------------------------------------------------------------------------

// Bodies of all kinds thrown into a box with a floor, a wall or drum, and paved ground.
static struct dls_rigid *heap(int dim, int bodies, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(3);
    struct dls_rigid *r = dls_rigid_new(dim, bodies, 22, false, a);
    double edge = 0.6 * pow(bodies, 1.0 / dim);
    assert_non_null(r);
    for (int k = 0; k < bodies; k++) {
        struct dls_body b = {.mass = 1};
        b.at =
            (dls_vec3){dls_rng_range(&g, -edge, edge), dls_rng_range(&g, 0, 2 * edge),
                       dim == 3 ? dls_rng_range(&g, -edge, edge) : 0};
        struct dls_shape s = dls_shape_ball(0.5);
        if (k % 3 == 1) s = dls_shape_box((dls_vec3){1, 0.6, dim == 3 ? 0.8 : 0});
        if (k % 3 == 2 && dim == 3) s = dls_shape_cylinder(0.4, 0.9);
        r->angle[dls_rigid_body(r, b, s)] = dls_rng_range(&g, -3, 3);
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    if (dim == 2)
        dls_rigid_obstacle(r, (struct dls_obstacle){.kind = DLS_OBSTACLE_WALL,
                                                    .point = {-edge, 0, 0},
                                                    .end = {edge, edge, 0}});
    for (int k = 0; k < 20; k++)
        dls_rigid_obstacle(r, (struct dls_obstacle){
                                  .kind = DLS_OBSTACLE_SHAPE,
                                  .shape = dls_shape_ball(0.3),
                                  .pose = {{dls_rng_range(&g, -edge, edge), 0.1, 0},
                                           {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                              });
    return r;
}

struct found {
    struct dls_arena arena;
    struct dls_contacts c;
};

static struct found find(const struct dls_rigid *r, const double *q, double reach)
{
    struct found f = {0};
    assert_true(dls_system_contacts(&r->system, 0, q, reach, &f.c, &f.arena));
    f.c.arena = f.c.H.arena = NULL;
    return f;
}

static double *initial(const struct dls_rigid *r, struct dls_arena *a)
{
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    struct dls_rng g = dls_rng_seed(5);
    dls_rigid_state(r, q, v);
    for (int k = 0; r->dim == 3 && k < r->bodies; k++) { // turned every way
        double *e = q + 7 * k + 3, sum = 0;
        for (int i = 0; i < 4; i++) e[i] = dls_rng_normal(&g), sum += e[i] * e[i];
        for (int i = 0; i < 4; i++) e[i] /= sqrt(sum);
    }
    return q;
}

// The contacts of a heap: those of each two bodies alone, in the order of the bodies.
static void test_heap(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        int bodies = 60, at = 0;
        struct dls_rigid *r = heap(dim, bodies, &a);
        double *q = initial(r, &a);
        struct found all = find(r, q, 0.05);
        assert_true(all.c.count > bodies);
        for (int i = 0; i < bodies; i++) {
            while (at < all.c.count && all.c.all[at].body == i
                   && all.c.all[at].other < 0)
                at++;
            for (int j = i + 1; j < bodies; j++) {
                struct dls_meeting m[DLS_MEETINGS];
                struct dls_placed p = {&r->shape[i], dls_rigid_pose(r, q, i)};
                struct dls_placed o = {&r->shape[j], dls_rigid_pose(r, q, j)};
                int count = dls_detect_pair(&p, &o, dim, 0.05, m);
                for (int k = 0; k < count; k++, at++) {
                    assert_int_equal(all.c.all[at].body, i);
                    assert_int_equal(all.c.all[at].other, j);
                    assert_close(all.c.all[at].gap, m[k].gap, 0);
                }
            }
            while (at < all.c.count && all.c.all[at].body == i) // paved ground
                assert_int_equal(all.c.all[at++].other, -1);
        }
        assert_int_equal(at, all.c.count);
        struct found again = find(r, q, 0.05); // bit for bit
        assert_int_equal(again.c.count, all.c.count);
        struct dls_csr *H = dls_contacts_rows(&all.c, &r->system, &a);
        struct dls_csr *same = dls_contacts_rows(&again.c, &r->system, &a);
        assert_int_equal(dls_csr_count(H), dls_csr_count(same));
        assert_memory_equal(H->x, same->x, (size_t)dls_csr_count(H) * sizeof *H->x);
        dls_arena_free(&all.arena), dls_arena_free(&again.arena), dls_arena_free(&a);
    }
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t *sorted_ids(const struct found *f, struct dls_arena *a)
{
    uint64_t *id = DLS_NEW(a, uint64_t, f->c.count);
    for (int k = 0; k < f->c.count; k++) id[k] = f->c.all[k].id;
    qsort(id, (size_t)f->c.count, sizeof *id, compare_ids);
    return id;
}

// Identities are told apart within a step, and nearly all last over a small motion: few
// contacts of a heap are within 1e-6 of appearing, vanishing or changing their feature.
static void test_identities(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_rng g = dls_rng_seed(4);
        struct dls_rigid *r = heap(dim, 200, &a);
        double *q = initial(r, &a), *v = DLS_NEW(&a, double, r->system.n);
        for (int i = 0; i < r->system.n; i++) v[i] = dls_rng_normal(&g);
        struct found before = find(r, q, 0.02);
        dls_system_move(&r->system, 1e-6, v, q);
        struct found after = find(r, q, 0.02);
        uint64_t *old = sorted_ids(&before, &a), *new = sorted_ids(&after, &a);
        int kept = 0;
        for (int k = 0; k < after.c.count; k++) {
            if (k) assert_true(new[k] != new[k - 1]);
            kept += !!bsearch(&new[k], old, (size_t)before.c.count, sizeof *old,
                              compare_ids);
        }
        assert_true(kept >= 0.99 * before.c.count && kept >= 0.99 * after.c.count);
        dls_arena_free(&before.arena), dls_arena_free(&after.arena), dls_arena_free(&a);
    }
}

// Normals of grounds and walls off by rounding: the rows of H move as little.
static void test_steady_frames(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(6);
    struct dls_arena a = {0};
    struct dls_rigid *r = dls_rigid_new(3, 1, 1, false, &a);
    dls_rigid_body(r, (struct dls_body){.mass = 1}, dls_shape_ball(1));
    int ground = dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    double *q = initial(r, &a), half = sqrt(0.5);
    dls_vec3 walls[] = {{0, 0, 1},  {0, 0, -1},      {1, 0, 0},
                        {0, -1, 0}, {half, 0, half}, {half, half, 0}};
    for (int k = 0; k < 6; k++) {
        double first[18] = {0};
        for (int turn = 0; turn < 20; turn++) {
            dls_vec3 n = walls[k];
            n.x += turn ? 1e-12 * dls_rng_normal(&g) : 0;
            n.y += turn ? 1e-12 * dls_rng_normal(&g) : 0;
            n.z += turn ? 1e-12 * dls_rng_normal(&g) : 0;
            r->obstacle[ground].n = n;
            struct found f = find(r, q, 0);
            double H[18] = {0};
            struct dls_csr *rows = dls_contacts_rows(&f.c, &r->system, &f.arena);
            for (int i = 0; i < 3; i++)
                for (int e = rows->p[i]; e < rows->p[i + 1]; e++)
                    H[i * 6 + rows->j[e]] = rows->x[e];
            for (int i = 0; i < 18; i++)
                if (turn) assert_close(H[i], first[i], 1e-10);
            if (!turn) memcpy(first, H, sizeof H);
            dls_arena_free(&f.arena);
        }
    }
    dls_arena_free(&a);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (long fail = 1, failed = 1; failed; fail++) {
        struct dls_arena a = {0};
        struct dls_rigid *r = heap(2, 30, &a);
        double *q = initial(r, &a);
        struct dls_contacts c;
        a.fail_at = a.count + fail;
        failed = !dls_system_contacts(&r->system, 0, q, 0, &c, &a);
        assert_true(failed || fail > 10); // the grid alone takes more than that
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs), cmocka_unit_test(test_odd_places),
        cmocka_unit_test(test_heap),      cmocka_unit_test(test_identities),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_steady_frames),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
