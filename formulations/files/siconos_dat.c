// SPDX-License-Identifier: Apache-2.0
// Reading the text files of Siconos [Acary2019]:
//
//   LCP  n, A, b                       0 <= z ⟂ A z + b >= 0
//   FC   dim, contacts, W, q, mu       RFC: the same and mu_r at the end
//   GFC  dim, contacts, M, H, f, w, mu (dim 5: and mu_r); H is stored n x m
//
// then free text; siconos_matrix.c describes the matrices.
//
// Where the kind is not given it is guessed. The head of an LCP repeats n at once
// (n, storage, n, n), the one of a contact problem does not; behind the first matrix a
// GFC has the head of H, an FC the numbers of q; dim 5 means rolling. Cost: one pass.
#include "formulations/files/file_error.h"
#include "formulations/files/formats.h"
#include "formulations/files/siconos_matrix.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_lcp(struct dls_dat *t, struct dls_problem *p)
{
    p->d = 1;
    p->m = p->contacts = dls_dat_size(t, "n");
    p->W = dls_dat_matrix(t, "A", p->m, p->m, false);
    p->q = dls_dat_vector(t, "b", p->m);
    p->mu = t->status ? NULL : DLS_NEW(t->arena, double, p->contacts);
}

// Whether the text goes on with the head of a matrix of that size.
static bool matrix_follows(const struct dls_dat *t, int rows, int cols)
{
    struct dls_dat look = *t;
    look.err = NULL;
    int storage = dls_dat_int(&look, "H");
    if (dls_dat_int(&look, "H") != rows || dls_dat_int(&look, "H") != cols)
        return false;
    int next = dls_dat_int(&look, "H");
    if (look.status || storage < DLS_DAT_DENSE || storage > DLS_DAT_SPARSE)
        return false;
    if (storage == DLS_DAT_DENSE)
        return next == rows && dls_dat_int(&look, "H") == cols;
    if (storage == DLS_DAT_BLOCK) return dls_dat_int(&look, "H") >= 0 && !look.status;
    return dls_dat_real(&look, "H"), look.status; // a banner, no number
}

static void read_contact(struct dls_dat *t, struct dls_problem *p,
                         enum dls_dat_kind kind)
{
    p->d = dls_dat_int(t, "dim");
    p->rolling = kind == DLS_DAT_RFC || p->d == 5;
    if (!t->status && (p->rolling ? p->d != 3 && p->d != 5 : p->d != 2 && p->d != 3))
        dls_dat_fail(t, "dim",
                     p->rolling ? "not 3 or 5" : "not 2, 3 or, with rolling, 5");
    p->contacts = dls_dat_size(t, "contacts");
    if (p->contacts > INT_MAX / 5) dls_dat_fail(t, "contacts", "larger than the file");
    if (t->status) return;
    p->m = p->contacts * p->d;
    bool local = kind == DLS_DAT_FC || kind == DLS_DAT_RFC;
    struct dls_csr *first = dls_dat_matrix(t, local ? "W" : "M", local ? p->m : -1,
                                           local ? p->m : -1, false);
    if (!first) return;
    if (kind == DLS_DAT_GFC || (!local && first->rows != p->m)
        || (!local && matrix_follows(t, first->rows, p->m))) {
        p->M = first;
        p->n = first->rows;
        p->H = dls_dat_matrix(t, "H", p->n, p->m, true);
        p->f = dls_dat_vector(t, "f", p->n);
        p->w = dls_dat_vector(t, "w", p->m);
    } else {
        p->W = first;
        p->q = dls_dat_vector(t, "q", p->m);
    }
    p->mu = dls_dat_vector(t, "mu", p->contacts);
    if (p->rolling) p->mu_r = dls_dat_vector(t, "mu_r", p->contacts);
}

static void read_kind(struct dls_dat *t, struct dls_problem *p, enum dls_dat_kind kind)
{
    if (kind == DLS_DAT_LCP)
        read_lcp(t, p);
    else
        read_contact(t, p, kind);
}

// Whether the whole text makes sense as that kind.
static bool fits(const struct dls_dat *t, enum dls_dat_kind kind)
{
    struct dls_arena scratch = dls_arena_scratch(t->arena);
    struct dls_dat look = {.at = t->at, .end = t->end, .arena = &scratch};
    struct dls_problem p = {.time = NAN, .step = NAN};
    read_kind(&look, &p, kind);
    bool good = !look.status && !scratch.failed && !dls_problem_check(&p, NULL);
    dls_arena_free(&scratch);
    return good;
}

// Tells an LCP from a contact problem by the first five numbers, and where both are
// possible (n = 2 looks like dim = 2) by trying.
static enum dls_dat_kind guess(struct dls_dat *t)
{
    struct dls_dat look = *t;
    look.err = NULL;
    int head[5] = {0};
    for (int k = 0; k < 4; k++) head[k] = dls_dat_int(&look, "head");
    bool lcp = !look.status && head[1] >= DLS_DAT_DENSE && head[1] <= DLS_DAT_SPARSE
               && head[2] == head[0] && head[3] == head[0];
    head[4] = dls_dat_int(&look, "head");
    bool contact = !look.status && head[2] >= DLS_DAT_DENSE && head[2] <= DLS_DAT_SPARSE
                   && head[3] == head[4]
                   && (head[0] == 2 || head[0] == 3 || head[0] == 5);
    if (lcp && contact) {
        lcp = fits(t, DLS_DAT_LCP);
        contact = fits(t, DLS_DAT_GUESS);
    }
    if (lcp == contact)
        dls_dat_fail(t, "head",
                     lcp ? "an LCP or a contact problem? --kind lcp|fc|gfc|rfc decides"
                         : "neither an LCP nor a contact problem (--kind tells which)");
    return lcp ? DLS_DAT_LCP : DLS_DAT_GUESS;
}

// The whole file with a zero behind it; NULL with a sentence.
static char *load(const char *path, size_t *length, struct dls_arena *a,
                  struct dls_error *err)
{
    FILE *file = fopen(path, "rb");
    long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    char *text = size >= 0 && size < LONG_MAX ? DLS_NEW(a, char, size + 1) : NULL;
    if (text) {
        rewind(file);
        *length = fread(text, 1, (size_t)size, file);
    }
    if (!text || ferror(file) || *length != (size_t)size) {
        dls_fail(err, DLS_EIO, "cannot be read: %s", strerror(errno));
        text = NULL;
    }
    if (file) fclose(file);
    return text;
}

enum dls_status dls_dat_read(struct dls_problem *p, const char *path,
                             enum dls_dat_kind kind, struct dls_arena *a,
                             struct dls_error *err)
{
    *p = (struct dls_problem){.time = NAN, .step = NAN};
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t length = 0;
    struct dls_dat t = {
        .at = load(path, &length, &scratch, err), .arena = a, .err = err};
    if (!t.at) t.status = DLS_EIO;
    t.end = t.at ? t.at + length : NULL;
    if (t.at && strlen(t.at) != length) dls_dat_fail(&t, "text", "holds a zero byte");
    if (!t.status && kind == DLS_DAT_GUESS) kind = guess(&t);
    if (!t.status) read_kind(&t, p, kind);
    dls_arena_free(&scratch);
    if (a->failed) t.status = dls_fail(err, DLS_ENOMEM, "out of memory");
    if (!t.status) t.status = dls_problem_check(p, err);
    return t.status ? dls_error_name_file(err, t.status, path) : DLS_OK;
}
