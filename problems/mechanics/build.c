// SPDX-License-Identifier: Apache-2.0
// The step problem of rigid bodies.
//
//   M = diag(m, m, m, I_1, I_2, I_3)      (m, m, I_3 in the plane) per body
//   H, contact a, direction e in (n, t1, t2):   e . (v + spin x l) of `body` minus that
//      of `other`, l = point - centre, hence the row (e, l x e | -e, -l' x e), with l x e
//      along the principal axes of the body
//   w_ob = -(n, t1, t2) . surface            hF = h (force + m g, torque)
//   u^- = H v^- + w_ob    w = w_ob + E u^-    f = M v^- + hF    E = diag(e_n, e_t, e_t)
//
// The normal points from `other` towards `body`, so u_N > 0 separates. In the plane
// t = (n_y, -n_x); in space t1 is the part across n of the axis least aligned with n,
// t2 = n x t1. A horizontal ground thus has t = x, or t1 = x and t2 = y. H is the stack
// of the G_alpha of [Moreau2004].
//
// Cost: linear in bodies and contacts, two passes over the contacts. H holds no stored
// zero: an entry below 1e-12 of the lever arm is rounding of the geometry (the normal
// row of a sphere has no lever arm) and is dropped.
#include "problems/mechanics/build.h"

#include <assert.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

bool dls_build_open(struct dls_build *b, int dim, int bodies, int contacts,
                    struct dls_arena *a)
{
    assert(dim == 2 || dim == 3);
    *b = (struct dls_build){.dim = dim, .room = bodies, .touch_room = contacts};
    b->scratch = dls_arena_scratch(a);
    b->body = DLS_NEW(&b->scratch, struct dls_body, bodies);
    b->touch = DLS_NEW(&b->scratch, struct dls_touch, contacts);
    if (!b->scratch.failed) return true;
    dls_arena_free(&b->scratch);
    return false;
}

int dls_build_body(struct dls_build *b, struct dls_body body)
{
    assert(b->bodies < b->room);
    b->body[b->bodies] = body;
    return b->bodies++;
}

int dls_build_touch(struct dls_build *b, struct dls_touch touch)
{
    assert(b->contacts < b->touch_room && touch.body != touch.other);
    assert(fabs(dls_vec3_norm(touch.n) - 1) < 1e-9);
    b->touch[b->contacts] = touch;
    return b->contacts++;
}

int dls_build_corners(struct dls_build *b, struct dls_touch touch, double x, double y)
{
    dls_vec3 middle = touch.point;
    int first = b->contacts;
    touch.n = (dls_vec3){0, 0, 1};
    for (int k = 0; k < 4; k++) {
        touch.point = middle;
        touch.point.x += k % 2 ? x / 2 : -x / 2;
        touch.point.y += k / 2 ? y / 2 : -y / 2;
        dls_build_touch(b, touch);
    }
    return first;
}

struct dls_body *dls_build_stacked(struct dls_build *b, double mass, double radius,
                                   struct dls_law law)
{
    int k = b->bodies;
    double height = 2 * radius * k;
    dls_vec3 at = {0, height + radius, 0};
    dls_build_body(b, dls_body_disk(mass, radius, at));
    dls_build_touch(b, (struct dls_touch){
                           .body = k,
                           .other = k - 1,
                           .point = {0, height, 0},
                           .n = {0, 1, 0},
                           .law = law,
                       });
    return &b->body[k];
}

// e[0] = n, then the tangents.
static void frame(const struct dls_build *b, dls_vec3 n, dls_vec3 e[3])
{
    e[0] = n;
    if (b->dim == 2) {
        e[1] = (dls_vec3){n.y, -n.x, 0};
        return;
    }
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    dls_vec3 axis = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    dls_vec3 t = dls_vec3_sub(axis, dls_vec3_scale(dls_vec3_dot(axis, n), n));
    e[1] = dls_vec3_scale(1 / dls_vec3_norm(t), t);
    e[2] = dls_vec3_cross(n, e[1]);
}

// One row of H while it is written: at most two bodies of six velocities.
struct entries {
    int count, j[12];
    double x[12];
};

// A vector of space along the principal axes of a body.
static dls_vec3 in_axes(const struct dls_body *body, dls_vec3 x)
{
    const dls_vec3 *axis = body->axis;
    if (dls_vec3_norm(axis[0]) == 0) return x;
    return (dls_vec3){dls_vec3_dot(axis[0], x), dls_vec3_dot(axis[1], x),
                      dls_vec3_dot(axis[2], x)};
}

// Appends +-(e, l x e) at the velocities of body k.
static void half_row(const struct dls_build *b, const struct dls_touch *c, dls_vec3 e,
                     int k, struct entries *to)
{
    double sign = k == c->body ? 1 : -1;
    dls_vec3 l = dls_vec3_sub(c->point, b->body[k].at);
    dls_vec3 t = in_axes(&b->body[k], dls_vec3_cross(l, e));
    double rounding = 1e-12 * dls_vec3_norm(l);
    bool plane = b->dim == 2;
    double value[] = {e.x, e.y, plane ? t.z : e.z, t.x, t.y, t.z};
    int dof = plane ? 3 : 6;
    for (int i = 0; i < dof; i++)
        if (fabs(value[i]) > (i < b->dim ? 0 : rounding)) {
            to->j[to->count] = dof * k + i;
            to->x[to->count++] = sign * value[i];
        }
}

// The row of H of contact c and direction e, columns ascending.
static struct entries row(const struct dls_build *b, const struct dls_touch *c,
                          dls_vec3 e)
{
    struct entries to = {0};
    int first = c->body < c->other ? c->body : c->other;
    int second = c->body < c->other ? c->other : c->body;
    if (first >= 0) half_row(b, c, e, first, &to);
    half_row(b, c, e, second, &to);
    return to;
}

static struct dls_csr *make_H(const struct dls_build *b, int n, struct dls_arena *a)
{
    int d = b->dim, m = d * b->contacts;
    dls_vec3 e[3];
    struct dls_csr *H = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, (size_t)m + 1);
    if (a->failed) return NULL;
    for (int i = 0; i < m; i++) {
        const struct dls_touch *c = &b->touch[i / d];
        if (i % d == 0) frame(b, c->n, e);
        p[i + 1] = p[i] + row(b, c, e[i % d]).count;
    }
    *H = (struct dls_csr){.rows = m, .cols = n, .p = p};
    H->j = DLS_NEW(a, int, p[m]);
    H->x = DLS_NEW(a, double, p[m]);
    if (a->failed) return NULL;
    for (int i = 0; i < m; i++) {
        const struct dls_touch *c = &b->touch[i / d];
        if (i % d == 0) frame(b, c->n, e);
        struct entries from = row(b, c, e[i % d]);
        memcpy(H->j + p[i], from.j, (size_t)from.count * sizeof *H->j);
        memcpy(H->x + p[i], from.x, (size_t)from.count * sizeof *H->x);
    }
    return H;
}

static struct dls_csr *diagonal(int n, struct dls_arena *a)
{
    struct dls_csr *M = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, (size_t)n + 1), *j = DLS_NEW(a, int, n);
    double *x = DLS_NEW(a, double, n);
    if (a->failed) return NULL;
    for (int i = 0; i < n; i++) p[i + 1] = i + 1, j[i] = i;
    *M = (struct dls_csr){.rows = n, .cols = n, .p = p, .j = j, .x = x};
    return M;
}

static void copy_dofs(int dim, dls_vec3 linear, dls_vec3 angular, double *to)
{
    if (dim == 2)
        memcpy(to, (double[]){linear.x, linear.y, angular.z}, 3 * sizeof *to);
    else
        memcpy(
            to,
            (double[]){linear.x, linear.y, linear.z, angular.x, angular.y, angular.z},
            6 * sizeof *to);
}

static void fill_bodies(const struct dls_build *b, struct dls_problem *p)
{
    int dof = b->dim == 2 ? 3 : 6;
    for (int k = 0; k < b->bodies; k++) {
        const struct dls_body *o = &b->body[k];
        double weight = o->mass * b->gravity;
        dls_vec3 down = {0, b->dim == 2 ? -weight : 0, b->dim == 2 ? 0 : -weight};
        dls_vec3 percussion = dls_vec3_scale(b->step, dls_vec3_add(o->force, down));
        dls_vec3 masses = {o->mass, o->mass, o->mass};
        p->body_start[k + 1] = dof * (k + 1);
        copy_dofs(b->dim, masses, o->inertia, p->M->x + dof * k);
        copy_dofs(b->dim, o->v, o->spin, p->v_minus + dof * k);
        copy_dofs(b->dim, percussion, dls_vec3_scale(b->step, o->torque),
                  p->hF + dof * k);
    }
}

static void fill_contacts(const struct dls_build *b, struct dls_problem *p)
{
    dls_vec3 e[3];
    for (int k = 0; k < b->contacts; k++) {
        const struct dls_touch *c = &b->touch[k];
        p->mu[k] = c->law.mu;
        p->e_n[k] = c->law.e_n;
        p->e_t[k] = c->law.e_t;
        p->gap[k] = c->gap;
        p->body_pair[2 * k] = c->body;
        p->body_pair[2 * k + 1] = c->other;
        memcpy(p->position + 3 * k, &c->point, sizeof c->point);
        frame(b, c->n, e);
        for (int i = 0; i < b->dim; i++)
            p->w_ob[b->dim * k + i] = 0 - dls_vec3_dot(e[i], c->surface);
    }
}

static enum dls_status fill(const struct dls_build *b, struct dls_problem *p,
                            struct dls_arena *a)
{
    int n = (b->dim == 2 ? 3 : 6) * b->bodies, nc = b->contacts, m = b->dim * nc;
    *p = (struct dls_problem){
        .contacts = nc,
        .d = b->dim,
        .m = m,
        .mu = DLS_NEW(a, double, nc),
        .n = n,
        .M = diagonal(n, a),
        .H = make_H(b, n, a),
        .f = DLS_NEW(a, double, n),
        .w = DLS_NEW(a, double, m),
        .v_minus = DLS_NEW(a, double, n),
        .u_minus = DLS_NEW(a, double, m),
        .w_ob = DLS_NEW(a, double, m),
        .e_n = DLS_NEW(a, double, nc),
        .e_t = DLS_NEW(a, double, nc),
        .hF = DLS_NEW(a, double, n),
        .gap = DLS_NEW(a, double, nc),
        .position = DLS_NEW(a, double, 3 * (size_t)nc),
        .bodies = b->bodies,
        .body_start = DLS_NEW(a, int, (size_t)b->bodies + 1),
        .body_pair = DLS_NEW(a, int, 2 * (size_t)nc),
        .step = b->step,
    };
    if (a->failed) return DLS_ENOMEM;
    fill_bodies(b, p);
    fill_contacts(b, p);
    dls_problem_set_step(p);
    return DLS_OK;
}

enum dls_status dls_build_close(struct dls_build *b, struct dls_problem *p,
                                const struct dls_origin *origin, struct dls_arena *a)
{
    enum dls_status status = fill(b, p, a);
    dls_arena_free(&b->scratch);
    if (!status) dls_problem_set_origin(p, origin, a);
    return a->failed ? DLS_ENOMEM : status;
}

void dls_problem_set_step(struct dls_problem *p)
{
    memcpy(p->u_minus, p->w_ob, (size_t)p->m * sizeof *p->w);
    dls_csr_add(p->H, 1, p->v_minus, p->u_minus); // u^- = H v^- + w_ob
    for (int i = 0; i < p->m; i++) {
        double e = (i % p->d ? p->e_t : p->e_n)[i / p->d];
        p->w[i] = p->w_ob[i] + e * p->u_minus[i]; // w = w_ob + E u^-
    }
    memcpy(p->f, p->hF, (size_t)p->n * sizeof *p->f);
    dls_csr_add(p->M, 1, p->v_minus, p->f); // f = M v^- + hF
}

void dls_problem_set_origin(struct dls_problem *p, const struct dls_origin *origin,
                            struct dls_arena *a)
{
    char value[64];
    struct dls_arena scratch = dls_arena_scratch(a);
    char *text =
        dls_text(&scratch, "generated by delassus %s: %s", DLS_VERSION, origin->name);
    for (const struct dls_option *o = origin->options; text && o->name; o++)
        text = dls_text(&scratch, "%s %s=%s", text, o->name,
                        dls_option_value(o, origin->opt, value));
    if (text) p->provenance = dls_text(a, "%s", text);
    dls_arena_free(&scratch);
    p->title = dls_text(a, "%s, %d contact%s", origin->name, p->contacts,
                        p->contacts == 1 ? "" : "s");
    p->description = dls_text(a, "%s", origin->description);
    p->math_info =
        dls_text(a, "%s", p->M ? "M v = f + H^T r, u = H v + w" : "u = W r + q");
}

struct dls_body dls_body_sphere(double rho, double radius, dls_vec3 at)
{
    double mass = rho * 4 / 3 * pi * radius * radius * radius;
    double inertia = 0.4 * mass * radius * radius;
    return (struct dls_body){mass, {inertia, inertia, inertia}, at, .v = {0}};
}

struct dls_body dls_body_box(double rho, dls_vec3 edges, dls_vec3 at)
{
    double x = edges.x * edges.x, y = edges.y * edges.y, z = edges.z * edges.z;
    double mass = rho * edges.x * edges.y * edges.z, share = mass / 12;
    dls_vec3 inertia = {share * (y + z), share * (z + x), share * (x + y)};
    return (struct dls_body){mass, inertia, at, .v = {0}};
}

struct dls_body dls_body_disk(double mass, double radius, dls_vec3 at)
{
    double inertia = 0.5 * mass * radius * radius;
    return (struct dls_body){mass, {0, 0, inertia}, at, .v = {0}};
}
