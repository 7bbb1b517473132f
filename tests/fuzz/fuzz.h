// SPDX-License-Identifier: Apache-2.0
// Inputs made to break readers; fuzz.c tells how they are made and run.
#ifndef DLS_TESTS_FUZZ_FUZZ_H
#define DLS_TESTS_FUZZ_FUZZ_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>

enum { FUZZ_ROOM = 1 << 17 }; // bytes of an input at most

struct fuzz_input {
    size_t size;
    unsigned char bytes[FUZZ_ROOM];
};

struct fuzz_target {
    const char *name, *brief;
    // Good inputs to start from: fills one and returns true, or false beyond the last.
    bool (*seed)(int number, struct fuzz_input *);
    const char *const *words; // put into texts now and then; ends with NULL; or NULL
    // Reads the input. What must hold is asserted; `file` is a name to write to.
    void (*run)(const struct fuzz_input *, const char *file);
    bool library_fails; // HDF5 itself loops or crashes on some: told, not a finding
    int slices; // its part of the time: most for what is slow and has most to break
};

extern const struct fuzz_target fuzz_targets[]; // ends with a NULL name

// Changes an input a little: some bits, bytes, numbers, blocks or words.
void fuzz_mutate(struct fuzz_input *, const char *const *words, struct dls_rng *);

#endif
