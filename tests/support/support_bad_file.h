// SPDX-License-Identifier: Apache-2.0
// A file that tests damage and read.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_BAD_FILE_H
#define DLS_TESTS_SUPPORT_SUPPORT_BAD_FILE_H

#include "formulations/problem.h"

// Where it is: this name in the folder of the test.
extern char support_bad_path[128];
void support_bad_choose(const char *name);

// Reads it as a snapshot.
enum dls_status support_bad_read(struct dls_error *);

// Its bytes.
void support_bad_put(const char *bytes, size_t count);
char *support_bad_get(size_t *count, struct dls_arena *);

// A good problem to begin with: W = diag(1 ... 6), two contacts in 3D.
struct dls_problem support_bad_local(struct dls_arena *);

#endif
