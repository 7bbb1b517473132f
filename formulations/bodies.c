// SPDX-License-Identifier: Apache-2.0
// M^-1 and H by bodies: for contact a and body b the dense blocks H_ab and M_b^-1 H_ab^T.
//
// A contact between rigid bodies touches two of them (one at an obstacle), so all of it
// takes memory and time linear in the contacts, whatever the number of contacts a body
// has: this is the form for very large problems and for bodies touched by thousands
// [Moreau2004, eq. (37)].
#include "formulations/bodies.h"

#include <assert.h>
#include <string.h>

// Calls for each distinct body of contact a; bodies come in ascending order because the
// d rows are merged by the smallest next column.
static int bodies_of(const struct dls_inertia *in, int a, int *list)
{
    const struct dls_csr *H = in->problem->H;
    int d = in->problem->d, count = 0;
    for (int last = -1;;) {
        int next = -1;
        for (int row = a * d; row < a * d + d; row++)
            for (int k = H->p[row]; k < H->p[row + 1]; k++) {
                int b = in->body_of[H->j[k]];
                if (b > last && (next < 0 || b < next)) next = b;
            }
        if (next < 0) return count;
        if (list) list[count] = next;
        count++;
        last = next;
    }
}

// Copies the columns of body b from the rows of contact a, and solves with M_b.
static void fill_entry(struct dls_bodies *f, int a, int e)
{
    const struct dls_problem *p = f->problem;
    int b = f->body[e], first = f->inertia->start[b], k = dls_bodies_size(f, b);
    double *H = f->H + f->at[e], *X = f->X + f->at[e];
    for (int i = 0; i < p->d; i++) {
        int row = a * p->d + i;
        for (int l = p->H->p[row]; l < p->H->p[row + 1]; l++) {
            int column = p->H->j[l] - first;
            if (column >= 0 && column < k) H[i * k + column] = p->H->x[l];
        }
        memcpy(X + i * k, H + i * k, (size_t)k * sizeof *X);
        dls_inertia_solve_body(f->inertia, b, X + i * k); // X_ab = M_b^-1 H_ab^T
    }
}

// Lists the entries of each body by ascending contact.
static void list_by_body(struct dls_bodies *f)
{
    int bodies = f->inertia->bodies, contacts = f->problem->contacts;
    for (int e = 0; e < f->p[contacts]; e++) f->body_p[f->body[e] + 1]++;
    for (int b = 0; b < bodies; b++) f->body_p[b + 1] += f->body_p[b];
    for (int a = 0; a < contacts; a++)
        for (int e = f->p[a]; e < f->p[a + 1]; e++) {
            int to = f->body_p[f->body[e]]++;
            f->body_entry[to] = e;
            f->body_contact[to] = a;
        }
    for (int b = bodies; b > 0; b--) f->body_p[b] = f->body_p[b - 1];
    f->body_p[0] = 0;
}

enum dls_status dls_bodies_build(struct dls_bodies **out, struct dls_inertia *in,
                                 struct dls_arena *a, struct dls_error *err)
{
    const struct dls_problem *p = in->problem;
    if (!in->bodies && p->n)
        return dls_fail(err, DLS_UNSUPPORTED, "M is not block diagonal by bodies%s",
                        p->joints ? " (joints couple them)" : "");
    struct dls_bodies *f = *out = DLS_NEW(a, struct dls_bodies, 1);
    int *start = DLS_NEW(a, int, (size_t)p->contacts + 1);
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < p->contacts; c++)
        start[c + 1] = start[c] + bodies_of(in, c, NULL);
    int entries = start[p->contacts];
    *f = (struct dls_bodies){
        .problem = p,
        .inertia = in,
        .p = start,
        .body = DLS_NEW(a, int, entries),
        .at = DLS_NEW(a, size_t, (size_t)entries + 1),
        .body_p = DLS_NEW(a, int, (size_t)in->bodies + 1),
        .body_entry = DLS_NEW(a, int, entries),
        .body_contact = DLS_NEW(a, int, entries),
    };
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < p->contacts; c++) bodies_of(in, c, f->body + f->p[c]);
    for (int e = 0; e < entries; e++)
        f->at[e + 1] = f->at[e] + (size_t)(p->d * dls_bodies_size(f, f->body[e]));
    f->H = DLS_NEW(a, double, f->at[entries]);
    f->X = DLS_NEW(a, double, f->at[entries]);
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < p->contacts; c++)
        for (int e = f->p[c]; e < f->p[c + 1]; e++) fill_entry(f, c, e);
    list_by_body(f);
    return DLS_OK;
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    if (!dls_problem_is_global(p))
        return dls_fail(err, DLS_UNSUPPORTED, "the file has W only, not M and H");
    struct dls_inertia *in = NULL;
    struct dls_bodies *f = NULL;
    enum dls_status status = dls_inertia_create(&in, p, a, err);
    if (status == DLS_OK) status = dls_bodies_build(&f, in, a, err);
    if (status == DLS_OK)
        *form = f;
    else
        dls_inertia_destroy(in);
    return status;
}

static int size(const void *form)
{
    return ((const struct dls_bodies *)form)->problem->m;
}

static void copy(const void *form, const double *from, double *to)
{
    memcpy(to, from, (size_t)size(form) * sizeof *to);
}

static void destroy(void *form)
{
    dls_inertia_destroy(((struct dls_bodies *)form)->inertia);
}

const struct dls_formulation dls_formulation_bodies = {
    .name = "bodies",
    .brief = "M^-1 and H blocks by bodies, W never formed",
    .build = build,
    .size = size,
    .start = copy,
    .lift = copy,
    .destroy = destroy,
};
