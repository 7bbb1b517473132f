// SPDX-License-Identifier: Apache-2.0
// The central path of Coulomb's law, followed through its folds.
//
//     y = W x + q + s(y) e_N - theta rho_0,    x o y = nu e,     nu -> 0
//
// Notation: that of solvers/kernel/central_path.c, which has Newton's step; the path starts at
// x = y = 30 e.
//
// Method [AllgowerGeorg1990, chapters 2, 5, 6; KelleyKeyes1998; the cones Acary2024]
//   1. For nu > 0 everything is smooth, at nu = 0 stands Coulomb's law. With a frozen shift
//      there would be one point for every nu. With the shift s(y) the law is not monotone,
//      and the path folds: nu has to rise for a while before it can fall further.
//   2. Flow. At a fixed nu, x moves with
//        (W + S Theta) dx = S T^-1 c - rest,   dy = T^-1 c - T^-2 dx,    S = I - e_N g^T,
//        Theta = (1 + alpha) T^-2 + alpha omega I,    lambda o c = nu e - lambda o lambda,
//      Newton's step for alpha = 0, else an implicit step of length 1 / alpha of the flow
//      S (T^-2 + omega I) dx/dt = -rest. The flow rests at points of the path and nowhere
//      else. Past a fold, a few contacts have lost their point of rest; the flow carries
//      these to the next one and hardly moves the others. alpha is raised until
//      det(W + S Theta) > 0, since dx points the wrong way otherwise, and after steps that
//      had to be cut; after other steps it falls. Which points of rest attract depends on
//      omega: where the flow does not come to rest within `patience` steps, it starts again
//      with the next of 0.1, 1, 0.01, 10.
//      Where W has a large null space, the impulses in it creep for hundreds of steps, and no
//      velocity depends on them. A larger alpha holds them back, and the flow counts as
//      resting when only such creep is left. At a fold that would hold back what has to
//      move; so it is kept until a fold shows.
//      Until then steps are bent, too. Where a contact slips, x and y lie next to the
//      boundaries of their cones. When the slip turns, a straight step leaves the cone
//      after an angle of the order of sqrt(nu), and a handful of such contacts cuts the
//      steps of all. A bent step ends at the pair with x o y = nu e that belongs to the
//      same x - rho y, contact by contact, however far the straight one would go. All
//      that is left of its error is in the rest. One more solve with the same factors
//      tells the step that would follow [Deuflhard2004, section 3.3]: where that is no
//      shorter in the mean of the contacts, the step is halved. Where bent steps do not come
//      to rest, the path is begun again with straight ones.
//   3. At rest nu is lowered, by more after few steps and by less after many.
//   4. Path. Where no omega leads to rest, the path is followed from the last point of rest,
//      with p as one more unknown. With Newton's step a at fixed p, and with b, the change
//      of x and y with p, the shortest correction is a + dp b, dp = -<a, b> / <b, b>.
//      Lengths are relative to the point: |T^-1 dx|^2 + |T dy|^2 over nu, mean of the
//      contacts, plus dp^2. The tangent is -sign(det A) (b, 1), A = W + S T^-2: det A
//      changes its sign at a fold, so that the tangent never leads back where the path came
//      from, however sharp the fold. Beyond each fold that lies lower than all before, the
//      flow is tried again.
//
// The numbers behind all this, each with its reason: solvers/kernel/path_policy.c.
//
// Cost: a factorisation a step of the flow, two a step of the path; 30 to 60 without folds,
// some hundred on hyperstatic walls.
// Fails: where the folds are too many. A start other than its own is of no use to it.
#include "solvers/kernel/central_path.h"
#include "solvers/kernel/path_policy.h"
#include "solvers/solver.h"

#include "formulations/socp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct homotopy_options {
    int patience;
};

static const struct dls_option homotopy_options[] = {
    DLS_INT(homotopy_options, patience, 600, 2, 1e9,
            "steps for the flow to come to rest in one metric"),
    {0},
};

struct homotopy {
    struct homotopy_options opt;
    struct dls_central_path path;
    struct dls_path_point at, trial; // the last one on the path, and what may be next
    struct dls_path_point along;     // the tangent, of length 1
    struct dls_path_point a, b;   // Newton's step, and what p changes or what follows
    struct dls_path_point bent;   // the end of a bent step
    size_t size;                  // of x in bytes
    bool started, flows, tangent; // flows at trial, or follows; along is that of at
    bool stuck;                   // the path ended here, and the flow is tried instead
    double patience;              // steps for it to come to rest
    double alpha, fall;           // of the flow
    bool redundant;               // the null space of W is large
    bool smooth;                  // it is, and no fold has shown so far
    bool bends;                   // its steps are bent; only while smooth
    bool rest_known;              // at trial, by the step before
    double whole;       // length of the last straight step, if whole, else INFINITY
    int steps, full;    // of the flow at this nu; uncut ones in a row
    int metric, tried;  // of metrics; how many did not lead to rest
    double h;           // length of the next step of the path
    double least, next; // p: the least so far, and below which the flow is tried again
    long followed, folds; // steps and folds of the path
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_socp *f = form;
    struct homotopy *self = *out = DLS_NEW(a, struct homotopy, 1);
    size_t m = (size_t)f->m;
    double *vectors = DLS_NEW(a, double, 12 * m);
    if (a->failed) return DLS_ENOMEM;
    self->opt = *(const struct homotopy_options *)opt;
    self->size = m * sizeof *vectors;
    self->redundant = f->M && f->m > dls_flow_rule.redundant * f->M->rows;
    struct dls_path_point *to[] = {&self->at, &self->trial, &self->along,
                                   &self->a,  &self->b,     &self->bent};
    for (size_t k = 0; k < 6; k++) {
        to[k]->x = vectors + 2 * k * m;
        to[k]->y = vectors + (2 * k + 1) * m;
    }
    return dls_central_path_create(&self->path, f, a, err);
}

static void destroy(void *data)
{
    struct homotopy *self = data;
    dls_central_path_destroy(&self->path);
}

// to <- from
static void copy(const struct homotopy *self, const struct dls_path_point *from,
                 struct dls_path_point *to)
{
    memcpy(to->x, from->x, self->size);
    memcpy(to->y, from->y, self->size);
    to->p = from->p;
}

// --- the path -------------------------------------------------------------------------

// The shortest correction of the trial point. Returns its length at the contact where it is
// longest, or its dp where that is longer; INFINITY where there is none.
static double correction(struct homotopy *self, struct dls_work *work)
{
    struct dls_central_path *path = &self->path;
    struct dls_path_point *a = &self->a, *b = &self->b;
    double nu = dls_central_path_nu(path, &self->trial), largest;
    work->products++;
    if (!dls_central_path_look(path, &self->trial)
        || !dls_central_path_factor(path, 0, 0, work)
        || !dls_central_path_direct(path, nu, true, b, work)
        || !dls_central_path_direct(path, nu, false, a, work))
        return INFINITY;
    a->p = 0;
    b->p = 1;
    double dp = -dls_central_path_inner(path, a, b, nu, NULL)
                / (dls_central_path_inner(path, b, b, nu, NULL) + 1);
    dls_central_path_move(path, a, dp, b, a);
    dls_central_path_inner(path, a, a, nu, &largest);
    return fmax(sqrt(largest), fabs(dp));
}

// The trial point becomes the present one; a lower one than ever is an advance.
static void settle(struct homotopy *self, struct dls_work *work)
{
    struct dls_path_point next = self->trial;
    self->trial = self->at;
    self->at = next;
    self->tangent = self->stuck = false;
    self->metric = self->tried = 0;
    work->advances += next.p < self->least;
    self->least = fmin(self->least, next.p);
}

// Settles at the trial point, and finds the tangent there from b and the sign of the
// determinant in the last correction.
static void accept(struct homotopy *self, bool counts, struct dls_work *work)
{
    const struct dls_path_point *b = &self->b;
    double nu = dls_central_path_nu(&self->path, &self->trial);
    double root = sqrt(dls_central_path_inner(&self->path, b, b, nu, NULL) + 1);
    double before = self->along.p, t = -self->path.sign / root;
    settle(self, work);
    memset(self->along.x, 0, self->size);
    memset(self->along.y, 0, self->size);
    self->along.p = 0;
    dls_central_path_move(&self->path, &self->along, t, b, &self->along);
    self->tangent = true;
    self->folds += counts && before * t < 0;
}

// Corrects the trial point; returns how many corrections that took, 0 where it failed.
static int correct(struct homotopy *self, bool damped, struct dls_work *work)
{
    double before = INFINITY;
    int most = damped ? dls_path_rule.damped_corrections : dls_path_rule.corrections;
    for (int n = 1; n <= most && !dls_work_expired(work); n++) {
        double size = correction(self, work), t = 1;
        if (!isfinite(size)) return 0;
        double way = dls_central_path_reach(&self->path, &self->trial, &self->a);
        if (damped)
            t = fmin(fmin(1, dls_flow_rule.damping * way), 1 / fabs(self->a.p));
        else if ((size > dls_path_rule.contracting * before
                  && size > dls_path_rule.small)
                 || way < dls_path_rule.room)
            return 0;
        dls_central_path_move(&self->path, &self->trial, t, &self->a, &self->trial);
        if (size < dls_path_rule.small
            || (size < dls_path_rule.fair && size < dls_path_rule.fair * before))
            return n;
        before = size;
    }
    return 0;
}

// The tangent at a point where the flow came to rest.
static bool find_tangent(struct homotopy *self, struct dls_work *work)
{
    copy(self, &self->at, &self->trial);
    if (!isfinite(correction(self, work))) return false;
    accept(self, false, work);
    self->h = dls_path_rule.first_step;
    return true;
}

// The next point along the path: the step is shortened where corrections fail; where that
// does not help, damped ones are made from further and further away.
static bool follow(struct homotopy *self, struct dls_work *work)
{
    if (!self->tangent && !find_tangent(self, work)) return false;
    double room = dls_path_rule.to_boundary
                  * dls_central_path_reach(&self->path, &self->at, &self->along);
    for (int n = 0;
         n < dls_path_rule.shortenings + dls_path_rule.leaps && !dls_work_expired(work);
         n++) {
        bool leaps = n >= dls_path_rule.shortenings;
        if (n == dls_path_rule.shortenings) self->h = dls_path_rule.leap;
        self->h = fmin(self->h, room);
        dls_central_path_move(&self->path, &self->at, self->h, &self->along,
                              &self->trial);
        int taken = correct(self, leaps, work);
        if (taken) {
            accept(self, true, work);
            self->h *= taken <= 2   ? dls_path_rule.quick
                       : taken == 3 ? dls_path_rule.fair_pace
                                    : dls_path_rule.slow_pace;
            if (leaps) self->h = dls_path_rule.after_leap;
            self->followed++;
            return true;
        }
        self->h *= leaps ? dls_path_rule.leap_grows : dls_path_rule.shorten;
    }
    return false;
}

// --- the flow -------------------------------------------------------------------------

// Starts at the present point with a smaller nu.
static void start_flow(struct homotopy *self, double p)
{
    copy(self, &self->at, &self->trial);
    self->trial.p = p;
    self->rest_known = false; // it depends on nu
    self->flows = true;
    self->alpha = dls_flow_rule.first_alpha;
    self->steps = self->full = 0;
    self->whole = INFINITY;
}

// Lowers nu where the trial point rests.
static void lower(struct homotopy *self, struct dls_work *work)
{
    double p = self->trial.p;
    settle(self, work);
    if (self->steps <= dls_flow_rule.few)
        self->fall = fmax(dls_flow_rule.least_fall, dls_flow_rule.faster * self->fall);
    else if (self->steps > dls_flow_rule.many)
        self->fall = fmin(dls_flow_rule.most_fall, dls_flow_rule.slower * self->fall);
    double alpha = self->alpha;
    start_flow(self, p + log(self->fall));
    self->alpha = alpha;
}

static double least_alpha(const struct homotopy *self)
{
    if (self->full > dls_flow_rule.full) return dls_flow_rule.drift_alpha;
    if (!self->smooth) return dls_flow_rule.least_alpha;
    double root = sqrt(dls_central_path_nu(&self->path, &self->trial));
    return fmax(dls_flow_rule.smooth_least, fmin(dls_flow_rule.smooth_alpha, root));
}

// A step as it was made: the share of it, its length where it is longest, and whether the
// flow rests after it.
struct stride {
    double t, size;
    bool rests;
};

// Straight, and cut before the boundary of the cones.
static struct stride step_straight(struct homotopy *self, double nu)
{
    struct dls_central_path *path = &self->path;
    double largest;
    dls_central_path_inner(path, &self->a, &self->a, nu, &largest);
    double size = sqrt(largest);
    double way = dls_central_path_reach(path, &self->trial, &self->a);
    double t = fmin(1, fmin(dls_flow_rule.damping * way, dls_flow_rule.longest / size));
    dls_central_path_move(path, &self->trial, t, &self->a, &self->trial);
    bool creeps = self->smooth && t == 1 && size < dls_flow_rule.creep
                  && size > dls_flow_rule.slow * self->whole;
    self->whole = t == 1 ? size : INFINITY;
    return (struct stride){t, size, size < dls_flow_rule.at_rest || creeps};
}

// Bent; after the first one at this nu, halved where the next one would be no shorter. False
// where the algebra failed.
static bool step_bent(struct homotopy *self, double nu, struct stride *out,
                      struct dls_work *work)
{
    struct dls_central_path *path = &self->path;
    struct dls_path_point *follows = &self->b;
    double largest, mean, next = 0, next_largest = 0, t = 1;
    mean = sqrt(dls_central_path_inner(path, &self->a, &self->a, nu, &largest));
    for (int n = 0;; n++, t *= 0.5) {
        dls_central_path_bend(path, &self->trial, t, &self->a, &self->bent);
        if (!self->steps) break;
        dls_central_path_rest(path, &self->bent);
        work->products++;
        if (!dls_central_path_direct(path, nu, false, follows, work)) return false;
        next = sqrt(dls_central_path_inner(path, follows, follows, nu, &next_largest));
        if (next < fmax(mean, dls_flow_rule.within) || n == dls_flow_rule.halvings)
            break;
    }
    struct dls_path_point before = self->trial;
    self->trial = self->bent;
    self->bent = before;
    self->rest_known = self->steps > 0;
    bool creeps = next <= mean && next > dls_flow_rule.slow * mean
                  && mean < dls_flow_rule.bent_creep;
    bool rests = sqrt(next_largest) < dls_flow_rule.at_rest || creeps;
    *out = (struct stride){t, sqrt(largest), self->steps && t == 1 && rests};
    return true;
}

// Factors at the trial point, with the alpha of the flow or the next larger one whose
// determinant is positive. False where there is none.
static bool factor_flow(struct homotopy *self, double *alpha, struct dls_work *work)
{
    struct dls_central_path *path = &self->path;
    *alpha = self->alpha;
    for (path->sign = 0; path->sign <= 0;) {
        if (path->sign < 0) {
            *alpha = dls_flow_rule.raise * *alpha + dls_flow_rule.raise_least;
            self->smooth = self->bends = false;
        }
        double beta = dls_flow_rule.omega[self->metric] * *alpha;
        if (*alpha > dls_flow_rule.most_alpha
            || !dls_central_path_factor(path, *alpha, beta, work))
            return false;
    }
    return true;
}

// The start of the path; steps of the flow are bent or straight.
static bool start(struct homotopy *self, bool bends)
{
    self->least = self->next = 0;
    self->fall = dls_flow_rule.first_fall;
    self->patience = self->opt.patience;
    self->followed = self->folds = 0;
    self->tangent = self->stuck = false;
    self->smooth = self->redundant;
    self->bends = bends && self->redundant;
    self->metric = self->tried = 0;
    self->started =
        dls_central_path_start(&self->path, dls_flow_rule.distance, &self->at);
    start_flow(self, log(dls_flow_rule.first_fall));
    return self->started;
}

// A step of the flow; false where the algebra failed.
static bool flow(struct homotopy *self, struct dls_work *work)
{
    struct dls_central_path *path = &self->path;
    double nu = dls_central_path_nu(path, &self->trial), alpha;
    struct stride made;
    if (!self->rest_known) dls_central_path_rest(path, &self->trial), work->products++;
    self->rest_known = false;
    if (!dls_central_path_scale(path, &self->trial)) return false;
    if (!factor_flow(self, &alpha, work)
        || !dls_central_path_direct(path, nu, false, &self->a, work))
        return false;
    self->a.p = 0;
    if (!self->bends)
        made = step_straight(self, nu);
    else if (!step_bent(self, nu, &made, work))
        return false;
    if (++self->steps > dls_flow_rule.smooth_steps) self->smooth = false;
    bool rests = made.rests && alpha < dls_flow_rule.free_alpha;
    alpha *= made.t < dls_flow_rule.cut     ? dls_flow_rule.doubled
             : made.t == 1 && made.size < 1 ? dls_flow_rule.whole
                                            : dls_flow_rule.halved;
    self->full = made.t == 1 ? self->full + 1 : 0;
    self->alpha = fmax(least_alpha(self), alpha);
    if (rests)
        lower(self, work);
    else if (self->bends && self->steps > dls_flow_rule.bent_steps)
        return start(self, false);
    return true;
}

// --- steps ----------------------------------------------------------------------------

static void reset(void *data, const double *z)
{
    (void)z;
    struct homotopy *self = data;
    self->started = false;
}

// Flows or follows, and decides which comes next.
static void advance(struct homotopy *self, struct dls_work *work)
{
    if (self->flows) {
        if (flow(self, work) && self->steps < self->patience) return;
        self->metric = (self->metric + 1) % DLS_METRICS;
        self->flows = ++self->tried % DLS_METRICS != 0;
        if (self->flows)
            start_flow(self, self->trial.p);
        else
            self->next = self->least + log(dls_path_rule.again);
        return;
    }
    bool stuck = !follow(self, work);
    if (stuck && self->stuck) self->patience *= 2;
    self->stuck = stuck;
    if (stuck || (self->along.p > 0 && self->least < self->next))
        start_flow(self, self->least + log(dls_path_rule.below));
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct homotopy *self = data;
    if (!self->size) return DLS_FINISHED;
    if (!self->started && !start(self, true)) return DLS_STALLED;
    advance(self, work);
    if (self->path.system.linear.out_of_memory) return DLS_ENOMEM;
    const struct dls_path_point *now = self->flows ? &self->trial : &self->at;
    memcpy(z, now->x, self->size);
    snprintf(work->note, sizeof work->note, "nu %.1e; %ld steps and %ld folds followed",
             dls_central_path_nu(&self->path, &self->at), self->followed, self->folds);
    if (self->patience > dls_flow_rule.most_patience) return DLS_STALLED;
    return dls_central_path_nu(&self->path, &self->at) < dls_flow_rule.least_nu
               ? DLS_FINISHED
               : DLS_OK;
}

const struct dls_solver dls_solver_homotopy = {
    .name = "homotopy",
    .brief = "the central path of Coulomb's law, by a flow and through its folds",
    .use = "Hyperstatic walls with much slip: 30 to 60 factorisations where the path "
           "has no folds, hundreds where other methods never end. It needs no start.",
    .fails =
        "In large packings its factors fill in; the paths of the largest walls have "
        "too many folds.",
    .cite = "AllgowerGeorg1990",
    .takes = &dls_formulation_socp,
    .options = homotopy_options,
    .options_size = sizeof(struct homotopy_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
