// SPDX-License-Identifier: Apache-2.0
// A-CD2: atomised stress contact dynamics [DalPontDimnet2008, 4].
//
// All forces of a step become percussions at its middle, so positions move as in
// midpoint.c. The law of contact is on the mean velocity u_bar = (u^- + u^+) / 2 with
// u_N^+ >= 0: without potentials it is Coulomb's law for the restitution
// (e_n, e_t) = (0, 1), whatever the material says. That step problem goes to any
// solver; `uzawa-acd2` adds the quadratic and Tresca potentials through its options
// k_N, k_T, G.
//
// Contacts dissipate at every step: r . u_bar <= 0 where u_N^- <= 0 (the inequality of
// Clausius and Duhem). Forces that depend on velocity are taken at v_i.
#include "problems/schemes/midpoint.h"

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    return dls_midpoint_step(sim, (const double[]){0, 1}, err);
}

const struct dls_scheme dls_scheme_acd2 = {
    .name = "acd2",
    .brief = "atomised stress: percussions at mid-step, contact law on mean velocities",
    .cite = "DalPontDimnet2008",
    .frames = true,
    .glue = true,
    .step = step,
};
