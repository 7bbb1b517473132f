// SPDX-License-Identifier: Apache-2.0
// One positive weight per contact, S_a = |W_aa|. The norm |x|_S^2 = sum_a S_a |x_a|^2 of
// impulses is then an energy: the ratio of two such norms does not depend on the units of
// mass, length and time. The projection on a cone is still the Euclidean one, since all rows
// of a contact have one weight.
#ifndef DLS_SOLVERS_CONTACT_METRIC_H
#define DLS_SOLVERS_CONTACT_METRIC_H

#include "base/bsr.h"

// S_a = |W_aa| (Frobenius); a contact without a diagonal block takes the largest of the
// others, or 1 where all are zero. Returns that largest one.
double dls_metric_fill(double *S, const struct dls_bsr *W);

// |x|^2 in the dual metric 1 / S, for velocities.
double dls_metric_dual_square(const double *S, const struct dls_bsr *W,
                              const double *x);

#endif
