// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // flock, open_memstream

#include "benchmarks/campaign/results.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/campaign/record.h"

static enum dls_status system_error(const char *path, struct dls_error *err)
{
    return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
}

bool dls_results_have(const struct dls_results *s, struct dls_key key)
{
    return dls_index_find(&s->index, key) >= 0;
}

// --- what was there --------------------------------------------------------------------

// Takes all but the first of rows with equal keys out of the sheet; returns how many.
static int drop_repeated(struct dls_results *s, struct dls_arena *a)
{
    struct dls_sheet *t = &s->kept;
    const int *order = s->index.order;
    size_t columns = (size_t)t->columns;
    int left = 0, rows = t->rows;
    bool *repeated = DLS_NEW(a, bool, rows);
    if (a->failed) return 0;
    for (int k = 1; k < rows; k++)
        repeated[order[k]] = dls_key_equal(dls_index_key(&s->index, order[k - 1]),
                                           dls_index_key(&s->index, order[k]));
    for (int k = 0; k < rows; k++) {
        if (repeated[k]) continue;
        memmove(t->cells + (size_t)left * columns, t->cells + (size_t)k * columns,
                columns * sizeof *t->cells);
        left++;
    }
    t->rows = left;
    return rows - left;
}

static void print_row(FILE *out, const struct dls_sheet *t, const char *const *texts)
{
    struct dls_cell cells[DLS_ROW_CELLS];
    for (int k = 0; k < t->columns; k++)
        cells[k] = dls_cell_text(t->names[k], texts[k]);
    dls_print_csv(out, cells, t->columns);
}

static bool sync_folder(const char *path)
{
    char *slash = strrchr(path, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && !fsync(fd);
    if (fd >= 0) close(fd);
    return good;
}

// Writes the file anew beside the old one and puts it in its place in one move.
static enum dls_status rewrite(const struct dls_results *s, struct dls_arena *a,
                               struct dls_error *err)
{
    const struct dls_sheet *t = &s->kept;
    const char *path = dls_text(a, "%s.new", s->path);
    FILE *out = path ? fopen(path, "we") : NULL;
    if (!out) return system_error(s->path, err);
    print_row(out, t, t->names);
    for (int k = 0; k < t->rows; k++)
        print_row(out, t, t->cells + (size_t)k * (size_t)t->columns);
    bool good = !fflush(out) && !ferror(out) && !fsync(fileno(out));
    good = !fclose(out) && good;
    if (!good || rename(path, s->path) || !sync_folder(s->path))
        return system_error(s->path, err);
    return DLS_OK;
}

// The rows of one file must have been made under the same terms.
static enum dls_status check_terms(const struct dls_results *s,
                                   const struct dls_terms *t, struct dls_error *err)
{
    const struct {
        const char *column;
        double value;
    } wanted[] = {
        {"max_time", t->max_time},
        {"max_memory", t->max_memory},
        {"seed", (double)t->seed},
        {"residual_version", DLS_RESIDUAL_VERSION},
    };
    const struct dls_sheet *sheet = &s->kept;
    for (int row = 0; row < sheet->rows; row++) {
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            int column = dls_sheet_column(sheet, wanted[k].column);
            if (dls_sheet_real(sheet, row, column) == wanted[k].value) continue;
            return dls_fail(err, DLS_EINVAL,
                            "%s has rows with %s = %s, now it is %g; give another -o",
                            s->path, wanted[k].column,
                            dls_sheet_text(sheet, row, column), wanted[k].value);
        }
        const char *measure =
            dls_sheet_text(sheet, row, dls_sheet_column(sheet, "measure"));
        if (strcmp(measure, dls_measure_name(t->measure)))
            return dls_fail(err, DLS_EINVAL,
                            "%s has rows with measure = %s, now it is %s; give another "
                            "-o",
                            s->path, measure, dls_measure_name(t->measure));
    }
    return DLS_OK;
}

static bool same_columns(const struct dls_sheet *t, const struct dls_cell *cells,
                         int count)
{
    if (t->columns != count) return false;
    for (int k = 0; k < count; k++)
        if (strcmp(t->names[k], cells[k].name)) return false;
    return true;
}

// A new file: the header alone.
static enum dls_status begin(struct dls_results *s, const struct dls_cell *cells,
                             int count, struct dls_arena *a, struct dls_error *err)
{
    struct dls_sheet *t = &s->kept;
    *t = (struct dls_sheet){.columns = count, .names = DLS_NEW(a, const char *, count)};
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    for (int k = 0; k < count; k++) t->names[k] = cells[k].name;
    if (dls_index_make(&s->index, t, a))
        return dls_fail(err, DLS_ENOMEM, "out of memory");
    return rewrite(s, a, err);
}

static enum dls_status take_over(struct dls_results *s, const struct dls_terms *terms,
                                 struct dls_arena *a, struct dls_error *err)
{
    struct dls_cell cells[DLS_ROW_CELLS];
    struct dls_row_texts texts;
    int count = dls_row_cells(NULL, cells, &texts);
    enum dls_status status = DLS_OK;
    if (!access(s->path, F_OK)) status = dls_sheet_read(&s->kept, s->path, a, err);
    if (status) return status;
    // Not there, empty, or killed within its very first line.
    if (!s->kept.columns) return begin(s, cells, count, a, err);
    if (!same_columns(&s->kept, cells, count))
        return dls_fail(
            err, DLS_EINVAL,
            "%s has other columns than this version writes; give another -o", s->path);
    int dropped = 0;
    if (!dls_index_make(&s->index, &s->kept, a)) dropped = drop_repeated(s, a);
    if (dropped) dls_index_make(&s->index, &s->kept, a);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    status = check_terms(s, terms, err);
    if (!status && (dropped || s->kept.torn)) status = rewrite(s, a, err);
    return status;
}

// --- the file --------------------------------------------------------------------------

enum dls_status dls_results_open(struct dls_results *s, const char *folder,
                                 const struct dls_terms *terms, struct dls_arena *a,
                                 struct dls_error *err)
{
    *s = (struct dls_results){.file = -1, .lock = -1};
    const char *lock = dls_text(a, "%s/.lock", folder);
    s->path = dls_text(a, "%s/results.csv", folder);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    s->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0) return system_error(lock, err);
    if (flock(s->lock, LOCK_EX | LOCK_NB))
        return dls_fail(err, DLS_EIO, "%s: another campaign is writing there", folder);
    enum dls_status status = take_over(s, terms, a, err);
    if (status) return status;
    s->file = open(s->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return s->file < 0 ? system_error(s->path, err) : DLS_OK;
}

void dls_results_close(struct dls_results *s)
{
    if (s->file >= 0) close(s->file);
    if (s->lock >= 0) close(s->lock);
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

enum dls_status dls_results_append(struct dls_results *s, const struct dls_row *rows,
                                   int count, struct dls_error *err)
{
    struct dls_cell cells[DLS_ROW_CELLS];
    struct dls_row_texts texts;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return dls_fail(err, DLS_ENOMEM, "out of memory");
    for (int k = 0; k < count; k++)
        dls_print_csv(out, cells, dls_row_cells(&rows[k], cells, &texts));
    bool good = !fclose(out) && write_all(s->file, text, size) && !fdatasync(s->file);
    free(text);
    return good ? DLS_OK : system_error(s->path, err);
}
