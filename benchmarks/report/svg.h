// SPDX-License-Identifier: Apache-2.0
// Plots as SVG: inside a page, where CSS colours them and both scales are drawn so that
// a switch needs no script, and as files of their own for papers, with a legend.
#ifndef DLS_BENCHMARKS_REPORT_SVG_H
#define DLS_BENCHMARKS_REPORT_SVG_H

#include <stdbool.h>
#include <stdio.h>

struct dls_axis {
    const char *label;
    double lo, hi; // ends of the axis; positive where `log`
    bool log, percent;
};

struct dls_curve {
    int style; // number of the solver: its colour and dashes
    const char *name;
    bool relaxed; // solves another problem than Coulomb's: marked in legends
    int count;
    const double *x, *y;
};

struct dls_plot {
    const char *describes; // a sentence for who cannot see it
    struct dls_axis x, y;
    double linear_hi; // end of the linear x axis; 0 = log (or linear) only
    bool mono;        // lines in black and grey
    bool steps;       // y holds its value until the next x
    int curves;
    const struct dls_curve *curve;
    int marks;
    const double *mark; // vertical lines
};

// One bar per problem: shares of open, stick and slip, and a dot for the density.
struct dls_bar {
    const char *name;
    double open, stick, slip; // counts, NAN where unknown
    double density;           // m/n, NAN where unknown
};

// The figure as an <svg> element of a page.
void dls_svg_plot(FILE *, const struct dls_plot *);
void dls_svg_bars(FILE *, const struct dls_bar *, int count);
// The same as a whole file.
void dls_svg_plot_file(FILE *, const struct dls_plot *);
void dls_svg_bars_file(FILE *, const struct dls_bar *, int count);
// For a column of a paper: 84 mm wide, legend below, lines told apart without colours.
void dls_svg_plot_paper(FILE *, const struct dls_plot *);

// A short sample of the line of a style, for legends in the page.
void dls_svg_sample(FILE *, int style);

// The one way of others' text into a page or figure: & < > and both quotes escaped, what
// cannot be seen made visible (dls_text_next).
void dls_xml_text(FILE *, const char *);

enum { DLS_COLOURS = 7, DLS_DASHES = 3 };

#endif
