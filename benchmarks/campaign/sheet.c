// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole file as one text of *size bytes; NULL with errno set, or with a->failed.
static char *read_text(const char *path, size_t *size, struct dls_arena *a)
{
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    char *text = NULL;
    long length = fseek(in, 0, SEEK_END) ? -1 : ftell(in);
    rewind(in);
    if (length >= 0) text = DLS_NEW(a, char, (size_t)length + 1);
    *size = text ? fread(text, 1, (size_t)length, in) : 0;
    bool failed = ferror(in);
    fclose(in);
    return failed ? NULL : text;
}

// Takes one cell off the text, unquoted in place, and returns what ended it: ',' or '\n',
// or 0 where the text ends first. A line break ends a row also behind an open quote: no
// cell of ours holds one, so the quote was cut off; *cell is NULL then.
static char take_cell(char **at, const char **cell)
{
    char *from = *at, *to = *at;
    *cell = to;
    bool quoted = *from == '"';
    if (quoted) from++;
    for (; *from && *from != '\n' && (quoted || *from != ','); from++) {
        if (quoted && *from == '"') {
            quoted = from[1] == '"';
            if (!quoted) continue;
            from++;
        }
        *to++ = *from;
    }
    char end = *from;
    *at = end ? from + 1 : from;
    *to = 0;
    if (quoted) *cell = NULL;
    return end;
}

// One row into cells (room for `most`); returns how many it has, 0 where it is cut off.
static int take_row(char **at, const char **cells, int most)
{
    bool whole = true;
    for (int count = 0;; count++) {
        const char *cell;
        char end = take_cell(at, &cell);
        whole &= end && cell;
        if (count < most) cells[count] = cell;
        if (end != ',') return whole ? count + 1 : 0;
    }
}

static int count_char(const char *text, char wanted, char until)
{
    int count = 0;
    for (; *text && *text != until; text++) count += *text == wanted;
    return count;
}

enum dls_status dls_sheet_read(struct dls_sheet *s, const char *path,
                               struct dls_arena *a, struct dls_error *err)
{
    size_t size = 0;
    char *at = read_text(path, &size, a);
    *s = (struct dls_sheet){0};
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "%s: out of memory", path);
    if (!at) return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    const char *end = at + size;
    int most = count_char(at, '\n', 0), columns = count_char(at, ',', '\n') + 1;
    s->names = DLS_NEW(a, const char *, columns);
    s->cells = DLS_NEW(a, const char *, (size_t)most *(size_t)columns + 1);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "%s: out of memory", path);
    s->columns = take_row(&at, s->names, columns);
    s->torn = !s->columns;
    while (*at) {
        const char **row = s->cells + (size_t)s->rows * (size_t)columns;
        if (take_row(&at, row, columns) == s->columns && s->columns)
            s->rows++;
        else
            s->torn = true;
    }
    s->torn |= at < end; // a zero byte
    return DLS_OK;
}

int dls_sheet_column(const struct dls_sheet *s, const char *name)
{
    for (int k = 0; k < s->columns; k++)
        if (!strcmp(s->names[k], name)) return k;
    return -1;
}

const char *dls_sheet_text(const struct dls_sheet *s, int row, int column)
{
    return column < 0 ? ""
                      : s->cells[(size_t)row * (size_t)s->columns + (size_t)column];
}

double dls_sheet_real(const struct dls_sheet *s, int row, int column)
{
    const char *text = dls_sheet_text(s, row, column);
    char *end;
    double value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}
