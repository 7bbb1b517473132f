// SPDX-License-Identifier: Apache-2.0
// `delassus merge`: the rows of several campaigns, or of the shards of one, in one folder.
//
// Each key (problem, solver, options, tol) is there once. Where folders have different rows
// of a key, that is a conflict: it is named, the row that was started last is taken (one
// that was lost to something outside never), and the others go to replaced.csv. Histories
// are copied with their rows.
#define _POSIX_C_SOURCE 200809L // glob

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/campaign/campaign.h"
#include "benchmarks/campaign/folder.h"
#include "benchmarks/campaign/results.h"
#include "benchmarks/report/report.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"

struct source {
    const char *folder;
    struct dls_sheet sheet;
};

struct merge {
    const char *out;
    int sources, room;
    struct source *source;
    struct dls_sheet all; // the rows of all sources
    int *from;            // source of each of them
    struct dls_index index;
    bool *loses; // another row of its key is taken
    int conflicts, verdicts;
    struct dls_arena *arena;
    struct dls_error err;
};

// --- what is there ---------------------------------------------------------------------

static bool add_source(struct merge *m, const char *folder)
{
    const char *path = dls_text(m->arena, "%s/results.csv", folder);
    if (!path) return false;
    for (int k = 0; k < m->sources; k++)
        if (!strcmp(m->source[k].folder, folder)) return true;
    if (m->sources == m->room) {
        int room = m->room ? 2 * m->room : 64;
        struct source *source = DLS_NEW(m->arena, struct source, room);
        if (!source) return false;
        if (m->sources) memcpy(source, m->source, (size_t)m->sources * sizeof *source);
        m->source = source;
        m->room = room;
    }
    struct source *s = &m->source[m->sources++];
    s->folder = dls_text(m->arena, "%s", folder);
    if (dls_sheet_read(&s->sheet, path, m->arena, &m->err)) return false;
    if (!dls_results_fit(&s->sheet, m->arena))
        return dls_fail(&m->err, DLS_EINVAL,
                        "%s has other columns than this version writes", path),
               false;
    return s->folder && !m->arena->failed;
}

// A folder's own rows and those of its shards.
static bool add_folder(struct merge *m, const char *folder)
{
    glob_t found;
    const char *own = dls_text(m->arena, "%s/results.csv", folder);
    const char *pattern = dls_text(m->arena, "%s/shard-*-of-*/results.csv", folder);
    if (!own || !pattern) return false;
    bool some = !access(own, F_OK), good = !some || add_source(m, folder);
    if (!glob(pattern, 0, NULL, &found)) {
        for (size_t k = 0; k < found.gl_pathc && good; k++) {
            *strrchr(found.gl_pathv[k], '/') = 0;
            good = add_source(m, found.gl_pathv[k]);
            some = true;
        }
        globfree(&found);
    }
    if (good && !some)
        dls_fail(&m->err, DLS_EINVAL, "%s: no results.csv, and no shards with one",
                 folder);
    return good && some;
}

static bool check_terms(struct merge *m)
{
    const struct source *first = NULL;
    for (int k = 0; k < m->sources; k++) {
        const struct source *s = &m->source[k];
        if (!s->sheet.rows) continue;
        if (!first) first = s;
        struct dls_terms_text terms = dls_terms_of_row(&first->sheet, 0);
        const char *path = dls_text(m->arena, "%s/results.csv", s->folder);
        if (!path || dls_terms_check(&s->sheet, path, &terms, &m->err)) return false;
    }
    if (!first) dls_fail(&m->err, DLS_EINVAL, "%s: no rows yet", m->out);
    return first != NULL;
}

// --- which row is taken ----------------------------------------------------------------

static bool join_rows(struct merge *m)
{
    struct dls_sheet *all = &m->all;
    int rows = 0, row = 0;
    for (int k = 0; k < m->sources; k++) rows += m->source[k].sheet.rows;
    *all = m->source[0].sheet;
    all->damages = 0;
    all->rows = rows;
    all->cells = DLS_NEW(m->arena, const char *, (size_t)rows *(size_t)all->columns);
    m->from = DLS_NEW(m->arena, int, rows);
    m->loses = DLS_NEW(m->arena, bool, rows);
    if (m->arena->failed) return false;
    for (int k = 0; k < m->sources; k++)
        for (int r = 0; r < m->source[k].sheet.rows; r++, row++) {
            m->from[row] = k;
            for (int c = 0; c < all->columns; c++)
                all->cells[(size_t)row * (size_t)all->columns + (size_t)c] =
                    dls_sheet_text(&m->source[k].sheet, r, c);
        }
    return !dls_index_make(&m->index, all, m->arena);
}

static const char *cell(const struct merge *m, int row, const char *column)
{
    return dls_sheet_text(&m->all, row, dls_sheet_column(&m->all, column));
}

static bool is_better(const struct merge *m, int row, int than)
{
    bool passing = dls_status_is_passing(cell(m, row, "status"));
    bool other = dls_status_is_passing(cell(m, than, "status"));
    if (passing != other) return other;
    return strcmp(cell(m, row, "started"), cell(m, than, "started")) > 0;
}

static bool are_equal(const struct merge *m, int i, int j)
{
    for (int c = 0; c < m->all.columns; c++)
        if (strcmp(dls_sheet_text(&m->all, i, c), dls_sheet_text(&m->all, j, c)))
            return false;
    return true;
}

static void name_conflict(struct merge *m, int kept, int other)
{
    enum { MOST = 20 };
    struct dls_key key = dls_index_key(&m->index, kept);
    char tol[32];
    bool differ = strcmp(cell(m, kept, "status"), cell(m, other, "status"));
    m->verdicts += differ;
    if (m->conflicts++ >= MOST) return;
    dls_say("conflict: %s  %s%s%s  %s: %s in %s (taken), %s in %s\n", key.problem,
            key.solver, *key.options ? " " : "", key.options,
            dls_format_tolerance(key.tol, tol), cell(m, kept, "status"),
            m->source[m->from[kept]].folder, cell(m, other, "status"),
            m->source[m->from[other]].folder);
}

// Rows of one key: order[from] ... order[to - 1].
static void settle_key(struct merge *m, int from, int to)
{
    int kept = m->index.order[from];
    for (int k = from + 1; k < to; k++)
        if (is_better(m, m->index.order[k], kept)) kept = m->index.order[k];
    for (int k = from; k < to; k++) {
        int row = m->index.order[k];
        m->loses[row] = row != kept;
        if (row != kept && !are_equal(m, row, kept)) name_conflict(m, kept, row);
    }
}

static void settle(struct merge *m)
{
    for (int from = 0, to; from < m->all.rows; from = to) {
        struct dls_key key = dls_index_key(&m->index, m->index.order[from]);
        for (to = from + 1; to < m->all.rows; to++)
            if (!dls_key_equal(key, dls_index_key(&m->index, m->index.order[to])))
                break;
        settle_key(m, from, to);
    }
}

// --- what is written -------------------------------------------------------------------

static bool copy_file(const char *from, const char *folder, const char *name,
                      struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    FILE *in = fopen(from, "rbe");
    long size = in && !fseek(in, 0, SEEK_END) ? ftell(in) : -1;
    char *text = size >= 0 ? DLS_NEW(&scratch, char, size + 1) : NULL;
    if (in) rewind(in);
    bool good = text && fread(text, 1, (size_t)size, in) == (size_t)size
                && dls_folder_write(folder, name, text, (size_t)size, &scratch);
    if (in) fclose(in);
    dls_arena_free(&scratch);
    return good;
}

// A history that is not there costs its curve, not the merge.
static int copy_histories(struct merge *m)
{
    int missing = 0;
    for (int row = 0; row < m->all.rows; row++) {
        const char *history = cell(m, row, "history");
        const char *folder = m->source[m->from[row]].folder;
        if (m->loses[row] || !*history || !strcmp(folder, m->out)) continue;
        if (*history == '/' || strstr(history, "..")) continue; // stays inside
        const char *from = dls_text(m->arena, "%s/%s", folder, history);
        missing += !from || !copy_file(from, m->out, history, m->arena);
    }
    return missing;
}

// The losers first: of rows with one key the last one counts.
static enum dls_status write_rows(struct merge *m)
{
    struct dls_sheet *all = &m->all;
    size_t columns = (size_t)all->columns;
    const char **cells = DLS_NEW(m->arena, const char *, (size_t)all->rows *columns);
    if (!cells) return DLS_ENOMEM;
    int row = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < all->rows; k++)
            if (m->loses[k] == !pass)
                memcpy(cells + (size_t)row++ * columns,
                       all->cells + (size_t)k * columns, columns * sizeof *cells);
    all->cells = cells;
    return dls_results_write(m->out, all, m->arena, &m->err);
}

// The description of the first source that has one.
static enum dls_status write_description(struct merge *m)
{
    if (dls_folder_is_campaign(m->out, m->arena)) return DLS_OK;
    for (int k = 0; k < m->sources; k++) {
        const char *path = dls_text(m->arena, "%s/campaign.json", m->source[k].folder);
        if (path && copy_file(path, m->out, "campaign.json", m->arena)) return DLS_OK;
    }
    return dls_fail(&m->err, DLS_EIO, "%s: no campaign.json of a campaign to take",
                    m->out);
}

static enum dls_status write_out(struct merge *m)
{
    struct dls_results results;
    const char *history = dls_text(m->arena, "%s/history", m->out);
    struct dls_terms_text terms = dls_terms_of_row(&m->all, 0);
    if (!history) return DLS_ENOMEM;
    enum dls_status status = write_description(m);
    int error = status ? 0 : dls_folder_make(history, m->arena);
    if (error) status = dls_fail(&m->err, DLS_EIO, "%s: %s", history, strerror(error));
    if (status) return status;
    int missing = copy_histories(m);
    if (missing) printf("%d histories could not be copied\n", missing);
    status = write_rows(m);
    if (!status) status = dls_results_open(&results, m->out, &terms, m->arena, &m->err);
    if (status) return status;
    dls_results_close(&results);
    dls_say("%d rows of %d folders in %s", results.kept.rows, m->sources, results.path);
    if (m->conflicts)
        dls_say("; %d conflicts, %d of them in the verdict; what was not taken is in "
                "%s/replaced.csv",
                m->conflicts, m->verdicts, m->out);
    putchar('\n');
    return DLS_OK;
}

static int merge(struct merge *m, const struct dls_args *args)
{
    struct dls_folder folder;
    bool inside = !strcmp(m->out, args->names[0]);
    if (dls_folder_claim(&folder, m->out, m->arena, &m->err))
        return dls_complain("%s", m->err.text);
    const char *own = dls_text(m->arena, "%s/results.csv", m->out);
    bool good = own && (inside || access(own, F_OK) || add_source(m, m->out));
    for (int k = 0; k < args->count && good; k++) good = add_folder(m, args->names[k]);
    good = good && check_terms(m) && join_rows(m);
    if (good) settle(m);
    good = good && !write_out(m);
    if (!good) dls_complain("%s", m->err.text);
    dls_folder_release(&folder, !good);
    return good ? dls_report_make(m->out, true, m->arena) : DLS_EXIT_BAD_USE;
}

static int run(const struct dls_args *args)
{
    const char *out = dls_args_text(args, "o");
    struct merge m = {.out = out ? out : args->names[0],
                      .arena = args->arena,
                      .err = {"out of memory"}};
    return merge(&m, args);
}

static const struct dls_flag merge_flags[] = {
    {"o", "DIR", "where the rows go (default: into the first folder)"},
    {0},
};

const struct dls_command dls_command_merge = {
    .name = "merge",
    .usage = "DIR... [-o DIR]",
    .brief = "join the rows of shards or of several campaigns",
    .details =
        "DIR is a campaign, or a folder with shards that 'delassus bench --shard' "
        "wrote.\n"
        "Each (problem, solver, options, tolerance) is there once afterwards. Where\n"
        "folders have different rows of one, the conflict is printed, the row that "
        "was\n"
        "started last is taken, and the others go to replaced.csv. Histories are "
        "copied.\n"
        "Limits, measure, seed, start, threads and clock must be the same everywhere.",
    .flags = merge_flags,
    .least = 1,
    .most = -1,
    .run = run,
};
