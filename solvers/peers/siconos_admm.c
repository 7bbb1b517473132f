// SPDX-License-Identifier: Apache-2.0
// Siconos' alternating direction method of multipliers with its default options, as a
// peer; in space only.
//
//     min 1/2 r.W r + (q + s).r + indicator of K,   s = mu |u_T| e_N updated on the way
//
// by splitting r from its copy in the cone [Acary2019]: one solve with W + rho I, one
// projection and one update of the multipliers an iteration, rho adapted. Siconos' error
// decides nothing here: see solvers/peers/siconos.c for how it is run, in one call since a
// restart would lose the multipliers. Cost: a factorisation whenever rho changes
// (they are not counted, Siconos does not tell), a product and a solve an iteration.
#include "solvers/peers/siconos.h"

#include <Friction_cst.h>

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    return dls_siconos_create(self, form, 0, SICONOS_FRICTION_3D_ADMM, a, err);
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    return dls_siconos_step_whole(self, z, work);
}

const struct dls_solver dls_solver_siconos_admm = {
    .name = "siconos-admm",
    .brief = "peer: Siconos' alternating direction method of multipliers",
    .use = "Comparison with Siconos under the same judge.",
    .fails = "It takes contact in space only. To 1e-8 it is slow.",
    .cite = "Acary2019",
    .takes = &dls_formulation_delassus,
    .allocates = true,
    .one_call = true,
    .create = create,
    .reset = dls_siconos_reset,
    .step = step,
    .idle = dls_siconos_idle,
    .destroy = dls_siconos_destroy,
};
