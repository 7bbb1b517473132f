// SPDX-License-Identifier: Apache-2.0
// The figure of the scaling study: one solid line a family through what was measured,
// one dashed line of the same colour for the power law.
#include <math.h>

#include "benchmarks/report/svg.h"
#include "benchmarks/speed/scaling.h"

struct figure {
    struct dls_curve curve[2 * DLS_FAMILIES];
    char name[2 * DLS_FAMILIES][48];
    double fit_x[DLS_FAMILIES][2], fit_y[DLS_FAMILIES][2];
    int curves;
    double lo_x, hi_x, lo_y, hi_y;
};

static void widen(double *lo, double *hi, double value)
{
    if (!(value > 0) || !isfinite(value)) return;
    *lo = fmin(*lo, value);
    *hi = fmax(*hi, value);
}

static void add_curve(struct figure *f, int style, int count, const double *x,
                      const double *y)
{
    f->curve[f->curves] = (struct dls_curve){
        .style = style,
        .name = f->name[f->curves],
        .count = count,
        .x = x,
        .y = y,
    };
    f->curves++;
    for (int k = 0; k < count; k++) {
        if (!isfinite(y[k])) continue;
        widen(&f->lo_x, &f->hi_x, x[k]);
        widen(&f->lo_y, &f->hi_y, y[k]);
    }
}

static void add_family(struct figure *f, const struct dls_scaling *s, bool bytes)
{
    const double *y = bytes ? s->bytes : s->seconds;
    const char *family = dls_family_names[s->family];
    struct dls_power_law law = dls_power_law_fit(s->contacts, y, s->sizes);
    snprintf(f->name[f->curves], sizeof *f->name, "%s", family);
    add_curve(f, (int)s->family, s->sizes, s->contacts, y);
    if (!isfinite(law.exponent)) return;
    double *fit_x = f->fit_x[s->family], *fit_y = f->fit_y[s->family];
    for (int k = 0; k < 2; k++) {
        fit_x[k] = k ? law.hi : law.lo;
        fit_y[k] = law.factor * pow(fit_x[k], law.exponent);
    }
    snprintf(f->name[f->curves], sizeof *f->name, "%s: contacts^%.2f", family,
             law.exponent);
    add_curve(f, (int)s->family + DLS_COLOURS, 2, fit_x, fit_y);
}

// Whole decades around the values.
static struct dls_axis decades(const char *label, double lo, double hi)
{
    if (!(hi > 0)) lo = hi = 1; // nothing to show
    double first = floor(log10(lo) + 1e-9), last = ceil(log10(hi) - 1e-9);
    return (struct dls_axis){
        .label = label,
        .lo = pow(10, first),
        .hi = pow(10, last > first ? last : first + 1),
        .log = true,
    };
}

void dls_scaling_draw(FILE *out, const struct dls_scaling *s, int families, bool bytes)
{
    struct figure f = {.lo_x = INFINITY, .lo_y = INFINITY};
    for (int k = 0; k < families; k++) add_family(&f, &s[k], bytes);
    struct dls_plot plot = {
        .describes = bytes ? "Memory against contacts" : "Time against contacts",
        .x = decades("contacts", f.lo_x, f.hi_x),
        .y = decades(bytes ? "memory, bytes" : "time, s", f.lo_y, f.hi_y),
        .curves = f.curves,
        .curve = f.curve,
    };
    dls_svg_plot_file(out, &plot);
}
