// SPDX-License-Identifier: Apache-2.0
// The state of a run on disk: a run that was cut short goes on from it bit for bit.
#ifndef DLS_PROBLEMS_MECHANICS_CHECKPOINT_H
#define DLS_PROBLEMS_MECHANICS_CHECKPOINT_H

#include "problems/mechanics/scheme.h"

// What else of a run must outlive it: numbers without pointers, read into the same
// memory.
struct dls_piece {
    void *at;
    size_t bytes;
};
enum { DLS_PIECES = 8 };
struct dls_watched {
    int pieces; // written and read in this order
    struct dls_piece piece[DLS_PIECES];
};

// What the file must agree with, and how far the CSV file of the run had come.
struct dls_checkpoint {
    const char *title; // names the example, its options, the scheme and the solver
    long csv_bytes;
    uint64_t csv_tail; // a checksum by which that file is known again
    struct dls_watched watched;
};

// Written beside and renamed: the file is complete or the one before.
enum dls_status dls_checkpoint_write(const struct dls_sim *,
                                     const struct dls_checkpoint *, const char *path,
                                     struct dls_error *);

// Into a sim that was opened with the same system and scheme. DLS_EINVAL where the file
// is of another run, not complete or damaged; the sim is then as it was.
enum dls_status dls_checkpoint_read(struct dls_sim *, struct dls_checkpoint *,
                                    const char *path, struct dls_error *);

#endif
