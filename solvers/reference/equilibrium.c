// SPDX-License-Identifier: Apache-2.0
// Equilibrium of a structure under given loads b [Moreau2004, 6.2; MoreauJean1996, 4].
//
//   (safe)      forces r in K with  H^T r + G^T lambda + b = 0: the step from rest has the
//               solution v = 0, whatever else it has.
//   (mechanism) v with  H v in K*,  G v = 0  and  b.v > 0: were there such r, then
//               0 = v.(H^T r + b) = r.Hv + b.v > 0. So there are none.
//
// One of both exists, but for limits. Both come from one convex problem, the step from
// rest under the associated law:
//
//     min over K of  |v|_M^2 / 2,     M v = b + H^T r + G^T lambda,                  (1)
//
// for its answer has u = H v in K* and r.u = 0, hence b.v = |v|_M^2. Either v = 0 and r is
// safe, or v is a mechanism. W r is the same for all answers, so this is a proof in a
// local problem too, where v is not known.
//
// Extremes: the largest load factor, the largest and smallest normal impulse of a
// contact,
//
//     max  c.r,    H^T r + G^T lambda + b = 0,   r in K,                             (2)
//
// a load factor being the impulse of one more, frictionless, contact with the row `live`
// of H. Multipliers turn (2) into problems like (1): with s_0 = 0 and eps > 0
//
//     r_k = argmin over K of  -eps c.r + |v(r) + s_{k-1}|_M^2 / 2,   s_k = s_{k-1} + v(r_k),
//
// finite for polyhedral cones (2D). The velocity s / eps is the mechanism that proves the
// value from the other side: H s - eps c in K*, so that  eps c.r <= -b.s  for every safe
// r. Both numbers are evaluated from the original data.
//
// Mechanisms in K* dilate, u_N >= mu |u_T|: that is the associated law, for which the two
// theorems of limit analysis meet [Drucker1954]. Coulomb's friction does not dilate, and a
// structure may fail at a load that admissible forces could hold. With De Saxcé's
// shift sigma = mu |u_T| of the last mechanism in every normal row of c (fixed point, as
// in [Acary2011]) the mechanism has u_N _|_ r_N and slides without dilation: a collapse
// under Coulomb's law, at a load that is no larger. The lowest such load is not claimed.
//
// The shortest r: eps l |r|^2 / 2 in the place of -eps c.r, l the mean of diag W.
//
// Notation: x, y, W', q' of the formulation `socp`; d = W' x + q' is v(r) seen at the
// contacts, sigma = the sum of the d so far.
//
// Cost: 10 to 30 factorisations for (1), 3 to 10 times as many for (2).
// Fails: rolling cones; sizes beyond those of `ipm`.
#include "solvers/reference/equilibrium.h"

#include "solvers/kernel/cone_program.h"

#include "formulations/judge/residual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double held = 1e-7;     // relative velocity that counts as none
static const double falls = 1e-5;    // relative velocity that counts as one
static const double outside = 1e-7;  // how far a mechanism may be outside of K*
static const double agree = 1e-6;    // of safe value and bound, relative
static const double huge_x = 1e7;    // multiples of the loads that count as infinite
static const double settled = 1e-12; // rest of the balance where rounds end
enum { ROUNDS = 40, LONGEST = 80, SHIFTS = 60 };

struct statics {
    struct dls_problem problem; // at rest, with the loads for f
    const struct dls_socp *base;
    struct dls_socp form;
    struct dls_cone_program program;
    struct dls_judge *judge;
    double *q, *sigma, *rest; // m
    double *c;                // m, of x: the linear objective, minimised
    double *r;                // m
    double *V;                // n: sum of the v(r_k), or NULL
};

// --- the problem at rest --------------------------------------------------------------

// hF, or what f says of it.
static void loads_of(const struct dls_problem *p, double *b)
{
    memcpy(b, p->hF ? p->hF : p->f, (size_t)p->n * sizeof *b);
    if (p->hF || !p->v_minus) return;
    dls_csr_add(p->M, -1, p->v_minus, b); // f = M v^- + hF
}

// H with d more rows, of which the first is `live`.
static struct dls_csr *with_row(const struct dls_csr *H, const double *live, int d,
                                struct dls_arena *a)
{
    int count = dls_csr_count(H), more = 0;
    for (int j = 0; j < H->cols; j++) more += live[j] != 0;
    struct dls_csr *B = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, H->rows + d + 1), *j = DLS_NEW(a, int, count + more);
    double *x = DLS_NEW(a, double, count + more);
    if (a->failed) return NULL;
    memcpy(p, H->p, ((size_t)H->rows + 1) * sizeof *p);
    memcpy(j, H->j, (size_t)count * sizeof *j);
    memcpy(x, H->x, (size_t)count * sizeof *x);
    for (int k = 0; k < H->cols; k++)
        if (live[k] != 0) j[count] = k, x[count++] = live[k];
    for (int i = 1; i <= d; i++) p[H->rows + i] = count;
    *B = (struct dls_csr){H->rows + d, H->cols, p, j, x};
    return B;
}

// The problem with obstacles at rest and the loads for f; with `live` as one more contact
// without friction.
static bool put_to_rest(struct dls_problem *to, const struct dls_problem *p,
                        const double *live, struct dls_arena *a)
{
    int contacts = p->contacts + (live != NULL), m = contacts * p->d;
    double *mu = DLS_NEW(a, double, contacts), *b = DLS_NEW(a, double, p->n);
    double *w = DLS_NEW(a, double, m), *none = DLS_NEW(a, double, p->joints);
    if (a->failed) return false;
    memcpy(mu, p->mu, (size_t)p->contacts * sizeof *mu);
    *to = (struct dls_problem){
        .contacts = contacts,
        .d = p->d,
        .m = m,
        .mu = mu,
        .n = p->n,
        .joints = p->joints,
        .M = p->M,
        .H = p->H,
        .G = p->G,
        .b = none,
        .bodies = p->bodies,
        .body_start = p->body_start,
        .W = p->W,
        .q = p->q,
        .time = NAN,
        .step = NAN,
    };
    if (!dls_problem_is_global(p)) {
        to->b = NULL;
        return true;
    }
    loads_of(p, b);
    to->f = b;
    to->w = w;
    if (live) to->H = with_row(p->H, live, p->d, a);
    return to->H;
}

static enum dls_status create(struct statics *s, const struct dls_problem *p,
                              const double *live, struct dls_arena *a,
                              struct dls_error *err)
{
    void *form;
    *s = (struct statics){0};
    if (p->mu_2)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "mu_2: equilibrium takes round friction cones");
    if (!put_to_rest(&s->problem, p, live, a)) return DLS_ENOMEM;
    enum dls_status status = dls_judge_create(&s->judge, &s->problem, a, err);
    if (!status) status = dls_formulation_socp.build(&form, &s->problem, NULL, a, err);
    if (status) return status;
    s->base = form;
    s->form = *s->base;
    size_t m = (size_t)s->form.m;
    double *vectors = DLS_NEW(a, double, 5 * m);
    s->V = s->problem.M ? DLS_NEW(a, double, p->n) : NULL;
    if (a->failed) return DLS_ENOMEM;
    double **to[] = {&s->q, &s->sigma, &s->rest, &s->c, &s->r};
    for (size_t k = 0; k < 5; k++) *to[k] = vectors + k * m;
    return dls_cone_program_create(&s->program, &s->form, s->q, false, a, err);
}

static void destroy(struct statics *s)
{
    dls_cone_program_destroy(&s->program);
    dls_judge_destroy(s->judge);
}

// --- measures ------------------------------------------------------------------------

static double kinetic_norm(const struct dls_problem *p, const double *v)
{
    return sqrt(fmax(0, dls_csr_square(p->M, v)));
}

static double norm(int count, const double *x)
{
    double sum = 0;
    for (int k = 0; k < count; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

// The size of the velocity of impulses r (NULL: none), in the metric that is known.
static double speed_of(struct statics *s, const double *r)
{
    struct dls_measures measures;
    const struct dls_problem *p = &s->problem;
    if (!r) {
        memset(s->rest, 0, (size_t)p->m * sizeof *s->rest);
        r = s->rest;
    }
    dls_judge_measure(s->judge, r, &measures);
    return p->M ? kinetic_norm(p, dls_judge_v(s->judge))
                : norm(p->m, dls_judge_u(s->judge));
}

static double tangent_norm(int d, const double *u) { return norm(d - 1, u + 1); }

// The least u_N - mu |u_T|, less `kappa` at one contact, over the largest |u|.
static double margin_of(const struct dls_problem *p, int contact, double kappa,
                        const double *u)
{
    double least = INFINITY, largest = 0;
    for (int a = 0; a < p->contacts; a++) {
        const double *u_a = u + a * p->d;
        double margin = u_a[0] - p->mu[a] * tangent_norm(p->d, u_a);
        least = fmin(least, a == contact ? margin - kappa : margin);
        largest = fmax(largest, norm(p->d, u_a));
    }
    return largest > 0 ? least / largest : 0;
}

// --- rounds --------------------------------------------------------------------------

// Minimises over the cones with the present q; DLS_MAX_TIME where it was cut short.
static enum dls_status minimise(struct statics *s, struct dls_work *work)
{
    enum dls_status status = DLS_OK;
    dls_cone_program_start(&s->program);
    for (int k = 0; k < LONGEST && !status; k++) {
        if (dls_work_expired(work)) return DLS_MAX_TIME;
        status = dls_cone_program_step(&s->program, work);
    }
    for (int k = 0; k < s->form.m; k++)
        s->r[k] = s->form.unit * s->form.t[k] * s->program.x[k];
    return status < 0 ? status : DLS_OK;
}

// Rounds for the objective c . x weighed by eps, or for the one that stands in form.W. At
// the end r is the answer, and V, sigma its multiplier.
static enum dls_status run(struct statics *s, double eps, struct dls_work *work,
                           bool *infinite)
{
    int m = s->form.m;
    double before = INFINITY;
    memset(s->sigma, 0, (size_t)m * sizeof *s->sigma);
    if (s->V) memset(s->V, 0, (size_t)s->problem.n * sizeof *s->V);
    *infinite = false;
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < m; k++)
            s->q[k] = s->base->q[k] + s->sigma[k] + eps * s->c[k];
        enum dls_status status = minimise(s, work);
        if (status) return status;
        *infinite = norm(m, s->program.x) > huge_x * sqrt(m);
        if (*infinite) return DLS_OK;
        dls_bsr_multiply(&s->base->W, s->program.x, s->base->q, s->rest);
        double now = norm(m, s->rest);
        for (int k = 0; k < m; k++) s->sigma[k] += s->rest[k];
        speed_of(s, s->r);
        for (int i = 0; s->V && i < s->problem.n; i++)
            s->V[i] += dls_judge_v(s->judge)[i];
        if (now < settled || (round > 2 && now > 0.5 * before && now < 1e-9))
            return DLS_OK;
        before = now;
    }
    return DLS_OK;
}

// --- the question --------------------------------------------------------------------

// The shortest forces: eps l |r|^2 / 2 in W', contacts only, for it has no H.
static enum dls_status shorten(struct statics *s, struct dls_work *work,
                               struct dls_arena *a)
{
    const struct dls_socp *base = s->base;
    int d = base->d;
    size_t entries = (size_t)base->W.p[base->contacts] * (size_t)(d * d);
    double *x = DLS_NEW(a, double, entries), largest = 0;
    double *best = dls_copy(a, s->r, (size_t)base->m, sizeof *best);
    bool infinite;
    if (a->failed) return DLS_ENOMEM;
    memcpy(x, base->W.x, entries * sizeof *x);
    for (int k = 0; k < base->m; k++) largest = fmax(largest, base->t[k]);
    for (int b = 0; b < base->contacts; b++)
        for (int k = base->W.p[b]; k < base->W.p[b + 1]; k++)
            for (int i = 0; i < d && base->W.j[k] == b; i++) {
                double share = base->t[b * d + i] / largest;
                x[k * d * d + i * d + i] += 1e-4 * share * share;
            }
    dls_cone_program_destroy(&s->program);
    s->form.W.x = x;
    s->form.H = s->form.M = NULL;
    enum dls_status status =
        dls_cone_program_create(&s->program, &s->form, s->q, false, a, NULL);
    if (!status) status = run(s, 0, work, &infinite);
    // Forces that hold the loads less well are no improvement.
    if (status || infinite || speed_of(s, s->r) > held * speed_of(s, NULL))
        memcpy(s->r, best, (size_t)base->m * sizeof *best);
    return status < 0 ? status : DLS_OK;
}

static void conclude(struct dls_equilibrium *out, struct statics *s,
                     struct dls_arena *a)
{
    const struct dls_problem *p = &s->problem;
    double free = speed_of(s, NULL);
    out->rest = free > 0 ? speed_of(s, s->r) / free : 0;
    const double *u = dls_judge_u(s->judge), *v = dls_judge_v(s->judge);
    out->r = dls_copy(a, s->r, (size_t)p->m, sizeof *out->r);
    out->u = dls_copy(a, u, (size_t)p->m, sizeof *out->u);
    out->v = v ? dls_copy(a, v, (size_t)p->n, sizeof *out->v) : NULL;
    double sizes = norm(p->m, out->r) * norm(p->m, u), sum = 0;
    for (int k = 0; k < p->m; k++) sum += out->r[k] * u[k];
    out->margin = margin_of(p, -1, 0, u);
    out->product = sizes > 0 ? fabs(sum) / sizes : 0;
    if (out->rest <= held)
        out->verdict = DLS_EQUILIBRIUM_HOLDS;
    else if (out->rest >= falls && out->margin > -outside && out->product < outside)
        out->verdict = DLS_EQUILIBRIUM_FALLS;
    else
        snprintf(out->why, sizeof out->why, "at the limit to within %.0e", falls);
}

enum dls_status dls_equilibrium_check(struct dls_equilibrium *out,
                                      const struct dls_problem *p,
                                      struct dls_work *work, struct dls_arena *a,
                                      struct dls_error *err)
{
    struct statics s;
    *out = (struct dls_equilibrium){.rest = NAN, .margin = NAN, .product = NAN};
    enum dls_status status = create(&s, p, NULL, a, err);
    if (!status) {
        memcpy(s.q, s.base->q, (size_t)p->m * sizeof *s.q);
        status = minimise(&s, work);
        if (!status && speed_of(&s, s.r) <= held * speed_of(&s, NULL))
            status = shorten(&s, work, a);
    }
    if (status == DLS_MAX_TIME)
        snprintf(out->why, sizeof out->why, "out of time");
    else if (!status)
        conclude(out, &s, a);
    destroy(&s);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    return status == DLS_MAX_TIME ? DLS_OK : status;
}

// --- extremes ------------------------------------------------------------------------

// Value and bound of the answer that run left.
static void weigh(struct dls_extreme *out, struct statics *s, int contact, double sign)
{
    const struct dls_problem *p = &s->problem;
    double free = speed_of(s, NULL), power = 0;
    out->safe = s->r[contact * p->d];
    out->rest = free > 0 ? speed_of(s, s->r) / free : 0;
    memset(out->u, 0, (size_t)p->m * sizeof *out->u);
    dls_csr_add(p->H, 1, s->V, out->u);
    for (int i = 0; i < p->n; i++) power += p->f[i] * s->V[i];
    const double *u = out->u + contact * p->d;
    // kappa: u_a - sign kappa e_N is on the boundary of K*
    double kappa = sign * (u[0] - p->mu[contact] * tangent_norm(p->d, u));
    out->bound = -sign * power / kappa;
    for (int a = 0; a < p->contacts; a++) out->scale = fmax(out->scale, s->r[a * p->d]);
    // An impulse is never below zero, which needs no mechanism.
    if (sign < 0 && out->safe < agree * out->scale) out->bound = 0;
    out->margin = margin_of(p, contact, sign * kappa, out->u);
    memcpy(out->v, s->V, (size_t)p->n * sizeof *out->v);
    memcpy(out->r, s->r, (size_t)p->m * sizeof *out->r);
}

// How far the forces and the mechanism, each made of size one, are from Coulomb's law
// without dilation: the natural map r - P(r - u~), seen in the variables x, sigma where K
// is the Lorentz cone.
static double law_defect(const struct statics *s, int contact)
{
    int d = s->form.d;
    double x = 0, y = 0, worst = 0;
    for (int k = 0; k < s->form.m; k++) {
        if (k / d == contact) continue;
        x = fmax(x, fabs(s->program.x[k]));
        y = fmax(y, fabs(s->sigma[k]));
    }
    for (int a = 0; a < s->form.contacts; a++) {
        double z[3] = {0}, shift = tangent_norm(d, s->sigma + a * d) / y;
        if (a == contact) continue;
        for (int i = 0; i < d; i++)
            z[i] = s->program.x[a * d + i] / x - s->sigma[a * d + i] / y;
        z[0] -= shift;
        double t = tangent_norm(d, z), along = 0.5 * (z[0] + t);
        double factor = t <= z[0] ? 1 : t <= -z[0] ? 0 : along / t;
        z[0] = t <= z[0] ? z[0] : t <= -z[0] ? 0 : along;
        for (int i = 0; i < d; i++)
            worst = fmax(
                worst, fabs(s->program.x[a * d + i] / x - (i ? factor * z[i] : z[0])));
    }
    return worst;
}

// c . x = -sign x_N of the contact, and De Saxcé's shift of the last mechanism: s_a =
// |y_T| in the variables of the formulation, y = sigma / eps the mechanism's velocity.
static void set_objective(struct statics *s, int contact, double sign, bool shift,
                          double eps)
{
    int d = s->form.d;
    memset(s->c, 0, (size_t)s->form.m * sizeof *s->c);
    for (int a = 0; shift && a < s->form.contacts; a++)
        if (a != contact) s->c[a * d] = tangent_norm(d, s->sigma + a * d) / eps;
    s->c[contact * d] -= sign;
}

static enum dls_status find(struct dls_extreme *out, struct statics *s,
                            const struct dls_extreme_of *of, struct dls_work *work)
{
    static const double eps = 0.1; // against loads whose q' has entries of order 1
    int contact = of->live ? s->problem.contacts - 1 : of->contact;
    double sign = of->smallest ? -1 : 1;
    memset(s->sigma, 0, (size_t)s->form.m * sizeof *s->sigma);
    for (int k = 0; k < (of->coulomb ? SHIFTS : 1); k++) {
        set_objective(s, contact, sign, k > 0, eps);
        enum dls_status status = run(s, eps, work, &out->infinite);
        if (status || out->infinite) return status;
        weigh(out, s, contact, sign);
        out->rounds = k + 1;
        bool lawful = law_defect(s, contact) < outside;
        out->found = out->rest < held && (!of->coulomb || lawful);
        if (of->coulomb && lawful) return DLS_OK;
    }
    // The two theorems have to meet, and the mechanism has to be one.
    double size = fmax(fmax(fabs(out->safe), fabs(out->bound)), out->scale);
    bool meet = fabs(out->bound - out->safe) <= agree * size;
    bool moves = out->margin > -outside || out->bound == 0;
    if (!of->coulomb) out->found = out->found && meet && moves;
    return DLS_OK;
}

enum dls_status dls_equilibrium_extreme(struct dls_extreme *out,
                                        const struct dls_problem *p,
                                        const struct dls_extreme_of *of,
                                        struct dls_work *work, struct dls_arena *a,
                                        struct dls_error *err)
{
    struct statics s;
    *out = (struct dls_extreme){.safe = NAN, .bound = NAN, .rest = NAN, .margin = NAN};
    if (!dls_problem_is_global(p))
        return dls_fail(err, DLS_UNSUPPORTED,
                        "extremes need M and H, which a local file does not give");
    enum dls_status status = create(&s, p, of->live, a, err);
    if (!status) {
        out->r = DLS_NEW(a, double, s.problem.m);
        out->u = DLS_NEW(a, double, s.problem.m);
        out->v = DLS_NEW(a, double, p->n);
        status = a->failed ? DLS_ENOMEM : find(out, &s, of, work);
        if (out->infinite && out->r)
            memcpy(out->r, s.r, (size_t)s.problem.m * sizeof *s.r);
    }
    destroy(&s);
    return status == DLS_MAX_TIME ? DLS_OK : status;
}
