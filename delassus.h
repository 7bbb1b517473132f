// SPDX-License-Identifier: Apache-2.0
// The header for users of Delassus: step problems of contact dynamics with friction, from
// files, from arrays or from generators; their solvers; the judge.
//
//   cc example.c $(pkg-config --cflags --libs delassus)
//
// examples/solve_file.c and examples/solve_arrays.c show the calls. Authors of solvers
// include delassus_solver.h, authors of simulations delassus_simulation.h.
#ifndef DELASSUS_H
#define DELASSUS_H

#include "problems/generators/generator.h"
#include "solvers/reference/certify.h"
#include "solvers/reference/existence.h"
#include "solvers/sequence/sequence.h"
#include "solvers/solver.h"

#include "formulations/arrays.h"
#include "formulations/files/snapshot.h"
#include "formulations/judge/energy.h"
#include "formulations/judge/residual.h"
#include "formulations/problem.h"

#include "base/arena.h"
#include "base/option.h"
#include "base/status.h"

#endif
