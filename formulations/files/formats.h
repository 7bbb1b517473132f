// SPDX-License-Identifier: Apache-2.0
// The formats of step problems on disk, one by one. Users call dls_snapshot_read and
// dls_snapshot_write, which check their arguments and go by the ending of the name.
#ifndef DLS_FORMULATIONS_FILES_FORMATS_H
#define DLS_FORMULATIONS_FILES_FORMATS_H

#include "formulations/files/snapshot.h"

// FCLIB's layout in HDF5; `answer` may be NULL.
enum dls_status dls_fclib_read(struct dls_problem *, const char *path,
                               struct dls_arena *, struct dls_error *);
enum dls_status dls_fclib_write(const struct dls_problem *, const char *path,
                                const struct dls_answer *, struct dls_error *);

// Siconos text.
enum dls_status dls_dat_read(struct dls_problem *, const char *path, enum dls_dat_kind,
                             struct dls_arena *, struct dls_error *);
enum dls_status dls_dat_write(const struct dls_problem *, const char *path,
                              struct dls_error *);

// MatrixMarket: NAME.mtx becomes NAME-M.mtx, NAME-H.mtx, NAME-f.mtx, ... or NAME-W.mtx, NAME-q.mtx, ...
enum dls_status dls_mtx_write(const struct dls_problem *, const char *path,
                              struct dls_error *);

#endif
