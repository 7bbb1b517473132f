// SPDX-License-Identifier: Apache-2.0
// `delassus report`: the page and the figures of a campaign, made anew from its rows.
#define _POSIX_C_SOURCE 200809L

#include "benchmarks/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/report/html.h"
#include "benchmarks/terminal/cli.h"
#include "benchmarks/terminal/commands.h"

extern char **environ;

static bool ends_with(const char *text, const char *ending)
{
    size_t a = strlen(text), b = strlen(ending);
    return a > b && !strcmp(text + a - b, ending);
}

// Figures of problems that are no longer in the campaign would mislead.
static bool empty_plots(const char *folder, struct dls_arena *a)
{
    if (mkdir(folder, 0777) && errno != EEXIST) return false;
    DIR *dir = opendir(folder);
    if (!dir) return false;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (ends_with(entry->d_name, ".svg") || ends_with(entry->d_name, ".pdf")) {
            const char *path = dls_text(a, "%s/%s", folder, entry->d_name);
            if (path) unlink(path);
        }
    closedir(dir);
    return true;
}

// True when the converter ran and was content.
static bool convert(const char *svg, const char *pdf)
{
    char *const words[] = {"rsvg-convert", "-f",        "pdf", "-o",
                           (char *)pdf,    (char *)svg, NULL};
    pid_t child;
    int status;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ)) return false;
    return waitpid(child, &status, 0) == child && WIFEXITED(status)
           && !WEXITSTATUS(status);
}

// PDF of the figures for papers (convergence curves stay SVG: there may be thousands);
// returns how many were made, -1 without a converter.
static int make_pdfs(const char *folder, struct dls_arena *a)
{
    int made = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (!ends_with(name, ".svg") || !strncmp(name, "convergence-", 12)) continue;
        const char *svg = dls_text(a, "%s/%s", folder, name);
        const char *pdf =
            dls_text(a, "%s/%.*s.pdf", folder, (int)strlen(name) - 4, name);
        if (!svg || !pdf || !convert(svg, pdf)) break;
        made++;
    }
    if (dir) closedir(dir);
    return made ? made : -1;
}

static void write_page(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    const char *title = dls_text(r->arena, "%s: contact solvers compared", c->name);
    dls_html_open(r->page, title ? title : c->name, c->solvers);
    dls_report_head(r);
    fputs("<div class='body'>\n", r->page);
    dls_report_legend(r);
    dls_report_profiles(r);
    dls_report_precision(r);
    dls_report_classes(r);
    dls_report_pairs(r);
    dls_report_failures(r);
    dls_report_energy(r);
    dls_report_problems(r);
    fputs("</div>\n", r->page);
    dls_report_facts(r);
    dls_html_close(r->page);
}

// Writes beside the old page and then puts it in its place, so that a reader never sees
// half a page.
static int replace_page(struct dls_report *r, const char *path)
{
    const char *draft = dls_text(r->arena, "%s.new", path);
    r->page = draft ? fopen(draft, "w") : NULL;
    if (!r->page) return dls_complain("%s: %s", path, strerror(errno));
    write_page(r);
    bool bad = ferror(r->page);
    bad = fclose(r->page) || bad;
    if (r->arena->failed) return dls_complain("%s: out of memory", path);
    if (bad || rename(draft, path))
        return dls_complain("%s: %s", path, strerror(errno));
    if (r->failed) return dls_complain("%s: some figure was not written", r->plots);
    return DLS_EXIT_GOOD;
}

int dls_report_make(const char *folder, bool pdf, struct dls_arena *a)
{
    struct dls_error err;
    struct dls_ledger ledger;
    if (dls_ledger_read(&ledger, folder, a, &err)) return dls_complain("%s", err.text);
    struct dls_report report = {.campaign = &ledger, .arena = a};
    const char *page = dls_text(a, "%s/report.html", folder);
    report.plots = dls_text(a, "%s/plots", folder);
    if (a->failed || !dls_report_rank(&report)) return dls_complain("out of memory");
    if (!empty_plots(report.plots, a))
        return dls_complain("%s: %s", report.plots, strerror(errno));
    int code = replace_page(&report, page);
    if (code) return code;
    int pdfs = pdf ? make_pdfs(report.plots, a) : 0;
    printf("%s\n%s: %d figures as SVG", page, report.plots, report.figures);
    if (pdfs > 0) printf(", %d as PDF", pdfs);
    if (pdfs < 0) fputs("; no PDF: rsvg-convert (librsvg2-bin) was not found", stdout);
    putchar('\n');
    return DLS_EXIT_GOOD;
}

static int run(const struct dls_args *args)
{
    return dls_report_make(args->names[0], !dls_args_has(args, "no-pdf"), args->arena);
}

static const struct dls_flag report_flags[] = {
    {"no-pdf", NULL, "only SVG figures"},
    {0},
};

const struct dls_command dls_command_report = {
    .name = "report",
    .usage = "DIR [--no-pdf]",
    .brief = "make the page and the figures of a campaign",
    .details =
        "Reads DIR/results.csv, DIR/history and DIR/campaign.json as 'delassus bench'\n"
        "writes them, and makes DIR/report.html and DIR/plots anew. The page stands\n"
        "alone: it can be sent by mail and needs no network. A campaign that is still\n"
        "under way can be looked at too.",
    .flags = report_flags,
    .least = 1,
    .most = 1,
    .run = run,
};
