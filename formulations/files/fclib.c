// SPDX-License-Identifier: Apache-2.0
// Reading FCLIB's HDF5 layout [Acary2014]:
//
//   /fclib_local   W r + V lambda + q = u, V^T r + R lambda + s = 0
//   /fclib_global  M v = H r + G lambda + f, H^T v + w = u, G^T v + b = 0
//
// and the same two with the ending _rolling, which add vectors/mu_r. H and G are stored
// transposed (n x m, n x p) and turned round here. A matrix is a group with m, n, nz,
// nzmax, p, i, x: nz = -1 compressed columns, -2 compressed rows, >= 0 triplets with i
// the row and p the column. Entries may be unsorted and repeated, nzmax is not used.
//
// Method: the vectors give the sizes; every matrix must agree with them before anything
// of its size is allocated; dls_problem_check has the last word. What FCLIB has no place
// for comes from the group /delassus, answers from /solution and /guesses; an answer that
// does not fit is left out. Cost: linear in the size of the file.
#include "formulations/files/file_error.h"
#include "formulations/files/formats.h"
#include "formulations/files/hdf5_input.h"

#include <math.h>
#include <stdio.h>

enum { FORMAT = 1 }; // the version of /delassus that is understood

// Where the reader stands: the file and the group that holds the problem.
struct source {
    struct dls_hdf5 in;
    const char *group;
    char name[96];
};

// The name of an item of the group; valid until the next call.
static const char *at(struct source *s, const char *leaf)
{
    snprintf(s->name, sizeof s->name, "%s/%s", s->group, leaf);
    return s->name;
}

static const char *at_matrix(struct source *s, const char *matrix, const char *leaf)
{
    snprintf(s->name, sizeof s->name, "%s/%s/%s", s->group, matrix, leaf);
    return s->name;
}

// What a matrix must look like: its sizes as stored, and the vectors that say so.
struct shape {
    int rows, cols;
    const char *rows_of, *cols_of;
};

// The matrix as the file has it.
struct stored {
    int rows, cols, nz, count; // count of entries
    int *p, *i;
    double *x;
    int p_count, i_count, x_count;
};

static void read_stored(struct source *s, struct stored *A, const char *name,
                        const struct shape *want)
{
    A->rows = dls_hdf5_int(&s->in, at_matrix(s, name, "m"));
    A->cols = dls_hdf5_int(&s->in, at_matrix(s, name, "n"));
    A->nz = dls_hdf5_int(&s->in, at_matrix(s, name, "nz"));
    if (A->rows != want->rows)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at(s, name), "%d rows but %s has %d entries",
                      A->rows, want->rows_of, want->rows);
    if (A->cols != want->cols)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at(s, name),
                      "%d columns but %s has %d entries", A->cols, want->cols_of,
                      want->cols);
    if (A->nz < -2)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at_matrix(s, name, "nz"),
                      "%d, should be -1, -2 or the count of triplets", A->nz);
    A->p = dls_hdf5_ints(&s->in, at_matrix(s, name, "p"), &A->p_count);
    A->i = dls_hdf5_ints(&s->in, at_matrix(s, name, "i"), &A->i_count);
    A->x = dls_hdf5_reals(&s->in, at_matrix(s, name, "x"), &A->x_count);
}

// p must ascend from 0 to the count of entries over `lines` rows or columns.
static void check_pointers(struct source *s, struct stored *A, const char *name,
                           int lines)
{
    const char *field = at_matrix(s, name, "p");
    if (A->p_count != lines + 1)
        dls_hdf5_fail(&s->in, DLS_EINVAL, field, "%d entries, should be %d", A->p_count,
                      lines + 1);
    else if (A->p[0] != 0)
        dls_hdf5_fail(&s->in, DLS_EINVAL, field, "starts at %d, not 0", A->p[0]);
    for (int k = 0; !s->in.status && k < lines; k++)
        if (A->p[k + 1] < A->p[k])
            dls_hdf5_fail(&s->in, DLS_EINVAL, field, "decreases at entry %d", k + 1);
    if (!s->in.status) A->count = A->p[lines];
}

static void check_indices(struct source *s, const char *field, const int *index,
                          int count, int limit)
{
    for (int k = 0; !s->in.status && k < count; k++)
        if (index[k] < 0 || index[k] >= limit)
            dls_hdf5_fail(&s->in, DLS_EINVAL, field, "index %d at entry %d, limit %d",
                          index[k], k, limit);
}

static void check_stored(struct source *s, struct stored *A, const char *name)
{
    if (s->in.status) return;
    if (A->nz >= 0)
        A->count = A->nz;
    else
        check_pointers(s, A, name, A->nz == -1 ? A->cols : A->rows);
    if (s->in.status) return;
    if (A->nz >= 0 && A->p_count < A->count)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at_matrix(s, name, "p"),
                      "%d entries for %d triplets", A->p_count, A->count);
    if (A->i_count < A->count)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at_matrix(s, name, "i"),
                      "%d entries, %d needed", A->i_count, A->count);
    if (A->x_count < A->count)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at_matrix(s, name, "x"),
                      "%d entries, %d needed", A->x_count, A->count);
    if (A->nz >= 0) check_indices(s, at_matrix(s, name, "p"), A->p, A->count, A->cols);
    check_indices(s, at_matrix(s, name, "i"), A->i, A->count,
                  A->nz == -2 ? A->cols : A->rows);
}

// A or, when `turned`, A^T by compressed rows.
static struct dls_csr *compress(const struct stored *A, bool turned,
                                struct dls_arena *a)
{
    if (A->nz >= 0)
        return turned ? dls_csr_from_triplets(A->cols, A->rows, A->count, A->p, A->i,
                                              A->x, a)
                      : dls_csr_from_triplets(A->rows, A->cols, A->count, A->i, A->p,
                                              A->x, a);
    bool by_columns = A->nz == -1; // the compressed rows of A^T
    struct dls_csr lines = {
        .rows = by_columns ? A->cols : A->rows,
        .cols = by_columns ? A->rows : A->cols,
        .p = A->p,
        .j = A->i,
        .x = A->x,
    };
    if (by_columns == turned) return dls_csr_canonical(&lines, a);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_csr *other = dls_csr_transpose(&lines, &scratch);
    struct dls_csr *result = other ? dls_csr_canonical(other, a) : NULL;
    dls_arena_free(&scratch);
    return result;
}

static struct dls_csr *read_matrix(struct source *s, const char *name,
                                   struct shape want, bool turned)
{
    struct dls_arena *arena = s->in.arena, scratch = dls_arena_scratch(arena);
    struct stored A = {0};
    s->in.arena = &scratch;
    read_stored(s, &A, name, &want);
    check_stored(s, &A, name);
    s->in.arena = arena;
    struct dls_csr *result = s->in.status ? NULL : compress(&A, turned, arena);
    dls_arena_free(&scratch);
    return result;
}

// A vector that must have `count` entries, as many as `why` says.
static double *read_vector(struct source *s, const char *leaf, int count,
                           const char *why)
{
    int found;
    double *x = dls_hdf5_reals(&s->in, at(s, leaf), &found);
    if (x && found != count)
        dls_hdf5_fail(&s->in, DLS_EINVAL, s->name, "%d entries but %s %d", found, why,
                      count);
    return s->in.status ? NULL : x;
}

static double *read_optional(struct source *s, const char *leaf, int count,
                             const char *why)
{
    return dls_hdf5_has(&s->in, at(s, leaf)) ? read_vector(s, leaf, count, why) : NULL;
}

// Whether the file has one of the fields; then it must have those that belong to it.
static bool has_any(struct source *s, const char *const *leaves)
{
    for (; *leaves; leaves++)
        if (dls_hdf5_has(&s->in, at(s, *leaves))) return true;
    return false;
}

static void read_local(struct source *s, struct dls_problem *p)
{
    p->q = dls_hdf5_reals(&s->in, at(s, "vectors/q"), &p->m);
    p->W = read_matrix(s, "W", (struct shape){p->m, p->m, "q", "q"}, false);
    if (!has_any(s, (const char *[]){"V", "R", "vectors/s", NULL})) return;
    p->s = dls_hdf5_reals(&s->in, at(s, "vectors/s"), &p->joints);
    p->V = read_matrix(s, "V", (struct shape){p->m, p->joints, "q", "s"}, false);
    p->R = read_matrix(s, "R", (struct shape){p->joints, p->joints, "s", "s"}, false);
}

static void read_global(struct source *s, struct dls_problem *p)
{
    p->f = dls_hdf5_reals(&s->in, at(s, "vectors/f"), &p->n);
    p->w = dls_hdf5_reals(&s->in, at(s, "vectors/w"), &p->m);
    p->M = read_matrix(s, "M", (struct shape){p->n, p->n, "f", "f"}, false);
    p->H = read_matrix(s, "H", (struct shape){p->n, p->m, "f", "w"}, true);
    if (!has_any(s, (const char *[]){"G", "vectors/b", NULL})) return;
    p->b = dls_hdf5_reals(&s->in, at(s, "vectors/b"), &p->joints);
    p->G = read_matrix(s, "G", (struct shape){p->n, p->joints, "f", "b"}, true);
}

static void read_contacts(struct source *s, struct dls_problem *p)
{
    const char *rows = dls_problem_is_global(p) ? "vectors/w" : "vectors/q";
    if (s->in.status) return;
    if (p->m % p->d)
        dls_hdf5_fail(&s->in, DLS_EINVAL, at(s, rows),
                      "%d entries, no multiple of spacedim %d", p->m, p->d);
    p->contacts = p->m / p->d;
    if (p->d > 1 || dls_hdf5_has(&s->in, at(s, "vectors/mu")))
        p->mu = read_vector(s, "vectors/mu", p->contacts, "the contacts are");
    else
        p->mu = DLS_NEW(s->in.arena, double, p->contacts); // a plain LCP
    if (p->rolling)
        p->mu_r = read_vector(s, "vectors/mu_r", p->contacts, "the contacts are");
    p->title = dls_hdf5_text(&s->in, at(s, "info/title"));
    p->description = dls_hdf5_text(&s->in, at(s, "info/description"));
    p->math_info = dls_hdf5_text(&s->in, at(s, "info/math_info"));
}

// Two integers a contact, or NULL where there are none.
static int *read_pairs(struct source *s, const char *leaf, int contacts)
{
    int count;
    if (!dls_hdf5_has(&s->in, at(s, leaf))) return NULL;
    int *pairs = dls_hdf5_ints(&s->in, s->name, &count);
    if (pairs && count != 2 * contacts)
        dls_hdf5_fail(&s->in, DLS_EINVAL, s->name, "%d entries for %d contacts", count,
                      contacts);
    return pairs;
}

static void read_bodies(struct source *s, struct dls_problem *p)
{
    int count;
    if (dls_hdf5_has(&s->in, at(s, "bodies"))) {
        p->body_start = dls_hdf5_ints(&s->in, s->name, &count);
        if (p->body_start && count < 1)
            dls_hdf5_fail(&s->in, DLS_EINVAL, s->name, "empty");
        p->bodies = count - 1;
    }
    p->body_pair = read_pairs(s, "body_pair", p->contacts);
    p->identity = read_pairs(s, "identity", p->contacts);
}

// What FCLIB has no place for.
static void read_delassus(struct source *s, struct dls_problem *p)
{
    s->group = "delassus";
    if (!dls_hdf5_has(&s->in, s->group)) return;
    int format = dls_hdf5_int(&s->in, at(s, "format"));
    if (format != FORMAT)
        dls_hdf5_fail(&s->in, DLS_EINVAL, s->name, "version %d, this program knows %d",
                      format, FORMAT);
    const char *contacts = "the contacts are", *m = "m is", *n = "n is";
    p->v_minus = read_optional(s, "v_minus", p->n, n);
    p->u_minus = read_optional(s, "u_minus", p->m, m);
    p->w_ob = read_optional(s, "w_ob", p->m, m);
    p->e_n = read_optional(s, "e_n", p->contacts, contacts);
    p->e_t = read_optional(s, "e_t", p->contacts, contacts);
    p->mu_2 = read_optional(s, "mu_2", p->contacts, contacts);
    p->hF = read_optional(s, "hF", p->n, n);
    p->gap = read_optional(s, "gap", p->contacts, contacts);
    p->position = read_optional(s, "position", 3 * p->contacts, "three a contact are");
    read_bodies(s, p);
    if (dls_hdf5_has(&s->in, at(s, "time"))) p->time = dls_hdf5_real(&s->in, s->name);
    if (dls_hdf5_has(&s->in, at(s, "step"))) p->step = dls_hdf5_real(&s->in, s->name);
    p->provenance = dls_hdf5_text(&s->in, at(s, "provenance"));
}

// Impulses of an earlier answer, or NULL where there are none of use.
static double *read_answer(struct source *s, const char *name, int m)
{
    if (s->in.status || !dls_hdf5_has(&s->in, name)) return NULL;
    struct dls_hdf5 quiet = s->in; // an unusable answer is no failure of the file
    quiet.err = NULL;
    int count;
    double *r = dls_hdf5_reals(&quiet, name, &count);
    if (!r || count != m) return NULL;
    for (int k = 0; k < m; k++)
        if (!isfinite(r[k])) return NULL;
    return r;
}

// Finds the group of the problem; its name tells the kind.
static bool find_group(struct source *s, struct dls_problem *p)
{
    static const struct {
        const char *name;
        bool global, rolling;
    } groups[] = {
        {"fclib_local", false, false},
        {"fclib_global", true, false},
        {"fclib_local_rolling", false, true},
        {"fclib_global_rolling", true, true},
    };
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (dls_hdf5_has(&s->in, groups[k].name)) {
            s->group = groups[k].name;
            p->rolling = groups[k].rolling;
            return groups[k].global;
        }
    dls_hdf5_fail(&s->in, DLS_EINVAL, "fclib_local",
                  "missing, and so are fclib_global and the rolling ones");
    return false;
}

static void read_problem(struct source *s, struct dls_problem *p)
{
    bool global = find_group(s, p);
    if (s->in.status) return;
    p->d = dls_hdf5_int(&s->in, at(s, "spacedim"));
    if (!s->in.status && (p->rolling ? p->d != 3 && p->d != 5 : p->d < 1 || p->d > 3))
        dls_hdf5_fail(&s->in, DLS_EINVAL, s->name, "%d, should be %s", p->d,
                      p->rolling ? "3 or 5" : "1, 2 or 3");
    if (s->in.status) return;
    if (global)
        read_global(s, p);
    else
        read_local(s, p);
    read_contacts(s, p);
    read_delassus(s, p);
    p->solution_r = read_answer(s, "solution/r", p->m);
    if (!p->solution_r) p->solution_r = read_answer(s, "delassus/solution_r", p->m);
    p->guess_r = read_answer(s, "guesses/1/r", p->m);
    if (!p->guess_r) p->guess_r = read_answer(s, "delassus/guess_r", p->m);
}

enum dls_status dls_fclib_read(struct dls_problem *p, const char *path,
                               struct dls_arena *a, struct dls_error *err)
{
    struct source s = {0};
    *p = (struct dls_problem){.time = NAN, .step = NAN};
    if (!dls_hdf5_open(&s.in, path, a, err)) read_problem(&s, p);
    dls_hdf5_close(&s.in);
    enum dls_status status = s.in.status;
    if (!status && a->failed) status = dls_fail(err, DLS_ENOMEM, "out of memory");
    if (!status) status = dls_problem_check(p, err);
    return status ? dls_error_name_file(err, status, path) : DLS_OK;
}
