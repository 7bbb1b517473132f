// SPDX-License-Identifier: Apache-2.0
// A generator makes one snapshot from its options; one generator per file.
#ifndef DLS_PROBLEMS_GENERATORS_GENERATOR_H
#define DLS_PROBLEMS_GENERATORS_GENERATOR_H

#include "formulations/problem.h"

#include "base/option.h"

struct dls_generator {
    const char *name, *brief;
    const struct dls_option *options; // ends with {0}
    size_t options_size;
    // Fills the problem from the arena. Same options, same bytes.
    enum dls_status (*make)(struct dls_problem *, const void *opt, struct dls_arena *,
                            struct dls_error *);
};

// All generators, sorted by name, ended by NULL; made by scripts/registry.sh.
extern const struct dls_generator *const dls_generators[];
const struct dls_generator *dls_generator_find(const char *name);

#endif
