// SPDX-License-Identifier: Apache-2.0
// One contact in the plane, exactly: four states, each a linear system.
//
//     open    r = 0                                        b_N >= 0
//     stick   r = -A^-1 b                                  r_N > 0, |r_T| <= mu r_N
//     slip    r_T = e mu r_N, e = +1 or -1, u_N = 0:       e u_T <= 0
//             r_N = -b_N / (A_NN + e mu A_NT)              A_NN + e mu A_NT > 0
//             (or b_N > 0 with a negative denominator)
//
// If A_NN > mu |A_NT| exactly one answer is admissible up to ties for symmetric positive
// definite A. Otherwise there may be three, as for Painlevé's rod; the order above
// decides. Where round-off leaves none, the slip that misses its sign by least is taken.
#include "solvers/contact/contact.h"

#include "base/contract.h"

#include <math.h>
#include <stddef.h>

static bool open_admissible(const double *b) { return b[0] >= 0; }

static inline bool stick_admissible(const struct dls_local_contact *c, const double *A,
                                    const double *b, double *r)
{
    r[0] = -(c->inverse[0] * b[0] + c->inverse[1] * b[1]); // r = -A^-1 b
    r[1] = -(c->inverse[2] * b[0] + c->inverse[3] * b[1]);
    if (!(r[0] > 0 && fabs(r[1]) <= c->mu * r[0])) return false;
    if (!c->singular) return true;
    double u_N = A[0] * r[0] + A[1] * r[1] + b[0];
    double u_T = A[2] * r[0] + A[3] * r[1] + b[1];
    return fabs(u_N) + fabs(u_T) <= 1e-12 * (fabs(b[0]) + fabs(b[1]));
}

// Slip in direction e; returns e u_T, which must not be positive, or +inf where r_N is
// not positive.
static inline double slip(const struct dls_local_contact *c, const double *A,
                          const double *b, double e, double *r)
{
    double a = A[0] + e * c->mu * A[1];
    r[0] = -b[0] / a;
    r[1] = e * c->mu * r[0];
    if (!(r[0] > 0)) return INFINITY;
    return e * (A[2] * r[0] + A[3] * r[1] + b[1]);
}

static int count(const struct dls_local_contact *c, const double *A, const double *b)
{
    double r[2];
    return open_admissible(b) + stick_admissible(c, A, b, r)
           + (slip(c, A, b, 1, r) <= 0) + (slip(c, A, b, -1, r) <= 0);
}

enum dls_contact_status dls_contact_solve2(const struct dls_local_contact *c,
                                           const double *A, const double *b, double *r,
                                           int *answers)
{
    DLS_ASSERT(c->mu >= 0);
    if (answers) *answers = c->ambiguous ? count(c, A, b) : 1;
    if (open_admissible(b)) {
        r[0] = r[1] = 0;
        return DLS_OPEN;
    }
    // Where one answer fits, the direction of the last one is tried first.
    double e = r[1] < 0 && !c->ambiguous ? -1 : 1;
    if (stick_admissible(c, A, b, r)) return DLS_STICK;
    double back[2], miss = slip(c, A, b, e, r);
    if (miss <= 0) return DLS_SLIP;
    double back_miss = slip(c, A, b, -e, back);
    if (back_miss < miss) r[0] = back[0], r[1] = back[1];
    if (!(miss < INFINITY || back_miss < INFINITY)) r[0] = r[1] = 0;
    return DLS_SLIP;
}
