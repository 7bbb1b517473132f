// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // ftruncate
#include "benchmarks/program/run_observe.h"

#include "problems/mechanics/rigid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/terminal/output.h"

// Cuts a file behind its last row with a time up to t, and goes there.
static bool cut_after(FILE *file, double t)
{
    char line[64 * DLS_READINGS];
    long end = 0;
    while (fgets(line, sizeof line, file)) {
        char *rest;
        double at = strtod(line, &rest);
        bool row = rest != line;
        if ((row && at > t) || !strchr(line, '\n')) break;
        end = ftell(file);
    }
    return !fseek(file, end, SEEK_SET) && !ftruncate(fileno(file), end);
}

enum dls_status dls_run_observe_prepare(struct dls_run_observe *o, const char *measures,
                                        const struct dls_sim *sim,
                                        struct dls_watched *watched,
                                        struct dls_error *err)
{
    if (!measures && !o->path && !o->centres_path) return DLS_OK;
    if (!measures != !o->path)
        return dls_fail(err, DLS_EINVAL, "--observe and --observe-csv go together");
    if (measures && dls_observing_parse(&o->with, measures, err)) return DLS_EINVAL;
    if (!dls_rigid_of(sim->system))
        return dls_fail(err, DLS_UNSUPPORTED,
                        "--observe and --centres: this example is not made of rigid "
                        "bodies");
    if (dls_observing_start(&o->with, sim, o->arena))
        return dls_fail(err, DLS_ENOMEM, "out of memory");
    for (int k = 0; k < o->with.count; k++) {
        if (!o->with.kept[k]) continue;
        if (watched->pieces == DLS_PIECES)
            return dls_fail(err, DLS_EINVAL,
                            "--observe: too many measures over the time between rows");
        watched->piece[watched->pieces++] = (struct dls_piece){
            o->with.kept[k], (size_t)o->with.size[k] * sizeof(double)};
    }
    return DLS_OK;
}

static FILE *open_at(const char *path, const struct dls_sim *sim, struct dls_error *err)
{
    bool resumed = sim->steps > 0;
    FILE *file = fopen(path, resumed ? "r+" : "w");
    if (file && (!resumed || cut_after(file, sim->t + 0.5 * sim->h))) return file;
    dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    if (file) fclose(file);
    return NULL;
}

enum dls_status dls_run_observe_open(struct dls_run_observe *o,
                                     const struct dls_sim *sim, struct dls_error *err)
{
    if (o->path && !(o->file = open_at(o->path, sim, err))) return DLS_EIO;
    if (o->centres_path && !(o->centres = open_at(o->centres_path, sim, err)))
        return DLS_EIO;
    o->named = sim->steps > 0;
    if (o->centres && !o->named) fputs("t,body,x,y,z,radius\n", o->centres);
    return DLS_OK;
}

static enum dls_status write_centres(struct dls_run_observe *o,
                                     const struct dls_sim *sim, struct dls_error *err)
{
    const struct dls_rigid *r = dls_rigid_of(sim->system);
    for (int k = 0; o->centres && k < r->bodies; k++) {
        dls_vec3 x = dls_rigid_pose(r, sim->q, k).at;
        fprintf(o->centres, "%.10g,%d,%.9g,%.9g,%.9g,%.9g\n", sim->t,
                dls_rigid_number(r, k), x.x, x.y, x.z, r->shape[k].bound);
    }
    if (o->centres && ferror(o->centres))
        return dls_fail(err, DLS_EIO, "%.180s: cannot be written, the disk may be full",
                        o->centres_path);
    return DLS_OK;
}

static enum dls_status write_row(struct dls_run_observe *o, const struct dls_sim *sim,
                                 struct dls_error *err)
{
    struct dls_readings now;
    struct dls_cell cells[DLS_READINGS + 1];
    enum dls_status status = dls_observing_read(&o->with, sim, &now, o->arena);
    if (status) return dls_fail(err, status, "--observe: out of memory");
    cells[0] = dls_cell_real("t", sim->t);
    for (int k = 0; k < now.count; k++)
        cells[k + 1] = dls_cell_real(now.all[k].name, now.all[k].value);
    if (!o->named) dls_print_csv_names(o->file, cells, now.count + 1);
    o->named = true;
    dls_print_csv(o->file, cells, now.count + 1);
    if (ferror(o->file))
        return dls_fail(err, DLS_EIO, "%.180s: cannot be written, the disk may be full",
                        o->path);
    return DLS_OK;
}

enum dls_status dls_run_observe_step(struct dls_run_observe *o,
                                     const struct dls_sim *sim, struct dls_error *err)
{
    bool row = sim->steps % o->every == 0;
    enum dls_status status = dls_observing_add(&o->with, sim, o->arena);
    if (status) return dls_fail(err, status, "--observe: out of memory");
    if (row && o->file) status = write_row(o, sim, err);
    if (row && !status) status = write_centres(o, sim, err);
    return status;
}

static bool close_one(FILE **file)
{
    bool good = !*file || !fclose(*file);
    *file = NULL;
    return good;
}

enum dls_status dls_run_observe_close(struct dls_run_observe *o, struct dls_error *err)
{
    if (!close_one(&o->file))
        return dls_fail(err, DLS_EIO, "%.180s: cannot be written", o->path);
    if (!close_one(&o->centres))
        return dls_fail(err, DLS_EIO, "%.180s: cannot be written", o->centres_path);
    return DLS_OK;
}
