// SPDX-License-Identifier: Apache-2.0
// `delassus run`: an example of a paper, step by step, with its checks.
#define _POSIX_C_SOURCE 200809L // fileno, isatty

#include "problems/examples/example.h"
#include "problems/mechanics/checkpoint.h"

#include "base/clock.h"

#include <string.h>
#include <unistd.h>

#include "benchmarks/program/run_files.h"
#include "benchmarks/program/run_observe.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/spec.h"

struct run_options {
    double scale, step, end, tol, max_time, spoil;
    int every, hardest;
};

static const struct dls_option run_options[] = {
    DLS_REAL(run_options, scale, 1, 1e-6, 1, "size of the example, 1 = the paper's"),
    DLS_REAL(run_options, step, 0, 0, 1e3, "length of a time step; 0 = the example's"),
    DLS_REAL(run_options, end, 0, 0, 1e9, "duration; 0 = the example's"),
    DLS_REAL(run_options, tol, 1e-12, 0, 1, "natural residual of every step"),
    DLS_REAL(run_options, max_time, 60, 0, 1e9, "seconds for one step problem"),
    DLS_REAL(run_options, spoil, 0, -0.5, 0.5,
             "with --check: relative error put into the law's coefficients, to see "
             "whether the checks notice"),
    DLS_INT(run_options, every, 1, 1, 1000000000, "steps between files"),
    DLS_INT(run_options, hardest, 0, 0, DLS_HARDEST,
            "record only so many snapshots, those that took most iterations"),
    {0},
};

// Everything that was asked for.
struct job {
    const struct dls_args *args;
    const struct run_options *options;
    const struct dls_example *example;
    struct dls_asked asked;
    struct dls_scene scene;
    const char *title; // of checkpoints
    const char *checkpoint;
    struct dls_run_observe observe;
    double saved; // dls_clock() of the last checkpoint
    bool terminal;
    double shown;
};

// --- what is asked -------------------------------------------------------------------

static int unknown_example(const char *name)
{
    char hint[96];
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

static enum dls_status parse(struct job *job, struct dls_error *err)
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
    setup->settings.tol = job->options->tol;
    setup->settings.max_time = job->options->max_time;
    setup->settings.cancel = &dls_cancelled;
    job->asked.options = options;
    job->asked.scale = job->options->scale;
    enum dls_status status = DLS_OK;
    for (int at = 0; !status && (set = dls_args_next(args, "set", &at));)
        status = dls_setting_apply(example->options, options, set, example->name, err);
    if (!status && scheme) status = parse_scheme(setup, scheme, args->arena, err);
    if (!status) status = parse_solver(setup, solver, args->arena, err);
    if (!status) status = example->make(&job->scene, &job->asked, args->arena, err);
    if (status) return status;
    if (job->options->step > 0) job->scene.h = job->options->step;
    if (job->options->end > 0) job->scene.end = job->options->end;
    job->title = dls_text(args->arena, "%s scale %.17g step %.17g scheme %s solver %s",
                          example->name, job->asked.scale, job->scene.h,
                          scheme ? scheme : job->scene.scheme, solver);
    for (int at = 0; (set = dls_args_next(args, "set", &at)) && job->title;)
        job->title = dls_text(args->arena, "%s %s", job->title, set);
    const char *path = dls_args_text(args, "checkpoint");
    job->checkpoint =
        path ? path : dls_text(args->arena, "%s.checkpoint", example->name);
    return args->arena->failed ? DLS_ENOMEM : DLS_OK;
}

// --- the run -------------------------------------------------------------------------

static void show(struct job *job, const struct dls_sim *sim)
{
    double now = dls_clock();
    if (!job->terminal || now - job->shown < 0.1) return; // seconds between rewrites
    char residual[16];
    fprintf(stderr, "\r\033[K%s  t = %.4g of %.4g  step %ld  %d contacts  natural %s",
            job->example->name, sim->t, job->scene.end, sim->steps,
            sim->last.problem.contacts,
            dls_format_real(sim->last.measures.natural, residual));
    fflush(stderr);
    job->shown = now;
}

static void hide(struct job *job)
{
    if (job->terminal && job->shown > 0) fputs("\r\033[K", stderr);
    job->shown = 0;
}

static enum dls_status save(struct job *job, const struct dls_sim *sim,
                            struct dls_run_files *files, struct dls_error *err)
{
    struct dls_checkpoint c = {.title = job->title};
    dls_run_files_mark(files, &c);
    job->saved = dls_clock();
    return dls_checkpoint_write(sim, &c, job->checkpoint, err);
}

static enum dls_status go(struct job *job, struct dls_sim *sim,
                          struct dls_run_files *files, struct dls_error *err)
{
    bool keep = dls_args_text(job->args, "checkpoint");
    enum dls_status status = DLS_OK;
    job->saved = dls_clock();
    while (!status && sim->t < job->scene.end - 0.5 * sim->h) {
        if (dls_cancelled) return DLS_STOPPED;
        status = dls_sim_step(sim, err);
        if (!status) status = dls_run_files_step(files, sim, err);
        if (!status) status = dls_run_observe_step(&job->observe, sim, err);
        if (!status && keep && dls_clock() - job->saved > 5) // seconds
            status = save(job, sim, files, err);
        show(job, sim);
    }
    return status;
}

static void print_ledger(const struct dls_sim *sim)
{
    const struct dls_ledger *l = &sim->ledger;
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"kinetic energy, start", l->kinetic_start},
        {"kinetic energy, end", l->kinetic},
        {"potential energy, start", l->potential_start},
        {"potential energy, end", l->potential},
        {"contact work, normal", l->normal},
        {"contact work, tangential", l->tangential},
        {"work of applied forces", l->external},
        {"work of gyroscopic terms", l->gyroscopic},
        {"work of obstacles", l->obstacles},
        {"work of joints", l->joints},
        {"change of inertia", l->inertia},
        {"unexplained", l->defect},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        printf("  %-26s % .9e\n", rows[k].name, rows[k].value);
}

static void print_summary(const struct job *job, const struct dls_sim *sim)
{
    const struct dls_ledger *l = &sim->ledger;
    printf("%s: %ld steps of %g to t = %g, scheme %s, solver %s\n", job->example->name,
           sim->steps, sim->h, sim->t, sim->setup.scheme->name,
           sim->setup.solver->name);
    print_ledger(sim);
    printf("  worst residual %.1e, %ld steps short of the tolerance\n",
           sim->worst_residual, sim->unconverged);
    if (sim->relaxes)
        printf("  the solver's law is another one (%s); natural residual up to %.1e\n",
               sim->relaxes, sim->worst_natural);
    printf("  deepest penetration %.3e\n", sim->worst_penetration);
    if (l->flagged)
        printf("  contact work positive in %ld steps, most %.3e at t = %g\n",
               l->flagged, l->worst_work, l->worst_time);
}

static int run_scene(struct job *job)
{
    const struct dls_args *args = job->args;
    struct dls_run_files files = {
        .name = job->example->name,
        .scene = &job->scene,
        .csv_path = dls_args_text(args, "csv"),
        .vtk = dls_args_text(args, "vtk"),
        .record = dls_args_text(args, "record"),
        .every = job->options->every,
        .hardest = job->options->hardest,
        .arena = args->arena,
    };
    struct dls_setup setup;
    struct dls_checkpoint from = {.title = job->title};
    struct dls_error err = {"out of memory"};
    struct dls_sim sim = {0};
    enum dls_status status =
        dls_scene_setup(&setup, &job->scene, &job->asked, args->arena, &err);
    if (!status)
        status = dls_sim_open(&sim, job->scene.system, &setup, job->scene.q,
                              job->scene.v, args->arena);
    if (!status && dls_args_has(args, "resume"))
        status = dls_checkpoint_read(&sim, &from, job->checkpoint, &err);
    if (!status) status = dls_run_files_open(&files, &from, &err);
    job->observe = (struct dls_run_observe){
        .path = dls_args_text(args, "observe-csv"),
        .every = job->options->every,
        .arena = args->arena,
    };
    if (!status)
        status = dls_run_observe_open(&job->observe, dls_args_text(args, "observe"),
                                      &sim, &err);
    if (!status) status = go(job, &sim, &files, &err);
    hide(job);
    if (!status || status == DLS_STOPPED) print_summary(job, &sim);
    bool finished = !status && sim.unconverged == 0;
    if (status == DLS_STOPPED || (!status && dls_args_text(args, "checkpoint"))) {
        bool stopped = status == DLS_STOPPED;
        status = save(job, &sim, &files, &err);
        if (!status && stopped)
            fprintf(stderr, "delassus: stopped; --resume goes on from %s\n",
                    job->checkpoint);
    }
    enum dls_status closed = dls_run_files_close(&files, &err);
    if (!closed) closed = dls_run_observe_close(&job->observe, &err);
    dls_sim_close(&sim);
    if (status || closed) return dls_complain("%s", err.text);
    return finished ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}

// --- checks --------------------------------------------------------------------------

static void print_check(const struct dls_check *check, void *data)
{
    const struct dls_colours *c = data;
    char expected[64];
    if (check->kind == DLS_CHECK_NEAR)
        snprintf(expected, sizeof expected, "%.8g +- %.2g", check->expected,
                 check->tolerance);
    else
        snprintf(expected, sizeof expected, "%s %.8g",
                 check->kind == DLS_CHECK_AT_MOST ? "<=" : ">=", check->expected);
    printf("%s%s%s  %-52s %15.8g  %-24s %s%s%s\n", check->passed ? c->good : c->bad,
           check->passed ? "pass" : "FAIL", c->off, check->what, check->value, expected,
           c->dim, check->reason, c->off);
    fflush(stdout);
}

static int run_checks(struct job *job)
{
    struct dls_colours colours = dls_colours_of(stdout);
    struct dls_checks checks = {
        .arena = job->args->arena,
        .made = print_check,
        .data = &colours,
    };
    struct dls_error err = {"out of memory"};
    struct dls_tally tally = {0};
    job->asked.spoil = job->options->spoil;
    job->asked.tally = &tally;
    printf("      %-52s %15s  %-24s %s\n", "check", "value", "expected",
           "why this tolerance");
    enum dls_status status =
        job->example->check(&checks, &job->asked, job->args->arena, &err);
    if (status == DLS_STOPPED) return DLS_EXIT_FAILED;
    if (status) return dls_complain("%s: %s", job->example->name, err.text);
    if (tally.steps)
        dls_check_most(&checks, "steps short of the tolerance, over all runs",
                       (double)tally.unconverged, 0, "a run that was not solved");
    int passed = 0;
    for (int k = 0; k < checks.count; k++) passed += checks.all[k].passed;
    printf("%s: %d of %d checks passed\n", job->example->name, passed, checks.count);
    return checks.count && passed == checks.count ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}

// Why --check cannot do what is asked, or NULL.
static const char *unfit_for_checks(const struct job *job)
{
    if (!job->example->check) return "has no checks";
    if (dls_args_has(job->args, "scheme") || job->options->step > 0
        || job->options->end > 0)
        return "--check makes its own runs; leave out --scheme, --step and --end";
    return NULL;
}

static int run(const struct dls_args *args)
{
    struct job job = {
        .args = args,
        .options = args->options,
        .example = dls_example_find(args->names[0]),
        .terminal = isatty(fileno(stderr)),
    };
    struct dls_error err = {"out of memory"};
    if (!job.example) return unknown_example(args->names[0]);
    if (parse(&job, &err)) return dls_complain("%s", err.text);
    dls_cancel_on_signal();
    bool files = dls_args_has(args, "observe-csv") || dls_args_has(args, "csv")
                 || dls_args_has(args, "vtk") || dls_args_has(args, "record")
                 || dls_args_has(args, "resume");
    bool check = dls_args_has(args, "check");
    const char *unfit = check ? unfit_for_checks(&job) : NULL;
    if (unfit) return dls_complain("%s: %s", job.example->name, unfit);
    int code = files || !check ? run_scene(&job) : DLS_EXIT_GOOD;
    return check && code == DLS_EXIT_GOOD ? run_checks(&job) : code;
}

static void more_help(FILE *out)
{
    fputs("\nMeasures of --observe\n", out);
    for (const struct dls_observer *o = dls_observers; o->name; o++)
        fprintf(out, "  %s%-*s %s\n", o->name, (int)(16 - strlen(o->name)),
                o->takes_number ? "=K" : "", o->brief);
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
    {"set", "OPTION=X", "an option of the example; may be repeated"},
    {"check", NULL, "print the table of checks; exit 0 only if all pass"},
    {"csv", "FILE", "observables, energies and measures, one row a step"},
    {"observe", "LIST", "measures on rigid bodies, as stress,track=0; listed below"},
    {"observe-csv", "FILE", "where they go, one row every --every steps"},
    {"record", "DIR", "write the step problems as snapshots"},
    {"vtk", "DIR", "write bodies and contact forces for ParaView"},
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
        "their own schemes, steps and durations.\n"
        "Ctrl-C leaves complete files and a checkpoint.",
    .flags = run_flags,
    .options = run_options,
    .options_size = sizeof(struct run_options),
    .least = 1,
    .most = 1,
    .more_help = more_help,
    .run = run,
};
