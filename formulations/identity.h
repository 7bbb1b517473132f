// SPDX-License-Identifier: Apache-2.0
// The formulation `problem`: the step problem as it is, with z = r. For solvers that run
// others, each of which has a formulation of its own.
#ifndef DLS_FORMULATIONS_IDENTITY_H
#define DLS_FORMULATIONS_IDENTITY_H

#include "formulations/formulation.h"

extern const struct dls_formulation
    dls_formulation_problem; // form = struct dls_problem

#endif
