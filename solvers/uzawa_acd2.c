// SPDX-License-Identifier: Apache-2.0
// Uzawa's iteration on the A-CD2 law (formulations/acd2.c).
//
//     (2M + H^T K H) Y = 2 M v^- + hF - H^T K w_ob + H^T (lambda, s),
//     u_bar  =  H Y + w_ob,
//     lambda <- max(0, lambda - rho_N (u_bar_N - u_N^- / 2)),
//     s      <- projection of s - rho_T u_bar_T on the disk of radius G
//
// Method [DalPontDimnet2008, section 4.2; friction kept as a multiplier, so that one
// factorisation serves all iterations]
//   loop = nested  G is frozen; when the defect has fallen to `inner` times its value
//                  after the last freezing, G <- mu max(0, r_N), r = (lambda, s) - K u_bar.
//   loop = single  G = mu max(0, r_N) in every iteration.
//   loop = paths   the paper's: (I) all contacts stick, G infinite; (II) those with
//                  |s| > mu r_N lose that constraint for good and get G = mu r_N; again,
//                  with the others looked at each time. Contacts that cannot all stick
//                  together (more rows than velocities) would never end (I): PATIENCE
//                  iterations do.
//   Steps: with W <= diag(D_a) (formulations/parts/contact_bound.c) and
//   B = H (2M + H^T K H)^-1 H^T = (2 W^-1 + K)^-1, growing in W,
//       B <= diag(D_a / (2 + k D_a)),   so   rho_N = `rho` (2 / D_a + k_N),  rho_T alike:
//   for frozen G it converges for `rho` < 2. Where M is not of bodies Lanczos gives one
//   step for all, `rho` / lambda_max(B).
//   momentum = nesterov: the update starts from z + beta (z - z_before) with the sequence
//   and the restarts of apgd.c [BeckTeboulle2009; ODonoghueCandes2015]: condition^(1/2)
//   in place of condition many iterations. u_bar is affine in z, so that it costs no
//   solve. It restarts where the update goes back on the momentum (the gradient itself
//   says little where thresholds move: a threshold that falls takes z uphill), where
//   the own residual has grown too far, and after a reach that shrinks where it does not
//   fall: nothing is proved for moving thresholds. `rho` is at most 1 then.
// It ends `finished` when the own residual is below the tolerance: the judge measures
// the file's law, which is another one as soon as there are potentials. With
// restitution (0, 1) and no potentials it is the same, and the judge decides.
//
// Cost: one solve with the factor and two products with H per step.
// Fails: nested and paths by cycling where mu is above the bound of uniqueness.c; slow
// where B is badly conditioned.
#include "solvers/solver.h"

#include "formulations/acd2.h"
#include "formulations/delassus.h"
#include "formulations/parts/contact_bound.h"
#include "formulations/parts/uniqueness.h"

#include "base/lanczos.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct uzawa_acd2_options {
    int loop, momentum;
    double rho, inner;
};

enum { NESTED, SINGLE, PATHS };
enum { PATIENCE = 1000 };
// Of the own residual since the last restart, at which momentum has run away; smaller
// ripples belong to it.
enum { GROWTH = 100 };
// Iterations that momentum lasts at most: enough for condition numbers of its square.
enum { REACH = 256 };
// Smaller gains are ripples of a cycle; the plain iteration has more in REACH iterations
// up to condition numbers of 10^4.
#define GAIN 0.01
// Rows up to which the bound of uniqueness is told: it takes W and dense eigenvalues,
// m^3, which beyond them costs more than the iterations of a step.
enum { BOUND_M = 30 };

static const struct dls_option uzawa_acd2_options[] = {
    DLS_CHOICE(uzawa_acd2_options, loop, SINGLE, "nested|single|paths",
               "thresholds renewed around an inner loop, in every iteration, or stick "
               "before slip"),
    DLS_CHOICE(uzawa_acd2_options, momentum, 1, "none|nesterov",
               "the plain iteration, or an accelerated one"),
    DLS_REAL(uzawa_acd2_options, rho, 1.0, 1e-6, 1.99,
             "step over the one that always descends; at most 1 with momentum"),
    DLS_REAL(uzawa_acd2_options, inner, 0.1, 1e-12, 0.999,
             "fall of the inner defect before thresholds are renewed"),
    {0},
};

struct uzawa_acd2 {
    const struct dls_acd2 *form;
    int loop;
    bool momentum;
    double inner;
    int waited;            // iterations since the last freezing
    double first;          // defect after the last freezing; negative = not yet known
    double bound;          // of uniqueness; NAN = not available
    double own, least;     // own residual of z, and the least since the last restart
    double theta;          // of Nesterov's sequence
    int carried, reach;    // iterations since the last restart, and the most allowed
    double best;           // least own residual of the run
    int since;             // iterations without a better one
    double *rho;           // m: step of each row
    double *z, *u_z;       // m: the iterate and its u_bar
    double *y, *u_y;       // m: the extrapolated one
    double *next, *u_next; // m
    double *asked;         // contacts: thresholds that the law asks for now
    double *G;             // contacts: thresholds in use
};

// --- create --------------------------------------------------------------------------

// y = H A^-1 H^T x with A = 2M + H^T K H
static void multiply(void *data, const double *x, double *y)
{
    dls_acd2_response(data, x, y);
}

// One step for all rows, from the largest eigenvalue.
static enum dls_status even_steps(struct uzawa_acd2 *self, double rho,
                                  struct dls_arena *a, struct dls_error *err)
{
    int m = self->form->problem->m;
    struct dls_acd2 view = *self->form;
    struct dls_ritz ritz;
    enum dls_status status = dls_lanczos(&ritz, m, multiply, &view, a);
    double largest = ritz.largest + ritz.error;
    if (status == DLS_OK && m && !(largest > 0))
        return dls_fail(err, DLS_UNSUPPORTED, "no contact moves any body: H = 0");
    for (int i = 0; i < m; i++) self->rho[i] = rho / largest;
    return status;
}

static enum dls_status find_steps(struct uzawa_acd2 *self, double rho,
                                  struct dls_arena *a, struct dls_error *err)
{
    const struct dls_acd2 *f = self->form;
    const struct dls_problem *p = f->problem;
    if (!f->mass->bodies) return even_steps(self, rho, a, err);
    struct dls_arena scratch = dls_arena_scratch(a);
    double *D = DLS_NEW(&scratch, double, p->contacts);
    enum dls_status status = DLS_ENOMEM;
    if (D && dls_contact_bound(p, f->mass, D, &scratch)) status = DLS_OK;
    for (int i = 0; !status && i < p->m; i++) {
        if (!(D[i / p->d] > 0)) D[i / p->d] = 1; // moves nobody: no velocity, any step
        self->rho[i] = rho * (2 / D[i / p->d] + dls_acd2_stiffness(f, i));
    }
    dls_arena_free(&scratch);
    return status;
}

// The bound of uniqueness.c from a W made for it.
static enum dls_status find_bound(struct uzawa_acd2 *self, struct dls_arena *a,
                                  struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_delassus W;
    enum dls_status status = dls_delassus_build(&W, self->form->problem, &scratch, err);
    if (status == DLS_OK) self->bound = dls_uniqueness_bound(&W, &scratch);
    dls_arena_free(&scratch);
    return a->failed ? DLS_ENOMEM : status;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_acd2 *f = form;
    const struct dls_problem *p = f->problem;
    const struct uzawa_acd2_options *o = opt;
    struct uzawa_acd2 *self = *out = DLS_NEW(a, struct uzawa_acd2, 1);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct uzawa_acd2){
        .form = f,
        .loop = o->loop,
        .momentum = o->momentum,
        .inner = o->inner,
        .bound = NAN,
        .rho = DLS_NEW(a, double, p->m),
        .z = DLS_NEW(a, double, p->m),
        .u_z = DLS_NEW(a, double, p->m),
        .y = DLS_NEW(a, double, p->m),
        .u_y = DLS_NEW(a, double, p->m),
        .next = DLS_NEW(a, double, p->m),
        .u_next = DLS_NEW(a, double, p->m),
        .asked = DLS_NEW(a, double, p->contacts),
        .G = DLS_NEW(a, double, p->contacts),
    };
    if (a->failed) return DLS_ENOMEM;
    double rho = o->momentum ? fmin(o->rho, 1) : o->rho;
    enum dls_status status = find_steps(self, rho, a, err);
    if (status == DLS_OK && p->m <= BOUND_M) status = find_bound(self, a, err);
    return status;
}

// --- step ----------------------------------------------------------------------------

// Goes on from z without momentum.
static void restart(struct uzawa_acd2 *self)
{
    size_t bytes = (size_t)self->form->problem->m * sizeof *self->z;
    memcpy(self->y, self->z, bytes);
    memcpy(self->u_y, self->u_z, bytes);
    self->theta = 1;
    self->least = self->own;
    self->carried = 0;
}

// Moving thresholds can lead momentum round in a cycle. So its reach is halved where
// REACH iterations bring no better residual, by GAIN at least; a reach of 1 is the plain
// iteration.
static bool carried_far(struct uzawa_acd2 *self)
{
    bool better = self->own < (1 - GAIN) * self->best;
    self->since = better ? 0 : self->since + 1;
    if (better) self->best = self->own;
    if (self->since >= REACH && self->reach > 1) {
        self->reach /= 2;
        self->since = 0;
    }
    return ++self->carried >= self->reach;
}

// New thresholds from those that the law asks for; on the paths, contacts that stick
// keep no threshold at all.
static void freeze(struct uzawa_acd2 *self)
{
    int d = self->form->problem->d;
    for (int a = 0; a < self->form->problem->contacts; a++) {
        bool sticks = self->loop == PATHS && isinf(self->G[a])
                      && dls_norm(d - 1, self->z + a * d + 1) <= self->asked[a];
        if (!sticks) self->G[a] = self->asked[a];
    }
    self->first = -1;
    self->waited = 0;
    restart(self);
}

static void reset(void *data, const double *z)
{
    struct uzawa_acd2 *self = data;
    const struct dls_acd2 *f = self->form;
    memcpy(self->z, z, (size_t)f->problem->m * sizeof *z);
    dls_acd2_mean(f, self->z, self->u_z);
    dls_acd2_thresholds(f, self->z, self->u_z, self->asked);
    self->own = dls_acd2_defect(f, self->z, self->u_z, self->asked);
    self->best = self->own;
    self->since = 0;
    self->reach = REACH;
    freeze(self);
    bool stick = self->loop == PATHS && f->law.friction == DLS_ACD2_COULOMB;
    for (int a = 0; stick && a < f->problem->contacts; a++) self->G[a] = INFINITY;
}

static void tell(void *data, char *note, size_t room)
{
    const struct uzawa_acd2 *self = data;
    struct dls_acd2_verdict v = dls_acd2_judge(self->form, self->z, self->u_z);
    char unique[32] = "bound not available", pulls[20] = "";
    if (self->bound >= 0)
        snprintf(unique, sizeof unique, "bound %.3g: %s", self->bound,
                 self->bound < 1 ? "unique" : "above 1");
    if (v.pulls) snprintf(pulls, sizeof pulls, "; %d pull", v.pulls);
    // u_bar carries the error of z: ten times the own residual counts as zero.
    snprintf(note, room, "%s; Clausius-Duhem %s%s", unique,
             v.worst <= fmax(10 * self->own, 1e-12) ? "holds" : "violated", pulls);
}

// y <- z+ + beta (z+ - z), and z+ becomes z.
static void extrapolate(struct uzawa_acd2 *self)
{
    int m = self->form->problem->m;
    double square = self->theta * self->theta;
    double theta = 0.5 * (sqrt(square * square + 4 * square) - square);
    double beta = self->theta * (1 - self->theta) / (square + theta);
    if (!self->momentum) beta = 0;
    for (int i = 0; i < m; i++) {
        self->y[i] = self->next[i] + beta * (self->next[i] - self->z[i]);
        self->u_y[i] = self->u_next[i] + beta * (self->u_next[i] - self->u_z[i]);
    }
    double *z = self->z, *u = self->u_z;
    self->z = self->next, self->u_z = self->u_next;
    self->next = z, self->u_next = u;
    self->theta = theta;
}

// Thresholds of this iteration from the state after the last one.
static void renew(struct uzawa_acd2 *self)
{
    const struct dls_acd2 *f = self->form;
    if (self->loop == SINGLE) {
        dls_acd2_thresholds(f, self->y, self->u_y, self->G);
        return;
    }
    double defect = dls_acd2_defect(f, self->z, self->u_z, self->G);
    if (self->first < 0) self->first = defect;
    bool impatient = self->loop == PATHS && ++self->waited > PATIENCE;
    if (defect <= self->inner * self->first || impatient) freeze(self);
}

// (y - z+) . (z+ - z) > 0 in the metric of the steps: the update goes back on momentum.
static bool turns(const struct uzawa_acd2 *self)
{
    double sum = 0;
    for (int i = 0; i < self->form->problem->m; i++)
        sum +=
            (self->y[i] - self->next[i]) * (self->next[i] - self->z[i]) / self->rho[i];
    return sum > 0;
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct uzawa_acd2 *self = data;
    const struct dls_acd2 *f = self->form;
    renew(self);
    dls_acd2_update(f, self->rho, self->y, self->u_y, self->G, self->next);
    bool back = turns(self);
    dls_acd2_mean(f, self->next, self->u_next);
    work->products++;
    extrapolate(self);
    dls_acd2_thresholds(f, self->z, self->u_z, self->asked);
    self->own = dls_acd2_defect(f, self->z, self->u_z, self->asked);
    bool far = carried_far(self);
    if (back || far || self->own > GROWTH * self->least) restart(self);
    self->least = fmin(self->least, self->own);
    memcpy(z, self->z, (size_t)f->problem->m * sizeof *z);
    bool done = f->label && self->own <= fmax(work->tol, 1e-15);
    return done ? DLS_FINISHED : DLS_OK;
}

const struct dls_solver dls_solver_uzawa_acd2 = {
    .name = "uzawa-acd2",
    .brief = "Uzawa's iteration on the A-CD2 law of collisions, one factorisation",
    .use = "The A-CD2 law itself, which never creates energy.",
    .fails = "Files without the velocity before the step cannot be solved.",
    .cite = "DalPontDimnet2008",
    .takes = &dls_formulation_acd2,
    .options = uzawa_acd2_options,
    .options_size = sizeof(struct uzawa_acd2_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .tell = tell,
};
