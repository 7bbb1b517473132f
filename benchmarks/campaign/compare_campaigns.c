// SPDX-License-Identifier: Apache-2.0
// `delassus compare DIR1 DIR2`: what two campaigns A and B share, row by row.
//
// For each solver and tolerance, over the problems that both solved, the geometric mean
// of t_B / t_A with t the least time of the repeats; the problem at which B lost most and
// the one at which it gained most; and every verdict that changed.
#include "benchmarks/campaign/compare_campaigns.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "benchmarks/campaign/campaign.h"
#include "benchmarks/campaign/index.h"
#include "benchmarks/terminal/output.h"

struct side {
    const char *folder;
    struct dls_sheet sheet;
    struct dls_index index;
    int status, time, cpu, commit; // columns
};

// Both campaigns on one solver at one tolerance.
struct group {
    const char *solver, *options;
    double tol;
    int shared, both, lost, gained; // rows; solved by both, by A alone, by B alone
    double log_sum;                 // of log(t_B / t_A)
    double worst, best;             // of t_B / t_A
    const char *worst_at, *best_at;
};

struct comparison {
    struct side A, B;
    struct group *groups;
    int count, shared, changed, lost;
};

static int open_side(struct side *s, const char *folder, struct dls_arena *a)
{
    struct dls_error err = {"out of memory"};
    const char *path = dls_text(a, "%s/results.csv", folder);
    s->folder = folder;
    if (!path || dls_sheet_read(&s->sheet, path, a, &err))
        return dls_complain("%s", err.text);
    s->status = dls_sheet_column(&s->sheet, "status");
    s->time = dls_sheet_column(&s->sheet, "time");
    s->cpu = dls_sheet_column(&s->sheet, "cpu");
    s->commit = dls_sheet_column(&s->sheet, "commit");
    if (dls_index_make(&s->index, &s->sheet, a) || s->status < 0 || s->time < 0)
        return dls_complain("%s is not the results of a campaign", path);
    return DLS_EXIT_GOOD;
}

static const char *status_of(const struct side *s, int row)
{
    return dls_sheet_text(&s->sheet, row, s->status);
}

static bool solved(const struct side *s, int row)
{
    return !strcmp(status_of(s, row), "converged");
}

static struct group *group_of(struct comparison *c, const struct dls_key *key)
{
    for (int k = 0; k < c->count; k++) {
        struct group *g = &c->groups[k];
        if (g->tol == key->tol && !strcmp(g->solver, key->solver)
            && !strcmp(g->options, key->options))
            return g;
    }
    c->groups[c->count] = (struct group){.solver = key->solver,
                                         .options = key->options,
                                         .tol = key->tol,
                                         .worst = -INFINITY,
                                         .best = INFINITY};
    return &c->groups[c->count++];
}

static void add_times(struct group *g, const char *problem, double ratio)
{
    if (!(ratio > 0) || !isfinite(ratio)) return;
    g->both++;
    g->log_sum += log(ratio);
    if (ratio > g->worst) g->worst = ratio, g->worst_at = problem;
    if (ratio < g->best) g->best = ratio, g->best_at = problem;
}

static void add_row(struct comparison *c, int a, int b)
{
    struct dls_key key = dls_index_key(&c->A.index, a);
    struct group *g = group_of(c, &key);
    bool before = solved(&c->A, a), now = solved(&c->B, b);
    g->shared++;
    c->shared++;
    c->changed += strcmp(status_of(&c->A, a), status_of(&c->B, b)) != 0;
    if (before && now)
        add_times(g, key.problem,
                  dls_sheet_real(&c->B.sheet, b, c->B.time)
                      / dls_sheet_real(&c->A.sheet, a, c->A.time));
    g->lost += before && !now;
    g->gained += now && !before;
    c->lost += before && !now;
}

static double mean_ratio(const struct group *g)
{
    return g->both ? exp(g->log_sum / g->both) : NAN;
}

static void print_json(const struct comparison *c)
{
    for (int k = 0; k < c->count; k++) {
        const struct group *g = &c->groups[k];
        const struct dls_cell cells[] = {
            dls_cell_text("a", c->A.folder),
            dls_cell_text("b", c->B.folder),
            dls_cell_text("solver", g->solver),
            dls_cell_text("options", g->options),
            dls_cell_real("tol", g->tol),
            dls_cell_count("shared", g->shared),
            dls_cell_count("both_solved", g->both),
            dls_cell_count("lost", g->lost),
            dls_cell_count("gained", g->gained),
            dls_cell_real("time_ratio", mean_ratio(g)),
            dls_cell_real("worst_ratio", g->worst),
            dls_cell_text("worst_at", g->worst_at),
            dls_cell_real("best_ratio", g->best),
            dls_cell_text("best_at", g->best_at),
        };
        dls_print_json(stdout, cells, sizeof cells / sizeof *cells);
    }
}

static void print_side(char letter, const struct side *s)
{
    dls_say("%c  %s: %d rows", letter, s->folder, s->sheet.rows);
    if (s->sheet.rows)
        printf(", commit %s, %s", dls_sheet_text(&s->sheet, 0, s->commit),
               dls_sheet_text(&s->sheet, 0, s->cpu));
    putchar('\n');
}

static bool same_cpu(const struct comparison *c)
{
    return c->A.sheet.rows && c->B.sheet.rows
           && !strcmp(dls_sheet_text(&c->A.sheet, 0, c->A.cpu),
                      dls_sheet_text(&c->B.sheet, 0, c->B.cpu));
}

static void print_groups(const struct comparison *c, struct dls_arena *a)
{
    char tol[32];
    printf("\n%-24s %6s %6s %5s %6s  %-16s %s\n", "solver", "tol", "both", "lost",
           "gained", "time B/A (mean)", "worst and best problem");
    for (int k = 0; k < c->count; k++) {
        const struct group *g = &c->groups[k];
        const char *label = dls_solver_label(g->solver, g->options, a);
        printf("%-24s %6s %6d %5d %6d", label ? label : g->solver,
               dls_format_tolerance(g->tol, tol), g->both, g->lost, g->gained);
        if (g->both)
            printf("  %-16.3f %.3g %s, %.3g %s", mean_ratio(g), g->worst, g->worst_at,
                   g->best, g->best_at);
        putchar('\n');
    }
}

static void print_verdicts(const struct comparison *c)
{
    char tol[32];
    printf("\n%d verdicts changed%s\n", c->changed, c->changed ? ":" : "");
    for (int k = 0; k < c->A.sheet.rows && c->changed; k++) {
        int a = c->A.index.order[k];
        struct dls_key key = dls_index_key(&c->A.index, a);
        int b = dls_index_find(&c->B.index, key);
        if (b < 0 || !strcmp(status_of(&c->A, a), status_of(&c->B, b))) continue;
        printf("  %s  %s%s%s  %s: %s -> %s\n", key.problem, key.solver,
               *key.options ? " " : "", key.options, dls_format_tolerance(key.tol, tol),
               status_of(&c->A, a), status_of(&c->B, b));
    }
}

static void print_human(const struct comparison *c, struct dls_arena *a)
{
    print_side('A', &c->A);
    print_side('B', &c->B);
    if (!same_cpu(c)) printf("The machines differ: so do the times.\n");
    printf("%d rows in both, %d only in A, %d only in B\n", c->shared,
           c->A.sheet.rows - c->shared, c->B.sheet.rows - c->shared);
    print_groups(c, a);
    print_verdicts(c);
}

bool dls_is_campaign(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

int dls_compare_campaigns(const struct dls_args *args, double slower)
{
    struct comparison c = {0};
    struct dls_arena *a = args->arena;
    int code = open_side(&c.A, args->names[0], a);
    if (!code) code = open_side(&c.B, args->names[1], a);
    if (code) return code;
    c.groups = DLS_NEW(a, struct group, c.A.sheet.rows);
    if (a->failed) return dls_complain("out of memory");
    for (int k = 0; k < c.A.sheet.rows; k++) {
        int row = c.A.index.order[k];
        int other = dls_index_find(&c.B.index, dls_index_key(&c.A.index, row));
        if (other >= 0) add_row(&c, row, other);
    }
    if (!c.shared)
        return dls_complain("%s and %s have no row in common", c.A.folder, c.B.folder);
    if (dls_args_has(args, "json"))
        print_json(&c);
    else
        print_human(&c, a);
    bool worse = c.lost > 0;
    for (int k = 0; k < c.count; k++)
        worse |= slower > 0 && mean_ratio(&c.groups[k]) > slower;
    return worse ? DLS_EXIT_FAILED : DLS_EXIT_GOOD;
}
