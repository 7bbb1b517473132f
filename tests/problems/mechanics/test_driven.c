// SPDX-License-Identifier: Apache-2.0
// Bodies that are driven, held, sprung and joined, against closed forms: a block on a
// shaken floor, a ball on a turntable, a wall under constant force, a spring, loads,
// pendulums on a pin, on a ball and on a slanted hinge, a slider, a weld.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

#include "tests/support/support.h"

static const double pi = 3.14159265358979323846;

// Runs a trial of rigid bodies with Moreau's scheme, which must succeed.
static void run(const struct dls_rigid *r, double h, double end,
                void (*each)(const struct dls_sim *, void *), void *data)
{
    struct dls_arena arena = {0};
    struct dls_error err = {""};
    struct dls_scene scene = {0};
    struct dls_asked asked = {.scale = 1, .setup = dls_setup_default("moreau", h)};
    assert_int_equal(dls_scene_rigid(&scene, r, &arena), DLS_OK);
    struct dls_trial trial = {&r->system, "moreau", scene.q, scene.v,
                              h,          end,      each,    data};
    enum dls_status status = dls_trial_run(&trial, &asked, &arena, &err);
    if (status) print_message("%s\n", err.text);
    assert_int_equal(status, DLS_OK);
    dls_arena_free(&arena);
}

// --- prescribed motions --------------------------------------------------------------

struct flight {
    double left; // when the contact was last closed
    double work; // of the floor
};

static void see_flight(const struct dls_sim *sim, void *data)
{
    struct flight *f = data;
    if (sim->last.problem.contacts && sim->last.r[0] > 0) f->left = sim->t;
    f->work = sim->ledger.obstacles;
}

// On a floor at z = -A cos wt a block leaves when z'' = -g: cos wt = -1/G, G = A w^2/g.
static void test_block_leaves_shaken_floor(void **state)
{
    (void)state;
    double amplitude = 1e-3, gravity = 9.81, ratio = 1.7, h = 4e-5;
    struct dls_oscillation shaken = {
        .omega = sqrt(ratio * gravity / amplitude),
        .cosine = {0, 0, -amplitude},
    };
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(3, 1, 5, false, &arena);
    dls_rigid_body(r, dls_body_sphere(1000, 0.01, (dls_vec3){0, 0, 0.01 - amplitude}),
                   dls_shape_ball(0.01));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    dls_rigid_obstacle(r, (struct dls_obstacle){.kind = DLS_OBSTACLE_CONTAINER,
                                                .n = {0, 0, 1},
                                                .radius = 0.05});
    dls_rigid_vessel(r, dls_motion_oscillation, &shaken);
    r->gravity.z = -gravity;
    double leaves = acos(-1 / ratio) / shaken.omega;
    struct flight flight = {0};
    run(r, h, 1.2 * leaves, see_flight, &flight);
    assert_close(flight.left, leaves, 2 * h); // the step in which it happens
    assert_true(flight.work > 0);
    dls_arena_free(&arena);
}

// A circle in the plane (x, y) is an oscillation with cosine and sine a quarter turn
// apart; velocities are derivatives of positions for all motions.
static void test_motions_and_their_velocities(void **state)
{
    (void)state;
    struct dls_oscillation circle = {3, {2, 0, 0}, {0, 2, 0}};
    struct dls_ramp ramp = {{1, -2, 3}, 0.2, 0.9};
    struct dls_rotation turn = {{1, 2, 3}, {0.6, 0, 0.8}, 0.4, 0.3, 5};
    struct {
        dls_motion *motion;
        const void *data;
    } all[] = {{dls_motion_oscillation, &circle},
               {dls_motion_ramp, &ramp},
               {dls_motion_rotation, &turn}};
    for (int k = 0; k < 3; k++) {
        double t = 0.47, eps = 1e-5;
        dls_vec3 x = {0.3, -0.7, 1.1};
        struct dls_drive now = dls_drive_at(all[k].motion, all[k].data, t);
        struct dls_drive before = dls_drive_at(all[k].motion, all[k].data, t - eps);
        struct dls_drive after = dls_drive_at(all[k].motion, all[k].data, t + eps);
        dls_vec3 moved =
            dls_vec3_sub(dls_drive_point(&after, x), dls_drive_point(&before, x));
        dls_vec3 v = dls_drive_velocity(&now, dls_drive_point(&now, x));
        dls_vec3 off = dls_vec3_sub(dls_vec3_scale(0.5 / eps, moved), v);
        assert_close(dls_vec3_norm(off), 0, 1e-8); // eps^2 times omega^3
    }
    struct dls_drive on = dls_drive_at(dls_motion_oscillation, &circle, 0.77);
    assert_close(dls_vec3_norm(on.to.at), 2, 1e-14);
    struct dls_drive rest = dls_drive_at(dls_motion_ramp, &ramp, 2);
    assert_close(rest.to.at.z, 3 * 0.7, 1e-14);
    assert_close(dls_vec3_norm(rest.velocity), 0, 0);
}

static void keep_state(const struct dls_sim *sim, void *data)
{
    double *to = data;
    for (int i = 0; i < sim->system->nq; i++) to[i] = sim->q[i];
}

// A solid ball that rolls on a turntable of rate W goes round a circle at 2/7 W.
static void test_ball_on_turntable(void **state)
{
    (void)state;
    double radius = 0.1, rate = 2, speed = 0.3, q[7];
    struct dls_rotation turn = {.axis = {0, 0, 1}, .rate = rate};
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(3, 1, 1, false, &arena);
    struct dls_body ball = dls_body_sphere(1000, radius, (dls_vec3){0, 0, radius});
    ball.v.x = speed;
    ball.spin.y = speed / radius; // rolls: the table is at rest in its centre
    dls_rigid_body(r, ball, dls_shape_ball(radius));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1},
                                          .motion = dls_motion_rotation,
                                          .data = &turn});
    r->gravity.z = -10;
    r->law.mu = 2;
    double round = 2.0 / 7 * rate, half = pi / round;
    run(r, half / 1000, half, keep_state, q);
    // Half a circle of diameter 2 v / (2/7 W), to the left of the start.
    assert_close(q[0], 0, 4e-3); // of order h
    assert_close(q[1], 2 * speed / round, 4e-3);
    dls_arena_free(&arena);
}

// --- walls under constant force ------------------------------------------------------

struct press {
    double force, speed, q[9];
};

static void see_press(const struct dls_sim *sim, void *data)
{
    struct press *p = data;
    const struct dls_step *s = &sim->last;
    p->force = 0;
    for (int k = 0; k < s->problem.contacts; k++)
        if (s->contact[k].obstacle == 1) p->force += s->r[k * s->problem.d] / sim->h;
    p->speed = fabs(sim->v[6]) + fabs(sim->v[7]) + fabs(sim->v[8]);
    keep_state(sim, p->q);
}

// Two disks between a fixed wall and one that is pushed: the force goes through, the
// wall comes to rest against them, and neither turns nor leaves its line though friction
// and gravity pull at it.
static void test_wall_under_constant_force(void **state)
{
    (void)state;
    double force = 7;
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(2, 3, 3, false, &arena);
    for (int k = 0; k < 2; k++)
        dls_rigid_body(r, dls_body_disk(1, 0.5, (dls_vec3){0.5 + k, 0.5, 0}),
                       dls_shape_ball(0.5));
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    int wall = dls_rigid_wall(
        r, (struct dls_plane){.point = {2.001, 0, 0}, .n = {-1, 0, 0}}, 3, force);
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    assert_int_equal(wall, 2);
    r->gravity.y = -10;
    r->law.mu = 0.3;
    struct press press = {0};
    run(r, 1e-3, 0.5, see_press, &press);
    assert_close(press.force, force, 1e-7);
    assert_close(press.speed, 0, 1e-9);
    assert_close(press.q[6], 2,
                 1e-3); // what one step at the speed of arrival goes too far
    assert_close(press.q[7], 0, 0);
    assert_close(press.q[8], 0, 0);
    dls_arena_free(&arena);
}

// --- springs and loads ---------------------------------------------------------------

struct energies {
    double q[14], least, most, t;
};

static void see_energy(const struct dls_sim *sim, void *data)
{
    struct energies *e = data;
    double total = sim->ledger.kinetic + sim->ledger.potential;
    e->least = sim->steps == 1 ? total : fmin(e->least, total);
    e->most = sim->steps == 1 ? total : fmax(e->most, total);
    e->t = sim->t;
    keep_state(sim, e->q);
}

// A mass on a spring: x = l_0 + x_0 cos(wt), energy k x_0^2 / 2; two masses swing with
// the reduced one about their centre, which stays.
static void test_springs(void **state)
{
    (void)state;
    double k = 50, m = 2, rest = 1, stretch = 0.1, h = 1e-3;
    for (int bodies = 1; bodies <= 2; bodies++) {
        struct dls_arena arena = {0};
        struct dls_rigid *r = dls_rigid_new(3, bodies, 0, false, &arena);
        dls_vec3 ends[] = {{rest + stretch, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < bodies; i++)
            dls_rigid_body(r, (struct dls_body){m, {1, 1, 1}, .at = ends[i]},
                           dls_shape_ball(0.1));
        dls_rigid_spring(r, (struct dls_spring){0, bodies == 2 ? 1 : -1, ends[0],
                                                ends[1], k, rest, 0});
        double omega = sqrt(k / (bodies == 2 ? 0.5 * m : m)), energy = 0.25;
        double end = 2.25 * pi / omega; // an eighth of a turn after the first
        struct energies e = {0};
        run(r, h, end, see_energy, &e);
        double length = e.q[0] - (bodies == 2 ? e.q[7] : 0);
        double exact = rest + stretch * cos(omega * e.t);
        assert_close(length, exact, stretch * omega * omega * h * h); // leap-frog
        assert_close(e.most, energy, energy * omega * h);
        assert_close(e.least, energy, energy * omega * h);
        if (bodies == 2) assert_close(e.q[0] + e.q[7], rest + stretch, 1e-12);
        dls_arena_free(&arena);
    }
}

// Ends off the centre: forces and moments are minus the gradient of the potential.
static void test_spring_force_is_gradient(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena arena = {0};
        struct dls_rigid *r = dls_rigid_new(dim, 2, 0, false, &arena);
        double at_z = dim == 3 ? 0.4 : 0, q[14], F[12], none[12] = {0}, eps = 1e-6;
        for (int i = 0; i < 2; i++) {
            dls_rigid_body(r, (struct dls_body){2, {1, 2, 3}, .at = {i, 0.2 * i, 0}},
                           dls_shape_ball(0.1));
            r->angle[i] = 0.3 + i;
        }
        dls_rigid_spring(
            r, (struct dls_spring){0, 1, {0.1, 0.3, at_z}, {0.7, -0.2, 0}, 5, 0.3, 0});
        dls_rigid_state(r, q, none);
        const struct dls_system *s = &r->system;
        s->force(s, 0, q, none, F);
        for (int i = 0; i < s->n; i++) {
            double v[12] = {0}, side[2];
            v[i] = 1;
            for (int k = 0; k < 2; k++) {
                double moved[14];
                for (int l = 0; l < s->nq; l++) moved[l] = q[l];
                dls_system_move(s, k ? eps : -eps, v, moved);
                side[k] = dls_system_potential(s, 0, moved);
            }
            assert_close(-(side[1] - side[0]) / (2 * eps), F[i], 1e-8);
        }
        dls_arena_free(&arena);
    }
}

static void pulse(const struct dls_rigid *r, double t, const double *q, const double *v,
                  double *F)
{
    (void)q;
    F[0] += 4 * cos(3 * t);
    F[1] -= r->body[0].mass * v[1];
    F[2] += 1;
}

static void keep_velocity(const struct dls_sim *sim, void *data)
{
    for (int i = 0; i < 3; i++) ((double *)data)[i] = sim->v[i];
}

// v_x = 4/(3m) sin 3t, v_y decays like exp(-t), and a held spin does not start.
static void test_load_of_time_and_speed(void **state)
{
    (void)state;
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(2, 1, 0, false, &arena);
    struct dls_body disk = dls_body_disk(2, 0.5, (dls_vec3){0});
    disk.v.y = 1;
    dls_rigid_body(r, disk, dls_shape_ball(0.5));
    r->held[0] = DLS_HELD_SPIN_2D;
    r->load = pulse;
    double v[3];
    run(r, 1e-3, 1, keep_velocity, v);
    assert_close(v[0], 4.0 / 6 * sin(3.0), 1e-6);
    assert_close(v[1], exp(-1), 1e-3); // speed at the start of each step
    assert_close(v[2], 0, 0);
    dls_arena_free(&arena);
}

// --- joints --------------------------------------------------------------------------

struct swing {
    double last, period; // of the first full swing, by the upward crossings of v = 0
    double before, drift;
    int velocity, crossings;
    const struct dls_rigid *r;
};

static void see_swing(const struct dls_sim *sim, void *data)
{
    struct swing *s = data;
    double v = sim->v[s->velocity], drift = 0;
    if (s->before > 0 && v <= 0) {
        double t = sim->t - sim->h * v / (v - s->before);
        s->period = t - s->last;
        s->last = t;
    }
    s->before = v;
    for (int i = 0; i < sim->system->joints; i++)
        drift = fmax(drift, fabs(sim->last.g[i]));
    s->drift = fmax(s->drift, drift);
}

// The period 4 K(sin(a/2)) / w of a swing from rest at the angle a, K by the
// arithmetic-geometric mean.
static double swing_period(double omega, double angle)
{
    double a = 1, b = cos(0.5 * angle);
    for (int k = 0; k < 8; k++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * pi / (omega * a);
}

// A bar on a pin in the plane, on a hinge in space whose axis leans by `lean` from the
// horizontal, and on a ball: w^2 = m g cos(lean) l / (m l^2 + I).
static void test_pendulums(void **state)
{
    (void)state;
    double l = 0.5, m = 3, inertia = 0.2, g = 9.81, angle = 1.2, lean = 0.4, h = 2e-3;
    for (int kind = 0; kind < 3; kind++) {
        int dim = kind ? 3 : 2;
        double tilt = kind == 1 ? lean : 0;
        double omega = sqrt(m * g * cos(tilt) * l / (m * l * l + inertia));
        struct dls_arena arena = {0};
        struct dls_rigid *r = dls_rigid_new(dim, 1, 0, false, &arena);
        // It hangs along -y, which the axis z (or one that leans) is across.
        dls_vec3 axis = {0, 0, 1};
        dls_vec3 at = {l * sin(angle), -l * cos(angle), 0};
        dls_rigid_body(r, (struct dls_body){m, {inertia, inertia, inertia}, .at = at},
                       dls_shape_ball(0.1));
        r->gravity = (dls_vec3){0, -g * cos(tilt), -g * sin(tilt)};
        struct dls_joint joint = {.other = -1, .axis = axis};
        joint.kind = kind == 1 ? DLS_JOINT_HINGE : DLS_JOINT_PIN;
        dls_rigid_joint(r, joint);
        struct swing swing = {.velocity = dim == 2 ? 2 : 5};
        double period = swing_period(omega, angle);
        run(r, h, 2.2 * period, see_swing, &swing);
        assert_close(swing.period, period, 4 * h); // joints drift by O(h)
        assert_true(swing.drift < 10 * h);         // 7.2 h, with half the h too
        dls_arena_free(&arena);
    }
}

// Down a rail of slope a: g sin(a) t^2 / 2, no turning though the rail is off the centre.
static void test_slider(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena arena = {0};
        struct dls_rigid *r = dls_rigid_new(dim, 1, 0, false, &arena);
        double slope = 0.5, t = 0.4, q[7];
        dls_vec3 along = {cos(slope), -sin(slope), 0};
        dls_rigid_body(r, (struct dls_body){2, {1, 1, 1}, .at = {0, 0, 0}},
                       dls_shape_ball(0.1));
        r->gravity.y = -10;
        dls_rigid_joint(r, (struct dls_joint){.kind = DLS_JOINT_SLIDER,
                                              .other = -1,
                                              .at = {0.3, 0.4, 0},
                                              .axis = along});
        run(r, 1e-3, t, keep_state, q);
        double gone = 0.5 * 10 * sin(slope) * t * t;
        assert_close(q[0], gone * along.x, 1e-10);
        assert_close(q[1], gone * along.y, 1e-10);
        assert_close(q[dim == 2 ? 2 : 6], 0, 1e-12);
        dls_arena_free(&arena);
    }
}

static void see_weld(const struct dls_sim *sim, void *data)
{
    const struct dls_rigid *r = sim->system->self;
    struct dls_pose a = dls_rigid_pose(r, sim->q, 0), b = dls_rigid_pose(r, sim->q, 1);
    double *worst = data, moment = 0;
    int dof = r->dim == 2 ? 3 : 6;
    worst[0] = fmax(worst[0], fabs(dls_vec3_norm(dls_vec3_sub(a.at, b.at)) - 1));
    for (int i = 0; i < 2; i++) moment += sim->v[i * dof] * r->body[0].mass; // along x
    worst[1] = moment;
    worst[2] = dls_vec3_dot(a.axis[0], b.axis[0]);
}

// Two welded bodies, pushed at one: they keep their distance and directions while they
// turn together, and the momentum is that of the push.
static void test_weld(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena arena = {0};
        struct dls_rigid *r = dls_rigid_new(dim, 2, 0, false, &arena);
        for (int k = 0; k < 2; k++) {
            struct dls_body b = {2, {1, 1, 1}, .at = {0, k, 0}};
            b.force.x = k ? 3 : 0;
            dls_rigid_body(r, b, dls_shape_ball(0.1));
        }
        dls_rigid_joint(
            r, (struct dls_joint){
                   .kind = DLS_JOINT_WELD, .body = 0, .other = 1, .at = {0.2, 0.5, 0}});
        double worst[3] = {0};
        run(r, 1e-3, 1, see_weld, worst);
        assert_true(worst[0] < 1e-2 && worst[0] > 0); // drift, of order h
        assert_close(worst[1], 3, 1e-9);
        assert_close(worst[2], 1, 1e-4);
        dls_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_leaves_shaken_floor),
        cmocka_unit_test(test_motions_and_their_velocities),
        cmocka_unit_test(test_ball_on_turntable),
        cmocka_unit_test(test_wall_under_constant_force),
        cmocka_unit_test(test_springs),
        cmocka_unit_test(test_spring_force_is_gradient),
        cmocka_unit_test(test_load_of_time_and_speed),
        cmocka_unit_test(test_pendulums),
        cmocka_unit_test(test_slider),
        cmocka_unit_test(test_weld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
