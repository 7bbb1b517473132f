// SPDX-License-Identifier: Apache-2.0
// The central path of Coulomb's law, followed through its folds.
//
//     y = W x + q + s(y) e_N - theta rho_0,    x o y = nu e,     x, y in L
//
// Notation: x, y, W, q of the formulation `socp`; o the Jordan product, e its unit;
// s = sqrt(|y_T|^2 + nu^2) - nu, De Saxcé's shift |y_T| made smooth; theta = nu / nu_0 with
// rho_0 such that the path starts at x = y = 30 e; p = log theta; T the scaling of
// Nesterov and Todd, T^-1 x = T y = lambda; g the derivative of s by y.
//
// Method [AllgowerGeorg1990, chapters 2, 5, 6; KelleyKeyes1998; the cones Acary2024]
//   1. For nu > 0 everything is smooth, at nu = 0 stands Coulomb's law. Were the shift
//      frozen there would be one point for every nu. With the shift inside the law is not
//      monotone and the path folds: nu has to rise for a while before it may fall on.
//   2. Flow. At a fixed nu, x moves with
//        (W + S Theta) dx = S T^-1 c - rest,   dy = T^-1 c - T^-2 dx,    S = I - e_N g^T,
//        Theta = (1 + alpha) T^-2 + alpha/10 I,    lambda o c = nu e - lambda o lambda,
//      Newton's step for alpha = 0, else an implicit step of length 1 / alpha of the flow
//      S (T^-2 + I/10) dx/dt = -rest. Its stable points of rest are those of the path; past
//      a fold it carries the few contacts that lost theirs to the next one and leaves the
//      others nearly alone. alpha is raised until det(W + S Theta) > 0, for elsewhere dx
//      points the wrong way, and with short steps; otherwise it falls.
//   3. At rest nu is lowered, by more after few steps and by less after many.
//   4. Path. Where the flow does not come to rest within `patience` steps, its last point of
//      rest is taken up again and the path followed from there with p as an unknown like
//      the others: with Newton's step a at fixed p and b, by which x and y change with p,
//      the shortest correction is a + dp b, dp = -<a, b> / <b, b>, lengths being relative to
//      the point: |T^-1 dx|^2 + |T dy|^2 over nu, mean of the contacts, plus dp^2. The
//      tangent is -sign(det A) (b, 1): det A changes its sign at a fold, so that this never
//      leads back where the path came from, however sharp the fold. Beyond each fold that
//      lies lower the flow is tried again.
//
// Cost: a factorisation a step of the flow, two a step of the path; 30 to 60 without folds,
// some hundred on hyperstatic walls.
// Fails: where the folds are too many. A start other than its own is of no use to it.
#include "solvers/local/cone_system.h"
#include "solvers/solver.h"

#include "formulations/lorentz.h"
#include "formulations/socp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORRECTIONS = 5, DAMPED_CORRECTIONS = 10, HALVINGS = 6, LENGTHENINGS = 7 };
enum { MANY_FULL = 10 };
enum { FEW = 3, MANY = 10, MOST_PATIENCE = 100000 }; // steps of the flow at one nu
static const double first_distance = 30;             // of x and y from zero
static const double first_fall = 0.3, least_fall = 0.1, most_fall = 0.8; // of nu
static const double first_alpha = 1e-3, least_alpha = 1e-6, most_alpha = 1e4;
static const double drift_alpha = 1e-12; // after MANY_FULL uncut steps in a row
static const double metric = 0.1;        // of I beside T^-2
static const double at_rest = 0.3; // length of a step of the flow, with alpha below
static const double free_alpha = 0.05;
static const double first_step = 0.2, leap = 0.002, after_leap = 0.02; // of the path
static const double to_boundary = 0.9, damping = 0.7, longest = 2;
static const double small = 0.1, fair = 0.3, contracting = 0.7; // corrections
static const double below = 0.7,
                    again = 0.8; // of the least nu: where the flow is tried
static const double least_nu = 1e-24;

struct homotopy_options {
    int patience;
};

static const struct dls_option homotopy_options[] = {
    DLS_INT(homotopy_options, patience, 600, 1, 1e9,
            "steps for the flow to come to rest, before the path is followed"),
    {0},
};

// A point of the path, or a change of one.
struct point {
    double *x, *y, p;
};

struct homotopy {
    const struct dls_socp *form;
    struct homotopy_options opt;
    struct dls_cone_system system;
    struct dls_scaling *scaling;   // contacts
    struct point at, trial;        // the last one on the path, and what may be next
    struct point along;            // the tangent, of length 1
    struct point a, b;             // Newton's step, and what p changes
    double *rho_0, *rest, *rest_p; // m: rest of the first equation, d rest / dp
    double *g, *c, *rhs;           // m
    double nu_0;
    int sign;                     // of the determinant of what was factored last
    bool started, flows, tangent; // flows at trial, or follows; along is that of at
    bool stuck;                   // the path ended here, and the flow is tried instead
    double patience;              // steps for it to come to rest
    double alpha, fall;           // of the flow
    int steps, full;              // of the flow at this nu; uncut ones in a row
    double h;                     // length of the next step of the path
    double least, next;           // p: the least so far; below, the flow is tried again
    long followed, folds;         // steps and folds of the path
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_socp *f = form;
    struct homotopy *self = *out = DLS_NEW(a, struct homotopy, 1);
    size_t m = (size_t)f->m;
    double *vectors = DLS_NEW(a, double, 16 * m);
    struct dls_scaling *scaling = DLS_NEW(a, struct dls_scaling, f->contacts);
    if (a->failed) return DLS_ENOMEM;
    self->form = f;
    self->opt = *(const struct homotopy_options *)opt;
    self->scaling = scaling;
    double **to[] = {&self->at.x,    &self->at.y,    &self->trial.x, &self->trial.y,
                     &self->a.x,     &self->a.y,     &self->b.x,     &self->b.y,
                     &self->along.x, &self->along.y, &self->rho_0,   &self->rest,
                     &self->rest_p,  &self->g,       &self->c,       &self->rhs};
    for (size_t k = 0; k < 16; k++) *to[k] = vectors + k * m;
    return dls_cone_system_create(&self->system, f, true, a, err);
}

static void destroy(void *data)
{
    struct homotopy *self = data;
    dls_cone_system_destroy(&self->system);
}

// --- points ---------------------------------------------------------------------------

static double nu_of(const struct homotopy *self, const struct point *z)
{
    return self->nu_0 * exp(z->p);
}

// to = z + t d
static void move(const struct homotopy *self, const struct point *z, double t,
                 const struct point *d, struct point *to)
{
    for (int k = 0; k < self->form->m; k++) {
        to->x[k] = z->x[k] + t * d->x[k];
        to->y[k] = z->y[k] + t * d->y[k];
    }
    to->p = z->p + t * d->p;
}

// The largest t with x + t dx and y + t dy in the cones.
static double reach(const struct homotopy *self, const struct point *z,
                    const struct point *change)
{
    int d = self->form->d;
    double t = INFINITY;
    for (int k = 0; k < self->form->m; k += d) {
        t = fmin(t, dls_lorentz_reach(d, z->x + k, change->x + k));
        t = fmin(t, dls_lorentz_reach(d, z->y + k, change->y + k));
    }
    return t;
}

// Sum of (T^-1 a_x).(T^-1 b_x) + (T a_y).(T b_y) over nu; `largest` receives that of the
// contact where it is largest.
static double inner(const struct homotopy *self, const struct point *a,
                    const struct point *b, double nu, double *largest)
{
    int d = self->form->d;
    double sum = 0;
    *largest = 0;
    for (int c = 0; c < self->form->contacts; c++) {
        const struct dls_scaling *T = self->scaling + c;
        double u[3], v[3], one = 0;
        dls_scaling_undo(T, d, a->x + c * d, u);
        dls_scaling_undo(T, d, b->x + c * d, v);
        for (int i = 0; i < d; i++) one += u[i] * v[i];
        dls_scaling_apply(T, d, a->y + c * d, u);
        dls_scaling_apply(T, d, b->y + c * d, v);
        for (int i = 0; i < d; i++) one += u[i] * v[i];
        *largest = fmax(*largest, one / nu);
        sum += one / nu;
    }
    return sum;
}

static double mean_inner(const struct homotopy *self, const struct point *a,
                         const struct point *b, double nu)
{
    double largest;
    return inner(self, a, b, nu, &largest) / self->form->contacts;
}

// Rests, scalings and g at z; false where it is outside.
static bool look(struct homotopy *self, const struct point *z)
{
    const struct dls_socp *f = self->form;
    int d = f->d;
    double theta = exp(z->p), nu = nu_of(self, z);
    dls_bsr_multiply(&f->W, z->x, f->q, self->rest);
    for (int k = 0; k < f->m; k++) {
        self->rest[k] -= z->y[k] + theta * self->rho_0[k];
        self->rest_p[k] = -theta * self->rho_0[k];
    }
    for (int c = 0; c < f->contacts; c++) {
        const double *y = z->y + c * d;
        double speed = dls_lorentz_norm(d, y), root = hypot(speed, nu);
        self->rest[c * d] += speed * speed / (root + nu); // s
        self->rest_p[c * d] += nu * (nu / root - 1);
        self->g[c * d] = 0;
        for (int i = 1; i < d; i++) self->g[c * d + i] = y[i] / root;
        if (!dls_scaling_make(self->scaling + c, d, z->x + c * d, y)) return false;
    }
    return true;
}

// --- Newton ---------------------------------------------------------------------------

static bool factor(struct homotopy *self, double alpha, struct dls_work *work)
{
    struct dls_cone_shift shift = {self->g, alpha, metric * alpha};
    work->factorisations++;
    if (dls_cone_system_factor(&self->system, self->scaling, &shift)) return false;
    self->sign = dls_cone_system_sign(&self->system);
    return true;
}

// Solves for dx and dy with lambda o c = nu e, less lambda o lambda where it is a
// correction and no derivative by p.
static bool direct(struct homotopy *self, double nu, bool correction, struct point *out)
{
    int d = self->form->d, m = self->form->m;
    const double *rest = correction ? self->rest : self->rest_p;
    for (int a = 0; a < self->form->contacts; a++) {
        const struct dls_scaling *T = self->scaling + a;
        double want[3] = {0}, u[3], *v = self->c + a * d, along = 0;
        if (correction) dls_lorentz_product(d, T->lambda, T->lambda, want);
        for (int i = 0; i < d; i++) want[i] = (i == 0) * nu - want[i];
        dls_lorentz_divide(d, T->lambda, want, u);
        dls_scaling_undo(T, d, u, v);
        for (int i = 1; i < d; i++) along += self->g[a * d + i] * v[i];
        for (int i = 0, k = a * d; i < d; i++, k++)
            self->rhs[k] = v[i] - (i == 0) * along - rest[k];
    }
    if (!dls_cone_system_solve(&self->system, self->rhs, out->x, out->y)) return false;
    for (int k = 0; k < m; k++) out->y[k] = self->c[k] - out->y[k];
    return true;
}

// The shortest correction of the trial point; returns its length where that is largest,
// INFINITY where there is none.
static double correction(struct homotopy *self, struct dls_work *work)
{
    struct point *a = &self->a, *b = &self->b;
    double nu = nu_of(self, &self->trial), largest;
    if (!look(self, &self->trial) || !factor(self, 0, work)) return INFINITY;
    work->products += 5;
    if (!direct(self, nu, false, b) || !direct(self, nu, true, a)) return INFINITY;
    b->p = 1;
    a->p = -mean_inner(self, a, b, nu) / (mean_inner(self, b, b, nu) + 1);
    for (int k = 0; k < self->form->m; k++) {
        a->x[k] += a->p * b->x[k];
        a->y[k] += a->p * b->y[k];
    }
    inner(self, a, a, nu, &largest);
    return fmax(sqrt(largest), fabs(a->p));
}

// The trial point becomes the present one.
static void settle(struct homotopy *self)
{
    struct point next = self->trial;
    self->trial = self->at;
    self->at = next;
    self->tangent = self->stuck = false;
    self->least = fmin(self->least, next.p);
}

// So does it with the tangent, from b and the sign of the last correction.
static void accept(struct homotopy *self, bool counts)
{
    const struct point *b = &self->b;
    double root = sqrt(mean_inner(self, b, b, nu_of(self, &self->trial)) + 1);
    double before = self->along.p, t = -self->sign / root;
    settle(self);
    for (int k = 0; k < self->form->m; k++) {
        self->along.x[k] = t * b->x[k];
        self->along.y[k] = t * b->y[k];
    }
    self->along.p = t;
    self->tangent = true;
    self->folds += counts && before * t < 0;
}

// --- the path -------------------------------------------------------------------------

// Corrects the trial point; returns how many corrections that took, 0 where it failed.
static int correct(struct homotopy *self, bool damped, struct dls_work *work)
{
    double before = INFINITY;
    int most = damped ? DAMPED_CORRECTIONS : CORRECTIONS;
    for (int n = 1; n <= most && !dls_work_expired(work); n++) {
        double size = correction(self, work), t = 1;
        if (!isfinite(size)) return 0;
        double way = reach(self, &self->trial, &self->a);
        if (damped)
            t = fmin(fmin(1, damping * way), 1 / fabs(self->a.p));
        else if ((size > contracting * before && size > small) || way < 1.05)
            return 0;
        move(self, &self->trial, t, &self->a, &self->trial);
        if (size < small || (size < fair && size < fair * before)) return n;
        before = size;
    }
    return 0;
}

// The tangent at a point where the flow came to rest.
static bool find_tangent(struct homotopy *self, struct dls_work *work)
{
    move(self, &self->at, 0, &self->at, &self->trial);
    if (!isfinite(correction(self, work))) return false;
    accept(self, false);
    self->h = first_step;
    return true;
}

// The next point along the path: the step is shortened where corrections fail; where that
// does not help, damped ones are made from further and further away.
static bool follow(struct homotopy *self, struct dls_work *work)
{
    if (!self->tangent && !find_tangent(self, work)) return false;
    double room = to_boundary * reach(self, &self->at, &self->along);
    for (int n = 0; n < HALVINGS + LENGTHENINGS && !dls_work_expired(work); n++) {
        bool leaps = n >= HALVINGS;
        if (n == HALVINGS) self->h = leap;
        self->h = fmin(self->h, room);
        move(self, &self->at, self->h, &self->along, &self->trial);
        int taken = correct(self, leaps, work);
        if (taken) {
            accept(self, true);
            self->h *= taken <= 2 ? 1.6 : taken == 3 ? 1.1 : 0.7;
            if (leaps) self->h = after_leap;
            self->followed++;
            return true;
        }
        self->h *= leaps ? 2 : 0.4;
    }
    return false;
}

// --- the flow -------------------------------------------------------------------------

// Starts at the present point with a smaller nu.
static void start_flow(struct homotopy *self, double p)
{
    move(self, &self->at, 0, &self->at, &self->trial);
    self->trial.p = p;
    self->flows = true;
    self->alpha = first_alpha;
    self->steps = self->full = 0;
}

// Lowers nu where the trial point rests.
static void lower(struct homotopy *self)
{
    double p = self->trial.p;
    settle(self);
    if (self->steps <= FEW)
        self->fall = fmax(least_fall, 0.7 * self->fall);
    else if (self->steps > MANY)
        self->fall = fmin(most_fall, 1.5 * self->fall);
    double alpha = self->alpha;
    start_flow(self, p + log(self->fall));
    self->alpha = alpha;
}

// A step of the flow; false where the algebra failed.
static bool flow(struct homotopy *self, struct dls_work *work)
{
    double nu = nu_of(self, &self->trial), largest, *alpha = &self->alpha;
    if (!look(self, &self->trial)) return false;
    for (self->sign = -1; self->sign < 0; *alpha = 4 * *alpha + 1e-4)
        if (*alpha > most_alpha || !factor(self, *alpha, work)) return false;
    *alpha = (*alpha - 1e-4) / 4; // what was factored
    if (!direct(self, nu, true, &self->a)) return false;
    work->products += 3;
    self->a.p = 0;
    inner(self, &self->a, &self->a, nu, &largest);
    double size = sqrt(largest), way = reach(self, &self->trial, &self->a);
    double t = fmin(1, fmin(damping * way, longest / size));
    move(self, &self->trial, t, &self->a, &self->trial);
    self->steps++;
    bool rests = size < at_rest && *alpha < free_alpha;
    *alpha *= t < 0.25 ? 2 : t == 1 && size < 1 ? 0.3 : 0.6;
    self->full = t == 1 ? self->full + 1 : 0;
    *alpha = fmax(self->full > MANY_FULL ? drift_alpha : least_alpha, *alpha);
    if (rests) lower(self);
    return true;
}

// --- steps ----------------------------------------------------------------------------

static void reset(void *data, const double *z)
{
    (void)z;
    struct homotopy *self = data;
    self->started = false;
}

// x = y = 30 e, where rho_0 makes it a point of the path.
static bool start(struct homotopy *self)
{
    const struct dls_socp *f = self->form;
    struct point *z = &self->at;
    size_t size = (size_t)f->m * sizeof *z->x;
    memset(z->x, 0, size);
    memset(z->y, 0, size);
    memset(self->rho_0, 0, size);
    for (int k = 0; k < f->m; k += f->d) z->x[k] = z->y[k] = first_distance;
    z->p = self->least = self->next = 0;
    self->nu_0 = first_distance * first_distance;
    self->fall = first_fall;
    self->patience = self->opt.patience;
    self->followed = self->folds = 0;
    self->tangent = self->stuck = false;
    if (!look(self, z)) return false;
    memcpy(self->rho_0, self->rest, size);
    start_flow(self, log(first_fall));
    return self->started = true;
}

// Flows or follows, and decides which comes next.
static void advance(struct homotopy *self, struct dls_work *work)
{
    if (self->flows) {
        bool moved = flow(self, work);
        self->flows = moved && self->steps < self->patience;
        if (!self->flows) self->next = self->least + log(again);
        return;
    }
    bool stuck = !follow(self, work);
    if (stuck && self->stuck) self->patience *= 2;
    self->stuck = stuck;
    if (stuck || (self->along.p > 0 && self->least < self->next))
        start_flow(self, self->least + log(below));
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct homotopy *self = data;
    if (!self->form->m) return DLS_FINISHED;
    if (!self->started && !start(self)) return DLS_STALLED;
    advance(self, work);
    const struct point *now = self->flows ? &self->trial : &self->at;
    memcpy(z, now->x, (size_t)self->form->m * sizeof *z);
    snprintf(work->note, sizeof work->note, "nu %.1e; %ld steps and %ld folds followed",
             nu_of(self, &self->at), self->followed, self->folds);
    if (self->patience > MOST_PATIENCE) return DLS_STALLED;
    return nu_of(self, &self->at) < least_nu ? DLS_FINISHED : DLS_OK;
}

const struct dls_solver dls_solver_homotopy = {
    .name = "homotopy",
    .brief = "the central path of Coulomb's law, by a flow and through its folds",
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
