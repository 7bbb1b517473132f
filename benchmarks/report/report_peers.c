// SPDX-License-Identifier: Apache-2.0
// Ours against others': the problems on which some peer beats our best, and what peers said
// of themselves against what the judge found.
//
//   false success:   it called an answer solved, the judge's residual of which is above the
//                    tolerance; "in units of energy too" where that is so of the merit,
//                    which does not depend on the units of the file. A peer that works
//                    without units may be excused for the first, never for the second.
//   missed success:  the judge found an answer below the tolerance that it never claimed.
#include <math.h>
#include <string.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"
#include "benchmarks/terminal/output.h"

// The fastest solver of a problem among peers, or among ours; -1 where none solved it.
static int fastest(struct dls_report *r, int problem, int tol, bool peers)
{
    int best = -1;
    for (int k = 0; k < r->campaign->solvers; k++) {
        const struct dls_result *row = dls_report_at(r, problem, k, tol);
        if (!row || !row->solved || r->campaign->peer[r->order[k]] != peers) continue;
        if (best < 0 || row->time < dls_report_at(r, problem, best, tol)->time)
            best = k;
    }
    return best;
}

static bool has_peers(struct dls_report *r)
{
    for (int k = 0; k < r->campaign->solvers; k++)
        if (r->campaign->peer[k]) return true;
    return false;
}

static void print_racer(struct dls_report *r, int problem, int rank, int tol)
{
    char time[16];
    if (rank < 0) {
        fputs(
            "<td class='none'>none of ours</td><td class='num none'>\xE2\x80\x93</td>",
            r->page);
        return;
    }
    double seconds = dls_report_at(r, problem, rank, tol)->time;
    dls_html_cell_text(r->page, dls_report_name(r, rank));
    fprintf(r->page, "<td class='num' data-v='%.9g'>%s</td>", seconds,
            dls_format_time(seconds, time));
}

// One row where a peer is faster than our best, or solves what none of ours does.
static int print_loss(struct dls_report *r, int problem, int tol)
{
    int ours = fastest(r, problem, tol, false), theirs = fastest(r, problem, tol, true);
    double factor = INFINITY;
    if (theirs < 0) return 0;
    if (ours >= 0)
        factor = dls_report_at(r, problem, ours, tol)->time
                 / fmax(dls_report_at(r, problem, theirs, tol)->time, 1e-9);
    if (factor <= 1) return 0;
    fputs("<tr>", r->page);
    dls_html_cell_text(r->page, r->campaign->problem[problem].name);
    fprintf(r->page, "<td class='num' data-v='%g'>", r->campaign->tol[tol]);
    dls_html_tol(r->page, r->campaign->tol[tol]);
    fputs("</td>", r->page);
    print_racer(r, problem, ours, tol);
    print_racer(r, problem, theirs, tol);
    dls_html_cell_ratio(r->page, factor);
    fputs("</tr>\n", r->page);
    return 1;
}

static void print_losses(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    int losses = 0, runs = 0;
    dls_html_section(r->page, "losses", "Where we lose");
    fputs(
        "<p class='about'>Problems on which a solver of others is faster than the best "
        "of ours, or solves what none of ours does.</p>\n",
        r->page);
    dls_html_table(r->page, "losses sortable", true);
    fputs("<thead><tr><th>problem</th><th>tolerance</th><th>our best</th><th>time</th>"
          "<th>peer</th><th>time</th><th>ours / peer's</th></tr></thead><tbody>\n",
          r->page);
    for (int t = c->tols - 1; t >= 0; t--)
        for (int p = 0; p < c->problems; p++) {
            runs += fastest(r, p, t, true) >= 0 || fastest(r, p, t, false) >= 0;
            losses += print_loss(r, p, t);
        }
    dls_html_table_end(r->page);
    fprintf(r->page,
            "<p class='note'>%d of %d problems and tolerances that anyone "
            "solves.</p></section>\n",
            losses, runs);
}

// --- claims ----------------------------------------------------------------------------

struct dls_claims dls_report_claims(struct dls_report *r, int rank, int tol)
{
    struct dls_claims c = {.worst = NAN, .worst_merit = NAN};
    for (int p = 0; p < r->campaign->problems; p++) {
        const struct dls_result *row = dls_report_at(r, p, rank, tol);
        if (!row || row->claimed < 0) continue;
        bool wrong = row->claimed && row->claim_residual > row->tol;
        bool by_merit = wrong && row->claim_merit > row->tol;
        c.said++;
        c.claimed += row->claimed;
        c.missed += row->solved && !row->claimed;
        c.wrong += wrong;
        c.wrong_merit += by_merit;
        if (wrong) c.worst = fmax(c.worst, row->claim_residual / row->tol);
        if (by_merit) c.worst_merit = fmax(c.worst_merit, row->claim_merit / row->tol);
    }
    return c;
}

static void print_claims_of(struct dls_report *r, int rank, int tol)
{
    struct dls_claims c = dls_report_claims(r, rank, tol);
    if (!c.said) return;
    fprintf(r->page, "<tr class='s%d'><th scope='row'>", rank);
    dls_xml_text(r->page, dls_report_name(r, rank));
    fprintf(r->page, "</th><td class='num' data-v='%g'>", r->campaign->tol[tol]);
    dls_html_tol(r->page, r->campaign->tol[tol]);
    fprintf(r->page,
            "</td><td class='num'>%d</td><td class='num'>%d</td><td class='num'>%d</td>"
            "<td class='num'>%d</td>",
            c.said, c.claimed, c.missed, c.wrong);
    dls_html_cell(r->page, c.worst, DLS_UNIT_NONE);
    fprintf(r->page, "<td class='num'>%d</td>", c.wrong_merit);
    dls_html_cell(r->page, c.worst_merit, DLS_UNIT_NONE);
    fputs("</tr>\n", r->page);
}

static void print_claims(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    bool some = false;
    for (int k = 0; k < c->problems * c->solvers * c->tols; k++)
        some |= c->result[k] && c->result[k]->claimed >= 0;
    if (!some) return;
    dls_html_section(r->page, "claims", "Claimed against judged");
    fputs(
        "<p class='about'>Peers have errors and tolerances of their own. Claimed: "
        "the peer called an answer solved; missed: the judge found an answer below the "
        "tolerance, the peer never said so; false: the judge's residual of the answer "
        "that was claimed first is above the tolerance, at worst by the factor beside "
        "it. Some peers work on data without units; the last two columns count false "
        "claims by the merit too, which does not depend on units.</p>\n",
        r->page);
    dls_html_table(r->page, "claims sortable", false);
    fputs("<thead><tr><th>peer</th><th>tolerance</th><th>problems</th><th>claimed</th>"
          "<th>missed</th><th>false</th><th>over tolerance</th><th>false by merit "
          "too</th>"
          "<th>over tolerance</th></tr></thead><tbody>\n",
          r->page);
    for (int k = 0; k < c->solvers; k++)
        for (int t = c->tols - 1; t >= 0; t--) print_claims_of(r, k, t);
    dls_html_table_end(r->page);
    fputs("</section>\n", r->page);
}

void dls_report_peers(struct dls_report *r)
{
    if (has_peers(r)) print_losses(r);
    print_claims(r);
}
