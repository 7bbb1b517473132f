// SPDX-License-Identifier: Apache-2.0
// `delassus run`: an example of a paper, step by step, with its checks.
#define _POSIX_C_SOURCE 200809L // fileno, isatty

#include "problems/examples/example.h"
#include "problems/generators/generator.h"
#include "problems/observe/since.h"

#include "base/sha256.h"

#include <string.h>
#include <unistd.h>

#include "benchmarks/program/run_job.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/spec.h"

static const struct dls_option run_table[] = {
    DLS_REAL(dls_run_options, scale, 1, 1e-6, 1,
             "size of the example, 1 = the paper's"),
    DLS_REAL(dls_run_options, step, 0, 0, 1e3,
             "length of a time step; 0 = the example's"),
    DLS_REAL(dls_run_options, end, 0, 0, 1e9, "duration; 0 = the example's"),
    DLS_REAL(dls_run_options, tol, 0, 0, 1,
             "residual to reach in every step; 0 = the example's, mostly 1e-12"),
    DLS_CHOICE(dls_run_options, measure, 0, DLS_MEASURE_CHOICES,
               "what the tolerance applies to"),
    DLS_INT(dls_run_options, max_iter, 0, 0, 2147483647,
            "iterations (sweeps) a step; 0 = the example's, mostly no limit"),
    DLS_REAL(dls_run_options, max_time, 60, 0, 1e9, "seconds for one step problem"),
    DLS_REAL(dls_run_options, spoil, 0, -0.5, 0.5,
             "with --check: relative error put into the law's coefficients, to see "
             "whether the checks notice"),
    DLS_THREADS(dls_run_options),
    DLS_CHOICE(dls_run_options, start, 0, "last|zero",
               "where solvers start: the last step's impulses, or zero"),
    DLS_INT(dls_run_options, frames, 200, 2, 100000, "frames of the page"),
    DLS_REAL(dls_run_options, at, INFINITY, 0, INFINITY, "time of the picture"),
    DLS_INT(dls_run_options, every, 1, 1, 1000000000, "steps between files"),
    DLS_INT(dls_run_options, hardest, 0, 0, DLS_HARDEST,
            "record only this many snapshots, those that took most iterations (or were "
            "left with the largest residuals)"),
    {0},
};

// --- what is asked -------------------------------------------------------------------

static int unknown_example(const char *name)
{
    char hint[96];
    if (dls_generator_find(name))
        return dls_complain(
            "%s is a generator of single steps, it does not run in time; "
            "see 'delassus generate %s OUT.hdf5'",
            name, name);
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_example *const *e = dls_examples; *e; e++)
        dls_nearest_try(&near, (*e)->name);
    return dls_complain("no example '%s'%s; see 'delassus list problems'", name,
                        dls_nearest_hint(&near, hint));
}

// "theta:theta=1": the scheme and its options.
static enum dls_status parse_scheme(struct dls_setup *setup, const char *text,
                                    struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = dls_setup_scheme(setup, text, a, err);
    if (setup->scheme) return status;
    char *word = dls_text(a, "%.*s", (int)strcspn(text, ":"), text), hint[96];
    struct dls_nearest near = dls_nearest_start(word ? word : "");
    for (const struct dls_scheme *const *s = dls_schemes; *s; s++)
        dls_nearest_try(&near, (*s)->name);
    return dls_fail(err, DLS_EINVAL, "no scheme '%s'%s; see 'delassus list schemes'",
                    near.word, dls_nearest_hint(&near, hint));
}

// The first solver of a race is the solver of the run.
static enum dls_status parse_race(struct dls_run_job *job, struct dls_error *err)
{
    const char *list = dls_args_text(job->args, "race");
    struct dls_setup *setup = &job->asked.setup;
    if (!list) {
        bool alone =
            dls_args_has(job->args, "apart") || dls_args_has(job->args, "race-csv");
        return alone
                   ? dls_fail(err, DLS_EINVAL, "--apart and --race-csv go with --race")
                   : DLS_OK;
    }
    if (dls_args_has(job->args, "solver"))
        return dls_fail(err, DLS_EINVAL,
                        "--race names the solvers, the first one leads; leave out "
                        "--solver");
    job->race = DLS_NEW(job->args->arena, struct dls_specs, 1);
    if (!job->race) return dls_fail(err, DLS_ENOMEM, "out of memory");
    enum dls_status status = dls_specs_parse(job->race, list, job->args->arena, err);
    if (status) return status;
    setup->solver = job->race->all[0].solver;
    setup->solver_options = job->race->all[0].options;
    return DLS_OK;
}

static enum dls_status parse_solver(struct dls_setup *setup, const char *text,
                                    struct dls_arena *a, struct dls_error *err)
{
    struct dls_specs specs;
    enum dls_status status = dls_specs_parse(&specs, text, a, err);
    if (status) return status;
    if (specs.count != 1)
        return dls_fail(err, DLS_EINVAL, "--solver takes one solver, not '%s'", text);
    setup->solver = specs.all[0].solver;
    setup->solver_options = specs.all[0].options;
    return DLS_OK;
}

// What makes the run: a checkpoint of another one is refused. The file of --from counts by
// its content.
static const char *title_of(const struct dls_run_job *job, const char *scheme,
                            const char *solver)
{
    struct dls_arena *a = job->args->arena;
    const char *set, *from = job->asked.from;
    char content[DLS_SHA256_TEXT];
    const char *title = dls_text(a, "%s scale %.17g step %.17g scheme %s solver %s",
                                 job->example->name, job->asked.scale, job->scene.h,
                                 scheme ? scheme : job->scene.scheme, solver);
    for (int at = 0; (set = dls_args_next(job->args, "set", &at)) && title;)
        title = dls_text(a, "%s %s", title, set);
    if (from && title && dls_sha256_file(from, content))
        title = dls_text(a, "%s from %.16s", title, content);
    return title;
}

static enum dls_status parse(struct dls_run_job *job, struct dls_error *err)
{
    const struct dls_args *args = job->args;
    const struct dls_example *example = job->example;
    const char *scheme = dls_args_text(args, "scheme"), *set;
    const char *solver = dls_args_text(args, "solver");
    if (!solver) solver = example->solver ? example->solver : "pgs";
    struct dls_setup *setup = &job->asked.setup;
    void *options = dls_alloc(args->arena, 1, example->options_size);
    if (!options) return dls_fail(err, DLS_ENOMEM, "out of memory");
    dls_option_defaults(example->options, options);
    *setup = dls_setup_default("moreau", 0);
    setup->scheme = NULL;
    if (example->tol > 0) setup->settings.tol = example->tol;
    if (job->options->tol > 0) setup->settings.tol = job->options->tol;
    job->counted = example->sweeps && !job->options->tol && !job->options->max_iter;
    setup->settings.measure = (enum dls_measure)job->options->measure;
    setup->settings.max_iter =
        job->options->max_iter ? job->options->max_iter : example->max_iter;
    if (example->max_iter || example->sweeps)
        setup->settings.check_every = 10; // sweeps are cheaper
    if (job->counted) {
        setup->settings.max_iter = example->sweeps;
        setup->settings.check_every = DLS_CHECK_LAST;
    }
    setup->settings.max_time = job->options->max_time;
    setup->cold = job->options->start == 1;
    setup->natural = true;
    setup->threads = job->options->threads;
    setup->settings.cancel = &dls_cancelled;
    job->asked.options = options;
    job->asked.scale = job->options->scale;
    job->asked.from = dls_args_text(args, "from");
    job->asked.resumed = dls_args_has(args, "resume");
    if (job->asked.from && !example->packs)
        return dls_fail(err, DLS_EINVAL, "%s does not start from a packing",
                        example->name);
    enum dls_status status = DLS_OK;
    for (int at = 0; !status && (set = dls_args_next(args, "set", &at));)
        status = dls_setting_apply(example->options, options, set, example->name, err);
    if (!status && scheme) status = parse_scheme(setup, scheme, args->arena, err);
    if (!status) status = parse_solver(setup, solver, args->arena, err);
    if (!status) status = parse_race(job, err);
    if (!status) status = example->make(&job->scene, &job->asked, args->arena, err);
    if (status) return status;
    job->asked.scene = &job->scene;
    if (job->options->step > 0) job->scene.h = job->options->step;
    if (job->options->end > 0) job->scene.end = job->options->end;
    job->title = title_of(job, scheme, solver);
    const char *path = dls_args_text(args, "checkpoint");
    job->checkpoint =
        path ? path : dls_text(args->arena, "%s.checkpoint", example->name);
    return args->arena->failed ? DLS_ENOMEM : DLS_OK;
}

// Why --check cannot do what is asked, or NULL.
static const char *unfit_for_checks(const struct dls_run_job *job)
{
    if (!job->example->check) return "has no checks";
    if (dls_args_has(job->args, "scheme") || job->options->step > 0
        || job->options->end > 0)
        return "--check makes its own runs; leave out --scheme, --step and --end";
    return NULL;
}

// Whether the main run is asked for beside the checks.
static bool wants_files(const struct dls_args *args)
{
    static const char *const flags[] = {"save-state", "observe-csv", "csv",
                                        "vtk",        "centres",     "record",
                                        "page",       "svg",         "resume"};
    bool wants = false;
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        wants |= dls_args_has(args, flags[k]);
    return wants;
}

// --halve has two runs and one file.
static int halve(struct dls_run_job *job)
{
    static const char *const others[] = {"save-state", "observe", "observe-csv", "vtk",
                                         "record",     "page",    "svg",         "race",
                                         "checkpoint", "resume",  "check"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (dls_args_has(job->args, others[k]))
            return dls_complain("--halve compares two runs; leave out --%s", others[k]);
    return dls_run_halve(job);
}

static int run(const struct dls_args *args)
{
    struct dls_run_job job = {
        .args = args,
        .options = args->options,
        .example = dls_example_find(args->names[0]),
        .terminal = isatty(fileno(stderr)),
    };
    struct dls_error err = {"out of memory"};
    if (!job.example) return unknown_example(args->names[0]);
    if (parse(&job, &err)) return dls_complain("%s", err.text);
    dls_cancel_on_signal();
    if (dls_args_has(args, "apart")) return dls_run_apart(&job);
    if (dls_args_has(args, "halve")) return halve(&job);
    bool files = wants_files(args);
    bool check = dls_args_has(args, "check");
    const char *unfit = check ? unfit_for_checks(&job) : NULL;
    if (unfit) return dls_complain("%s: %s", job.example->name, unfit);
    bool apart = files && !job.example->main_check; // the checks' runs are others
    int code = apart || !check ? dls_run_scene(&job) : DLS_EXIT_GOOD;
    return check && code == DLS_EXIT_GOOD ? dls_run_checks(&job) : code;
}

static void more_help(FILE *out)
{
    fputs("\nMeasures of --observe\n", out);
    for (const struct dls_observer *o = dls_observers; o->name; o++)
        fprintf(out, "  %s%-*s %s\n", o->name, (int)(16 - strlen(o->name)),
                o->takes_number ? "=K" : "", o->brief);
    for (const struct dls_since *s = dls_since_measures; s->name; s++)
        fprintf(out, "  %s%-*s %s\n", s->name, (int)(16 - strlen(s->name)),
                s->takes_number ? "=K" : "", s->brief);
    fputs("\nExamples and their options\n", out);
    for (const struct dls_example *const *e = dls_examples; *e; e++) {
        fprintf(out, "\n  %s: %s\n    %s\n", (*e)->name, (*e)->brief, (*e)->paper);
        dls_help_options(out, (*e)->options, "    ");
    }
}

static const struct dls_flag run_flags[] = {
    {"scheme", "NAME", "time-stepping scheme, as theta or theta:theta=1"},
    {"solver", "NAME",
     "solver of the step problems, as pgs:omega=1.2 (default: the example's, mostly "
     "pgs)"},
    {"race", "LIST",
     "hand every step to all these solvers; the answer of the first one counts"},
    {"apart", NULL, "with --race: each solver on a trajectory of its own"},
    {"race-csv", "FILE", "the rows of a race, one for each solver and step"},
    {"halve", NULL,
     "run a second time with half the step and compare the energies over time; --csv "
     "has both curves"},
    {"set", "OPTION=X", "an option of the example; may be repeated"},
    {"check", NULL, "print the table of checks; exit 0 only if all pass"},
    {"from", "STATE", "start from places that --save-state wrote"},
    {"save-state", "STATE", "write where the bodies are at the end"},
    {"csv", "FILE", "observables, energies and measures, one row a step"},
    {"observe", "LIST", "measures on rigid bodies, as stress,track=0; listed below"},
    {"observe-csv", "FILE", "the file for these measures, one row every --every steps"},
    {"centres", "FILE", "places of all bodies as CSV, every --every steps"},
    {"record", "DIR", "write the step problems as snapshots"},
    {"vtk", "DIR", "write bodies and contact forces for ParaView"},
    {"page", "FILE", "write the run as an HTML page: bodies that move, curves"},
    {"svg", "FILE", "write the state at --at, or at the end, as a picture"},
    {"checkpoint", "FILE", "save the state every 5 s (default NAME.checkpoint)"},
    {"resume", NULL, "go on from the checkpoint, bit for bit"},
    {0},
};

const struct dls_command dls_command_run = {
    .name = "run",
    .usage = "NAME [--check] [--scheme S] [--solver S] [--csv FILE] ...",
    .brief = "run an example of a paper, with its checks",
    .details =
        "Without output flags, --check makes only the runs that the checks need, with\n"
        "their own schemes, steps and durations. A run ends with 1 where steps fell\n"
        "short of the tolerance and the example does not allow it.\n"
        "Ctrl-C leaves complete files and a checkpoint.",
    .flags = run_flags,
    .options = run_table,
    .options_size = sizeof(struct dls_run_options),
    .least = 1,
    .most = 1,
    .more_help = more_help,
    .run = run,
};
