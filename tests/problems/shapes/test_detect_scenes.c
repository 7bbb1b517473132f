// SPDX-License-Identifier: Apache-2.0
// What detection must obey whatever the shapes: the gap is the largest over all normals,
// exchange and motion of the whole scene change nothing, d gap/dt = H_N v, the grid finds
// what all pairs find, identities last.
#include "problems/mechanics/rigid.h"
#include "problems/shapes/ccd.h"
#include "problems/shapes/grid.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

enum { SHAPES_2D = 4, SHAPES_3D = 5 };

struct zoo {
    struct dls_arena arena;
    struct dls_shape flat[SHAPES_2D], solid[SHAPES_3D];
};

static int zoo_make(void **state)
{
    struct zoo *z = test_calloc(1, sizeof *z);
    dls_vec3 *five = DLS_NEW(&z->arena, dls_vec3, 5);
    dls_vec3 *twelve = DLS_NEW(&z->arena, dls_vec3, 12);
    double golden = 0.5 + sqrt(1.25);
    for (int k = 0; k < 5; k++)
        five[k] = (dls_vec3){cos(1.2566 * k), 0.8 * sin(1.2566 * k), 0};
    for (int k = 0; k < 12; k++) { // icosahedron
        double s = k & 1 ? 0.5 : -0.5, t = k & 2 ? 0.5 * golden : -0.5 * golden;
        double x[3] = {0, s, t};
        twelve[k] = (dls_vec3){x[k / 4], x[(k / 4 + 1) % 3], x[(k / 4 + 2) % 3]};
    }
    z->flat[0] = dls_shape_ball(0.8);
    z->flat[1] = dls_shape_box((dls_vec3){2, 0.7, 0});
    assert_int_equal(dls_shape_polygon(&z->flat[2], 5, five, NULL), DLS_OK);
    z->flat[3] = dls_shape_rod((dls_vec3){0.6, 0.8, 0});
    z->solid[0] = dls_shape_ball(0.8);
    z->solid[1] = dls_shape_box((dls_vec3){1, 1.5, 0.6});
    z->solid[2] = dls_shape_cylinder(0.7, 1);
    assert_int_equal(dls_shape_hull(&z->solid[3], 12, twelve, &z->arena, NULL), DLS_OK);
    assert_int_equal(z->solid[3].hull->faces, 20);
    z->solid[4] = dls_shape_box((dls_vec3){0.2, 0.4, 2});
    *state = z;
    return 0;
}

static int zoo_free(void **state)
{
    struct zoo *z = *state;
    dls_arena_free(&z->arena);
    test_free(z);
    return 0;
}

static dls_vec3 random_direction(int dim, struct dls_rng *g)
{
    dls_vec3 a = {dls_rng_normal(g), dls_rng_normal(g),
                  dim == 3 ? dls_rng_normal(g) : 0};
    return dls_vec3_scale(1 / dls_vec3_norm(a), a);
}

static struct dls_pose random_pose(int dim, dls_vec3 at, struct dls_rng *g)
{
    struct dls_pose p = {.at = at};
    p.axis[2] = dim == 3 ? random_direction(3, g) : (dls_vec3){0, 0, 1};
    dls_vec3 x = dls_vec3_cross(p.axis[2], random_direction(dim, g));
    p.axis[0] = dls_vec3_scale(1 / dls_vec3_norm(x), x);
    p.axis[1] = dls_vec3_cross(p.axis[2], p.axis[0]);
    return p;
}

static double random_gap(const struct dls_placed *a, const struct dls_placed *b,
                         int dim, struct dls_rng *g)
{
    double best = -INFINITY;
    for (int k = 0; k < 200; k++)
        best = fmax(best, dls_support_gap(a, b, random_direction(dim, g)));
    return best;
}

static int deepest(int count, const struct dls_meeting *m)
{
    int at = 0;
    for (int k = 1; k < count; k++)
        if (m[k].gap < m[at].gap) at = k;
    return at;
}

// A random pair of the zoo, near or overlapping.
struct encounter {
    int dim;
    struct dls_placed a, b;
};

static struct encounter encounter(const struct zoo *z, int k, struct dls_rng *g)
{
    int dim = 2 + k % 2, i = k / 2 % 5, j = k / 10 % 5;
    const struct dls_shape *all = dim == 2 ? z->flat : z->solid;
    if (dim == 2) i %= SHAPES_2D, j %= SHAPES_2D;
    const struct dls_shape *s = &all[i], *t = &all[j];
    double away = dls_rng_range(g, 0.5, 1) * (s->bound + t->bound);
    dls_vec3 at = dls_vec3_scale(away, random_direction(dim, g));
    return (struct encounter){dim,
                              {s, random_pose(dim, at, g)},
                              {t, random_pose(dim, (dls_vec3){0, 0, 0}, g)}};
}

// gap(n) of the normal found is the largest over all directions. Faces are preferred to
// edge axes within 2 degrees, which costs at most sin(2 deg) of the size, seldom.
static void test_gap_is_largest(void **state)
{
    struct dls_rng g = dls_rng_seed(1);
    struct dls_meeting m[DLS_MEETINGS];
    int leaning = 0, apart = 0, overlapping = 0, scenes = 1500;
    for (int k = 0; k < scenes; k++) {
        struct encounter e = encounter(*state, k, &g);
        double size = e.a.shape->bound + e.b.shape->bound;
        int count = dls_detect_pair(&e.a, &e.b, e.dim, 5, m);
        assert_true(count > 0);
        double best = random_gap(&e.a, &e.b, e.dim, &g);
        const struct dls_meeting *low = &m[deepest(count, m)];
        double gap = dls_support_gap(&e.a, &e.b, low->n);
        assert_true(gap >= best - 0.035 * size);
        leaning += gap < best - 1e-9;
        apart += gap > 0;
        overlapping += gap < 0;
        // Apart, the deepest point has this gap; overlapping it is no deeper.
        assert_true(low->gap >= gap - 1e-9);
        if (gap > 0) assert_close(low->gap, gap, 0.035 * gap + 1e-9);
    }
    assert_true(apart > scenes / 4 && overlapping > scenes / 4);
    assert_true(leaning <= scenes / 100);
}

// libccd as a witness: it never finds a larger gap (beyond that lean), and mostly the
// same to 1e-2 of the size; its polytopes stop early now and then.
static void test_libccd_agrees(void **state)
{
    struct zoo *z = *state;
    struct dls_rng g = dls_rng_seed(2);
    struct dls_meeting m[DLS_MEETINGS];
    int agree = 0, tried = 0;
    for (int k = 0; k < 400; k++) {
        struct encounter e = encounter(z, 2 * k + 1, &g);
        if (e.a.shape->kind != DLS_SHAPE_HULL || e.b.shape->kind != DLS_SHAPE_HULL)
            continue;
        dls_vec3 n;
        assert_true(dls_detect_pair(&e.a, &e.b, 3, 5, m) > 0);
        double ours = dls_support_gap(&e.a, &e.b, m[0].n);
        double size = e.a.shape->bound + e.b.shape->bound;
        tried++;
        if (!dls_ccd_normal(&e.a, &e.b, 0, 5, &n)) continue;
        double theirs = dls_support_gap(&e.a, &e.b, n);
        assert_true(theirs <= ours + 0.035 * size);
        agree += theirs >= ours - 0.01 * size;
    }
    assert_true(tried > 100 && agree >= 0.9 * tried);
}

// Exchange: n turns around, the rest stays. Where two faces are parallel the reference
// may change, but random poses have none.
static void test_exchange(void **state)
{
    struct dls_rng g = dls_rng_seed(3);
    struct dls_meeting m[DLS_MEETINGS], s[DLS_MEETINGS];
    for (int k = 0; k < 1000; k++) {
        struct encounter e = encounter(*state, k, &g);
        int count = dls_detect_pair(&e.a, &e.b, e.dim, 0.1, m);
        assert_int_equal(dls_detect_pair(&e.b, &e.a, e.dim, 0.1, s), count);
        for (int i = 0; i < count; i++) {
            int twin = 0;
            double best = INFINITY;
            for (int j = 0; j < count; j++) {
                double d = dls_vec3_norm(dls_vec3_sub(m[i].point, s[j].point));
                if (d < best) best = d, twin = j;
            }
            // 1e-6: golden section finds n of a rim on an edge to 1e-8.
            assert_close(best, 0, 1e-6);
            assert_close(s[twin].gap, m[i].gap, 1e-6);
            assert_close(dls_vec3_norm(dls_vec3_add(s[twin].n, m[i].n)), 0, 1e-6);
        }
    }
}

// A box whose faces, edges and corners are those of a box but which is not known as one.
struct anonymous {
    struct dls_hull hull;
    dls_vec3 corner[8];
    struct dls_shape shape;
};
static void hide_box(struct anonymous *to, struct dls_shape box)
{
    to->hull = dls_hull_box;
    for (int k = 0; k < 8; k++) to->corner[k] = dls_shape_corner(&box, k);
    to->shape = box;
    to->shape.hull = &to->hull;
    to->shape.corner = to->corner;
}

// Boxes have estimates that leave few axes to be looked at: what is found is what all
// axes give. Poses are random, or aligned up to a tilt as in stacks. Normals of unknown
// boxes are cross products of edges: 1e-9 allows for their rounding beside tiny tilts.
static void test_boxes_as_polyhedra(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(6);
    struct dls_meeting m[DLS_MEETINGS], s[DLS_MEETINGS];
    const double tilts[] = {0, 1e-12, 1e-8, 1e-6, 1e-3, 0.1};
    int touching = 0, apart = 0;
    for (int k = 0; k < 6000; k++) {
        struct dls_shape box[2];
        struct dls_pose pose[2];
        struct anonymous hidden[2];
        for (int i = 0; i < 2; i++) {
            box[i] = dls_shape_box((dls_vec3){dls_rng_range(&g, 0.3, 1),
                                              dls_rng_range(&g, 0.3, 1),
                                              dls_rng_range(&g, 0.3, 1)});
            pose[i] = random_pose(3, (dls_vec3){0, 0, 0}, &g);
            hide_box(&hidden[i], box[i]);
        }
        double reach = k % 3 ? 1e-10 : 0.05, near = box[0].bound + box[1].bound;
        dls_vec3 away = random_direction(3, &g);
        if (k & 1) { // one on the other, turned by a little
            double tilt = tilts[k / 2 % 6];
            pose[1] = pose[0];
            for (int i = 0; i < 3; i++) {
                dls_vec3 by =
                    dls_vec3_scale(tilt, dls_vec3_cross(away, pose[0].axis[i]));
                pose[1].axis[i] = dls_vec3_add(pose[1].axis[i], by);
            }
            dls_vec3 x = pose[1].axis[0], y = pose[1].axis[1];
            x = dls_vec3_scale(1 / dls_vec3_norm(x), x);
            y = dls_vec3_sub(y, dls_vec3_scale(dls_vec3_dot(x, y), x));
            y = dls_vec3_scale(1 / dls_vec3_norm(y), y);
            pose[1].axis[0] = x, pose[1].axis[1] = y;
            pose[1].axis[2] = dls_vec3_cross(x, y);
            double up = 0.998 * (box[0].half.z + box[1].half.z);
            pose[1].at = dls_vec3_add(dls_vec3_scale(up, pose[0].axis[2]),
                                      dls_vec3_scale(0.1, pose[0].axis[0]));
        } else
            pose[1].at = dls_vec3_scale(dls_rng_range(&g, 0.2, 0.9) * near, away);
        struct dls_placed a = {&box[0], pose[0]}, b = {&box[1], pose[1]};
        struct dls_placed c = {&hidden[0].shape, pose[0]};
        struct dls_placed d = {&hidden[1].shape, pose[1]};
        int count = dls_detect_pair(&a, &b, 3, reach, m);
        assert_int_equal(dls_detect_pair(&c, &d, 3, reach, s), count);
        touching += count > 0;
        apart += !count;
        for (int i = 0; i < count; i++) {
            assert_int_equal(s[i].feature, m[i].feature);
            assert_close(s[i].gap, m[i].gap, 1e-9);
            assert_close(dls_vec3_norm(dls_vec3_sub(s[i].point, m[i].point)), 0, 1e-9);
            assert_close(dls_vec3_norm(dls_vec3_sub(s[i].n, m[i].n)), 0, 1e-9);
        }
    }
    assert_true(touching > 3000 && apart > 500);
}

static dls_vec3 carry(const struct dls_pose *by, dls_vec3 a, bool direction)
{
    dls_vec3 to = dls_pose_place(by, a);
    return direction ? dls_vec3_sub(to, by->at) : to;
}

// The whole scene moved: points and normals move along, gaps and features stay.
static void test_moved_scene(void **state)
{
    struct dls_rng g = dls_rng_seed(4);
    struct dls_meeting m[DLS_MEETINGS], s[DLS_MEETINGS];
    for (int k = 0; k < 1000; k++) {
        struct encounter e = encounter(*state, k, &g), to = e;
        dls_vec3 shift = dls_vec3_scale(3, random_direction(e.dim, &g));
        struct dls_pose by = random_pose(e.dim, shift, &g),
                        *pose[] = {&to.a.pose, &to.b.pose};
        for (int i = 0; i < 2; i++) {
            pose[i]->at = carry(&by, pose[i]->at, false);
            for (int j = 0; j < 3; j++)
                pose[i]->axis[j] = carry(&by, pose[i]->axis[j], true);
        }
        int count = dls_detect_pair(&e.a, &e.b, e.dim, 0.1, m);
        assert_int_equal(dls_detect_pair(&to.a, &to.b, e.dim, 0.1, s), count);
        for (int i = 0; i < count; i++) {
            dls_vec3 point = carry(&by, m[i].point, false),
                     n = carry(&by, m[i].n, true);
            assert_int_equal(s[i].feature, m[i].feature);
            assert_close(s[i].gap, m[i].gap, 1e-6); // as above
            assert_close(dls_vec3_norm(dls_vec3_sub(s[i].point, point)), 0, 1e-6);
            assert_close(dls_vec3_norm(dls_vec3_sub(s[i].n, n)), 0, 1e-6);
        }
    }
}

// --- systems --------------------------------------------------------------------------

// The contact of least gap and the rate H_N v + w_N of it.
static double least_gap(const struct dls_rigid *r, double t, const double *q,
                        const double *v, double *rate)
{
    struct dls_arena a = {0};
    struct dls_contacts c;
    assert_true(dls_system_contacts(&r->system, t, q, 5, &c, &a));
    int low = -1;
    for (int k = 0; k < c.count; k++)
        if (low < 0 || c.all[k].gap < c.all[low].gap) low = k;
    double gap = low < 0 ? INFINITY : c.all[low].gap;
    *rate = low < 0 ? 0 : c.w_ob[low * c.d];
    struct dls_csr *H = dls_contacts_rows(&c, &r->system, &a);
    assert_non_null(H);
    for (int k = low < 0 ? 0 : H->p[low * c.d]; low >= 0 && k < H->p[low * c.d + 1];
         k++)
        *rate += H->x[k] * v[H->j[k]];
    dls_arena_free(&a);
    return gap;
}

// A shift that turns about z as well.
static void swing(double t, const void *data, struct dls_drive *d)
{
    (void)data;
    struct dls_rotation turn = {{0.2, -0.1, 0}, {0, 0, 1}, 0.7, 0.3, 2};
    dls_motion_rotation(t, &turn, d);
    d->to.at = dls_vec3_add(d->to.at, (dls_vec3){sin(t), 2 * sin(t), 0});
    d->velocity = (dls_vec3){cos(t), 2 * cos(t), 0};
}

static void quaternion(struct dls_rng *g, double *e)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) e[i] = dls_rng_normal(g), sum += e[i] * e[i];
    for (int i = 0; i < 4; i++) e[i] /= sqrt(sum);
}

// d gap/dt = H_N v + w_N for bodies that are apart and turn, in front of each other, of
// moving obstacles of all kinds. Central differences over 1e-5: 1e-10 times the third
// derivative, that grows like 1 / gap^2, and rounding 1e-11 / gap.
static void test_gap_rate(void **state)
{
    struct zoo *z = *state;
    struct dls_rng g = dls_rng_seed(5);
    int tried = 0;
    for (int k = 0; k < 600; k++) {
        struct dls_arena a = {0};
        struct encounter e = encounter(z, k, &g);
        struct dls_rigid *r = dls_rigid_new(e.dim, 2, 1, false, &a);
        dls_rigid_body(r, (struct dls_body){.mass = 1, .at = e.a.pose.at}, *e.a.shape);
        dls_rigid_body(r, (struct dls_body){.mass = 1}, *e.b.shape);
        if (k % 3 == 1) {
            r->bodies = 1;
            dls_rigid_plane(r, (struct dls_plane){.point = {0, -1, 0},
                                                  .n = {0.6, 0.8, 0},
                                                  .motion = swing});
        } else if (k % 3 == 2) {
            r->bodies = 1;
            dls_rigid_obstacle(r, (struct dls_obstacle){.kind = DLS_OBSTACLE_SHAPE,
                                                        .shape = *e.b.shape,
                                                        .pose = e.b.pose,
                                                        .motion = swing});
        }
        double q[14], v[12], at[14], eps = 1e-5, rate, none;
        dls_rigid_state(r, q, v);
        for (int i = 0; i < 2 && e.dim == 3; i++) quaternion(&g, q + 7 * i + 3);
        for (int i = 0; i < 2 && e.dim == 2; i++) q[3 * i + 2] = dls_rng_normal(&g);
        for (int i = 0; i < 12; i++) v[i] = dls_rng_normal(&g);
        double gap = least_gap(r, 0.1, q, v, &rate), side[2];
        for (int i = 0; i < 2; i++) {
            memcpy(at, q, sizeof q);
            dls_system_move(&r->system, i ? eps : -eps, v, at);
            side[i] = least_gap(r, 0.1 + (i ? eps : -eps), at, v, &none);
        }
        double second = (side[1] - 2 * gap + side[0]) / (eps * eps);
        if (gap > 0.05 && gap < 3 && fabs(second) < 1e3) { // else the feature changes
            assert_close((side[1] - side[0]) / (2 * eps), rate, 1e-5);
            tried++;
        }
        dls_arena_free(&a);
    }
    assert_true(tried > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap_is_largest),
        cmocka_unit_test(test_libccd_agrees),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_moved_scene),
        cmocka_unit_test(test_gap_rate),
        cmocka_unit_test(test_boxes_as_polyhedra),
    };
    return cmocka_run_group_tests_name("detect_scenes", tests, zoo_make, zoo_free);
}
