// SPDX-License-Identifier: Apache-2.0
// Internal moment and mean stress of a set of grains; see stress.c.
#ifndef DLS_PROBLEMS_OBSERVE_STRESS_H
#define DLS_PROBLEMS_OBSERVE_STRESS_H

#include "problems/observe/observed.h"

typedef struct {
    double x[3][3];
} dls_tensor;

// a (x) b, and the eigenvalues of the symmetric part, descending, with the angle of the
// first principal direction from x in degrees in (-90, 90] (plane only, else 0).
dls_tensor dls_tensor_outer(dls_vec3 a, dls_vec3 b);
dls_tensor dls_tensor_add(dls_tensor, dls_tensor);
struct dls_principal {
    double value[3], angle;
};
struct dls_principal dls_tensor_principal(const dls_tensor *, int dim);

// Moreau's internal moment of the chosen grains, compression negative.
dls_tensor dls_internal_moment(const struct dls_observed *, dls_chosen *,
                               const void *data);

// The same from outside: forces of obstacles and of other grains, loads, accelerations.
dls_tensor dls_external_moment(const struct dls_observed *, dls_chosen *,
                               const void *data);

#endif
