// SPDX-License-Identifier: Apache-2.0
// Is the motion of a solution the only one?
//
// W = V Z V^T but for the last condition, the symmetric part of Z being positive definite: that of bodies,
// gyroscopic terms in Z. Four conditions, each sufficient:
//
//   1. No friction. Between two answers Dr . W Dr <= 0; so V^T Dr = 0, and velocities are
//      the same. Unique.
//   2. Little friction: the bound of formulations/parts/uniqueness.c is below 1. Unique.
//   3. The law, linear where statuses are frozen, has no other velocity. With D the
//      differences between two answers,
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
//      and W~ = V Z~ V^T, Z~^-1 = Z^-1 + V^T E E^T V, is as W is. Let S = U U^T be its
//      symmetric part, W~ = U Y U^T, and Q_B, Q_C orthonormal bases of the ranges of U^T B
//      and U^T C. Velocities differ exactly where Q_C^T Y Q_B is singular. Where its
//      smallest singular value is not zero, all x have W B x = 0. They are then exact
//      answers of the nonlinear law too, as many as the linear one has, hence the only
//      ones near. Isolated. In a symmetric W that value is the cosine of the largest angle
//      between both ranges [GolubVanLoan2013, 6.4]; without slip it is at least 1.
//
//      A weak contact may have either of two statuses in answers nearby, and each answer has
//      one of them: the law is tried with all combinations. At the edge between stick and
//      slip kappa is infinite, and the direction across the slip joins C and B.
//
//   4. Where nothing is known of W, C^T W~ B must be regular, as I + E^T W E: then x = 0, and
//      nearby answers have the same impulses too. Isolated.
//
// Whether W = V Z V^T: solvers/reference/bodies.c.
//
// Method for 3 and 4: the Gram matrix of C, B - C and E by blocks of W, contacts scaled to unit
// eigenvalue; E eliminated by LU; bases of both ranges from eigenvectors. Eigenvalues
// are known to k eps of the largest: between 10 and 1e4 times that the rank is not clear,
// and a singular value counts from ten times the error that this makes in the bases.
//
// Cost: some 20 k^3 operations for k columns and each combination, hence limits.
// Fails: where contacts are near three statuses, or many near two, nothing is said; motions
// further off are never excluded by 3.
#include "solvers/reference/motion.h"

#include "solvers/reference/bodies.h"
#include "solvers/reference/eigen.h"
#include "solvers/reference/null_space.h"

#include "formulations/judge/cone.h"
#include "formulations/parts/uniqueness.h"

#include "base/clock.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 5000, MOST_WEAK = 10 };
static const double rate = 1e10;         // operations a second of dense factors
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

// --- the Gram matrix ------------------------------------------------------------------

// The columns of one contact: those of C first, then that of B - C, then that of E.
struct columns {
    int count, at[DLS_LARGEST_D + 1];
    double x[DLS_LARGEST_D + 1][DLS_LARGEST_D]; // a row each, d entries, scaled
};

struct faces {
    struct dls_refinement s; // its freedom: the statuses that are tried
    bool bodies;             // W belongs to them
    const bool *edge;        // contacts: a slip at the edge of stick, kappa infinite
    int *first;              // contacts: of C
    int *turned;             // contacts: of B - C, or -1
    int *across;             // contacts: of E, or -1
    int held, turns, crossings, size;
};

static bool slips(const struct faces *f, int a)
{
    return (f->s.freedom[a] & DLS_REFINE_SLIPS) && f->s.form->mu[a] > 0;
}

// Whether the direction across the slip has a column in C, in E.
static bool is_held_across(const struct faces *f, int a)
{
    return f->s.form->d == 3 && slips(f, a) && f->edge[a];
}
static bool is_free_across(const struct faces *f, int a)
{
    return f->s.form->d == 3 && slips(f, a) && !f->edge[a];
}

// Numbers the columns.
static void number(struct faces *f)
{
    int contacts = f->s.form->contacts;
    double B[DLS_LARGEST_D * DLS_LARGEST_D];
    f->held = f->turns = f->crossings = 0;
    for (int c = 0; c < contacts; c++) {
        f->first[c] = f->held;
        f->held += dls_null_space_directions(&f->s, c, B) + is_held_across(f, c);
        f->turns += slips(f, c);
        f->crossings += is_free_across(f, c);
    }
    int turned = f->held, across = f->held + f->turns;
    for (int c = 0; c < contacts; c++) {
        f->turned[c] = slips(f, c) ? turned++ : -1;
        f->across[c] = is_free_across(f, c) ? across++ : -1;
    }
    f->size = f->held + f->turns + f->crossings;
}

// `weight` times the unit vector across the direction t of r_T, in the plane of contact.
static void cross(const double *t, double weight, double *to)
{
    double length = hypot(t[1], t[2]);
    to[0] = 0;
    to[1] = length > 0 ? -weight * t[2] / length : 0;
    to[2] = length > 0 ? weight * t[1] / length : 0;
}

// sqrt(kappa)
static double turning(const struct dls_refinement *s, int a)
{
    const dls_quad *u = s->extended->u + 3 * a, *r = s->r + 3 * a;
    double pull = hypot((double)r[1], (double)r[2]); // mu r_N
    return sqrt(pull / hypot((double)u[1], (double)u[2]));
}

static void add_column(struct columns *c, int at, const double *x, double scale, int d)
{
    c->at[c->count] = at;
    for (int i = 0; i < d; i++) c->x[c->count][i] = scale * x[i];
    c->count++;
}

static struct columns columns_of(const struct faces *f, int a)
{
    const struct dls_refinement *s = &f->s;
    int d = s->form->d;
    double B[DLS_LARGEST_D * DLS_LARGEST_D], x[DLS_LARGEST_D];
    double scale = 1 / sqrt(s->extended->l[a]);
    int count = dls_null_space_directions(s, a, B), at = f->first[a];
    struct columns c = {0};
    bool turns = slips(f, a);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < d; i++) x[i] = turns && i > 0 ? 0 : B[i * d + k];
        add_column(&c, at++, x, scale, d);
    }
    if (!turns) return c;
    double t[DLS_LARGEST_D] = {0}; // -mu e
    for (int i = 1; i < d; i++) t[i] = B[i * d];
    if (is_held_across(f, a)) {
        cross(t, 1, x);
        add_column(&c, at, x, scale, d);
    }
    add_column(&c, f->turned[a], t, scale, d);
    if (is_free_across(f, a)) {
        cross(t, turning(s, a), x);
        add_column(&c, f->across[a], x, 1, d); // not scaled: kappa is of W's own units
    }
    return c;
}

// X_a^T W_ab X_b for all blocks; G is size x size, zero before.
static void assemble(const struct faces *f, double *G)
{
    const struct dls_bsr *W = f->s.form->W;
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

// G of all other columns <- G - G_RE (I + G_EE)^-1 G_ER, in place; G_ER is lost. False where
// I + G_EE is not regular; that of bodies always is.
static bool eliminate(const struct faces *f, double *G, struct dls_arena *a)
{
    int n = f->size, e = f->crossings, rest = n - e;
    int *pivot = DLS_NEW(a, int, e);
    if (!e || a->failed) return !a->failed;
    for (int i = rest; i < n; i++) *entry(G, n, i, i) += 1;
    double *EE = entry(G, n, rest, rest), rcond = 1;
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', e, e, EE, n);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, e, e, EE, n, pivot)) return false;
    if (!f->bodies) LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', e, EE, n, norm, &rcond);
    if (!(rcond > least_cosine)) return false;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', e, rest, EE, n, pivot,
                        entry(G, n, rest, 0), n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rest, rest, e, -1,
                entry(G, n, 0, rest), n, entry(G, n, rest, 0), n, 1, G, n);
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
    if (a->failed || !dls_eigen(A, k, lambda, a)) return t;
    double noise = dls_eigen_noise(k, lambda[k - 1]);
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
    int k = C->k, rows = C->rank, columns = B->rank;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, columns, k, 1, X, k,
                entry(B->A, k, 0, k - columns), k, 0, work, k);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, k, 1,
                entry(C->A, k, 0, k - rows), k, work, k, 0, to, rows);
}

// The smallest singular value of A, rows x columns, rows >= columns >= 1, and the largest;
// NAN where it fails.
static double smallest(double *A, int rows, int columns, double *largest,
                       struct dls_arena *a)
{
    int room = 64 * (rows + columns); // blocks of this width are the usual ones
    double *values = DLS_NEW(a, double, columns), *work = DLS_NEW(a, double, room);
    if (a->failed
        || LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', rows, columns, A, rows,
                               values, NULL, 1, NULL, 1, work, room))
        return NAN;
    *largest = values[0];
    return values[columns - 1];
}

// C^T S C, C^T W~ B and B^T S B from the Gram matrix, k x k each.
static void split(const struct faces *f, double *G, double *CC, double *CB, double *BB,
                  struct dls_arena *a)
{
    int n = f->size, k = f->held;
    int *turned =
        DLS_NEW(a, int, k); // the column of B - C that goes with one of C, or 0
    if (a->failed) return;
    for (int c = 0; c < f->s.form->contacts; c++)
        if (f->turned[c] >= 0) turned[f->first[c]] = f->turned[c];
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            int ti = turned[i], tj = turned[j];
            double both = *entry(G, n, i, j);
            *entry(CC, k, i, j) += both / 2, *entry(CC, k, j, i) += both / 2;
            if (tj) both += *entry(G, n, i, tj);
            *entry(CB, k, i, j) = both;
            if (ti) both += *entry(G, n, ti, j);
            if (ti && tj) both += *entry(G, n, ti, tj);
            *entry(BB, k, i, j) += both / 2, *entry(BB, k, j, i) += both / 2;
        }
}

// The smallest singular value of Q_C^T Y Q_B where it is not zero.
static double measure_angle(struct dls_motion *m, const struct faces *f, double *CC,
                            double *CB, double *BB, struct dls_arena *a)
{
    struct basis C = basis_of(CC, f->held, a), B = basis_of(BB, f->held, a);
    size_t square = (size_t)f->held * (size_t)f->held;
    double *X = DLS_NEW(a, double, square), *work = DLS_NEW(a, double, square);
    say(m, DLS_MOTION_UNKNOWN, "the rank of W on these contacts is not clear");
    if (a->failed || !C.clear || !B.clear) return 0;
    double cosine = 0, error = fmax(least_cosine, 10 * fmax(C.error, B.error)), largest;
    if (B.rank <= C.rank && B.rank) {
        project(&C, &B, CB, X, work);
        cosine = smallest(X, C.rank, B.rank, &largest, a);
    }
    if (cosine > error) return cosine;
    say(m, DLS_MOTION_UNKNOWN, "slip can go with other velocities nearby");
    return 0;
}

// The smallest singular value of C^T W~ B over the largest, where the matrix is regular.
static double measure_regularity(struct dls_motion *m, const struct faces *f,
                                 double *CB, struct dls_arena *a)
{
    double largest = 1,
           least = f->held ? smallest(CB, f->held, f->held, &largest, a) : 1;
    if (least > 1e4 * dls_eigen_noise(f->held, largest)) return least / largest;
    say(m, DLS_MOTION_UNKNOWN, "W is not known to be that of bodies");
    return 0;
}

// What stands against other velocities, 0 where nothing does.
static double measure(struct dls_motion *m, const struct faces *f, struct dls_arena *a)
{
    size_t square = (size_t)f->held * (size_t)f->held;
    double *G = DLS_NEW(a, double, (size_t)f->size *(size_t)f->size);
    double *CC = DLS_NEW(a, double, square), *CB = DLS_NEW(a, double, square);
    double *BB = DLS_NEW(a, double, square);
    if (a->failed) return 0;
    assemble(f, G);
    say(m, DLS_MOTION_UNKNOWN, "the direction of slip may turn by itself");
    if (!eliminate(f, G, a)) return 0;
    split(f, G, CC, CB, BB, a);
    if (a->failed) return 0;
    return f->bodies ? measure_angle(m, f, CC, CB, BB, a)
                     : measure_regularity(m, f, CB, a);
}

// --- statuses nearby ------------------------------------------------------------------

struct choices {
    int weak;          // contacts with two statuses
    int at[MOST_WEAK]; // which
    int bits
        [MOST_WEAK]; // the second status of each; the first one is that of the answer
};

// False, with the reason, where there are too many.
static bool find_choices(struct dls_motion *m, const struct dls_refinement *s,
                         struct choices *to)
{
    int weak = 0, corners = 0;
    for (int c = 0; c < s->form->contacts; c++) {
        int other, near = dls_refine_other(s, c, &other);
        if (near && weak < MOST_WEAK) to->at[weak] = c, to->bits[weak] = other;
        weak += near > 0;
        corners += near > 1;
    }
    to->weak = weak;
    if (corners)
        say(m, DLS_MOTION_UNKNOWN, "%d contact%s near three statuses", corners,
            corners == 1 ? " is" : "s are");
    else if (weak > MOST_WEAK)
        say(m, DLS_MOTION_UNKNOWN, "%d contacts are near another status", weak);
    return !corners && weak <= MOST_WEAK;
}

// The statuses of combination k.
static void combine(struct faces *f, const struct choices *choices, int k, bool *edge,
                    const struct dls_refinement *s)
{
    for (int c = 0; c < s->form->contacts; c++) {
        f->s.freedom[c] = s->status[c];
        edge[c] = false;
    }
    for (int w = 0; w < choices->weak; w++) {
        int c = choices->at[w], first = s->status[c], second = choices->bits[w];
        f->s.freedom[c] = k >> w & 1 ? second : first;
        edge[c] = first != DLS_REFINE_OPEN && second != DLS_REFINE_OPEN;
    }
}

// The smallest singular value of one combination, 0 where it proves nothing.
static double try_one(struct dls_motion *m, struct faces *f,
                      const struct dls_work *work, struct dls_arena *arena)
{
    number(f);
    if (f->bodies && !f->turns) return 1;
    double k = f->held, cost = 20 * k * k * k / rate; // seconds
    if (f->size > LARGEST)
        say(m, DLS_MOTION_UNKNOWN, "%d unknowns are too many for dense factors",
            f->size);
    else if (dls_clock() + cost > work->deadline || dls_work_expired(work))
        say(m, DLS_MOTION_UNKNOWN, "out of time");
    else {
        struct dls_arena a = dls_arena_scratch(arena);
        double cosine = measure(m, f, &a);
        arena->failed |= a.failed;
        dls_arena_free(&a);
        return cosine;
    }
    return 0;
}

static void judge_locally(struct dls_motion *m, const struct dls_refinement *s,
                          bool bodies, const struct dls_work *work, struct dls_arena *a)
{
    int contacts = s->form->contacts;
    bool *edge = DLS_NEW(a, bool, contacts);
    struct faces f = {
        .s = *s,
        .bodies = bodies,
        .edge = edge,
        .first = DLS_NEW(a, int, contacts),
        .turned = DLS_NEW(a, int, contacts),
        .across = DLS_NEW(a, int, contacts),
    };
    struct choices choices = {0};
    double least = INFINITY;
    f.s.freedom = DLS_NEW(a, int, contacts);
    if (a->failed || !find_choices(m, s, &choices)) return;
    bool slides = false;
    for (int k = 0; k < 1 << choices.weak && least > 0; k++) {
        combine(&f, &choices, k, edge, s);
        least = fmin(least, try_one(m, &f, work, a));
        slides |= f.turns > 0;
        if (a->failed) return;
    }
    if (!(least > 0)) return;
    char weak[48] = "";
    if (choices.weak)
        snprintf(weak, sizeof weak, ", %d weak contact%s either way", choices.weak,
                 choices.weak == 1 ? "" : "s");
    if (!bodies)
        say(m, DLS_MOTION_ISOLATED, "the law of these statuses is regular, %.2g%s",
            least, weak);
    else if (slides)
        say(m, DLS_MOTION_ISOLATED, "slip and velocities meet at a cosine of %.2g%s",
            fmin(1, least), weak);
    else
        say(m, DLS_MOTION_ISOLATED, "no contact slips against friction%s", weak);
}

// --- the whole ------------------------------------------------------------------------

enum dls_status dls_motion_judge(struct dls_motion *m, const struct dls_refinement *s,
                                 bool known, const struct dls_work *work,
                                 struct dls_arena *arena)
{
    const struct dls_delassus *f = s->form;
    struct dls_arena a = dls_arena_scratch(arena);
    double mu = 0, bound = NAN;
    for (int c = 0; c < f->contacts; c++) mu = fmax(mu, f->mu[c]);
    bool bodies = !f->problem->rolling && dls_bodies_behind(s, &a);
    if (f->problem->rolling)
        say(m, DLS_MOTION_UNKNOWN, "no proof for rolling resistance");
    else if (bodies && mu == 0)
        say(m, DLS_MOTION_UNIQUE, "there is no friction");
    else if (bodies && (bound = dls_uniqueness_bound(f, &a)) < 1)
        say(m, DLS_MOTION_UNIQUE, "friction is small, %.2g of what is allowed", bound);
    else if (!known)
        say(m, DLS_MOTION_UNKNOWN, "the velocities are not known well enough");
    else
        judge_locally(m, s, bodies, work, &a);
    bool failed = a.failed;
    dls_arena_free(&a);
    return failed ? DLS_ENOMEM : DLS_OK;
}
