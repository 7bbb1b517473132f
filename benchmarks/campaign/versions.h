// SPDX-License-Identifier: Apache-2.0
// Versions of the program and of the libraries it runs with.
#ifndef DLS_BENCHMARKS_CAMPAIGN_VERSIONS_H
#define DLS_BENCHMARKS_CAMPAIGN_VERSIONS_H

#include <stdio.h>

void dls_versions_print(FILE *);

// "HDF5 1.10.8; GSL 2.7.1; ...": those that the program runs with.
void dls_versions_libraries(char *text, size_t size);

#endif
