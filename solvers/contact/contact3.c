// SPDX-License-Identifier: Apache-2.0
// One contact in space: open and stick in closed form, slip by a safeguarded Newton
// iteration on one scalar, with the roots of a quartic behind it.
//
// Slip has r = r_N (1, mu t), |t| = 1, u_N = 0 and u_T = -s t, s >= 0. Eliminating r_N
// from u_N = 0 and multiplying u_T by a(t) = A_NN + mu A_NT . t leaves
//
//     (B + lambda I) t = -c,   |t| = 1,   lambda = s a(t) >= 0,   r_N = -b_N / a(t) > 0,
//     c = A_NN b_T - b_N A_TN,   B = mu (b_T A_NT^T - b_N A_TT),
//
// the equation of a trust-region step [MoreSorensen1983]: lambda = 0 is stick, and |t|
// falls from above 1 (stick is outside the cone) to 0 as lambda grows. Newton's method on
// 1/|t(lambda)| = 1 is nearly linear there and takes two or three steps; a bracket keeps it
// safe for unsymmetric blocks. |t|^2 = 1 times det^2 is a quartic in lambda
// [Daviet2011]: if the iteration ends on an inadmissible root, all roots are tried.
//
// Fails only where no state is admissible (no solution for an unsymmetric A, or
// round-off): then the candidate of least natural residual is returned.
#include "solvers/contact/contact.h"

#include "base/contract.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 40 };

// The scalar problem of slip.
struct slip {
    double B[4], c[2];
};

static bool stick_admissible(const struct dls_local_contact *k, const double *A,
                             const double *b, double *r)
{
    const double *X = k->inverse;
    for (int i = 0; i < 3; i++) // r = -A^-1 b
        r[i] = -(X[3 * i] * b[0] + X[3 * i + 1] * b[1] + X[3 * i + 2] * b[2]);
    double limit = k->mu * r[0];
    if (!(r[0] > 0 && r[1] * r[1] + r[2] * r[2] <= limit * limit)) return false;
    if (!k->singular) return true;
    double miss = 0;
    for (int i = 0; i < 3; i++)
        miss +=
            fabs(A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2] + b[i]);
    return miss <= 1e-12 * (fabs(b[0]) + fabs(b[1]) + fabs(b[2]));
}

static struct slip slip_problem(const double *A, const double *b, double mu)
{
    return (struct slip){
        .B = {mu * (b[1] * A[1] - b[0] * A[4]), mu * (b[1] * A[2] - b[0] * A[5]),
              mu * (b[2] * A[1] - b[0] * A[7]), mu * (b[2] * A[2] - b[0] * A[8])},
        .c = {A[0] * b[1] - b[0] * A[3], A[0] * b[2] - b[0] * A[6]},
    };
}

// lambda for the direction of the last answer, or 0.
static double first_guess(const struct slip *s, const double *r)
{
    double length = r[1] * r[1] + r[2] * r[2];
    if (!(length > 0)) return 0;
    double tBt = (s->B[0] * r[1] + s->B[1] * r[2]) * r[1]
                 + (s->B[2] * r[1] + s->B[3] * r[2]) * r[2];
    double tc = s->c[0] * r[1] + s->c[1] * r[2], inverse = 1 / length;
    return fmax(0, -tBt * inverse - tc * sqrt(inverse)); // lambda = -t . (c + B t)
}

// |t(lambda)| - 1, with t, and Newton's step for 1/|t| = 1: |t|^2 / (t . y) (|t| - 1),
// y = (B + lambda I)^-1 t. All of it with two divisions.
static double secular(const struct slip *s, double lambda, double *t, double *step)
{
    double a = s->B[0] + lambda, d = s->B[3] + lambda, det = a * d - s->B[1] * s->B[2];
    double inverse = 1 / det;
    t[0] = (d * s->c[0] - s->B[1] * s->c[1]) * inverse;
    t[1] = (a * s->c[1] - s->B[2] * s->c[0]) * inverse;
    double square = t[0] * t[0] + t[1] * t[1], miss = sqrt(square) - 1;
    double ty = (d * t[0] - s->B[1] * t[1]) * t[0] + (a * t[1] - s->B[2] * t[0]) * t[1];
    *step = square * det / ty * miss;
    return miss;
}

// Newton on 1/|t(lambda)| = 1 within a bracket; true when |t| = 1 was reached.
static bool newton(const struct slip *s, double lambda, double *t)
{
    double lo = 0;
    double hi = fabs(s->c[0]) + fabs(s->c[1]) + fabs(s->B[0]) + fabs(s->B[1])
                + fabs(s->B[2]) + fabs(s->B[3]); // |t| < 1 there
    if (!(lambda < hi)) lambda = 0.5 * hi;
    for (int k = 0; k < MAX_NEWTON; k++) {
        double step, miss = secular(s, lambda, t, &step);
        if (fabs(miss) <= 1e-14) return true;
        if (miss <= 0)
            hi = lambda;
        else // or not a number: a pole, |t| is infinite
            lo = lambda;
        double next = lambda + step;
        if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
        if (next == lambda || hi - lo <= 1e-16 * hi) return fabs(miss) <= 1e-9;
        lambda = next;
    }
    return false;
}

// r for the direction of slip -t (normalised here); true where r_N > 0.
static bool slip_impulse(const double *A, const double *b, double mu, const double *t,
                         double *r)
{
    double scale = -1 / sqrt(t[0] * t[0] + t[1] * t[1]), x = scale * t[0],
           y = scale * t[1];
    double r_N = -b[0] / (A[0] + mu * (A[1] * x + A[2] * y));
    r[0] = r_N;
    r[1] = mu * r_N * x;
    r[2] = mu * r_N * y;
    return r_N > 0;
}

// |r - P_K(r - rho u~)|^2 with rho = 1 / A_NN
static double natural_residual(const double *A, const double *b, double mu,
                               const double *r)
{
    struct dls_cone K = dls_cone_make(3, false, mu, 0);
    double u[3], y[3], sum = 0;
    for (int i = 0; i < 3; i++)
        u[i] = A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2] + b[i];
    u[0] += dls_cone_shift(&K, u);
    for (int i = 0; i < 3; i++) y[i] = r[i] - u[i] / A[0];
    dls_cone_project(&K, y, y);
    for (int i = 0; i < 3; i++) sum += (r[i] - y[i]) * (r[i] - y[i]);
    return sum;
}

// The real roots lambda of |adj(B + lambda I) c|^2 = det(B + lambda I)^2, as eigenvalues
// of the companion matrix, scaled so that the entries are of order 1. Returns their number.
// Negative ones count: lambda = s a(t), and a(t) < 0 is possible where b_N > 0.
static int quartic_roots(const struct slip *s, double *lambda)
{
    double scale = hypot(s->c[0], s->c[1]);
    for (int i = 0; i < 4; i++) scale = fmax(scale, fabs(s->B[i]));
    if (!(scale > 0)) return 0;
    double B[4], c[2] = {s->c[0] / scale, s->c[1] / scale};
    for (int i = 0; i < 4; i++) B[i] = s->B[i] / scale;
    double trace = B[0] + B[3], det = B[0] * B[3] - B[1] * B[2];
    double p = B[3] * c[0] - B[1] * c[1], q = B[0] * c[1] - B[2] * c[0]; // adj(B) c
    double companion[16] = {
        [1] = 1,
        [6] = 1,
        [11] = 1, // ones below the diagonal, by columns
        [12] = p * p + q * q - det * det,
        [13] = 2 * (p * c[0] + q * c[1] - trace * det),
        [14] = c[0] * c[0] + c[1] * c[1] - trace * trace - 2 * det,
        [15] = -2 * trace,
    };
    double real[4], imaginary[4], work[64];
    int count = 0,
        info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', 4, companion, 4, real,
                                  imaginary, NULL, 1, NULL, 1, work, 64);
    for (int k = 0; !info && k < 4; k++) // a double root comes with errors of 1e-8
        if (fabs(imaginary[k]) <= 1e-6) lambda[count++] = scale * real[k];
    return count;
}

// t(lambda) after a few Newton steps from a root of the quartic, each taken only if it
// brings |t| nearer to 1; false where the matrix is singular.
static bool polish(const struct slip *s, double lambda, double *t)
{
    double best = INFINITY, x[2], step;
    for (int k = 0; k < 4; k++) {
        double miss = fabs(secular(s, lambda, x, &step));
        if (!(miss < best)) break;
        best = miss;
        memcpy(t, x, sizeof x);
        lambda += step;
    }
    return isfinite(best);
}

// All slips that the quartic offers; keeps the first of least residual in r and returns
// the number of admissible ones.
static int enumerate(const struct dls_local_contact *k, const double *A,
                     const double *b, double *r)
{
    struct slip s = slip_problem(A, b, k->mu);
    double lambda[4], t[2], candidate[3], best = natural_residual(A, b, k->mu, r);
    int roots = quartic_roots(&s, lambda), admissible = 0;
    for (int i = 0; i < roots; i++) {
        if (!polish(&s, lambda[i], t)) continue;
        if (!slip_impulse(A, b, k->mu, t, candidate)) continue;
        double residual = natural_residual(A, b, k->mu, candidate);
        double size = candidate[0] * candidate[0];
        admissible += residual <= 1e-16 * size;
        if (residual < best) {
            best = residual;
            memcpy(r, candidate, sizeof candidate);
        }
    }
    return admissible;
}

static int count(const struct dls_local_contact *k, const double *A, const double *b)
{
    double r[3], zero[3] = {0, 0, 0};
    return (b[0] >= 0) + stick_admissible(k, A, b, r) + enumerate(k, A, b, zero);
}

static enum dls_contact_status slide(const struct dls_local_contact *k, const double *A,
                                     const double *b, double *r)
{
    if (k->mu == 0) {
        r[0] = -b[0] / A[0];
        r[1] = r[2] = 0;
        return DLS_SLIP;
    }
    struct slip s = slip_problem(A, b, k->mu);
    double t[2] = {0, 0};
    if (newton(&s, first_guess(&s, r), t) && slip_impulse(A, b, k->mu, t, r))
        return DLS_SLIP;
    r[0] = -b[0] / A[0]; // the frictionless answer competes with the roots
    r[1] = r[2] = 0;
    enumerate(k, A, b, r);
    return DLS_SLIP;
}

enum dls_contact_status dls_contact_solve3(const struct dls_local_contact *k,
                                           const double *A, const double *b, double *r,
                                           int *answers)
{
    DLS_ASSERT(k->mu >= 0);
    if (answers) *answers = k->ambiguous ? count(k, A, b) : 1;
    if (b[0] >= 0) {
        r[0] = r[1] = r[2] = 0;
        return DLS_OPEN;
    }
    double stick[3];
    if (stick_admissible(k, A, b, stick)) {
        memcpy(r, stick, sizeof stick);
        return DLS_STICK;
    }
    return slide(k, A, b, r);
}
