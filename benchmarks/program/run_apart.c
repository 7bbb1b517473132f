// SPDX-License-Identifier: Apache-2.0
// `run --race LIST --apart`: every solver on a trajectory of its own, and how far each
// goes from that of the first one.
//
//   distance = max_k |x_k - x_k^first| over the centres of bodies
//   energy   = T + V minus that of the first, over the largest T + V - V(0) so far
//
// A distance is told in sizes of the scene: how far a body reaches from the centre of the
// first one; a single body's way is part of it.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "benchmarks/program/run_job.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"

enum { MARKS = 3 };
static const double marks[MARKS] = {1e-9, 1e-6, 1e-3}; // of the size of the scene

// One trajectory.
struct lane {
    const struct dls_spec *spec;
    struct dls_sim sim;
    double distance, energy; // from the first, now
    double parted[MARKS];    // when the distance passed each mark; NAN = never
};

struct apart {
    struct dls_run_job *job;
    int count;
    struct lane *lane;
    double size, scale; // of the scene, of its energy
    FILE *csv;
};

static dls_vec3 centre(const struct dls_sim *sim, int body)
{
    const struct dls_system *s = sim->system;
    if (s->place) return s->place(s, sim->q, body);
    return (dls_vec3){sim->q[0], s->nq > 1 ? sim->q[1] : 0, 0};
}

static int bodies_of(const struct dls_sim *sim)
{
    return sim->system->bodies > 0 ? sim->system->bodies : 1;
}

// The largest distance of a body from a place.
static void grow(struct apart *a, const struct dls_sim *sim, dls_vec3 from)
{
    const struct dls_rigid *r = dls_rigid_of(sim->system);
    for (int k = 0; k < bodies_of(sim); k++) {
        double reach = dls_vec3_norm(dls_vec3_sub(centre(sim, k), from));
        a->size = fmax(a->size, reach + (r ? r->shape[k].bound : 0));
    }
}

static void compare(struct apart *a, struct lane *lane)
{
    const struct dls_sim *first = &a->lane[0].sim, *sim = &lane->sim;
    double energy = sim->ledger.kinetic + sim->ledger.potential;
    double other = first->ledger.kinetic + first->ledger.potential;
    a->scale = fmax(a->scale, fabs(other - first->ledger.potential_start));
    lane->energy = a->scale > 0 ? (energy - other) / a->scale : 0;
    lane->distance = 0;
    for (int k = 0; k < bodies_of(sim); k++)
        lane->distance =
            fmax(lane->distance,
                 dls_vec3_norm(dls_vec3_sub(centre(sim, k), centre(first, k))));
    for (int i = 0; i < MARKS; i++)
        if (isnan(lane->parted[i]) && lane->distance > marks[i] * a->size)
            lane->parted[i] = sim->t;
}

static void write_row(struct apart *a, const struct lane *lane)
{
    const struct dls_sim *sim = &lane->sim;
    const struct dls_ledger *l = &sim->ledger;
    const struct dls_cell cells[] = {
        dls_cell_count("step", sim->steps),
        dls_cell_real("t", sim->t),
        dls_cell_text("solver", lane->spec->label),
        dls_cell_count("contacts", sim->last.problem.contacts),
        dls_cell_text("status", dls_status_name(sim->last.status)),
        dls_cell_real("natural", sim->last.measures.natural),
        dls_cell_real("merit", sim->last.measures.merit),
        dls_cell_count("iterations", sim->last.iterations),
        dls_cell_real("kinetic", l->kinetic),
        dls_cell_real("potential", l->potential),
        dls_cell_real("work_normal", l->normal),
        dls_cell_real("work_tangential", l->tangential),
        dls_cell_count("flagged", l->flagged),
        dls_cell_real("distance", lane->distance),
        dls_cell_real("energy_apart", lane->energy),
    };
    enum { CELLS = sizeof cells / sizeof *cells };
    if (!a->csv) return;
    if (!ftell(a->csv)) dls_print_csv_names(a->csv, cells, CELLS);
    dls_print_csv(a->csv, cells, CELLS);
}

static enum dls_status open_lanes(struct apart *a, struct dls_error *err)
{
    if (a->job->scene.system->population)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "--apart: bodies come and go in %s, which one trajectory at a "
                        "time can follow; leave it out",
                        a->job->example->name);
    struct dls_run_job *job = a->job;
    struct dls_setup setup;
    const char *path = dls_args_text(job->args, "race-csv");
    a->lane = DLS_NEW(job->args->arena, struct lane, a->count);
    if (!a->lane) return dls_fail(err, DLS_ENOMEM, "out of memory");
    enum dls_status status =
        dls_scene_setup(&setup, &job->scene, &job->asked, job->args->arena, err);
    for (int k = 0; k < a->count && !status; k++) {
        struct lane *lane = &a->lane[k];
        lane->spec = &job->race->all[k];
        setup.natural = false; // a row has the merit too
        setup.solver = lane->spec->solver;
        setup.solver_options = lane->spec->options;
        for (int i = 0; i < MARKS; i++) lane->parted[i] = NAN;
        status = dls_sim_open(&lane->sim, job->scene.system, &setup, job->scene.q,
                              job->scene.v, job->args->arena);
    }
    if (status) return status;
    grow(a, &a->lane[0].sim, centre(&a->lane[0].sim, 0));
    if (path && !(a->csv = fopen(path, "w")))
        return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    return DLS_OK;
}

static enum dls_status go(struct apart *a, struct dls_error *err)
{
    struct dls_sim *first = &a->lane[0].sim;
    dls_vec3 start = centre(first, 0);
    while (first->t < a->job->scene.end - 0.5 * first->h) {
        for (int k = 0; k < a->count; k++) {
            if (dls_cancelled) return DLS_STOPPED;
            enum dls_status status = dls_sim_step(&a->lane[k].sim, err);
            if (status) return status;
        }
        if (bodies_of(first) == 1) grow(a, first, start);
        for (int k = 0; k < a->count; k++) {
            compare(a, &a->lane[k]);
            write_row(a, &a->lane[k]);
        }
    }
    return a->csv && ferror(a->csv) ? dls_fail(err, DLS_EIO, "the disk is full")
                                    : DLS_OK;
}

static void print(const struct apart *a)
{
    int wide = 6;
    char text[MARKS][16], median[16], worst[16];
    for (int k = 0; k < a->count; k++)
        wide = (int)fmax(wide, (double)strlen(a->lane[k].spec->label));
    printf("%-*s  %15s  %9s  %9s  %10s  %9s %9s %9s  %10s  %10s  %7s\n", wide, "solver",
           "solved", "median", "worst", "iterations", "1e-9 at", "1e-6 at", "1e-3 at",
           "distance", "energy", "flagged");
    for (int k = 0; k < a->count; k++) {
        const struct lane *lane = &a->lane[k];
        const struct dls_sim *sim = &lane->sim;
        char solved[48];
        snprintf(solved, sizeof solved, "%ld of %ld", sim->steps - sim->unconverged,
                 sim->steps);
        for (int i = 0; i < MARKS; i++) {
            snprintf(text[i], sizeof text[i], "%.4g", lane->parted[i]);
            if (isnan(lane->parted[i])) strcpy(text[i], "-");
        }
        printf("%-*s  %15s  %9s  %9s  %10.0f  %9s %9s %9s  %10.3g  %10.3g  %7ld\n",
               wide, lane->spec->label, solved,
               dls_format_real(dls_spread_quantile(sim->residuals, 0.5), median),
               dls_format_real(sim->residuals->most, worst),
               dls_spread_quantile(sim->iterations, 0.5), text[0], text[1], text[2],
               lane->distance, lane->energy, sim->ledger.flagged);
    }
    printf(
        "iterations: median of a step; 1e-9 at, ...: the time from which a body was "
        "farther than so many\nsizes of the scene (%.3g) from where the first solver "
        "has it; distance, energy: at the end, the latter\nrelative to what there "
        "was of it\n",
        a->size);
}

int dls_run_apart(struct dls_run_job *job)
{
    struct apart a = {.job = job, .count = job->race->count};
    struct dls_error err = {"out of memory"};
    enum dls_status status = open_lanes(&a, &err);
    if (!status) status = go(&a, &err);
    bool solved = !status;
    if (!status || status == DLS_STOPPED) print(&a);
    for (int k = 0; a.lane && k < a.count; k++) {
        struct dls_sim *sim = &a.lane[k].sim;
        solved &= dls_run_may_fall_short(job, sim->unconverged, sim->steps);
        if (sim->arena) dls_sim_close(sim);
    }
    bool bad = a.csv && fclose(a.csv);
    if (bad) return dls_complain("the file of the race cannot be written");
    if (status && status != DLS_STOPPED) return dls_complain("%s", err.text);
    return solved ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}
