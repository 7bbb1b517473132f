// SPDX-License-Identifier: Apache-2.0
// The page docs/solvers.md, written from the descriptors of the solvers.
#include "solvers/solver.h"

#include "benchmarks/terminal/help.h"

static const char head[] =
    "# Solvers\n\n"
    "<!-- Written by `build/delassus help --markdown`; change the descriptors in "
    "solvers/ instead. -->\n\n"
    "A solver receives one *formulation* of the step problem and improves its answer "
    "step by step. The driver stops it, and the [judge](judge.md) measures the answer. "
    "`delassus list solvers` shows what your build has, `delassus help NAME` shows one "
    "of them. Options are given as `--solver pgs:omega=0.8`. Citations are keys of "
    "`paper/references.bib`; words such as *hyperstatic* are explained in the "
    "[glossary](glossary.md).\n\n"
    "| solver | what it is | takes |\n|---|---|---|\n";

// Text of a table's cell: a bar would end it.
static void cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text, out);
    }
}

static void option_rows(FILE *out, const struct dls_option *table)
{
    char range[80], standard[64];
    for (const struct dls_option *o = table; o && o->name; o++) {
        fprintf(out, "| `%s` | ", o->name);
        cell(out, o->help);
        fprintf(out, " | ");
        cell(out, dls_help_range(o, range));
        fprintf(out, " | %s |\n", dls_option_default(o, standard));
    }
}

static void section(FILE *out, const struct dls_solver *s)
{
    const struct dls_option *own = s->options, *form = s->takes->options;
    fprintf(out, "\n## %s\n\n%s [%s].\n\n", s->name, s->brief, s->cite);
    fprintf(out, "- **Use it:** %s\n- **It fails:** %s\n", s->use, s->fails);
    fprintf(out, "- **It takes** `%s`: %s.\n", s->takes->name, s->takes->brief);
    if (!(own && own->name) && !(form && form->name)) return;
    fprintf(out, "\n| option | meaning | range | default |\n|---|---|---|---|\n");
    option_rows(out, own);
    option_rows(out, form);
}

void dls_help_markdown(FILE *out)
{
    fputs(head, out);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++)
        fprintf(out, "| [`%s`](#%s) | %s | `%s` |\n", (*s)->name, (*s)->name,
                (*s)->brief, (*s)->takes->name);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++) section(out, *s);
}
