// SPDX-License-Identifier: Apache-2.0
// Reading the group /certificate of an FCLIB file (fclib_write.c writes it):
//
//   format, residual_version  versions of this layout and of the measures
//   provenance                program, solver, precision
//   tol                       what both residuals were to reach
//   residual                  natural and merit of r + r_rest, in extended precision
//   residual_found, _rounded  those of the solver's answer, and of r alone
//   backward                  the answer is exact where blocks of W and q change by this part
//                             of their norms (NaN where not measured); absent in older files
//   r_rest, u_rest            r + r_rest and u + u_rest are the impulses and velocities to
//                             twice the digits of a double
//   status                    0 open, 1 stick, 2 slip, one a contact
//   weakly_active, weak_tol   contacts that are nearer than weak_tol to another status
//   null_space                dimension of the impulses that change no velocity (-1 where
//                             unknown), among how many that the velocities leave free
//   pivots                    on both sides of the rank decision
//   least_r, least_residual   the impulses of least norm, where computed
//   sweep_rate                of the error in a Gauss-Seidel sweep near the answer (NaN
//                             where unknown), and whether it had settled, 1 or 0; absent
//                             in older files
//   existence, margin         verdict in words, margin of the motion found
//   motion, motion_why        whether the motion is the only one: "unique", "isolated" (the
//                             only one near) or "not known", and the reason; absent in
//                             older files
//
// r and u themselves are in /solution. Cost: linear.
#include "formulations/files/certificate.h"

#include "formulations/files/file_error.h"
#include "formulations/files/hdf5_input.h"

#include <math.h>

enum { FORMAT = 1 };

static double *read_vector(struct dls_hdf5 *in, const char *name, int count)
{
    int found;
    double *x = dls_hdf5_reals(in, name, &found);
    if (x && found != count)
        dls_hdf5_fail(in, DLS_EINVAL, name, "%d entries, should be %d", found, count);
    return in->status ? NULL : x;
}

static struct dls_residuals read_residuals(struct dls_hdf5 *in, const char *name)
{
    const double *x = read_vector(in, name, 2);
    return x ? (struct dls_residuals){x[0], x[1]} : (struct dls_residuals){NAN, NAN};
}

static int *read_ints(struct dls_hdf5 *in, const char *name, int count)
{
    int found, *x = dls_hdf5_ints(in, name, &found);
    if (x && found != count)
        dls_hdf5_fail(in, DLS_EINVAL, name, "%d entries, should be %d", found, count);
    return in->status ? NULL : x;
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
    int format = dls_hdf5_int(in, "certificate/format");
    if (format != FORMAT)
        dls_hdf5_fail(in, DLS_EINVAL, "certificate/format",
                      "version %d, this program knows %d", format, FORMAT);
    c->residual_version = dls_hdf5_int(in, "certificate/residual_version");
    c->provenance = dls_hdf5_text(in, "certificate/provenance");
    c->tol = dls_hdf5_real(in, "certificate/tol");
    c->refined = read_residuals(in, "certificate/residual");
    c->found = read_residuals(in, "certificate/residual_found");
    c->rounded = read_residuals(in, "certificate/residual_rounded");
    c->r_rest = read_vector(in, "certificate/r_rest", p->m);
    c->u_rest = read_vector(in, "certificate/u_rest", p->m);
    c->status = read_ints(in, "certificate/status", p->contacts);
    check_indices(in, "certificate/status", c->status, p->contacts, 3);
    c->weakly = dls_hdf5_ints(in, "certificate/weakly_active", &c->weak);
    check_indices(in, "certificate/weakly_active", c->weakly, c->weak, p->contacts);
    c->weak_tol = dls_hdf5_real(in, "certificate/weak_tol");
    const int *null_space = read_ints(in, "certificate/null_space", 2);
    const double *pivots = read_vector(in, "certificate/pivots", 2);
    if (in->status) return;
    c->null_space = null_space[0];
    c->unknowns = null_space[1];
    c->kept = pivots[0];
    c->dropped = pivots[1];
    if (dls_hdf5_has(in, "certificate/least_r")) {
        c->least_r = read_vector(in, "certificate/least_r", p->m);
        c->least = read_residuals(in, "certificate/least_residual");
    }
    c->backward = NAN;
    if (dls_hdf5_has(in, "certificate/backward"))
        c->backward = dls_hdf5_real(in, "certificate/backward");
    c->sweep_rate = NAN;
    if (dls_hdf5_has(in, "certificate/sweep_rate")) {
        const double *rate = read_vector(in, "certificate/sweep_rate", 2);
        if (rate) c->sweep_rate = rate[0], c->rate_settled = rate[1] != 0;
    }
    c->existence = dls_hdf5_text(in, "certificate/existence");
    c->margin = dls_hdf5_real(in, "certificate/margin");
    if (dls_hdf5_has(in, "certificate/motion")) {
        c->motion = dls_hdf5_text(in, "certificate/motion");
        c->motion_why = dls_hdf5_text(in, "certificate/motion_why");
    }
}

enum dls_status dls_certificate_read(struct dls_certificate *c, bool *there,
                                     const char *path, const struct dls_problem *p,
                                     struct dls_arena *a, struct dls_error *err)
{
    struct dls_hdf5 in;
    if (!c || !there || !path || !p || !a)
        return dls_fail(err, DLS_EINVAL,
                        "no certificate, name, problem or arena to read with");
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
