// SPDX-License-Identifier: Apache-2.0
// The top of the page: what was run, who won, the standings, the legend; and its foot:
// the machine and the measures.
#include <math.h>
#include <string.h>

#include "benchmarks/report/html.h"
#include "benchmarks/report/report.h"
#include "benchmarks/report/svg.h"
#include "benchmarks/terminal/output.h"

// The names of the solvers with the largest count, "a, b and c"; returns their number.
static int print_leaders(struct dls_report *r, const int *count, int most)
{
    int leaders = 0, shown = 0;
    for (int k = 0; k < r->campaign->solvers; k++)
        leaders += count[r->order[k]] == most;
    for (int k = 0; k < r->campaign->solvers && shown < 3; k++) {
        if (count[r->order[k]] != most) continue;
        fputs(!shown ? "" : shown + 1 == leaders ? " and " : ", ", r->page);
        fputs("<b>", r->page);
        dls_xml_text(r->page, dls_report_name(r, k));
        fputs("</b>", r->page);
        shown++;
    }
    if (leaders > 3) fprintf(r->page, " and %d more", leaders - 3);
    return leaders;
}

static int largest(const int *count, int size)
{
    int most = 0;
    for (int k = 0; k < size; k++)
        if (count[k] > most) most = count[k];
    return most;
}

// What nobody solved: the names of up to three problems, else their number.
static void print_unsolved(struct dls_report *r, const struct dls_standing *st)
{
    if (!st->time.unsolved) {
        fputs(" Every problem is solved by someone.", r->page);
        return;
    }
    fputs(" Solved by nobody: <a href='#problems'>", r->page);
    if (st->time.unsolved > 3) fprintf(r->page, "%d", st->time.unsolved);
    for (int k = 0, shown = 0; st->time.unsolved <= 3 && k < st->count; k++) {
        if (isfinite(st->time.best[k])) continue;
        fputs(shown++ ? ", " : "", r->page);
        dls_xml_text(r->page, r->campaign->problem[st->problem[k]].name);
    }
    fputs("</a>.", r->page);
}

// "1e-8: newton solved most: 14 of 15, ..."
static void print_verdict(struct dls_report *r, int t)
{
    const struct dls_standing *st = &r->standing[t];
    int solvers = r->campaign->solvers, most = largest(st->time.solved, solvers),
        wins = largest(st->time.wins, solvers);
    fputs("<li><span class='tol'>", r->page);
    dls_html_tol(r->page, r->campaign->tol[t]);
    fputs("</span> ", r->page);
    if (!most) {
        fprintf(r->page, "Nobody solves any of %d problems.</li>\n", st->count);
        return;
    }
    int leaders = print_leaders(r, st->time.solved, most);
    fprintf(r->page, " solved most: <b>%d of %d</b>", most, st->count);
    for (int s = 0; leaders == 1 && s < solvers; s++)
        if (st->time.solved[s] == most)
            fprintf(r->page, ", in %.2g times the fastest time (geometric mean)",
                    st->time.mean[s]);
    fputs(". Most often fastest: ", r->page);
    print_leaders(r, st->time.wins, wins);
    fprintf(r->page, ", on %d.", wins);
    print_unsolved(r, st);
    fputs("</li>\n", r->page);
}

static void print_chip(FILE *out, const char *name, const char *value)
{
    if (!value || !*value) return;
    fprintf(out, "<div><dt>%s</dt><dd>", name);
    dls_xml_text(out, value);
    fputs("</dd></div>\n", out);
}

// Where rows of several builds of a solver meet: their times and verdicts do not compare.
static void print_builds(struct dls_report *r, int rank)
{
    enum { MOST = 8 };
    const struct dls_ledger *c = r->campaign;
    const char *build[MOST];
    int rows[MOST] = {0}, count = 0;
    for (int k = 0; k < c->problems * c->tols; k++) {
        const struct dls_result *row = dls_report_at(r, k / c->tols, rank, k % c->tols);
        int at = 0;
        if (!row || !*row->build) continue;
        while (at < count && strcmp(build[at], row->build)) at++;
        if (at == MOST) continue;
        if (at == count) build[count++] = row->build;
        rows[at]++;
    }
    if (count < 2) return;
    fputs("<p class='note warn'>Rows of several builds of ", r->page);
    dls_xml_text(r->page, dls_report_name(r, rank));
    fputs(" meet here: ", r->page);
    for (int k = 0; k < count; k++) {
        fprintf(r->page, "%s%d of ", k ? ", " : "", rows[k]);
        dls_xml_text(r->page, build[k]);
    }
    fputs(".</p>\n", r->page);
}

// Processor time was counted, in every row.
static bool counts_work(struct dls_report *r)
{
    const char *clock = dls_facts_find(&r->campaign->made, "clock");
    return clock && !strcmp(clock, "cpu");
}

static void print_doubts(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    int loaded = 0;
    for (int k = 0; k < c->solvers; k++) print_builds(r, k);
    for (int k = 0; k < c->problems * c->solvers * c->tols; k++)
        loaded += c->result[k] && c->result[k]->loaded;
    if (loaded)
        fprintf(r->page,
                "<p class='note warn'>%d of %d rows were made while the machine was "
                "loaded (more processes than cores, or time taken by other guests): "
                "%s. They are marked *.</p>\n",
                loaded, c->rows,
                counts_work(r) ? "times are processor time, which waiting does not "
                                 "enter but shared caches do"
                               : "their times may be too long");
}

static void print_chips(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    char time[16];
    fputs("<dl class='chips'>", r->page);
    print_chip(r->page, "suite", dls_facts_find(&c->asked, "suite"));
    print_chip(r->page, "problems", dls_text(r->arena, "%d", c->problems));
    print_chip(r->page, "solvers", dls_text(r->arena, "%d", c->solvers));
    print_chip(r->page, "rows", dls_text(r->arena, "%d", c->rows));
    if (c->max_time > 0)
        print_chip(r->page, "time limit",
                   dls_text(r->arena, "%s", dls_format_time(c->max_time, time)));
    if (counts_work(r)) print_chip(r->page, "times", "processor time");
    print_chip(r->page, "residual", c->measure);
    print_chip(r->page, "processor", dls_facts_find(&c->made, "cpu"));
    print_chip(r->page, "machine", dls_facts_find(&c->made, "machine"));
    print_chip(r->page, "compiler", dls_facts_find(&c->made, "compiler"));
    print_chip(r->page, "commit", dls_facts_find(&c->made, "commit"));
    print_chip(r->page, "last start", dls_facts_find(&c->asked, "started"));
    fputs("</dl>\n", r->page);
    int expected = c->problems * c->solvers * c->tols;
    if (c->rows < expected)
        fprintf(r->page,
                "<p class='note warn'>Under way: %d of %d rows are there. Profiles use "
                "the problems that every solver has run.</p>\n",
                c->rows, expected);
    print_doubts(r);
    if (c->dropped)
        fputs("<p class='note warn'>Damaged rows were left out.</p>\n", r->page);
}

static void print_standing_heads(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    fputs("<thead><tr class='group'><th rowspan='2'>solver</th>", r->page);
    for (int t = c->tols - 1; t >= 0; t--) {
        fputs("<th colspan='5'>residual below ", r->page);
        dls_html_tol(r->page, c->tol[t]);
        fputs("</th>", r->page);
    }
    fputs("</tr><tr>", r->page);
    for (int t = 0; t < c->tols; t++)
        fputs("<th class='edge'>solved</th>"
              "<th title='share of problems where it is the fastest'>"
              "\xCF\x81(1)</th><th title='share of problems solved'>"
              "\xCF\x81(\xE2\x88\x9E)</th>"
              "<th title='geometric mean of time over the fastest, where it solved'>"
              "\xC3\x97 fastest</th><th title='shifted geometric mean of the time over "
              "all problems, failures charged'>mean time</th>",
              r->page);
    fputs("</tr></thead><tbody>\n", r->page);
}

static void print_standing(struct dls_report *r, int rank, int t)
{
    const struct dls_standing *st = &r->standing[t];
    const struct dls_profile *f = &st->time;
    int s = r->order[rank];
    double share = dls_profile_share(f, s, INFINITY);
    fprintf(r->page,
            "<td class='edge' data-v='%d'><span class='bar'><i class='k%d' "
            "style='width:%.1f%%'></i></span> %d",
            f->solved[s], rank % DLS_COLOURS, 100 * share, f->solved[s]);
    if (st->taken[s] < st->count)
        fprintf(r->page, " <small>of %d taken</small>", st->taken[s]);
    fputs("</td>", r->page);
    fprintf(r->page, "<td class='num'>%.2f</td><td class='num'>%.2f</td>",
            dls_profile_share(f, s, 1), share);
    dls_html_cell_ratio(r->page, f->mean[s]);
    dls_html_cell(r->page, f->charged[s], DLS_UNIT_SECONDS);
}

static void print_solver(struct dls_report *r, int rank)
{
    const char *relaxes = dls_ledger_relaxes(r->campaign, r->order[rank]);
    fputs("<th scope='row'>", r->page);
    dls_svg_sample(r->page, rank);
    fputs(" ", r->page);
    dls_xml_text(r->page, dls_report_name(r, rank));
    if (relaxes) {
        fputs(" <span class='tag' title='solves another problem; judged by the Coulomb "
              "residual like all others'>",
              r->page);
        dls_xml_text(r->page, relaxes);
        fputs("</span>", r->page);
    }
    fputs("</th>", r->page);
}

void dls_report_head(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    fputs(
        "<header><p class='kicker'>Delassus \xC2\xB7 contact solvers compared</p><h1>",
        r->page);
    dls_xml_text(r->page, c->name);
    fputs("</h1>\n<ul class='verdict'>\n", r->page);
    for (int t = c->tols - 1; t >= 0; t--) print_verdict(r, t);
    fputs("</ul>\n", r->page);
    print_chips(r);
    fputs("<nav><a href='#standings'>Standings</a><a href='#profiles'>Profiles</a>"
          "<a href='#precision'>Precision</a><a href='#classes'>Who wins where</a>"
          "<a href='#accuracy'>Accuracy</a><a href='#losses'>Where we lose</a>"
          "<a href='#claims'>Claims</a><a href='#failures'>Failures</a><a "
          "href='#energy'>Energy</a>"
          "<a href='#problems'>Problems</a><a href='#facts'>Machine and measures</a>"
          "</nav></header>\n",
          r->page);
    dls_html_section(r->page, "standings", "Standings");
    fputs(
        "<p class='about'>\xCF\x81(1): share of problems where the solver is fastest; "
        "\xCF\x81(\xE2\x88\x9E): share it solves; problems that it does not take "
        "count as not solved. \xC3\x97 fastest: geometric mean of its time over the "
        "fastest solver's, where it solved. Mean time: shifted geometric mean over all "
        "problems (shift 10 ms), where each failure is charged 10 time limits. No "
        "solver judges itself: all residuals are the harness's. A dashed frame, and "
        "\xE2\x80\xA0 in legends, tell who solves something else than Coulomb's "
        "law.</p>\n",
        r->page);
    dls_html_table(r->page, "standings sortable", false);
    print_standing_heads(r);
    for (int k = 0; k < c->solvers; k++) {
        fputs("<tr>", r->page);
        print_solver(r, k);
        for (int t = c->tols - 1; t >= 0; t--) print_standing(r, k, t);
        fputs("</tr>\n", r->page);
    }
    dls_html_table_end(r->page);
    fputs("</section>\n", r->page);
}

void dls_report_legend(struct dls_report *r)
{
    fputs("<div class='legend' role='group' aria-label='solvers shown'>\n"
          "<span class='hint'>tap to hide</span>",
          r->page);
    for (int k = 0; k < r->campaign->solvers; k++) {
        fprintf(r->page, "<label class='l%d'><input type='checkbox' id='t%d' data-n='",
                k, k);
        dls_xml_text(r->page, dls_report_name(r, k));
        fputs("' checked>", r->page);
        dls_svg_sample(r->page, k);
        fputs("<span>", r->page);
        dls_xml_text(r->page, dls_report_name(r, k));
        if (dls_ledger_relaxes(r->campaign, r->order[k]))
            fputs(
                "<abbr title='solves another problem; judged by the Coulomb residual'>"
                "\xE2\x80\xA0</abbr>",
                r->page);
        fputs("</span></label>\n", r->page);
    }
    fputs("</div>\n", r->page);
}

static void print_fact(FILE *out, const char *name, const char *value, int rows)
{
    fputs("<tr><th scope='row'>", out);
    dls_xml_text(out, name);
    fputs("</th><td>", out);
    dls_xml_text(out, value);
    if (rows) fprintf(out, " <small>(%d rows)</small>", rows);
    fputs("</td></tr>\n", out);
}

static int count_values(const struct dls_facts *facts, const char *name)
{
    int count = 0;
    for (int k = 0; k < facts->count; k++) count += !strcmp(facts->fact[k].name, name);
    return count;
}

// What was asked, then what the rows say of themselves: each name once, unless rows differ.
static void print_facts(struct dls_report *r)
{
    const struct dls_facts *asked = &r->campaign->asked, *made = &r->campaign->made;
    for (int k = 0; k < asked->count; k++)
        if (!count_values(made, asked->fact[k].name))
            print_fact(r->page, asked->fact[k].name, asked->fact[k].value, 0);
    for (int k = 0; k < made->count; k++)
        print_fact(
            r->page, made->fact[k].name, made->fact[k].value,
            count_values(made, made->fact[k].name) > 1 ? r->campaign->made_rows[k] : 0);
}

void dls_report_facts(struct dls_report *r)
{
    dls_html_section(r->page, "facts", "Machine and measures");
    fputs("<p class='about'>natural: |r \xE2\x88\x92 P<sub>K</sub>(r \xE2\x88\x92 u "
          "\xE2\x88\x92 \xCE\xBC|u<sub>T</sub>| e<sub>N</sub>)| / |q|; merit: the same "
          "in "
          "units of energy, unchanged when units change. Both are computed from the "
          "original problem, whatever the solver says. Time is building, creating and "
          "solving, the least of the repeats; checking is not counted; times below a "
          "microsecond count as one. The rows are in <a "
          "href='results.csv'>results.csv</a>.</p>\n",
          r->page);
    dls_html_table(r->page, "facts", false);
    fputs("<tbody>", r->page);
    print_facts(r);
    dls_html_table_end(r->page);
    fputs("</section>\n", r->page);
}
