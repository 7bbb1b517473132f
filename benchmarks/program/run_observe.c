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

enum dls_status dls_run_observe_open(struct dls_run_observe *o, const char *measures,
                                     const struct dls_sim *sim, struct dls_error *err)
{
    if (!measures && !o->path) return DLS_OK;
    if (!measures || !o->path)
        return dls_fail(err, DLS_EINVAL, "--observe and --observe-csv go together");
    enum dls_status status = dls_observing_parse(&o->with, measures, err);
    if (status) return status;
    if (!dls_rigid_of(sim->system))
        return dls_fail(err, DLS_UNSUPPORTED,
                        "--observe: this example is not made of rigid bodies");
    bool resumed = sim->steps > 0;
    o->file = fopen(o->path, resumed ? "r+" : "w");
    if (o->file && resumed) o->named = cut_after(o->file, sim->t + 0.5 * sim->h);
    if (!o->file || (resumed && !o->named))
        return dls_fail(err, DLS_EIO, "%.180s: %s", o->path, strerror(errno));
    return DLS_OK;
}

enum dls_status dls_run_observe_step(struct dls_run_observe *o,
                                     const struct dls_sim *sim, struct dls_error *err)
{
    struct dls_readings now;
    struct dls_cell cells[DLS_READINGS + 1];
    if (!o->file || sim->steps % o->every) return DLS_OK;
    enum dls_status status = dls_observing_read(&o->with, sim, &now, o->arena);
    if (status) return dls_fail(err, status, "--observe: out of memory");
    cells[0] = dls_cell_real("t", sim->t);
    for (int k = 0; k < now.count; k++)
        cells[k + 1] = dls_cell_real(now.all[k].name, now.all[k].value);
    if (!o->named) dls_print_csv_names(o->file, cells, now.count + 1);
    o->named = true;
    dls_print_csv(o->file, cells, now.count + 1);
    if (ferror(o->file)) return dls_fail(err, DLS_EIO, "%.180s: full", o->path);
    return DLS_OK;
}

enum dls_status dls_run_observe_close(struct dls_run_observe *o, struct dls_error *err)
{
    if (!o->file) return DLS_OK;
    int bad = fclose(o->file);
    o->file = NULL;
    return bad ? dls_fail(err, DLS_EIO, "%.180s: cannot be written", o->path) : DLS_OK;
}
