// SPDX-License-Identifier: Apache-2.0
// Contact by contact: |C_a| for rho = 1 and rho = 1 / l_a, the gap of the bipotential, and
// the worst penetration, excess, r_N u_N and angle of slip. Formulas: residual.c.
//
// Plain contacts (plain.h) take both maps from one evaluation. A contact that bears
// nothing and does not approach has nothing to measure.
//
// The angle of slip is |atan2(cross, dot)|, and only the largest is asked for. With M the
// largest so far, dot sin M - cross cos M = length sin(M - angle): where this is positive
// the angle is smaller than M, and its atan2 is not taken.
#include "formulations/judge/measure.h"

#include "formulations/judge/plain.h"

#include <math.h>

// The largest angle of slip so far, with its sine and cosine.
struct widest {
    double angle, sine, cosine;
};

double dls_row_scale(const struct dls_problem *p, int contact, int i)
{
    if (p->mu_2) return i == 2 ? p->mu_2[contact] / p->mu[contact] : 1;
    if (!p->rolling || i <= (p->d - 1) / 2) return 1;
    double mu = p->mu[contact], mu_r = p->mu_r[contact];
    return mu > 0 && mu_r > 0 ? mu_r / mu : 1;
}

static inline struct dls_cone cone_of(const struct dls_problem *p, int a)
{
    struct dls_cone K =
        dls_cone_make(p->d, p->rolling, p->mu[a], p->rolling ? p->mu_r[a] : 0);
    if (p->mu_2) K.stretch = p->mu_2[a] / p->mu[a];
    return K;
}

// Angle between r_T and -u_T in [0, pi]; 0 where either vanishes. `s` is the stretch of
// the cone: in the units in which it is round.
static inline void widen(struct widest *w, int tangents, double s, const double *r,
                         const double *u)
{
    if (tangents == 1 && r[1] * u[1] > 0) w->angle = acos(-1);
    if (tangents < 2) return;
    double cross = fabs(r[1] * s * u[2] - r[2] / s * u[1]);
    double dot = -(r[1] * u[1] + r[2] * u[2]);
    double apart = dot * w->sine - cross * w->cosine; // 1e-15: a few roundings
    if (apart > 1e-15 * (fabs(dot) + cross)) return;
    double angle = atan2(cross, dot);
    if (!(angle > w->angle)) return;
    *w = (struct widest){angle, sin(angle), cos(angle)};
}

// sqrt(l_a) |C_a| of merit, and the status; `slides` where r_T lies on its disk.
static double weighed(const struct dls_measuring *g, int a, const struct dls_cone *K,
                      enum dls_contact_status *status, bool *slides)
{
    const struct dls_problem *p = g->problem;
    const double *r = g->r + a * p->d, *u = g->u + a * p->d;
    double x[DLS_LARGEST_D], w[DLS_LARGEST_D], root = sqrt(g->l[a]), rho = 1 / g->l[a];
    if (!p->rolling && !p->mu_2) {
        double part = root * dls_cone_natural(K, r, u, rho, status);
        *slides = *status == DLS_SLIP;
        return part;
    }
    struct dls_cone scaled = *K;
    for (int i = 0; i < p->d; i++) { // r_R mu_r / mu has the units of r_T
        double s = dls_row_scale(p, a, i);
        x[i] = r[i] / s;
        w[i] = u[i] * s;
        if (s != 1) scaled.mu_r = K->mu;
    }
    scaled.stretch = 1; // the row of the second tangent is scaled by it
    double part = root * dls_cone_natural(&scaled, x, w, rho, status);
    *slides = *status == DLS_SLIP && dls_cone_slides(&scaled, x, w, rho);
    return part;
}

// What the worst values and counts take from one contact.
struct seen {
    double gap, excess; // u . r + phi r_N, and the distance outside the cone
    enum dls_contact_status status;
};

static inline double larger(double x, double y) { return y > x ? y : x; }

static inline void note(const struct dls_measuring *g, int a, const double *r,
                        const double *u, struct seen seen, struct dls_measures *m)
{
    g->gap[a] = fabs(seen.gap);
    m->penetration = larger(m->penetration, -u[0]);
    m->cone_excess = larger(m->cone_excess, seen.excess);
    m->signorini = larger(m->signorini, fabs(r[0] * u[0]));
    m->open += seen.status == DLS_OPEN;
    m->stick += seen.status == DLS_STICK;
    m->slip += seen.status == DLS_SLIP;
}

static void measure_any(const struct dls_measuring *g, int a, struct dls_measures *m,
                        struct widest *widest)
{
    const struct dls_problem *p = g->problem;
    const double *r = g->r + a * p->d, *u = g->u + a * p->d;
    struct dls_cone K = cone_of(p, a);
    enum dls_contact_status status;
    bool slides;
    g->miss[a] = dls_cone_natural(&K, r, u, 1, &status);
    g->energy[a] = weighed(g, a, &K, &status, &slides);
    double gap = r[0] * (u[0] + dls_cone_shift(&K, u));
    for (int i = 1; i < p->d; i++) gap += r[i] * u[i];
    if (slides) widen(widest, K.tangents, K.stretch, r, u);
    note(g, a, r, u, (struct seen){gap, dls_cone_excess(&K, r), status}, m);
}

// True where r = 0 and the contact does not approach: nothing to measure but its state.
static inline bool rests(int tangents, const double *r, const double *u)
{
    double impulse = fabs(r[0]), slide = 0;
    for (int i = 1; i <= tangents; i++) impulse += fabs(r[i]), slide += fabs(u[i]);
    return impulse == 0 && u[0] >= 0 && slide < INFINITY;
}

static inline void measure_plain(const struct dls_measuring *g, int tangents, int a,
                                 struct dls_measures *m, struct widest *widest)
{
    int row = a * (1 + tangents);
    const double *r = g->r + row, *u = g->u + row;
    double mu = g->problem->mu[a], rho[2] = {1, 1 / g->l[a]};
    if (rests(tangents, r, u)) {
        g->miss[a] = g->energy[a] = g->gap[a] = 0;
        m->open++;
        return;
    }
    struct dls_plain both = dls_plain_natural(tangents, 2, mu, r, u, rho);
    if (!(both.plain && mu <= 1)) {
        measure_any(g, a, m, widest);
        return;
    }
    g->miss[a] = both.length[0];
    g->energy[a] = sqrt(g->l[a]) * both.length[1];
    double gap = r[0] * (u[0] + mu * both.u_T);
    for (int i = 1; i <= tangents; i++) gap += r[i] * u[i];
    if (both.status[1] == DLS_SLIP) widen(widest, tangents, 1, r, u);
    double excess = larger(-r[0], both.r_T - mu * r[0]);
    note(g, a, r, u, (struct seen){gap, excess, both.status[1]}, m);
}

static bool may_be_plain(const struct dls_problem *p)
{
    return !p->rolling && !p->mu_2 && p->d > 1;
}

// Constants in the calls give each dimension a code without loops.
void dls_measure_contacts(const struct dls_measuring *g, int from, int to,
                          struct dls_measures *m)
{
    struct widest widest = {m->angle, sin(m->angle), cos(m->angle)};
    bool plain = may_be_plain(g->problem);
    int d = g->problem->d;
    for (int a = from; a < to && plain && d == 3; a++)
        measure_plain(g, 2, a, m, &widest);
    for (int a = from; a < to && plain && d == 2; a++)
        measure_plain(g, 1, a, m, &widest);
    for (int a = from; a < to && !plain; a++) measure_any(g, a, m, &widest);
    m->angle = widest.angle;
}

static double miss_any(const struct dls_measuring *g, int a)
{
    struct dls_cone K = cone_of(g->problem, a);
    enum dls_contact_status status;
    int row = a * g->problem->d;
    return dls_cone_natural(&K, g->r + row, g->u + row, 1, &status);
}

static inline double miss_plain(const struct dls_measuring *g, int tangents, int a)
{
    int row = a * (1 + tangents);
    const double *r = g->r + row, *u = g->u + row, one = 1;
    double mu = g->problem->mu[a];
    if (rests(tangents, r, u)) return 0;
    struct dls_plain only = dls_plain_natural(tangents, 1, mu, r, u, &one);
    return only.plain && mu <= 1 ? only.length[0] : miss_any(g, a);
}

void dls_measure_misses(const struct dls_measuring *g, int from, int to)
{
    bool plain = may_be_plain(g->problem);
    int d = g->problem->d;
    for (int a = from; a < to; a++)
        g->miss[a] = !plain   ? miss_any(g, a)
                     : d == 3 ? miss_plain(g, 2, a)
                              : miss_plain(g, 1, a);
}
