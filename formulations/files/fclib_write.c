// SPDX-License-Identifier: Apache-2.0
// Writing FCLIB's HDF5 layout; fclib.c describes it.
//
// All matrices go out as compressed columns (nz = -1), which every known reader takes:
// the rows of our H and G are the columns of the stored ones, W, M, V and R are turned
// round first. What FCLIB has no place for goes into the group /delassus. The impulses that
// the problem came with are among it: /solution and /guesses ask for velocities as well, and
// FCLIB's own reader ends the process where these are missing. An answer goes into
// /solution, its certificate into /certificate. Long vectors are shuffled and deflated. No
// times are recorded, so that equal problems give equal bytes. Cost: linear.
#include "formulations/files/file_error.h"
#include "formulations/files/formats.h"

#include "base/file.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT = 1, LONG = 1024, CHUNK = 1 << 16, DEFLATE = 4 };

// The file being written. The first failure sticks and names its field.
struct sink {
    hid_t file, links; // links: creates the groups on the way
    struct dls_arena scratch;
    struct dls_error *err;
    enum dls_status status;
    const char *group;
    char name[96];
};

static const char *at(struct sink *s, const char *leaf)
{
    snprintf(s->name, sizeof s->name, "%s/%s", s->group, leaf);
    return s->name;
}

static void fail(struct sink *s, const char *name)
{
    if (s->status) return;
    s->status = dls_fail(s->err, DLS_ENOMEM, "%s: out of memory for the file", name);
}

static hid_t layout_of(hsize_t count)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    if (count >= LONG && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        hsize_t chunk = count < CHUNK ? count : CHUNK;
        H5Pset_chunk(list, 1, &chunk);
        H5Pset_shuffle(list);
        H5Pset_deflate(list, DEFLATE);
    }
    return list;
}

// A vector of `count` entries; a NULL vector is left out.
static void put(struct sink *s, const char *leaf, hid_t type, const void *x, int count)
{
    if (s->status || !x) return;
    hsize_t length = (hsize_t)count;
    const char *name = at(s, leaf);
    hid_t space = H5Screate_simple(1, &length, NULL), list = layout_of(length);
    hid_t stored = type == H5T_NATIVE_INT ? H5T_STD_I32LE : H5T_IEEE_F64LE;
    hid_t set = H5Dcreate2(s->file, name, stored, space, s->links, list, H5P_DEFAULT);
    if (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0)
        fail(s, name);
    if (set >= 0) H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
}

static void put_reals(struct sink *s, const char *leaf, const double *x, int count)
{
    put(s, leaf, H5T_NATIVE_DOUBLE, x, count);
}

static void put_int(struct sink *s, const char *leaf, int x)
{
    put(s, leaf, H5T_NATIVE_INT, &x, 1);
}

static void put_text(struct sink *s, const char *leaf, const char *text)
{
    if (s->status || !text) return;
    const char *name = at(s, leaf);
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1), list = layout_of(1);
    H5Tset_size(type, strlen(text) + 1);
    hid_t set = H5Dcreate2(s->file, name, type, space, s->links, list, H5P_DEFAULT);
    if (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
        fail(s, name);
    if (set >= 0) H5Dclose(set);
    H5Pclose(list);
    H5Tclose(type);
    H5Sclose(space);
}

// Writes the columns given as the rows of A: the file holds A^T.
static void put_columns(struct sink *s, const char *name, const struct dls_csr *A)
{
    char leaf[16];
    const struct {
        const char *leaf;
        int value;
    } scalars[] = {
        {"m", A->cols},
        {"n", A->rows},
        {"nz", -1},
        {"nzmax", dls_csr_count(A)},
    };
    for (size_t k = 0; k < sizeof scalars / sizeof *scalars; k++) {
        snprintf(leaf, sizeof leaf, "%s/%s", name, scalars[k].leaf);
        put_int(s, leaf, scalars[k].value);
    }
    snprintf(leaf, sizeof leaf, "%s/p", name);
    put(s, leaf, H5T_NATIVE_INT, A->p, A->rows + 1);
    snprintf(leaf, sizeof leaf, "%s/i", name);
    put(s, leaf, H5T_NATIVE_INT, A->j, dls_csr_count(A));
    snprintf(leaf, sizeof leaf, "%s/x", name);
    put_reals(s, leaf, A->x, dls_csr_count(A));
}

static void put_matrix(struct sink *s, const char *name, const struct dls_csr *A)
{
    if (s->status || !A) return;
    struct dls_csr *columns = dls_csr_transpose(A, &s->scratch);
    if (columns)
        put_columns(s, name, columns);
    else
        s->status = dls_fail(s->err, DLS_ENOMEM, "%s: out of memory", at(s, name));
    dls_arena_free(&s->scratch);
}

static void put_problem(struct sink *s, const struct dls_problem *p)
{
    put_int(s, "spacedim", p->d);
    put_text(s, "info/title", p->title);
    put_text(s, "info/description", p->description);
    put_text(s, "info/math_info", p->math_info);
    if (dls_problem_is_global(p)) {
        put_matrix(s, "M", p->M);
        put_columns(s, "H", p->H);
        if (p->G) put_columns(s, "G", p->G);
    } else {
        put_matrix(s, "W", p->W);
        put_matrix(s, "V", p->V);
        put_matrix(s, "R", p->R);
    }
    put_reals(s, "vectors/f", p->f, p->n);
    put_reals(s, "vectors/w", p->w, p->m);
    put_reals(s, "vectors/b", p->b, p->joints);
    put_reals(s, "vectors/q", p->q, p->m);
    put_reals(s, "vectors/s", p->s, p->joints);
    put_reals(s, "vectors/mu", p->mu, p->contacts);
    put_reals(s, "vectors/mu_r", p->mu_r, p->contacts);
}

static void put_delassus(struct sink *s, const struct dls_problem *p)
{
    s->group = "delassus";
    put_int(s, "format", FORMAT);
    put_reals(s, "v_minus", p->v_minus, p->n);
    put_reals(s, "u_minus", p->u_minus, p->m);
    put_reals(s, "w_ob", p->w_ob, p->m);
    put_reals(s, "e_n", p->e_n, p->contacts);
    put_reals(s, "e_t", p->e_t, p->contacts);
    put_reals(s, "mu_2", p->mu_2, p->contacts);
    put_reals(s, "hF", p->hF, p->n);
    put_reals(s, "gap", p->gap, p->contacts);
    put_reals(s, "position", p->position, 3 * p->contacts);
    put(s, "bodies", H5T_NATIVE_INT, p->body_start, p->bodies + 1);
    put(s, "identity", H5T_NATIVE_INT, p->identity, 2 * p->contacts);
    put(s, "body_pair", H5T_NATIVE_INT, p->body_pair, 2 * p->contacts);
    put_reals(s, "time", isnan(p->time) ? NULL : &p->time, 1);
    put_reals(s, "step", isnan(p->step) ? NULL : &p->step, 1);
    put_text(s, "provenance", p->provenance);
    put_reals(s, "solution_r", p->solution_r, p->m);
    put_reals(s, "guess_r", p->guess_r, p->m);
}

static void put_residuals(struct sink *s, const char *leaf, struct dls_residuals x)
{
    put_reals(s, leaf, (const double[]){x.natural, x.merit}, 2);
}

static void put_certificate(struct sink *s, const struct dls_problem *p,
                            const struct dls_certificate *c)
{
    s->group = "certificate";
    put_int(s, "format", FORMAT);
    put_int(s, "residual_version", c->residual_version);
    put_text(s, "provenance", c->provenance);
    put_reals(s, "tol", &c->tol, 1);
    put_residuals(s, "residual", c->refined);
    put_residuals(s, "residual_found", c->found);
    put_residuals(s, "residual_rounded", c->rounded);
    put_reals(s, "backward", &c->backward, 1);
    put_reals(s, "r_rest", c->r_rest, p->m);
    put_reals(s, "u_rest", c->u_rest, p->m);
    put(s, "status", H5T_NATIVE_INT, c->status, p->contacts);
    put(s, "weakly_active", H5T_NATIVE_INT, c->weakly, c->weak);
    put_reals(s, "weak_tol", &c->weak_tol, 1);
    put(s, "null_space", H5T_NATIVE_INT, (const int[]){c->null_space, c->unknowns}, 2);
    put_reals(s, "pivots", (const double[]){c->kept, c->dropped}, 2);
    put_reals(s, "least_r", c->least_r, p->m);
    if (c->least_r) put_residuals(s, "least_residual", c->least);
    put_reals(s, "sweep_rate", (const double[]){c->sweep_rate, c->rate_settled}, 2);
    put_text(s, "existence", c->existence);
    put_reals(s, "margin", &c->margin, 1);
    put_text(s, "motion", c->motion);
    put_text(s, "motion_why", c->motion_why);
}

static void put_answer(struct sink *s, const struct dls_problem *p,
                       const struct dls_answer *answer)
{
    s->group = "solution";
    put_reals(s, "r", answer->r, p->m);
    put_reals(s, "u", answer->u, p->m);
    put_reals(s, "v", answer->v, p->n);
    put_reals(s, "l", answer->l, p->joints);
    if (answer->certificate) put_certificate(s, p, answer->certificate);
}

static void put_all(struct sink *s, const struct dls_problem *p,
                    const struct dls_answer *answer)
{
    static const char *const groups[2][2] = {
        {"fclib_local", "fclib_local_rolling"},
        {"fclib_global", "fclib_global_rolling"},
    };
    s->group = groups[dls_problem_is_global(p)][p->rolling];
    put_problem(s, p);
    put_delassus(s, p);
    if (answer) put_answer(s, p, answer);
}

// The file as it is in memory, to the disk.
static enum dls_status store(hid_t file, const char *path, struct dls_error *err)
{
    struct dls_arena scratch = {0};
    ssize_t bytes =
        H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    char *image = DLS_NEW(&scratch, char, bytes > 0 ? bytes : 0);
    struct dls_file to;
    enum dls_status status = DLS_OK;
    if (bytes <= 0 || !image || H5Fget_file_image(file, image, (size_t)bytes) != bytes)
        status = dls_fail(err, DLS_ENOMEM, "out of memory for the file");
    else if (!dls_file_begin(&to, path))
        status = dls_fail(err, DLS_EIO, "cannot be created: %s", strerror(errno));
    else {
        fwrite(image, 1, (size_t)bytes, to.out);
        if (!dls_file_end(&to, true))
            status = dls_fail(err, DLS_EIO, "cannot be written: %s", strerror(errno));
    }
    dls_arena_free(&scratch);
    return status;
}

// HDF5 builds the file in memory: after a failed write to a full disk the library cannot
// close its own file and crashes at exit.
static enum dls_status write_file(const struct dls_problem *p, const char *path,
                                  const struct dls_answer *answer,
                                  struct dls_error *err)
{
    enum { GROWTH = 1 << 20 }; // bytes by which the memory grows
    hid_t memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(memory, GROWTH, false);
    struct sink s = {
        .file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, memory),
        .err = err,
    };
    H5Pclose(memory);
    if (s.file < 0) return dls_fail(err, DLS_ENOMEM, "out of memory for the file");
    s.links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(s.links, 1);
    put_all(&s, p, answer);
    H5Pclose(s.links);
    if (!s.status) s.status = store(s.file, path, err);
    H5Fclose(s.file);
    return s.status;
}

enum dls_status dls_fclib_write(const struct dls_problem *p, const char *path,
                                const struct dls_answer *answer, struct dls_error *err)
{
    enum dls_status status = dls_problem_check(p, err);
    if (!status) {
        H5E_auto2_t report;
        void *report_data;
        H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        status = write_file(p, path, answer, err);
        H5Eclear2(H5E_DEFAULT);
        H5Eset_auto2(H5E_DEFAULT, report, report_data);
    }
    return status ? dls_error_name_file(err, status, path) : DLS_OK;
}
