// SPDX-License-Identifier: Apache-2.0
// The judge: the one error measure for every solver, computed from the original problem.
// See residual.c for the formulas.
#ifndef DLS_FORMULATIONS_JUDGE_RESIDUAL_H
#define DLS_FORMULATIONS_JUDGE_RESIDUAL_H

#include "formulations/problem.h"

#define DLS_RESIDUAL_VERSION 1 // goes into every result file

struct dls_measures {
    double natural; // |r - P_K(r - u~)| / |q|
    double merit;   // the same in units of energy, invariant under rescaling; NAN where
                    // an LCP has a diagonal entry <= 0
    double bipotential; // De Saxcé's gap over the energy of q; NAN as merit
    double correction;  // change of r in the last step over r, in a run that is stopped
                        // by it (DLS_CORRECTION); else NAN
    double penetration; // worst -u_N, 0 if none
    double cone_excess; // worst distance outside the cone, 0 if none
    double signorini;   // worst |r_N u_N|
    double angle;       // worst angle between r_T and -u_T at slip, radians
    double momentum;    // |M v - f - H^T r - G^T lambda|, NAN in local problems
    int open, stick, slip; // contact statuses
};

struct dls_judge;

// A judge serves one problem, and keeps the factor of M. A singular M, or a contact whose
// W_aa has no positive eigenvalue, is DLS_EINVAL with a sentence.
enum dls_status dls_judge_create(struct dls_judge **, const struct dls_problem *,
                                 struct dls_arena *, struct dls_error *);
// A judge of the natural residual alone, which does without the eigenvalues l_a: the other
// measures are NAN, contacts are not counted.
enum dls_status dls_judge_create_natural(struct dls_judge **,
                                         const struct dls_problem *, struct dls_arena *,
                                         struct dls_error *);
void dls_judge_destroy(struct dls_judge *); // accepts NULL

// Computes u (and v, lambda) for the impulses r, then all measures. NaN in r gives NaN.
void dls_judge_measure(struct dls_judge *, const double *r, struct dls_measures *);

// The natural residual alone, at half the cost; bit for bit that of dls_judge_measure.
double dls_judge_natural(struct dls_judge *, const double *r);

// Velocities and multipliers of the impulses that were measured last; v and lambda are NULL
// where the problem has none.
const double *dls_judge_u(const struct dls_judge *);
const double *dls_judge_v(const struct dls_judge *);
const double *dls_judge_lambda(const struct dls_judge *);

// The free local velocity q = H M^-1 f + w, and |q|.
const double *dls_judge_q(const struct dls_judge *);
double dls_judge_q_norm(const struct dls_judge *);

// The eigenvalues l_a that weigh the contacts, all positive; not of a judge that does
// without them. `merit` receives whether the
// problem has a merit; in an LCP without one, 1 stands for each l_a that is not positive.
const double *dls_judge_scales(const struct dls_judge *, bool *merit);

#endif
