// SPDX-License-Identifier: Apache-2.0
// Standings as LaTeX tables (booktabs): of all problems, and of each class that has some;
// what solvers claimed against what the judge found.
#include <math.h>

#include "benchmarks/report/paper.h"

static void write_tol(FILE *out, double tol)
{
    double power = log10(tol);
    if (fabs(power - round(power)) < 1e-9)
        fprintf(out, "$10^{%.0f}$", power);
    else
        fprintf(out, "%g", tol);
}

static void write_ratio(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, " & %.*f", value < 9.95 ? 2 : value < 99.5 ? 1 : 0, value);
    else
        fputs(" & --", out);
}

static void write_head(struct dls_report *r, FILE *out, int problems)
{
    int tols = r->campaign->tols;
    fprintf(out,
            "%% needs \\usepackage{booktabs}; %d problems. Solved: residual of the "
            "judge at most the tolerance;\n%% fastest: share of problems where no "
            "other is faster; ratio: geometric mean of the time over the\n%% fastest, "
            "where solved; mean: shifted geometric mean time in s (shift 10 ms) over "
            "all, each failure\n%% charged %g time limits of %g s.\n"
            "\\begin{tabular}{l*{%d}{rrrr}}\n\\toprule\n",
            problems, dls_charge, r->campaign->max_time, tols);
    for (int t = tols - 1; t >= 0; t--) {
        fputs(" & \\multicolumn{4}{c}{", out);
        write_tol(out, r->campaign->tol[t]);
        fputs("}", out);
    }
    fputs(" \\\\\n", out);
    for (int t = 0; t < tols; t++)
        fprintf(out, "\\cmidrule(lr){%d-%d}", 4 * t + 2, 4 * t + 5);
    fputs("\nsolver", out);
    for (int t = 0; t < tols; t++) fputs(" & solved & fastest & ratio & mean", out);
    fputs(" \\\\\n\\midrule\n", out);
}

static void write_table(struct dls_report *r, FILE *out, const struct dls_profile *f)
{
    int tols = r->campaign->tols;
    write_head(r, out, f[tols - 1].problems);
    for (int rank = 0; rank < r->campaign->solvers; rank++) {
        int s = r->order[rank];
        dls_tex_text(out, dls_report_name(r, rank));
        for (int t = tols - 1; t >= 0; t--) {
            fprintf(out, " & %d & %.2f", f[t].solved[s],
                    dls_profile_share(&f[t], s, 1));
            write_ratio(out, f[t].mean[s]);
            if (isfinite(f[t].charged[s]))
                fprintf(out, " & %.3g", f[t].charged[s]);
            else
                fputs(" & --", out);
        }
        fputs(" \\\\\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

// The profiles of a class at every tolerance; false where it has no problem.
static bool make_profiles(struct dls_report *r, int kind, struct dls_profile *f)
{
    const struct dls_ledger *c = r->campaign;
    size_t size = (size_t)c->problems * (size_t)c->solvers;
    double *charge = DLS_NEW(r->arena, double, size);
    for (size_t k = 0; charge && k < size; k++) charge[k] = dls_charge * c->max_time;
    for (int t = 0; t < c->tols; t++) {
        double *cost = DLS_NEW(r->arena, double, size);
        int count = cost ? dls_report_pick_kind(r, t, kind, cost) : 0;
        if (!count || r->arena->failed
            || !dls_profile_make(&f[t], count, c->solvers, cost, charge, 1e-6,
                                 r->arena))
            return false;
    }
    return true;
}

static void write_claims(struct dls_report *r, FILE *out)
{
    fputs(
        "% needs \\usepackage{booktabs}. Claimed: the solver called its answer solved; "
        "missed: the judge found an\n% answer below the tolerance that it never "
        "claimed; "
        "false: the judge's residual of the claimed answer is above\n% the tolerance, "
        "at "
        "worst by the factor; the same by the merit too, which does not depend on "
        "units.\n"
        "\\begin{tabular}{lrrrrrrrr}\n\\toprule\nsolver & tolerance & problems & "
        "claimed "
        "& missed & false & factor & by merit & factor \\\\\n\\midrule\n",
        out);
    for (int rank = 0; rank < r->campaign->solvers; rank++)
        for (int t = r->campaign->tols - 1; t >= 0; t--) {
            struct dls_claims c = dls_report_claims(r, rank, t);
            if (!c.said) continue;
            dls_tex_text(out, dls_report_name(r, rank));
            fputs(" & ", out);
            write_tol(out, r->campaign->tol[t]);
            fprintf(out, " & %d & %d & %d & %d", c.said, c.claimed, c.missed, c.wrong);
            write_ratio(out, c.worst);
            fprintf(out, " & %d", c.wrong_merit);
            write_ratio(out, c.worst_merit);
            fputs(" \\\\\n", out);
        }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

static bool has_claims(struct dls_report *r)
{
    for (int rank = 0; rank < r->campaign->solvers; rank++)
        if (dls_report_claims(r, rank, r->campaign->tols - 1).said) return true;
    return false;
}

void dls_paper_tables(struct dls_report *r)
{
    FILE *claims = has_claims(r) ? dls_made_begin(r->made, "tables/claims.tex") : NULL;
    if (claims) {
        write_claims(r, claims);
        dls_made_end(r->made, claims, "tables/claims.tex");
    }
    struct dls_profile *f = DLS_NEW(r->arena, struct dls_profile, r->campaign->tols);
    const char *word;
    for (int kind = 0; f && (word = dls_report_kind_word(kind)); kind++) {
        if (!make_profiles(r, kind, f)) continue;
        const char *path =
            dls_text(r->arena, "tables/standings%s%s.tex", *word ? "-" : "", word);
        FILE *out = path ? dls_made_begin(r->made, path) : NULL;
        if (!out) continue;
        write_table(r, out, f);
        dls_made_end(r->made, out, path);
    }
}
