// SPDX-License-Identifier: Apache-2.0
// CSV: time, observables of the example, energies, contacts, measures; one row a step.
// VTK: see film_vtk.c.
#define _POSIX_C_SOURCE 200809L // ftruncate
#include "benchmarks/program/run_files.h"

#include "formulations/files/snapshot.h"

#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/film/film_vtk.h"
#include "benchmarks/program/race.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"

// The folder with those above it, where one is asked for.
static enum dls_status make_folder(const char *path, struct dls_error *err)
{
    struct dls_arena scratch = {0};
    int error = path ? dls_folder_make(path, &scratch) : 0;
    dls_arena_free(&scratch);
    return error ? dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(error)) : DLS_OK;
}

// --- CSV -----------------------------------------------------------------------------

enum { OBSERVABLES = 32, CELLS = OBSERVABLES + 20 };

static int observables(const struct dls_scene *scene)
{
    int count = 0;
    while (scene->names && scene->names[count] && count < OBSERVABLES) count++;
    return count;
}

static int cells_of(const struct dls_run_files *f, const struct dls_sim *sim,
                    struct dls_cell cells[CELLS])
{
    double values[OBSERVABLES] = {0};
    const struct dls_ledger *l = &sim->ledger;
    int own = observables(f->scene), k = 0;
    if (own) f->scene->observe(sim, values);
    cells[k++] = dls_cell_real("t", sim->t);
    for (int i = 0; i < own; i++)
        cells[k++] = dls_cell_real(f->scene->names[i], values[i]);
    cells[k++] = dls_cell_real("kinetic", l->kinetic);
    cells[k++] = dls_cell_real("potential", l->potential);
    cells[k++] = dls_cell_real("work_normal", l->normal);
    cells[k++] = dls_cell_real("work_tangential", l->tangential);
    cells[k++] = dls_cell_real("work_external", l->external);
    cells[k++] = dls_cell_real("work_obstacles", l->obstacles);
    cells[k++] = dls_cell_real("work_joints", l->joints);
    cells[k++] = dls_cell_real("work_gyroscopic", l->gyroscopic);
    cells[k++] = dls_cell_real("energy_defect", l->defect);
    cells[k++] = dls_cell_count("contacts", sim->last.problem.contacts);
    cells[k++] = dls_cell_count("iterations", sim->last.iterations);
    cells[k++] = dls_cell_real("natural", sim->last.measures.natural);
    if (sim->bonds.count) {
        cells[k++] = dls_cell_real("work_cohesion", l->cohesion);
        cells[k++] = dls_cell_real("cohesion_stored", l->cohesion_stored);
        cells[k++] = dls_cell_real("cohesion_lost", l->cohesion_lost);
    }
    if (!sim->system->population) return k;
    cells[k++] = dls_cell_count("bodies", sim->system->bodies);
    cells[k++] = dls_cell_real("kinetic_brought", l->kinetic_brought);
    cells[k++] = dls_cell_real("potential_brought", l->potential_brought);
    return k;
}

// A checksum of the last bytes before `end`; false where the file is shorter.
static bool tail_of(const char *path, long end, uint64_t *tail)
{
    enum { TAIL = 4096 }; // some rows: no two runs share them
    char text[TAIL];
    size_t length = end < TAIL ? (size_t)end : TAIL;
    FILE *file = fopen(path, "rb");
    bool whole = file && !fseek(file, end - (long)length, SEEK_SET)
                 && fread(text, 1, length, file) == length;
    if (file) fclose(file);
    if (whole) *tail = dls_hash_add(dls_hash_start, text, length);
    return whole;
}

static enum dls_status open_csv(struct dls_run_files *f, const struct dls_sim *sim,
                                const struct dls_checkpoint *from,
                                struct dls_error *err)
{
    struct dls_cell cells[CELLS];
    long bytes = from->csv_bytes;
    uint64_t tail = 0;
    if (bytes && (!tail_of(f->csv_path, bytes, &tail) || tail != from->csv_tail))
        return dls_fail(err, DLS_EINVAL,
                        "%.120s: not the file that the checkpoint was written with, "
                        "or cut since",
                        f->csv_path);
    f->csv = fopen(f->csv_path, bytes ? "r+" : "w");
    if (!f->csv)
        return dls_fail(err, DLS_EIO, "%.180s: %s", f->csv_path, strerror(errno));
    if (!bytes)
        dls_print_csv_names(f->csv, cells, cells_of(f, sim, cells));
    else if (ftruncate(fileno(f->csv), bytes) || fseek(f->csv, bytes, SEEK_SET))
        return dls_fail(err, DLS_EIO, "%.180s: %s", f->csv_path, strerror(errno));
    return DLS_OK;
}

// --- VTK -----------------------------------------------------------------------------

static enum dls_status write_vtk(const struct dls_run_files *f,
                                 const struct dls_sim *sim, struct dls_error *err)
{
    struct dls_arena scratch = {0};
    char *path = dls_text(&scratch, "%s/%s-%08ld.vtk", f->vtk, f->name, sim->steps);
    struct dls_file to;
    enum dls_status status = path ? DLS_OK : DLS_ENOMEM;
    bool good = path && dls_file_begin(&to, path);
    if (good) {
        dls_film_vtk(to.out, sim);
        good = dls_file_end(&to, true);
    }
    if (!status && !good)
        status = dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    dls_arena_free(&scratch);
    return status;
}

// --- snapshots -----------------------------------------------------------------------

static char *snapshot_path(const struct dls_run_files *f, long step,
                           struct dls_arena *a)
{
    return dls_text(a, "%s/%s-%08ld.hdf5", f->record, f->name, step);
}

static enum dls_status write_snapshot(const struct dls_run_files *f,
                                      const struct dls_sim *sim, struct dls_error *err)
{
    struct dls_arena scratch = {0};
    struct dls_problem p = sim->last.problem;
    char *path = snapshot_path(f, sim->steps, &scratch);
    p.identity = DLS_NEW(&scratch, int, 2 * (size_t)p.contacts);
    for (int k = 0; p.identity && k < p.contacts; k++)
        dls_identity_split(sim->last.contact[k].id, p.identity + 2 * k);
    p.title = dls_text(&scratch, "%s, t = %.9g", f->name, sim->t);
    p.description = dls_text(&scratch, "step %ld of scheme %s", sim->steps,
                             sim->setup.scheme->name);
    p.math_info = dls_text(&scratch, "M v = f + H^T r, u = H v + w");
    p.provenance = dls_text(&scratch, "delassus %s: run %s", DLS_VERSION, f->title);
    const struct dls_answer answer = {
        .r = sim->last.r,
        .u = sim->last.u,
        .v = sim->last.v,
    };
    enum dls_status status = dls_problem_rows(&p, &scratch) ? DLS_OK : DLS_ENOMEM;
    if (!status) status = dls_snapshot_write(&p, path, &answer, err);
    dls_arena_free(&scratch);
    return status;
}

// More iterations, or as many and a larger residual: sweeps that are counted.
static bool harder(const struct dls_kept_step *a, const struct dls_kept_step *b)
{
    return a->iterations > b->iterations
           || (a->iterations == b->iterations && a->residual > b->residual);
}

// Keeps the hardest steps; the easiest makes room.
static enum dls_status keep_hardest(struct dls_run_files *f, const struct dls_sim *sim,
                                    struct dls_error *err)
{
    int easiest = 0;
    struct dls_kept_step now = {sim->steps, sim->last.iterations, sim->last.residual};
    if (f->kept < f->hardest) {
        easiest = f->kept++;
    } else {
        for (int k = 1; k < f->kept; k++)
            if (harder(&f->best[easiest], &f->best[k])) easiest = k;
        if (!harder(&now, &f->best[easiest])) return DLS_OK;
        struct dls_arena scratch = {0};
        char *path = snapshot_path(f, f->best[easiest].step, &scratch);
        if (path) remove(path);
        dls_arena_free(&scratch);
    }
    f->best[easiest] = now;
    return write_snapshot(f, sim, err);
}

// --- all -----------------------------------------------------------------------------

enum dls_status dls_run_files_open(struct dls_run_files *f, const struct dls_sim *sim,
                                   const struct dls_checkpoint *from,
                                   struct dls_error *err)
{
    enum dls_status status = make_folder(f->vtk, err);
    if (!status) status = make_folder(f->record, err);
    if (status || !f->csv_path) return status;
    return open_csv(f, sim, from, err);
}

enum dls_status dls_run_files_step(struct dls_run_files *f, const struct dls_sim *sim,
                                   struct dls_error *err)
{
    enum dls_status status = DLS_OK;
    bool turn = sim->steps % f->every == 0;
    if (f->csv) {
        struct dls_cell cells[CELLS];
        dls_print_csv(f->csv, cells, cells_of(f, sim, cells));
        if (ferror(f->csv))
            status = dls_fail(err, DLS_EIO,
                              "%.180s: cannot be written, the disk may be full",
                              f->csv_path);
    }
    if (!status && f->vtk && turn) status = write_vtk(f, sim, err);
    if (status || !f->record || !sim->last.problem.contacts) return status;
    if (f->hardest) return keep_hardest(f, sim, err);
    return turn ? write_snapshot(f, sim, err) : DLS_OK;
}

void dls_run_files_mark(const struct dls_run_files *f, struct dls_checkpoint *c)
{
    if (!f->csv || fflush(f->csv)) return;
    c->csv_bytes = ftell(f->csv);
    tail_of(f->csv_path, c->csv_bytes, &c->csv_tail);
}

enum dls_status dls_run_files_close(struct dls_run_files *f, struct dls_error *err)
{
    if (!f->csv) return DLS_OK;
    int bad = fclose(f->csv);
    f->csv = NULL;
    return bad ? dls_fail(err, DLS_EIO, "%.180s: cannot be written", f->csv_path)
               : DLS_OK;
}
