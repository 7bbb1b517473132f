// SPDX-License-Identifier: Apache-2.0
// Several solvers in turn, each as long as it pays.
//
//     nncg  ->  prox-newton  ->  homotopy  ->  nncg  ->  ...  the best iterate goes along
//
// and in large packings, where iterates linger,
//
//     nncg  ->  prox-newton  ->  schwarz  ->  prox-newton  ->  schwarz  ->  ...
//
// Method. The first three methods fail for different reasons, and each removes what stops
// the next: sweeps repair the statuses of single contacts but stall on modes that span the
// structure; proximal Newton gives the last digits once those are nearly right; the
// homotopy needs no start and passes the folds at which both linger, but has no digits
// to spare in the end.
//   1. Gauss-Seidel, accelerated (nncg) where the contacts do not roll, in bursts that grow
//      by a quarter of what was done. It goes on while the rate of the last burst promises
//      the tolerance within `sweeps` more.
//   2. Another method starts from the best iterate so far, or where it was itself if nobody
//      has found a better one since, and goes on while the best residual halves within its
//      patience, counted in steps.
//   3. When it is over, the next one takes over; patience and sweeps grow by half with
//      every cycle, as long as the same methods repeat. A turn that gained nothing makes
//      a method pass the next 1, 3, 7, ... times; one that does not admit the problem is
//      left out.
//   4. The homotopy is asked to halve its own residual, which starts above that of the
//      others, and never starts again: where its turn ended the next one goes on. Once
//      its residual is near the end its patience is short. What it leaves, better or
//      worse, is where the others start. In large packings its factors are too dear;
//      where m / n is large they are small and it goes before proximal Newton.
//   5. Where bodies have few contacts and all this ends short of the tolerance, contacts
//      near a solution that does not exist hold the iterates back (schwarz.c). In large
//      problems schwarz takes the place of the sweeps from the second cycle on. It starts
//      by making things worse, so it too is asked to halve its own residual, and the best
//      of its turn is where the others start.
//
// What sweeps may cost depends on what the alternative costs. The pattern of W tells the
// number of bodies (formulations/velocities/body_graph.c) and so the velocities n, a bound of the rank
// of W. Where m / n is large the others factor small matrices and sweeps stall; elsewhere a
// factorisation costs the more sweeps the larger the problem is, and patience is shorter.
//
// Decisions depend on counts and residuals, so that two runs do the same, with one
// exception: when half of the time allowed is spent, sweeps give way unless they promise
// to end in the rest. The residual is that of a judge of its own, the verdict remains the
// driver's. Formulations and solvers are made when they are first needed and shared where
// two take the same.
//
// Cost: that of the methods used; `note` tells the seconds of each.
// Fails: where all of them do.
#include "solvers/solver.h"

#include "formulations/delassus.h"
#include "formulations/identity.h"
#include "formulations/judge/residual.h"
#include "formulations/velocities/body_graph.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NNCG, PGS, SCHWARZ, PROX_NEWTON, HOMOTOPY, MEMBERS };

static const char *const names[MEMBERS] = {"nncg", "pgs", "schwarz", "prox-newton",
                                           "homotopy"};
static const int first_patience[MEMBERS] = {1, 1, 20, 100, 600};
enum { SHORT_PATIENCE = 40 };   // of the homotopy once it is near the end:
static const double near = 100; // tolerances
enum { LARGE = 1000 };          // contacts from which a patch is a small part
enum { QUIET_SWEEPS = 100, LEAST_SWEEPS = 300, LATER_SWEEPS = 1000 };
enum { LONGEST_BURST = 3000 };
static const double worth = 0.9; // a turn that gains less was in vain
static const double dense = 1.6; // m / n above which velocities are the lesser unknowns
static const double hyperstatic = 3; // m / n above which the homotopy comes first
static const double share = 0.5;     // of the time allowed for sweeps
static const double growth = 1.5;    // of patience with every cycle
static const double eager = 0.3; // of patience with prox-newton where m / n is large

struct auto_options {
    int sweeps;
};

static const struct dls_option auto_options[] = {
    DLS_INT(auto_options, sweeps, 4000, 1, 1e9,
            "Gauss-Seidel goes on while it promises to need fewer than these"),
    {0},
};

struct member {
    const struct dls_solver *solver;
    void *form, *self;
    bool shares; // the formulation belongs to another member
    bool created;
    bool out;          // not for this problem
    int penalty, skip; // turns it passes after one that was in vain, and those left
    double left;       // the best residual when its last turn ended; NAN before that
    double *z;
    double seconds;
};

struct auto_solver {
    const struct dls_problem *problem;
    struct auto_options opt;
    struct dls_arena *arena; // of the run: members are made when first needed
    struct dls_judge *judge;
    struct member member[MEMBERS];
    double density;       // m / n; NAN where unknown, 0 before anyone asked
    double start;         // time of the first step, and
    double entered;       // of the first one of this turn
    double *best_r, best; // the best iterate and its residual
    int now;              // the member at work
    bool entering;        // it has to be started from the best iterate
    int cycle;
    long burst, done; // sub-steps of the next step, and of this turn
    double found;     // the best residual before this turn
    double mark;      // residual that has to be halved,
    int idle;         // steps since it was
};

// --- members --------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct dls_problem *p = form;
    struct auto_solver *self = *out = DLS_NEW(a, struct auto_solver, 1);
    double *best_r = DLS_NEW(a, double, p->m);
    if (a->failed) return DLS_ENOMEM;
    self->problem = p;
    self->opt = *(const struct auto_options *)opt;
    self->arena = a;
    self->best_r = best_r;
    return DLS_OK;
}

static void destroy(void *data)
{
    struct auto_solver *self = data;
    for (int k = 0; k < MEMBERS; k++) {
        struct member *m = self->member + k;
        if (m->self && m->solver->destroy) m->solver->destroy(m->self);
    }
    for (int k = 0; k < MEMBERS; k++) {
        struct member *m = self->member + k;
        if (m->form && !m->shares && m->solver->takes->destroy)
            m->solver->takes->destroy(m->form);
    }
    dls_judge_destroy(self->judge);
}

static void *defaults(const struct dls_option *table, size_t size, struct dls_arena *a)
{
    void *opt = DLS_NEW(a, char, size);
    if (opt) dls_option_defaults(table, opt);
    return opt;
}

// Builds the formulation, or takes that of another member.
static enum dls_status build(struct auto_solver *self, struct member *m,
                             struct dls_error *err)
{
    const struct dls_formulation *takes = m->solver->takes;
    for (int k = 0; k < MEMBERS; k++) {
        const struct member *other = self->member + k;
        if (other->created && !other->out && other->solver->takes == takes) {
            m->form = other->form;
            m->shares = true;
            return DLS_OK;
        }
    }
    void *opt = defaults(takes->options, takes->options_size, self->arena);
    if (!opt) return DLS_ENOMEM;
    return takes->build(&m->form, self->problem, opt, self->arena, err);
}

// Makes a member; one that does not admit the problem is out.
static enum dls_status make(struct auto_solver *self, struct member *m)
{
    struct dls_error err;
    m->solver = dls_solver_find(names[m - self->member]);
    enum dls_status status = build(self, m, &err);
    m->created = true;
    if (status == DLS_OK) {
        const struct dls_solver *s = m->solver;
        void *opt = defaults(s->options, s->options_size, self->arena);
        m->z = DLS_NEW(self->arena, double, s->takes->size(m->form));
        if (self->arena->failed) return DLS_ENOMEM;
        status = s->create(&m->self, m->form, opt, self->arena, &err);
    }
    m->out = status != DLS_OK;
    return status == DLS_ENOMEM ? DLS_ENOMEM : DLS_OK;
}

// m / n: given, or with the bodies that the pattern of W tells of.
static enum dls_status find_density(struct auto_solver *self)
{
    const struct dls_problem *p = self->problem;
    const struct member *m = self->member + NNCG;
    int bodies;
    self->density = p->n ? (double)p->m / p->n : NAN;
    if (p->n || m->out) return DLS_OK;
    const struct dls_delassus *form = m->form; // what nncg takes
    return dls_body_graph_density(form->W, &bodies, &self->density, self->arena);
}

// --- turns ----------------------------------------------------------------------------

// The residual of r, by a judge that is made when there is something to decide.
static enum dls_status measure(struct auto_solver *self, const double *r,
                               double *residual)
{
    struct dls_measures m;
    struct dls_error err;
    enum dls_status status = DLS_OK;
    if (!self->judge)
        status = dls_judge_create(&self->judge, self->problem, self->arena, &err);
    if (status != DLS_OK) return status;
    dls_judge_measure(self->judge, r, &m);
    *residual = m.natural;
    return DLS_OK;
}

static void reset(void *data, const double *r)
{
    struct auto_solver *self = data;
    memcpy(self->best_r, r, (size_t)self->problem->m * sizeof *r);
    self->best = INFINITY;
    self->now = NNCG;
    self->cycle = 0;
    self->entering = true;
    self->start = NAN;
    for (int k = 0; k < MEMBERS; k++) {
        self->member[k].penalty = self->member[k].skip = 0;
        self->member[k].left = NAN;
    }
}

static bool sweeps(const struct auto_solver *self) { return self->now <= PGS; }

// Whether bodies are known to have few contacts.
static bool sparse(const struct auto_solver *self)
{
    return self->density > 0 && self->density <= dense;
}

static bool large_packing(const struct auto_solver *self)
{
    return self->problem->contacts >= LARGE && sparse(self);
}

// Whether schwarz takes the place of the sweeps.
static bool by_patches(const struct auto_solver *self)
{
    return self->cycle > 0 && large_packing(self) && !self->member[SCHWARZ].out;
}

// Whether a member is not in the cycle as it is now; plain sweeps only stand in for
// accelerated ones.
static bool apart(const struct auto_solver *self, int k)
{
    if (k == SCHWARZ) return !by_patches(self);
    if (k == HOMOTOPY) return large_packing(self);
    if (k == PROX_NEWTON)
        return self->density > hyperstatic && !self->member[HOMOTOPY].out
               && isnan(self->member[HOMOTOPY].left);
    return (k == NNCG && by_patches(self)) || (k == PGS && !self->member[NNCG].out);
}

// Gives the turn to the next member that neither is out nor passes. False where all are
// out.
static bool pass(struct auto_solver *self)
{
    struct member *old = self->member + self->now;
    int out = 0;
    old->left = self->best;
    old->penalty = self->best > worth * self->found ? 2 * old->penalty + 1 : 0;
    old->skip = old->penalty;
    for (int k = 0; k < MEMBERS; k++) out += self->member[k].out || k == SCHWARZ;
    if (out == MEMBERS) return false;
    for (bool passes = true; passes;) {
        self->now = (self->now + 1) % MEMBERS;
        if (self->now == NNCG) self->cycle++;
        struct member *m = self->member + self->now;
        passes = m->out || m->skip > 0 || apart(self, self->now);
        if (m->skip > 0) m->skip--;
    }
    self->entering = true;
    return true;
}

// Starts the member at work from the best iterate, unless nobody has improved on that
// since its last turn.
static enum dls_status enter(struct auto_solver *self)
{
    struct member *m = self->member + self->now;
    enum dls_status status = m->created ? DLS_OK : make(self, m);
    if (status != DLS_OK || m->out) return status;
    bool goes_on = self->now == HOMOTOPY && !isnan(m->left);
    if (!goes_on && !(self->best >= m->left)) {
        m->solver->takes->start(m->form, self->best_r, m->z);
        if (m->solver->reset) m->solver->reset(m->self, m->z);
    }
    self->entering = false;
    self->entered = dls_clock();
    self->burst = 1;
    self->done = 0;
    bool own = self->now == HOMOTOPY || self->now == SCHWARZ;
    self->mark = own ? INFINITY : self->best;
    self->found = self->best;
    self->idle = 0;
    return DLS_OK;
}

// After the first step of schwarz, or a turn of the homotopy: its iterate is the best that
// counts from now on, for all.
static void move(struct auto_solver *self, const double *r, double residual)
{
    memcpy(self->best_r, r, (size_t)self->problem->m * sizeof *r);
    self->best = residual;
    self->found = INFINITY; // never in vain
    for (int k = 0; k < MEMBERS; k++) self->member[k].left = NAN;
}

static void grow(struct auto_solver *self)
{
    self->burst = self->done < 4 * LONGEST_BURST ? self->done / 4 + 1 : LONGEST_BURST;
}

// What a factorisation costs in comparison with sweeps, 1 or more.
static double dearness(const struct auto_solver *self)
{
    return self->density > dense ? 1 : fmax(1, self->problem->m / 2000.0);
}

// When sweeps will have had their share of the time allowed.
static double share_ends(const struct auto_solver *self, const struct dls_work *work)
{
    return self->start + share * (work->deadline - self->start);
}

// Whether Gauss-Seidel, having come from `before` to `after` in `sweeps`, is worth going on
// with. A second burst without promise ends it where the alternative is dear; beyond its
// share of the time it has to promise an end in the rest.
static bool promises(struct auto_solver *self, double before, double after, long sweeps,
                     const struct dls_work *work)
{
    double dear = dearness(self);
    double limit = self->opt.sweeps * pow(growth, self->cycle);
    double rate = log(before / after) / (double)sweeps;
    double needed = rate > 0 ? log(after / work->tol) / rate : INFINITY;
    double now = dls_clock(), one = (now - self->entered) / (double)self->done;
    if (now > share_ends(self, work)) return needed * one < work->deadline - now;
    if (self->done < dear * (self->cycle ? LATER_SWEEPS : LEAST_SWEEPS)) return true;
    self->idle = needed < limit ? 0 : self->idle + 1;
    return self->idle < (self->density > dense ? 1 : 2);
}

// Whether the member at work should go on after a step that ended with this residual.
static bool pays(struct auto_solver *self, double before, double residual,
                 const struct dls_work *work)
{
    if (!isfinite(residual)) return false;
    if (sweeps(self)) {
        long sweeps = self->burst;
        grow(self);
        return promises(self, before, residual, sweeps, work);
    }
    self->idle++;
    if (residual <= 0.5 * self->mark) self->mark = residual, self->idle = 0;
    double patience = first_patience[self->now];
    if (self->now == HOMOTOPY && residual < near * work->tol) patience = SHORT_PATIENCE;
    if (sparse(self) && self->now != SCHWARZ)
        patience /= dearness(self);
    else if (self->now == PROX_NEWTON)
        patience *= eager; // the homotopy needs few factorisations
    if (!by_patches(self)) patience *= pow(growth, self->cycle);
    return self->idle < patience;
}

// Runs the member for a burst, sweeps to the end of their share at most; the iterate comes
// out in r.
static enum dls_status run(struct auto_solver *self, double *r, struct dls_work *work)
{
    struct member *m = self->member + self->now;
    enum dls_status status = DLS_OK;
    double deadline = work->deadline, end = share_ends(self, work);
    if (sweeps(self) && dls_clock() < end) work->deadline = end;
    for (long k = 0; k < self->burst && status == DLS_OK; k++, self->done++) {
        status = m->solver->step(m->self, m->z, work);
        if (dls_work_expired(work)) break;
    }
    work->deadline = deadline;
    m->solver->takes->lift(m->form, m->z, r);
    return status;
}

static void tell(const void *data, char *note, size_t room)
{
    const struct auto_solver *self = data;
    size_t used = 0;
    note[0] = 0;
    for (int k = 0; k < MEMBERS && used < room; k++)
        if (self->member[k].seconds > 0)
            used +=
                (size_t)snprintf(note + used, room - used, "%s%s %.3g s",
                                 used ? ", " : "", names[k], self->member[k].seconds);
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

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct auto_solver *self = data;
    double start = dls_clock();
    if (isnan(self->start)) self->start = start;
    enum dls_status status = find_member(self);
    if (status != DLS_OK) return status;
    work->advances++; // there is always another one to try
    double before = self->mark;
    status = run(self, r, work);
    if (status == DLS_ENOMEM) return status;
    self->member[self->now].seconds += dls_clock() - start;
    if (sweeps(self) && !self->cycle && self->done < QUIET_SWEEPS && status == DLS_OK)
        return grow(self), DLS_OK; // no decision yet: the judge's time is saved
    double residual;
    enum dls_status measured = measure(self, r, &residual);
    if (measured != DLS_OK) return measured;
    if (self->now == SCHWARZ && self->done == 1) {
        move(self, r, residual);
    } else if (residual < self->best) {
        self->best = residual;
        memcpy(self->best_r, r, (size_t)self->problem->m * sizeof *r);
    }
    if (self->density == 0 && self->done >= LEAST_SWEEPS
        && find_density(self) != DLS_OK)
        return DLS_ENOMEM;
    bool goes_on = pays(self, before, residual, work) && status == DLS_OK;
    if (!goes_on && self->now == HOMOTOPY) move(self, r, residual);
    if (sweeps(self)) self->mark = residual;
    if (!goes_on && !pass(self)) return DLS_STALLED;
    return DLS_OK;
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
