// SPDX-License-Identifier: Apache-2.0
// Reading CSV files whose end may be missing: a campaign is read while it is written.
#ifndef DLS_BENCHMARKS_CSV_H
#define DLS_BENCHMARKS_CSV_H

#include "base/arena.h"
#include "base/status.h"

struct dls_csv {
    int columns, rows;
    const char **names; // of the columns
    const char **cells; // rows x columns, by rows
    int dropped;        // records left out: half-written or of another width
};

// Reads a file with one header line; cells may be quoted (RFC 4180) but hold no line break.
// Strings live in the arena. DLS_EIO where the file cannot be read or has no header.
enum dls_status dls_csv_read(struct dls_csv *, const char *path, struct dls_arena *,
                             struct dls_error *);

// The number of the column of that name, or -1.
int dls_csv_column(const struct dls_csv *, const char *name);
// The text of a cell; "" where the column is -1.
const char *dls_csv_text(const struct dls_csv *, int row, int column);
// Its number; NAN where it holds none.
double dls_csv_real(const struct dls_csv *, int row, int column);

// All bytes of a file and a zero after them, or NULL with a sentence.
char *dls_file_read(const char *path, size_t *length, struct dls_arena *,
                    struct dls_error *);

#endif
