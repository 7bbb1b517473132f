// SPDX-License-Identifier: Apache-2.0
// What the tests share: cmocka with its headers, comparison of doubles (cmocka's own
// casts to float), paths, and small problems with known answers.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_H
#define DLS_TESTS_SUPPORT_SUPPORT_H

#include "formulations/problem.h"

#include "base/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

// cmocka wants the four above first.
// clang-format off
#include <cmocka.h>
// clang-format on

// Fails, printing both numbers, unless |a - b| <= tol (NaN fails).
#define assert_close(a, b, tol) support_close((a), (b), (tol), #a, __FILE__, __LINE__)
void support_close(double a, double b, double tol, const char *what, const char *file,
                   int line);

// Path of a corpus file ("fc3d/Rover1039.hdf5") if the corpus is there, else NULL; the
// test then calls skip() after printing why.
const char *support_corpus(const char *name);

// A fresh temporary folder, removed with all it holds at exit.
const char *support_folder(void);

// A local problem with dense W (by rows), all from the arena.
struct dls_problem support_local(int contacts, int d, const double *W, const double *q,
                                 const double *mu, struct dls_arena *);

// The defaults of a table with "name=value name=value" over them.
void support_options(const struct dls_option *, void *opt, const char *text);

// The snapshot of a generator with options given as "name=value name=value".
struct dls_problem support_generate(const char *generator, const char *options,
                                    struct dls_arena *);

// Solves with pgs to a natural residual of `tol` (the test fails otherwise); r from the
// arena.
double *support_solve(const struct dls_problem *, double tol, struct dls_arena *);

#endif
