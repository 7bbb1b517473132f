// SPDX-License-Identifier: Apache-2.0
// Which files a campaign runs on.
#ifndef DLS_BENCHMARKS_CAMPAIGN_SUITE_H
#define DLS_BENCHMARKS_CAMPAIGN_SUITE_H

#include "base/arena.h"
#include "base/status.h"

struct dls_suite {
    int count;
    const char **files; // as found
    const char **names; // base names without ending, all different
};

// Collects what `words` name, each once: a snapshot (.hdf5, .dat), a folder of them, a
// suite file (.txt), or the name of a suite in benchmarks/suites. A suite file has one
// file, folder or glob a line; `#` begins a comment. Its relative names are looked up
// from the working folder, then from the folder above benchmarks/. A name that matches
// nothing, and two files of one base name, are errors with a sentence.
enum dls_status dls_suite_collect(struct dls_suite *, const char *const *words,
                                  int count, struct dls_arena *, struct dls_error *);

// Path of the suite file of that name, or NULL.
const char *dls_suite_find(const char *name, struct dls_arena *);

// Folders that hold benchmarks/suites, ended by NULL: the working folder, the source
// tree of the program, where it is installed.
const char *const *dls_suite_roots(struct dls_arena *);

#endif
