// SPDX-License-Identifier: Apache-2.0
// Solvers that are no part of the library: a shared object written against
// delassus_solver.h, or a program in any language that speaks the protocol of
// docs/protocol.md. Either becomes a struct dls_solver like any other.
#ifndef DLS_SOLVERS_OUTSIDE_OUTSIDE_H
#define DLS_SOLVERS_OUTSIDE_OUTSIDE_H

#include "solvers/solver.h"

// The shared object at `path`, whose one symbol is `const struct dls_solver dls_solver`.
// It stays loaded. DLS_EINVAL with a sentence where it is not one.
enum dls_status dls_outside_load(const struct dls_solver **, const char *path,
                                 struct dls_error *);

// The program that `argv` starts (ends with NULL; looked for in PATH). It is started once
// to hear what it is, and again for each run. Its options are those it tells of. The
// solver lives as long as the arena. A program that cannot work here says so in a
// sentence: runs then end as DLS_UNSUPPORTED with it.
enum dls_status dls_outside_program(const struct dls_solver **, const char *const *argv,
                                    struct dls_arena *, struct dls_error *);

#endif
