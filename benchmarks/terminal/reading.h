// SPDX-License-Identifier: Apache-2.0
// Reading files of others.
#ifndef DLS_BENCHMARKS_TERMINAL_READING_H
#define DLS_BENCHMARKS_TERMINAL_READING_H

#include "formulations/files/snapshot.h"

// dls_snapshot_read for files of any origin: one on which the HDF5 library itself crashes
// or loops is refused with a sentence, too.
enum dls_status dls_read_snapshot(struct dls_problem *, const char *path,
                                  enum dls_dat_kind, struct dls_arena *,
                                  struct dls_error *);

#endif
