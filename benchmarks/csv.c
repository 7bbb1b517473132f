// SPDX-License-Identifier: Apache-2.0
// CSV by lines, split and unquoted in place.
//
// No cell of ours holds a line break, so a newline ends a record even inside quotes: a
// row that was cut inside a quoted cell costs itself and not the rows after it. A record
// counts only if it ends with a newline, closes its quotes, holds no zero byte and has
// as many cells as the header.
// Cost: two passes over the file, which is held in memory.
#include "benchmarks/csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *dls_file_read(const char *path, size_t *length, struct dls_arena *a,
                    struct dls_error *err)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size = -1;
    if (file && !fseek(file, 0, SEEK_END)) size = ftell(file);
    if (size >= 0 && !fseek(file, 0, SEEK_SET)) bytes = dls_alloc(a, size + 1UL, 1);
    if (bytes) *length = fread(bytes, 1, (size_t)size, file);
    if (!bytes) dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    if (file) fclose(file);
    return bytes;
}

// Splits the record p ... end (the newline) into at most `room` cells; returns how many
// there are, 0 for a record that is empty or damaged.
static int split(char *p, char *end, const char **cells, int room)
{
    int count = 0;
    if (end > p && end[-1] == '\r') end--;
    *end = 0;
    if (p == end || memchr(p, 0, (size_t)(end - p))) return 0;
    for (;;) {
        char *to = p;
        bool quoted = false;
        if (count < room) cells[count] = p;
        count++;
        for (; *p && (quoted || *p != ','); p++) {
            bool doubled = quoted && p[0] == '"' && p[1] == '"';
            if (doubled) p++;
            if (*p == '"' && !doubled)
                quoted = !quoted;
            else
                *to++ = *p;
        }
        bool last = !*p;
        *to = 0;
        if (last) return quoted ? 0 : count;
        p++;
    }
}

static int count_of(const char *p, const char *end, char what)
{
    int count = 0;
    for (; p < end; p++) count += *p == what;
    return count;
}

enum dls_status dls_csv_read(struct dls_csv *csv, const char *path, struct dls_arena *a,
                             struct dls_error *err)
{
    size_t length;
    *csv = (struct dls_csv){0};
    char *p = dls_file_read(path, &length, a, err);
    if (!p) return DLS_EIO;
    char *end = p + length, *stop = memchr(p, '\n', length);
    if (!stop) return dls_fail(err, DLS_EIO, "%s: no header line", path);
    int room = count_of(p, stop, ',') + 1;
    csv->names = DLS_NEW(a, const char *, room);
    csv->cells = DLS_NEW(a, const char *, (size_t)room *count_of(stop, end, '\n'));
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "%s: out of memory", path);
    csv->columns = split(p, stop, csv->names, room);
    if (!csv->columns) return dls_fail(err, DLS_EIO, "%s: no header line", path);
    for (p = stop + 1; p < end; p = stop + 1) {
        const char **cells = csv->cells + (size_t)csv->rows * csv->columns;
        stop = memchr(p, '\n', (size_t)(end - p));
        bool whole = stop && split(p, stop, cells, csv->columns) == csv->columns;
        if (whole)
            csv->rows++;
        else
            csv->dropped++;
        if (!stop) break;
    }
    return DLS_OK;
}

int dls_csv_column(const struct dls_csv *csv, const char *name)
{
    for (int k = 0; k < csv->columns; k++)
        if (!strcmp(csv->names[k], name)) return k;
    return -1;
}

const char *dls_csv_text(const struct dls_csv *csv, int row, int column)
{
    return column < 0 ? "" : csv->cells[(size_t)row * csv->columns + column];
}

double dls_csv_real(const struct dls_csv *csv, int row, int column)
{
    const char *text = dls_csv_text(csv, row, column);
    char *end;
    double value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}
