// SPDX-License-Identifier: Apache-2.0
// An elastic bar hits a rigid wall [AcarySlides, impacting elastic bar].
//
// All of the bar moves at v0 towards the wall. A wave of compression runs to the free
// end and comes back as a release: contact lasts 2 L / c, c = sqrt(E / rho), under the
// constant force S rho c v0; the impulse is 2 m v0 and the bar leaves at v0 undeformed.
// The elements disperse the wave, so that the front has a width of about (2 n)^(1/3)
// elements of length d; node 0 stops with its own mass, which costs energy of order
// 1/n.
//
// Checks: the force of the wall, averaged over the middle half of the contact, is
// S rho c v0; duration within 1 + (2 n)^(1/3) / 2 elements' travel time of 2 L / c; impulse
// converging to 2 m v0; drift of the energy by scheme, least for theta = 1/2.
#include "problems/examples/example.h"
#include "problems/mechanics/bar.h"

#include <math.h>

struct bar_options {
    int elements;
    double speed, courant;
};

static const struct dls_option options[] = {
    DLS_INT(bar_options, elements, 200, 2, 100000, "finite elements"),
    DLS_REAL(bar_options, speed, 1, 1e-6, 1e6, "speed towards the wall"),
    DLS_REAL(bar_options, courant, 0.5, 1e-3, 10, "c h / element length"),
    {0},
};

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_bar *b = sim->system->self;
    values[0] = sim->q[0] + b->gap;
    values[1] = sim->last.problem.m ? sim->last.r[0] / sim->h : 0;
    values[2] = sim->q[b->elements];
}

// Unit length, section, stiffness and density: c = 1, m = 1.
static enum dls_status make_bar(struct dls_scene *scene, int elements, double speed,
                                double courant, struct dls_arena *a)
{
    static const char *const names[] = {"gap", "force", "u_end", NULL};
    struct dls_bar *b = DLS_NEW(a, struct dls_bar, 1);
    double *q = DLS_NEW(a, double, elements + 1), *v = DLS_NEW(a, double, elements + 1);
    if (a->failed) return DLS_ENOMEM;
    *b = (struct dls_bar){
        .elements = elements, .length = 1, .section = 1, .young = 1, .density = 1};
    dls_bar_open(b);
    for (int i = 0; i <= elements; i++) v[i] = -speed;
    *scene = (struct dls_scene){
        .system = &b->system,
        .q = q,
        .v = v,
        .h = courant / elements,
        .end = 3,
        .scheme = "theta",
        .names = names,
        .observe = observe,
    };
    return DLS_OK;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct bar_options *o = asked->options;
    return make_bar(scene, o->elements, o->speed, o->courant, a);
}

// --- checks --------------------------------------------------------------------------

struct outcome {
    double impulse, last, energy; // sum of r, when it last acted, energy at the end
    double plateau;               // impulse from t = 1/2 to 3/2
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    if (sim->last.problem.m && sim->last.r[0] > 0) {
        out->impulse += sim->last.r[0];
        out->last = sim->t;
        if (sim->t > 0.5 && sim->t < 1.5 + 0.5 * sim->h) out->plateau += sim->last.r[0];
    }
    out->energy = sim->ledger.kinetic + sim->ledger.potential;
}

static enum dls_status strike(struct outcome *out, const char *scheme, int elements,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    const struct bar_options *o = asked->options;
    struct dls_scene scene;
    enum dls_status status = make_bar(&scene, elements, o->speed, o->courant, a);
    if (status) return status;
    struct dls_bar *bar = scene.system->self;
    bar->young = dls_spoilt(asked, bar->young);
    *out = (struct outcome){0};
    struct dls_trial trial = {scene.system, scheme,    scene.q, scene.v,
                              scene.h,      scene.end, follow,  out};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_convergence(struct dls_checks *c,
                                         const struct dls_asked *asked,
                                         struct dls_arena *a, struct dls_error *err)
{
    const struct bar_options *o = asked->options;
    double size[4], error[4];
    int most = asked->scale < 1 ? 100 : 200;
    for (int k = 0; k < 4; k++) {
        struct outcome out;
        int n = most >> (3 - k);
        enum dls_status status = strike(&out, "theta", n, asked, a, err);
        if (status) return status;
        size[k] = 1.0 / n;
        error[k] = fabs(out.impulse / (2 * o->speed) - 1);
        dls_check_near(c,
                       dls_text(a, "theta = 1/2, n = %d: duration of the contact", n),
                       out.last, 2, (1 + 0.5 * cbrt(2.0 * n)) / n,
                       "1 + (2n)^(1/3)/2 elements: width of the dispersed front");
        if (k == 3)
            dls_check_near(c, "theta = 1/2, finest: mean force over S rho c v0",
                           out.plateau / o->speed, 1, 2e-3,
                           "ripples behind the front average out over 100 elements");
    }
    dls_check_least(c, "theta = 1/2: order of the impulse in 1/n",
                    dls_order_fit(4, size, error), 0.55,
                    "to 2 m v0 at the rate n^(-2/3) of the width of the front");
    dls_check_most(c, "theta = 1/2: relative error of the impulse, finest", error[3],
                   0.02, "the mass of node 0 and the tail of the front, ~ 2/n");
    return DLS_OK;
}

static enum dls_status check_energies(struct dls_checks *c,
                                      const struct dls_asked *asked,
                                      struct dls_arena *a, struct dls_error *err)
{
    static const char *const schemes[] = {"theta", "alpha", "theta:theta=1",
                                          "alpha:kind=newmark:gamma=1:beta=0.5"};
    const struct bar_options *o = asked->options;
    double lost[4], start = 0.5 * o->speed * o->speed;
    for (int k = 0; k < 4; k++) {
        struct outcome out;
        enum dls_status status = strike(&out, schemes[k], 100, asked, a, err);
        if (status) return status;
        lost[k] = 1 - out.energy / start;
    }
    // Node 0 carries a third of an element and stops: 1/(3 n) of the energy and its
    // share of the coupling.
    dls_check_near(c, "theta = 1/2, n = 100: energy lost", lost[0], 0, 0.01,
                   "the mass of node 0 only, ~ 1/(2n)");
    dls_check_near(c, "alpha, n = 100: energy lost", lost[1], 0, 0.02,
                   "that and some damping of the shortest waves");
    dls_check_least(c, "energy lost by theta = 1 over that of theta = 1/2",
                    lost[2] / fmax(lost[0], 1e-6), 20, "implicit Euler damps");
    dls_check_least(c, "energy lost by implicit Newmark over that of alpha",
                    lost[3] / fmax(lost[1], 1e-6), 10, "gamma = 1 damps");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_convergence(c, asked, a, err);
    return status ? status : check_energies(c, asked, a, err);
}

const struct dls_example dls_example_elastic_bar = {
    .name = "elastic-bar",
    .brief = "an elastic bar of finite elements hits a wall: duration, impulse, energy",
    .paper = "AcarySlides, impacting elastic bar",
    .options = options,
    .options_size = sizeof(struct bar_options),
    .make = make,
    .check = check,
};
