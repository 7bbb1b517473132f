// SPDX-License-Identifier: Apache-2.0
// A planar slender rod, mass m and half-length L, strikes the ground with its lower end
// at an angle theta to the ground. With I = m L^2 / 3
//
//   m W = [1 + 3 cos^2, 3 sin cos; 3 sin cos, 1 + 3 sin^2](theta).
//
// At 45 degrees and u^- = (-1, -1/2), e_n = 0.9, e_t = 0, mu >= 0.4 Newton's
// restitution creates energy: r = (1, -0.4), u^+ = (0.9, 0), Delta T = +0.05. The
// velocity before the impact is the one of least kinetic energy among those that give
// u^-, v^- = M^-1 H^T W^-1 u^-.
//
// Sliding along +t (u_t > 0) is Painlevé's paradox when W_NN < mu W_NT, that is
// mu > (1 + 3 cos^2) / (3 sin cos), at least 4/3: the step problem then has three
// solutions (u_n = 0, gravity on).
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct rod_options {
    double angle, mass, half_length, u_n, u_t;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(rod_options, angle, 45, 0, 180, "angle to the ground, degrees"),
    DLS_REAL(rod_options, mass, 1, 1e-9, 1e9, "mass"),
    DLS_REAL(rod_options, half_length, 1, 1e-6, 1e6, "half-length"),
    DLS_REAL(rod_options, u_n, -1, -1e6, 1e6, "normal velocity of the end, before"),
    DLS_REAL(rod_options, u_t, -0.5, -1e6, 1e6, "tangential velocity of it, before"),
    DLS_REAL(rod_options, mu, 0.6, 0, 1e3, "friction coefficient"),
    DLS_REAL(rod_options, e_n, 0.9, 0, 1, "normal restitution"),
    DLS_REAL(rod_options, e_t, 0, 0, 1, "tangential restitution"),
    DLS_REAL(rod_options, gravity, 0, 0, 1e6, "gravity"),
    DLS_REAL(rod_options, step, 0.01, 0, 1e3, "length of the time step"),
    {0},
};

// The contact end is right of the centre and below it. H = [0, 1, l_x; 1, 0, -l_y].
static struct dls_body rod(const struct rod_options *o, dls_vec3 end)
{
    double m = o->mass, L = o->half_length, I = m * L * L / 3;
    dls_vec3 centre = {0, -end.y, 0};
    double x = end.x, y = end.y;
    double a = 1 / m + x * x / I, b = -x * y / I, c = 1 / m + y * y / I; // W
    double det = a * c - b * b;
    double r_n = (c * o->u_n - b * o->u_t) / det, r_t = (a * o->u_t - b * o->u_n) / det;
    return (struct dls_body){
        .mass = m,
        .inertia = {0, 0, I},
        .at = centre,
        .v = {r_t / m, r_n / m, 0},
        .spin = {0, 0, (x * r_n - y * r_t) / I},
    };
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct rod_options *o = opt;
    double theta = o->angle * 0.017453292519943295;
    dls_vec3 end = {o->half_length * cos(theta), -o->half_length * sin(theta), 0};
    struct dls_build b;
    if (!dls_build_open(&b, 2, 1, 1, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    dls_build_body(&b, rod(o, end));
    dls_build_touch(&b, (struct dls_touch){
                            .body = 0,
                            .other = -1,
                            .point = {end.x, 0, 0},
                            .n = {0, 1, 0},
                            .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                        });
    struct dls_origin origin = {"rod", options, opt,
                                "A slender rod strikes the ground at an angle."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_rod = {
    .name = "rod",
    .brief = "a slender rod strikes the ground: energy creation, Painlevé's paradox",
    .options = options,
    .options_size = sizeof(struct rod_options),
    .make = make,
};
