// SPDX-License-Identifier: Apache-2.0
// A biaxial test between flexible sides, under the A-CD2 law [DalPontDimnet2008, 5.2,
// table 2, fig 7].
//
// Given: 200 particles, radius 0.1 (no unit), friction 0.1; a regular arrangement, moved
// at random and compacted; rigid plates above and below, the upper one moved; the outer
// columns at both sides are a flexible boundary under a given stress.
// Chosen: disks, ten across and twenty up on a square lattice, radii +-10 %, moved by
// up to 0.2 r; pressure 1, density 1; speed of the plate by the inertial number
// (v / height) d sqrt(rho / p) = 1e-3, quasi-static; no gravity; to 15 % of strain; friction
// 0.5 at the plates: on smooth ones (plate_mu=0) a sample of twenty rows leans over as a
// whole at 6.5 % and slides apart, before any band.
// A disk is of a column while its centre sees that side. Column disks are pressed inwards
// by p times half the distance between the column's neighbours (the sum is p times the
// height), and springs of stiffness p / 2 join those that were neighbours at the start:
// 5 % of p d at a strain of 0.1.
// Steps of d sqrt(rho / p) / 100 are solved to 1e-4 of the free velocities. Scale s: 200 s
// disks; a band needs ten across, and is looked for from s = 3/4 on.
//
// The paper saw a band at about 50 degrees, and its formula, tan phi = mu, gives 47.9.
//
// Checks: Clausius and Duhem at every contact that was approached; the internal moment
// against forces outside; the band's angle between Roscoe's 45 + psi / 2 and Coulomb's
// 45 + phi / 2 (Arthur: 45 + (phi + psi) / 4), phi and psi measured; the sample's friction
// angle above that of a contact; and, with friction 0.5, a larger one. Twin: turn=30, the
// lattice turned. A band of twenty diameters tells angles to 4 degrees: one run cannot
// tell 48 from 51.
#include "problems/examples/packed.h"
#include "problems/mechanics/membrane.h"
#include "problems/mechanics/rigid.h"
#include "problems/observe/clausius.h"
#include "problems/observe/strain.h"
#include "problems/observe/stress.h"
#include "problems/preparation/compact.h"
#include "problems/preparation/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct test_options {
    int disks, lattice, seed;
    double radius, spread, wobble, turn, mu, other_mu, plate_mu;
    double pressure, density, inertial, stiffness, strain, step;
};

static const struct dls_option options[] = {
    DLS_INT(test_options, disks, 200, 20, 1000000, "how many at scale 1"),
    DLS_REAL(test_options, radius, 0.1, 1e-6, 1e6, "mean radius"),
    DLS_REAL(test_options, spread, 0.1, 0, 0.9, "radii differ by this part of it"),
    DLS_REAL(test_options, wobble, 0.2, 0, 1, "random moves, in radii"),
    DLS_CHOICE(test_options, lattice, 0, "square|triangular", "that is perturbed"),
    DLS_REAL(test_options, turn, 0, -90, 90, "of the lattice, degrees"),
    DLS_REAL(test_options, mu, 0.1, 0, 1e3, "friction between disks"),
    DLS_REAL(test_options, other_mu, 0.5, 0, 1e3, "of the second run of the checks"),
    DLS_REAL(test_options, plate_mu, 0.5, 0, 1e3, "friction at the plates"),
    DLS_REAL(test_options, pressure, 1, 1e-9, 1e12, "on the sides"),
    DLS_REAL(test_options, density, 1, 1e-9, 1e9, "mass of a unit of area"),
    DLS_REAL(test_options, inertial, 1e-3, 0, 1, "inertial number"),
    DLS_REAL(test_options, stiffness, 0.5, 0, 1e6, "of the columns, in pressures"),
    DLS_REAL(test_options, strain, 0.15, 0, 0.9, "at the end"),
    DLS_REAL(test_options, step, 0.01, 1e-9, 1, "time step, in d sqrt(rho / p)"),
    DLS_INT(test_options, seed, 1, 0, 2147483647, "of radii and moves"),
    {0},
};

enum { BOTTOM, TOP, PLATES };

struct sample {
    const struct test_options *o;
    double mu;
    int disks;
    double height, speed; // at the start; of the upper plate
    struct dls_membrane sides;
    struct dls_ramp down;
};

static struct dls_law material(const struct dls_rigid *r, int body, int other)
{
    (void)body;
    const struct sample *s = r->data;
    return (struct dls_law){.mu = other < 0 ? s->o->plate_mu : s->mu};
}

// The pressure of the sides, between the plates where they are now.
static void press(const struct dls_rigid *r, double t, const double *q, const double *v,
                  double *F)
{
    (void)v;
    const struct sample *s = r->data;
    dls_membrane_follow(&s->sides, q);
    dls_membrane_press(&s->sides, q, 0, s->height - s->speed * t, F);
}

// --- the sample ----------------------------------------------------------------------

static enum dls_status place(struct sample *s, double *radius, dls_vec3 *at,
                             const struct dls_asked *asked, struct dls_arena *a,
                             struct dls_error *err)
{
    const struct test_options *o = s->o;
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    double d = 2 * o->radius, most = o->spread + o->wobble + 0.01;
    struct dls_lattice lattice = {o->lattice, d * (1 + most), o->turn * acos(-1) / 180,
                                  0.5}; // ten across, twenty rows up
    dls_random_radii(s->disks, d * (1 - o->spread), d * (1 + o->spread), &g, radius);
    enum dls_status status = dls_place_lattice(&lattice, s->disks, at, a);
    for (int k = 0; k < s->disks && !status; k++) {
        double far = o->wobble * o->radius * dls_rng_range(&g, 0, 1);
        double angle = dls_rng_range(&g, 0, 2 * acos(-1));
        at[k].x += far * cos(angle);
        at[k].y += far * sin(angle);
    }
    struct dls_compaction disks = {s->disks, radius, o->density, o->pressure};
    if (!status && !asked->from) // when resumed too: plates and skin follow from it
        status = dls_compact(&disks, at, &asked->setup, a, err);
    return status;
}

// Plates at the outermost disks, the lower one at 0.
static void fit_plates(struct dls_rigid *r, struct sample *s)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < s->disks; k++) {
        lo = fmin(lo, r->body[k].at.y - r->shape[k].radius);
        hi = fmax(hi, r->body[k].at.y + r->shape[k].radius);
    }
    for (int k = 0; k < s->disks; k++) r->body[k].at.y -= lo;
    s->height = hi - lo;
    double time = 2 * s->o->radius * sqrt(s->o->density / s->o->pressure);
    s->speed = s->o->inertial * s->height / time;
    s->down = (struct dls_ramp){.velocity = {0, -s->speed, 0}};
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {0, s->height, 0},
                                          .n = {0, -1, 0},
                                          .motion = dls_motion_ramp,
                                          .data = &s->down});
}

static const char *const names[8];
static void observe(const struct dls_sim *, double *values);

static enum dls_status make_sample(struct dls_scene *scene, struct sample *s,
                                   const struct dls_asked *asked, struct dls_arena *a,
                                   struct dls_error *err)
{
    const struct test_options *o = asked->options;
    *s = (struct sample){.o = o, .mu = o->mu, .disks = dls_scaled(asked, o->disks, 40)};
    double *radius = DLS_NEW(a, double, s->disks);
    dls_vec3 *at = DLS_NEW(a, dls_vec3, s->disks);
    struct dls_rigid *r = dls_rigid_new(2, s->disks, PLATES, false, a);
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = place(s, radius, at, asked, a, err);
    if (status) return status;
    dls_compaction_bodies(
        &(struct dls_compaction){s->disks, radius, o->density, o->pressure}, at, r);
    if (asked->from) status = dls_packed(r, NULL, asked, a, err);
    fit_plates(r, s);
    s->sides.pressure = o->pressure;
    if (!dls_membrane_find(&s->sides, r, a)) return DLS_ENOMEM;
    dls_membrane_springs(&s->sides, r, o->stiffness * o->pressure);
    r->material = material;
    r->load = press;
    r->data = s;
    *scene = (struct dls_scene){
        .h = o->step * 2 * o->radius * sqrt(o->density / o->pressure),
        .end = o->strain * s->height / s->speed,
        .scheme = "acd2",
        .names = names,
        .observe = observe,
    };
    return status ? status : dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    struct sample *s = DLS_NEW(a, struct sample, 1);
    return s ? make_sample(scene, s, asked, a, err) : DLS_ENOMEM;
}

// --- what is measured ----------------------------------------------------------------

// One step.
struct state {
    double strain, width, across, up; // across, up: internal moments, compression > 0
    double defect;                    // of the moments against those from outside
    struct dls_clausius law;
    bool failed;
};

static struct state state_of(const struct dls_sim *sim, const struct sample *s)
{
    struct state now = {.strain = s->speed * sim->t / s->height,
                        .width = dls_membrane_width(&s->sides, sim->q)};
    struct dls_arena scratch = dls_arena_scratch(sim->arena);
    struct dls_observed o;
    now.failed = dls_observe(&o, sim, &scratch);
    if (!now.failed) {
        dls_tensor M = dls_internal_moment(&o, NULL, NULL);
        dls_tensor E = dls_external_moment(&o, NULL, NULL);
        now.across = -M.x[0][0];
        now.up = -M.x[1][1];
        for (int i = 0; i < 4; i++)
            now.defect = fmax(now.defect, fabs(M.x[i / 2][i % 2] - E.x[i / 2][i % 2]));
        now.law = dls_clausius_of(&o);
    }
    dls_arena_free(&scratch);
    return now;
}

static const char *const names[8] = {
    "strain",         "width",        "moment_across", "moment_up",
    "clausius_worst", "clausius_sum", "approached",    NULL};

static void observe(const struct dls_sim *sim, double *values)
{
    const struct sample *s = dls_rigid_of(sim->system)->data;
    struct state now = {.width = dls_membrane_width(&s->sides, sim->q)};
    if (sim->steps) now = state_of(sim, s);
    values[0] = now.strain;
    values[1] = now.width;
    values[2] = now.across;
    values[3] = now.up;
    values[4] = now.law.worst;
    values[5] = now.law.sum;
    values[6] = now.law.approached;
}

// --- the test ------------------------------------------------------------------------

// Angles in degrees, over the strains from a fifth of the last one on: before that the
// sample closes its gaps.
struct angles {
    double phi, psi;
    struct dls_band band;
};

struct watch {
    const struct sample *s;
    double across, up;          // summed from `from` on
    double width[2], strain[2]; // at both ends of that
    dls_vec3 *at[2];
    double worst, sum, defect, pressure;
    bool begun, failed;
};

static void look(const struct dls_sim *sim, void *data)
{
    struct watch *w = data;
    struct state now = state_of(sim, w->s);
    w->failed |= now.failed;
    w->worst = fmax(w->worst, now.law.worst);
    w->sum = fmax(w->sum, now.law.sum);
    w->defect = fmax(w->defect, now.defect / (now.width * w->s->height));
    if (now.strain < 0.2 * w->s->o->strain) return;
    for (int k = w->begun; k < 2; k++) {
        w->width[k] = now.width;
        w->strain[k] = now.strain;
        dls_centres(sim, w->at[k]);
    }
    w->begun = true;
    w->across += now.across;
    w->up += now.up;
}

static bool of_a_column(const struct dls_membrane *m, int disk)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < m->side[side].count; i++)
            if (m->side[side].disk[i] == disk) return true;
    return false;
}

static int compare_down(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

// The band through the quarter of the inner disks that are sheared most.
static bool find_band(const struct watch *w, struct dls_band *band, struct dls_arena *a)
{
    const struct sample *s = w->s;
    struct dls_arena scratch = dls_arena_scratch(a);
    double *shear = DLS_NEW(&scratch, double, s->disks);
    double *sorted = DLS_NEW(&scratch, double, s->disks);
    dls_vec3 *at = DLS_NEW(&scratch, dls_vec3, s->disks);
    int inner = 0, count = 0;
    if (scratch.failed) return dls_arena_free(&scratch), false;
    dls_local_shear(&(struct dls_displaced){s->disks, w->at[0], w->at[1]},
                    3 * s->o->radius, shear);
    for (int k = 0; k < s->disks; k++)
        if (of_a_column(&s->sides, k) || isnan(shear[k]))
            shear[k] = -1;
        else
            sorted[inner++] = shear[k];
    qsort(sorted, (size_t)inner, sizeof *sorted, compare_down);
    for (int k = 0; k < s->disks; k++)
        if (inner && shear[k] >= sorted[inner / 4]) at[count++] = w->at[1][k];
    dls_band_fit(count, at, 4 * s->o->radius, band);
    dls_arena_free(&scratch);
    return true;
}

// One test with a given friction.
static enum dls_status run(struct watch *w, struct angles *out, double mu,
                           const struct dls_asked *asked, struct dls_arena *a,
                           struct dls_error *err)
{
    struct dls_scene scene;
    struct sample *s = DLS_NEW(a, struct sample, 1);
    enum dls_status status = s ? make_sample(&scene, s, asked, a, err) : DLS_ENOMEM;
    if (status) return status;
    s->mu = mu;
    *w = (struct watch){.s = s};
    for (int k = 0; k < 2; k++) w->at[k] = DLS_NEW(a, dls_vec3, s->disks);
    if (a->failed) return DLS_ENOMEM;
    struct dls_trial trial = {scene.system, scene.scheme, scene.q, scene.v,
                              scene.h,      scene.end,    look,    w};
    status = dls_trial_run(&trial, asked, a, err);
    if (!status && (w->failed || !find_band(w, &out->band, a))) status = DLS_ENOMEM;
    double degree = acos(-1) / 180;
    double axial = log((1 - w->strain[0]) / (1 - w->strain[1]));
    double lateral = -log(w->width[1] / w->width[0]); // both positive in compression
    out->phi = asin((w->up - w->across) / (w->up + w->across)) / degree;
    out->psi = asin(-(axial + lateral) / (axial - lateral)) / degree;
    return status;
}

static void compare(struct dls_checks *c, const struct watch *w, double phi,
                    const struct dls_asked *asked)
{
    const struct test_options *o = asked->options;
    dls_check_most(c, "r . u_bar of approached contacts, over |r| |q|", w->worst,
                   10 * asked->setup.settings.tol,
                   "Clausius and Duhem, to ten times the tolerance of a step");
    dls_check_most(c, "the same summed over a step, in p r^2",
                   w->sum / (o->pressure * o->radius * o->radius), 1e-9,
                   "never positive; rounding");
    dls_check_most(c, "stress inside - outside, in pressures", w->defect / o->pressure,
                   1e-9, "exact with loads and accelerations");
    dls_check_least(c, "friction angle of the sample, degrees", phi,
                    atan(o->mu) * 180 / acos(-1),
                    "that of a contact: grains also roll and climb");
}

static void compare_bands(struct dls_checks *c, const struct angles *with,
                          const struct angles *other)
{
    double theta = fabs(with->band.angle), error = with->band.error;
    dls_check_least(c, "friction angle with other_mu over that with mu",
                    other->phi / with->phi, 1.2, "friction at contacts counts");
    dls_check_least(c, "angle of the band from horizontal, degrees", theta,
                    45 + 0.5 * with->psi - error, "Roscoe's, less the error of a line");
    dls_check_most(c, "angle of the band from horizontal, degrees", theta,
                   45 + 0.5 * with->phi + error, "Coulomb's, and that error");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct test_options *o = asked->options;
    struct angles with, other;
    struct watch first, second;
    enum dls_status status = run(&first, &with, o->mu, asked, a, err);
    if (!status) compare(c, &first, with.phi, asked);
    if (status || asked->scale < 0.75) return status;
    status = run(&second, &other, o->other_mu, asked, a, err);
    if (!status) compare_bands(c, &with, &other);
    return status;
}

const struct dls_example dls_example_biaxial_200 = {
    .name = "biaxial-200",
    .brief =
        "disks between plates and flexible sides: a shear band, A-CD2 with friction",
    .paper = "DalPontDimnet2008, 5.2, fig 7",
    .solver = "uzawa-acd2",
    .tol = 1e-4,
    .max_iter = 5000,
    .may_fall_short = 0.01,
    .why_short = "in a rearrangement of the whole pack a step may have no end in sight",
    .packs = true,
    .options = options,
    .options_size = sizeof(struct test_options),
    .make = make,
    .check = check,
};
