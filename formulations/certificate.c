// SPDX-License-Identifier: Apache-2.0
// Reading the group /certificate of an FCLIB file (fclib_write.c writes it):
//
//   format, residual_version             versions of this layout and of the measures
//   provenance                           program, solver, precision
//   tol, natural, merit                  target; residuals of r + r_rest, extended precision
//   found_..., rounded_...               those of the solver's answer, and of r alone
//   r_rest, u_rest                       r + r_rest and u + u_rest are the impulses and
//                                        velocities to twice the digits of a double
//   status                               0 open, 1 stick, 2 slip, one a contact
//   weakly_active, weak_tol              contacts that near to another status
//   unknowns, null_space                 impulses that the velocities leave free; dimension
//                                        of those that change no velocity, -1 = unknown
//   pivot_kept, pivot_dropped            on both sides of the rank decision
//   least_r, least_natural, least_merit  the impulses of least norm, where computed
//   existence, margin                    verdict in words, margin of the motion found
//
// r and u themselves are in /solution. Cost: linear.
#include "formulations/certificate.h"

#include "formulations/file_error.h"
#include "formulations/hdf5_input.h"

#include <stdio.h>

enum { FORMAT = 1 };

static double *read_vector(struct dls_hdf5 *in, const char *name, int count)
{
    int found;
    double *x = dls_hdf5_reals(in, name, &found);
    if (x && found != count)
        dls_hdf5_fail(in, DLS_EINVAL, name, "%d entries, should be %d", found, count);
    return in->status ? NULL : x;
}

static struct dls_residuals read_residuals(struct dls_hdf5 *in, const char *prefix)
{
    char natural[48], merit[48];
    snprintf(natural, sizeof natural, "certificate/%snatural", prefix);
    snprintf(merit, sizeof merit, "certificate/%smerit", prefix);
    return (struct dls_residuals){dls_hdf5_real(in, natural), dls_hdf5_real(in, merit)};
}

static void check_indices(struct dls_hdf5 *in, const char *name, const int *x,
                          int count, int limit)
{
    for (int k = 0; !in->status && k < count; k++)
        if (x[k] < 0 || x[k] >= limit)
            dls_hdf5_fail(in, DLS_EINVAL, name, "%d at entry %d, limit %d", x[k], k,
                          limit);
}

static void read_all(struct dls_hdf5 *in, struct dls_certificate *c,
                     const struct dls_problem *p)
{
    int count, format = dls_hdf5_int(in, "certificate/format");
    if (format != FORMAT)
        dls_hdf5_fail(in, DLS_EINVAL, "certificate/format",
                      "version %d, this program knows %d", format, FORMAT);
    c->residual_version = dls_hdf5_int(in, "certificate/residual_version");
    c->provenance = dls_hdf5_text(in, "certificate/provenance");
    c->tol = dls_hdf5_real(in, "certificate/tol");
    c->refined = read_residuals(in, "");
    c->found = read_residuals(in, "found_");
    c->rounded = read_residuals(in, "rounded_");
    c->r_rest = read_vector(in, "certificate/r_rest", p->m);
    c->u_rest = read_vector(in, "certificate/u_rest", p->m);
    c->status = dls_hdf5_ints(in, "certificate/status", &count);
    if (!in->status && count != p->contacts)
        dls_hdf5_fail(in, DLS_EINVAL, "certificate/status",
                      "%d entries for %d contacts", count, p->contacts);
    check_indices(in, "certificate/status", c->status, count, 3);
    c->weakly = dls_hdf5_ints(in, "certificate/weakly_active", &c->weak);
    check_indices(in, "certificate/weakly_active", c->weakly, c->weak, p->contacts);
    c->weak_tol = dls_hdf5_real(in, "certificate/weak_tol");
    c->unknowns = dls_hdf5_int(in, "certificate/unknowns");
    c->null_space = dls_hdf5_int(in, "certificate/null_space");
    c->kept = dls_hdf5_real(in, "certificate/pivot_kept");
    c->dropped = dls_hdf5_real(in, "certificate/pivot_dropped");
    if (dls_hdf5_has(in, "certificate/least_r")) {
        c->least_r = read_vector(in, "certificate/least_r", p->m);
        c->least = read_residuals(in, "least_");
    }
    c->existence = dls_hdf5_text(in, "certificate/existence");
    c->margin = dls_hdf5_real(in, "certificate/margin");
}

enum dls_status dls_certificate_read(struct dls_certificate *c, bool *there,
                                     const char *path, const struct dls_problem *p,
                                     struct dls_arena *a, struct dls_error *err)
{
    struct dls_hdf5 in;
    *c = (struct dls_certificate){0};
    *there = false;
    if (!dls_hdf5_open(&in, path, a, err)) {
        *there = dls_hdf5_has(&in, "certificate");
        if (*there) read_all(&in, c, p);
    }
    dls_hdf5_close(&in);
    enum dls_status status = in.status;
    if (!status && a->failed) status = dls_fail(err, DLS_ENOMEM, "out of memory");
    return status ? dls_error_name_file(err, status, path) : DLS_OK;
}
