// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/terminal/output.h"

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

// Takes one cell off a line that ends at `end`, unquoted in place; false behind the last
// one. Sets *open where a quote was never closed: no cell of ours holds a line break, so
// the line was cut there.
static bool take_cell(char **at, const char *end, const char **cell, bool *open)
{
    char *from = *at, *to = *at;
    if (from > end) return false;
    *cell = to;
    bool quoted = from < end && *from == '"';
    if (quoted) from++;
    for (; from < end && (quoted || *from != ','); from++) {
        if (quoted && *from == '"') {
            quoted = from[1] == '"';
            if (!quoted) continue;
            from++;
        }
        *to++ = *from;
    }
    *open |= quoted;
    *at = from + 1;
    *to = 0;
    return true;
}

// One line into cells (room for `most`); returns how many it has, 0 where it is damaged.
static int take_cells(char *line, size_t size, const char **cells, int most,
                      struct dls_arena *a)
{
    const char *end = line + size, *cell;
    bool open = false;
    int count = 0;
    if (memchr(line, 0, size)) return 0;
    line[size] = 0; // was the line break
    while (take_cell(&line, end, &cell, &open)) {
        if (*cell == '\'' && dls_csv_guards(cell + 1)) cell++;
        if (count < most) cells[count] = dls_text_visible(cell, a);
        count++;
    }
    return open ? 0 : count;
}

static int count_char(const char *text, size_t size, char wanted)
{
    int count = 0;
    for (size_t k = 0; k < size; k++) count += text[k] == wanted;
    return count;
}

// A copy of the line, for cells are unquoted in place.
static bool keep_damage(struct dls_sheet *s, int line, const char *raw, size_t size,
                        struct dls_arena *a)
{
    char *bytes = DLS_NEW(a, char, size + 1);
    if (!bytes) return false;
    memcpy(bytes, raw, size);
    s->damage[s->damages++] = (struct dls_damage){line, bytes, size};
    return true;
}

// The lines of a text: header, rows, damage.
static bool take_lines(struct dls_sheet *s, char *at, size_t size, struct dls_arena *a)
{
    const char *end = at + size;
    int lines = count_char(at, size, '\n') + 1;
    char *first = memchr(at, '\n', size);
    int most = count_char(at, first ? (size_t)(first - at) : 0, ',') + 1;
    s->names = DLS_NEW(a, const char *, most);
    s->cells = DLS_NEW(a, const char *, (size_t)lines *(size_t)most);
    s->damage = DLS_NEW(a, struct dls_damage, lines);
    char *raw = dls_copy(a, at, size + 1, 1);
    for (int line = 1; at < end && !a->failed; line++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at), whole = length;
        if (length && at[length - 1] == '\r') length--; // as spreadsheets write it
        const char **to =
            line == 1 ? s->names : s->cells + (size_t)s->rows * (size_t)s->columns;
        int count = stop ? take_cells(at, length, to, most, a) : 0;
        if (line == 1)
            s->columns = count;
        else if (count && count == s->columns)
            s->rows++;
        if ((line == 1 ? !count : count != s->columns || !count) && length)
            keep_damage(s, line, raw, whole, a);
        at += whole + 1;
        raw += whole + 1;
    }
    return !a->failed;
}

enum dls_status dls_sheet_read(struct dls_sheet *s, const char *path,
                               struct dls_arena *a, struct dls_error *err)
{
    size_t size = 0;
    char *text = read_text(path, &size, a);
    *s = (struct dls_sheet){0};
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "%s: out of memory", path);
    if (!text) return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    if (!take_lines(s, text, size, a))
        return dls_fail(err, DLS_ENOMEM, "%s: out of memory", path);
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
