// SPDX-License-Identifier: Apache-2.0
// The answer nearest to given impulses, by Tikhonov's regularisation.
//
//     r(alpha):   the law of contact at r and u = W r + q + alpha l (r - c),   alpha -> 0
//
// Where many impulses give the same velocities, those at hand may be off along the null space
// of W by as much as their own size, and the velocities by their last digits only: a
// contact that sticks at the edge of its cone asks for more than its cone holds, its
// neighbours have to take over, and u tells so with 1e-13. Newton's method on frozen statuses
// does not move along the null space, and a proximal step with alpha = 1e-10 moves by 1e-3
// towards it. For a convex law r(alpha) tends to the answer nearest to c, and what the
// residual keeps is alpha |l (r - c)|. So alpha has to become as small as the residual is
// to be, divided by a distance.
//
// Method [Rockafellar1976, one step; AllgowerGeorg1990, chapter 2, for the path].
//   1. Newton's method for one alpha, on the smooth system of refine.c with statuses read
//      off anew after each step. Steps are whole: along the edge of a cone they are
//      tangents, and the first ones leave it by the square of their length, some 1e-6 where
//      1e-13 was left. A line search would cut them to nothing; the next steps mend it.
//   2. alpha falls by `fall`, faster after few steps, slower where Newton's method failed,
//      which starts from the better one of r and c + (r - c) alpha_before / alpha: there r - c
//      grows like 1 / alpha until contacts reach the edges of their cones.
//   3. The law is not convex, and the path may end before alpha is small. Then it is begun
//      again from the last point as its centre, and an alpha that is larger for a start.
//
// Cost: wide_system.c some 10 times for each alpha; 20 to 40 alphas, on some walls a
// few hundred.
// Fails: far from an answer paths end soon, and those begun again lead nowhere.
#include "solvers/reference/nearest.h"

#include "solvers/reference/wide_system.h"

#include "formulations/velocities/velocities.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 16, // statuses settle within ten, or not at all
    FEW = 3,    // steps after which alpha falls faster
    PATHS = 12, // in a row that gain nothing: then there is no way
};
static const double first_alpha = 1e-5; // Newton's method takes it from any near answer
static const double least_alpha =
    1e-16; // round-off of W: below, its null space is noise
// Falls of alpha. Where 0.6 is too much the path has ended, mostly: smaller ones were seen to
// gain a tenth and to cost ten times the steps.
static const double fast = 0.1, usual = 0.3, slow = 0.6;
// A new path begins where the last one was still easy; where that fails, much higher.
static const double again = 10, higher = 100;
static const double share = 1e-4;      // of the proximal term that F may keep
static const double least_off = 1e-22; // of F: as far as sums of 64 bits go
static const double lost = 1;          // F like that of r = 0
// Rows of W from which factors of twice its size take seconds, and rows a velocity from which
// a system of the velocities is smaller by far.
static const int large = 5000;
static const double redundant = 2;

struct path {
    struct dls_refinement *s;
    struct dls_wide_system system;
    struct dls_work *work;
    dls_quad *v;                // m: W r + q at the present r
    dls_quad *c, *v_c;          // m: the centre
    dls_quad *at, *v_at, *best; // m: the last point, the best one
    dls_wide *b, *x, *Wx;       // m
    double alpha, unit;         // unit: |q| in roots of energies
};

// --- one alpha --------------------------------------------------------------------------

// |r - c| in roots of energies, relative to q.
static double moved(const struct path *t)
{
    const struct dls_refinement *s = t->s;
    dls_quad sum = 0;
    for (int k = 0; k < s->form->m; k++) {
        dls_quad d = s->r[k] - t->c[k];
        sum += d * d * s->extended->l[k / s->form->d];
    }
    return (double)dls_quad_sqrt(sum) / t->unit;
}

// F of an open contact: r.
static void open_contact(int d, const dls_quad *r, dls_quad *F, double *A, double *C)
{
    memset(A, 0, (size_t)(d * d) * sizeof *A);
    memset(C, 0, (size_t)(d * d) * sizeof *C);
    for (int i = 0; i < d; i++) F[i] = r[i], A[i * d + i] = 1;
}

// u, statuses and the system of Newton's step; returns |F|, relative to q.
static double evaluate(struct path *t)
{
    struct dls_refinement *s = t->s;
    int d = s->form->d, dd = d * d;
    double square = 0;
    for (int k = 0; k < s->form->m; k++) // u = W r + q + alpha l (r - c)
        s->extended->u[k] =
            t->v[k] + (dls_quad)t->alpha * s->extended->l[k / d] * (s->r[k] - t->c[k]);
    dls_refine_look(s);
    for (int a = 0; a < s->form->contacts; a++) {
        dls_quad F[DLS_LARGEST_D];
        double A[DLS_LARGEST_D * DLS_LARGEST_D], C[DLS_LARGEST_D * DLS_LARGEST_D];
        dls_wide shift = (dls_wide)t->alpha * s->extended->l[a];
        if (s->status[a])
            dls_refine_contact(s, a, F, A, C);
        else
            open_contact(d, s->r + a * d, F, A, C);
        for (int i = 0; i < d; i++) {
            double weight = dls_refine_weight(s, a, i);
            double off = weight * (double)F[i];
            t->b[a * d + i] = -(dls_wide)weight * (dls_wide)F[i];
            square += off * off;
            for (int j = 0; j < d; j++) {
                int k = a * dd + i * d + j;
                t->system.C[k] = weight * (dls_wide)C[i * d + j];
                t->system.N[k] =
                    weight * (dls_wide)A[i * d + j] + shift * t->system.C[k];
            }
        }
    }
    return sqrt(square) / t->unit;
}

// The point for the present alpha from the present r. Returns how many steps that took, -1
// where they did not lead there.
static int solve(struct path *t, double off)
{
    struct dls_refinement *s = t->s;
    for (int n = 0; off < lost; n++) { // false where off is not a number
        if (off <= fmax(least_off, share * t->alpha * moved(t))) return n;
        if (n == STEPS || dls_work_expired(t->work)) return -1;
        t->work->factorisations++;
        s->steps++;
        if (!dls_wide_system_factor(&t->system)) return -1;
        dls_wide_system_solve(&t->system, t->b, t->x, t->Wx);
        for (int k = 0; k < s->form->m; k++) {
            s->r[k] += t->x[k];
            t->v[k] += t->Wx[k];
        }
        off = evaluate(t);
    }
    return -1;
}

// --- the path ---------------------------------------------------------------------------

static void copy(const struct path *t, dls_quad *to, const dls_quad *from)
{
    memcpy(to, from, (size_t)t->s->form->m * sizeof *to);
}

// The start for the next alpha: r as it is, or c + stretch (r - c), whichever is nearer.
static double start(struct path *t, double stretch)
{
    struct dls_refinement *s = t->s;
    copy(t, s->r, t->at);
    copy(t, t->v, t->v_at);
    double off = evaluate(t);
    if (stretch == 1) return off;
    for (int k = 0; k < s->form->m; k++) {
        s->r[k] = t->c[k] + stretch * (t->at[k] - t->c[k]);
        t->v[k] = t->v_c[k] + stretch * (t->v_at[k] - t->v_c[k]);
    }
    double stretched = evaluate(t);
    if (stretched < off) return stretched;
    copy(t, s->r, t->at);
    copy(t, t->v, t->v_at);
    return evaluate(t);
}

// The present r becomes the last point of the path, and the best one where it is that.
static void settle(struct path *t, double *least)
{
    struct dls_refinement *s = t->s;
    double residual = dls_refine_measure(s, s->r);
    copy(t, t->at, s->r);
    copy(t, t->v_at, s->extended->u);
    if (!(residual < *least)) return;
    *least = residual;
    copy(t, t->best, s->r);
}

// A path from the last point as its centre, until `least` reaches tol; returns the last alpha,
// 0 where there was none.
static double follow(struct path *t, double first, double tol, double *least)
{
    double fall = usual, last = 0;
    copy(t, t->c, t->at);
    copy(t, t->v_c, t->v_at);
    t->alpha = first;
    while (*least > tol && t->alpha > least_alpha && fall <= slow) {
        int steps = solve(t, start(t, last > 0 ? last / t->alpha : 1));
        if (dls_work_expired(t->work)) break;
        if (steps >= 0) {
            settle(t, least);
            last = t->alpha;
            if (steps <= FEW) fall = fmax(fast, fall * fall);
        } else if (last > 0) {
            fall = sqrt(fall);
        } else {
            break;
        }
        t->alpha = fall * last;
    }
    return last;
}

static bool create(struct path *t, struct dls_refinement *s, struct dls_arena *a)
{
    size_t m = (size_t)s->form->m;
    dls_quad **to[] = {&t->v, &t->c, &t->v_c, &t->at, &t->v_at, &t->best};
    dls_wide **also[] = {&t->b, &t->x, &t->Wx};
    for (int k = 0; k < 6; k++) *to[k] = DLS_NEW(a, dls_quad, m);
    for (int k = 0; k < 3; k++) *also[k] = DLS_NEW(a, dls_wide, m);
    double energy = (double)s->extended->energy_q;
    t->s = s;
    t->unit = energy > 0 ? energy : 1;
    return !a->failed;
}

bool dls_nearest_is_cheaper(const struct dls_delassus *form)
{
    double density;
    return form->m >= large
           && dls_velocities_density(form, &(int){0}, &density) == DLS_OK
           && density > redundant;
}

// Paths until one of them gets there, or none gains any more.
static void search(struct path *t, double tol)
{
    double least = INFINITY, alpha = first_alpha;
    settle(t, &least);
    for (int idle = 0; least > tol && alpha <= first_alpha && idle < PATHS
                       && !dls_work_expired(t->work);) {
        double before = least, last = follow(t, alpha, tol, &least);
        alpha = last > 0 ? fmin(first_alpha, again * last) : higher * alpha;
        idle = least < before ? 0 : idle + 1;
    }
    copy(t, t->s->r, t->best);
    dls_refine_measure(t->s, t->s->r);
    dls_refine_look(t->s);
}

enum dls_status dls_nearest_find(struct dls_refinement *s, double tol,
                                 struct dls_work *work, struct dls_arena *arena)
{
    const struct dls_problem *p = s->form->problem;
    struct dls_arena a = dls_arena_scratch(arena);
    struct path t = {.work = work};
    if (dls_problem_is_global(p) || p->rolling || !p->m) return DLS_UNSUPPORTED;
    enum dls_status status = dls_wide_system_create(&t.system, s->form, &a);
    if (!status && !create(&t, s, &a)) status = DLS_ENOMEM;
    if (!status && dls_clock() + dls_wide_lu_seconds(&t.system.lu) > work->deadline)
        status = DLS_MAX_TIME;
    if (!status) search(&t, tol);
    dls_arena_free(&a);
    return status;
}
