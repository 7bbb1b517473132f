// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // open_memstream, fsync

#include "benchmarks/campaign/results.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/campaign/folder.h"
#include "benchmarks/campaign/record.h"
#include "benchmarks/terminal/commands.h"

static enum dls_status system_error(const char *path, struct dls_error *err)
{
    return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
}

static enum dls_status no_memory(struct dls_error *err)
{
    return dls_fail(err, DLS_ENOMEM, "out of memory");
}

int dls_results_find(const struct dls_results *s, struct dls_key key)
{
    return dls_index_find(&s->index, key);
}

// --- terms -----------------------------------------------------------------------------

const char *const dls_terms_names[DLS_TERMS] = {
    "max_time", "max_memory", "seed",    "residual_version",
    "measure",  "start",      "threads", "clock",
};

struct dls_terms_text dls_terms_format(const struct dls_terms *t)
{
    struct dls_terms_text text;
    snprintf(text.value[0], sizeof text.value[0], "%.17g", t->max_time);
    snprintf(text.value[1], sizeof text.value[1], "%.17g", t->max_memory);
    snprintf(text.value[2], sizeof text.value[2], "%ld", t->seed);
    snprintf(text.value[3], sizeof text.value[3], "%d", DLS_RESIDUAL_VERSION);
    snprintf(text.value[4], sizeof text.value[4], "%s", dls_measure_name(t->measure));
    snprintf(text.value[5], sizeof text.value[5], "%s", dls_start_names[t->start]);
    snprintf(text.value[6], sizeof text.value[6], "%d", t->threads);
    snprintf(text.value[7], sizeof text.value[7], "%s", dls_clock_names[t->clock]);
    return text;
}

struct dls_terms_text dls_terms_of_row(const struct dls_sheet *s, int row)
{
    struct dls_terms_text text;
    for (int k = 0; k < DLS_TERMS; k++)
        snprintf(text.value[k], sizeof text.value[k], "%s",
                 dls_sheet_text(s, row, dls_sheet_column(s, dls_terms_names[k])));
    return text;
}

// As numbers where both are numbers: "10" is "1e1".
static bool same_value(const char *a, const char *b)
{
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    if (end_a != a && end_b != b && !*end_a && !*end_b) return x == y;
    return !strcmp(a, b);
}

enum dls_status dls_terms_check(const struct dls_sheet *s, const char *path,
                                const struct dls_terms_text *wanted,
                                struct dls_error *err)
{
    for (int row = 0; row < s->rows; row++) {
        struct dls_terms_text has = dls_terms_of_row(s, row);
        for (int k = 0; k < DLS_TERMS; k++)
            if (*has.value[k] && !same_value(has.value[k], wanted->value[k]))
                return dls_fail(err, DLS_EINVAL,
                                "%s has rows with %s = %s, now it is %s; give another "
                                "-o",
                                path, dls_terms_names[k], has.value[k],
                                wanted->value[k]);
    }
    return DLS_OK;
}

// --- writing ---------------------------------------------------------------------------

static void print_texts(FILE *out, const struct dls_sheet *t, const char *const *texts)
{
    struct dls_cell cells[DLS_ROW_CELLS];
    for (int k = 0; k < t->columns; k++)
        cells[k] = dls_cell_text(t->names[k], texts[k]);
    dls_print_csv(out, cells, t->columns);
}

static const char *const *row_of(const struct dls_sheet *t, int row)
{
    return t->cells + (size_t)row * (size_t)t->columns;
}

enum dls_status dls_results_write(const char *folder, const struct dls_sheet *t,
                                  struct dls_arena *a, struct dls_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return no_memory(err);
    print_texts(out, t, t->names);
    for (int k = 0; k < t->rows; k++) print_texts(out, t, row_of(t, k));
    bool good = !fclose(out) && dls_folder_write(folder, "results.csv", text, size, a);
    free(text);
    return good ? DLS_OK
                : dls_fail(err, DLS_EIO, "%s/results.csv: %s", folder, strerror(errno));
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size) {
        ssize_t done = write(file, text, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        text += done;
        size -= (size_t)done;
    }
    return true;
}

// Appends to a file of the campaign that is not results.csv, and waits for the disk.
static enum dls_status set_aside(const struct dls_results *s, const char *name,
                                 const char *text, size_t size, struct dls_arena *a,
                                 struct dls_error *err)
{
    const char *path = dls_text(a, "%s/%s", s->folder, name);
    if (!path) return no_memory(err);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_all(file, text, size) && !fsync(file);
    int error = errno;
    if (file >= 0) close(file);
    errno = error;
    return good ? DLS_OK : system_error(path, err);
}

// --- what was there --------------------------------------------------------------------

enum fate { KEPT, DAMAGED, REPEATED, REPLACED };

// Rows of a sheet on their way into order.
struct sorting {
    struct dls_sheet sheet;
    enum fate *fate; // of each row
};

bool dls_results_fit(struct dls_sheet *s, struct dls_arena *a)
{
    struct dls_cell cells[DLS_ROW_CELLS];
    struct dls_row_texts texts;
    int count = dls_row_cells(NULL, cells, &texts), known = 0, from[DLS_ROW_CELLS];
    for (int k = 0; k < count; k++) {
        from[k] = dls_sheet_column(s, cells[k].name);
        known += from[k] >= 0;
    }
    if (known != s->columns) return false;
    const char **names = DLS_NEW(a, const char *, count);
    const char **to = DLS_NEW(a, const char *, (size_t)count *(size_t)s->rows);
    if (a->failed) return true; // the caller sees a->failed
    for (int k = 0; k < count; k++) names[k] = cells[k].name;
    for (int row = 0; row < s->rows; row++)
        for (int k = 0; k < count; k++)
            to[(size_t)row * (size_t)count + (size_t)k] =
                dls_sheet_text(s, row, from[k]);
    s->columns = count;
    s->names = names;
    s->cells = to;
    return true;
}

static bool has_key(const struct dls_sheet *s, int row)
{
    return *dls_sheet_text(s, row, dls_sheet_column(s, "problem"))
           && *dls_sheet_text(s, row, dls_sheet_column(s, "solver"))
           && dls_sheet_real(s, row, dls_sheet_column(s, "tol")) > 0;
}

static bool equal_rows(const struct dls_sheet *s, int i, int j)
{
    for (int k = 0; k < s->columns; k++)
        if (strcmp(row_of(s, i)[k], row_of(s, j)[k])) return false;
    return true;
}

// Of rows with equal keys the last one counts: it was run again.
static enum dls_status sort_rows(struct sorting *w, struct dls_arena *a)
{
    struct dls_index index;
    const struct dls_sheet *s = &w->sheet;
    w->fate = DLS_NEW(a, enum fate, s->rows);
    if (dls_index_make(&index, s, a) || a->failed) return DLS_ENOMEM;
    for (int k = 0; k < s->rows; k++)
        if (!has_key(s, k)) w->fate[k] = DAMAGED;
    for (int k = 0; k + 1 < s->rows; k++) {
        int row = index.order[k], next = index.order[k + 1];
        if (!dls_key_equal(dls_index_key(&index, row), dls_index_key(&index, next)))
            continue;
        if (w->fate[row] == KEPT)
            w->fate[row] = equal_rows(s, row, next) ? REPEATED : REPLACED;
    }
    return DLS_OK;
}

static enum dls_status move_damage(struct dls_results *s, const struct sorting *w,
                                   struct dls_arena *a, struct dls_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return no_memory(err);
    for (int k = 0; k < w->sheet.damages; k++, s->damaged++) {
        fwrite(w->sheet.damage[k].bytes, 1, w->sheet.damage[k].size, out);
        fputc('\n', out);
    }
    for (int k = 0; k < w->sheet.rows; k++)
        if (w->fate[k] == DAMAGED)
            print_texts(out, &w->sheet, row_of(&w->sheet, k)), s->damaged++;
    bool good = !fclose(out);
    enum dls_status status = good ? DLS_OK : no_memory(err);
    if (!status && size) status = set_aside(s, "damaged.csv", text, size, a, err);
    free(text);
    return status;
}

static enum dls_status move_replaced(struct dls_results *s, const struct sorting *w,
                                     struct dls_arena *a, struct dls_error *err)
{
    char *text = NULL;
    size_t size = 0;
    const char *path = dls_text(a, "%s/replaced.csv", s->folder);
    FILE *out = path ? open_memstream(&text, &size) : NULL;
    if (!out) return no_memory(err);
    if (access(path, F_OK)) print_texts(out, &w->sheet, w->sheet.names);
    for (int k = 0; k < w->sheet.rows; k++)
        if (w->fate[k] == REPLACED)
            print_texts(out, &w->sheet, row_of(&w->sheet, k)), s->replaced++;
    bool good = !fclose(out);
    enum dls_status status = good ? DLS_OK : no_memory(err);
    if (!status && s->replaced)
        status = set_aside(s, "replaced.csv", text, size, a, err);
    free(text);
    return status;
}

// Keeps the rows of fate KEPT in s->kept; true where others were there.
static bool pick_kept(struct dls_results *s, const struct sorting *w)
{
    struct dls_sheet *t = &s->kept;
    *t = w->sheet;
    t->rows = 0;
    for (int k = 0; k < w->sheet.rows; k++)
        if (w->fate[k] == KEPT)
            memmove(t->cells + (size_t)t->rows++ * (size_t)t->columns,
                    row_of(&w->sheet, k), (size_t)t->columns * sizeof *t->cells);
    return t->rows < w->sheet.rows || t->damages;
}

// Reads the file and puts it in order; a file that is not there, is empty or was killed
// within its very first line begins with a header.
static enum dls_status take_over(struct dls_results *s,
                                 const struct dls_terms_text *terms,
                                 struct dls_arena *a, struct dls_error *err)
{
    struct sorting w = {0};
    enum dls_status status = DLS_OK;
    bool there = !access(s->path, F_OK);
    s->damaged = s->replaced = 0;
    if (there) status = dls_sheet_read(&w.sheet, s->path, a, err);
    if (status) return status;
    int columns = w.sheet.columns;
    if (!dls_results_fit(&w.sheet, a))
        return dls_fail(
            err, DLS_EINVAL,
            "%s has other columns than this version writes; give another -o", s->path);
    if (a->failed || sort_rows(&w, a)) return no_memory(err);
    status = dls_terms_check(&w.sheet, s->path, terms, err);
    if (!status) status = move_damage(s, &w, a, err);
    if (!status) status = move_replaced(s, &w, a, err);
    if (status) return status;
    bool changed = pick_kept(s, &w) || columns != w.sheet.columns;
    if (changed) status = dls_results_write(s->folder, &s->kept, a, err);
    if (!status && dls_index_make(&s->index, &s->kept, a)) return no_memory(err);
    return status;
}

// --- the file --------------------------------------------------------------------------

enum dls_status dls_results_open(struct dls_results *s, const char *folder,
                                 const struct dls_terms_text *terms,
                                 struct dls_arena *a, struct dls_error *err)
{
    *s = (struct dls_results){.folder = folder, .file = -1};
    s->path = dls_text(a, "%s/results.csv", folder);
    if (a->failed) return no_memory(err);
    enum dls_status status = take_over(s, terms, a, err);
    if (status) return status;
    s->file = open(s->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return s->file < 0 ? system_error(s->path, err) : DLS_OK;
}

void dls_results_close(struct dls_results *s)
{
    if (s->file >= 0) close(s->file);
    s->file = -1;
}

enum dls_status dls_results_append(struct dls_results *s, const struct dls_row *rows,
                                   int count, struct dls_error *err)
{
    struct dls_cell cells[DLS_ROW_CELLS];
    struct dls_row_texts texts;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return no_memory(err);
    for (int k = 0; k < count; k++)
        dls_print_csv(out, cells, dls_row_cells(&rows[k], cells, &texts));
    bool good = !fclose(out) && write_all(s->file, text, size) && !fdatasync(s->file);
    free(text);
    return good ? DLS_OK : system_error(s->path, err);
}

enum dls_status dls_results_settle(struct dls_results *s,
                                   const struct dls_terms_text *terms,
                                   struct dls_arena *a, struct dls_error *err)
{
    dls_results_close(s);
    return take_over(s, terms, a, err);
}
