// SPDX-License-Identifier: Apache-2.0
// The public header of Delassus: step problems of contact dynamics with friction, their
// files, their solvers and the judge.
//
//   cc example.c $(pkg-config --cflags --libs delassus)
//
// examples/solve_file.c shows the calls in twenty lines.
#ifndef DELASSUS_H
#define DELASSUS_H

#include "problems/generators/generator.h"
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"
#include "formulations/judge/energy.h"
#include "formulations/judge/residual.h"
#include "formulations/problem.h"

#include "base/arena.h"
#include "base/option.h"
#include "base/status.h"

#endif
