// SPDX-License-Identifier: Apache-2.0
// `delassus report`: the page and the figures of a campaign, made anew from its rows.
#define _POSIX_C_SOURCE 200809L

#include "benchmarks/report/report.h"

#include "base/file.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/paper.h"
#include "benchmarks/terminal/cli.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"

extern char **environ;

enum conversion { CONVERTED, FAILED, ABSENT };

static enum conversion convert(const char *svg, const char *pdf)
{
    char *const words[] = {"rsvg-convert", "-f",        "pdf", "-o",
                           (char *)pdf,    (char *)svg, NULL};
    pid_t child;
    int status;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ)) return ABSENT;
    return waitpid(child, &status, 0) == child && WIFEXITED(status)
                   && !WEXITSTATUS(status)
               ? CONVERTED
               : FAILED;
}

// Convergence curves stay SVG: there may be thousands.
void dls_report_pdfs(struct dls_made *m, const char *folder, char told[DLS_PDFS_TOLD])
{
    int made = 0, figures = m->count;
    enum conversion end = CONVERTED;
    for (int k = 0; k < figures && !m->failed && end == CONVERTED; k++) {
        const char *name = m->file[k].name;
        size_t length = strlen(name), inside = strlen(folder);
        if (!m->file[k].again || strncmp(name, folder, inside) || length < 4
            || strcmp(name + length - 4, ".svg")
            || !strncmp(name + inside, "convergence-", 12))
            continue;
        const char *pdf = dls_text(m->arena, "%.*s.pdf", (int)strlen(name) - 4, name);
        const char *svg = dls_text(m->arena, "%s/%s", m->folder, name);
        const char *beside = pdf ? dls_made_beside(m, pdf) : NULL;
        if (!beside || !svg) continue;
        end = convert(svg, beside);
        if (end == CONVERTED)
            dls_made_place(m, pdf), made++;
        else
            unlink(beside), dls_file_forget(beside);
    }
    int length = made ? snprintf(told, DLS_PDFS_TOLD, ", %d as PDF", made) : 0;
    snprintf(told + length, (size_t)(DLS_PDFS_TOLD - length), "%s",
             end == ABSENT   ? "; no PDF: rsvg-convert (librsvg2-bin) was not found"
             : end == FAILED ? "; PDF: rsvg-convert failed"
                             : "");
}

static void write_page(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    const char *title = dls_text(r->arena, "%s: contact solvers compared", c->name);
    dls_html_open(r->page, title ? title : c->name, c->solvers);
    dls_report_choose_curves(r);
    if (r->arena->failed) return;
    dls_report_head(r);
    fputs("<div class='body'>\n", r->page);
    dls_report_legend(r);
    dls_report_profiles(r);
    dls_report_precision(r);
    dls_report_lenses(r);
    dls_report_classes(r);
    dls_report_pairs(r);
    dls_report_peers(r);
    dls_report_failures(r);
    dls_report_energy(r);
    dls_report_problems(r);
    fputs("</div>\n", r->page);
    dls_report_facts(r);
    dls_html_close(r->page);
}

// What could not be written, in one sentence.
int dls_report_unmade(const struct dls_made *m)
{
    if (m->arena->failed) return dls_complain("%s: out of memory", m->folder);
    if (m->failed)
        return dls_complain("%s: a page or figure was not written: %s", m->folder,
                            strerror(m->error));
    return dls_complain("%s/%s was not made by this program, or was changed since: it "
                        "is left alone; move it away",
                        m->folder, m->foreign);
}

int dls_report_make(const char *folder, bool pdf, struct dls_arena *a)
{
    struct dls_error err;
    struct dls_ledger ledger;
    struct dls_made made;
    if (dls_ledger_read(&ledger, folder, a, &err)) return dls_complain("%s", err.text);
    struct dls_report report = {.campaign = &ledger, .arena = a, .made = &made};
    const char *plots = dls_text(a, "%s/plots", folder);
    if (!plots || !dls_made_open(&made, folder, a) || !dls_report_rank(&report))
        return dls_complain("out of memory");
    int error = dls_folder_make(plots, a);
    if (error) return dls_complain("%s: %s", plots, strerror(error));
    report.page = dls_made_begin(&made, "report.html");
    if (!report.page) return dls_report_unmade(&made);
    write_page(&report);
    dls_made_end(&made, report.page, "report.html");
    char pdfs[DLS_PDFS_TOLD] = "";
    if (pdf) dls_report_pdfs(&made, "plots/", pdfs);
    if (!dls_made_close(&made)) return dls_report_unmade(&made);
    dls_say("%s/report.html\n%s: %d figures as SVG%s\n", folder, plots, report.figures,
            pdfs);
    return DLS_EXIT_GOOD;
}

static int run(const struct dls_args *args)
{
    const char *paper = dls_args_text(args, "paper");
    if (paper) return dls_paper_make(args->names[0], paper, args->arena);
    return dls_report_make(args->names[0], !dls_args_has(args, "no-pdf"), args->arena);
}

static const struct dls_flag report_flags[] = {
    {"no-pdf", NULL, "only SVG figures"},
    {"paper", "OUT", "fill the folder OUT for a paper instead of making the page"},
    {0},
};

const struct dls_command dls_command_report = {
    .name = "report",
    .usage = "DIR [--no-pdf] [--paper OUT]",
    .brief = "make the page and the figures of a campaign",
    .details =
        "Reads DIR/results.csv, DIR/history and DIR/campaign.json as 'delassus bench'\n"
        "writes them, and makes DIR/report.html and DIR/plots anew. The page stands\n"
        "alone: it can be sent by mail and needs no network. A campaign that is still\n"
        "under way can be looked at too.\n"
        "\n"
        "--paper: LaTeX tables (booktabs) of the standings, of all problems and by "
        "class;\n"
        "every curve as CSV, pgfplots and a figure 84 mm wide that needs no colours; "
        "BibTeX\n"
        "of the solvers; and campaign.zip with rows, histories, environment and "
        "checksums.",
    .flags = report_flags,
    .least = 1,
    .most = 1,
    .run = run,
};
