// SPDX-License-Identifier: Apache-2.0
// Siconos' conjugate projected gradient with its default options, as a peer; in the
// plane only, for which it was made [Acary2019].
//
//     min 1/2 r.W r + q.r   over the cones |r_T| <= mu r_N
//
// by conjugate directions on the active faces and projections onto the cones.
//
// Siconos' error decides nothing here: see solvers/peers/siconos.c for how it is run, in
// one call since a restart would lose the conjugate directions.
// Cost an iteration: two products with W. It wants W symmetric.
#include "solvers/peers/siconos.h"

#include <Friction_cst.h>

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    return dls_siconos_create(self, form, SICONOS_FRICTION_2D_CPG, 0, a, err);
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    return dls_siconos_step_whole(self, z, work);
}

const struct dls_solver dls_solver_siconos_cpg = {
    .name = "siconos-cpg",
    .brief = "peer: Siconos' conjugate projected gradient (plane)",
    .use = "Comparison with Siconos under the same judge.",
    .fails = "It takes contact in the plane only.",
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
