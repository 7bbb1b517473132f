// SPDX-License-Identifier: Apache-2.0
// Who wins on which kind of problem, who is how much faster than whom, and what failed.
#include <math.h>
#include <string.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"
#include "benchmarks/report/svg.h"

// A kind of problem; problems may be of several.
struct kind {
    const char *name, *word; // in the page; in names of files
    bool (*has)(const struct dls_case *, const struct dls_result *portrait);
};

static double share_of(const struct dls_result *p, double part)
{
    return p ? part / (p->open + p->stick + p->slip) : NAN;
}
#define KIND(name, condition)                                                          \
    static bool name(const struct dls_case *c, const struct dls_result *p)             \
    {                                                                                  \
        (void)c, (void)p;                                                              \
        return condition;                                                              \
    }
KIND(is_any, true)
KIND(is_sparse, c->density < 1)
KIND(is_dense, c->density >= 1 && c->density < 2)
KIND(is_crowded, c->density >= 2)
KIND(is_local, isnan(c->density))
KIND(is_open, share_of(p, p ? p->open : 0) > 0.5)
KIND(is_stuck, share_of(p, p ? p->stick : 0) > 0.5)
KIND(is_sliding, share_of(p, p ? p->slip : 0) > 0.5)
KIND(is_small, c->contacts <= 100)
KIND(is_medium, c->contacts > 100 && c->contacts <= 1000)
KIND(is_large, c->contacts > 1000)
#undef KIND

static const struct kind kinds[] = {
    {"all", "", is_any},
    {"m/n &lt; 1", "sparse", is_sparse},
    {"1 \xE2\x89\xA4 m/n &lt; 2", "dense", is_dense},
    {"m/n \xE2\x89\xA5 2", "crowded", is_crowded},
    {"m/n unknown", "unknown", is_local},
    {"mostly open", "open", is_open},
    {"mostly stick", "stick", is_stuck},
    {"mostly slip", "slip", is_sliding},
    {"\xE2\x89\xA4 100 contacts", "small", is_small},
    {"101\xE2\x80\x93"
     "1000 contacts",
     "medium", is_medium},
    {"&gt; 1000 contacts", "large", is_large},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *dls_report_kind_word(int number)
{
    return number < KINDS ? kinds[number].word : NULL;
}

// The costs of the problems of a kind, by rows; returns how many there are.
int dls_report_pick_kind(struct dls_report *r, int t, int number, double *cost)
{
    const struct kind *kind = &kinds[number];
    const struct dls_ledger *c = r->campaign;
    const struct dls_standing *st = &r->standing[t];
    int count = 0;
    for (int k = 0; k < st->count; k++) {
        int p = st->problem[k];
        if (!kind->has(&c->problem[p], dls_ledger_portrait(c, p))) continue;
        memcpy(cost + (size_t)count++ * (size_t)c->solvers,
               st->cost + (size_t)k * (size_t)c->solvers,
               (size_t)c->solvers * sizeof *cost);
    }
    return count;
}

// The better a solver does on a kind, the stronger the colour of its cell.
static void print_kind_cell(FILE *out, const struct dls_profile *f, int rank, int s,
                            bool best)
{
    double share = (double)f->solved[s] / f->problems, mean = f->mean[s];
    fprintf(out, "<td class='heat s%d%s' data-v='%.6g' style='--h:%.0f%%'><b>%d</b>",
            rank, best ? " best" : "",
            share - 1e-6 * (isfinite(mean) ? fmin(mean, 1e4) : 1e4), 45 * share * share,
            f->solved[s]);
    if (f->solved[s])
        fprintf(out, " <small>\xC3\x97%.*f</small>", mean < 9.95 ? 1 : 0, mean);
    fputs("</td>", out);
}

// Most problems solved, then the lowest mean; -1 where nobody solves any.
static int best_of(const struct dls_profile *f)
{
    int best = -1;
    for (int s = 0; s < f->solvers; s++) {
        if (!f->solved[s]) continue;
        bool more = best < 0 || f->solved[s] > f->solved[best];
        bool same = best >= 0 && f->solved[s] == f->solved[best];
        if (more || (same && f->mean[s] < f->mean[best])) best = s;
    }
    return best;
}

static void print_kind(struct dls_report *r, int t, int number)
{
    const struct kind *kind = &kinds[number];
    int solvers = r->campaign->solvers;
    double *cost =
        DLS_NEW(r->arena, double, (size_t)r->standing[t].count *(size_t)solvers);
    struct dls_profile f;
    if (r->arena->failed) return;
    int count = dls_report_pick_kind(r, t, number, cost);
    if (!count || !dls_profile_make(&f, count, solvers, cost, NULL, 1e-6, r->arena))
        return;
    int best = best_of(&f);
    fprintf(r->page, "<tr><th scope='row'>%s</th><td class='num'>%d</td>", kind->name,
            count);
    for (int k = 0; k < solvers; k++)
        print_kind_cell(r->page, &f, k, r->order[k], r->order[k] == best);
    fputs("</tr>\n", r->page);
}

// One heading per solver; its column goes away with its curve.
static void print_solver_heads(struct dls_report *r)
{
    for (int k = 0; k < r->campaign->solvers; k++) {
        fprintf(r->page, "<th class='s%d'>", k);
        dls_xml_text(r->page, dls_report_name(r, k));
        fputs("</th>", r->page);
    }
}

void dls_report_classes(struct dls_report *r)
{
    dls_html_section(r->page, "classes", "Who wins where");
    fputs("<p class='about'>How many problems of each kind a solver solves, and its "
          "geometric mean time over the fastest on those; framed: most solved, then "
          "fastest. Contact statuses are those of "
          "the best answer found; m/n is unknown in files that hold W alone.</p>\n",
          r->page);
    for (int t = r->campaign->tols - 1; t >= 0; t--) {
        fputs("<h3>Residual below ", r->page);
        dls_html_tol(r->page, r->campaign->tol[t]);
        fputs("</h3>", r->page);
        dls_html_table(r->page, "kinds sortable", false);
        fputs("<thead><tr><th>kind</th><th>problems</th>", r->page);
        print_solver_heads(r);
        fputs("</tr></thead><tbody>\n", r->page);
        for (int k = 0; k < KINDS; k++) print_kind(r, t, k);
        dls_html_table_end(r->page);
    }
    fputs("</section>\n", r->page);
}

static void print_pair(struct dls_report *r, const struct dls_standing *st, int row,
                       int column)
{
    int solvers = r->campaign->solvers, common;
    double ratio = dls_ratio_mean(st->cost + r->order[row], st->cost + r->order[column],
                                  st->count, solvers, 1e-6, &common);
    if (row == column || !common) {
        fprintf(r->page, "<td class='num none s%d'>\xE2\x80\x93</td>", column);
        return;
    }
    // Blue where the row is faster, orange where it is slower; full at a factor 10.
    double strength = fmin(1, fabs(log10(ratio)));
    fprintf(r->page,
            "<td class='num pair %s s%d' data-v='%.9g' style='--h:%.0f%%' title='%d "
            "problems'>%.*f</td>",
            ratio <= 1 ? "fast" : "slow", column, ratio, 50 * strength, common,
            ratio < 9.95 ? 2 : 0, ratio);
}

void dls_report_pairs(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    fputs(
        "<details><summary>Pairs of solvers: time of the row over time of the column, "
        "geometric mean where both solve</summary>\n",
        r->page);
    for (int t = c->tols - 1; t >= 0; t--) {
        fputs("<h3>Residual below ", r->page);
        dls_html_tol(r->page, c->tol[t]);
        fputs("</h3>", r->page);
        dls_html_table(r->page, "pairs sortable", false);
        fputs("<thead><tr><th>solver</th>", r->page);
        print_solver_heads(r);
        fputs("</tr></thead><tbody>\n", r->page);
        for (int row = 0; row < c->solvers; row++) {
            fprintf(r->page, "<tr class='s%d'><th scope='row'>", row);
            dls_xml_text(r->page, dls_report_name(r, row));
            fputs("</th>", r->page);
            for (int k = 0; k < c->solvers; k++) print_pair(r, &r->standing[t], row, k);
            fputs("</tr>\n", r->page);
        }
        dls_html_table_end(r->page);
    }
    fputs("</details>\n", r->page);
}

static void print_reason(struct dls_report *r, const struct dls_result *row)
{
    const char *reason = dls_report_reason(row, r->arena);
    fputs("<td class='why'>", r->page);
    dls_xml_text(r->page, reason ? reason : row->status);
    if (row->relaxes && row->own <= row->tol) {
        fputs(" (solved its own relaxation, ", r->page);
        dls_xml_text(r->page, row->relaxes);
        fprintf(r->page, ", to %.1e)", row->own);
    }
    fputs("</td>", r->page);
}

static void print_failure(struct dls_report *r, int p, int rank, int t)
{
    const struct dls_result *row = dls_report_at(r, p, rank, t);
    const char *link = dls_report_curve_link(r, p);
    fprintf(r->page, "<tr class='s%d'><td>", rank);
    if (link) fprintf(r->page, "<a href='%s'>", link);
    dls_xml_text(r->page, r->campaign->problem[p].name);
    fputs(link ? "</a></td>" : "</td>", r->page);
    dls_html_cell_text(r->page, dls_report_name(r, rank));
    fprintf(r->page, "<td class='num' data-v='%g'>", row->tol);
    dls_html_tol(r->page, row->tol);
    fputs("</td><td>", r->page);
    dls_html_status(r->page, row->status, row->solved);
    fputs("</td>", r->page);
    dls_html_cell(r->page, row->residual, DLS_UNIT_NONE);
    dls_html_cell(r->page, row->time, DLS_UNIT_SECONDS);
    dls_html_cell(r->page, row->iterations, DLS_UNIT_COUNT);
    dls_html_cell(r->page, row->run_iterations, DLS_UNIT_COUNT);
    print_reason(r, row);
    fputs("</tr>\n", r->page);
}

static int count_failures(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    int count = 0;
    for (int k = 0; k < c->problems * c->solvers * c->tols; k++)
        count += c->result[k] && !c->result[k]->solved;
    return count;
}

// How many rows of a solver ended with each status, at one tolerance.
static void print_status_counts(struct dls_report *r, int rank, int t)
{
    const struct dls_ledger *c = r->campaign;
    const char *seen[32];
    int count[32] = {0}, kinds_seen = 0;
    for (int p = 0; p < c->problems; p++) {
        const struct dls_result *row = dls_report_at(r, p, rank, t);
        int k = 0;
        if (!row || row->solved) continue;
        while (k < kinds_seen && strcmp(seen[k], row->status)) k++;
        if (k == 32) continue;
        if (k == kinds_seen) seen[kinds_seen++] = row->status;
        count[k]++;
    }
    for (int k = 0; k < kinds_seen; k++) {
        dls_html_status(r->page, seen[k], false);
        fprintf(r->page, "\xC2\xA0%d ", count[k]);
    }
    if (!kinds_seen) fputs("<span class='none'>none</span>", r->page);
}

static void print_status_table(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    dls_html_table(r->page, "counts sortable", false);
    fputs("<thead><tr><th>solver</th>", r->page);
    for (int t = c->tols - 1; t >= 0; t--) {
        fputs("<th>not solved to ", r->page);
        dls_html_tol(r->page, c->tol[t]);
        fputs("</th>", r->page);
    }
    fputs("</tr></thead><tbody>\n", r->page);
    for (int k = 0; k < c->solvers; k++) {
        fprintf(r->page, "<tr class='s%d'><th scope='row'>", k);
        dls_xml_text(r->page, dls_report_name(r, k));
        fputs("</th>", r->page);
        for (int t = c->tols - 1; t >= 0; t--) {
            int solved = r->standing[t].time.solved[r->order[k]];
            fprintf(r->page, "<td data-v='%d'>", r->standing[t].count - solved);
            print_status_counts(r, k, t);
            fputs("</td>", r->page);
        }
        fputs("</tr>\n", r->page);
    }
    dls_html_table_end(r->page);
}

void dls_report_failures(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    int count = count_failures(r);
    dls_html_section(r->page, "failures", "Failures and their reasons");
    print_status_table(r);
    fprintf(r->page, "<details%s><summary>All %d, one by one</summary>\n",
            count <= 25 ? " open" : "", count);
    dls_html_table(r->page, "failures sortable", true);
    fputs("<thead><tr><th>problem</th><th>solver</th><th>tolerance</th><th>status</th>"
          "<th>residual reached</th><th>time</th><th title='until the best answer'>"
          "iterations</th><th title='of the whole run'>of the run</th><th>reason</th>"
          "</tr></thead><tbody>\n",
          r->page);
    for (int t = c->tols - 1; t >= 0; t--)
        for (int p = 0; p < c->problems; p++)
            for (int k = 0; k < c->solvers; k++) {
                const struct dls_result *row = dls_report_at(r, p, k, t);
                if (row && !row->solved) print_failure(r, p, k, t);
            }
    dls_html_table_end(r->page);
    fputs("</details></section>\n", r->page);
}
