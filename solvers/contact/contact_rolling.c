// SPDX-License-Identifier: Apache-2.0
// One contact with rolling resistance, rows (N,T,R) or (N,T1,T2,R1,R2): open in closed
// form, the rest by projections with a self-adapting step.
//
//     x <- P_K(x - rho u~),   u = A x + b,   u~ = u + (mu |u_T| + mu_r |u_R|) e_N
//
// Rolling rows have other units. With r = D x, D = diag(1, 1, 1, s, s), the same problem
// holds for (D A D, D b, mu, mu_r / s); s makes the rolling part of D A D as large as the
// tangential one, which leaves a matrix of moderate condition. rho shrinks by a third
// while rho |u~(x) - u~(x')| > 0.95 |x - x'| [Khobotov1987]: each step is then a
// contraction where A is positive definite and mu moderate.
//
// Cost: a d x d product and a projection per iteration, tens of iterations from a cold
// start, a few from the last answer. It stops at round-off or after MAX_STEPS; an error
// that is left then is made smaller by the next sweep.
#include "solvers/contact/contact.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 200 };

static double mean_diagonal(const double *A, int d, int first, int count)
{
    double sum = 0;
    for (int i = first; i < first + count; i++) sum += A[i * (d + 1)];
    return sum / count;
}

void dls_contact_prepare_rolling(struct dls_local_contact *c, const struct dls_cone *K,
                                 const double *A)
{
    int d = K->d, rolls = 1 + K->tangents;
    double turning = mean_diagonal(A, d, rolls, K->rolls), sum = 0;
    double moving = mean_diagonal(A, d, 1, K->tangents);
    c->scale = turning > 0 && moving > 0 ? sqrt(moving / turning) : 1;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double a =
                A[i * d + j] * (i < rolls ? 1 : c->scale) * (j < rolls ? 1 : c->scale);
            sum += a * a;
        }
    c->rho = 1 / sqrt(sum);
    c->mu_r = K->mu_r;
}

// The contact in scaled rows.
struct scaled {
    struct dls_cone K;
    double A[DLS_LARGEST_D * DLS_LARGEST_D], b[DLS_LARGEST_D];
};

static struct scaled scale(const struct dls_local_contact *c, int d, const double *A,
                           const double *b)
{
    struct scaled s = {.K = dls_cone_make(d, true, c->mu, c->mu_r / c->scale)};
    double D[DLS_LARGEST_D];
    for (int i = 0; i < d; i++) D[i] = i <= s.K.tangents ? 1 : c->scale;
    for (int i = 0; i < d; i++) {
        s.b[i] = D[i] * b[i];
        for (int j = 0; j < d; j++) s.A[i * d + j] = D[i] * A[i * d + j] * D[j];
    }
    return s;
}

// F = u~(x)
static void shifted_velocity(const struct scaled *s, const double *x, double *F)
{
    int d = s->K.d;
    for (int i = 0; i < d; i++) {
        F[i] = s->b[i];
        for (int j = 0; j < d; j++) F[i] += s->A[i * d + j] * x[j];
    }
    F[0] += dls_cone_shift(&s->K, F);
}

// Projections from x until it moves by round-off only; the state of the last one.
static enum dls_contact_status project(const struct scaled *s, double rho, double *x)
{
    int d = s->K.d;
    double F[DLS_LARGEST_D], y[DLS_LARGEST_D], G[DLS_LARGEST_D];
    enum dls_contact_status state = DLS_SLIP;
    shifted_velocity(s, x, F);
    for (int k = 0; k < MAX_STEPS; k++) {
        for (int i = 0; i < d; i++) y[i] = x[i] - rho * F[i];
        state = dls_cone_project(&s->K, y, y);
        shifted_velocity(s, y, G);
        double moved = dls_distance_squared(d, x, y);
        if (rho * rho * dls_distance_squared(d, F, G) > 0.95 * 0.95 * moved) {
            rho *= 2.0 / 3;
            continue;
        }
        memcpy(x, y, sizeof y);
        memcpy(F, G, sizeof F);
        if (moved <= 1e-30 * dls_dot(d, x, x)) break;
    }
    return state;
}

enum dls_contact_status dls_contact_solve_rolling(const struct dls_local_contact *c,
                                                  int d, const double *A,
                                                  const double *b, double *r)
{
    if (b[0] >= 0) {
        memset(r, 0, (size_t)d * sizeof *r);
        return DLS_OPEN;
    }
    struct scaled s = scale(c, d, A, b);
    double x[DLS_LARGEST_D] = {0};
    for (int i = 0; i < d; i++) x[i] = i <= s.K.tangents ? r[i] : r[i] / c->scale;
    enum dls_contact_status state = project(&s, c->rho, x);
    for (int i = 0; i < d; i++) r[i] = i <= s.K.tangents ? x[i] : x[i] * c->scale;
    return state;
}
