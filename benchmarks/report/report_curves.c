// SPDX-License-Identifier: Apache-2.0
// Convergence on one problem: the residual of every check as it was judged, not the best so
// far, so that divergence and oscillation are seen; against time, iterations and products.
#include <math.h>
#include <string.h>

#include "benchmarks/campaign/folder.h"
#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"

enum { AXES = 3, POINTS = 120 }; // POINTS: of a curve, more than a figure can show

static const struct {
    const char *label, *word, *ending;
} axes[AXES] = {
    {"time, s", "time", ""},
    {"iterations", "iterations", "-iterations"},
    {"matrix-vector products", "products", "-products"},
};

static double along(const struct dls_check *c, int axis)
{
    return axis == 0 ? c->time : axis == 1 ? c->iteration : c->products;
}

// The checks in as many groups as points allow; of each the least and the largest residual
// in the order in which they came.
static void fill_curve(const struct dls_track *t, int axis, double *x, double *y,
                       int *count)
{
    int groups = t->checks < POINTS ? t->checks : POINTS / 2;
    *count = 0;
    for (int g = 0; g < groups; g++) {
        int from = (int)((long)t->checks * g / groups);
        int to = (int)((long)t->checks * (g + 1) / groups), lo = -1, hi = -1;
        for (int k = from; k < to; k++) {
            if (!isfinite(t->check[k].residual)) continue;
            if (lo < 0 || t->check[k].residual < t->check[lo].residual) lo = k;
            if (hi < 0 || t->check[k].residual > t->check[hi].residual) hi = k;
        }
        int first = lo < hi ? lo : hi, second = lo < hi ? hi : lo;
        for (int k = 0; lo >= 0 && k < (lo == hi ? 1 : 2); k++) {
            const struct dls_check *c = &t->check[k ? second : first];
            x[*count] = along(c, axis);
            y[(*count)++] = c->residual;
        }
    }
}

// False where no solver has such a curve.
static bool make_plot(struct dls_report *r, int problem, int axis,
                      struct dls_plot *plot)
{
    const struct dls_ledger *c = r->campaign;
    struct dls_curve *curve = DLS_NEW(r->arena, struct dls_curve, c->solvers);
    struct dls_range across = {INFINITY, 0}, residuals = {INFINITY, 0};
    *plot = (struct dls_plot){.describes = "Residual of each check", .curve = curve};
    for (int s = 0; s < c->solvers && !r->arena->failed; s++) {
        const struct dls_result *row = dls_report_at(r, problem, s, c->tols - 1);
        if (!row || !row->track.checks) continue;
        const struct dls_track *t = &row->track;
        int count;
        double *x = DLS_NEW(r->arena, double, 2 * POINTS);
        double *y = DLS_NEW(r->arena, double, 2 * POINTS);
        if (r->arena->failed) return false;
        fill_curve(t, axis, x, y, &count);
        if (!count || !(x[count - 1] > 0)) continue; // counts no products
        for (int k = 0; k < count; k++) {
            dls_range_widen(&across, x[k]);
            dls_range_widen(&residuals, y[k]);
        }
        curve[plot->curves++] = dls_report_new_curve(r, s, count, x, y);
    }
    plot->x = dls_range_decades(axes[axis].label, across);
    plot->y = dls_range_decades("residual", residuals);
    return plot->curves && !r->arena->failed;
}

static const char *plain_name(struct dls_report *r, int problem, int axis)
{
    const char *plain =
        dls_plain_name(&r->campaign->problem[problem].name, 1, r->arena);
    return dls_text(r->arena, "convergence-%s%s", plain ? plain : "",
                    axes[axis].ending);
}

static void show(struct dls_report *r, int problem, const struct dls_plot plot[AXES],
                 const bool there[AXES])
{
    const char *name = plain_name(r, problem, 0);
    fprintf(r->page, "<figure class='fig alts' id='%s'><figcaption><h4>", name);
    dls_xml_text(r->page, r->campaign->problem[problem].name);
    fputs("</h4><p class='tools'>", r->page);
    for (int k = 0; k < AXES; k++)
        if (there[k])
            fprintf(
                r->page,
                "<label><input type='radio' name='x-%s' class='by%d'%s> %s</label> ",
                name, k, k ? "" : " checked", axes[k].word);
    fprintf(r->page, "<a href='plots/%s.svg' download>SVG</a></p></figcaption>\n",
            name);
    for (int k = 0; k < AXES; k++) {
        if (!there[k]) continue;
        fprintf(r->page, "<div class='alt a%d'>", k);
        dls_svg_plot(r->page, &plot[k]);
        fputs("</div>", r->page);
    }
    fputs("</figure>\n", r->page);
}

void dls_report_convergence(struct dls_report *r, int problem, bool shown)
{
    struct dls_plot plot[AXES];
    bool there[AXES];
    for (int k = 0; k < AXES; k++) {
        const char *name = plain_name(r, problem, k);
        there[k] = make_plot(r, problem, k, &plot[k]);
        if (there[k] && name) dls_report_plot_file(r, name, &plot[k]);
    }
    if (shown && there[0] && !r->arena->failed) show(r, problem, plot, there);
}

const char *dls_report_curve_link(struct dls_report *r, int problem)
{
    const struct dls_ledger *c = r->campaign;
    bool some = false;
    for (int s = 0; s < c->solvers; s++) {
        const struct dls_result *row = dls_ledger_at(c, problem, s, c->tols - 1);
        some |= row && row->track.checks;
    }
    const char *name = some ? plain_name(r, problem, 0) : NULL;
    if (!name) return NULL;
    return r->shown[problem] ? dls_text(r->arena, "#%s", name)
                             : dls_text(r->arena, "plots/%s.svg", name);
}
