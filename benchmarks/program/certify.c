// SPDX-License-Identifier: Apache-2.0
// `delassus certify`: a reference solution with residuals in extended precision, written as
// FCLIB's `solution` group with a group `certificate` beside it.
#define _POSIX_C_SOURCE 200809L // isatty

#include "solvers/reference/certify.h"

#include "base/quad.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/program/certificate_text.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/reading.h"
#include "benchmarks/terminal/spec.h"

struct certify_options {
    double tol, max_time;
    int start, kind;
};

static const struct dls_option certify_table[] = {
    DLS_REAL(certify_options, tol, 1e-14, 0, INFINITY,
             "both residuals to reach, in extended precision"),
    DLS_REAL(certify_options, max_time, 60, 0, INFINITY, "seconds in all"),
    DLS_START(certify_options),
    DLS_KIND(certify_options),
    {0},
};

static const struct dls_flag certify_flags[] = {
    {"solver", "NAME", "the solver to start with, options as in solve (default auto)"},
    {"output", "FILE", "write the snapshot with answer and certificate (.hdf5)"},
    {"json", NULL, "one JSON object"},
    {0},
};

static void print_json(const char *name, const struct dls_problem *p,
                       const struct dls_certified *c, enum dls_status status)
{
    const struct dls_certificate *f = &c->certificate;
    int n[3];
    dls_certificate_count(f, p, n);
    const struct dls_cell cells[] = {
        dls_cell_text("problem", name),
        dls_cell_count("contacts", p->contacts),
        dls_cell_truth("certified", status == DLS_OK),
        dls_cell_real("tol", f->tol),
        dls_cell_text("existence", f->existence),
        dls_cell_real("margin", f->margin),
        dls_cell_text("solver_status", dls_status_name(c->stats.status)),
        dls_cell_text("second_solver", c->second),
        dls_cell_real("found_natural", f->found.natural),
        dls_cell_real("found_merit", f->found.merit),
        dls_cell_real("natural", f->refined.natural),
        dls_cell_real("merit", f->refined.merit),
        dls_cell_real("rounded_natural", f->rounded.natural),
        dls_cell_real("rounded_merit", f->rounded.merit),
        dls_cell_real("backward", f->backward),
        dls_cell_count("steps", c->steps),
        dls_cell_count("open", n[0]),
        dls_cell_count("stick", n[1]),
        dls_cell_count("slip", n[2]),
        dls_cell_count("weak", f->weak),
        dls_cell_real("sweep_rate", f->sweep_rate),
        dls_cell_truth("rate_settled", f->rate_settled),
        dls_cell_text("motion", f->motion),
        dls_cell_text("motion_why", f->motion_why),
        dls_cell_count("unknowns", f->unknowns),
        dls_cell_real("null_space", f->null_space < 0 ? NAN : f->null_space),
        dls_cell_real("least_natural", f->least_r ? f->least.natural : NAN),
        dls_cell_real("least_merit", f->least_r ? f->least.merit : NAN),
        dls_cell_real("solve_time", c->solve_time),
        dls_cell_real("refine_time", c->refine_time),
        dls_cell_count("residual_version", f->residual_version),
        dls_cell_text("version", DLS_VERSION),
    };
    dls_print_json(stdout, cells, sizeof cells / sizeof *cells);
}

static void print_human(const char *name, const struct dls_problem *p,
                        const struct dls_certified *c, const struct dls_spec *spec,
                        enum dls_status status)
{
    struct dls_colours colour = dls_colours_of(stdout);
    char sizes[64], one[16], two[16];
    printf("%s%s%s: %s\n", colour.bold, name, colour.off,
           dls_format_contacts(p, sizes));
    dls_existence_print(stdout, &c->existence);
    printf("  solver       %s%s%s: %s, %s; refined in %d steps, %s%s%s\n", spec->label,
           c->second ? ", then " : "", c->second ? c->second : "",
           dls_status_name(c->stats.status), dls_format_time(c->solve_time, one),
           c->steps, dls_format_time(c->refine_time, two),
           c->refine_note[0] ? "; " : "", c->refine_note);
    dls_certificate_print(stdout, &c->certificate, p, c->r, c->null_note,
                          c->least_note);
    const struct dls_certificate *f = &c->certificate;
    if (status == DLS_OK && fmax(f->refined.natural, f->refined.merit) <= f->tol)
        printf("  %scertified%s    both residuals are at most %g\n", colour.good,
               colour.off, f->tol);
    else if (status == DLS_OK)
        printf("  %scertified%s    exact within the round-off of the data\n",
               colour.good, colour.off);
    else
        printf("  %sshort%s        of the tolerance %g%s\n", colour.warn, colour.off,
               f->tol, status == DLS_STOPPED ? ", interrupted" : "");
}

static enum dls_status save(const struct dls_problem *p, struct dls_certified *c,
                            const struct dls_spec *spec, const char *path,
                            struct dls_arena *a, struct dls_error *err)
{
    c->certificate.provenance =
        dls_text(a, "certified by delassus %s: %s%s%s, refined with %d bits",
                 DLS_VERSION, c->second ? c->second : spec->solver->name,
                 !c->second && *spec->changed ? " " : "",
                 c->second ? "" : spec->changed, DLS_QUAD_BITS);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    struct dls_answer answer = {
        .r = c->r,
        .u = c->u,
        .v = c->v,
        .l = c->l,
        .certificate = &c->certificate,
    };
    return dls_snapshot_write(p, path, &answer, err);
}

static int report(const struct dls_args *args, const struct dls_problem *p,
                  struct dls_certified *c, const struct dls_spec *spec,
                  enum dls_status status)
{
    const char *output = dls_args_text(args, "output");
    struct dls_error err = {""};
    const char *name = dls_file_stem(args->names[0], args->arena);
    if (dls_args_has(args, "json"))
        print_json(name, p, c, status);
    else
        print_human(name, p, c, spec, status);
    if (output && save(p, c, spec, output, args->arena, &err))
        return dls_complain("%s", err.text);
    if (output && !dls_args_has(args, "json")) dls_say("  written      %s\n", output);
    return status == DLS_OK ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}

// The one solver asked for.
static bool parse_solver(struct dls_specs *specs, const struct dls_args *args)
{
    struct dls_error err = {"out of memory"};
    const char *list = dls_args_text(args, "solver");
    enum dls_status status =
        dls_specs_parse(specs, list ? list : "auto", args->arena, &err);
    if (!status) status = dls_specs_finish(specs, args->arena);
    if (status) return dls_complain("%s", err.text), false;
    if (specs->count != 1) return dls_complain("--solver takes one solver here"), false;
    return true;
}

static bool ends_as_hdf5(const char *path)
{
    size_t length = strlen(path);
    return (length > 5 && !strcmp(path + length - 5, ".hdf5"))
           || (length > 3 && !strcmp(path + length - 3, ".h5"));
}

static int run(const struct dls_args *args)
{
    const struct certify_options *o = args->options;
    const char *file = args->names[0], *output = dls_args_text(args, "output");
    struct dls_error err = {"out of memory"};
    struct dls_problem problem;
    struct dls_specs specs;
    struct dls_certified certified;
    struct dls_watch watch = {.terminal = isatty(STDERR_FILENO), .run = 1, .runs = 1};
    if (output && !ends_as_hdf5(output))
        return dls_complain("--output: %s: ending must be .hdf5 or .h5", output);
    if (!parse_solver(&specs, args)) return DLS_EXIT_BAD_USE;
    if (dls_read_snapshot(&problem, file, (enum dls_dat_kind)o->kind, args->arena,
                          &err))
        return dls_complain("%s", err.text);
    double *start = DLS_NEW(args->arena, double, problem.m);
    if (args->arena->failed) return dls_complain("out of memory");
    if (!dls_start_fill(&problem, (enum dls_start)o->start, start))
        return dls_complain("%s: no such answer in the file to start from", file);
    watch.problem = dls_file_stem(file, args->arena);
    watch.solver = specs.all->label;
    dls_cancel_on_signal();
    enum dls_status status = dls_certify(&certified, &problem,
                                         &(struct dls_certify_settings){
                                             .solver = specs.all->solver,
                                             .options = &specs.all->options,
                                             .start = start,
                                             .tol = o->tol,
                                             .max_time = o->max_time,
                                             .cancel = &dls_cancelled,
                                             .monitor = dls_watch_monitor,
                                             .data = &watch,
                                         },
                                         args->arena, &err);
    dls_watch_clear(&watch);
    if (status < 0) return dls_complain("%s: %s", file, err.text);
    if (status != DLS_OK && status != DLS_FINISHED && status != DLS_STOPPED) {
        dls_complain("%s: %s: %s", file, specs.all->label, err.text);
        return DLS_EXIT_FAILED;
    }
    return report(args, &problem, &certified, specs.all, status);
}

static void more_help(FILE *out) { fprintf(out, "\n%s\n", dls_help_exit_codes); }

const struct dls_command dls_command_certify = {
    .name = "certify",
    .usage = "FILE [--output OUT] [--solver NAME] [--start NAME] [--tol X] [--json]",
    .brief = "a reference solution, refined and judged in extended precision",
    .details =
        "Solves as tightly as doubles allow, refines by Newton's method with residuals "
        "in\n"
        "113 bits, and reports: whether a solution had to exist, both residuals, what "
        "each\n"
        "contact does, whether Gauss-Seidel sweeps approach this answer or leave it, "
        "how\n"
        "many impulses share the motion (null space) and the shortest of them. OUT "
        "holds\n"
        "the snapshot with the answer in FCLIB's group solution and the rest in a "
        "group\n"
        "certificate, which other readers ignore; 'delassus info OUT' shows it. With\n"
        "--start solution an answer that the file brings along is certified if it is "
        "one.\n"
        "Where it can be proved, the motion is told to be unique, or isolated. Exit 0\n"
        "when both residuals are below the tolerance, or the answer is exact for W and "
        "q\n"
        "within their round-off; 1 when it is not (what was found is written), 2 for "
        "a\n"
        "bad file. Where the solver falls short, prox-newton tries after it.",
    .flags = certify_flags,
    .options = certify_table,
    .options_size = sizeof(struct certify_options),
    .least = 1,
    .most = 1,
    .more_help = more_help,
    .run = run,
};
