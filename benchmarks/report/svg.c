// SPDX-License-Identifier: Apache-2.0
// Axes, curves and bars in a fixed frame of user units.
//
// Colours are those of Okabe and Ito, told apart by the colour-blind; with the three
// kinds of line they serve 21 solvers. Every drawn thing has a class (c = curve, s3 =
// solver 3, k3 = its colour) for the page's style sheet, and attributes that hold where
// there is none. The frame and the axes' ends stand in data-* attributes, from which
// the page's script turns pixels back into values.
#include "benchmarks/report/svg.h"

#include <math.h>
#include <string.h>

#include "benchmarks/terminal/output.h"

enum { WIDTH = 460, HEIGHT = 320, LEFT = 62, TOP = 12, RIGHT = 16, BOTTOM = 46 };
enum { INNER_W = WIDTH - LEFT - RIGHT, INNER_H = HEIGHT - TOP - BOTTOM };
// A letter of the legend is some 7 wide.
enum { LEGEND_W = 190, LEGEND_STEP = 17, LEGEND_LETTER = 7 };

static const char *const colours[DLS_COLOURS] = {
    "#0072b2", "#d55e00", "#009e73", "#b5559a", "#c98500", "#3d9bd6", "#444444",
};
static const char *const dashes[DLS_DASHES] = {"none", "7 3", "2 2.5"};

// For files only: the page has its own sheet.
static const char file_style[] =
    "<style>text{font:12px 'Helvetica Neue',Arial,sans-serif;fill:#222}"
    ".grid{stroke:#e3e3e3;fill:none}.axis{stroke:#555;fill:none}"
    ".mark{stroke:#999;stroke-dasharray:3 3;fill:none}"
    ".c{fill:none;stroke-width:1.8;stroke-linejoin:round}.small{font-size:10px}"
    ".open{fill:#cfd8e3}.stick{fill:#2f5d8a}.slip{fill:#e08a1e}.dot{fill:#222}"
    "</style>\n";

void dls_xml_text(FILE *out, const char *text)
{
    static const char *const entities[] = {"&&amp;", "<&lt;", ">&gt;", "\"&quot;",
                                           "'&#39;"};
    char visible[8];
    while (text && *text) { // without memory there is none, and the page is not kept
        const char *shown = dls_text_next(&text, visible);
        for (size_t k = 0; k < sizeof entities / sizeof *entities; k++)
            if (*visible == entities[k][0]) shown = entities[k] + 1;
        fputs(shown, out);
    }
}

// Position of a value on an axis, 0 ... 1; beyond the ends it is cut.
static double place(const struct dls_axis *a, double value)
{
    double t = a->log ? log(fmax(value, 1e-300) / a->lo) / log(a->hi / a->lo)
                      : (value - a->lo) / (a->hi - a->lo);
    return fmin(1, fmax(0, t));
}
static double x_of(const struct dls_axis *a, double value)
{
    return LEFT + INNER_W * place(a, value);
}
static double y_of(const struct dls_axis *a, double value)
{
    return TOP + INNER_H * (1 - place(a, value));
}

static void print_tick(FILE *out, const struct dls_axis *a, double value)
{
    double power = log10(value);
    if (a->percent)
        fprintf(out, "%g%%", round(1000 * value) / 10);
    else if (a->log && (value < 0.01 || value >= 1000)
             && fabs(power - round(power)) < 1e-9)
        fprintf(out, "10<tspan dy='-4' font-size='9'>%s%d</tspan>",
                power < 0 ? "\xE2\x88\x92" : "", (int)fabs(round(power)));
    else
        fprintf(out, "%g", value);
}

static void draw_tick(FILE *out, const struct dls_axis *a, double value, bool across)
{
    if (across) {
        double x = x_of(a, value);
        fprintf(out, "<path class='grid' d='M%.1f %dV%d'/>", x, TOP, TOP + INNER_H);
        fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle'>", x,
                TOP + INNER_H + 17);
    } else {
        double y = y_of(a, value);
        fprintf(out, "<path class='grid' d='M%d %.1fH%d'/>", LEFT, y, LEFT + INNER_W);
        fprintf(out, "<text x='%d' y='%.1f' text-anchor='end'>", LEFT - 6, y + 4);
    }
    print_tick(out, a, value);
    fputs("</text>\n", out);
}

// A step of 1, 2 or 5 times a power of ten that divides `range` in at most six.
static double nice_step(double range)
{
    double power = pow(10, floor(log10(range / 6)));
    double rest = range / 6 / power;
    return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

static void draw_log_ticks(FILE *out, const struct dls_axis *a, bool across)
{
    int first = (int)ceil(log10(a->lo) - 1e-9), last = (int)floor(log10(a->hi) + 1e-9);
    int stride = 1 + (last - first) / 8;
    bool dense = log10(a->hi / a->lo) < 2.2;
    for (int k = first - 1; k <= last; k += stride)
        for (int digit = 1; digit <= (dense ? 5 : 1);
             digit = digit == 1 ? 2 : digit + 3) {
            double value = digit * pow(10, k);
            if (value >= a->lo * 0.999 && value <= a->hi * 1.001)
                draw_tick(out, a, value, across);
        }
}

static void draw_ticks(FILE *out, const struct dls_axis *a, bool across)
{
    if (a->log) {
        draw_log_ticks(out, a, across);
        return;
    }
    double step = nice_step(a->hi - a->lo);
    int first = (int)ceil(a->lo / step - 1e-9), last = (int)floor(a->hi / step + 1e-9);
    for (int k = first; k <= last; k++) draw_tick(out, a, k * step, across);
}

static void draw_frame(FILE *out, const struct dls_axis *x, const struct dls_axis *y)
{
    draw_ticks(out, x, true);
    draw_ticks(out, y, false);
    fprintf(out, "<path class='axis' d='M%d %dV%dH%d'/>\n", LEFT, TOP, TOP + INNER_H,
            LEFT + INNER_W);
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle'>", LEFT + INNER_W / 2,
            HEIGHT - 10);
    dls_xml_text(out, x->label);
    fprintf(out,
            "</text><text transform='translate(13 %d) rotate(-90)' "
            "text-anchor='middle'>",
            TOP + INNER_H / 2);
    dls_xml_text(out, y->label);
    fputs("</text>\n", out);
}

// In black and white: so many dashes, each in black and in grey.
enum { MONO_DASHES = 6 };
static const char *const mono_dashes[MONO_DASHES] = {
    "none", "9 4", "2 3", "9 3 2 3", "16 5", "9 3 2 3 2 3",
};
static const char *mono_colour(int style)
{
    return style / MONO_DASHES % 2 ? "#999" : "#000";
}

static void draw_curve(FILE *out, const struct dls_plot *p, const struct dls_axis *x,
                       const struct dls_curve *c)
{
    int colour = c->style % DLS_COLOURS, dash = c->style / DLS_COLOURS % DLS_DASHES;
    bool begun = false;
    double before = NAN;
    fprintf(out, "<polyline class='c s%d k%d' data-n='", c->style, colour);
    dls_xml_text(out, c->name);
    fprintf(out,
            "' fill='none' stroke='%s' stroke-width='1.8' stroke-dasharray='%s' "
            "points='",
            p->mono ? mono_colour(c->style) : colours[colour],
            p->mono ? mono_dashes[c->style % MONO_DASHES] : dashes[dash]);
    for (int k = 0; k < c->count; k++) {
        if (!isfinite(c->x[k]) || !isfinite(c->y[k]) || c->x[k] > x->hi) continue;
        double px = x_of(x, c->x[k]), py = y_of(&p->y, c->y[k]);
        if (p->steps && begun) fprintf(out, " %.2f,%.2f", px, before);
        fprintf(out, "%s%.2f,%.2f", begun ? " " : "", px, py);
        before = py;
        begun = true;
    }
    if (p->steps && begun) fprintf(out, " %d,%.2f", LEFT + INNER_W, before);
    fputs("'/>\n", out);
}

static void draw_view(FILE *out, const struct dls_plot *p, bool log_view)
{
    struct dls_axis x = p->x;
    if (!log_view) {
        x.log = false;
        x.hi = p->linear_hi;
        if (p->x.label && x.lo < x.hi / 20) x.lo = 0;
    }
    fprintf(out, "<g class='view %s' data-x='%d %.9g %.9g' data-y='%d %.9g %.9g'>\n",
            log_view ? "log" : "lin", x.log, x.lo, x.hi, p->y.log, p->y.lo, p->y.hi);
    draw_frame(out, &x, &p->y);
    for (int k = 0; k < p->marks; k++)
        if (p->mark[k] > x.lo && p->mark[k] < x.hi)
            fprintf(out, "<path class='mark' d='M%.1f %dV%d'/>\n", x_of(&x, p->mark[k]),
                    TOP, TOP + INNER_H);
    // The first solver is the best one: drawn last, it lies on top.
    for (int k = p->curves - 1; k >= 0; k--) draw_curve(out, p, &x, &p->curve[k]);
    fputs("</g>\n", out);
}

static void draw_legend(FILE *out, const struct dls_plot *p)
{
    bool some = false;
    for (int k = 0; k < p->curves; k++) {
        const struct dls_curve *c = &p->curve[k];
        int y = TOP + 8 + k * LEGEND_STEP;
        fprintf(out,
                "<path class='c' d='M%d %dh26' stroke='%s' stroke-dasharray='%s'/>",
                WIDTH + 4, y, colours[c->style % DLS_COLOURS],
                dashes[c->style / DLS_COLOURS % DLS_DASHES]);
        fprintf(out, "<text x='%d' y='%d'>", WIDTH + 36, y + 4);
        dls_xml_text(out, c->name);
        fputs(c->relaxed ? " \xE2\x80\xA0</text>\n" : "</text>\n", out);
        some |= c->relaxed;
    }
    if (some)
        fprintf(out,
                "<text class='small' x='%d' y='%d'>\xE2\x80\xA0 not "
                "Coulomb's law itself</text>\n",
                WIDTH + 4, TOP + 8 + p->curves * LEGEND_STEP + 4);
}

static void open_svg(FILE *out, const char *describes)
{
    fprintf(out,
            "<svg class='plot' viewBox='0 0 %d %d' data-frame='%d %d %d %d' "
            "role='img'><title>",
            WIDTH, HEIGHT, LEFT, TOP, INNER_W, INNER_H);
    dls_xml_text(out, describes);
    fputs("</title>\n", out);
}

static void open_file(FILE *out, int width, int height)
{
    fprintf(out,
            "<?xml version='1.0' encoding='UTF-8'?>\n"
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "viewBox='0 0 %d %d'>\n%s",
            width, height, width, height, file_style);
}

void dls_svg_plot(FILE *out, const struct dls_plot *p)
{
    open_svg(out, p->describes);
    draw_view(out, p, true);
    if (p->linear_hi > 0) draw_view(out, p, false);
    fputs("</svg>\n", out);
}

static int legend_width(const struct dls_plot *p)
{
    int most = LEGEND_W;
    for (int k = 0; k < p->curves; k++) {
        int width =
            44 + LEGEND_LETTER * (int)strlen(p->curve[k].name); // 44: the sample
        most = width > most ? width : most;
    }
    return most;
}

void dls_svg_plot_file(FILE *out, const struct dls_plot *p)
{
    int legend = 2 * TOP + (p->curves + 1) * LEGEND_STEP;
    open_file(out, WIDTH + legend_width(p), legend > HEIGHT ? legend : HEIGHT);
    draw_view(out, p, true);
    draw_legend(out, p);
    fputs("</svg>\n", out);
}

// Below the plot, in two columns.
static void draw_paper_legend(FILE *out, const struct dls_plot *p, int step)
{
    for (int k = 0; k < p->curves; k++) {
        const struct dls_curve *c = &p->curve[k];
        int x = 10 + k % 2 * (WIDTH / 2), y = HEIGHT + 14 + k / 2 * step;
        fprintf(out,
                "<path class='c' d='M%d %dh40' stroke='%s' stroke-dasharray='%s'/>"
                "<text x='%d' y='%d'>",
                x, y, mono_colour(c->style), mono_dashes[c->style % MONO_DASHES],
                x + 48, y + 5);
        dls_xml_text(out, c->name);
        fputs(c->relaxed ? " \xE2\x80\xA0</text>\n" : "</text>\n", out);
    }
}

void dls_svg_plot_paper(FILE *out, const struct dls_plot *p)
{
    enum { STEP = 20 };
    struct dls_plot mono = *p;
    int height = HEIGHT + 14 + (p->curves + 1) / 2 * STEP;
    mono.mono = true;
    // 460 units are 84 mm: letters of 15 units are 7.8 points high.
    fprintf(out,
            "<?xml version='1.0' encoding='UTF-8'?>\n"
            "<svg xmlns='http://www.w3.org/2000/svg' width='84mm' height='%.1fmm' "
            "viewBox='0 0 %d %d'>\n%s<style>text{font-size:15px;fill:#000}"
            ".axis{stroke:#000}.grid{stroke:#ddd}</style>\n",
            84.0 * height / WIDTH, WIDTH, height, file_style);
    draw_view(out, &mono, true);
    draw_paper_legend(out, p, STEP);
    fputs("</svg>\n", out);
}

void dls_svg_sample(FILE *out, int style)
{
    fprintf(
        out,
        "<svg class='line' viewBox='0 0 26 8' aria-hidden='true'><path class='c k%d' "
        "d='M0 4h26' stroke-dasharray='%s'/></svg>",
        style % DLS_COLOURS, dashes[style / DLS_COLOURS % DLS_DASHES]);
}

// The figure of bars: shares above, densities below, one column per problem.
enum { SHARE_TOP = 34, SHARE_H = 130, DENSITY_TOP = 184, DENSITY_H = 100 };

static void draw_share(FILE *out, const struct dls_bar *b, double x, double width)
{
    static const char *const classes[] = {"stick", "slip", "open"};
    const double counts[] = {b->stick, b->slip, b->open};
    double total = b->open + b->stick + b->slip, top = SHARE_TOP + SHARE_H;
    if (!(total > 0)) return;
    for (int k = 0; k < 3; k++) {
        double height = SHARE_H * counts[k] / total;
        top -= height;
        fprintf(out, "<rect class='%s' x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>",
                classes[k], x, top, width, height);
    }
}

// The ends of the density axis: whole decades around what there is and around 1.
static struct dls_axis density_axis(const struct dls_bar *bar, int count)
{
    double lo = 1, hi = 1;
    for (int k = 0; k < count; k++) {
        if (!(bar[k].density > 0)) continue;
        lo = fmin(lo, bar[k].density);
        hi = fmax(hi, bar[k].density);
    }
    return (struct dls_axis){.lo = pow(10, floor(log10(lo) - 0.1)),
                             .hi = pow(10, ceil(log10(hi) + 0.1)),
                             .log = true};
}

static void draw_density_frame(FILE *out, const struct dls_axis *a)
{
    int first = (int)round(log10(a->lo)), last = (int)round(log10(a->hi));
    for (int k = first; k <= last; k++) {
        double y = DENSITY_TOP + DENSITY_H * (1 - place(a, pow(10, k)));
        fprintf(out,
                "<path class='%s' d='M%d %.1fh%d'/><text x='%d' y='%.1f' "
                "text-anchor='end'>",
                k ? "grid" : "mark", LEFT, y, INNER_W, LEFT - 6, y + 4);
        print_tick(out, a, pow(10, k));
        fputs("</text>\n", out);
    }
    fprintf(out,
            "<text transform='translate(13 %d) rotate(-90)' text-anchor='middle'>m/n"
            "</text><text x='%d' y='%d' text-anchor='middle'>problems, sparse to dense"
            "</text>\n",
            DENSITY_TOP + DENSITY_H / 2, LEFT + INNER_W / 2, HEIGHT - 16);
}

static void draw_share_frame(FILE *out)
{
    static const char *const words[] = {"open", "slip", "stick"};
    for (int k = 0; k < 3; k++)
        fprintf(out,
                "<rect class='%s' x='%d' y='12' width='11' height='11'/><text x='%d' "
                "y='22'>%s</text>",
                words[k], LEFT + 70 * k, LEFT + 16 + 70 * k, words[k]);
    for (int k = 0; k <= 2; k++)
        fprintf(out,
                "<path class='grid' d='M%d %dh%d'/><text x='%d' y='%d' "
                "text-anchor='end'>%d%%</text>\n",
                LEFT, SHARE_TOP + SHARE_H - k * SHARE_H / 2, INNER_W, LEFT - 6,
                SHARE_TOP + SHARE_H - k * SHARE_H / 2 + 4, 50 * k);
    fprintf(out,
            "<text transform='translate(13 %d) rotate(-90)' text-anchor='middle'>"
            "contacts</text>\n",
            SHARE_TOP + SHARE_H / 2);
}

static void draw_bars(FILE *out, const struct dls_bar *bar, int count)
{
    struct dls_axis axis = density_axis(bar, count);
    double step = (double)INNER_W / (count ? count : 1);
    double width = step > 3 ? step - 1 : step;
    draw_share_frame(out);
    draw_density_frame(out, &axis);
    for (int k = 0; k < count; k++) {
        const struct dls_bar *b = &bar[k];
        double x = LEFT + k * step;
        fputs("<g><title>", out);
        dls_xml_text(out, b->name);
        if (isfinite(b->open))
            fprintf(out, ": %g open, %g stick, %g slip", b->open, b->stick, b->slip);
        if (isfinite(b->density)) fprintf(out, ", m/n = %.3g", b->density);
        fputs("</title>", out);
        draw_share(out, b, x, width);
        if (b->density > 0)
            fprintf(out, "<circle class='dot' cx='%.2f' cy='%.2f' r='%.1f'/>",
                    x + width / 2,
                    DENSITY_TOP + DENSITY_H * (1 - place(&axis, b->density)),
                    step > 8 ? 3.5 : 2);
        fputs("</g>\n", out);
    }
}

void dls_svg_bars(FILE *out, const struct dls_bar *bar, int count)
{
    open_svg(out, "Contact statuses and density of the problems");
    draw_bars(out, bar, count);
    fputs("</svg>\n", out);
}

void dls_svg_bars_file(FILE *out, const struct dls_bar *bar, int count)
{
    open_file(out, WIDTH, HEIGHT);
    draw_bars(out, bar, count);
    fputs("</svg>\n", out);
}
