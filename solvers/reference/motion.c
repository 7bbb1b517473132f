// SPDX-License-Identifier: Apache-2.0
// Is the motion of a solution the only one?
//
// W is symmetric and positive semidefinite throughout. Three conditions, each sufficient:
//
//   1. No friction. r solves a convex quadratic program, and W r is the same for all its
//      solutions. Unique.
//   2. Little friction: the bound of formulations/parts/uniqueness.c is below 1. Unique.
//   3. No contact is near another status, and the law, linear where statuses are frozen,
//      has no other velocity. With D the differences between two answers,
//
//        open   Dr = 0              stick  Du = 0
//        slip   Du_N = 0,  Dr = Dr_N (1, -mu e) - kappa P Du_T,
//               e = u_T / |u_T|,   kappa = mu r_N / |u_T|,   P = I - e e^T.
//
//      The columns of C are the directions in which Du vanishes (all of a sticking contact,
//      the normal of a slipping one), those of B the impulses that go with them ((1, -mu e)
//      in place of the normal). Then
//
//        C^T W~ B x = 0,   W~ = W - W E (I + E^T W E)^-1 E^T W,   E E^T = kappa P,
//
//      and W~ = V V^T has the null space of W. So velocities differ exactly where a vector of
//      the range of V^T B is orthogonal to that of V^T C: the smallest cosine of the angles
//      between them [GolubVanLoan2013, 6.4] is zero. Where it is not, all x have W B x = 0. They
//      are then exact answers of the nonlinear law too, as many as the linear one has,
//      hence the only ones near. Isolated. Without slip the cosine is 1.
//
// Method for 3: the Gram matrix of C, B - C and E by blocks of W, contacts scaled to unit
// eigenvalue; E eliminated by Cholesky; bases of both ranges from eigenvectors. Eigenvalues
// are known to k eps of the largest: between 10 and 1e4 times that the rank is not clear,
// and a cosine counts from ten times the error that this makes in the bases.
//
// Cost: some 20 k^3 operations for k columns, hence a limit.
// Fails: where contacts are weakly active nothing is said; motions further off are never
// excluded by 3.
#include "solvers/reference/motion.h"

#include "solvers/reference/null_space.h"

#include "formulations/judge/cone.h"
#include "formulations/parts/uniqueness.h"
#include "formulations/velocities/velocities.h"

#include "base/sparse_factor.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 1000 };
static const double even = 1e-12;        // asymmetry that is round-off, relative
static const double least_cosine = 1e-8; // half the digits: E may cancel as many

const char *dls_motion_text(enum dls_motion_verdict verdict)
{
    static const char *const text[] = {"not known", "isolated", "unique"};
    return text[verdict];
}

__attribute__((format(printf, 3, 4))) static void
say(struct dls_motion *m, enum dls_motion_verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m->verdict = verdict;
    vsnprintf(m->why, sizeof m->why, format, args);
    va_end(args);
}

// --- is W positive semidefinite? ------------------------------------------------------

// Eigenvalues of the symmetric A, k x k, ascending; A receives the vectors, columns.
static bool decompose(double *A, int k, double *lambda, struct dls_arena *a)
{
    int room = 1 + 6 * k + 2 * k * k, whole = 3 + 5 * k;
    double *work = DLS_NEW(a, double, room);
    int *iwork = DLS_NEW(a, int, whole);
    return !a->failed && k
           && !LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', k, A, k, lambda, work,
                                   room, iwork, whole);
}

// By eigenvalues, W small.
static bool dense_semidefinite(const struct dls_bsr *W, struct dls_arena *a)
{
    int d = W->d, m = W->rows * d;
    double *A = DLS_NEW(a, double, (size_t)m *(size_t)m);
    double *lambda = DLS_NEW(a, double, m);
    if (a->failed) return false;
    for (int row = 0; row < W->rows; row++)
        for (int n = W->p[row]; n < W->p[row + 1]; n++)
            for (int i = 0; i < d * d; i++)
                A[(size_t)(row * d + i / d) * (size_t)m
                  + (size_t)(W->j[n] * d + i % d)] = dls_bsr_block(W, n)[i];
    double largest = 0, skew = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double above = A[(size_t)j * (size_t)m + (size_t)i],
                   below = A[(size_t)i * (size_t)m + (size_t)j];
            largest = fmax(largest, fabs(above));
            skew = fmax(skew, fabs(above - below));
        }
    if (skew > even * largest || !decompose(A, m, lambda, a)) return false;
    return lambda[0] >= -10 * m * DBL_EPSILON * lambda[m - 1];
}

// By the velocities behind W: M is symmetric and positive definite.
static bool positive_mass(const struct dls_csr *M, struct dls_arena *a)
{
    struct dls_sparse_factor factor = {0};
    if (M->rows == 0) return true;
    if (!(dls_csr_asymmetry(M, a) <= even)) return false;
    bool good = !dls_sparse_factor_create(&factor, M, DLS_FACTOR_POSITIVE, a)
                && !dls_sparse_factor_update(&factor);
    dls_sparse_factor_destroy(&factor);
    return good;
}

static bool semidefinite(const struct dls_delassus *f, struct dls_arena *a)
{
    if (!dls_velocities_find(f) && positive_mass(f->velocities->M, a)) return true;
    return f->m <= LARGEST && dense_semidefinite(f->W, a);
}

// --- the Gram matrix ------------------------------------------------------------------

// The columns of one contact: those of C first, then that of B - C, then that of E.
struct columns {
    int count, at[DLS_LARGEST_D];
    double x[DLS_LARGEST_D][DLS_LARGEST_D]; // a row each, d entries, scaled
};

struct faces {
    const struct dls_refinement *s;
    int *first;  // contacts: of C
    int *turned; // contacts: of B - C, or -1
    int *across; // contacts: of E, or -1
    int held, turns, crossings, size;
};

static bool slips(const struct dls_refinement *s, int a)
{
    return (s->freedom[a] & DLS_REFINE_SLIPS) && s->form->mu[a] > 0;
}

// Numbers the columns; E has one for each slipping contact in space.
static enum dls_status number(struct faces *f, struct dls_arena *a)
{
    int contacts = f->s->form->contacts, d = f->s->form->d;
    double B[DLS_LARGEST_D * DLS_LARGEST_D];
    f->first = DLS_NEW(a, int, contacts);
    f->turned = DLS_NEW(a, int, contacts);
    f->across = DLS_NEW(a, int, contacts);
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < contacts; c++) {
        f->first[c] = f->held;
        f->held += dls_null_space_directions(f->s, c, B);
        f->turns += slips(f->s, c);
        f->crossings += slips(f->s, c) && d == 3;
    }
    int turned = f->held, across = f->held + f->turns;
    for (int c = 0; c < contacts; c++) {
        f->turned[c] = slips(f->s, c) ? turned++ : -1;
        f->across[c] = slips(f->s, c) && d == 3 ? across++ : -1;
    }
    f->size = f->held + f->turns + f->crossings;
    return DLS_OK;
}

// sqrt(kappa) times the unit vector across the slip, in the plane of contact a.
static void cross(const struct dls_refinement *s, int a, double *to)
{
    const dls_quad *u = s->extended->u + 3 * a, *r = s->r + 3 * a;
    double x = (double)u[1], y = (double)u[2], speed = hypot(x, y);
    double pull = hypot((double)r[1], (double)r[2]); // mu r_N
    to[0] = 0;
    to[1] = -sqrt(pull / speed) * y / speed;
    to[2] = sqrt(pull / speed) * x / speed;
}

static struct columns columns_of(const struct faces *f, int a)
{
    const struct dls_refinement *s = f->s;
    int d = s->form->d;
    double B[DLS_LARGEST_D * DLS_LARGEST_D], root = sqrt(s->extended->l[a]);
    struct columns c = {.count = dls_null_space_directions(s, a, B)};
    bool turns = slips(s, a);
    for (int k = 0; k < c.count; k++) {
        c.at[k] = f->first[a] + k;
        for (int i = 0; i < d; i++)
            c.x[k][i] = (turns && i > 0 ? 0 : B[i * d + k]) / root;
    }
    if (!turns) return c;
    c.at[c.count] = f->turned[a];
    c.x[c.count][0] = 0;
    for (int i = 1; i < d; i++) c.x[c.count][i] = B[i * d] / root; // -mu e
    c.count++;
    if (d < 3) return c;
    c.at[c.count] = f->across[a];
    cross(s, a, c.x[c.count]); // not scaled: kappa is of W's own units
    c.count++;
    return c;
}

// X_a^T W_ab X_b for all blocks; G is size x size, zero before.
static void assemble(const struct faces *f, double *G)
{
    const struct dls_bsr *W = f->s->form->W;
    int d = W->d;
    for (int row = 0; row < W->rows; row++) {
        struct columns a = columns_of(f, row);
        for (int n = W->p[row]; n < W->p[row + 1] && a.count; n++) {
            struct columns b = columns_of(f, W->j[n]);
            const double *W_ab = dls_bsr_block(W, n);
            for (int i = 0; i < a.count; i++)
                for (int j = 0; j < b.count; j++) {
                    double sum = 0;
                    for (int l = 0; l < d * d; l++)
                        sum += a.x[i][l / d] * W_ab[l] * b.x[j][l % d];
                    G[(size_t)b.at[j] * (size_t)f->size + (size_t)a.at[i]] += sum;
                }
        }
    }
}

// Matrices by columns.
static double *entry(double *A, int rows, int i, int j)
{
    return A + (size_t)j * (size_t)rows + (size_t)i;
}

// G of all other columns <- G - G_E (I + G_EE)^-1 G_E^T, in place.
static bool eliminate(const struct faces *f, double *G)
{
    int n = f->size, e = f->crossings, rest = n - e;
    if (!e) return true;
    for (int i = rest; i < n; i++) *entry(G, n, i, i) += 1;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', e, entry(G, n, rest, rest), n))
        return false;
    for (int l = rest; l < n; l++) { // G_E <- G_E L^-T, a column at a time
        double *column = entry(G, n, 0, l);
        for (int i = 0; i < rest; i++) column[i] /= *entry(G, n, l, l);
        for (int j = l + 1; j < n; j++)
            for (int i = 0; i < rest; i++)
                *entry(G, n, i, j) -= *entry(G, n, j, l) * column[i];
        for (int j = 0; j < rest; j++)
            for (int i = 0; i < rest; i++) *entry(G, n, i, j) -= column[i] * column[j];
    }
    return true;
}

// --- the angle ------------------------------------------------------------------------

// T, k x rank, with T^T A T = I on the range of A, in the last columns of A.
struct basis {
    int k, rank;
    double *A, error; // what round-off may do to an angle
    bool clear;       // the rank
};

static struct basis basis_of(double *A, int k, struct dls_arena *a)
{
    struct basis t = {.k = k, .A = A};
    double *lambda = DLS_NEW(a, double, k);
    if (a->failed || !decompose(A, k, lambda, a)) return t;
    double noise = k * DBL_EPSILON * lambda[k - 1];
    t.clear = true;
    for (int j = 0; j < k; j++) {
        bool zero = fabs(lambda[j]) < 10 * noise;
        if (!zero && !(lambda[j] > 1e4 * noise)) t.clear = false;
        if (zero || !t.clear) continue;
        if (!t.rank++) t.error = noise / lambda[j];
        for (int i = 0; i < k; i++) *entry(A, k, i, j) /= sqrt(lambda[j]);
    }
    return t;
}

// T_C^T X T_B, to `to`; `work` has k entries for each column of T_B.
static void project(const struct basis *C, const struct basis *B, double *X, double *to,
                    double *work)
{
    int k = C->k, rows = C->rank;
    for (int j = 0; j < B->rank; j++) {
        double *y = work, *t = entry(B->A, k, 0, k - B->rank + j);
        memset(y, 0, (size_t)k * sizeof *y);
        for (int l = 0; l < k; l++)
            for (int i = 0; i < k; i++) y[i] += *entry(X, k, i, l) * t[l];
        for (int i = 0; i < rows; i++) {
            const double *c = entry(C->A, k, 0, k - rows + i);
            double sum = 0;
            for (int l = 0; l < k; l++) sum += c[l] * y[l];
            *entry(to, rows, i, j) = sum;
        }
    }
}

// The smallest singular value of A, rows x columns, rows >= columns; NAN where it fails.
static double smallest(double *A, int rows, int columns, struct dls_arena *a)
{
    int room = 8 * rows + 8 * columns;
    double *values = DLS_NEW(a, double, columns), *work = DLS_NEW(a, double, room);
    if (a->failed
        || LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', rows, columns, A, rows,
                               values, NULL, 1, NULL, 1, work, room))
        return NAN;
    return values[columns - 1];
}

// C^T W~ C, C^T W~ B and B^T W~ B from the Gram matrix, k x k each.
static void split(const struct faces *f, double *G, double *CC, double *CB, double *BB,
                  struct dls_arena *a)
{
    int n = f->size, k = f->held;
    int *turned =
        DLS_NEW(a, int, k); // the column of B - C that goes with one of C, or 0
    if (a->failed) return;
    for (int c = 0; c < f->s->form->contacts; c++)
        if (f->turned[c] >= 0) turned[f->first[c]] = f->turned[c];
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            int ti = turned[i], tj = turned[j];
            double both = *entry(G, n, i, j);
            *entry(CC, k, i, j) = both;
            if (tj) both += *entry(G, n, i, tj);
            *entry(CB, k, i, j) = both;
            if (ti) both += *entry(G, n, ti, j);
            if (ti && tj) both += *entry(G, n, ti, tj);
            *entry(BB, k, i, j) = both;
        }
}

// The smallest cosine between the ranges of V^T B and V^T C, with its verdict.
static void measure_angle(struct dls_motion *m, const struct faces *f,
                          struct dls_arena *a)
{
    size_t square = (size_t)f->held * (size_t)f->held;
    double *G = DLS_NEW(a, double, (size_t)f->size *(size_t)f->size);
    double *CC = DLS_NEW(a, double, square), *CB = DLS_NEW(a, double, square);
    double *BB = DLS_NEW(a, double, square), *X = DLS_NEW(a, double, square);
    if (a->failed) return;
    assemble(f, G);
    bool eliminated = eliminate(f, G);
    split(f, G, CC, CB, BB, a);
    struct basis C = basis_of(CC, f->held, a), B = basis_of(BB, f->held, a);
    say(m, DLS_MOTION_UNKNOWN, "the rank of W on these contacts is not clear");
    if (!eliminated || !C.clear || !B.clear) return;
    double cosine = 0, error = fmax(least_cosine, 10 * fmax(C.error, B.error));
    if (B.rank <= C.rank && B.rank) {
        project(&C, &B, CB, X, DLS_NEW(a, double, f->held));
        cosine = smallest(X, C.rank, B.rank, a);
    }
    if (cosine > error)
        say(m, DLS_MOTION_ISOLATED, "slip and velocities meet at a cosine of %.2g",
            fmin(1, cosine));
    else
        say(m, DLS_MOTION_UNKNOWN, "slip can go with other velocities nearby");
}

// --- the whole ------------------------------------------------------------------------

static int weak_contacts(const struct dls_refinement *s)
{
    int weak = 0;
    for (int c = 0; c < s->form->contacts; c++) weak += s->distance[c] <= DLS_WEAK;
    return weak;
}

static enum dls_status
judge_locally(struct dls_motion *m, const struct dls_refinement *s, struct dls_arena *a)
{
    struct faces f = {.s = s};
    int weak = weak_contacts(s);
    if (weak) {
        say(m, DLS_MOTION_UNKNOWN, "%d contact%s near another status", weak,
            weak == 1 ? " is" : "s are");
        return DLS_OK;
    }
    if (number(&f, a)) return DLS_ENOMEM;
    if (!f.turns)
        say(m, DLS_MOTION_ISOLATED, "no contact slips against friction");
    else if (f.size > LARGEST)
        say(m, DLS_MOTION_UNKNOWN, "%d unknowns are too many for dense factors",
            f.size);
    else
        measure_angle(m, &f, a);
    return DLS_OK;
}

enum dls_status dls_motion_judge(struct dls_motion *m, const struct dls_refinement *s,
                                 bool known, struct dls_arena *arena)
{
    const struct dls_delassus *f = s->form;
    struct dls_arena a = dls_arena_scratch(arena);
    enum dls_status status = DLS_OK;
    double mu = 0, bound = NAN;
    for (int c = 0; c < f->contacts; c++) mu = fmax(mu, f->mu[c]);
    if (f->problem->rolling)
        say(m, DLS_MOTION_UNKNOWN, "no proof for rolling resistance");
    else if (!semidefinite(f, &a))
        say(m, DLS_MOTION_UNKNOWN, "W is not known to be symmetric and semidefinite");
    else if (mu == 0)
        say(m, DLS_MOTION_UNIQUE, "there is no friction");
    else if ((bound = dls_uniqueness_bound(f, &a)) < 1)
        say(m, DLS_MOTION_UNIQUE, "friction is small, %.2g of what is allowed", bound);
    else if (!known)
        say(m, DLS_MOTION_UNKNOWN, "the velocities are not known well enough");
    else
        status = judge_locally(m, s, &a);
    if (a.failed) status = DLS_ENOMEM;
    dls_arena_free(&a);
    return status;
}
