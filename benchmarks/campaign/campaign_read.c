// SPDX-License-Identifier: Apache-2.0
// From the rows of results.csv to a table problem x solver x tolerance.
//
// A row counts as solved when its status is `converged` *and* the residual written in it
// is below its tolerance: a page that only repeated the status could be fooled by a
// file. Of rows with the same key the last one counts; damaged ones are left out.
// Cost: rows x log(names) for the keys, one pass over each history.
#define _XOPEN_SOURCE 700 // realpath

#include "benchmarks/campaign/campaign_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/sheet.h"

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

// Sorts texts and removes repetitions; returns how many remain.
static int unique_texts(const char **texts, int count)
{
    int kept = 0;
    qsort(texts, (size_t)count, sizeof *texts, by_text);
    for (int k = 0; k < count; k++)
        if (!kept || strcmp(texts[kept - 1], texts[k])) texts[kept++] = texts[k];
    return kept;
}

static int unique_reals(double *values, int count)
{
    int kept = 0;
    qsort(values, (size_t)count, sizeof *values, descending);
    for (int k = 0; k < count; k++)
        if (!kept || values[kept - 1] != values[k]) values[kept++] = values[k];
    return kept;
}

static int find_text(const char *const *texts, int count, const char *text)
{
    const char *const *at =
        bsearch(&text, texts, (size_t)count, sizeof *texts, by_text);
    return at ? (int)(at - texts) : -1;
}

struct source {
    struct dls_sheet sheet;
    const char **problems, **labels; // of each row
    double *tols;
    const char **names; // distinct problems, sorted
};

static double real(const struct source *s, int row, const char *column)
{
    return dls_sheet_real(&s->sheet, row, dls_sheet_column(&s->sheet, column));
}
static const char *text(const struct source *s, int row, const char *column)
{
    return dls_sheet_text(&s->sheet, row, dls_sheet_column(&s->sheet, column));
}

// The distinct problems, solvers and tolerances.
static enum dls_status collect_keys(struct dls_ledger *c, struct source *s,
                                    struct dls_arena *a)
{
    int rows = s->sheet.rows;
    s->problems = DLS_NEW(a, const char *, rows);
    s->labels = DLS_NEW(a, const char *, rows);
    s->tols = DLS_NEW(a, double, rows);
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k < rows; k++) {
        const char *options = text(s, k, "options");
        s->problems[k] = text(s, k, "problem");
        s->labels[k] =
            dls_text(a, "%s%s%s", text(s, k, "solver"), *options ? " " : "", options);
        s->tols[k] = real(s, k, "tol");
        if (!s->labels[k]) return DLS_ENOMEM;
    }
    s->names = dls_copy(a, s->problems, (size_t)rows, sizeof *s->problems);
    c->solver = dls_copy(a, s->labels, (size_t)rows, sizeof *s->labels);
    c->tol = DLS_NEW(a, double, rows);
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k < rows; k++)
        if (isfinite(s->tols[k])) c->tol[c->tols++] = s->tols[k];
    c->problems = unique_texts(s->names, rows);
    c->solvers = unique_texts(c->solver, rows);
    c->tols = unique_reals(c->tol, c->tols);
    c->peer = DLS_NEW(a, bool, c->solvers);
    c->cite = DLS_NEW(a, const char *, c->solvers);
    c->problem = DLS_NEW(a, struct dls_case, c->problems);
    c->result = DLS_NEW(a, const struct dls_result *,
                        (size_t)c->problems *(size_t)c->solvers *(size_t)c->tols);
    for (int p = 0; !a->failed && p < c->problems; p++)
        c->problem[p] = (struct dls_case){s->names[p], NULL, NAN, NAN, NAN,
                                          NAN,         NAN,  NAN, NAN, NAN};
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

// What is known of a problem stands in some of its rows, not in all.
static void fill_case(struct dls_case *p, const struct source *s, int row)
{
    const struct {
        const char *column;
        double *value;
    } fields[] = {
        {"contacts", &p->contacts},
        {"d", &p->d},
        {"n", &p->n},
        {"bodies", &p->bodies},
        {"density", &p->density},
        {"rank_def", &p->rank_def},
        {"mu_min", &p->mu_min},
        {"mu_max", &p->mu_max},
    };
    if (!p->file) p->file = text(s, row, "file");
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (isnan(*fields[k].value)) *fields[k].value = real(s, row, fields[k].column);
}

static double measured(const char *measure, double natural, double merit)
{
    if (!strcmp(measure, "merit")) return merit;
    if (!strcmp(measure, "both")) return fmax(natural, merit);
    return natural;
}

static int told_truth(const char *word)
{
    return !strcmp(word, "true") ? 1 : !strcmp(word, "false") ? 0 : -1;
}

// More processes that want to run than cores (half a one may be the system's own), or two
// hundredths of the time gone to other guests: such times are not to be trusted.
static bool is_loaded(const struct source *s, int row)
{
    const char *cores = strstr(text(s, row, "cpu"), " cores");
    while (cores && cores > text(s, row, "cpu") && isdigit((unsigned char)cores[-1]))
        cores--;
    double count = cores ? strtod(cores, NULL) : NAN;
    return real(s, row, "load") > count + 0.5 || real(s, row, "steal") > 0.02;
}

static void fill_result(struct dls_result *r, const struct source *s, int k)
{
    const char *relaxes = text(s, k, "relaxes");
    *r = (struct dls_result){
        .status = text(s, k, "status"),
        .message = text(s, k, "message"),
        .note = text(s, k, "note"),
        .relaxes = *relaxes ? relaxes : NULL,
        .tol = s->tols[k],
        .max_time = real(s, k, "max_time"),
        .iterations = real(s, k, "iterations"),
        .run_iterations = real(s, k, "run_iterations"),
        .claimed = told_truth(text(s, k, "claimed")),
        .claim_merit = real(s, k, "claim_merit"),
        .loaded = is_loaded(s, k),
        .build = text(s, k, "build"),
        .natural = real(s, k, "natural"),
        .merit = real(s, k, "merit"),
        .own = real(s, k, "own"),
        .open = real(s, k, "open"),
        .stick = real(s, k, "stick"),
        .slip = real(s, k, "slip"),
        .dissipation = real(s, k, "dissipation"),
        .free_work = real(s, k, "free_work"),
        .time = real(s, k, "time"),
        .time_median = real(s, k, "time_median"),
        .time_most = real(s, k, "time_most"),
        .products = real(s, k, "products"),
        .local_solves = real(s, k, "local_solves"),
        .factorisations = real(s, k, "factorisations"),
        .peak_memory = real(s, k, "peak_memory"),
    };
    r->residual = measured(text(s, k, "measure"), r->natural, r->merit);
    r->claim_residual =
        measured(text(s, k, "measure"), real(s, k, "claim_natural"), r->claim_merit);
    r->solved = !strcmp(r->status, "converged") && r->residual <= r->tol;
}

// Keeps the checks where the least residual fell by 5 % or more, and the last one: some
// 400 points from 1 to 1e-8, more than a curve can show.
static void thin(struct dls_track *t, const struct dls_sheet *h, const char *measure)
{
    int time = dls_sheet_column(h, "time"), natural = dls_sheet_column(h, "natural"),
        merit = dls_sheet_column(h, "merit");
    double least = INFINITY, when = NAN;
    for (int k = 0; k < h->rows; k++) {
        double e = measured(measure, dls_sheet_real(h, k, natural),
                            dls_sheet_real(h, k, merit));
        when = dls_sheet_real(h, k, time);
        if (e < least) least = e;
        bool better = !t->count || least < 0.95 * t->residual[t->count - 1];
        if (!isfinite(when) || !isfinite(least) || !better) continue;
        t->time[t->count] = when;
        t->residual[t->count++] = least;
    }
    if (!t->count || !isfinite(when) || when <= t->time[t->count - 1]) return;
    t->time[t->count] = when;
    t->residual[t->count++] = least;
}

// Drivers check ever more rarely, so that a run has some thousand checks at most; of more,
// as others may write them, every so many are kept.
static void keep_checks(struct dls_track *t, const struct dls_sheet *h,
                        const char *measure)
{
    enum { MOST = 2000 };
    int time = dls_sheet_column(h, "time"), natural = dls_sheet_column(h, "natural"),
        merit = dls_sheet_column(h, "merit"),
        products = dls_sheet_column(h, "products"),
        iteration = dls_sheet_column(h, "iteration"), stride = 1 + h->rows / MOST;
    for (int k = 0; k < h->rows; k++)
        if (k % stride == 0 || k == h->rows - 1)
            t->check[t->checks++] = (struct dls_check){
                dls_sheet_real(h, k, time), dls_sheet_real(h, k, iteration),
                dls_sheet_real(h, k, products),
                measured(measure, dls_sheet_real(h, k, natural),
                         dls_sheet_real(h, k, merit))};
}

// Fills result->track from the history that the row names, where it can be read.
static void read_history(struct dls_ledger *c, struct dls_result *r,
                         const struct source *s, int row, struct dls_arena *a)
{
    const char *path = text(s, row, "history");
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_sheet sheet;
    if (!*path || *path == '/' || strstr(path, "..")) return; // stays inside the folder
    const char *full = dls_text(&scratch, "%s/%s", c->folder, path);
    if (full && !dls_sheet_read(&sheet, full, &scratch, NULL)) {
        r->track.time = DLS_NEW(a, double, sheet.rows + 1);
        r->track.residual = DLS_NEW(a, double, sheet.rows + 1);
        r->track.check = DLS_NEW(a, struct dls_check, sheet.rows + 1);
        if (!a->failed) thin(&r->track, &sheet, text(s, row, "measure"));
        if (!a->failed) keep_checks(&r->track, &sheet, text(s, row, "measure"));
    }
    dls_arena_free(&scratch);
}

// Several tolerances share one history: only the row of the tightest reads it.
static void fill_rows(struct dls_ledger *c, const struct source *s, struct dls_arena *a)
{
    struct dls_result *all = DLS_NEW(a, struct dls_result, s->sheet.rows);
    for (int k = 0; !a->failed && k < s->sheet.rows; k++) {
        int p = find_text(s->names, c->problems, s->problems[k]);
        int solver = find_text(c->solver, c->solvers, s->labels[k]), t = 0;
        while (t < c->tols && c->tol[t] != s->tols[k]) t++;
        if (t == c->tols || !*s->problems[k]) { // a tolerance that is no number
            c->dropped = true;
            continue;
        }
        const struct dls_result **at =
            &c->result[((size_t)p * (size_t)c->solvers + (size_t)solver)
                           * (size_t)c->tols
                       + (size_t)t];
        c->rows += !*at; // of a key that was run again the last row counts
        fill_case(&c->problem[p], s, k);
        c->peer[solver] |= told_truth(text(s, k, "peer")) == 1;
        c->cite[solver] = text(s, k, "cite");
        fill_result(&all[k], s, k);
        if (t == c->tols - 1) read_history(c, &all[k], s, k, a);
        if (all[k].max_time > c->max_time) c->max_time = all[k].max_time;
        *at = &all[k];
    }
}

static void count_fact(struct dls_ledger *c, const char *name, const char *value,
                       int room)
{
    int k = 0;
    while (
        k < c->made.count
        && (strcmp(c->made.fact[k].name, name) || strcmp(c->made.fact[k].value, value)))
        k++;
    if (k == room) return;
    if (k == c->made.count)
        c->made.fact[c->made.count++] = (struct dls_fact){name, value};
    c->made_rows[k]++;
}

static void read_facts(struct dls_ledger *c, const struct source *s,
                       struct dls_arena *a)
{
    enum { MOST = 64 }; // different values that the page lists
    static const char *const told[] = {
        "machine",   "cpu",     "version", "commit",           "compiler",
        "libraries", "package", "clock",   "residual_version",
    };
    const char *path = dls_text(a, "%s/campaign.json", c->folder);
    if (path) dls_json_read(&c->asked, path, a);
    c->made.fact = DLS_NEW(a, struct dls_fact, MOST);
    c->made_rows = DLS_NEW(a, int, MOST);
    for (size_t k = 0; !a->failed && k < sizeof told / sizeof *told; k++)
        for (int row = s->sheet.rows - 1; row >= 0; row--) {
            const char *value = text(s, row, told[k]);
            if (*value) count_fact(c, told[k], value, MOST);
        }
    const char *measure = text(s, s->sheet.rows - 1, "measure");
    c->measure = *measure ? measure : "natural";
}

// The last part of the folder's full path: "corpus" of "out/corpus/" or of "." there.
static const char *base_name(const char *folder, struct dls_arena *a)
{
    char *full = realpath(folder, NULL);
    const char *slash = full ? strrchr(full, '/') : NULL;
    const char *name = dls_text(a, "%s", slash && slash[1] ? slash + 1 : folder);
    free(full);
    return name;
}

enum dls_status dls_ledger_read(struct dls_ledger *c, const char *folder,
                                struct dls_arena *a, struct dls_error *err)
{
    static const char *const needed[] = {"problem", "solver", "tol", "status"};
    struct source s = {0};
    *c = (struct dls_ledger){.folder = folder, .name = base_name(folder, a)};
    const char *path = dls_text(a, "%s/results.csv", folder);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "%s: out of memory", folder);
    enum dls_status status = dls_sheet_read(&s.sheet, path, a, err);
    if (status) return status;
    for (int k = 0; k < 4; k++)
        if (dls_sheet_column(&s.sheet, needed[k]) < 0)
            return dls_fail(err, DLS_EINVAL, "%s: no column '%s'", path, needed[k]);
    if (!s.sheet.rows) return dls_fail(err, DLS_EINVAL, "%s: no rows yet", path);
    c->dropped = s.sheet.damages;
    status = collect_keys(c, &s, a);
    if (!status) fill_rows(c, &s, a);
    if (!status && !c->rows) return dls_fail(err, DLS_EINVAL, "%s: no valid row", path);
    if (!status) read_facts(c, &s, a);
    if (status || a->failed)
        return dls_fail(err, DLS_ENOMEM, "%s: out of memory", path);
    return DLS_OK;
}

bool dls_ledger_complete(const struct dls_ledger *c, int problem, int tol)
{
    for (int s = 0; s < c->solvers; s++)
        if (!dls_ledger_at(c, problem, s, tol)) return false;
    return true;
}

const struct dls_result *dls_ledger_portrait(const struct dls_ledger *c, int problem)
{
    const struct dls_result *best = NULL;
    for (int s = 0; s < c->solvers; s++) {
        const struct dls_result *r = dls_ledger_at(c, problem, s, c->tols - 1);
        if (!r || !isfinite(r->open + r->stick + r->slip + r->residual)) continue;
        if (!best || r->residual < best->residual) best = r;
    }
    return best;
}

const char *dls_ledger_relaxes(const struct dls_ledger *c, int solver)
{
    for (int p = 0; p < c->problems; p++)
        for (int t = c->tols - 1; t >= 0; t--) {
            const struct dls_result *r = dls_ledger_at(c, p, solver, t);
            if (r && r->relaxes) return r->relaxes;
        }
    return NULL;
}
