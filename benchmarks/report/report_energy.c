// SPDX-License-Identifier: Apache-2.0
// The energy table: what the contacts dissipate according to each solver.
//
// Where the velocity before the step is known, D = -sum r.u_bar is the dissipation and a
// negative D means created energy; elsewhere only the work relative to free motion,
// F = -(1/2 r.W r + sum mu r_N |u_T|), is known, and there is no verdict.
//
// An answer with residual e is off by about e in r and u relative to q, hence D by about
// e |F| times what the coupling of contacts amplifies. So a step at rest shows D of
// either sign, and
//     created  <=>  -D > 100 e |F|,   e = max(natural, merit, 1e-14),
// where 100 leaves room for the amplification; what lies between is "within the
// residual". At e above 1e-2 no verdict is possible at all.
#include <math.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"
#include "benchmarks/report/svg.h"

bool dls_creates_energy(const struct dls_result *row)
{
    double e = fmax(fmax(row->natural, row->merit), 1e-14);
    return -row->dissipation > 100 * e * fabs(row->free_work);
}

// What the table compares, NAN where the row has no answer.
static double energy_of(const struct dls_result *row, bool known)
{
    return !row ? NAN : known ? row->dissipation : row->free_work;
}

static bool is_known(struct dls_report *r, int p)
{
    for (int k = 0; k < r->campaign->solvers; k++) {
        const struct dls_result *row = dls_report_at(r, p, k, r->campaign->tols - 1);
        if (row && isfinite(row->dissipation)) return true;
    }
    return false;
}

struct spread {
    int solved, positive, created;
    double lo, hi, scale;
};

static struct spread measure_spread(struct dls_report *r, int p, bool known)
{
    struct spread s = {.lo = INFINITY, .hi = -INFINITY};
    for (int k = 0; k < r->campaign->solvers; k++) {
        const struct dls_result *row = dls_report_at(r, p, k, r->campaign->tols - 1);
        double value = energy_of(row, known);
        if (!isfinite(value)) continue;
        s.positive += known && value < 0;
        s.created += known && dls_creates_energy(row);
        if (!row->solved) continue;
        s.solved++;
        s.lo = fmin(s.lo, value);
        s.hi = fmax(s.hi, value);
        s.scale = fmax(s.scale, fmax(fabs(value), fabs(row->free_work)));
    }
    return s;
}

static void print_verdict(FILE *out, const struct spread *s, bool known)
{
    if (!known)
        fputs("<td class='none'>u\xE2\x81\xBB unknown</td>", out);
    else if (s->created)
        fprintf(out,
                "<td data-v='2'><span class='st broke'><b>\xE2\x96\xB2</b> created, "
                "%d solver%s</span></td>",
                s->created, s->created == 1 ? "" : "s");
    else if (s->positive)
        fprintf(out,
                "<td data-v='1'><span class='st not'><b>\xC2\xB1</b> within the "
                "residual, %d</span></td>",
                s->positive);
    else
        fputs("<td data-v='0'><span class='st good'><b>\xE2\x9C\x93</b> "
              "dissipates</span></td>",
              out);
}

static void print_values(struct dls_report *r, int p, bool known)
{
    for (int k = 0; k < r->campaign->solvers; k++) {
        const struct dls_result *row = dls_report_at(r, p, k, r->campaign->tols - 1);
        double value = energy_of(row, known);
        if (!isfinite(value)) {
            fprintf(r->page, "<td class='num none s%d'>\xE2\x80\x93</td>", k);
            continue;
        }
        bool created = known && dls_creates_energy(row);
        fprintf(r->page, "<td class='num s%d%s%s' data-v='%.9g'>%s%.4g</td>", k,
                row->solved ? "" : " faint", created ? " created" : "", value,
                created ? "\xE2\x96\xB2 " : "", value);
    }
}

static void print_problem(struct dls_report *r, int p)
{
    bool known = is_known(r, p);
    struct spread s = measure_spread(r, p, known);
    fputs("<tr>", r->page);
    dls_html_cell_text(r->page, r->campaign->problem[p].name);
    fprintf(r->page, "<td>%s</td>", known ? "dissipation" : "free-motion work");
    print_verdict(r->page, &s, known);
    dls_html_cell(r->page, s.solved > 1 && s.scale > 0 ? (s.hi - s.lo) / s.scale : NAN,
                  DLS_UNIT_NONE);
    print_values(r, p, known);
    fputs("</tr>\n", r->page);
}

// One sentence per campaign: how many steps, how many with positive contact work.
static void print_totals(struct dls_report *r)
{
    int steps = 0, positive = 0, created = 0;
    for (int p = 0; p < r->campaign->problems; p++) {
        if (!is_known(r, p)) continue;
        struct spread s = measure_spread(r, p, true);
        steps++;
        positive += s.positive > 0;
        created += s.created > 0;
    }
    fprintf(
        r->page,
        "<p class='note'>Velocities before the step are known in %d of %d problems. "
        "Positive contact work: %d; beyond what the residual explains: <b>%d</b>."
        "</p>\n",
        steps, r->campaign->problems, positive, created);
}

void dls_report_energy(struct dls_report *r)
{
    dls_html_section(r->page, "energy", "Energy");
    fputs(
        "<p class='about'>What the contacts dissipate in the step, at the tightest "
        "tolerance, in the units of the file. Where the velocity before the step is "
        "unknown, the work relative to free motion stands instead, and there is no "
        "verdict. Spread: largest difference between solvers that solved the problem, "
        "relative to the energies at stake. Faint: not solved. Energy counts as "
        "created only when the contact work exceeds 100 residuals of the work relative "
        "to free motion: an answer with residual 10<sup>\xE2\x88\x92"
        "8</sup> may show a "
        "resting step a little above zero.</p>\n",
        r->page);
    print_totals(r);
    dls_html_table(r->page, "energy sortable", true);
    fputs("<thead><tr><th>problem</th><th>what</th><th>verdict</th><th>spread</th>",
          r->page);
    dls_report_solver_heads(r);
    for (int p = 0; p < r->campaign->problems; p++) print_problem(r, p);
    dls_html_table_end(r->page);
    fputs("</section>\n", r->page);
}
