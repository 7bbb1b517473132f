// SPDX-License-Identifier: Apache-2.0
// The sweeping process: a point is pushed by the boundary of a moving convex set and
// otherwise stays where it is [Moreau2004, 2.2-2.5].
//
//     -q' ∈ normal cone of C(t) at q
//
// C = a disk of radius R moving along x: a point on the rim behind is dragged along a
// tractrix, psi = angle between the direction to the centre and that of the motion:
//     tan(psi / 2) = tan(psi_0 / 2) exp(-s / R),   s = way of the centre.
// C = a square turning about its centre while it moves: corners push too.
//
// Checks: first order in h against the tractrix; the limit depends on the path of C and
// not on its pace (compared with other time nodes, the same nodes being an identity);
// two solutions get closer in every step; the implicit step stays in C to rounding,
// while the explicit one, with the lazy selector (the least velocity that keeps the
// constraints to first order), leaves it by an amount of order h.
#include "problems/examples/example.h"

#include <math.h>

struct sweeping_options {
    double radius, angle, way, step;
};

static const struct dls_option options[] = {
    DLS_REAL(sweeping_options, radius, 1, 1e-6, 1e6, "radius of the disk"),
    DLS_REAL(sweeping_options, angle, 80, 1, 89, "psi at the start, degrees"),
    DLS_REAL(sweeping_options, way, 3, 1e-6, 1e6, "way of the centre, in one second"),
    DLS_REAL(sweeping_options, step, 0.01, 1e-9, 1, "length of a time step"),
    {0},
};

struct set {
    struct dls_system system;
    double radius, way;
    int edges; // 0: a disk; else a regular polygon, `radius` to its edges
    double (*pace)(double t); // way of the centre as a share, from 0 to 1
};

static double even(double t) { return t; }
static double uneven(double t) { return t * t * (3 - 2 * t); }

// Inside means gap = radius - n . (q - centre) >= 0 for each n; the disk has the one n
// that points to q.
static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    const struct set *set = s->self;
    double share = set->pace(t), x = q[0] - set->way * share, y = q[1];
    for (int k = 0; k < (set->edges ? set->edges : 1); k++) {
        double phi = set->edges ? 2 * acos(-1) * k / set->edges + share : atan2(y, x);
        double n_x = cos(phi), n_y = sin(phi);
        struct dls_contact edge = {
            .id = (uint64_t)k,
            .other = -1,
            .gap = set->radius - n_x * x - n_y * y,
            .point = {q[0], q[1], 0},
            .n = {-n_x, -n_y, 0},
        };
        int row = dls_contacts_add(c, edge, NULL);
        if (row < 0) continue;
        dls_entries_add(&c->H, row, 0, -n_x);
        dls_entries_add(&c->H, row, 1, -n_y);
    }
}

static void make_set(struct set *set, const struct sweeping_options *o, int edges,
                     double (*pace)(double))
{
    *set = (struct set){
        .system =
            {
                .n = 2,
                .nq = 2,
                .d = 1,
                .bodies = 1,
                .self = set,
                .mass = dls_unit_mass,
                .force = dls_no_force,
                .contacts = contacts,
            },
        .radius = o->radius,
        .way = o->way,
        .edges = edges,
        .pace = pace,
    };
}

// The point on the rim where the direction to the centre is `angle` degrees off.
static void start_point(const struct sweeping_options *o, double angle, double q[2])
{
    double psi = angle * acos(-1) / 180;
    q[0] = -o->radius * cos(psi);
    q[1] = -o->radius * sin(psi);
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[0];
    values[1] = sim->q[1];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "y", NULL};
    const struct sweeping_options *o = asked->options;
    struct set *set = DLS_NEW(a, struct set, 1);
    double *q = DLS_NEW(a, double, 2), *v = DLS_NEW(a, double, 2);
    if (a->failed) return DLS_ENOMEM;
    make_set(set, o, 0, even);
    start_point(o, o->angle, q);
    *scene = (struct dls_scene){
        .system = &set->system,
        .q = q,
        .v = v,
        .h = o->step,
        .end = 1,
        .scheme = "catching-up",
        .names = names,
        .observe = observe,
    };
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// The end of a run, and the worst violation on the way.
struct outcome {
    double q[2], violation;
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    out->q[0] = sim->q[0];
    out->q[1] = sim->q[1];
    out->violation =
        fmax(out->violation, -dls_system_gap(sim->system, sim->t, sim->q, INFINITY));
}

// Where trials take their solver and memory from.
struct lab {
    const struct dls_asked *asked;
    struct dls_arena *arena;
    struct dls_error *err;
};

static enum dls_status sweep(struct outcome *out, const struct set *set,
                             const double *q, double h, const struct lab *lab)
{
    double v[2] = {0, 0};
    *out = (struct outcome){.q = {q[0], q[1]}};
    struct dls_trial trial = {&set->system, "catching-up", q, v, h, 1, follow, out};
    return dls_trial_run(&trial, lab->asked, lab->arena, lab->err);
}

// Where the disk has dragged the point that started at `angle`.
static void tractrix(const struct sweeping_options *o, double angle, double q[2])
{
    double psi_0 = angle * acos(-1) / 180;
    double psi = 2 * atan(tan(psi_0 / 2) * exp(-o->way / o->radius));
    q[0] = o->way - o->radius * cos(psi);
    q[1] = -o->radius * sin(psi);
}

static enum dls_status check_disk(struct dls_checks *c, const struct lab *lab)
{
    const struct sweeping_options *o = lab->asked->options;
    struct set set, other;
    double q[2], h[4], error[4], apart[4], violation = 0;
    double exact[2];
    tractrix(o, o->angle, exact);
    start_point(o, o->angle, q);
    make_set(&set, o, 0, even);
    make_set(&other, o, 0, uneven);
    for (int k = 0; k < 4; k++) {
        struct outcome out, late;
        h[k] = 0.02 / (1 << k);
        enum dls_status status = sweep(&out, &set, q, h[k], lab);
        if (!status) status = sweep(&late, &other, q, h[k], lab);
        if (status) return status;
        error[k] = hypot(out.q[0] - exact[0], out.q[1] - exact[1]);
        apart[k] = hypot(out.q[0] - late.q[0], out.q[1] - late.q[1]);
        violation = fmax(violation, out.violation);
    }
    dls_check_near(c, "disk: order of the end against the tractrix",
                   dls_order_fit(4, h, error), 1, 0.05,
                   "order 1; smooth dependence on h");
    dls_check_most(c, "disk: error of the end at the smallest step", error[3],
                   2 * o->way * h[3], "the way of the centre in two steps");
    dls_check_near(c, "disk: order of the difference between two paces",
                   dls_order_fit(4, h, apart), 1, 0.1, "both converge to one limit");
    dls_check_most(c, "disk: worst violation, implicit", violation, 1e-14,
                   "a projection; rounding");
    return DLS_OK;
}

// --- the explicit step ---------------------------------------------------------------

// The lazy selector: the least velocity q' with d/dt gap >= 0 where gap <= 0. For the
// disk: 0, or the centre's velocity along the direction to the centre.
static double explicit_violation(const struct sweeping_options *o, double h)
{
    double q[2], worst = 0;
    start_point(o, o->angle, q);
    for (int k = 0; k * h < 1 - 0.5 * h; k++) {
        double x = q[0] - o->way * k * h, y = q[1], distance = hypot(x, y);
        worst = fmax(worst, distance - o->radius);
        double push = distance >= o->radius ? -o->way * x / distance : 0;
        q[0] -= h * fmax(0, push) * x / distance;
        q[1] -= h * fmax(0, push) * y / distance;
    }
    return worst;
}

static void check_lazy(struct dls_checks *c, const struct lab *lab)
{
    const struct sweeping_options *o = lab->asked->options;
    double h[4], violation[4];
    for (int k = 0; k < 4; k++) {
        h[k] = 0.02 / (1 << k);
        violation[k] = explicit_violation(o, h[k]);
    }
    dls_check_least(c, "disk: worst violation, explicit lazy selector, h = 0.02",
                    violation[0], 1e-4, "it leaves the set, unlike the projection");
    dls_check_near(c, "disk: order of that violation", dls_order_fit(4, h, violation),
                   1, 0.2, "of order h");
}

// --- the square ----------------------------------------------------------------------

// One point in a moving and turning square.
static enum dls_status check_square(struct dls_checks *c, const struct lab *lab)
{
    const struct sweeping_options *o = lab->asked->options;
    struct set set;
    struct outcome out;
    make_set(&set, o, 4, uneven);
    double q[] = {-0.9 * o->radius, 0.7 * o->radius};
    enum dls_status status = sweep(&out, &set, q, 1.0 / 64, lab);
    if (status) return status;
    dls_check_least(c, "square: way of the point",
                    hypot(out.q[0] - q[0], out.q[1] - q[1]), 0.5 * o->way,
                    "the square took it along");
    dls_check_most(c, "square: worst violation", out.violation, 1e-12,
                   "solver at 1e-12, two edges at a corner");
    return DLS_OK;
}

// --- two solutions -------------------------------------------------------------------

enum { NODES = 400 };

// The way of a point, node by node.
struct way {
    double q[NODES + 1][2];
    int count;
};

static void note(const struct dls_sim *sim, void *data)
{
    struct way *way = data;
    if (way->count > NODES) return;
    way->q[way->count][0] = sim->q[0];
    way->q[way->count++][1] = sim->q[1];
}

// Two points dragged by the disk over the same time nodes: each step is a projection,
// so their distance shrinks in every step, and ends as that of two tractrices.
static enum dls_status check_pair(struct dls_checks *c, const struct lab *lab)
{
    const struct sweeping_options *o = lab->asked->options;
    double angle[] = {o->angle, 0.25 * o->angle}, q[2][2], exact[2][2], v[2] = {0, 0};
    struct way *way = DLS_NEW(lab->arena, struct way, 2);
    struct set set;
    if (!way) return DLS_ENOMEM;
    make_set(&set, o, 0, even);
    for (int k = 0; k < 2; k++) {
        double h = 1.0 / NODES;
        start_point(o, angle[k], q[k]);
        tractrix(o, angle[k], exact[k]);
        struct dls_trial trial = {&set.system, "catching-up", q[k],   v, h,
                                  1,           note,          &way[k]};
        enum dls_status status =
            dls_trial_run(&trial, lab->asked, lab->arena, lab->err);
        if (status) return status;
    }
    double before = hypot(q[0][0] - q[1][0], q[0][1] - q[1][1]), growth = -INFINITY;
    for (int k = 0; k < way[0].count; k++) {
        double now =
            hypot(way[0].q[k][0] - way[1].q[k][0], way[0].q[k][1] - way[1].q[k][1]);
        growth = fmax(growth, now - before);
        before = now;
    }
    double end = hypot(exact[0][0] - exact[1][0], exact[0][1] - exact[1][1]);
    dls_check_most(c, "two points: most that their distance grows in a step", growth,
                   1e-15 * o->radius, "it shrinks in each of the 400; rounding");
    dls_check_near(c, "two points: distance at the end over the exact one",
                   before / end, 1, 0.02, "two tractrices; order h");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct lab lab = {asked, a, err};
    enum dls_status status = check_disk(c, &lab);
    if (status) return status;
    check_lazy(c, &lab);
    status = check_pair(c, &lab);
    return status ? status : check_square(c, &lab);
}

const struct dls_example dls_example_sweeping = {
    .name = "sweeping",
    .brief = "a point swept by a moving disk (tractrix) and by a turning square",
    .paper = "Moreau2004, 2.2-2.5",
    .options = options,
    .options_size = sizeof(struct sweeping_options),
    .make = make,
    .check = check,
};
