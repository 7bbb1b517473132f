// SPDX-License-Identifier: Apache-2.0
// A CSV file in memory: names of columns, rows of texts [RFC 4180].
#ifndef DLS_BENCHMARKS_CAMPAIGN_SHEET_H
#define DLS_BENCHMARKS_CAMPAIGN_SHEET_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

// A line that is no row of the sheet: cut off, of another number of cells than the
// header, or with a zero byte in it. As it stands in the file, without its line break.
struct dls_damage {
    int line; // from 1
    const char *bytes;
    size_t size;
};

struct dls_sheet {
    int columns, rows;
    const char **names; // columns
    const char **cells; // rows * columns; "" where empty
    int damages;
    struct dls_damage *damage;
};

// Reads the whole file; texts live in the arena. DLS_EIO with a sentence where it cannot
// be read. A process that is killed may leave a row that is not ended by a line break;
// it is damage like any other. Without a whole header there are no columns.
enum dls_status dls_sheet_read(struct dls_sheet *, const char *path, struct dls_arena *,
                               struct dls_error *);

// The number of the column of that name, -1 where there is none.
int dls_sheet_column(const struct dls_sheet *, const char *name);

// "" where the cell is empty or the column is -1.
const char *dls_sheet_text(const struct dls_sheet *, int row, int column);

// NAN where the cell is empty or no number.
double dls_sheet_real(const struct dls_sheet *, int row, int column);

#endif
