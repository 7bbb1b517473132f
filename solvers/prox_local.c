// SPDX-License-Identifier: Apache-2.0
// Proximal points with a shift for every contact, lowered piece by piece.
//
//     F(x, rho u) = 0,   u = W x + q + A (x - c),   A = diag(alpha_a) -> 0
//
// Notation: x, W, q scaled contacts with unit diagonal (solvers/kernel/newton_problem.h), F
// the function of Alart and Curnier; c the centre, A the shifts.
//
// Method [Rockafellar1976; AlartCurnier1991; AllgowerGeorg1990]
//   1. What A (x - c) leaves in u is the error of a proximal point. The centre is the start,
//      and the shifts are alike and so large that Newton's method finds its point.
//   2. In a round all shifts above `target` are set to it, and Newton's method goes on from
//      x. Where it does not end, x is restored, and the contacts are divided into two
//      connected halves, which are lowered one after the other in the same way. So the few
//      contacts that have no solution nearby keep their shifts, and all others go on.
//   3. A set of at most `small` contacts follows the path on which only its own shifts fall
//      (solvers/kernel/prox_path.c), through the folds of these contacts. With one
//      parameter for all contacts, as in homotopy, the path passes the folds of distant parts
//      in all their combinations; lowered in turn, each part passes its own.
//   4. `target` falls from round to round unless a tenth of the contacts was left behind.
//      Events that a path may take grow with the rounds that left any. When no contact has
//      been left above the least shift, x becomes the centre.
//
// Cost: some hundred factorisations a round.
// Fails: far from an answer, where homotopy is faster by far: it is made to end what others
// bring to six digits. Contacts that stay behind in every round keep their error.
#include "solvers/kernel/newton_problem.h"
#include "solvers/kernel/prox_path.h"
#include "solvers/linear/newton_system.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { START_STEPS = 20, MOST_TRIES = 8 };
enum { LEVELS = 64 };                             // of halving: more than an int has
static const double larger = 4, most_alpha = 1e3; // until Newton finds the first point
static const double lag = 0.1; // share of contacts left behind that holds the target
static const double lowered = 1.05; // times the target: a path ends a little above it

struct prox_local_options {
    double rho, alpha, fall, least;
    int newton, small, events;
};

static const struct dls_option prox_local_options[] = {
    DLS_REAL(prox_local_options, rho, 1000, 1e-6, 1e6,
             "weight of velocities against impulses, relative to the diagonal"),
    DLS_REAL(prox_local_options, alpha, 1e-6, 1e-12, 1e3,
             "first shift, relative to the diagonal; raised until a point is found"),
    DLS_REAL(prox_local_options, fall, 0.33, 1e-6, 0.99, "of the target in a round"),
    DLS_REAL(prox_local_options, least, 1e-9, 1e-14, 1e3, "shift"),
    DLS_INT(prox_local_options, newton, 10, 1, 1000, "Newton steps for a set, at most"),
    DLS_INT(prox_local_options, small, 20, 1, 1e9,
            "contacts in a set that follows its path"),
    DLS_INT(prox_local_options, events, 30, 1, 1e9, "of a path, in the first round"),
    {0},
};

struct prox_local {
    struct prox_local_options opt;
    const struct dls_bsr *W;
    struct dls_newton_problem problem;
    struct dls_newton_system system;
    struct dls_prox_path path;
    double *alpha;      // contacts
    double *x, *shifts; // m, contacts: what is restored
    int *order;         // contacts: sets are ranges of it
    int *queue, *mark;  // contacts
    struct range {
        int first, count;
    } stack[LEVELS]; // the sets that are still to be lowered in this round
    int depth, left; // sets there; contacts left behind
    double target;
    unsigned seed;       // another division into halves in every round
    int tries;           // rounds in a row that left contacts behind
    bool started, found; // the first point
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    if (f->problem->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "no contact function for rolling rows");
    struct prox_local *self = *out = DLS_NEW(a, struct prox_local, 1);
    if (a->failed) return DLS_ENOMEM;
    self->opt = *(const struct prox_local_options *)opt;
    size_t contacts = (size_t)f->contacts;
    self->W = f->W;
    self->alpha = DLS_NEW(a, double, contacts);
    self->x = DLS_NEW(a, double, f->m);
    self->shifts = DLS_NEW(a, double, contacts);
    self->order = DLS_NEW(a, int, contacts);
    self->queue = DLS_NEW(a, int, contacts);
    self->mark = DLS_NEW(a, int, contacts);
    if (a->failed) return DLS_ENOMEM;
    struct dls_newton_problem *p = &self->problem;
    if (dls_newton_problem_create(p, f, DLS_ALART_CURNIER, 1, a)) return DLS_ENOMEM;
    p->rho = self->opt.rho;
    p->shifts = self->alpha;
    enum dls_status status =
        dls_prox_path_create(&self->path, p, &self->system, self->alpha, a);
    if (status != DLS_OK) return status;
    status = dls_newton_system_create(&self->system, &p->W, p->H, p->M, false, a);
    self->system.shifts = self->alpha;
    return status;
}

static void destroy(void *data)
{
    struct prox_local *self = data;
    dls_newton_system_destroy(&self->system);
}

static void reset(void *data, const double *r)
{
    (void)r;
    struct prox_local *self = data;
    self->started = self->found = false;
    self->seed = 0;
    self->tries = self->depth = self->left = 0;
}

// --- sets of contacts -----------------------------------------------------------------

static void save(struct prox_local *self)
{
    const struct dls_newton_problem *p = &self->problem;
    memcpy(self->x, p->x, (size_t)p->m * sizeof *p->x);
    memcpy(self->shifts, self->alpha, (size_t)p->contacts * sizeof *self->alpha);
}

static void restore(struct prox_local *self)
{
    const struct dls_newton_problem *p = &self->problem;
    memcpy(p->x, self->x, (size_t)p->m * sizeof *p->x);
    memcpy(self->alpha, self->shifts, (size_t)p->contacts * sizeof *self->alpha);
}

// The marked contacts of a set in breadth-first order from `seed`; the marks go.
static void walk(struct prox_local *self, const int *set, int count, int seed)
{
    const struct dls_bsr *W = self->W;
    int end = 0, next = 0;
    for (int at = 0; at < count; at++) {
        if (at == end) { // another component
            if (at) {
                while (!self->mark[set[next]]) next++;
                seed = set[next];
            }
            self->queue[end++] = seed;
            self->mark[seed] = 0;
        }
        int a = self->queue[at];
        for (int k = W->p[a]; k < W->p[a + 1]; k++)
            if (self->mark[W->j[k]]) {
                self->mark[W->j[k]] = 0;
                self->queue[end++] = W->j[k];
            }
    }
}

// Orders a set such that its halves are connected where it is, from a contact at its end.
static void divide(struct prox_local *self, int *set, int count)
{
    int seed = set[self->seed++ * 7919u % (unsigned)count];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) self->mark[set[i]] = 1;
        walk(self, set, count, seed);
        seed = self->queue[count - 1];
    }
    memcpy(set, self->queue, (size_t)count * sizeof *set);
}

static bool is_above(const struct prox_local *self, const int *set, int count)
{
    for (int i = 0; i < count; i++)
        if (self->alpha[set[i]] > lowered * self->target) return true;
    return false;
}

// Follows the path of a small set. False, with nothing changed, where it does not end.
static bool follow(struct prox_local *self, const int *set, int count,
                   struct dls_work *work)
{
    memset(self->path.in, 0, (size_t)self->problem.contacts * sizeof *self->path.in);
    for (int i = 0; i < count; i++)
        self->path.in[set[i]] = self->alpha[set[i]] > self->target;
    if (dls_prox_path_follow(&self->path, self->target,
                             self->opt.events * (1 + self->tries), work))
        return true;
    restore(self);
    return false;
}

// Lowers the shifts of the set on top of the stack to the target, or puts its halves there.
static void lower(struct prox_local *self, struct dls_work *work)
{
    struct range now = self->stack[--self->depth];
    int *set = self->order + now.first, half = now.count / 2;
    if (!is_above(self, set, now.count)) return;
    bool small = now.count <= self->opt.small;
    save(self);
    for (int i = 0; i < now.count; i++)
        self->alpha[set[i]] = fmin(self->alpha[set[i]], self->target);
    if (dls_prox_path_point(&self->problem, &self->system,
                            (small ? 2 : 1) * self->opt.newton, work))
        return;
    restore(self);
    if (small) {
        if (!follow(self, set, now.count, work)) self->left += now.count;
        return;
    }
    divide(self, set, now.count);
    self->stack[self->depth++] = (struct range){now.first + half, now.count - half};
    self->stack[self->depth++] = (struct range){now.first, half};
}

// --- steps ----------------------------------------------------------------------------

static void set_centre(struct prox_local *self)
{
    struct dls_newton_problem *p = &self->problem;
    memcpy(p->centre, p->x, (size_t)p->m * sizeof *p->x);
}

// The first point: shifts alike, and larger until Newton's method finds it.
static enum dls_status start(struct prox_local *self, double *r, struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    if (!self->started) {
        dls_newton_problem_enter(p, r);
        set_centre(self);
        for (int a = 0; a < p->contacts; a++) {
            self->alpha[a] = self->opt.alpha;
            self->order[a] = a;
        }
        self->started = true;
    }
    memcpy(p->x, p->centre, (size_t)p->m * sizeof *p->x);
    self->found = dls_prox_path_point(p, &self->system, START_STEPS, work);
    if (self->system.linear.out_of_memory) return DLS_ENOMEM;
    if (self->found) {
        self->target = fmax(self->opt.least, self->opt.fall * self->alpha[0]);
        dls_newton_problem_leave(p, 0, r);
        return DLS_OK;
    }
    for (int a = 0; a < p->contacts; a++) self->alpha[a] *= larger;
    work->advances++;
    return self->alpha[0] > most_alpha ? DLS_STALLED : DLS_OK;
}

// The end of a round.
static enum dls_status close_round(struct prox_local *self, struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    self->tries = self->left ? self->tries + (self->tries < MOST_TRIES) : 0;
    if (!self->left && self->target <= self->opt.least) {
        set_centre(self);
        return dls_prox_path_point(p, &self->system, START_STEPS, work) ? DLS_OK
                                                                        : DLS_FINISHED;
    }
    if (self->left <= lag * p->contacts)
        self->target = fmax(self->opt.least, self->opt.fall * self->target);
    return DLS_OK;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct prox_local *self = data;
    struct dls_newton_problem *p = &self->problem;
    enum dls_status status = DLS_OK;
    if (!p->m) return DLS_FINISHED;
    if (!self->found) return start(self, r, work);
    if (!self->depth) { // the next round begins with all contacts
        self->stack[self->depth++] = (struct range){0, p->contacts};
        self->left = 0;
    }
    lower(self, work);
    if (!self->depth) status = close_round(self, work);
    if (self->system.linear.out_of_memory) return DLS_ENOMEM;
    dls_newton_problem_leave(p, 0, r);
    snprintf(work->note, sizeof work->note, "shifts %.1e; %d contacts left behind",
             self->target, self->left);
    work->advances++;
    return status;
}

const struct dls_solver dls_solver_prox_local = {
    .name = "prox-local",
    .brief = "proximal points with a shift for every contact, lowered piece by piece",
    .use =
        "To end what other methods bring to six digits and no further, in walls with "
        "much slip.",
    .fails =
        "It is slow far from an answer. In large packings the factors of W fill in.",
    .cite = "AllgowerGeorg1990",
    .takes = &dls_formulation_delassus,
    .options = prox_local_options,
    .options_size = sizeof(struct prox_local_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
