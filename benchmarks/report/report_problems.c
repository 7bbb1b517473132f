// SPDX-License-Identifier: Apache-2.0
// Every problem with every solver, and the convergence curves of the hardest problems.
#include <math.h>
#include <stdlib.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"
#include "benchmarks/report/svg.h"
#include "benchmarks/terminal/output.h"

// More curves than these would make the page too heavy for a phone.
enum { MOST_CURVES = 40 };

void dls_report_solver_heads(const struct dls_report *r)
{
    for (int k = 0; k < r->campaign->solvers; k++) {
        fprintf(r->page, "<th class='s%d'>", k);
        dls_xml_text(r->page, dls_report_name(r, k));
        fputs("</th>", r->page);
    }
    fputs("</tr></thead><tbody>\n", r->page);
}

static double fastest(struct dls_report *r, int p, int t)
{
    double best = INFINITY;
    for (int k = 0; k < r->campaign->solvers; k++) {
        const struct dls_result *row = dls_report_at(r, p, k, t);
        if (row && row->solved) best = fmin(best, row->time);
    }
    return best;
}

static void print_cell(FILE *out, const struct dls_result *row, int rank, double best)
{
    char time[16];
    if (!row) {
        fprintf(out, "<td class='num none s%d'>not run</td>", rank);
        return;
    }
    if (!row->solved) {
        fprintf(out, "<td class='s%d' title='residual %.2e'>", rank, row->residual);
        dls_html_status(out, row->status, false);
        fputs("</td>", out);
        return;
    }
    // Full colour for the fastest, none at ten times its time.
    double strength = fmax(0, 1 - log10(fmax(row->time, 1e-6) / fmax(best, 1e-6)));
    double other = fmax(row->natural, row->merit);
    fprintf(out,
            "<td class='num heat s%d' data-v='%.9g' style='--h:%.0f%%' title='%.0f "
            "iterations (the run went to %.0f), natural %.1e, merit %.1e'>%s%s%s</td>",
            rank, row->time, 45 * strength, row->iterations, row->run_iterations,
            row->natural, row->merit, dls_format_time(row->time, time),
            row->loaded ? " <b title='the machine was loaded'>*</b>" : "",
            other > 100 * row->tol
                ? " <b title='the other measure is above 100 tolerances'>!</b>"
                : "");
}

static void print_problem(struct dls_report *r, int p, int t)
{
    const struct dls_case *c = &r->campaign->problem[p];
    const struct dls_result *at = dls_ledger_portrait(r->campaign, p);
    int solved = 0;
    double best = fastest(r, p, t);
    for (int k = 0; k < r->campaign->solvers; k++) {
        const struct dls_result *row = dls_report_at(r, p, k, t);
        solved += row && row->solved;
    }
    fputs("<tr><th scope='row' title='", r->page);
    dls_xml_text(r->page, c->file ? c->file : "");
    fputs("'>", r->page);
    dls_xml_text(r->page, c->name);
    fputs("</th>", r->page);
    dls_html_cell(r->page, c->contacts, DLS_UNIT_COUNT);
    dls_html_cell(r->page, c->density, DLS_UNIT_NONE);
    dls_html_cell(r->page, c->bodies > 0 ? c->bodies : NAN, DLS_UNIT_COUNT);
    dls_html_cell(r->page, c->rank_def, DLS_UNIT_COUNT);
    dls_html_cell(r->page, at ? at->open : NAN, DLS_UNIT_COUNT);
    dls_html_cell(r->page, at ? at->stick : NAN, DLS_UNIT_COUNT);
    dls_html_cell(r->page, at ? at->slip : NAN, DLS_UNIT_COUNT);
    dls_html_cell(r->page, solved, DLS_UNIT_COUNT);
    for (int k = 0; k < r->campaign->solvers; k++)
        print_cell(r->page, dls_report_at(r, p, k, t), k, best);
    fputs("</tr>\n", r->page);
}

static void print_table(struct dls_report *r, int t)
{
    dls_html_table(r->page, "problems sortable", true);
    fputs(
        "<thead><tr><th>problem</th><th>contacts</th><th>m/n</th>"
        "<th title='of the file, or seen in W'>bodies</th>"
        "<th title='m minus the rank of W'>rank defect</th><th>open</th><th>stick</th>"
        "<th>slip</th><th>solved by</th>",
        r->page);
    dls_report_solver_heads(r);
    for (int p = 0; p < r->campaign->problems; p++) print_problem(r, p, t);
    dls_html_table_end(r->page);
}

struct hardness {
    int problem, solved;
};

static int harder(const void *a, const void *b)
{
    const struct hardness *x = a, *y = b;
    return x->solved != y->solved ? x->solved - y->solved : x->problem - y->problem;
}

static struct hardness *sort_by_hardness(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    struct hardness *h = DLS_NEW(r->arena, struct hardness, c->problems);
    for (int p = 0; p < c->problems && h; p++) {
        h[p].problem = p;
        for (int s = 0; s < c->solvers; s++) {
            const struct dls_result *row = dls_ledger_at(c, p, s, c->tols - 1);
            h[p].solved += row && row->solved;
        }
    }
    if (h) qsort(h, (size_t)c->problems, sizeof *h, harder);
    return h;
}

void dls_report_choose_curves(struct dls_report *r)
{
    const struct hardness *h = sort_by_hardness(r);
    r->shown = DLS_NEW(r->arena, bool, r->campaign->problems);
    for (int k = 0; h && r->shown && k < r->campaign->problems && k < MOST_CURVES; k++)
        r->shown[h[k].problem] = true;
}

static void print_convergence(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    const struct hardness *h = sort_by_hardness(r);
    if (!h) return;
    fprintf(r->page,
            "<details class='curves'><summary>Convergence on each problem, hardest "
            "first%s</summary>\n<p class='note'>Every check as it was judged, of the "
            "first run.</p><div class='figs'>\n",
            c->problems > MOST_CURVES ? " (the 40 hardest; plots/ has all)" : "");
    for (int k = 0; k < c->problems; k++)
        dls_report_convergence(r, h[k].problem, r->shown[h[k].problem]);
    fputs("</div></details>\n", r->page);
}

void dls_report_problems(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    dls_html_section(r->page, "problems", "Problem by problem");
    fputs(
        "<p class='about'>Time of each solver; the nearer to the fastest, the stronger "
        "the colour. Where it failed, why. A mark ! shows where one of the two "
        "residuals is above 100 tolerances though the other passes.</p>\n",
        r->page);
    for (int t = c->tols - 1; t >= 0; t--) {
        fprintf(r->page, "<details%s><summary>Residual below ",
                t == c->tols - 1 ? " open" : "");
        dls_html_tol(r->page, c->tol[t]);
        fputs("</summary>\n", r->page);
        print_table(r, t);
        fputs("</details>\n", r->page);
    }
    print_convergence(r);
    fputs("</section>\n", r->page);
}
