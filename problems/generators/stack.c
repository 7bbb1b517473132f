// SPDX-License-Identifier: Apache-2.0
// A vertical stack of n equal disks on the ground, bottom one first, one contact per
// interface. In the normal direction
//
//   W_11 = 1/m,   W_ii = 2/m,   W_i,i+-1 = -1/m
//
// and the resting stack has r_i = (n - i + 1) m g h. Frictionless, nonlinear
// Gauss-Seidel reduces the error by cos^2(pi / 2n) per sweep (the Jacobi matrix is that
// of the Chebyshev polynomial T_n): the plainest problem on which it is slow.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct stack_options {
    int n;
    double mass, radius, speed, push;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(stack_options, n, 10, 1, 1000000, "number of disks"),
    DLS_REAL(stack_options, mass, 1, 1e-9, 1e9, "mass of each"),
    DLS_REAL(stack_options, radius, 0.1, 1e-6, 1e6, "radius of each"),
    DLS_REAL(stack_options, speed, 0, 0, 1e6, "downward velocity before the step"),
    DLS_REAL(stack_options, push, 0, -1e6, 1e6,
             "horizontal force on the top disk, in weights of one"),
    DLS_ROWS_LAW(stack_options, 0),
    DLS_ROWS_STEP(stack_options),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct stack_options *o = opt;
    struct dls_build b;
    if (!dls_build_open(&b, 2, o->n, o->n, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int k = 0; k < o->n; k++) {
        struct dls_body *disk = dls_build_stacked(
            &b, o->mass, o->radius,
            (struct dls_law){.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t});
        disk->v.y = -o->speed;
        if (k == o->n - 1) disk->force.x = o->push * o->mass * o->gravity;
    }
    struct dls_origin origin = {"stack", options, opt,
                                "Equal disks stacked on the ground, bottom one first."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_stack = {
    .name = "stack",
    .brief = "n equal disks stacked on the ground, one contact per interface",
    .options = options,
    .options_size = sizeof(struct stack_options),
    .make = make,
};
