// SPDX-License-Identifier: Apache-2.0
// Matched accuracy: how long each solver takes to each residual, by the judged histories of
// the runs at the tightest tolerance; and how far repeats of a run are apart.
//
// A solver that overshoots a tolerance is not charged for it here: what counts is the first
// check at which the judge saw the residual at or below the level.
#include <math.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"

static const double levels[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
enum { LEVELS = sizeof levels / sizeof *levels };

static double time_to(const struct dls_result *row, double level)
{
    for (int k = 0; k < row->track.checks; k++)
        if (row->track.check[k].residual <= level) return row->track.check[k].time;
    return INFINITY;
}

static int count_levels(const struct dls_ledger *c)
{
    int count = 0;
    while (count < LEVELS && levels[count] >= c->tol[c->tols - 1]) count++;
    return count;
}

static bool make_profile(struct dls_report *r, double level, struct dls_profile *f)
{
    const struct dls_ledger *c = r->campaign;
    const struct dls_standing *st = &r->standing[c->tols - 1];
    size_t size = (size_t)st->count * (size_t)c->solvers;
    double *cost = DLS_NEW(r->arena, double, size);
    double *charge = DLS_NEW(r->arena, double, size);
    if (r->arena->failed) return false;
    for (int p = 0; p < st->count; p++)
        for (int s = 0; s < c->solvers; s++) {
            const struct dls_result *row =
                dls_ledger_at(c, st->problem[p], s, c->tols - 1);
            cost[p * c->solvers + s] = time_to(row, level);
            charge[p * c->solvers + s] = dls_charge * row->max_time;
        }
    return dls_profile_make(f, st->count, c->solvers, cost, charge, 1e-6, r->arena);
}

// Median over the solved rows of (most - least) / median of the repeats.
static double spread(struct dls_report *r, int solver)
{
    const struct dls_ledger *c = r->campaign;
    double *values = DLS_NEW(r->arena, double, c->problems);
    int count = 0;
    for (int p = 0; p < c->problems && values; p++) {
        const struct dls_result *row = dls_ledger_at(c, p, solver, c->tols - 1);
        if (!row || !row->solved || !isfinite(row->time_most + row->time_median))
            continue;
        values[count++] = (row->time_most - row->time) / fmax(row->time_median, 1e-9);
    }
    return values ? dls_median(values, count) : NAN;
}

static void print_row(struct dls_report *r, int rank, const struct dls_profile *f,
                      int count)
{
    int s = r->order[rank];
    fprintf(r->page, "<tr class='s%d'><th scope='row'>", rank);
    dls_xml_text(r->page, dls_report_name(r, rank));
    fputs("</th>", r->page);
    for (int k = 0; k < count; k++) {
        fprintf(r->page, "<td class='num edge'>%d</td>", f[k].solved[s]);
        dls_html_cell(r->page, f[k].charged[s], DLS_UNIT_SECONDS);
    }
    double apart = spread(r, s);
    if (isfinite(apart))
        fprintf(r->page, "<td class='num edge' data-v='%g'>%.0f %%</td></tr>\n", apart,
                100 * apart);
    else
        fputs("<td class='num none edge'>\xE2\x80\x93</td></tr>\n", r->page);
}

static bool has_histories(const struct dls_ledger *c)
{
    for (int k = 0; k < c->problems * c->solvers * c->tols; k++)
        if (c->result[k] && c->result[k]->track.checks) return true;
    return false;
}

void dls_report_lenses(struct dls_report *r)
{
    struct dls_profile f[LEVELS];
    int count = count_levels(r->campaign);
    if (!count || !has_histories(r->campaign)) return;
    for (int k = 0; k < count; k++)
        if (!make_profile(r, levels[k], &f[k])) return;
    dls_html_section(r->page, "accuracy", "Matched accuracy");
    fputs(
        "<p class='about'>How many problems a solver brings to each residual, and its "
        "mean time until then (shifted geometric mean, failures charged, as in the "
        "standings), whatever it was asked for: from the judged histories of the runs "
        "at the tightest tolerance. Spread: how far the slowest repeat of a run is "
        "from the fastest, of the median; half of the solved runs are below.</p>\n",
        r->page);
    dls_html_table(r->page, "accuracy sortable", false);
    fputs("<thead><tr class='group'><th rowspan='2'>solver</th>", r->page);
    for (int k = 0; k < count; k++) {
        fputs("<th colspan='2'>", r->page);
        dls_html_tol(r->page, levels[k]);
        fputs("</th>", r->page);
    }
    fputs("<th></th></tr><tr>", r->page);
    for (int k = 0; k < count; k++)
        fputs("<th class='edge'>reached</th><th>time</th>", r->page);
    fputs("<th class='edge'>spread</th></tr></thead><tbody>\n", r->page);
    for (int k = 0; k < r->campaign->solvers; k++) print_row(r, k, f, count);
    dls_html_table_end(r->page);
    fputs("</section>\n", r->page);
}
