// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/terminal/help.h"

#include "problems/examples/example.h"
#include "problems/generators/generator.h"
#include "solvers/solver.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char dls_help_exit_codes[] =
    "Exit status: 0 all converged, all checks passed; 1 some did not; 2 bad usage or "
    "bad input.";

static const char tagline[] =
    "contact with friction: one step problem, every solver, one judge";

// What an option takes, with open ends spelled as such.
char *dls_help_range(const struct dls_option *row, char text[80])
{
    char range[64];
    const char *whole = row->type == DLS_TYPE_INT ? "integer " : "";
    bool open =
        row->type != DLS_TYPE_CHOICE
        && (isinf(row->hi) || (row->type == DLS_TYPE_INT && row->hi >= INT_MAX));
    if (open)
        snprintf(text, 80, "%s>= %g", whole, row->lo);
    else
        snprintf(text, 80, "%s", dls_option_range(row, range));
    return text;
}

void dls_help_options(FILE *out, const struct dls_option *table, const char *indent)
{
    char range[80], standard[64];
    if (!table || !table->name) fprintf(out, "%sno options\n", indent);
    for (const struct dls_option *row = table; row && row->name; row++) {
        fprintf(out, "%s%-14s %s\n", indent, row->name, row->help);
        fprintf(out, "%s%-14s %s (default %s)\n", indent, "",
                dls_help_range(row, range), dls_option_default(row, standard));
    }
}

// A text in lines of at most 80 characters; the first begins with `name`.
static void paragraph(FILE *out, const char *name, const char *text)
{
    enum { INDENT = 11, WIDTH = 80 };
    int column = fprintf(out, "  %-*s", INDENT - 2, name);
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column + word >= WIDTH) fprintf(out, "\n%*s", INDENT, ""), column = INDENT;
        column += fprintf(out, "%s%.*s", column > INDENT ? " " : "", word, text);
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

// "--max-time" from the option max_time, "-o" from the flag o.
static char *flag_text(const char *name, const char *value, char text[80])
{
    snprintf(text, 80, "%s%s%s%s", name[1] ? "--" : "-", name, value ? " " : "",
             value ? value : "");
    for (char *p = text; *p && *p != ' '; p++) *p = *p == '_' ? '-' : *p;
    return text;
}

static const char *value_name(const struct dls_option *row)
{
    return row->type == DLS_TYPE_REAL ? "X" : row->type == DLS_TYPE_INT ? "N" : "NAME";
}

void dls_help_command(FILE *out, const struct dls_command *c)
{
    char flag[80], range[80], standard[64];
    fprintf(out, "delassus %s: %s\n\n  delassus %s %s\n\n", c->name, c->brief, c->name,
            c->usage);
    if (c->details) fprintf(out, "%s\n\n", c->details);
    for (const struct dls_flag *f = c->flags; f && f->name; f++)
        fprintf(out, "  %-22s %s\n", flag_text(f->name, f->value, flag), f->help);
    for (const struct dls_option *o = c->options; o && o->name; o++)
        fprintf(out, "  %-22s %s: %s (default %s)\n",
                flag_text(o->name, value_name(o), flag), o->help,
                dls_help_range(o, range), dls_option_default(o, standard));
    fprintf(out, "  %-22s %s\n", "--help", "this text");
    if (c->more_help) c->more_help(out);
}

void dls_help_program(FILE *out)
{
    fprintf(out, "delassus %s: %s\n\n", DLS_VERSION, tagline);
    for (const struct dls_command *const *c = dls_commands; *c; c++)
        fprintf(out, "  delassus %-9s %s\n", (*c)->name, (*c)->brief);
    fprintf(out,
            "\n  delassus COMMAND --help   what a command takes\n"
            "  delassus help NAME        a solver, scheme, example or generator\n"
            "  delassus --version        versions of the program, the residual and the "
            "libraries\n"
            "  delassus --man            the man page (roff)\n\n"
            "A first try: delassus solve benchmarks/snapshots/*.hdf5 --solver all\n"
            "%s\n",
            dls_help_exit_codes);
}

const struct dls_formulation *dls_formulation_find(const char *name)
{
    for (const struct dls_solver *const *s = dls_solvers; *s; s++)
        if (!strcmp((*s)->takes->name, name)) return (*s)->takes;
    return NULL;
}

static void help_solver(FILE *out, const struct dls_solver *s)
{
    fprintf(out, "%s: %s\n\n", s->name, s->brief);
    paragraph(out, "use it", s->use);
    paragraph(out, "it fails", s->fails);
    fprintf(out, "  takes    %s: %s\n  cite     %s\n\n", s->takes->name,
            s->takes->brief, s->cite);
    fprintf(out,
            "Options, given as --solver %s:option=value or --set %s.option=value\n",
            s->name, s->name);
    dls_help_options(out, s->options, "  ");
    if (!s->takes->options || !s->takes->options->name) return;
    fprintf(out, "and of its formulation\n");
    dls_help_options(out, s->takes->options, "  ");
}

static void help_missing(FILE *out, const struct dls_missing *s)
{
    fprintf(out, "%s: %s\n\n  not in this build: %s\n", s->name, s->brief, s->how);
}

static void help_formulation(FILE *out, const struct dls_formulation *f)
{
    fprintf(out, "%s: %s\n\n  used by ", f->name, f->brief);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++)
        if ((*s)->takes == f) fprintf(out, " %s", (*s)->name);
    fprintf(out, "\n\nOptions, given as those of the solver\n");
    dls_help_options(out, f->options, "  ");
}

static void help_generator(FILE *out, const struct dls_generator *g)
{
    fprintf(out,
            "%s: %s\n\n  delassus generate %s OUT.hdf5 [--set option=value ...]\n\n",
            g->name, g->brief, g->name);
    dls_help_options(out, g->options, "  ");
}

static void help_scheme(FILE *out, const struct dls_scheme *s)
{
    fprintf(out, "%s: %s\n\n  cite     %s\n\n", s->name, s->brief, s->cite);
    fprintf(out, "Options, given as --scheme %s:option=value\n", s->name);
    dls_help_options(out, s->options, "  ");
}

static void help_example(FILE *out, const struct dls_example *e)
{
    fprintf(out,
            "%s: %s\n\n  from     %s\n\n"
            "  delassus run %s --check [--set option=value ...]\n\n",
            e->name, e->brief, e->paper, e->name);
    dls_help_options(out, e->options, "  ");
}

bool dls_help_topic(FILE *out, const char *name)
{
    const struct dls_command *command = dls_command_find(name);
    const struct dls_solver *solver = dls_solver_find(name);
    const struct dls_missing *missing = dls_missing_find(name);
    const struct dls_formulation *formulation = dls_formulation_find(name);
    const struct dls_generator *generator = dls_generator_find(name);
    const struct dls_scheme *scheme = dls_scheme_find(name);
    const struct dls_example *example = dls_example_find(name);
    if (command)
        dls_help_command(out, command);
    else if (solver)
        help_solver(out, solver);
    else if (missing)
        help_missing(out, missing);
    else if (formulation)
        help_formulation(out, formulation);
    else if (generator)
        help_generator(out, generator);
    else if (scheme)
        help_scheme(out, scheme);
    else if (example)
        help_example(out, example);
    else
        return false;
    return true;
}

// Text of a man page: backslashes, dashes and leading dots mean something to roff.
static void roff(FILE *out, const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        start = *text == '\n';
    }
    fputc('\n', out);
}

static void roff_item(FILE *out, const char *item, const char *text)
{
    fputs(".TP\n.B ", out);
    roff(out, item);
    roff(out, text);
}

static void roff_options(FILE *out, const struct dls_option *table, bool flags)
{
    char range[80], standard[64], item[80], text[512];
    for (const struct dls_option *o = table; o && o->name; o++) {
        snprintf(item, sizeof item, "%s", o->name);
        if (flags) flag_text(o->name, value_name(o), item);
        snprintf(text, sizeof text, "%s: %s (default %s)", o->help,
                 dls_help_range(o, range), dls_option_default(o, standard));
        roff_item(out, item, text);
    }
}

static void roff_command(FILE *out, const struct dls_command *c)
{
    char flag[80];
    fprintf(out, ".SS delassus %s ", c->name);
    roff(out, c->usage);
    roff(out, c->brief);
    if (c->details) fputs(".PP\n", out), roff(out, c->details);
    for (const struct dls_flag *f = c->flags; f && f->name; f++)
        roff_item(out, flag_text(f->name, f->value, flag), f->help);
    roff_options(out, c->options, true);
}

void dls_help_man(FILE *out)
{
    fprintf(out, ".TH DELASSUS 1 \"\" \"delassus %s\" \"User Commands\"\n",
            DLS_VERSION);
    fputs(".SH NAME\ndelassus \\- ", out);
    roff(out, tagline);
    fputs(".SH SYNOPSIS\n.B delassus\n.I COMMAND\n[arguments]\n.SH COMMANDS\n", out);
    for (const struct dls_command *const *c = dls_commands; *c; c++)
        roff_command(out, *c);
    fputs(".SH SOLVERS\n", out);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++) {
        fprintf(out, ".SS ");
        roff(out, (*s)->name);
        roff(out, (*s)->brief);
        roff_item(out, "use it", (*s)->use);
        roff_item(out, "it fails", (*s)->fails);
        roff_options(out, (*s)->options, false);
        roff_options(out, (*s)->takes->options, false);
    }
    fputs(".SH GENERATORS\n", out);
    for (const struct dls_generator *const *g = dls_generators; *g; g++) {
        fprintf(out, ".SS ");
        roff(out, (*g)->name);
        roff(out, (*g)->brief);
        roff_options(out, (*g)->options, false);
    }
    fputs(".SH SCHEMES\n", out);
    for (const struct dls_scheme *const *s = dls_schemes; *s; s++) {
        fprintf(out, ".SS ");
        roff(out, (*s)->name);
        roff(out, (*s)->brief);
        roff_options(out, (*s)->options, false);
    }
    fputs(".SH EXAMPLES\n", out);
    for (const struct dls_example *const *e = dls_examples; *e; e++) {
        fprintf(out, ".SS ");
        roff(out, (*e)->name);
        roff(out, (*e)->brief);
        roff(out, (*e)->paper);
        roff_options(out, (*e)->options, false);
    }
    fputs(".SH EXIT STATUS\n", out);
    roff(out, dls_help_exit_codes);
}
