// SPDX-License-Identifier: Apache-2.0
// Siconos' nonsmooth Gauss-Seidel with its default options, as a peer.
//
//     for each contact a:   r_a solves   u_a = W_aa r_a + (q_a + sum_b W_ab r_b),  Coulomb
//
// In space each contact is solved by Siconos' local Newton method with its fall-backs,
// in the plane by its closed form [Acary2019]. Siconos' error decides nothing here: see
// solvers/peers/siconos.c for how it is run and local_solves for what is counted.
// Cost a sweep: one product with W and one local solve a contact.
#include "solvers/peers/siconos.h"

#include <Friction_cst.h>

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    return dls_siconos_create(self, form, SICONOS_FRICTION_2D_NSGS,
                              SICONOS_FRICTION_3D_NSGS, a, err);
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    return dls_siconos_step(self, (struct dls_siconos_pace){1, 0.1}, z, work);
}

const struct dls_solver dls_solver_siconos_nsgs = {
    .name = "siconos-nsgs",
    .brief = "peer: Siconos' nonsmooth Gauss-Seidel",
    .use = "Comparison with Siconos under the same judge.",
    .fails = "Where pgs fails: it makes the same sweeps.",
    .cite = "Acary2019",
    .takes = &dls_formulation_delassus,
    .allocates = true,
    .create = create,
    .reset = dls_siconos_reset,
    .step = step,
    .destroy = dls_siconos_destroy,
};
