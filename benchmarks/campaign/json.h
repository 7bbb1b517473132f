// SPDX-License-Identifier: Apache-2.0
// A JSON file as a list of facts: {"machine": {"cpu": "x"}} gives "machine.cpu" = "x".
#ifndef DLS_BENCHMARKS_CAMPAIGN_JSON_H
#define DLS_BENCHMARKS_CAMPAIGN_JSON_H

#include "base/arena.h"

struct dls_fact {
    const char *name, *value; // the values of an array are joined by ", "
};

struct dls_facts {
    int count;
    struct dls_fact *fact;
};

// Flattens a text; what stands before a mistake is kept. False when the text is not JSON
// or memory ran out.
bool dls_json_flatten(struct dls_facts *, const char *text, struct dls_arena *);

// The same of a file; false, and no facts, where it cannot be read.
bool dls_json_read(struct dls_facts *, const char *path, struct dls_arena *);

// The value of that name, or NULL.
const char *dls_facts_find(const struct dls_facts *, const char *name);

#endif
