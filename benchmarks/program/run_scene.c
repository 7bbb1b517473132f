// SPDX-License-Identifier: Apache-2.0
// The main run of an example: one step after the other, files and checkpoints beside.
#include "problems/mechanics/checkpoint.h"
#include "problems/preparation/state.h"

#include "base/clock.h"

#include "benchmarks/program/run_job.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"

static void show(struct dls_run_job *job, const struct dls_sim *sim)
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

static void hide(struct dls_run_job *job)
{
    if (job->terminal && job->shown > 0) fputs("\r\033[K", stderr);
    job->shown = 0;
}

// What a checkpoint of this run holds beside its state.
static struct dls_checkpoint checkpoint_of(const struct dls_run_job *job)
{
    return (struct dls_checkpoint){.title = job->title, .watched = job->watched};
}

static enum dls_status save(struct dls_run_job *job, const struct dls_sim *sim,
                            struct dls_error *err)
{
    struct dls_checkpoint c = checkpoint_of(job);
    dls_run_files_mark(&job->files, &c);
    job->saved = dls_clock();
    return dls_checkpoint_write(sim, &c, job->checkpoint, err);
}

// --- race ----------------------------------------------------------------------------

static enum dls_status open_race(struct dls_run_job *job, const struct dls_sim *sim,
                                 struct dls_error *err)
{
    if (!job->race) return DLS_OK;
    job->lanes = (struct dls_race){
        .specs = job->race,
        .settings = sim->setup.settings,
        .cold = sim->setup.cold,
        .csv_path = dls_args_text(job->args, "race-csv"),
        .arena = job->args->arena,
    };
    return dls_race_open(&job->lanes, err);
}

static enum dls_status race_step(struct dls_run_job *job, const struct dls_sim *sim,
                                 struct dls_error *err)
{
    const struct dls_step *s = &sim->last;
    int contacts = s->problem.contacts;
    if (!job->race || !contacts) return DLS_OK;
    return dls_race_step(&job->lanes, &s->problem, dls_step_names(s), sim->steps, err);
}

// The curves of a race on the page: residual of each solver.
static void follow_race(struct dls_run_job *job)
{
    int count = job->race ? job->race->count : 0;
    struct dls_arena *a = job->args->arena;
    const char **names = DLS_NEW(a, const char *, count);
    job->naturals = DLS_NEW(a, double, count);
    if (!job->film || !count || a->failed) return;
    for (int k = 0; k < count; k++) names[k] = job->race->all[k].label;
    struct dls_film_chart chart = {.title = "natural residual of each solver",
                                   .log = true,
                                   .count = count,
                                   .live = job->naturals};
    dls_film_follow(job->film, chart, names);
}

// --- pictures ------------------------------------------------------------------------

static enum dls_status open_film(struct dls_run_job *job, const struct dls_sim *sim,
                                 struct dls_error *err)
{
    struct dls_arena *a = job->args->arena;
    if (!dls_args_has(job->args, "page")) return DLS_OK;
    const struct dls_settings *set = &sim->setup.settings;
    const char *rule = job->counted ? dls_text(a, "%ld sweeps a step", set->max_iter)
                                    : dls_text(a, "tolerance %g", set->tol);
    job->film = DLS_NEW(a, struct dls_film, 1);
    if (!job->film) return dls_fail(err, DLS_ENOMEM, "out of memory");
    *job->film = (struct dls_film){
        .title = job->example->name,
        .about = dls_text(a, "%s. Scheme %s, solver %s, step %g, %s. %s.",
                          job->example->brief, sim->setup.scheme->name,
                          sim->setup.solver->name, sim->h, rule, job->example->paper),
        .scene = &job->scene,
        .wanted = job->options->frames,
        .arena = a,
    };
    enum dls_status status = dls_film_open(job->film, sim, job->scene.end);
    return status ? dls_fail(err, status, "--page: out of memory") : DLS_OK;
}

static enum dls_status take_picture(struct dls_run_job *job, const struct dls_sim *sim,
                                    struct dls_error *err)
{
    const char *path = dls_args_text(job->args, "svg");
    if (!path || job->pictured) return DLS_OK;
    job->pictured = true;
    return dls_film_picture(sim, path, err);
}

static enum dls_status show_step(struct dls_run_job *job, const struct dls_sim *sim,
                                 struct dls_error *err)
{
    for (int k = 0; job->race && k < job->race->count; k++)
        job->naturals[k] = job->lanes.racer[k].natural;
    enum dls_status status = job->film ? dls_film_step(job->film, sim) : DLS_OK;
    if (status) return dls_fail(err, status, "--page: out of memory");
    bool due = sim->t >= job->options->at - 0.5 * sim->h;
    return due ? take_picture(job, sim, err) : DLS_OK;
}

// At the end, also of a run that was stopped.
static enum dls_status finish_pictures(struct dls_run_job *job,
                                       const struct dls_sim *sim, struct dls_error *err)
{
    enum dls_status status = take_picture(job, sim, err);
    if (status || !job->film) return status;
    return dls_film_write(job->film, dls_args_text(job->args, "page"), err);
}

// --- from the first step to the last -------------------------------------------------

// Files, race and page; the state of the checkpoint where the run is resumed.
static enum dls_status begin(struct dls_run_job *job, struct dls_sim *sim,
                             struct dls_error *err)
{
    const struct dls_args *args = job->args;
    job->files = (struct dls_run_files){
        .name = job->example->name,
        .title = job->title,
        .scene = &job->scene,
        .csv_path = dls_args_text(args, "csv"),
        .vtk = dls_args_text(args, "vtk"),
        .record = dls_args_text(args, "record"),
        .every = job->options->every,
        .hardest = job->options->hardest,
    };
    job->observe = (struct dls_run_observe){
        .path = dls_args_text(args, "observe-csv"),
        .centres_path = dls_args_text(args, "centres"),
        .every = job->options->every,
        .arena = args->arena,
    };
    enum dls_status status = dls_run_observe_prepare(
        &job->observe, dls_args_text(args, "observe"), sim, &job->watched, err);
    struct dls_checkpoint from = checkpoint_of(job);
    if (!status && dls_args_has(args, "resume"))
        status = dls_checkpoint_read(sim, &from, job->checkpoint, err);
    if (!status) status = dls_run_files_open(&job->files, sim, &from, err);
    if (!status) status = dls_run_observe_open(&job->observe, sim, err);
    if (!status) status = open_race(job, sim, err);
    if (!status) status = open_film(job, sim, err);
    if (!status) follow_race(job);
    job->saved = dls_clock();
    return status;
}

static enum dls_status follow(struct dls_run_job *job, struct dls_sim *sim,
                              struct dls_error *err)
{
    bool keep = dls_args_text(job->args, "checkpoint");
    enum dls_status status = dls_run_files_step(&job->files, sim, err);
    if (!status) status = dls_run_observe_step(&job->observe, sim, err);
    if (!status) status = race_step(job, sim, err);
    if (!status) status = show_step(job, sim, err);
    if (!status && keep && dls_clock() - job->saved > 5) // seconds
        status = save(job, sim, err);
    show(job, sim);
    return status;
}

// Prints what the run was, saves and draws its end, closes the files. DLS_STOPPED stays
// what it is where nothing fails.
static enum dls_status finish(struct dls_run_job *job, struct dls_sim *sim,
                              enum dls_status status, struct dls_error *err)
{
    const struct dls_args *args = job->args;
    bool stopped = status == DLS_STOPPED, whole = !status || stopped;
    hide(job);
    if (whole) dls_run_summary(job, sim);
    if (job->lanes.racer) dls_race_summary(&job->lanes, stdout);
    if (stopped || (whole && dls_args_text(args, "checkpoint"))) {
        status = save(job, sim, err);
        if (!status && stopped)
            fprintf(stderr, "delassus: stopped; --resume goes on from %s\n",
                    job->checkpoint);
    }
    if (!status && dls_args_text(args, "save-state"))
        status = dls_state_write(sim, dls_args_text(args, "save-state"), err);
    if (!status) status = finish_pictures(job, sim, err);
    enum dls_status closed = dls_run_files_close(&job->files, err);
    if (!closed) closed = dls_run_observe_close(&job->observe, err);
    if (!closed) closed = dls_race_close(&job->lanes, err);
    if (!status) status = closed;
    return status ? status : stopped ? DLS_STOPPED : DLS_OK;
}

static enum dls_status go(struct dls_run_job *job, struct dls_sim *sim,
                          struct dls_error *err)
{
    enum dls_status status = DLS_OK;
    while (!status && sim->t < job->scene.end - 0.5 * sim->h) {
        if (dls_cancelled) return DLS_STOPPED;
        status = dls_sim_step(sim, err);
        if (!status) status = follow(job, sim, err);
    }
    return status;
}

int dls_run_scene(struct dls_run_job *job)
{
    struct dls_arena *a = job->args->arena;
    struct dls_setup setup;
    struct dls_error err = {"out of memory"};
    struct dls_sim sim = {0};
    enum dls_status status = dls_scene_setup(&setup, &job->scene, &job->asked, a, &err);
    if (!status)
        status = dls_sim_open(&sim, job->scene.system, &setup, job->scene.q,
                              job->scene.v, a);
    if (!status) status = begin(job, &sim, &err);
    if (!status) status = go(job, &sim, &err);
    status = finish(job, &sim, status, &err);
    bool finished = !status && dls_run_may_fall_short(job, sim.unconverged, sim.steps);
    dls_sim_close(&sim);
    if (status && status != DLS_STOPPED) return dls_complain("%s", err.text);
    if (job->lanes.racer) finished &= dls_race_solved(&job->lanes);
    return finished ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}

// --- the same beside the main run of a check -----------------------------------------

static enum dls_status open_beside(struct dls_sim *sim,
                                   const struct dls_watched *watched, void *data,
                                   struct dls_error *err)
{
    struct dls_run_job *job = data;
    job->watched = *watched;
    return begin(job, sim, err);
}

static enum dls_status step_beside(struct dls_sim *sim, void *data,
                                   struct dls_error *err)
{
    return follow(data, sim, err);
}

static enum dls_status close_beside(struct dls_sim *sim, enum dls_status status,
                                    void *data, struct dls_error *err)
{
    return finish(data, sim, status, err);
}

struct dls_beside dls_run_beside(struct dls_run_job *job)
{
    return (struct dls_beside){open_beside, step_beside, close_beside, job};
}
