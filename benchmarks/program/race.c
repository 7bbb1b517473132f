// SPDX-License-Identifier: Apache-2.0
// A race: each step problem of a sequence is handed to every solver, under one judge.
//
// In a run all start from the leader's last impulses, matched by the identity of the
// contacts, and the leader's answer is what moved the system: rows differ by the solver
// alone. In a sequence of files each starts from its own last answer, as it would in a
// run of its own. Times are those of building, creating and solving.
//
// A step is flagged where contacts gain energy, by more than the residual explains:
// contact work > 10 max(natural, tol) |work relative to free motion|.
#include "benchmarks/program/race.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/terminal/output.h"

enum dls_status dls_race_open(struct dls_race *race, struct dls_error *err)
{
    dls_sequence_open(&race->sequence, NULL);
    race->racer = DLS_NEW(race->arena, struct dls_racer, race->specs->count);
    for (int k = 0; k < 2; k++) race->memory[k] = dls_arena_scratch(race->arena);
    if (!race->racer) return dls_fail(err, DLS_ENOMEM, "out of memory");
    race->csv = race->csv_path ? fopen(race->csv_path, "w") : NULL;
    if (race->csv_path && !race->csv)
        return dls_fail(err, DLS_EIO, "%.180s: %s", race->csv_path, strerror(errno));
    return DLS_OK;
}

// --- one step ------------------------------------------------------------------------

static bool is_flagged(const struct dls_race *race, const struct dls_stats *s)
{
    double error = 10 * fmax(s->measures.natural, race->settings.tol);
    return s->energy.work > error * fabs(s->energy.free_work);
}

static void write_row(struct dls_race *race, int k, const struct dls_problem *p,
                      long step, const struct dls_stats *s)
{
    const struct dls_racer *racer = &race->racer[k];
    const struct dls_cell cells[] = {
        dls_cell_count("step", step),
        dls_cell_real("t", p->time),
        dls_cell_text("solver", race->specs->all[k].label),
        dls_cell_count("contacts", p->contacts),
        dls_cell_text("status", dls_status_name(s->status)),
        dls_cell_real("natural", s->measures.natural),
        dls_cell_real("merit", s->measures.merit),
        dls_cell_real("time", racer->seconds),
        dls_cell_count("iterations", s->iterations),
        dls_cell_real("work_normal", s->energy.normal),
        dls_cell_real("work_tangential", s->energy.tangential),
        dls_cell_truth("flagged", is_flagged(race, s)),
    };
    enum { CELLS = sizeof cells / sizeof *cells };
    if (!race->csv) return;
    if (!ftell(race->csv)) dls_print_csv_names(race->csv, cells, CELLS);
    dls_print_csv(race->csv, cells, CELLS);
}

static void count(struct dls_race *race, int k, const struct dls_stats *s)
{
    struct dls_racer *racer = &race->racer[k];
    racer->steps++;
    // A solver of another law has finished it; the judge measures Coulomb's.
    bool own = s->status == DLS_FINISHED && s->own <= race->settings.tol;
    racer->solved += s->status == DLS_OK || own;
    racer->iterations += s->iterations;
    racer->flagged += is_flagged(race, s);
    racer->natural = s->measures.natural;
    racer->seconds = s->build_time + s->create_time + s->solve_time;
    racer->time += racer->seconds;
    dls_spread_add(&racer->naturals, s->measures.natural);
    if (isnan(s->energy.work)) return;
    racer->normal += s->energy.normal;
    racer->tangential += s->energy.tangential;
}

static enum dls_status run_one(struct dls_race *race, int k,
                               const struct dls_problem *p, struct dls_names names,
                               long step, struct dls_error *err)
{
    const struct dls_spec *spec = &race->specs->all[k];
    struct dls_arena *a = &race->memory[0];
    double *r = DLS_NEW(a, double, p->m);
    struct dls_stats stats;
    if (!r) return dls_fail(err, DLS_ENOMEM, "out of memory");
    const struct dls_warm *from = &race->racer[race->own ? k : 0].last;
    if (!race->cold) dls_warm_start(from, names, p->contacts, r);
    dls_sequence_solve(&race->sequence, spec->solver, &spec->options, p,
                       &race->settings, r, &stats);
    if (stats.status == DLS_STOPPED) return DLS_STOPPED;
    if (stats.status == DLS_ENOMEM) return dls_fail(err, DLS_ENOMEM, "out of memory");
    count(race, k, &stats);
    write_row(race, k, p, step, &stats);
    race->racer[k].next = dls_warm_keep(names, p->contacts, p->d, r, a);
    return a->failed ? dls_fail(err, DLS_ENOMEM, "out of memory") : DLS_OK;
}

enum dls_status dls_race_step(struct dls_race *race, const struct dls_problem *p,
                              struct dls_names names, long step, struct dls_error *err)
{
    enum dls_status status = DLS_OK;
    dls_arena_free(&race->memory[1]);
    race->memory[1] = race->memory[0];
    race->memory[0] = dls_arena_scratch(race->arena);
    for (int k = 0; k < race->specs->count && !status; k++)
        status = run_one(race, k, p, names, step, err);
    dls_sequence_next(&race->sequence);
    for (int k = 0; k < race->specs->count; k++)
        race->racer[k].last = race->racer[k].next;
    if (!status && race->csv && ferror(race->csv))
        status =
            dls_fail(err, DLS_EIO, "%.180s: cannot be written, the disk may be full",
                     race->csv_path);
    return status;
}

void dls_race_summary(const struct dls_race *race, FILE *out)
{
    int wide = 6;
    for (int k = 0; k < race->specs->count; k++)
        wide = (int)fmax(wide, (double)strlen(race->specs->all[k].label));
    fprintf(out, "%-*s  %15s  %9s  %9s  %10s  %10s  %11s  %11s  %7s\n", wide, "solver",
            "solved", "median", "worst", "time", "iterations", "normal", "tangential",
            "flagged");
    for (int k = 0; k < race->specs->count; k++) {
        const struct dls_racer *r = &race->racer[k];
        char median[16], worst[16], time[16], solved[48];
        snprintf(solved, sizeof solved, "%ld of %ld", r->solved, r->steps);
        fprintf(out, "%-*s  %15s  %9s  %9s  %10s  %10ld  %11.4g  %11.4g  %7ld\n", wide,
                race->specs->all[k].label, solved,
                dls_format_real(dls_spread_quantile(&r->naturals, 0.5), median),
                dls_format_real(r->naturals.most, worst),
                dls_format_time(r->time, time), r->iterations, r->normal, r->tangential,
                r->flagged);
    }
    fprintf(out,
            "median, worst: natural residual over the steps with contacts; normal, "
            "tangential: contact work, summed;\nflagged: steps in which contacts "
            "gain energy beyond what the residual explains\n");
}

bool dls_race_solved(const struct dls_race *race)
{
    for (int k = 0; k < race->specs->count; k++)
        if (race->racer[k].solved < race->racer[k].steps) return false;
    return true;
}

enum dls_status dls_race_close(struct dls_race *race, struct dls_error *err)
{
    dls_sequence_close(&race->sequence);
    for (int k = 0; k < 2; k++) dls_arena_free(&race->memory[k]);
    if (!race->csv) return DLS_OK;
    int bad = fclose(race->csv);
    race->csv = NULL;
    if (!bad) return DLS_OK;
    return dls_fail(err, DLS_EIO, "%.180s: cannot be written", race->csv_path);
}
