// SPDX-License-Identifier: Apache-2.0
// What the libraries need before the first command; see libraries.c.
#ifndef DLS_BENCHMARKS_TERMINAL_LIBRARIES_H
#define DLS_BENCHMARKS_TERMINAL_LIBRARIES_H

#include <stdbool.h>

// False, after one sentence on stderr, where the memory limit leaves no room for them.
// `argv` is that of the program: under such a limit it may start once more.
bool dls_libraries_start(char *argv[]);

// Threads that BLAS may use; one at the start, for with several the last bits of a dot
// product change from run to run.
void dls_libraries_threads(int count);

#endif
