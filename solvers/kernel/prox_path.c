// SPDX-License-Identifier: Apache-2.0
// The path of proximal points, from one change of branch to the next.
//
//     F(x, rho u) = 0,   u = W x + q + A (x - c),   A = diag(e^p a)  in S,  fixed elsewhere
//
// Notation: that of solvers/kernel/newton_problem.h, A the shifts, c the centre; S the
// contacts that are `in`, a their shifts at the start, p the parameter.
//
// Method [AllgowerGeorg1990, chapters 2 and 12]
//   1. Between two changes of branch (open, stick, slip) F is smooth. The path has there
//      the tangent b = dx/dp,  (F_r + F_u (W + A)) b = -F_u A_S (x - c).
//   2. A step along the tangent ends a little beyond the first event, that is, where
//      z = x - rho u of a contact comes to another branch. Newton's step s at fixed p makes
//      the shortest correction s + dp b, dp = -<s, b> / (<b, b> + w); its weight w lets p
//      change by one where x changes by `weight` |x|. Several events are passed at once as
//      long as corrections are few and the determinant keeps its sign.
//   3. Where det (F_r + F_u (W + A)) changes its sign, p turns: this is a fold. Newton's
//      method alone ends there.
//   4. A step whose corrections fail is taken back, and shortened.
//
// Cost: a factorisation an event, another one a correction.
#include "solvers/kernel/prox_path.h"

#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_TRIALS = 8, CORRECTIONS = 5, MOST_EVENTS = 8, TARGET_STEPS = 20 };
static const double near = 0.02;  // share of the force that |F| has at an event,
static const double tight = 1e-4; // and at a point: with 0.02 some are no points at all
static const double longest = 0.05; // step, of |x|: chosen
static const double weight = 0.1;   // chosen
static const double beyond = 0.05;  // an event, of the way there: chosen
static const double shorter = 0.3, longer = 3;
static const double round_off = 1e-13;
static const double most_factor = 1e4; // of the shifts: the path leads away

enum dls_status dls_prox_path_create(struct dls_prox_path *s,
                                     struct dls_newton_problem *p,
                                     struct dls_newton_system *system, double *shifts,
                                     struct dls_arena *a)
{
    double *vectors = DLS_NEW(a, double, 3 * (size_t)p->m);
    *s = (struct dls_prox_path){
        .problem = p,
        .system = system,
        .shifts = shifts,
        .in = DLS_NEW(a, bool, p->contacts),
        .from = DLS_NEW(a, double, p->contacts),
        .event = DLS_NEW(a, double, p->contacts),
        .correction = vectors,
        .tangent = vectors + p->m,
        .old_x = vectors + 2 * (size_t)p->m,
    };
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

double dls_prox_path_force(const struct dls_newton_problem *p)
{
    double sum = 0;
    for (int a = 0; a < p->contacts; a++)
        for (int k = a * p->d; k < (a + 1) * p->d; k++) {
            double e =
                dls_newton_problem_rho(p, a) * p->shifts[a] * (p->x[k] - p->centre[k]);
            sum += e * e;
        }
    return sqrt(sum);
}

static bool factor(struct dls_newton_problem *p, struct dls_newton_system *system,
                   struct dls_work *work)
{
    double rcond, least = INFINITY;
    for (int a = 0; a < p->contacts; a++) least = fmin(least, p->shifts[a]);
    enum dls_status status =
        dls_newton_system_factor(system, p->value, least, &rcond, work);
    return status == DLS_OK && rcond > 0;
}

bool dls_prox_path_point(struct dls_newton_problem *p, struct dls_newton_system *system,
                         int most, struct dls_work *work)
{
    double now = dls_newton_problem_evaluate(p);
    work->products++;
    for (int k = 0;; k++) {
        if (sqrt(2 * now)
            <= fmax(tight * dls_prox_path_force(p), round_off * dls_norm(p->m, p->x)))
            return true;
        if (k == most || dls_work_expired(work) || !factor(p, system, work)
            || !dls_newton_system_solve(system, p->dx, work))
            return false;
        dls_newton_problem_direct(p);
        double t = dls_newton_problem_armijo(p, now, LINE_TRIALS);
        if (t == 0) return false;
        for (int l = 0; l < p->m; l++) p->x[l] += t * p->dx[l];
        now = dls_newton_problem_evaluate(p);
        work->products += 2;
    }
}

// --- events ---------------------------------------------------------------------------

// The roots of A t^2 + 2 B t + C = 0, without cancellation; returns how many.
static int roots(double A, double B, double C, double *t)
{
    double D = B * B - A * C;
    if (D < 0) return 0;
    double q = -(B + copysign(sqrt(D), B));
    int n = 0;
    if (A != 0) t[n++] = q / A;
    if (q != 0) t[n++] = C / q;
    return n;
}

// The first t > 0 at which z + t w comes to another branch; INFINITY where there is none.
static double leaves(int d, double mu, const double *z, const double *w)
{
    double first = INFINITY, t[2];
    double A = -mu * mu * w[0] * w[0], B = -mu * mu * z[0] * w[0],
           C = -mu * mu * z[0] * z[0];
    if (-z[0] / w[0] > 0) first = -z[0] / w[0];
    for (int i = 1; i < d; i++) {
        A += w[i] * w[i];
        B += z[i] * w[i];
        C += z[i] * z[i];
    }
    int n = d > 1 ? roots(A, B, C, t) : 0;
    for (int i = 0; i < n; i++)
        if (t[i] > 0 && t[i] < first && z[0] + t[i] * w[0] > 0) first = t[i];
    return first;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The share of the step dx after which to stop: a little beyond the last event that may be
// passed, and before the next one.
static double share(struct dls_prox_path *s)
{
    const struct dls_newton_problem *p = s->problem;
    int count = 0;
    double z[3], w[3];
    for (int a = 0; a < p->contacts; a++) {
        double rho = dls_newton_problem_rho(p, a);
        for (int i = 0, k = a * p->d; i < p->d; i++, k++) {
            z[i] = p->x[k] - rho * p->u[k];
            w[i] = p->dx[k] - rho * p->du[k];
        }
        double t = leaves(p->d, p->mu[a], z, w);
        if (t < 1) s->event[count++] = t;
    }
    qsort(s->event, (size_t)count, sizeof *s->event, ascending);
    s->crossed = count < s->most ? count : s->most;
    if (count < s->most) return 1;
    double last = s->event[s->most - 1], next = count > s->most ? s->event[s->most] : 1;
    return fmin(0.5 * (last + next), (1 + beyond) * last + 1e-9);
}

// --- the path -------------------------------------------------------------------------

static void set_factor(struct dls_prox_path *s, double value)
{
    s->factor = value;
    for (int a = 0; a < s->problem->contacts; a++)
        if (s->in[a]) s->shifts[a] = value * s->from[a];
}

static void take_back(struct dls_prox_path *s)
{
    struct dls_newton_problem *p = s->problem;
    memcpy(p->x, s->old_x, (size_t)p->m * sizeof *p->x);
    set_factor(s, s->old_factor);
    dls_newton_problem_evaluate(p);
}

// Newton's step and the tangent at x.
static bool directions(struct dls_prox_path *s, struct dls_work *work)
{
    struct dls_newton_problem *p = s->problem;
    int d = p->d;
    if (dls_work_expired(work) || !factor(p, s->system, work)
        || !dls_newton_system_solve(s->system, s->correction, work))
        return false;
    double *rhs = s->system->b;
    for (int a = 0; a < p->contacts; a++)
        for (int i = 0; i < d; i++) {
            double sum = 0;
            for (int l = 0, k = a * d; l < d && s->in[a]; l++, k++)
                sum += p->value[a].F_u[i * d + l] * (p->x[k] - p->centre[k]);
            rhs[a * d + i] = -s->shifts[a] * sum; // -F_u A_S (x - c)
        }
    return dls_newton_system_solve(s->system, s->tangent, work);
}

// x and p change by t (v + dp b).
static void move(struct dls_prox_path *s, const double *v, double dp, double t)
{
    struct dls_newton_problem *p = s->problem;
    for (int k = 0; k < p->m; k++) p->x[k] += t * ((v ? v[k] : 0) + dp * s->tangent[k]);
    set_factor(s, s->factor * exp(t * dp));
    dls_newton_problem_evaluate(p);
}

static double off(const struct dls_newton_problem *p)
{
    double sum = 0;
    for (int a = 0; a < p->contacts; a++)
        for (int i = 0; i < p->d; i++) sum += p->value[a].F[i] * p->value[a].F[i];
    return sqrt(sum);
}

// Corrections until x is near the path, with both directions there. False where they fail.
static bool correct(struct dls_prox_path *s, int *taken, struct dls_work *work)
{
    struct dls_newton_problem *p = s->problem;
    double before = INFINITY, w = weight * weight * s->size * s->size;
    for (*taken = 0;; ++*taken) {
        if (!directions(s, work)) return false;
        double now = off(p) / dls_prox_path_force(p), bb = w, sb = 0, ss = 0;
        if (now <= near) return true;
        if (*taken == CORRECTIONS || (*taken > 1 && now > 2 * before)) return false;
        for (int k = 0; k < p->m; k++) {
            bb += s->tangent[k] * s->tangent[k];
            sb += s->tangent[k] * s->correction[k];
            ss += s->correction[k] * s->correction[k];
        }
        double t = fmin(1, longest * s->size / sqrt(ss));
        move(s, s->correction, fmax(-1, fmin(1, -sb / bb)), t);
        work->products++;
        before = now;
    }
}

// Corrects what the last step left, or takes it back. False where x is lost.
static bool settle(struct dls_prox_path *s, struct dls_work *work)
{
    for (bool back = false;; back = true) {
        int taken;
        bool good = correct(s, &taken, work);
        int sign = good ? dls_newton_system_sign(s->system) : 0;
        bool skips = good && s->sign && sign != s->sign && s->crossed > 1 && !back;
        if (good && !skips) {
            if (!s->sign) s->first = sign;
            s->sign = sign;
            if (back) return true;
            s->most = taken > 2 ? 1 + s->most / 2 : 2 * s->most;
            if (s->most > MOST_EVENTS) s->most = MOST_EVENTS;
            s->cut = fmin(1, longer * s->cut);
            return true;
        }
        if (back || dls_work_expired(work)) return false; // the old point is none
        s->refused += !skips;
        if (s->most == 1) s->cut *= shorter;
        s->most = skips ? 1 : 1 + s->most / 8;
        take_back(s);
    }
}

// One step along the tangent.
static void advance(struct dls_prox_path *s, struct dls_work *work)
{
    struct dls_newton_problem *p = s->problem;
    double bb = weight * weight * s->size * s->size;
    for (int k = 0; k < p->m; k++) bb += s->tangent[k] * s->tangent[k];
    double dp = -s->sign * s->first * s->cut * longest * s->size / sqrt(bb);
    dp = fmax(dp, log(s->goal / s->factor));
    memcpy(s->old_x, p->x, (size_t)p->m * sizeof *p->x);
    s->old_factor = s->factor;
    for (int k = 0; k < p->m; k++) p->dx[k] = dp * s->tangent[k];
    dls_newton_problem_direct(p);
    for (int k = 0; k < p->m; k++)
        if (s->in[k / p->d])
            p->du[k] += s->shifts[k / p->d] * dp * (p->x[k] - p->centre[k]);
    work->products += 2;
    move(s, NULL, dp, share(s));
}

bool dls_prox_path_follow(struct dls_prox_path *s, double target, int events,
                          struct dls_work *work)
{
    struct dls_newton_problem *p = s->problem;
    double largest = 0;
    memcpy(s->from, s->shifts, (size_t)p->contacts * sizeof *s->from);
    memcpy(s->old_x, p->x, (size_t)p->m * sizeof *p->x);
    for (int a = 0; a < p->contacts; a++)
        if (s->in[a]) largest = fmax(largest, s->shifts[a]);
    s->goal = target / largest;
    s->factor = s->old_factor = s->cut = s->most = 1;
    s->sign = s->crossed = s->refused = 0;
    s->size = dls_norm(p->m, p->x);
    dls_newton_problem_evaluate(p);
    for (int n = 0; n < events && s->refused < events / 2; n++) {
        if (!settle(s, work) || s->factor > most_factor) return false;
        advance(s, work);
        if (s->factor > (1 + near) * s->goal) continue;
        if (dls_prox_path_point(p, s->system, TARGET_STEPS, work)) return true;
        take_back(s);
        s->goal *= 1 - near; // no point there: a little further
        s->refused++;
    }
    return false;
}
