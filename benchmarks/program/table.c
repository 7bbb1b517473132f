// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/program/table.h"

#include <math.h>
#include <string.h>

#include "benchmarks/terminal/commands.h"

// Statuses from DLS_EIO = -4 to DLS_INFEASIBLE = 9 as bits 0 to 13.
static unsigned status_bit(enum dls_status status)
{
    return 1u << ((int)status - (int)DLS_ECRASHED); // the least
}

struct dls_table dls_table_start(FILE *out, const struct dls_specs *specs)
{
    struct dls_table t = {.out = out, .colour = dls_colours_of(out), .width = 8};
    for (int k = 0; k < specs->count; k++) {
        int length = (int)strlen(specs->all[k].label);
        if (length > t.width) t.width = length;
        if (specs->all[k].solver->takes->residual) t.own = true;
    }
    return t;
}

static void print_heading(struct dls_table *t)
{
    fprintf(t->out, "%s  %-*s  %-11s %10s %9s %9s %9s", t->colour.bold, t->width,
            "solver", "status", "iterations", "natural", "merit", "gap");
    if (t->own) fprintf(t->out, " %9s", "own");
    fprintf(t->out, " %8s %8s %13s %6s %6s %6s%s\n", "time", "check", "dissipation ",
            "open", "stick", "slip", t->colour.off);
    t->begun = true;
}

static void print_group(struct dls_table *t, const struct dls_record *r)
{
    const struct dls_problem *p = r->problem;
    double lo = INFINITY, hi = 0;
    for (int k = 0; k < p->contacts; k++) {
        lo = fmin(lo, p->mu[k]);
        hi = fmax(hi, p->mu[k]);
    }
    char sizes[64];
    fputs(t->colour.bold, t->out);
    dls_print_text(t->out, r->name);
    fprintf(t->out, "%s: %s", t->colour.off, dls_format_contacts(p, sizes));
    if (dls_problem_is_global(p)) fprintf(t->out, ", %d velocities", p->n);
    if (p->joints) fprintf(t->out, ", %d joint rows", p->joints);
    if (p->contacts)
        fprintf(t->out, lo < hi ? ", mu %.3g ... %.3g" : ", mu %.3g", lo, hi);
    fputc('\n', t->out);
    t->file = r->file;
}

static const char *status_colour(const struct dls_table *t, enum dls_status status)
{
    return status == DLS_OK ? t->colour.good
           : status > 0     ? t->colour.warn
                            : t->colour.bad;
}

// True when there is an answer whose numbers mean something.
static bool has_answer(enum dls_status status)
{
    return status >= 0 && status != DLS_UNSUPPORTED;
}

static void print_numbers(struct dls_table *t, const struct dls_record *r)
{
    const struct dls_stats *s = r->stats;
    char natural[16], merit[16], gap[16], own[16], time[16], check[16], energy[16];
    bool known = isfinite(s->energy.work), doubtful = dls_record_is_doubtful(r);
    double spent = s->build_time + s->create_time + s->solve_time;
    fprintf(t->out, " %10ld %9s %8s%c %9s", s->iterations,
            dls_format_real(s->measures.natural, natural),
            dls_format_real(s->measures.merit, merit), doubtful ? '!' : ' ',
            dls_format_real(s->measures.bipotential, gap));
    if (t->own) fprintf(t->out, " %9s", dls_format_real(s->own, own));
    fprintf(t->out, " %8s %8s %12s%c %6d %6d %6d", dls_format_time(spent, time),
            dls_format_time(s->check_time, check),
            dls_format_real(known ? -s->energy.work : s->energy.free_work, energy),
            known ? ' ' : 'f', s->measures.open, s->measures.stick, s->measures.slip);
    if (s->relaxes) fprintf(t->out, "  relaxation: %s", s->relaxes);
    t->doubtful |= doubtful;
    t->free |= !known;
}

void dls_table_row(struct dls_table *t, const struct dls_record *r)
{
    const struct dls_stats *s = r->stats;
    if (!t->begun) print_heading(t);
    if (t->file != r->file) print_group(t, r);
    fprintf(t->out, "  %-*s  %s%-11s%s", t->width, r->spec->label,
            status_colour(t, s->status), dls_status_name(s->status), t->colour.off);
    bool news = s->message[0] && strcmp(s->message, dls_status_text(s->status));
    if (has_answer(s->status)) {
        print_numbers(t, r);
        if (news && s->status != DLS_OK)
            fprintf(t->out, "\n  %*s  %s%s%s", t->width, "", t->colour.dim, s->message,
                    t->colour.off);
    } else if (news) {
        fprintf(t->out, "  %s%s%s", t->colour.dim, s->message, t->colour.off);
    }
    fputc('\n', t->out);
    if (s->work.note[0])
        fprintf(t->out, "  %*s  %s%s%s\n", t->width, "", t->colour.dim, s->work.note,
                t->colour.off);
    fflush(t->out);
    t->statuses |= status_bit(s->status);
}

void dls_table_legend(const struct dls_table *t, const struct dls_settings *settings)
{
    static const enum dls_status all[] = {
#define DLS_STATUS_LIST(id, number, name, text) id,
        DLS_STATUS(DLS_STATUS_LIST)
#undef DLS_STATUS_LIST
    };
    FILE *out = t->out;
    if (!t->begun) return;
    fprintf(out, "\n%s", t->colour.dim);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (t->statuses & status_bit(all[k]))
            fprintf(out, "%-11s  %s\n", dls_status_name(all[k]),
                    dls_status_text(all[k]));
    fprintf(
        out,
        "natural      distance from the law of friction, relative to |q|; merit: the "
        "same in energy units\n"
        "             (both measured by the judge, not by the solver; the tolerance "
        "%g applies to %s)\n",
        settings->tol, dls_measure_name(settings->measure));
    if (settings->measure == DLS_CORRECTION)
        fputs(
            "correction   Moreau's own test: one step changes no impulse by more than "
            "the tolerance times the\n"
            "             largest; how far the law is then, the columns tell\n",
            out);
    fputs("gap          of De Saxcé's bipotential, sum |u.r + mu r_N |u_T||, over the "
          "energy of the free velocity\n",
          out);
    if (t->own)
        fputs("own          residual of what the solver solves, where that is another "
              "problem\n",
              out);
    fputs("time         building and solving; check: the judge's time, not counted\n"
          "dissipation  energy lost in the contacts during the step, in the snapshot's "
          "own units; clearly\n"
          "             negative: the law of impact creates energy here\n"
          "open stick slip  how many contacts part, hold, slide\n",
          out);
    if (t->free)
        fputs("f            the velocity before the step is not known, hence no "
              "dissipation: work relative to\n"
              "             free motion, -(1/2 r.W r + sum mu r_N |u_T|)\n",
              out);
    if (t->doubtful)
        fputs(
            "!            passes one measure while the other is above 100 tolerances: "
            "badly scaled, look twice\n",
            out);
    fprintf(out, "%s\n", t->colour.off);
}
