// SPDX-License-Identifier: Apache-2.0
// `delassus report DIR --paper OUT`: what a paper needs of a campaign.
//
//   tables/standings*.tex   booktabs tables of the standings, of all problems and by class
//   curves/NAME.csv         the numbers of every figure, one row a corner: solver,x,y
//   curves/NAME.tex         the same as a pgfplots picture
//   figures/NAME.svg, .pdf  as drawn here, 84 mm wide, told apart without colours
//   solvers.bib             BibTeX entries of the solvers used
//   campaign.zip            rows, histories, environment, and SHA256SUMS of these
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "benchmarks/report/paper.h"

#include "base/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/zip.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/spec.h"

enum { MOST_CURVES = 12 }; // that can be told apart in black and white

void dls_tex_text(FILE *out, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '\\':
            fputs("\\textbackslash{}", out);
            break;
        case '~':
            fputs("\\textasciitilde{}", out);
            break;
        case '^':
            fputs("\\textasciicircum{}", out);
            break;
        default:
            if (strchr("{}$&#_%", *text)) fputc('\\', out);
            if ((unsigned char)*text >= 0x20) fputc(*text, out);
        }
}

// --- figures ---------------------------------------------------------------------------

static void write_csv(FILE *out, const struct dls_plot *p)
{
    fputs("solver,x,y\n", out);
    for (int c = 0; c < p->curves; c++)
        for (int k = 0; k < p->curve[c].count; k++) {
            if (!isfinite(p->curve[c].x[k]) || !isfinite(p->curve[c].y[k])) continue;
            const struct dls_cell cells[] = {
                dls_cell_text("solver", p->curve[c].name),
                dls_cell_real("x", p->curve[c].x[k]),
                dls_cell_real("y", p->curve[c].y[k]),
            };
            dls_print_csv(out, cells, 3);
        }
}

static bool has_points(const struct dls_curve *c)
{
    for (int k = 0; k < c->count; k++)
        if (isfinite(c->x[k]) && isfinite(c->y[k])) return true;
    return false;
}

static void write_axis(FILE *out, const char *letter, const struct dls_axis *a)
{
    fprintf(out, "  %cmode=%s, %cmin=%.9g, %cmax=%.9g,\n", *letter,
            a->log ? "log" : "linear", *letter, a->lo, *letter, a->hi);
}

// Words for the axes: their labels hold letters that only some fonts of LaTeX know.
static void write_pgfplots(FILE *out, const struct dls_plot *p)
{
    fputs("% needs \\usepackage{pgfplots}; the numbers are also in the .csv file\n"
          "\\begin{tikzpicture}\n\\begin{axis}[width=84mm, height=64mm,\n",
          out);
    write_axis(out, "x", &p->x);
    write_axis(out, "y", &p->y);
    fputs("  xlabel={", out);
    if (!strncmp(p->x.label, "\xCF\x84", 2))
        fputs("$\\tau$", out), dls_tex_text(out, p->x.label + 2);
    else
        dls_tex_text(out, p->x.label);
    fputs("}, ylabel={", out);
    dls_tex_text(out, p->y.label);
    fprintf(out,
            "},\n  cycle list name=linestyles*, no markers, thick%s,\n  legend "
            "style={font=\\tiny, at={(0.5,-0.28)}, anchor=north}, legend columns=3]\n",
            p->steps ? ", const plot" : "");
    for (int c = 0; c < p->curves; c++) {
        if (!has_points(&p->curve[c])) continue; // LaTeX would stumble over it
        fputs("\\addplot coordinates {", out);
        for (int k = 0; k < p->curve[c].count; k++)
            if (isfinite(p->curve[c].x[k]) && isfinite(p->curve[c].y[k]))
                fprintf(out, "(%.6g,%.6g)", p->curve[c].x[k], p->curve[c].y[k]);
        fputs("};\n\\addlegendentry{", out);
        dls_tex_text(out, p->curve[c].name);
        fputs("}\n", out);
    }
    fputs("\\end{axis}\n\\end{tikzpicture}\n", out);
}

static void write_file(struct dls_report *r, const char *path, const struct dls_plot *p,
                       void (*write)(FILE *, const struct dls_plot *))
{
    FILE *out = path ? dls_made_begin(r->made, path) : NULL;
    if (!out) return;
    write(out, p);
    dls_made_end(r->made, out, path);
}

void dls_paper_plot(struct dls_report *r, const char *name, const struct dls_plot *plot)
{
    struct dls_plot few = *plot; // the solvers are in the order of their rank
    if (few.curves > MOST_CURVES) few.curves = MOST_CURVES;
    write_file(r, dls_text(r->arena, "curves/%s.csv", name), plot, write_csv);
    write_file(r, dls_text(r->arena, "curves/%s.tex", name), &few, write_pgfplots);
    write_file(r, dls_text(r->arena, "figures/%s.svg", name), &few, dls_svg_plot_paper);
    r->figures++;
}

// --- citations -------------------------------------------------------------------------

// The entry "@kind{key, ... }" of the bibliography, up to the next one; NULL without.
static const char *find_entry(const char *key, size_t *size)
{
    const char *text = dls_asset_references_bib;
    for (const char *at = text; (at = strchr(at, '@')); at++) {
        const char *brace = strchr(at, '{');
        size_t length = strlen(key);
        if ((at > text && at[-1] != '\n') || !brace) continue;
        if (strncmp(brace + 1, key, length) || brace[1 + length] != ',') continue;
        const char *end = strstr(at, "\n}");
        *size = end ? (size_t)(end + 3 - at) : strlen(at);
        return at;
    }
    return NULL;
}

static void write_bib(struct dls_report *r)
{
    FILE *out = dls_made_begin(r->made, "solvers.bib");
    const char *seen[256];
    int count = 0;
    if (!out) return;
    for (int s = 0; s < r->campaign->solvers && count < 256; s++) {
        const char *key = r->campaign->cite[s], *entry;
        size_t size;
        int k = 0;
        while (key && k < count && strcmp(seen[k], key)) k++;
        if (!key || k < count || !(entry = find_entry(key, &size))) continue;
        seen[count++] = key;
        fwrite(entry, 1, size, out);
        fputs("\n\n", out);
    }
    dls_made_end(r->made, out, "solvers.bib");
}

// --- the archive -----------------------------------------------------------------------

static void add_to_archive(struct dls_report *r, struct dls_zip *z, FILE *sums,
                           const char *name)
{
    char hash[DLS_SHA256_TEXT];
    const char *path = dls_text(r->arena, "%s/%s", r->campaign->folder, name);
    if (!path || !dls_sha256_file(path, hash)) return;
    fprintf(sums, "%s  %s\n", hash, name);
    dls_zip_add_file(z, name, path);
}

// The histories that rows name, each once.
static void add_histories(struct dls_report *r, struct dls_zip *z, FILE *sums)
{
    const char *path = dls_text(r->arena, "%s/history", r->campaign->folder);
    struct dirent **found = NULL;
    int count = path ? scandir(path, &found, NULL, alphasort) : -1;
    for (int k = 0; k < count; k++) {
        size_t length = strlen(found[k]->d_name);
        const char *name = dls_text(r->arena, "history/%s", found[k]->d_name);
        if (name && length > 4 && !strcmp(found[k]->d_name + length - 4, ".csv"))
            add_to_archive(r, z, sums, name);
        free(found[k]);
    }
    free(found);
}

static void write_archive(struct dls_report *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = dls_made_begin(r->made, "campaign.zip");
    FILE *sums = out ? open_memstream(&text, &size) : NULL;
    if (!sums) {
        r->made->failed = true;
        return;
    }
    struct dls_zip z = dls_zip_start(out, r->arena);
    add_to_archive(r, &z, sums, "results.csv");
    add_to_archive(r, &z, sums, "campaign.json");
    add_histories(r, &z, sums);
    fclose(sums);
    dls_zip_add(&z, "SHA256SUMS", text, size);
    if (!dls_zip_end(&z)) r->made->failed = true;
    free(text);
    dls_made_end(r->made, out, "campaign.zip");
}

// --- the command -----------------------------------------------------------------------

static bool make_folders(const char *out, struct dls_arena *a)
{
    static const char *const inside[] = {"tables", "curves", "figures"};
    for (int k = 0; k < 3; k++) {
        const char *path = dls_text(a, "%s/%s", out, inside[k]);
        int error = path ? dls_folder_make(path, a) : ENOMEM;
        if (error) return dls_complain("%s: %s", out, strerror(error)), false;
    }
    return true;
}

int dls_paper_make(const char *folder, const char *out, struct dls_arena *a)
{
    struct dls_error err;
    struct dls_ledger ledger;
    struct dls_made made;
    if (dls_ledger_read(&ledger, folder, a, &err)) return dls_complain("%s", err.text);
    struct dls_report r = {
        .campaign = &ledger, .arena = a, .made = &made, .paper = true};
    if (!make_folders(out, a)) return DLS_EXIT_BAD_USE;
    r.page = fopen("/dev/null", "w"); // only the files of the figures are wanted
    if (!r.page || !dls_made_open(&made, out, a) || !dls_report_rank(&r))
        return dls_complain("out of memory");
    dls_report_profiles(&r);
    dls_report_precision(&r);
    fclose(r.page);
    dls_paper_tables(&r);
    write_bib(&r);
    write_archive(&r);
    char pdfs[DLS_PDFS_TOLD];
    dls_report_pdfs(&made, "figures/", pdfs);
    if (!dls_made_close(&made)) return dls_report_unmade(&made);
    dls_say("%s: %d figures as CSV, pgfplots and SVG%s; tables, solvers.bib, "
            "campaign.zip\n",
            out, r.figures, pdfs);
    return DLS_EXIT_GOOD;
}
