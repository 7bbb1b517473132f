// SPDX-License-Identifier: Apache-2.0
#include "problems/mechanics/system.h"

#include "base/contract.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// Room for one more item, doubled when full; the old copy stays in the arena.
static void *grow(void *old, int count, int *room, size_t size, struct dls_arena *a)
{
    if (count < *room) return old;
    int more = *room ? 2 * *room : 8;
    void *to = dls_alloc_raw(a, (size_t)more, size);
    if (!to) return old;
    if (count) memcpy(to, old, (size_t)count * size);
    *room = more;
    return to;
}

void dls_entries_add(struct dls_entries *e, int i, int j, double x)
{
    DLS_ASSERT(i >= 0 && j >= 0);
    int room = e->room, same = e->room;
    e->i = grow(e->i, e->count, &room, sizeof *e->i, e->arena);
    e->j = grow(e->j, e->count, &same, sizeof *e->j, e->arena);
    e->x = grow(e->x, e->count, &e->room, sizeof *e->x, e->arena);
    if (e->arena->failed) return;
    e->i[e->count] = i;
    e->j[e->count] = j;
    e->x[e->count++] = x;
}

struct dls_csr *dls_entries_close(const struct dls_entries *e, int rows, int cols,
                                  struct dls_arena *a)
{
    if (e->arena->failed) return NULL;
    return dls_csr_from_triplets(rows, cols, e->count, e->i, e->j, e->x, a);
}

void dls_contacts_reserve(struct dls_contacts *c, int contacts)
{
    assert(!c->room);
    c->all = DLS_RAW(c->arena, struct dls_contact, contacts);
    c->w_ob = DLS_RAW(c->arena, double, (size_t)contacts *(size_t)c->d);
    c->frame = DLS_RAW(c->arena, struct dls_frame, contacts);
    if (!c->arena->failed) c->room = contacts;
}

// Room for one more contact; false when memory runs out.
static bool make_room(struct dls_contacts *c, bool frames)
{
    int room = c->room, same = c->room;
    size_t d = (size_t)c->d;
    c->all = grow(c->all, c->count, &room, sizeof *c->all, c->arena);
    if (frames) c->frame = grow(c->frame, c->count, &same, sizeof *c->frame, c->arena);
    c->w_ob = grow(c->w_ob, c->count, &c->room, d * sizeof *c->w_ob, c->arena);
    return !c->arena->failed;
}

int dls_contacts_add(struct dls_contacts *c, struct dls_contact contact,
                     const double *w_ob)
{
    if (contact.gap > c->reach || !make_room(c, false)) return -1;
    c->all[c->count] = contact;
    for (int i = 0; i < c->d; i++) c->w_ob[c->count * c->d + i] = w_ob ? w_ob[i] : 0;
    return c->d * c->count++;
}

bool dls_contacts_room(struct dls_contacts *c)
{
    return c->count < c->room || make_room(c, true);
}

void dls_system_move(const struct dls_system *s, double h, const double *v, double *q)
{
    if (s->move) {
        s->move(s, h, v, q);
        return;
    }
    for (int i = 0; i < s->n; i++) q[i] += h * v[i];
}

void dls_system_force(const struct dls_system *s, double t, const double *q,
                      const double *v, double *F, double *gyro)
{
    s->force(s, t, q, v, F);
    if (gyro) memset(gyro, 0, (size_t)s->n * sizeof *gyro);
    if (!s->gyroscopic || !gyro) return;
    s->gyroscopic(s, q, v, gyro);
    for (int i = 0; i < s->n; i++) F[i] += gyro[i];
}

struct dls_csr *dls_system_mass(const struct dls_system *s, const double *q,
                                struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_entries e = {.arena = &scratch};
    s->mass(s, q, &e);
    struct dls_csr *M = dls_entries_close(&e, s->n, s->n, a);
    dls_arena_free(&scratch);
    return M;
}

void dls_unit_mass(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    (void)q;
    for (int i = 0; i < s->n; i++) dls_entries_add(M, i, i, 1);
}

void dls_no_force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    for (int i = 0; i < s->n; i++) F[i] = 0;
}

double dls_system_potential(const struct dls_system *s, double t, const double *q)
{
    return s->potential ? s->potential(s, t, q) : 0;
}

struct dls_contacts dls_contacts_open(const struct dls_system *s, double reach,
                                      struct dls_arena *a)
{
    return (struct dls_contacts){
        .d = s->d,
        .reach = reach,
        .threads = 1,
        .arena = a,
        .H.arena = a,
    };
}

bool dls_contacts_find(struct dls_contacts *c, const struct dls_system *s, double t,
                       const double *q)
{
    if (s->contacts) s->contacts(s, t, q, c);
    return !c->arena->failed;
}

bool dls_system_contacts(const struct dls_system *s, double t, const double *q,
                         double reach, struct dls_contacts *c, struct dls_arena *a)
{
    *c = dls_contacts_open(s, reach, a);
    return dls_contacts_find(c, s, t, q);
}

struct dls_frames dls_contacts_frames(const struct dls_contacts *c,
                                      const struct dls_system *s)
{
    return (struct dls_frames){
        .dim = dls_system_dim(s),
        .rolling = s->rolling,
        .contacts = c->count,
        .bodies = s->bodies,
        .all = c->frame,
        .pose = c->pose,
        .held = c->held,
    };
}

struct dls_csr *dls_contacts_rows(const struct dls_contacts *c,
                                  const struct dls_system *s, struct dls_arena *a)
{
    if (!c->frame) return dls_entries_close(&c->H, c->count * s->d, s->n, a);
    struct dls_frames f = dls_contacts_frames(c, s);
    return dls_frames_rows(&f, a);
}

double dls_system_gap(const struct dls_system *s, double t, const double *q,
                      double reach)
{
    struct dls_arena scratch = {0};
    struct dls_contacts c;
    double least = INFINITY;
    if (dls_system_contacts(s, t, q, reach, &c, &scratch))
        for (int k = 0; k < c.count; k++) least = fmin(least, c.all[k].gap);
    dls_arena_free(&scratch);
    return least;
}
