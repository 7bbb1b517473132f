// SPDX-License-Identifier: Apache-2.0
// `run --halve`: Moreau's test of the step length [Moreau1994, 2; Moreau2004, 7.5].
//
// Several collisions of one contact within a step count as one, so a long step may
// underestimate the energy that they lose. The run is repeated with half the step, and the
// curves of energy over time are compared where both have a value:
//
//     dE = (T + V) at h/2 minus (T + V) at h,      in shares of  max T + V - min T + V
//
// or of the largest T where energy is conserved. Both runs go side by side.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "benchmarks/program/run_job.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"

enum { WHOLE, HALF, RUNS };

struct halve {
    struct dls_run_job *job;
    struct dls_sim sim[RUNS];
    double least, most, kinetic; // of T + V, and largest T, in either run
    double worst, worst_at;      // dE of largest size, and when
    double area;                 // integral of |dE|
    FILE *csv;
};

static double energy_of(const struct dls_sim *sim)
{
    return sim->ledger.kinetic + sim->ledger.potential;
}

static void compare(struct halve *c)
{
    for (int k = 0; k < RUNS; k++) {
        double energy = energy_of(&c->sim[k]);
        c->least = fmin(c->least, energy);
        c->most = fmax(c->most, energy);
        c->kinetic = fmax(c->kinetic, c->sim[k].ledger.kinetic);
    }
    double apart = energy_of(&c->sim[HALF]) - energy_of(&c->sim[WHOLE]);
    c->area += c->sim[WHOLE].h * fabs(apart);
    if (fabs(apart) > fabs(c->worst)) c->worst = apart, c->worst_at = c->sim[WHOLE].t;
}

static void write_row(struct halve *c)
{
    const struct dls_cell cells[] = {
        dls_cell_real("t", c->sim[WHOLE].t),
        dls_cell_real("energy", energy_of(&c->sim[WHOLE])),
        dls_cell_real("energy_half", energy_of(&c->sim[HALF])),
        dls_cell_real("contact_work",
                      c->sim[WHOLE].ledger.normal + c->sim[WHOLE].ledger.tangential),
        dls_cell_real("contact_work_half",
                      c->sim[HALF].ledger.normal + c->sim[HALF].ledger.tangential),
    };
    enum { CELLS = sizeof cells / sizeof *cells };
    if (!c->csv) return;
    if (!ftell(c->csv)) dls_print_csv_names(c->csv, cells, CELLS);
    dls_print_csv(c->csv, cells, CELLS);
}

static enum dls_status open_runs(struct halve *c, struct dls_error *err)
{
    const struct dls_run_job *job = c->job;
    const char *path = dls_args_text(job->args, "csv");
    struct dls_setup setup;
    enum dls_status status =
        dls_scene_setup(&setup, &job->scene, &job->asked, job->args->arena, err);
    for (int k = 0; k < RUNS && !status; k++) {
        if (k == HALF) setup.h *= 0.5;
        status = dls_sim_open(&c->sim[k], job->scene.system, &setup, job->scene.q,
                              job->scene.v, job->args->arena);
    }
    if (status) return status;
    c->least = c->most = energy_of(&c->sim[WHOLE]);
    if (path && !(c->csv = fopen(path, "w")))
        return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    return DLS_OK;
}

static enum dls_status go(struct halve *c, struct dls_error *err)
{
    const struct dls_sim *whole = &c->sim[WHOLE];
    while (whole->t < c->job->scene.end - 0.5 * whole->h) {
        for (int k = 0; k < 3; k++) { // one step, and two halves
            if (dls_cancelled) return DLS_STOPPED;
            enum dls_status status = dls_sim_step(&c->sim[k ? HALF : WHOLE], err);
            if (status) return status;
        }
        compare(c);
        write_row(c);
    }
    return c->csv && ferror(c->csv) ? dls_fail(err, DLS_EIO, "the disk is full")
                                    : DLS_OK;
}

static void print(const struct halve *c)
{
    const struct dls_sim *whole = &c->sim[WHOLE], *half = &c->sim[HALF];
    double range = c->most - c->least;
    // Below this, a difference of energies is rounding.
    bool conserved = range <= 1e-9 * c->kinetic;
    double scale = conserved ? c->kinetic : range;
    const struct {
        const char *name;
        double whole, half;
    } rows[] = {
        {"T + V, end", energy_of(whole), energy_of(half)},
        {"contact work, normal", whole->ledger.normal, half->ledger.normal},
        {"contact work, tangential", whole->ledger.tangential, half->ledger.tangential},
        {"deepest penetration", whole->worst_penetration, half->worst_penetration},
    };
    printf("%s to t = %g, scheme %s: with steps of %g and of half that\n",
           c->job->example->name, whole->t, whole->setup.scheme->name, whole->h);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        printf("  %-26s % .9e % .9e\n", rows[k].name, rows[k].whole, rows[k].half);
    printf("  %ld of %ld and %ld of %ld steps short of the tolerance\n",
           whole->unconverged, whole->steps, half->unconverged, half->steps);
    if (!(scale > 0)) return;
    printf(
        "energy curves apart by at most %.2e (t = %g) and %.2e on average, in shares "
        "of %s, %.3g\n",
        fabs(c->worst) / scale, c->worst_at, c->area / whole->t / scale,
        conserved ? "the largest kinetic energy" : "the range of T + V", scale);
}

int dls_run_halve(struct dls_run_job *job)
{
    struct halve c = {.job = job};
    struct dls_error err = {"out of memory"};
    enum dls_status status = open_runs(&c, &err);
    if (!status) status = go(&c, &err);
    bool solved = !status;
    if (!status || status == DLS_STOPPED) print(&c);
    for (int k = 0; k < RUNS; k++) {
        struct dls_sim *sim = &c.sim[k];
        solved &= dls_run_may_fall_short(job, sim->unconverged, sim->steps);
        if (sim->arena) dls_sim_close(sim);
    }
    if (c.csv && fclose(c.csv)) return dls_complain("--csv: it cannot be written");
    if (status && status != DLS_STOPPED) return dls_complain("%s", err.text);
    return solved ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}
