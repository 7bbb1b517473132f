// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/summary.h"

#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/campaign.h"

struct columns {
    int solver, options, tol, status;
};

static struct columns find_columns(const struct dls_sheet *s)
{
    return (struct columns){
        dls_sheet_column(s, "solver"),
        dls_sheet_column(s, "options"),
        dls_sheet_column(s, "tol"),
        dls_sheet_column(s, "status"),
    };
}

static bool has_status(const struct dls_sheet *s, int row, const struct columns *c,
                       const char *status)
{
    return !strcmp(dls_sheet_text(s, row, c->status), status);
}

int dls_summary_failed(const struct dls_sheet *s)
{
    struct columns c = find_columns(s);
    int count = 0;
    for (int row = 0; row < s->rows; row++)
        count += !has_status(s, row, &c, "converged")
                 && !has_status(s, row, &c, "unsupported");
    return count;
}

int dls_summary_unusable(const struct dls_sheet *s)
{
    struct columns c = find_columns(s);
    int count = 0;
    for (int row = 0; row < s->rows; row++)
        count += has_status(s, row, &c, "invalid") || has_status(s, row, &c, "io");
    return count;
}

static bool same_text(const struct dls_sheet *s, int i, int j, int column)
{
    return !strcmp(dls_sheet_text(s, i, column), dls_sheet_text(s, j, column));
}

static bool same_solver(const struct dls_sheet *s, int i, int j,
                        const struct columns *c)
{
    return same_text(s, i, j, c->solver) && same_text(s, i, j, c->options);
}

// The rows at which a solver, and a tolerance, occurs first.
static int list_firsts(const struct dls_sheet *s, const struct columns *c, int *solvers,
                       int *tols, int *tol_count)
{
    int count = 0;
    *tol_count = 0;
    for (int row = 0; row < s->rows; row++) {
        int k = 0;
        while (k < count && !same_solver(s, solvers[k], row, c)) k++;
        if (k == count) solvers[count++] = row;
        for (k = 0; k < *tol_count && !same_text(s, tols[k], row, c->tol);) k++;
        if (k == *tol_count) tols[(*tol_count)++] = row;
    }
    return count;
}

// Rows that a solver solved, over all tolerances.
static int count_solved(const struct dls_sheet *s, const struct columns *c, int solver)
{
    int solved = 0;
    for (int row = 0; row < s->rows; row++)
        solved += same_solver(s, solver, row, c) && has_status(s, row, c, "converged");
    return solved;
}

// Who solved most comes first; of equals, who finished first.
static void sort_solvers(const struct dls_sheet *s, const struct columns *c, int count,
                         int *solvers)
{
    for (int k = 1; k < count; k++) {
        int solver = solvers[k], solved = count_solved(s, c, solver), to = k;
        for (; to > 0 && count_solved(s, c, solvers[to - 1]) < solved; to--)
            solvers[to] = solvers[to - 1];
        solvers[to] = solver;
    }
}

// "14 of 15" of one solver at one tolerance.
static void print_solved(FILE *out, const struct dls_sheet *s, const struct columns *c,
                         int solver, int tol)
{
    int solved = 0, taken = 0;
    char text[32];
    for (int row = 0; row < s->rows; row++) {
        if (!same_solver(s, solver, row, c) || !same_text(s, tol, row, c->tol))
            continue;
        taken += !has_status(s, row, c, "unsupported");
        solved += has_status(s, row, c, "converged");
    }
    snprintf(text, sizeof text, "%d of %d", solved, taken);
    fprintf(out, "  %14s", text);
}

// "stalled 3, crashed 1": what kept a solver from solving the rest.
static void print_others(FILE *out, const struct dls_sheet *s, const struct columns *c,
                         int solver)
{
    enum { MOST = 32 }; // there are fewer statuses
    int firsts[MOST], counts[MOST], known = 0;
    for (int row = 0; row < s->rows; row++) {
        if (!same_solver(s, solver, row, c) || has_status(s, row, c, "converged"))
            continue;
        int k = 0;
        while (k < known && !same_text(s, firsts[k], row, c->status)) k++;
        if (k == MOST) continue;
        if (k == known) firsts[known] = row, counts[known++] = 0;
        counts[k]++;
    }
    for (int k = 0; k < known; k++)
        fprintf(out, "%s%s %d", k ? ", " : "  ",
                dls_sheet_text(s, firsts[k], c->status), counts[k]);
}

enum dls_status dls_summary_print(FILE *out, const struct dls_sheet *s,
                                  struct dls_arena *a)
{
    struct columns c = find_columns(s);
    int *solvers = DLS_NEW(a, int, s->rows), *tols = DLS_NEW(a, int, s->rows);
    int tol_count = 0, width = 6;
    if (a->failed) return DLS_ENOMEM;
    int count = list_firsts(s, &c, solvers, tols, &tol_count);
    sort_solvers(s, &c, count, solvers);
    const char **labels = DLS_NEW(a, const char *, count);
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k < count; k++) {
        labels[k] = dls_solver_label(dls_sheet_text(s, solvers[k], c.solver),
                                     dls_sheet_text(s, solvers[k], c.options), a);
        if (!labels[k]) return DLS_ENOMEM;
        if ((int)strlen(labels[k]) > width) width = (int)strlen(labels[k]);
    }
    fprintf(out, "\n%-*s", width, "solved");
    char tol[32];
    for (int k = 0; k < tol_count; k++)
        fprintf(out, "  %14s",
                dls_format_tolerance(dls_sheet_real(s, tols[k], c.tol), tol));
    fputs("  otherwise (rows)\n", out);
    for (int k = 0; k < count; k++) {
        fprintf(out, "%-*s", width, labels[k]);
        for (int t = 0; t < tol_count; t++)
            print_solved(out, s, &c, solvers[k], tols[t]);
        print_others(out, s, &c, solvers[k]);
        fputc('\n', out);
    }
    return DLS_OK;
}
