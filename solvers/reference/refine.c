// SPDX-License-Identifier: Apache-2.0
// The last digits: Newton's method on a smooth system, residuals in 113 bits.
//
// With the status of every contact frozen the law is a smooth system,
//
//     open    r = 0
//     closed  u_N = 0
//     stick   u_g = 0                              g = T, and R where contacts roll
//     slip    r_g = mu_g r_N y_g / |y_g|,          y = r - rho u,  rho = 1 / l_a,
//
// the last line being r_g = -mu_g r_N u_g / |u_g| written so that its derivative stays
// bounded where u_g is small [AlartCurnier1991]. The status is read off y: open where
// y_N <= 0, slip where |y_g| > mu_g y_N. It is read anew after each step.
//
// Method. J = A + C W, with d x d blocks A_a, C_a, is assembled in doubles for the closed
// contacts, rows and columns scaled to roots of energies, and the correction is
//
//     x = argmin |J x + F|^2 + delta^2 |x|^2     from   [ delta I   J      ] [p]   [-F]
//                                                       [ J^T   -delta I   ] [x] = [ 0],
//
// by sparse LU: of minimal norm as delta -> 0, so that it does not wander along the
// impulses that W does not see, and the condition number is not squared. Some rounds on
// the rest of J x + F take the bias of delta out. While statuses settle the residual may
// rise; after some steps without gain the best impulses so far are taken up again with a
// delta 100 times larger. The answer is the best that was seen, by the residual in
// extended precision.
//
// Cost: an LU of twice the size of W a step, 3 to 8 steps; residuals as extended.c.
// Fails: nothing is claimed but the residual found. Where contacts are on the edge of two
// statuses it may end above round-off; nearest.c goes on from there.
#include "solvers/reference/refine.h"

#include "formulations/judge/cone.h"

#include "base/sparse_factor.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 60, ROUNDS = 6, DELTAS = 4, PATIENCE = 4 };
static const double deltas[DELTAS] = {1e-10, 1e-8, 1e-6, 1e-4};
static const double worth = 0.9;            // a step that gains less counts as idle
static const double least_residual = 1e-30; // nothing below
static const double least_impulse = 1e-30;  // of q: what sweeps leave where nothing is
static const double most_entries = 2.5e8;   // of the factors: 4 GB with their indices

// Everything of one Newton step; lives in a scratch arena.
struct system {
    struct dls_csr *J, *K; // of the closed contacts; the augmented matrix
    int *delta_at;         // 2 size: where K has its diagonal
    int *row;              // m: of each impulse among the unknowns, -1 if open
    double *scale;         // size: impulse = scale x
    double *F, *x, *rest;  // size
    double *rhs, *fix;     // 2 size
    int size;
    double left; // |J x + F| / |F| after the solve
};

// --- statuses -------------------------------------------------------------------------

static struct dls_cone cone_of(const struct dls_problem *p, int a)
{
    return dls_cone_make(p->d, p->rolling, p->mu[a], p->rolling ? p->mu_r[a] : 0);
}

// First row, count and coefficient of the group T (0) or R (1).
struct group {
    int first, count;
    double mu;
};
static struct group group_of(const struct dls_cone *K, int g)
{
    return g ? (struct group){1 + K->tangents, K->rolls, K->mu_r}
             : (struct group){1, K->tangents, K->mu};
}

// y = r - u / l of contact a.
static void find_y(const struct dls_refinement *s, int a, dls_quad *y)
{
    const struct dls_extended *e = s->extended;
    int d = s->form->d;
    for (int i = 0, k = a * d; i < d; i++, k++) y[i] = s->r[k] - e->u[k] / e->l[a];
}

// Status bits and, in `distance`, how far y is from those of another.
static int status_of(const struct dls_refinement *s, int a, double *distance)
{
    struct dls_cone K = cone_of(s->form->problem, a);
    dls_quad y[DLS_LARGEST_D];
    find_y(s, a, y);
    int bits = y[0] > 0 ? DLS_REFINE_CLOSED : DLS_REFINE_OPEN;
    dls_quad least = dls_quad_abs(y[0]);
    for (int g = 0; g < 2 && bits; g++) {
        struct group group = group_of(&K, g);
        dls_quad excess = dls_quad_norm(y + group.first, group.count) - group.mu * y[0];
        if (!group.count) continue;
        if (excess > 0 || group.mu == 0)
            bits |= g ? DLS_REFINE_ROLLS : DLS_REFINE_SLIPS;
        if (group.mu > 0 && dls_quad_abs(excess) < least) least = dls_quad_abs(excess);
    }
    *distance = (double)least * sqrt(s->extended->l[a]);
    return bits;
}

// Which impulses contact a may have at these velocities: those that are zero to DLS_WEAK
// of `unit` put no bound on them but the cone.
static int freedom_of(const struct dls_refinement *s, int a, double unit)
{
    struct dls_cone K = cone_of(s->form->problem, a);
    const dls_quad *u = s->extended->u + a * K.d;
    dls_quad zero = DLS_WEAK * unit * sqrt(s->extended->l[a]);
    if (u[0] > zero) return DLS_REFINE_OPEN;
    int bits = DLS_REFINE_CLOSED;
    for (int g = 0; g < 2; g++) {
        struct group group = group_of(&K, g);
        bool moves = dls_quad_norm(u + group.first, group.count) > zero;
        if (group.count && (moves || group.mu == 0))
            bits |= g ? DLS_REFINE_ROLLS : DLS_REFINE_SLIPS;
    }
    return bits;
}

// |q| of a contact in units of energy's root.
static double unit_of(const struct dls_refinement *s)
{
    double energy = (double)s->extended->energy_q;
    return energy > 0 ? energy / sqrt(s->form->contacts) : 1;
}

void dls_refine_look(struct dls_refinement *s)
{
    double unit = unit_of(s);
    for (int a = 0; a < s->form->contacts; a++) {
        s->status[a] = status_of(s, a, s->distance + a);
        s->distance[a] /= unit;
        s->freedom[a] = freedom_of(s, a, unit);
    }
}

int dls_refine_other(const struct dls_refinement *s, int a, int *other)
{
    struct dls_cone K = cone_of(s->form->problem, a);
    struct group T = group_of(&K, 0);
    dls_quad y[DLS_LARGEST_D];
    find_y(s, a, y);
    dls_quad zero = DLS_WEAK * unit_of(s) / sqrt(s->extended->l[a]);
    dls_quad pull = dls_quad_norm(y + T.first, T.count), excess = pull - K.mu * y[0];
    bool opens = dls_quad_abs(y[0]) <= zero;
    bool slips = T.count && K.mu > 0 && y[0] > -zero && dls_quad_abs(excess) <= zero;
    *other = s->status[a];
    if (opens) // a closed contact without impulse slips
        *other = s->status[a] ? DLS_REFINE_OPEN
                 : T.count    ? DLS_REFINE_CLOSED | DLS_REFINE_SLIPS
                              : DLS_REFINE_CLOSED;
    else if (slips)
        *other = s->status[a] ^ DLS_REFINE_SLIPS;
    return opens + (slips || (opens && T.count && K.mu > 0 && pull <= zero));
}

// --- the smooth system ----------------------------------------------------------------

void dls_refine_contact(const struct dls_refinement *s, int a, dls_quad *F, double *A,
                        double *C)
{
    struct dls_cone K = cone_of(s->form->problem, a);
    const dls_quad *r = s->r + a * K.d, *u = s->extended->u + a * K.d;
    dls_quad y[DLS_LARGEST_D];
    int d = K.d;
    find_y(s, a, y);
    memset(A, 0, (size_t)(d * d) * sizeof *A);
    memset(C, 0, (size_t)(d * d) * sizeof *C);
    for (int i = 0; i < d; i++) F[i] = u[i], C[i * d + i] = 1;
    for (int g = 0; g < 2; g++) {
        if (!(s->status[a] & (g ? DLS_REFINE_ROLLS : DLS_REFINE_SLIPS))) continue;
        struct group group = group_of(&K, g);
        dls_quad length = dls_quad_norm(y + group.first, group.count);
        double turn = length > 0 ? (double)(group.mu * r[0] / length) : 0;
        for (int i = group.first; i < group.first + group.count; i++) {
            dls_quad t_i = length > 0 ? y[i] / length : 0;
            F[i] = r[i] - group.mu * r[0] * t_i;
            A[i * d] = -group.mu * (double)t_i;
            for (int l = group.first; l < group.first + group.count; l++) {
                dls_quad t_l = length > 0 ? y[l] / length : 0;
                double P = turn * ((i == l) - (double)(t_i * t_l));
                A[i * d + l] = (i == l) - P;
                C[i * d + l] = P / s->extended->l[a];
            }
        }
    }
}

// Row i holds an impulse where the contact is open or slips in it, else a velocity.
double dls_refine_weight(const struct dls_refinement *s, int a, int i)
{
    struct dls_cone K = cone_of(s->form->problem, a);
    int bits = s->status[a];
    bool impulse =
        !bits
        || (i > K.tangents ? bits & DLS_REFINE_ROLLS : i && bits & DLS_REFINE_SLIPS);
    double root = sqrt(s->extended->l[a]);
    return impulse ? root : 1 / root;
}

// The block row of contact a: J_ab = A_a [a = b] + C_a W_ab, scaled, from entry `to` on.
static int fill_rows(const struct dls_refinement *s, struct system *t, int a, int to)
{
    const struct dls_bsr *W = s->form->W;
    struct dls_cone K = cone_of(s->form->problem, a);
    int d = K.d, first = t->row[a * d];
    dls_quad F[DLS_LARGEST_D];
    double A[DLS_LARGEST_D * DLS_LARGEST_D], C[DLS_LARGEST_D * DLS_LARGEST_D];
    dls_refine_contact(s, a, F, A, C);
    for (int i = 0; i < d; i++) {
        double weight = dls_refine_weight(s, a, i);
        t->F[first + i] = weight * (double)F[i];
        t->J->p[first + i] = to;
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            const double *block = dls_bsr_block(W, k);
            int column = t->row[W->j[k] * d];
            for (int l = 0; l < d && column >= 0; l++) {
                double sum = W->j[k] == a ? A[i * d + l] : 0;
                for (int j = 0; j < d; j++) sum += C[i * d + j] * block[j * d + l];
                t->J->j[to] = column + l;
                t->J->x[to++] = weight * sum * t->scale[column + l];
            }
        }
    }
    return to;
}

static void number_unknowns(const struct dls_refinement *s, struct system *t)
{
    int d = s->form->d;
    t->size = 0;
    for (int k = 0; k < s->form->m; k++) t->row[k] = s->status[k / d] ? t->size++ : -1;
}

// K = [ delta I, J; J^T, -delta I ] but for the diagonal.
static bool augment(struct system *t, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int n = t->size, count = dls_csr_count(t->J), total = 2 * (count + n), to = 0;
    int *i = DLS_NEW(&scratch, int, total), *j = DLS_NEW(&scratch, int, total);
    double *x = DLS_NEW(&scratch, double, total);
    if (!scratch.failed) {
        for (int row = 0; row < n; row++)
            for (int k = t->J->p[row]; k < t->J->p[row + 1]; k++, to += 2) {
                i[to] = j[to + 1] = row;
                j[to] = i[to + 1] = n + t->J->j[k];
                x[to] = x[to + 1] = t->J->x[k];
            }
        for (int row = 0; row < 2 * n; row++, to++) i[to] = j[to] = row;
        t->K = dls_csr_from_triplets(2 * n, 2 * n, total, i, j, x, a);
    }
    dls_arena_free(&scratch);
    if (!t->K || a->failed) return false;
    for (int row = 0; row < 2 * n; row++)
        for (int k = t->K->p[row]; k < t->K->p[row + 1]; k++)
            if (t->K->j[k] == row) t->delta_at[row] = k;
    return true;
}

static bool assemble(const struct dls_refinement *s, struct system *t,
                     struct dls_arena *a)
{
    const struct dls_bsr *W = s->form->W;
    int d = s->form->d, m = s->form->m;
    t->row = DLS_NEW(a, int, m);
    if (a->failed) return false;
    number_unknowns(s, t);
    int n = t->size;
    size_t entries = (size_t)W->p[W->rows] * (size_t)(d * d);
    t->J = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, n + 1), *j = DLS_NEW(a, int, entries);
    double *x = DLS_NEW(a, double, entries);
    t->delta_at = DLS_NEW(a, int, 2 * n);
    t->scale = DLS_NEW(a, double, n);
    t->F = DLS_NEW(a, double, n);
    t->x = DLS_NEW(a, double, n);
    t->rest = DLS_NEW(a, double, n);
    t->rhs = DLS_NEW(a, double, 2 * n);
    t->fix = DLS_NEW(a, double, 2 * n);
    if (a->failed) return false;
    *t->J = (struct dls_csr){.rows = n, .cols = n, .p = p, .j = j, .x = x};
    for (int k = 0; k < m; k++)
        if (t->row[k] >= 0) t->scale[t->row[k]] = 1 / sqrt(s->extended->l[k / d]);
    int to = 0;
    for (int c = 0; c < W->rows; c++)
        if (s->status[c]) to = fill_rows(s, t, c, to);
    p[n] = to;
    return augment(t, a);
}

// --- steps ----------------------------------------------------------------------------

// rest = -F - J x; returns its norm.
static double find_rest(struct system *t)
{
    for (int k = 0; k < t->size; k++) t->rest[k] = -t->F[k];
    dls_csr_add(t->J, -1, t->x, t->rest);
    return dls_norm(t->size, t->rest);
}

// x for the present delta; DLS_ENUMERIC where the factor fails.
static enum dls_status solve(struct system *t, struct dls_sparse_factor *factor,
                             double delta)
{
    int n = t->size;
    for (int k = 0; k < 2 * n; k++) t->K->x[t->delta_at[k]] = k < n ? delta : -delta;
    enum dls_status status = dls_sparse_factor_update(factor);
    if (status) return status;
    memset(t->x, 0, (size_t)n * sizeof *t->x);
    memset(t->rhs, 0, (size_t)(2 * n) * sizeof *t->rhs);
    double first = find_rest(t), rest = first, before = INFINITY;
    for (int k = 0; k < ROUNDS && rest > 1e-12 * first && rest < 0.5 * before; k++) {
        memcpy(t->rhs, t->rest, (size_t)n * sizeof *t->rhs);
        if (!dls_sparse_factor_solve(factor, t->rhs, t->fix)) return DLS_ENUMERIC;
        for (int i = 0; i < n; i++) t->x[i] += t->fix[n + i];
        before = rest;
        rest = find_rest(t);
    }
    t->left = first > 0 ? rest / first : 0;
    return DLS_OK;
}

double dls_refine_measure(const struct dls_refinement *s, const dls_quad *r)
{
    dls_extended_measure(s->extended, r);
    return fmax(s->extended->natural, s->extended->merit); // NAN merit: none
}

// One Newton step from the present r; DLS_FINISHED where it cannot be made. `left` tells
// what share of F no step can take away.
static enum dls_status step(struct dls_refinement *s, double delta, double *left,
                            struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct system t = {0};
    struct dls_sparse_factor factor = {0};
    enum dls_status status = assemble(s, &t, &scratch) ? DLS_OK : DLS_ENOMEM;
    if (!status)
        status = dls_sparse_factor_create(&factor, t.K, DLS_FACTOR_GENERAL, &scratch);
    if (!status && factor.entries > most_entries) {
        s->too_large = true;
        status = DLS_FINISHED;
    }
    if (!status) status = solve(&t, &factor, delta);
    for (int k = 0; k < s->form->m && !status; k++) {
        int row = t.row[k];
        s->r[k] = row < 0 ? 0 : s->r[k] + (dls_quad)t.scale[row] * t.x[row];
    }
    *left = t.left;
    dls_sparse_factor_destroy(&factor);
    dls_arena_free(&scratch);
    return status == DLS_ENUMERIC ? DLS_FINISHED : status;
}

// Steps until nothing improves; the best impulses end up in r.
static enum dls_status iterate(struct dls_refinement *s, dls_quad *best,
                               struct dls_work *work, struct dls_arena *a)
{
    size_t bytes = (size_t)s->form->m * sizeof *best;
    double least = dls_refine_measure(s, s->r), left = 0;
    enum dls_status status = DLS_OK;
    int made = s->steps;
    memcpy(best, s->r, bytes);
    for (int level = 0, idle = 0; least > least_residual && s->steps - made < LONGEST
                                  && level < DELTAS && !s->too_large
                                  && !dls_work_expired(work);) {
        dls_refine_look(s);
        status = step(s, deltas[level], &left, a);
        if (status == DLS_ENOMEM) return status;
        s->steps++;
        work->factorisations++;
        double residual = dls_refine_measure(s, s->r);
        idle = residual < worth * least ? 0 : idle + 1;
        if (residual < least) {
            least = residual;
            memcpy(best, s->r, bytes);
        }
        if (idle > 1 && left > worth) break; // what is left is the data's round-off
        if (status || idle > PATIENCE) {
            memcpy(s->r, best, bytes);
            dls_refine_measure(s, s->r);
            level++;
            idle = 0;
        }
    }
    memcpy(s->r, best, bytes);
    dls_refine_measure(s, s->r);
    dls_refine_look(s);
    return DLS_OK;
}

enum dls_status dls_refine_begin(struct dls_refinement *s,
                                 const struct dls_delassus *form,
                                 struct dls_extended *e, const double *r,
                                 struct dls_arena *a)
{
    *s = (struct dls_refinement){
        .form = form,
        .extended = e,
        .r = DLS_NEW(a, dls_quad, form->m),
        .status = DLS_NEW(a, int, form->contacts),
        .distance = DLS_NEW(a, double, form->contacts),
        .freedom = DLS_NEW(a, int, form->contacts),
    };
    if (a->failed) return DLS_ENOMEM;
    double least = least_impulse * unit_of(s);
    for (int c = 0; c < form->contacts; c++) {
        const double *r_c = r + c * form->d;
        bool none = !(dls_norm(form->d, r_c) * sqrt(e->l[c]) > least);
        for (int i = 0; i < form->d; i++) s->r[c * form->d + i] = none ? 0 : r_c[i];
    }
    return DLS_OK;
}

enum dls_status dls_refine(struct dls_refinement *s, struct dls_work *work,
                           struct dls_arena *arena)
{
    struct dls_arena a = dls_arena_scratch(arena);
    dls_quad *best = DLS_NEW(&a, dls_quad, s->form->m);
    enum dls_status status = a.failed ? DLS_ENOMEM : iterate(s, best, work, &a);
    dls_arena_free(&a);
    return status;
}
