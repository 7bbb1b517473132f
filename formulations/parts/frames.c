// SPDX-License-Identifier: Apache-2.0
// A contact between rigid bodies as a frame and two arms [Moreau2004, 4.4].
//
// With c the centre of a body and x the contact point, the row of H for the direction e is
//
//     (e, ((x - c) x e) . axis_i)    and its negative for the other body:
//
// a point, two centres and a normal say all of it, since the tangents are a function of
// the normal. The first one is kept, for its root and division cost more than reading it:
// 12 numbers a contact instead of 36 entries of H. Rolling rows take the relative spin
// along the tangents: (0, t . axis_i), in the plane the spin itself.
//
// Products with H turn the spins of all bodies into the axes of space first and visit the
// contacts then. For a diagonal M, with J the inverse inertia in the axes of space,
//
//     W_ij = delta_ij (1/m + 1/m') + lever_i . J lever_j + the other's,
//     lever_i = (x - c) x e_i;   arms along n and equal I:   W_N = 1/m + 1/m',
//     W_T = W_N + |x - c|^2 / I + |x - c'|^2 / I'  on the diagonal, nothing elsewhere.
#include "formulations/parts/frames.h"

#include "base/contract.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

// A horizontal ground has t1 = x, t2 = y. The one branch is far from the normals of walls
// and grounds, so that rounding of n does not turn the frame between steps.
void dls_tangents(int dim, dls_vec3 n, dls_vec3 t[2])
{
    if (dim == 2) {
        t[0] = (dls_vec3){n.y, -n.x, 0};
        t[1] = (dls_vec3){0, 0, 1};
        return;
    }
    bool steep = fabs(n.x) > 0.9;
    dls_vec3 axis = {!steep, steep, 0};
    dls_vec3 across = dls_vec3_sub(axis, dls_vec3_scale(dls_vec3_dot(axis, n), n));
    t[0] = dls_vec3_scale(1 / dls_vec3_norm(across), across);
    t[1] = dls_vec3_cross(n, t[0]);
}

static int dofs(const struct dls_frames *f) { return f->dim == 2 ? 3 : 6; }

static int rows_of(const struct dls_frames *f)
{
    return f->rolling ? 2 * f->dim - 1 : f->dim;
}

static inline struct dls_twist twist_of(const struct dls_frames *f, int b,
                                        const double *x)
{
    if (f->dim == 2) return (struct dls_twist){{x[0], x[1], 0}, {0, 0, x[2]}};
    const dls_vec3 *axis = f->pose + 4 * b + 1;
    dls_vec3 spin = dls_vec3_scale(x[3], axis[0]);
    spin = dls_vec3_add(spin, dls_vec3_scale(x[4], axis[1]));
    spin = dls_vec3_add(spin, dls_vec3_scale(x[5], axis[2]));
    return (struct dls_twist){{x[0], x[1], x[2]}, spin};
}

struct dls_twist dls_frames_twist(const struct dls_frames *f, int b, const double *v)
{
    double x[6];
    if (!f->held[b]) return twist_of(f, b, v);
    for (int i = 0; i < dofs(f); i++) x[i] = dls_frames_held(f, b, i) ? 0 : v[i];
    return twist_of(f, b, x);
}

// u = w + (rows of the contact k) v, with the twists of v in f->work.
static inline void map_one(const struct dls_frames *f, int dim, bool rolling, int k,
                           const double *w, double *u)
{
    const struct dls_frame *c = &f->all[k];
    dls_vec3 across = dls_frame_velocity(c, f->work);
    dls_vec3 t[2] = {c->t, dls_frame_second(dim, c)};
    u[0] = w[0] + dls_vec3_dot(c->n, across);
    u[1] = w[1] + dls_vec3_dot(t[0], across);
    if (dim == 3) u[2] = w[2] + dls_vec3_dot(t[1], across);
    if (!rolling) return;
    dls_vec3 spin = f->work[c->body].spin;
    if (c->other >= 0) spin = dls_vec3_sub(spin, f->work[c->other].spin);
    if (dim == 2) u[2] = w[2] + spin.z;
    for (int i = 0; dim == 3 && i < 2; i++)
        u[3 + i] = w[3 + i] + dls_vec3_dot(t[i], spin);
}

// The same in the plane without rolling, where only z turns.
static inline void map_plane(const struct dls_frames *f, int k, const double *w,
                             double *u)
{
    const struct dls_frame *c = &f->all[k];
    const struct dls_twist *a = &f->work[c->body], *b = &f->work[c->other];
    double x = a->v.x - a->spin.z * c->arm[0].y, y = a->v.y + a->spin.z * c->arm[0].x;
    if (c->other >= 0) {
        x -= b->v.x - b->spin.z * c->arm[1].y;
        y -= b->v.y + b->spin.z * c->arm[1].x;
    }
    u[0] = w[0] + (c->n.x * x + c->n.y * y);
    u[1] = w[1] + (c->t.x * x + c->t.y * y);
}

// A product with H (w is added) or its transpose (times s): from x to y.
struct product {
    const struct dls_frames *frames;
    double s;
    const double *x, *w;
    const dls_vec3 *impulse; // in the place of x and s: vectors of space
    double *y;
    int parts;
};

static void twist_all(void *data, int from, int to)
{
    const struct product *all = data;
    const struct dls_frames *f = all->frames;
    for (int b = from; b < to; b++)
        f->work[b] = dls_frames_twist(f, b, all->x + b * dofs(f));
}

// Constants in the first call give a loop without branches for bodies in space.
static void map_all(void *data, int from, int to)
{
    const struct product *all = data;
    const struct dls_frames *f = all->frames;
    const double none[5] = {0}, *w = all->w ? all->w : none;
    int rows = rows_of(f), stride = all->w ? rows : 0;
    for (int k = from; k < to; k++) {
        double *u = all->y + k * rows;
        if (rows == 3 && !f->rolling)
            map_one(f, 3, false, k, w + k * stride, u);
        else if (rows == 2)
            map_plane(f, k, w + k * stride, u);
        else
            map_one(f, f->dim, f->rolling, k, w + k * stride, u);
    }
}

static void map(const struct dls_frames *f, int threads, const double *v,
                const double *w, double *u)
{
    struct product all = {.frames = f, .x = v, .w = w, .y = u};
    dls_share(threads, f->bodies, twist_all, &all);
    dls_share(threads, f->contacts, map_all, &all);
}

static inline void push(struct dls_twist *wrench, double s, dls_vec3 arm,
                        dls_vec3 force, dls_vec3 moment)
{
    moment = dls_vec3_add(moment, dls_vec3_cross(arm, force));
    wrench->v = dls_vec3_add(wrench->v, dls_vec3_scale(s, force));
    wrench->spin = dls_vec3_add(wrench->spin, dls_vec3_scale(s, moment));
}

// The wrench s r of the contact k goes to those of its bodies that lie in a range.
struct range {
    int from, to;
};
static inline void push_one(const struct dls_frames *f, int dim, bool rolling, int k,
                            double s, const double *r, struct range range)
{
    const struct dls_frame *c = &f->all[k];
    bool first = c->body >= range.from && c->body < range.to;
    bool second = c->other >= range.from && c->other < range.to;
    if (!first && !second) return;
    dls_vec3 t[2] = {c->t, dls_frame_second(dim, c)}, moment = {0, 0, 0};
    dls_vec3 force = dls_vec3_scale(r[0], c->n);
    for (int i = 0; i < dim - 1; i++)
        force = dls_vec3_add(force, dls_vec3_scale(r[1 + i], t[i]));
    if (rolling && dim == 2) moment.z = r[2];
    for (int i = 0; rolling && dim == 3 && i < 2; i++)
        moment = dls_vec3_add(moment, dls_vec3_scale(r[3 + i], t[i]));
    if (first) push(&f->work[c->body], s, c->arm[0], force, moment);
    if (second) push(&f->work[c->other], -s, c->arm[1], force, moment);
}

// The same in the plane without rolling.
static inline void push_plane(const struct dls_frames *f, int k, double s,
                              const double *r, struct range range)
{
    const struct dls_frame *c = &f->all[k];
    double x = r[0] * c->n.x + r[1] * c->t.x, y = r[0] * c->n.y + r[1] * c->t.y;
    for (int side = 0; side < 2; side++, s = -s) {
        int body = side ? c->other : c->body;
        if (body < range.from || body >= range.to) continue;
        struct dls_twist *wrench = &f->work[body];
        wrench->v.x += s * x;
        wrench->v.y += s * y;
        wrench->spin.z += s * (c->arm[side].x * y - c->arm[side].y * x);
    }
}

// The impulse of the contact k as a vector of space.
static inline void push_space(const struct dls_frames *f, int k, dls_vec3 impulse,
                              struct range range)
{
    const struct dls_frame *c = &f->all[k];
    dls_vec3 none = {0, 0, 0};
    if (c->body >= range.from && c->body < range.to)
        push(&f->work[c->body], 1, c->arm[0], impulse, none);
    if (c->other >= range.from && c->other < range.to)
        push(&f->work[c->other], -1, c->arm[1], impulse, none);
}

// The wrenches of all contacts, gathered on the bodies of a range, then along their axes.
static void gather(const struct product *all, struct range range)
{
    const struct dls_frames *f = all->frames;
    const struct dls_twist none = {{0, 0, 0}, {0, 0, 0}}, *wrench = f->work;
    const double *r = all->x;
    for (int b = range.from; b < range.to; b++) f->work[b] = none;
    if (all->impulse)
        for (int k = 0; k < f->contacts; k++) push_space(f, k, all->impulse[k], range);
    else if (f->dim == 3 && !f->rolling)
        for (int k = 0; k < f->contacts; k++)
            push_one(f, 3, false, k, all->s, r + 3 * k, range);
    else if (!f->rolling)
        for (int k = 0; k < f->contacts; k++)
            push_plane(f, k, all->s, r + 2 * k, range);
    else
        for (int k = 0; k < f->contacts; k++)
            push_one(f, f->dim, f->rolling, k, all->s, r + rows_of(f) * k, range);
    for (int b = range.from; b < range.to; b++) {
        dls_vec3 along = wrench[b].v, about = wrench[b].spin;
        double x[6] = {along.x, along.y, f->dim == 2 ? about.z : along.z};
        for (int i = 0; f->dim == 3 && i < 3; i++)
            x[3 + i] = dls_vec3_dot(about, dls_frames_axis(f, b, i));
        for (int i = 0; i < dofs(f); i++)
            if (!dls_frames_held(f, b, i)) all->y[b * dofs(f) + i] += x[i];
    }
}

// Each thread looks at all contacts and serves bodies of its own: the sum of a body is
// taken in the order of the contacts whoever serves it.
static void gather_part(void *data, int part)
{
    const struct product *all = data;
    long bodies = all->frames->bodies;
    long from = bodies * part / all->parts, to = bodies * (part + 1) / all->parts;
    gather(all, (struct range){(int)from, (int)to});
}

static void gather_all(struct product all, int threads)
{
    all.parts = dls_team(threads, all.frames->contacts);
    dls_each(all.parts, all.parts, gather_part, &all);
}

void dls_frames_add_impulses(const struct dls_frames *f, int threads,
                             const dls_vec3 *impulse, double *y)
{
    DLS_ASSERT(!f->rolling);
    gather_all((struct product){.frames = f, .impulse = impulse, .y = y}, threads);
}

// Entries of the row of direction e for one body.
static void entries(const struct dls_frames *f, int body, dls_vec3 e, dls_vec3 lever,
                    double *x)
{
    x[0] = e.x, x[1] = e.y, x[2] = f->dim == 2 ? lever.z : e.z;
    for (int i = 0; f->dim == 3 && i < 3; i++)
        x[3 + i] = dls_vec3_dot(lever, dls_frames_axis(f, body, i));
    for (int i = 0; f->held[body] && i < dofs(f); i++)
        if (dls_frames_held(f, body, i)) x[i] = 0;
}

struct dls_round dls_frames_round_diagonal(const struct dls_frames *f, const double *M,
                                           int contact)
{
    const struct dls_frame *c = &f->all[contact];
    struct dls_round W = {0, 0};
    double turning = 0;
    for (int side = 0; side < (c->other < 0 ? 1 : 2); side++) {
        const double *m = M + (side ? c->other : c->body) * dofs(f);
        W.W_N += 1 / m[0];
        turning += dls_vec3_dot(c->arm[side], c->arm[side]) / m[dofs(f) - 1];
    }
    W.W_T = W.W_N + turning;
    return W;
}

// The inverse of a diagonal M (its n entries) for one body.
static struct dls_body_inverse inverse_of(const struct dls_frames *f, const double *M,
                                          int body)
{
    const double *m = M + body * dofs(f);
    double x[6];
    for (int i = 0; i < dofs(f); i++) x[i] = dls_frames_held(f, body, i) ? 0 : 1 / m[i];
    struct dls_body_inverse to = {.mass = {x[0], x[1], f->dim == 2 ? 0 : x[2]}};
    if (f->dim == 2) to.column[2].z = x[2];
    for (int i = 0; f->dim == 3 && i < 3; i++) { // sum of axis axis^T / I_axis
        dls_vec3 e = dls_frames_axis(f, body, i), g = dls_vec3_scale(x[3 + i], e);
        to.column[0] = dls_vec3_add(to.column[0], dls_vec3_scale(e.x, g));
        to.column[1] = dls_vec3_add(to.column[1], dls_vec3_scale(e.y, g));
        to.column[2] = dls_vec3_add(to.column[2], dls_vec3_scale(e.z, g));
    }
    return to;
}

// lever_i . J lever_j in the lower half of W_aa, of one body.
static inline void add_turning(int dim, const dls_vec3 *e, dls_vec3 arm,
                               const struct dls_body_inverse *b, double *W)
{
    dls_vec3 lever[3];
    for (int i = 0; i < dim; i++) {
        lever[i] = dls_vec3_cross(arm, e[i]);
        if (dim == 2) { // along z all of them
            double turned = lever[i].z * b->column[2].z;
            for (int j = 0; j <= i; j++) W[i * 2 + j] += turned * lever[j].z;
            continue;
        }
        dls_vec3 x = lever[i], turned = dls_vec3_scale(x.z, b->column[2]);
        turned = dls_vec3_add(turned, dls_vec3_scale(x.x, b->column[0]));
        turned = dls_vec3_add(turned, dls_vec3_scale(x.y, b->column[1]));
        for (int j = 0; j <= i; j++) W[i * dim + j] += dls_vec3_dot(turned, lever[j]);
    }
}

// The part of one body in the lower half of W_aa. Directions are orthonormal, so that one
// mass in all of them stands on the diagonal alone.
static inline void add_half(int dim, const dls_vec3 *e, dls_vec3 arm,
                            const struct dls_body_inverse *b, double *W)
{
    bool even = b->mass.x == b->mass.y && (dim == 2 || b->mass.y == b->mass.z);
    add_turning(dim, e, arm, b, W);
    for (int i = 0; i < dim; i++) {
        if (even) W[i * dim + i] += b->mass.x;
        dls_vec3 pushed = {b->mass.x * e[i].x, b->mass.y * e[i].y, b->mass.z * e[i].z};
        for (int j = 0; !even && j <= i; j++)
            W[i * dim + j] += dls_vec3_dot(pushed, e[j]);
    }
}

// W_aa of a contact from the inverses of its bodies; `other` is NULL for an obstacle.
static inline void fill_block(int dim, const struct dls_frame *c,
                              const struct dls_body_inverse *body,
                              const struct dls_body_inverse *other, double *W)
{
    dls_vec3 e[3] = {c->n, c->t, dls_frame_second(dim, c)};
    for (int i = 0; i < dim * dim; i++) W[i] = 0;
    add_half(dim, e, c->arm[0], body, W);
    if (other) add_half(dim, e, c->arm[1], other, W);
    for (int i = 0; i < dim; i++)
        for (int j = i + 1; j < dim; j++) W[i * dim + j] = W[j * dim + i];
}

void dls_frames_diagonal(const struct dls_frames *f, const double *M, int contact,
                         double *W)
{
    const struct dls_frame *c = &f->all[contact];
    int dim = f->dim;
    size_t size = (size_t)(dim * dim) * sizeof *W;
    if (dls_frames_round(f, M, contact)) {
        struct dls_round equal = dls_frames_round_diagonal(f, M, contact);
        memset(W, 0, size);
        for (int i = 0; i < dim; i++) W[i * (dim + 1)] = i ? equal.W_T : equal.W_N;
        return;
    }
    if (f->W) {
        const double *from = f->W + (size_t)contact * (size_t)(dim * dim);
        for (int i = 0; i < dim * dim; i++) W[i] = from[i];
        return;
    }
    struct dls_body_inverse inverse[2];
    inverse[0] = inverse_of(f, M, c->body);
    if (c->other >= 0) inverse[1] = inverse_of(f, M, c->other);
    fill_block(dim, c, &inverse[0], c->other < 0 ? NULL : &inverse[1], W);
}

struct weighing {
    const struct dls_frames *frames;
    const double *M;
    struct dls_body_inverse *inverse;
    double *W;
};

static void weigh_bodies(void *data, int from, int to)
{
    const struct weighing *all = data;
    for (int b = from; b < to; b++)
        all->inverse[b] = inverse_of(all->frames, all->M, b);
}

static void weigh_contacts(void *data, int from, int to)
{
    const struct weighing *all = data;
    const struct dls_frames *f = all->frames;
    for (int k = from; k < to; k++) {
        const struct dls_frame *c = &f->all[k];
        if (dls_frames_round(f, all->M, k)) continue;
        const struct dls_body_inverse *other =
            c->other < 0 ? NULL : &all->inverse[c->other];
        double *W = all->W + (size_t)k * (size_t)(f->dim * f->dim);
        if (f->dim == 3)
            fill_block(3, c, &all->inverse[c->body], other, W);
        else
            fill_block(2, c, &all->inverse[c->body], other, W);
    }
}

bool dls_frames_all_round(const struct dls_frames *f, const double *M)
{
    int k = 0;
    while (k < f->contacts && dls_frames_round(f, M, k)) k++;
    return k == f->contacts;
}

bool dls_frames_weigh(struct dls_frames *f, const double *M, int threads,
                      struct dls_arena *a)
{
    if (dls_frames_all_round(f, M)) return true;
    size_t entries = (size_t)f->contacts * (size_t)(f->dim * f->dim);
    struct weighing all = {
        f,
        M,
        DLS_RAW(a, struct dls_body_inverse, f->bodies),
        DLS_RAW(a, double, entries),
    };
    if (a->failed) return false;
    dls_share(threads, f->bodies, weigh_bodies, &all);
    dls_share(threads, f->contacts, weigh_contacts, &all);
    f->inverse = all.inverse;
    f->W = all.W;
    return true;
}

// --- rows ----------------------------------------------------------------------------

// The row of direction a: relative velocity of the point, or relative spin; the body of
// lower number first, zeros left out.
static void add_row(const struct dls_frames *f, struct dls_csr *H,
                    const struct dls_frame *c, dls_vec3 a, bool turning)
{
    int first = c->other >= 0 && c->other < c->body, *end = &H->p[H->rows + 1];
    *end = H->p[H->rows];
    for (int k = 0; k < (c->other >= 0 ? 2 : 1); k++) {
        int side = k ^ first, body = side ? c->other : c->body;
        dls_vec3 none = {0}, e = dls_vec3_scale(side ? -1 : 1, a);
        dls_vec3 moment = dls_vec3_cross(c->arm[side], e);
        double x[6];
        entries(f, body, turning ? none : e, turning ? e : moment, x);
        for (int i = 0; i < dofs(f); i++) {
            if (x[i] == 0) continue;
            H->j[*end] = body * dofs(f) + i;
            H->x[(*end)++] = x[i];
        }
    }
    H->rows++;
}

struct dls_csr *dls_frames_rows(const struct dls_frames *f, struct dls_arena *a)
{
    size_t rows = (size_t)f->contacts * (size_t)rows_of(f);
    size_t room = 2 * rows * (size_t)dofs(f);
    struct dls_csr *H = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, rows + 1), *j = DLS_NEW(a, int, room);
    double *x = DLS_NEW(a, double, room);
    if (a->failed) return NULL;
    *H = (struct dls_csr){.cols = f->bodies * dofs(f), .p = p, .j = j, .x = x};
    for (int k = 0; k < f->contacts; k++) {
        const struct dls_frame *c = &f->all[k];
        dls_vec3 t[2] = {c->t, dls_frame_second(f->dim, c)};
        add_row(f, H, c, c->n, false);
        for (int i = 0; i < f->dim - 1; i++) add_row(f, H, c, t[i], false);
        if (!f->rolling) continue;
        if (f->dim == 2) add_row(f, H, c, t[1], true);
        for (int i = 0; f->dim == 3 && i < 2; i++) add_row(f, H, c, t[i], true);
    }
    return H;
}

bool dls_problem_rows(struct dls_problem *p, struct dls_arena *a)
{
    if (!p->H && p->frames) p->H = dls_frames_rows(p->frames, a);
    return !a->failed;
}

void dls_problem_map(const struct dls_problem *p, const double *x, const double *w,
                     double *y)
{
    if (!p->H) {
        map(p->frames, p->threads, x, w, y);
        return;
    }
    if (w && p->m)
        memcpy(y, w, (size_t)p->m * sizeof *y);
    else if (p->m)
        memset(y, 0, (size_t)p->m * sizeof *y);
    dls_csr_add(p->H, 1, x, y);
}

void dls_problem_add_transposed(const struct dls_problem *p, double s, const double *x,
                                double *y)
{
    if (p->H)
        dls_csr_add_transposed(p->H, s, x, y);
    else
        gather_all((struct product){.frames = p->frames, .s = s, .x = x, .y = y},
                   p->threads);
}
