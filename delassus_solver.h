// SPDX-License-Identifier: Apache-2.0
// The header for authors of solvers: the contract, the formulations a solver may take,
// cones and block matrices.
//
//   cc -shared -fPIC my_solver.c $(pkg-config --cflags delassus) -o my_solver.so
//   delassus solve FILE --solver ./my_solver.so
//
// examples/my_solver.c is a complete one.
#ifndef DELASSUS_SOLVER_H
#define DELASSUS_SOLVER_H

#include "solvers/solver.h"

#include "formulations/bodies.h"
#include "formulations/delassus.h"
#include "formulations/identity.h"
#include "formulations/judge/cone.h"
#include "formulations/lcp.h"
#include "formulations/qp.h"
#include "formulations/shifted.h"
#include "formulations/socp.h"

#include "base/bsr.h"
#include "base/clock.h"
#include "base/sparse.h"
#include "base/vec3.h"

#endif
