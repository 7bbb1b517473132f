// SPDX-License-Identifier: Apache-2.0
// Moreau's midpoint scheme, contact dynamics in the proper sense [Moreau2004, 6.1].
//
// The step of midpoint.c with the law on the final velocity:
//
//     u = H v_f + w_ob + E u^-,  K* ∋ u + mu |u_T| e_N ⟂ r ∈ K,  E = diag(e_n, e_t)
//
// Explicit in positions, implicit in the velocities of contacts. Uniform gravity is
// integrated exactly. Order 2 while no contact changes, 1 over impacts.
// Fails: stiff forces need h below 2 / (highest frequency).
#include "problems/schemes/midpoint.h"

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    return dls_midpoint_step(sim, NULL, err);
}

const struct dls_scheme dls_scheme_moreau = {
    .name = "moreau",
    .brief = "Moreau's midpoint scheme: leap-frog positions, implicit contacts",
    .cite = "Moreau2004",
    .frames = true,
    .glue = true,
    .step = step,
};
