// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // qsort_r

#include "benchmarks/campaign/index.h"

#include <stdlib.h>
#include <string.h>

struct dls_key dls_index_key(const struct dls_index *index, int row)
{
    const struct dls_sheet *s = index->sheet;
    const int *at = index->columns;
    return (struct dls_key){
        dls_sheet_text(s, row, at[0]),
        dls_sheet_text(s, row, at[1]),
        dls_sheet_text(s, row, at[2]),
        dls_sheet_real(s, row, at[3]),
    };
}

static int compare_keys(struct dls_key a, struct dls_key b)
{
    int order = strcmp(a.problem, b.problem);
    if (!order) order = strcmp(a.solver, b.solver);
    if (!order) order = strcmp(a.options, b.options);
    return order ? order : (a.tol > b.tol) - (a.tol < b.tol);
}

bool dls_key_equal(struct dls_key a, struct dls_key b) { return !compare_keys(a, b); }

static int compare_rows(const void *a, const void *b, void *index)
{
    int i = *(const int *)a, j = *(const int *)b;
    int order = compare_keys(dls_index_key(index, i), dls_index_key(index, j));
    return order ? order : (i > j) - (i < j);
}

enum dls_status dls_index_make(struct dls_index *index, const struct dls_sheet *s,
                               struct dls_arena *a)
{
    static const char *const names[] = {"problem", "solver", "options", "tol"};
    *index = (struct dls_index){.sheet = s, .order = DLS_NEW(a, int, s->rows)};
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k < 4; k++) {
        index->columns[k] = dls_sheet_column(s, names[k]);
        if (index->columns[k] < 0) return DLS_EINVAL;
    }
    for (int k = 0; k < s->rows; k++) index->order[k] = k;
    qsort_r(index->order, (size_t)s->rows, sizeof *index->order, compare_rows, index);
    return DLS_OK;
}

int dls_index_find(const struct dls_index *index, struct dls_key wanted)
{
    int low = 0, high = index->sheet->rows;
    while (low < high) {
        int middle = low + (high - low) / 2, row = index->order[middle];
        int order = compare_keys(wanted, dls_index_key(index, row));
        if (!order) return row;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}
