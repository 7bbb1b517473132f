// SPDX-License-Identifier: Apache-2.0
// A solver from a file that was named on the command line.
#ifndef DLS_BENCHMARKS_TERMINAL_OUTSIDER_H
#define DLS_BENCHMARKS_TERMINAL_OUTSIDER_H

#include "solvers/solver.h"

// By the ending of the name: .so is loaded, .py is run by Python (the variable
// DELASSUS_PYTHON names another than python3), anything else is a program that speaks the
// protocol of docs/protocol.md. DLS_EINVAL with a sentence where that fails, or where the
// name is that of a solver of the library.
enum dls_status dls_outsider_open(const struct dls_solver **, const char *path,
                                  struct dls_arena *, struct dls_error *);

#endif
