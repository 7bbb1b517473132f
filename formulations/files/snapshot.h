// SPDX-License-Identifier: Apache-2.0
// Step problems on disk. The ending of the name decides: .hdf5 or .h5 (FCLIB's layout),
// .dat (Siconos text), .mtx (MatrixMarket, writing only).
#ifndef DLS_FORMULATIONS_FILES_SNAPSHOT_H
#define DLS_FORMULATIONS_FILES_SNAPSHOT_H

#include "formulations/files/certificate.h"
#include "formulations/problem.h"

#include <stdbool.h>

// What a .dat file holds when its text does not tell.
enum dls_dat_kind { DLS_DAT_GUESS, DLS_DAT_LCP, DLS_DAT_FC, DLS_DAT_GFC, DLS_DAT_RFC };

// An answer to store beside a problem: r and u have m entries, v has n or is NULL, l has
// one for each bilateral row or is NULL.
struct dls_answer {
    const double *r, *u, *v, *l;
    const struct dls_certificate *certificate; // or NULL
};

// Reads and checks a snapshot; all memory from the arena. On failure the sentence names
// the file and the field.
enum dls_status dls_snapshot_read(struct dls_problem *, const char *path,
                                  enum dls_dat_kind, struct dls_arena *,
                                  struct dls_error *);

// Whether the name says that HDF5 is to read it.
bool dls_snapshot_is_hdf5(const char *path);

// Writes a snapshot; `answer` may be NULL. The file appears under its name only when it
// is complete (written beside it, then renamed).
enum dls_status dls_snapshot_write(const struct dls_problem *, const char *path,
                                   const struct dls_answer *, struct dls_error *);

#endif
