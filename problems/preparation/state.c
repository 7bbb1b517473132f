// SPDX-License-Identifier: Apache-2.0
// A state is a table that any program reads: a line of names, then a row per body with
// its bound (the radius of a ball), place, angle about z, velocity and spin. Numbers keep
// all their digits. Orientations of bodies in space other than about z are not kept:
// balls have none that matters.
#include "problems/preparation/state.h"

#include "problems/preparation/place.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char names[] = "bound,x,y,z,angle,v_x,v_y,v_z,spin_x,spin_y,spin_z\n";

static void print_body(FILE *file, const struct dls_rigid *r, const struct dls_sim *sim,
                       int k)
{
    int dof = r->dim == 2 ? 3 : 6, positions = r->dim == 2 ? 3 : 7;
    const double *q = sim->q + k * positions, *v = sim->v + k * dof;
    dls_vec3 at = dls_rigid_pose(r, sim->q, k).at;
    double angle = r->dim == 2 ? q[2] : 2 * atan2(q[6], q[3]);
    double row[] = {r->shape[k].bound,
                    at.x,
                    at.y,
                    at.z,
                    angle,
                    v[0],
                    v[1],
                    r->dim == 3 ? v[2] : 0.0,
                    r->dim == 3 ? v[3] : 0.0,
                    r->dim == 3 ? v[4] : 0.0,
                    r->dim == 3 ? v[5] : v[2]};
    for (int i = 0; i < 11; i++) fprintf(file, "%.17g%c", row[i], i < 10 ? ',' : '\n');
}

enum dls_status dls_state_write(const struct dls_sim *sim, const char *path,
                                struct dls_error *err)
{
    const struct dls_rigid *r = dls_rigid_of(sim->system);
    struct dls_file to;
    if (!r)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "a state is saved of rigid bodies only, not of this example");
    if (!dls_file_begin(&to, path))
        return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    fputs(names, to.out);
    for (int k = 0; k < r->bodies; k++) print_body(to.out, r, sim, k);
    if (dls_file_end(&to, true)) return DLS_OK;
    return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
}

// One row of the file; false where there is none.
static bool read_row(FILE *file, double x[11])
{
    for (int i = 0; i < 11; i++)
        if (fscanf(file, i ? ",%lf" : "%lf", &x[i]) != 1 || !isfinite(x[i]))
            return false;
    return true;
}

static bool is_of(const struct dls_rigid *r, int k, const double x[11])
{
    return fabs(x[0] - r->shape[k].bound) <= 1e-9 * fabs(x[0]);
}

static void place_row(struct dls_rigid *r, int k, const double x[11])
{
    dls_place_body(r, k, (dls_vec3){x[1], x[2], x[3]});
    r->angle[k] = x[4];
    r->body[k].v = (dls_vec3){x[5], x[6], x[7]};
    r->body[k].spin = (dls_vec3){x[8], x[9], x[10]};
}

// The rows of bodies with these bounds, in their order; with `skips` some may be missing.
// Stops at a row that is of nobody left and returns how many were read; `end` tells
// whether that was all of the file.
static int read_rows(FILE *file, struct dls_rigid *r, bool skips, int *number,
                     bool *end)
{
    double x[11];
    int rows = 0, k = 0, rest;
    while (k < r->bodies && read_row(file, x)) {
        while (skips && k < r->bodies && !is_of(r, k, x)) k++;
        if (k == r->bodies || !is_of(r, k, x)) {
            *end = false;
            return rows;
        }
        place_row(r, k, x);
        if (number) number[rows] = k;
        rows++, k++;
    }
    do rest = fgetc(file);
    while (rest == ' ' || rest == '\n');
    *end = rest == EOF;
    return rows;
}

static enum dls_status read_file(struct dls_rigid *r, const char *path, int *number,
                                 int *count, struct dls_error *err)
{
    char line[sizeof names];
    FILE *file = fopen(path, "r");
    if (!file) return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    bool ours = fgets(line, sizeof line, file) && !strcmp(line, names), end = false;
    int rows = ours ? read_rows(file, r, number, number, &end) : 0;
    fclose(file);
    if (!ours) return dls_fail(err, DLS_EINVAL, "%.200s: no state of bodies", path);
    if (count) *count = rows;
    if (end && (number || rows == r->bodies)) return DLS_OK;
    return dls_fail(err, DLS_EINVAL,
                    "%.120s: not of these %d bodies (row %d is wrong, lacks, or is one "
                    "too many)",
                    path, r->bodies, rows + 1);
}

enum dls_status dls_state_read(struct dls_rigid *r, const char *path,
                               struct dls_error *err)
{
    return read_file(r, path, NULL, NULL, err);
}

enum dls_status dls_state_read_some(struct dls_rigid *r, const char *path, int *number,
                                    int *count, struct dls_error *err)
{
    return read_file(r, path, number, count, err);
}
