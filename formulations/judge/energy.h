// SPDX-License-Identifier: Apache-2.0
// The energy of a step; see energy.c for the formulas.
#ifndef DLS_FORMULATIONS_JUDGE_ENERGY_H
#define DLS_FORMULATIONS_JUDGE_ENERGY_H

#include "formulations/problem.h"

struct dls_judge;

struct dls_energy {
    // Work relative to free motion: -(1/2 r.W r + sum r_N (mu |u_T| + mu_r |u_R|)).
    double free_work;

    // NAN where the file does not know u^-.
    double work, normal, tangential; // contact work A = sum r.u_bar and its two parts
    int positive; // contacts with r.u_bar > 0: counted, since a collision may have some

    // NAN where the file does not know v^- and M.
    double kinetic_minus, kinetic_plus; // T^-, T^+
    double external, obstacles, joints; // hF.v_bar, -r.w_ob, lambda.G v_bar
    double defect; // T^+ - T^- - (A + external + obstacles + joints)
};

// Energy of the answer that the judge measured last. `work_of` (contacts entries, or
// NULL) receives r.u_bar of each contact.
void dls_energy_measure(struct dls_energy *, const struct dls_problem *,
                        const struct dls_judge *, const double *r, double *work_of);

#endif
