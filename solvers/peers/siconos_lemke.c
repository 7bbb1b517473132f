// SPDX-License-Identifier: Apache-2.0
// Siconos' Lemke pivoting on the LCP of the plane problem, as a peer [Acary2019]:
//
//     0 <= z  complementary to  A z + b >= 0,   exact for friction in the plane
//
// by dense pivots. It is one call that nobody can interrupt: the driver's time limit is
// seen when it ends, a campaign's limits hold at any moment. Cost a pivot: the square of
// three times the contacts. It ends without an answer on a secondary ray.
#include "solvers/peers/siconos.h"

#include <Friction_cst.h>

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    return dls_siconos_create(self, form, SICONOS_FRICTION_2D_LEMKE, 0, a, err);
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    enum { PIVOTS = 1000000 }; // no limit in practice
    dls_siconos_call(self, work->tol, PIVOTS, z);
    return DLS_FINISHED;
}

const struct dls_solver dls_solver_siconos_lemke = {
    .name = "siconos-lemke",
    .brief = "peer: Siconos' Lemke pivoting (plane)",
    .use = "Comparison with Siconos under the same judge.",
    .fails = "It takes contact in the plane only.",
    .cite = "Acary2019",
    .takes = &dls_formulation_delassus,
    .allocates = true,
    .create = create,
    .reset = dls_siconos_reset,
    .step = step,
    .destroy = dls_siconos_destroy,
};
