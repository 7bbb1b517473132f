// SPDX-License-Identifier: Apache-2.0
// The figures of the report: each is drawn into the page and into a file of its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/folder.h"
#include "benchmarks/report/html.h"
#include "benchmarks/report/paper.h"
#include "benchmarks/report/report.h"
#include "benchmarks/report/svg.h"

enum { GRID = 97 }; // times at which medians are taken

static void write_caption(struct dls_report *r, const char *name, bool has_switch)
{
    fprintf(r->page, "<p class='tools'>");
    if (has_switch)
        fputs("<label><input type='checkbox' class='linear'> linear axis</label> ",
              r->page);
    fprintf(r->page, "<a href='plots/%s.svg' download>SVG</a></p>", name);
}

// Where memory ran out, curves lack points or names: no figure is begun.
void dls_report_plot_file(struct dls_report *r, const char *name,
                          const struct dls_plot *plot)
{
    if (r->arena->failed) return;
    if (r->paper) {
        dls_paper_plot(r, name, plot);
        return;
    }
    const char *path = dls_text(r->arena, "plots/%s.svg", name);
    FILE *file = path ? dls_made_begin(r->made, path) : NULL;
    if (!file) return;
    dls_svg_plot_file(file, plot);
    dls_made_end(r->made, file, path);
    r->figures++;
}

// The plot in the page and in plots/NAME.svg, with a title above it in the page.
void dls_report_plot(struct dls_report *r, const char *name, const char *title,
                     const struct dls_plot *plot)
{
    if (r->arena->failed) return;
    fprintf(r->page, "<figure class='fig' id='%s'><figcaption><h4>", name);
    dls_xml_text(r->page, title);
    fputs("</h4>", r->page);
    write_caption(r, name, plot->linear_hi > 0);
    fputs("</figcaption>\n", r->page);
    dls_svg_plot(r->page, plot);
    fputs("</figure>\n", r->page);
    dls_report_plot_file(r, name, plot);
}

struct dls_curve dls_report_new_curve(struct dls_report *r, int rank, int count,
                                      const double *x, const double *y)
{
    bool relaxed = dls_ledger_relaxes(r->campaign, r->order[rank]);
    return (struct dls_curve){rank, dls_report_name(r, rank), relaxed, count, x, y};
}

// The curve of a profile: a corner at every ratio of the solver.
static struct dls_curve profile_curve(struct dls_report *r, const struct dls_profile *f,
                                      int rank)
{
    int s = r->order[rank], solved = f->solved[s];
    double *x = DLS_NEW(r->arena, double, solved + 1);
    double *y = DLS_NEW(r->arena, double, solved + 1);
    struct dls_curve curve = dls_report_new_curve(r, rank, 0, x, y);
    if (r->arena->failed) return curve;
    x[0] = 1;
    y[0] = dls_profile_share(f, s, 1);
    curve.count = 1;
    for (int k = 0; k < solved; k++) {
        double ratio = f->ratio[(size_t)s * (size_t)f->problems + (size_t)k];
        if (ratio <= 1) continue;
        x[curve.count] = ratio;
        y[curve.count++] = (k + 1.0) / f->problems;
    }
    return curve;
}

static double largest_ratio(const struct dls_profile *f)
{
    double most = 10;
    for (int s = 0; s < f->solvers; s++)
        if (f->solved[s])
            most = fmax(
                most,
                f->ratio[(size_t)s * (size_t)f->problems + (size_t)f->solved[s] - 1]);
    return fmin(1e4, 1.2 * most);
}

static void show_profile(struct dls_report *r, int t, bool work)
{
    const struct dls_ledger *c = r->campaign;
    const struct dls_standing *st = &r->standing[t];
    const struct dls_profile *f = work ? &st->work : &st->time;
    struct dls_curve *curve = DLS_NEW(r->arena, struct dls_curve, c->solvers);
    const char *what = work ? "products" : "time";
    const char *name = dls_text(r->arena, "profile-%s-%g", what, c->tol[t]);
    if (r->arena->failed) return;
    struct dls_plot plot = {
        .describes =
            dls_text(r->arena, "Performance profile: %s to %g", what, c->tol[t]),
        .x = {.label = work ? "\xCF\x84, matrix-vector products over the fewest"
                            : "\xCF\x84, time over the fastest",
              .lo = 1,
              .hi = largest_ratio(f),
              .log = true},
        .y = {.label = "share of problems solved", .lo = 0, .hi = 1, .percent = true},
        .linear_hi = fmin(10, largest_ratio(f)),
        .steps = true,
        .curve = curve,
    };
    for (int k = 0; k < c->solvers; k++)
        if (!work || st->counts_products[r->order[k]])
            curve[plot.curves++] = profile_curve(r, f, k);
    dls_report_plot(r, name, work ? "Matrix-vector products" : "Time", &plot);
}

static int by_density(const void *a, const void *b)
{
    const struct dls_bar *x = a, *y = b;
    double u = isnan(x->density) ? INFINITY : x->density;
    double v = isnan(y->density) ? INFINITY : y->density;
    if (u != v) return u < v ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void show_problem_set(struct dls_report *r, int t)
{
    const struct dls_standing *st = &r->standing[t];
    struct dls_bar *bar = DLS_NEW(r->arena, struct dls_bar, st->count);
    const char *name = dls_text(r->arena, "problems-%g", r->campaign->tol[t]);
    if (r->arena->failed) return;
    for (int k = 0; k < st->count; k++) {
        const struct dls_case *p = &r->campaign->problem[st->problem[k]];
        const struct dls_result *at = dls_ledger_portrait(r->campaign, st->problem[k]);
        bar[k] = (struct dls_bar){p->name, NAN, NAN, NAN, p->density};
        if (at)
            bar[k].open = at->open, bar[k].stick = at->stick, bar[k].slip = at->slip;
    }
    qsort(bar, (size_t)st->count, sizeof *bar, by_density);
    fprintf(r->page, "<figure class='fig'><figcaption><h4>The problems</h4>");
    write_caption(r, name, false);
    fputs("</figcaption>\n", r->page);
    dls_svg_bars(r->page, bar, st->count);
    fputs("</figure>\n", r->page);
    const char *path =
        dls_text(r->arena, "%s/%s.svg", r->paper ? "figures" : "plots", name);
    FILE *file = path ? dls_made_begin(r->made, path) : NULL;
    if (!file) return;
    dls_svg_bars_file(file, bar, st->count);
    dls_made_end(r->made, file, path);
    r->figures++;
}

static void note_left_out(struct dls_report *r, int t)
{
    const struct dls_standing *st = &r->standing[t];
    int missing = r->campaign->problems - st->count, silent = 0;
    for (int s = 0; s < r->campaign->solvers; s++) silent += !st->counts_products[s];
    fprintf(r->page, "<p class='note'>%d problem%s", st->count,
            st->count == 1 ? "" : "s");
    if (st->time.unsolved)
        fprintf(r->page, ", %d of them solved by nobody", st->time.unsolved);
    if (missing)
        fprintf(r->page, "; %d more left out until every solver has run", missing);
    if (silent) fputs("; without products, because they count none:", r->page);
    for (int k = 0, shown = 0; k < r->campaign->solvers; k++) {
        if (st->counts_products[r->order[k]]) continue;
        fputs(shown++ ? ", " : " ", r->page);
        dls_xml_text(r->page, dls_report_name(r, k));
    }
    fputs(".</p>\n", r->page);
}

void dls_report_profiles(struct dls_report *r)
{
    dls_html_section(r->page, "profiles", "Performance profiles");
    fputs(
        "<p class='about'>A curve shows on which share of the problems a solver needs "
        "at most \xCF\x84 times what the best solver needs there [Dolan and "
        "Mor\xC3\xA9]. Its left end is how often it wins, its right end how much it "
        "solves. Beside: what state the contacts of these problems are in, and how "
        "many contact rows m they have for each of their n velocities.</p>\n",
        r->page);
    for (int t = r->campaign->tols - 1; t >= 0; t--) {
        fputs("<h3>Residual below ", r->page);
        dls_html_tol(r->page, r->campaign->tol[t]);
        fputs("</h3>\n", r->page);
        note_left_out(r, t);
        fputs("<div class='figs'>\n", r->page);
        show_profile(r, t, false);
        show_profile(r, t, true);
        show_problem_set(r, t);
        fputs("</div>\n", r->page);
    }
    fputs("</section>\n", r->page);
}

void dls_range_widen(struct dls_range *range, double value)
{
    if (!isfinite(value) || value <= 0) return;
    range->lo = fmin(range->lo, value);
    range->hi = fmax(range->hi, value);
}

struct dls_axis dls_range_decades(const char *label, struct dls_range range)
{
    if (range.lo > range.hi) range.lo = range.hi = 1;
    double lo = pow(10, floor(log10(range.lo) + 1e-9));
    double hi = pow(10, ceil(log10(range.hi) - 1e-9));
    return (struct dls_axis){
        .label = label, .lo = lo, .hi = hi > lo ? hi : 10 * lo, .log = true};
}

// Median over the problems of the least residual so far; INFINITY for a problem that
// the solver has no history of, so the curve begins where half of them have one.
static double median_residual(struct dls_report *r, int rank, double when,
                              double *values)
{
    const struct dls_ledger *c = r->campaign;
    for (int p = 0; p < c->problems; p++) {
        const struct dls_result *row = dls_report_at(r, p, rank, c->tols - 1);
        values[p] = INFINITY;
        if (row)
            values[p] = dls_history_at(row->track.time, row->track.residual,
                                       row->track.count, when);
    }
    return dls_median(values, c->problems);
}

static void fill_medians(struct dls_report *r, struct dls_range times,
                         struct dls_curve *curve)
{
    const struct dls_ledger *c = r->campaign;
    double *x = DLS_NEW(r->arena, double, GRID);
    double *values = DLS_NEW(r->arena, double, c->problems);
    for (int k = 0; !r->arena->failed && k < GRID; k++)
        x[k] = times.lo * pow(times.hi / times.lo, k / (GRID - 1.0));
    for (int s = 0; s < c->solvers; s++) {
        double *y = DLS_NEW(r->arena, double, GRID);
        if (r->arena->failed) return;
        for (int k = 0; k < GRID; k++) y[k] = median_residual(r, s, x[k], values);
        curve[s] = dls_report_new_curve(r, s, GRID, x, y);
    }
}

static struct dls_range track_times(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    struct dls_range times = {INFINITY, 0};
    for (int k = 0; k < c->problems * c->solvers; k++) {
        const struct dls_result *row =
            dls_ledger_at(c, k / c->solvers, k % c->solvers, c->tols - 1);
        if (!row || !row->track.count) continue;
        dls_range_widen(&times, row->track.time[0]);
        dls_range_widen(&times, row->track.time[row->track.count - 1]);
    }
    return times;
}

static void show_medians(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    struct dls_curve *curve = DLS_NEW(r->arena, struct dls_curve, c->solvers);
    struct dls_range times = track_times(r), residuals = {c->tol[c->tols - 1], 1};
    if (r->arena->failed) return;
    if (times.lo > times.hi) {
        fputs("<p class='note'>This campaign has no convergence histories.</p>",
              r->page);
        return;
    }
    fill_medians(r, times, curve);
    for (int k = 0; k < c->solvers * GRID; k++)
        if (curve[k / GRID].count)
            dls_range_widen(&residuals, curve[k / GRID].y[k % GRID]);
    residuals.lo = fmax(residuals.lo, c->tol[c->tols - 1] / 100);
    struct dls_plot plot = {
        .describes = "Median residual over the problems against time",
        .x = dls_range_decades("time, s", times),
        .y = dls_range_decades("median residual", residuals),
        .linear_hi = times.hi,
        .curves = c->solvers,
        .curve = curve,
    };
    dls_report_plot(r, "work-precision", "Work and precision: median over the problems",
                    &plot);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct dls_curve error_curve(struct dls_report *r, int rank)
{
    const struct dls_ledger *c = r->campaign;
    const struct dls_standing *st = &r->standing[c->tols - 1];
    double *x = DLS_NEW(r->arena, double, st->count + 1);
    double *y = DLS_NEW(r->arena, double, st->count + 1);
    struct dls_curve curve = dls_report_new_curve(r, rank, 0, x, y);
    if (r->arena->failed) return curve;
    for (int k = 0; k < st->count; k++) {
        const struct dls_result *row =
            dls_report_at(r, st->problem[k], rank, c->tols - 1);
        if (isfinite(row->residual)) x[curve.count++] = row->residual;
    }
    qsort(x, (size_t)curve.count, sizeof *x, ascending);
    for (int k = 0; k < curve.count; k++) y[k] = (k + 1.0) / st->count;
    return curve;
}

static void show_errors(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    struct dls_curve *curve = DLS_NEW(r->arena, struct dls_curve, c->solvers);
    double tight = c->tol[c->tols - 1];
    if (r->arena->failed) return;
    for (int k = 0; k < c->solvers; k++) curve[k] = error_curve(r, k);
    struct dls_plot plot = {
        .describes = "Share of problems against the residual reached at the end",
        .x = dls_range_decades("residual at the end",
                               (struct dls_range){tight / 1e4, 10}),
        .y = {.label = "share of problems", .lo = 0, .hi = 1, .percent = true},
        .steps = true,
        .curves = c->solvers,
        .curve = curve,
        .marks = c->tols,
        .mark = c->tol,
    };
    dls_report_plot(r, "error-at-limit", "Error at the time limit", &plot);
}

void dls_report_precision(struct dls_report *r)
{
    dls_html_section(r->page, "precision", "Work, precision, and what failures reach");
    fputs(
        "<p class='about'>Left: the residual that half of the problems are below, as "
        "time goes on; a curve that ends high belongs to a solver that half of the "
        "problems defeat. Right: on which share of the problems the final residual is "
        "below the given one, solved or not; dashed lines are the tolerances. Curves "
        "of each problem are in its row <a href='#problems'>below</a>.</p>\n"
        "<div class='figs two'>\n",
        r->page);
    show_medians(r);
    show_errors(r);
    fputs("</div></section>\n", r->page);
}
