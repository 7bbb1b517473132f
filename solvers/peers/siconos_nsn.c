// SPDX-License-Identifier: Apache-2.0
// Siconos' nonsmooth Newton method on the Alart-Curnier function with its default
// options, as a peer; in space only.
//
//     Phi(u, r) = (u - W r - q,  r - P_{K(r)}(r - rho u)) = 0
//
// by Newton steps with a line search [Acary2018, section 4.2]. Siconos' error decides
// nothing here: see solvers/peers/siconos.c for how it is run. A chunk has ten Newton
// steps, since each call copies W into sparse storage. A singular W may stop it; it may
// also cycle. Cost a step: one sparse factorisation of order 2 m.
#include "solvers/peers/siconos.h"

#include <Friction_cst.h>

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    return dls_siconos_create(self, form, 0, SICONOS_FRICTION_3D_NSN_AC, a, err);
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    long before = work->products, solves = work->local_solves;
    enum dls_status status =
        dls_siconos_step(self, (struct dls_siconos_pace){10, 0.1}, z, work);
    work->factorisations += work->products - before;
    work->local_solves = solves;
    return status;
}

const struct dls_solver dls_solver_siconos_nsn = {
    .name = "siconos-nsn",
    .brief = "peer: Siconos' nonsmooth Newton (Alart-Curnier)",
    .use = "Comparison with Siconos under the same judge.",
    .fails = "It takes contact in space only. Singular W often makes it fail.",
    .cite = "Acary2018",
    .takes = &dls_formulation_delassus,
    .allocates = true,
    .create = create,
    .reset = dls_siconos_reset,
    .step = step,
    .destroy = dls_siconos_destroy,
};
