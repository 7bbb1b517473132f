// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/program/certificate_text.h"

#include "base/vector.h"

#include <math.h>

#include "benchmarks/terminal/output.h"

enum { SHOWN = 12 }; // weakly active contacts that are listed by number

void dls_certificate_count(const struct dls_certificate *c, const struct dls_problem *p,
                           int counts[3])
{
    counts[0] = counts[1] = counts[2] = 0;
    for (int a = 0; a < p->contacts; a++) counts[c->status[a]]++;
}

static void print_residuals(FILE *out, const char *name, const struct dls_residuals *x,
                            const char *meaning)
{
    char natural[16], merit[16];
    fprintf(out, "  %-12s natural %7s, merit %7s  %s\n", name,
            dls_format_real(x->natural, natural), dls_format_real(x->merit, merit),
            meaning);
}

static void print_statuses(FILE *out, const struct dls_certificate *c,
                           const struct dls_problem *p)
{
    int n[3];
    dls_certificate_count(c, p, n);
    fprintf(out, "  statuses     %d open, %d stick, %d slip\n", n[0], n[1], n[2]);
    if (!c->weak) return;
    fprintf(out, "  weak         %d contact%s within %g of another status:", c->weak,
            c->weak == 1 ? "" : "s", c->weak_tol);
    for (int k = 0; k < c->weak && k < SHOWN; k++) fprintf(out, " %d", c->weakly[k]);
    fputs(c->weak > SHOWN ? " ...\n" : "\n", out);
}

static void print_freedom(FILE *out, const struct dls_certificate *c,
                          const struct dls_problem *p, const double *r,
                          const char *null_note, const char *least_note)
{
    char kept[16], dropped[16], natural[16], merit[16];
    if (c->null_space < 0) {
        fprintf(out, "  null space   not computed%s%s\n", null_note ? ": " : "",
                null_note ? null_note : "");
        return;
    }
    fprintf(out, "  null space   dimension %d of %d impulses", c->null_space,
            c->unknowns);
    if (c->null_space && !isnan(c->kept))
        fprintf(out, " (relative pivots %s | %s)", dls_format_real(c->kept, kept),
                dls_format_real(c->dropped, dropped));
    fputs(c->null_space ? "\n" : ": these impulses are the only ones of this motion\n",
          out);
    if (c->least_r && c->null_space)
        fprintf(out,
                "  least norm   |r| = %.6g instead of %.6g; natural %s, merit %s\n",
                dls_norm(p->m, c->least_r), dls_norm(p->m, r),
                dls_format_real(c->least.natural, natural),
                dls_format_real(c->least.merit, merit));
    else if (!c->least_r)
        fprintf(out, "  least norm   not computed%s%s\n", least_note ? ": " : "",
                least_note ? least_note : "");
}

static void print_attraction(FILE *out, const struct dls_certificate *c)
{
    double rate = c->sweep_rate;
    if (isnan(rate)) return;
    fputs("  sweeps       of Gauss-Seidel ", out);
    if (rate == 0)
        fputs("end here at once\n", out);
    else if (!c->rate_settled && fabs(rate - 1) < 1e-5)
        fputs("change an error by less than 1e-5 of it\n", out);
    else {
        fprintf(out, "multiply an error by %s%.6g: ", c->rate_settled ? "" : "about ",
                rate);
        if (rate > 1)
            fputs("they leave this answer\n", out);
        else
            fprintf(out, "a digit takes %.3g\n", -1 / log10(rate));
    }
}

void dls_certificate_print(FILE *out, const struct dls_certificate *c,
                           const struct dls_problem *p, const double *r,
                           const char *null_note, const char *least_note)
{
    char text[16];
    print_residuals(out, "found", &c->found, "of the solver's answer");
    print_residuals(out, "refined", &c->refined, "in extended precision");
    print_residuals(out, "rounded", &c->rounded, "of the nearest doubles");
    if (!isnan(c->backward))
        fprintf(out, "  backward     exact if blocks of W and q change by %s of them\n",
                dls_format_real(c->backward, text));
    print_statuses(out, c, p);
    print_attraction(out, c);
    if (c->motion) fprintf(out, "  motion       %s: %s\n", c->motion, c->motion_why);
    print_freedom(out, c, p, r, null_note, least_note);
}

void dls_existence_print(FILE *out, const struct dls_existence *e)
{
    char one[16], two[16];
    fprintf(out, "  existence    %s", dls_existence_text(e->verdict));
    if (e->why[0]) fprintf(out, ": %s", e->why);
    if (e->verdict == DLS_EXISTENCE_GIVEN && !isnan(e->margin))
        fprintf(out, ": some v has H v + w inside K*, margin %s",
                dls_format_real(e->margin, one));
    if (e->verdict == DLS_EXISTENCE_NOT_GUARANTEED)
        fputs(": no v was found with H v + w inside K*", out);
    if (e->verdict == DLS_EXISTENCE_NONE)
        fprintf(out, ": y >= 0 with H_N^T y = 0 (to %s) and w_N.y < 0 (by %s)",
                dls_format_real(e->defect, one), dls_format_real(e->deficit, two));
    fputc('\n', out);
}
