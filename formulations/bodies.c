// SPDX-License-Identifier: Apache-2.0
// M^-1 and H by bodies: for contact a and body b the dense blocks H_ab and M_b^-1 H_ab^T.
//
// A contact between rigid bodies touches two of them (one at an obstacle), so all of it
// takes memory and time linear in the contacts, whatever the number of contacts a body
// has: this is the form for very large problems and for bodies touched by thousands
// [Moreau2004, eq. (37)].
//
// Where the problem gives frames (parts/frames.h) these are read as they are and no block
// is made. The unknown z is then the impulse of each contact as a vector of space, with
// which a solver needs no tangents; without frames it is r itself.
#include "formulations/bodies.h"

#include "base/threads.h"

#include <assert.h>
#include <string.h>

// Calls for each distinct body of contact a; bodies come in ascending order because the
// d rows are merged by the smallest next column.
static int bodies_of(const struct dls_problem *p, const struct dls_inertia *in, int a,
                     int *list)
{
    const struct dls_csr *H = p->H;
    int d = p->d, count = 0;
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

enum dls_status dls_bodies_build(struct dls_bodies **out, const struct dls_problem *p,
                                 struct dls_inertia *in, struct dls_arena *a,
                                 struct dls_error *err)
{
    if (!in->bodies && p->n)
        return dls_fail(err, DLS_UNSUPPORTED, "M is not block diagonal by bodies%s",
                        p->joints ? " (joints couple them)" : "");
    struct dls_bodies *f = *out = DLS_NEW(a, struct dls_bodies, 1);
    int *start = DLS_NEW(a, int, (size_t)p->contacts + 1);
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < p->contacts; c++)
        start[c + 1] = start[c] + bodies_of(p, in, c, NULL);
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
    for (int c = 0; c < p->contacts; c++) bodies_of(p, in, c, f->body + f->p[c]);
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

// The problem as blocks need it: with H.
static const struct dls_problem *with_rows(const struct dls_problem *p,
                                           struct dls_arena *a)
{
    if (p->H) return p;
    struct dls_problem *copy = dls_copy(a, p, 1, sizeof *p);
    return copy && dls_problem_rows(copy, a) ? copy : NULL;
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    if (!dls_problem_is_global(p))
        return dls_fail(err, DLS_UNSUPPORTED, "the file has W only, not M and H");
    struct dls_inertia *in = NULL;
    struct dls_bodies *f = NULL;
    enum dls_status status = dls_inertia_take(&in, p, a, err);
    if (status == DLS_OK && p->frames && !p->rolling && in->diagonal) {
        f = DLS_NEW(a, struct dls_bodies, 1);
        if (f)
            *f = (struct dls_bodies){.problem = p, .inertia = in, .frames = p->frames};
        status = f ? DLS_OK : DLS_ENOMEM;
    } else if (status == DLS_OK) {
        const struct dls_problem *rows = with_rows(p, a);
        status = rows ? dls_bodies_build(&f, rows, in, a, err) : DLS_ENOMEM;
    }
    if (status == DLS_OK)
        *form = f;
    else
        dls_inertia_drop(in, p);
    return status;
}

static int size(const void *form)
{
    const struct dls_bodies *f = form;
    return f->frames ? 3 * f->problem->contacts : f->problem->m;
}

// Impulses of contacts given by frames, from rows to vectors of space or back.
struct turning {
    const struct dls_frames *frames;
    int d;
    const double *from;
    double *to;
};

static void rows_to_space(void *data, int first, int end)
{
    const struct turning *t = data;
    for (int k = first; k < end; k++) {
        const struct dls_frame *c = &t->frames->all[k];
        const double *r = t->from + k * t->d;
        dls_vec3 to =
            dls_vec3_add(dls_vec3_scale(r[0], c->n), dls_vec3_scale(r[1], c->t));
        if (t->d == 3)
            to = dls_vec3_add(to, dls_vec3_scale(r[2], dls_frame_second(3, c)));
        ((dls_vec3 *)t->to)[k] = to;
    }
}

static void space_to_rows(void *data, int first, int end)
{
    const struct turning *t = data;
    for (int k = first; k < end; k++) {
        const struct dls_frame *c = &t->frames->all[k];
        dls_vec3 impulse = ((const dls_vec3 *)t->from)[k];
        double *r = t->to + k * t->d;
        r[0] = dls_vec3_dot(c->n, impulse);
        r[1] = dls_vec3_dot(c->t, impulse);
        if (t->d == 3) r[2] = dls_vec3_dot(dls_frame_second(3, c), impulse);
    }
}

static void start(const void *form, const double *r, double *z)
{
    const struct dls_bodies *f = form;
    struct turning all = {f->frames, f->problem->d, r, z};
    if (f->frames)
        dls_share(f->problem->threads, f->frames->contacts, rows_to_space, &all);
    else
        memcpy(z, r, (size_t)size(form) * sizeof *z);
}

static void lift(const void *form, const double *z, double *r)
{
    const struct dls_bodies *f = form;
    struct turning all = {f->frames, f->problem->d, z, r};
    if (f->frames)
        dls_share(f->problem->threads, f->frames->contacts, space_to_rows, &all);
    else
        memcpy(r, z, (size_t)size(form) * sizeof *r);
}

static void destroy(void *form)
{
    struct dls_bodies *f = form;
    dls_inertia_drop(f->inertia, f->problem);
}

const struct dls_formulation dls_formulation_bodies = {
    .name = "bodies",
    .brief = "M^-1 and H blocks by bodies, W never formed",
    .frames = true,
    .build = build,
    .size = size,
    .start = start,
    .lift = lift,
    .destroy = destroy,
};
