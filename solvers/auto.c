// SPDX-License-Identifier: Apache-2.0
// Several solvers in turn, each as long as it pays.
//
//     anderson  ->  prox-newton  ->  homotopy  ->  nncg  ->  prox-newton  ->  homotopy  ->  ...
//
// the best iterate goes along; in large packings, where iterates linger,
//
//     anderson  ->  prox-newton  ->  schwarz  ->  prox-newton  ->  schwarz  ->  ...
//
// and where a cycle has led to a dead end, after the homotopy, three that go alone:
//
//     prox-newton from zero, later from random impulses  ->  lemke  ->  ipm
//
// Method. The methods fail for different reasons, and each removes what stops the next:
// sweeps repair the statuses of single contacts but stall on modes that span the structure;
// proximal Newton gives the last digits once those are nearly right; the homotopy needs no
// start and passes the folds at which both linger, but has no digits to spare in the end.
// Who enters when, with which patience, and what is left behind is the table of
// solvers/kernel/policy.c; here is how it is read.
//   1. Sweeps come in bursts, each a quarter of the sweeps done before, or as long as the
//      rate promises to need. They go on while their rate promises to cost less than
//      Newton's method would: `sweeps` more in small sets with m = n.
//   2. Another method starts from the best iterate so far. It goes on while the best residual
//      halves within its patience, counted in steps. Until a better start is found by
//      others, it waits. Near the tolerance proximal Newton and prox-local alternate as long
//      as they gain: what one cannot pass, the other can.
//   3. When the turn of a method is over, the next one takes over. Patience and sweeps grow
//      with every turn that a method has had; a method that does not take the problem is
//      left out. While a method is left, the run is not over. In hyperstatic sets proximal
//      Newton either ends soon or late: its first turn is short, unless the run starts from
//      given impulses, which are of no use to the homotopy. Where the homotopy slows down
//      near the tolerance, proximal Newton follows at once, from the best iterate, and
//      shortly again.
//   4. The best iterate may be a dead end: near it there is no answer, and every start from
//      it is in vain. So some members go alone: they start elsewhere, and go on where their
//      last turn ended. A turn of theirs is interrupted where they have not advanced in so
//      many factorisations, more with each turn; so what one of them would find alone takes
//      a bounded multiple of its factorisations, whatever the others do. Proximal Newton
//      begins again at random impulses when it stays where it is.
//   5. In a large packing whose bodies have few contacts, a first cycle may end short of the
//      tolerance. Then a few contacts stay near a solution that has vanished, and the
//      residual of all others follows them (schwarz.c). Patches then take the place of
//      sweeps. The first patch raises the residual.
//
// An iterate that solves the problem is shown to the driver at once, for the next step of
// proximal Newton may leave it again; every other step shows the best one.
//
// The number n of velocities comes from the file or from the pattern of W
// (formulations/velocities); it bounds the rank of W. Where m / n is large, factorisations
// are small (they are made in the velocities) and sweeps stall. What a factorisation costs in
// sweeps follows from m / n, and in large sets from the pattern of W: the more, the longer
// sweeps go on, and the shorter is the patience with what factors.
//
// Decisions depend on counts and residuals, so that two runs do the same. There is one
// exception: when sweeps have had their share of the time allowed, they give way unless they
// promise to end in the rest. The verdict remains the driver's.
//
// Cost: that of the methods used; `note` tells the seconds of each.
// Fails: where all of them do.
#include "solvers/kernel/members.h"

#include "formulations/identity.h"
#include "formulations/judge/residual.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct auto_options {
    int sweeps;
};

static const struct dls_option auto_options[] = {
    DLS_INT(
        auto_options, sweeps, 400, 1, 1e9,
        "Gauss-Seidel goes on while its rate promises the tolerance within this "
        "many sweeps, fewer where factorisations are cheap, more where they are dear"),
    {0},
};

struct auto_solver {
    const struct dls_problem *problem;
    struct auto_options opt;
    struct dls_arena *arena; // of the run
    struct dls_judge *judge; // of its own, or NULL
    struct dls_members members;
    double density; // m / n; NAN where unknown, 0 before anyone asked
    double factor;  // what a factorisation costs, in sweeps; 0 before anyone asked
    double start;   // time of the first step,
    double entered; // and of the first one of this turn
    const struct dls_work *work; // of the run
    double counted;              // seconds of the run that members have been given
    int worked;                  // the member of the last step
    double *best_r, best;        // the best iterate and its residual
    double *elsewhere;           // m: a start away from that
    int now;                     // the member at work
    bool entering;               // it has to be started from the best iterate
    int cycle;
    long burst, done; // sub-steps of the next step, and of this turn
    long factors;     // factorisations before this turn, or before its last advance
    bool lands;       // the homotopy has just ended near the tolerance,
    bool gains;       // or prox-local gained there: prox-newton comes next
    double found;     // the best residual before this turn; INFINITY once it was moved
    double mark;      // residual that has to be halved,
    int idle;         // steps since it was
    // The residual after so many sweeps of this turn: now, and at two moments before. The
    // rate is that since the earlier one, half to three quarters of the turn.
    struct auto_point {
        double sweeps, residual;
    } last, middle, early;
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct dls_problem *p = form;
    struct auto_solver *self = *out = DLS_NEW(a, struct auto_solver, 1);
    double *best_r = DLS_NEW(a, double, p->m), *elsewhere = DLS_NEW(a, double, p->m);
    if (a->failed) return DLS_ENOMEM;
    self->problem = p;
    self->opt = *(const struct auto_options *)opt;
    self->arena = a;
    self->members = (struct dls_members){.problem = p, .arena = a};
    self->best_r = best_r;
    self->elsewhere = elsewhere;
    return DLS_OK;
}

static void destroy(void *data)
{
    struct auto_solver *self = data;
    dls_members_destroy(&self->members);
    dls_judge_destroy(self->judge);
}

// --- turns ----------------------------------------------------------------------------

// The residual of r, by the judge of the run, or by one of its own where the run's judge has
// other cones.
static enum dls_status measure(struct auto_solver *self, const double *r,
                               struct dls_work *work, double *residual)
{
    struct dls_judge *judge = work->judge ? work->judge : self->judge;
    struct dls_error err;
    if (!judge) {
        enum dls_status status =
            dls_judge_create(&self->judge, self->problem, self->arena, &err);
        if (status != DLS_OK) return status;
        judge = self->judge;
    }
    *residual = dls_judge_natural(judge, r);
    return DLS_OK;
}

// Whether impulses are given.
static bool given(const double *r, int m)
{
    for (int k = 0; k < m; k++)
        if (r[k] != 0) return true;
    return false;
}

static void reset(void *data, const double *r)
{
    struct auto_solver *self = data;
    self->members.warm = given(r, self->problem->m);
    memcpy(self->best_r, r, (size_t)self->problem->m * sizeof *r);
    self->best = INFINITY;
    self->now = DLS_ANDERSON;
    self->cycle = 0;
    self->lands = self->gains = false;
    self->entering = true;
    self->start = NAN;
    dls_members_reset(&self->members);
}

static bool sweeps(const struct auto_solver *self)
{
    return !dls_policy[self->now].patience;
}

// Whether the first sweeps are not over, before which nothing is decided.
static bool quiet(const struct auto_solver *self)
{
    return sweeps(self) && !self->cycle && self->done < dls_rule.least_sweeps;
}

// Whether bodies are known to have few contacts.
static bool sparse(const struct auto_solver *self)
{
    return self->density > 0 && self->density <= dls_rule.dense;
}

static bool large_packing(const struct auto_solver *self)
{
    return self->problem->contacts >= dls_rule.large && sparse(self);
}

// Whether schwarz takes the place of the sweeps.
static bool by_patches(const struct auto_solver *self)
{
    return self->cycle > 0 && large_packing(self)
           && !self->members.all[DLS_SCHWARZ].out;
}

// Whether a residual is near the tolerance.
static bool near(const struct auto_solver *self, double residual)
{
    return residual < dls_rule.near * self->work->tol;
}

// Whether a member has no part in the present cycle: the column `enters` of the policy.
static bool apart(const struct auto_solver *self, int k)
{
    if (self->lands || self->gains) return k != DLS_PROX_NEWTON;
    if (k == DLS_SCHWARZ) return !by_patches(self);
    if (k == DLS_PROX_LOCAL)
        return !(self->density > dls_rule.hyperstatic && near(self, self->best));
    if (k == DLS_LEMKE && self->problem->contacts >= dls_rule.large) return true;
    if (dls_policy[k].alone) return large_packing(self);
    if (k == DLS_ANDERSON) return self->cycle > 0;
    return k == DLS_NNCG && (!self->cycle || by_patches(self));
}

// Whether a member could do no more than in its last turn: it starts from the best iterate,
// and hardly a better one was found since. In a large packing, where patches move the best
// iterate, a turn in vain makes it pass the next 1, 3, 7, ... times instead.
static bool waits(const struct auto_solver *self, int k)
{
    if (by_patches(self)) return self->members.all[k].skip > 0;
    double left = self->members.all[k].left; // NAN before the first turn
    return !dls_policy[k].alone && self->best > dls_rule.worth * left;
}

// Gives the turn to the next member; to one that waits where all do. False where all are
// out.
static bool pass(struct auto_solver *self)
{
    for (int n = 1; n <= 2 * DLS_MEMBERS; n++) {
        self->now = (self->now + 1) % DLS_MEMBERS;
        if (self->now == 0) self->cycle++;
        if (self->members.all[self->now].out || apart(self, self->now)) continue;
        struct dls_member *m = self->members.all + self->now;
        bool passes = n <= DLS_MEMBERS && waits(self, self->now);
        if (m->skip > 0) m->skip--;
        if (!passes) return self->entering = true;
    }
    return false;
}

// How a turn ends: by its limit, for want of progress, or because nothing is left to do.
enum ending { LIMITED, IDLE, FINISHED };

// Books the turn that is over.
static void book(struct auto_solver *self, enum ending ending)
{
    struct dls_member *m = self->members.all + self->now;
    const struct dls_policy *policy = dls_policy + self->now;
    m->left = self->best;
    m->turns++;
    m->penalty = self->best > dls_rule.worth * self->found ? 2 * m->penalty + 1 : 0;
    m->skip = m->penalty;
    m->afresh = policy->elsewhere && ending != LIMITED;
    m->out = policy->alone && !policy->elsewhere && ending == FINISHED;
}

// Where a member that goes alone begins: at zero, later at random impulses as large as the
// best ones.
static const double *draw(struct auto_solver *self, int turn)
{
    int m = self->problem->m;
    struct dls_rng g = dls_rng_seed(self->work->seed + (uint64_t)turn);
    double size = turn ? dls_norm(m, self->best_r) / sqrt(m) : 0;
    for (int k = 0; k < m; k++) self->elsewhere[k] = size * dls_rng_normal(&g);
    return self->elsewhere;
}

// Starts the member at work: from the best iterate, unless that is hardly better than where
// its last turn ended, or from where it goes alone.
static enum dls_status enter(struct auto_solver *self)
{
    struct dls_member *m = self->members.all + self->now;
    enum dls_status status = dls_members_make(&self->members, self->now);
    if (status != DLS_OK || m->out) return status;
    if (dls_policy[self->now].alone) {
        if (m->afresh) dls_nested_start(&m->solver, draw(self, m->turns));
    } else if (!(self->best >= (by_patches(self) ? 1 : dls_rule.worth) * m->left)) {
        dls_nested_start(&m->solver, self->best_r);
    }
    self->entering = false;
    self->entered = self->work->now;
    self->last = self->middle = self->early = (struct auto_point){0, self->best};
    self->burst = 1;
    self->done = 0;
    self->mark = dls_policy[self->now].own ? INFINITY : self->best;
    self->idle = 0;
    self->found = self->best;
    return DLS_OK;
}

// After the first step of schwarz, or a turn of the homotopy: its iterate is the best that
// counts from now on, for all.
static void move(struct auto_solver *self, const double *r, double residual)
{
    memcpy(self->best_r, r, (size_t)self->problem->m * sizeof *r);
    self->best = residual;
    self->found = INFINITY;
    for (int k = 0; k < DLS_MEMBERS; k++) self->members.all[k].left = NAN;
}

static void grow(struct auto_solver *self)
{
    long longest = dls_rule.longest_burst;
    long next = self->done / dls_rule.bursts + 1;
    self->burst = next < longest ? next : longest;
}

// What a factorisation costs in comparison with small sets, 1 or more.
static double dearness(const struct auto_solver *self)
{
    return fmax(1, self->factor / dls_rule.factor_sweeps);
}

// When sweeps will have had their share of the time allowed.
static double share_ends(const struct auto_solver *self, const struct dls_work *work)
{
    return self->start + dls_rule.share * (work->deadline - self->start);
}

// The residual after all sweeps of this turn so far.
static void note_residual(struct auto_solver *self, double residual)
{
    self->last = (struct auto_point){(double)self->done, residual};
    if (self->last.sweeps >= 2 * self->middle.sweeps) {
        self->early = self->middle;
        self->middle = self->last;
    }
}

// How many more sweeps the rate of the last ones promises to need.
static double needed(const struct auto_solver *self, const struct dls_work *work)
{
    double sweeps = self->last.sweeps - self->early.sweeps;
    double rate = log(self->early.residual / self->last.residual) / sweeps;
    return rate > 0 && isfinite(rate) ? log(self->last.residual / work->tol) / rate
                                      : INFINITY;
}

// What sweeps make at least, two factorisations of a small set.
static double fewest_sweeps(const struct auto_solver *self)
{
    return dearness(self)
           * (self->cycle ? dls_rule.later_sweeps : dls_rule.least_sweeps);
}

// What Newton's method costs, in sweeps: to set it up, and some factorisations.
static double newton_sweeps(double factor)
{
    return dls_rule.set_up_sweeps + dls_rule.newton_factors * factor;
}

// The factor of what a member may do in this turn.
static double growth(const struct auto_solver *self)
{
    return pow(dls_rule.growth, self->members.all[self->now].turns);
}

// What sweeps may promise to need, so that they cost less than Newton's method would.
static double most_sweeps(const struct auto_solver *self)
{
    double cost = newton_sweeps(self->factor) / newton_sweeps(dls_rule.factor_sweeps);
    return cost * self->opt.sweeps * growth(self);
}

// Whether sweeps should go on after a burst. They end with the second burst in a row that
// promises no end; beyond their share of the time, with the first that promises none in the
// rest of it.
static bool promises(struct auto_solver *self, const struct dls_work *work)
{
    double ahead = needed(self, work), now = dls_clock();
    double one = (now - self->entered) / (double)self->done;
    if (now > share_ends(self, work)) return ahead * one < work->deadline - now;
    if ((double)self->done < fewest_sweeps(self)) return true;
    self->idle = ahead < most_sweeps(self) ? 0 : self->idle + 1;
    return self->idle < 2;
}

// Whether prox-newton has a short turn: in a hyperstatic set, before the homotopy, or where
// that lands.
static bool in_short(const struct auto_solver *self)
{
    const struct dls_member *homotopy = self->members.all + DLS_HOMOTOPY;
    bool first = !self->members.warm && !homotopy->out && !homotopy->turns;
    return self->now == DLS_PROX_NEWTON && self->density > dls_rule.hyperstatic
           && (first || self->lands);
}

// Whether the homotopy, in this turn, has come near the tolerance.
static bool arrives(const struct auto_solver *self)
{
    return self->now == DLS_HOMOTOPY && near(self, self->mark);
}

// Whether prox-newton is there and has a better start than it had.
static bool has_a_start(const struct auto_solver *self)
{
    return !self->members.all[DLS_PROX_NEWTON].out && !waits(self, DLS_PROX_NEWTON);
}

// Whether the member at work should go on after a step that ended with this residual.
static bool pays(struct auto_solver *self, double residual, const struct dls_work *work)
{
    if (!isfinite(residual)) return false;
    if (sweeps(self)) {
        note_residual(self, residual);
        grow(self);
        return promises(self, work);
    }
    self->idle++;
    if (residual <= dls_rule.halved * self->mark) self->mark = residual, self->idle = 0;
    double patience = dls_policy[self->now].patience;
    if (arrives(self)) patience = dls_rule.near_patience;
    if (sparse(self) && self->now != DLS_SCHWARZ)
        patience /= dearness(self);
    else if (in_short(self))
        patience = work->factorisations - self->factors < dls_rule.short_factors
                       ? dls_rule.short_patience
                       : 0;
    else if (self->now == DLS_PROX_NEWTON)
        patience *= dls_rule.eager; // the homotopy needs few factorisations
    if (!by_patches(self)) patience *= growth(self);
    return self->idle < patience;
}

// Whether this turn has had its factorisations since it began, or since it advanced.
static bool is_limited(const struct auto_solver *self, const struct dls_work *work)
{
    double limit = dls_policy[self->now].limit * growth(self);
    return limit > 0 && (double)(work->factorisations - self->factors) >= limit;
}

// Runs the member for a burst, sweeps to the end of their share at most; the iterate comes
// out in r.
static enum dls_status run(struct auto_solver *self, double *r, struct dls_work *work)
{
    struct dls_member *m = self->members.all + self->now;
    double deadline = work->deadline, end = share_ends(self, work);
    if (sweeps(self) && work->now < end) work->deadline = end;
    long before = m->solver.steps, advances = work->advances;
    enum dls_status status = dls_nested_run(&m->solver, self->burst, work);
    self->done += m->solver.steps - before;
    if (dls_policy[self->now].alone && work->advances > advances)
        self->factors = work->factorisations;
    work->deadline = deadline;
    dls_nested_lift(&m->solver, r);
    return status;
}

// Gives the member of the last step the seconds since this was last asked: the driver reads
// the clock before and after each step.
static void count_seconds(struct auto_solver *self)
{
    if (!self->work) return;
    self->members.all[self->worked].seconds += self->work->spent - self->counted;
    self->counted = self->work->spent;
}

static void tell(void *data, char *note, size_t room)
{
    struct auto_solver *self = data;
    count_seconds(self);
    size_t used = dls_members_tell(&self->members, note, room);
    if (self->density > 0 && used < room)
        snprintf(note + used, room - used, "; m/n %.2g", self->density);
}

// Enters the next member that takes the problem.
static enum dls_status find_member(struct auto_solver *self)
{
    while (self->entering) {
        enum dls_status status = enter(self);
        if (status != DLS_OK) return status;
        if (self->entering && !pass(self)) return DLS_UNSUPPORTED;
    }
    return DLS_OK;
}

// m / n, and what a factorisation costs: asked for when there is something to decide.
static enum dls_status know(struct auto_solver *self)
{
    if (self->density != 0) return DLS_OK;
    enum dls_status status = dls_members_density(&self->members, &self->density);
    if (status == DLS_OK)
        status = dls_members_factor(&self->members, self->density, &self->factor);
    return status;
}

// Before a burst of the first turn nobody but the driver has measured: what it saw may end
// the burst where the rate promises the tolerance.
static void aim(struct auto_solver *self, const struct dls_work *work)
{
    if (!sweeps(self)) return;
    if (quiet(self)) note_residual(self, work->judged);
    if (!self->done) self->early = self->middle = self->last;
    double ahead = ceil(needed(self, work));
    if (ahead < (double)self->burst) self->burst = ahead > 1 ? (long)ahead : 1;
}

// After a step that ended with this residual: the best iterate, and who comes next.
static enum dls_status decide(struct auto_solver *self, const double *r,
                              double residual, enum dls_status status,
                              const struct dls_work *work)
{
    enum dls_leaves leaves = dls_policy[self->now].leaves;
    if (leaves == DLS_LEAVES_START && self->done == 1) {
        move(self, r, residual);
    } else if (residual < self->best) {
        self->best = residual;
        memcpy(self->best_r, r, (size_t)self->problem->m * sizeof *r);
    }
    if (know(self) != DLS_OK) return DLS_ENOMEM;
    bool goes_on = pays(self, residual, work), limited = is_limited(self, work);
    if (goes_on && !limited && status == DLS_OK) return DLS_OK;
    self->lands = arrives(self) && has_a_start(self);
    self->gains = self->now == DLS_PROX_LOCAL && has_a_start(self);
    if (leaves == DLS_LEAVES_LAST && !self->lands && !limited) move(self, r, residual);
    book(self, status != DLS_OK ? FINISHED : limited ? LIMITED : IDLE);
    return pass(self) ? DLS_OK : DLS_STALLED;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct auto_solver *self = data;
    if (isnan(self->start)) self->start = work->now, self->counted = work->spent;
    self->work = work;
    count_seconds(self);
    enum dls_status status = find_member(self);
    if (status != DLS_OK) return status;
    self->worked = self->now;
    if (!self->done) self->factors = work->factorisations;
    work->advances++; // there is always another one to try
    aim(self, work);
    status = run(self, r, work);
    if (status == DLS_ENOMEM) return status;
    if (quiet(self) && status == DLS_OK)
        return grow(self), DLS_OK; // no decision yet: the judge's time is saved
    double residual;
    enum dls_status measured = measure(self, r, work, &residual);
    if (measured != DLS_OK) return measured;
    status = decide(self, r, residual, status, work);
    memcpy(r, self->best_r, (size_t)self->problem->m * sizeof *r);
    work->check = self->best <= work->tol;
    return status;
}

const struct dls_solver dls_solver_auto = {
    .name = "auto",
    .brief = "Gauss-Seidel, proximal Newton, homotopy and patches in turn",
    .use = "When you want the answer and do not care which method finds it. The note "
           "of a run tells which methods worked, and how long.",
    .fails = "Thousands of contacts of which many slip may take more than a minute.",
    .cite = "Acary2018",
    .takes = &dls_formulation_problem,
    .options = auto_options,
    .options_size = sizeof(struct auto_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .tell = tell,
    .destroy = destroy,
};
