// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel on the velocities of rigid bodies, contact after contact as frames.
//
// The impulse p of a contact is a vector of space, and so is the relative velocity
//
//     d = v + omega x arm - v' - omega' x arm' + w,     u_N = d . n,   u_T = d - u_N n.
//
// Where both arms lie along n and both inertias are isotropic, W_aa is diagonal with two
// equal tangential entries, and the answer of the one-contact problem is exact in closed
// form: the normal part does not see the tangential one, which is projected on a disk,
//
//     r_N' = max(0, r_N - omega_r u_N / W_N),
//     r_T' = projection of r_T - omega_r u_T / W_T on |r_T| <= mu r_N',
//
// with over-relaxation omega_r as in gauss_seidel.c. No tangents are needed. All other
// contacts keep W_aa in a block and go to the solver of one contact (contact.h). Either
// way the change of p goes to the bodies at once:
//
//     v += dp / m,  omega += I^-1 (arm x dp);   v' and omega' the other way round.
//
// What a visit reads lies side by side, contacts in the order of the sweep: 104 bytes a
// contact, 64 a body. Where several threads share the sweep (stages.c), every block of
// bodies has an obstacle of its own, so that no two threads write to the same place.
#include "solvers/contact/frame_sweep.h"

#include "base/threads.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct dls_sweep_body {
    dls_vec3 v, spin;     // in the axes of space
    double mass, inertia; // inverse ones, of bodies that round contacts may have
};

struct dls_sweep_contact {
    int body, other; // `other` is the number of bodies or more for an obstacle
    int block;       // of a full W_aa, or -1
    int at;          // which contact of the problem it is
    dls_vec3 n, w;   // w in space
    double mu;
    double arm[2];          // of round contacts: the arms are -arm[0] n and arm[1] n
    double normal, tangent; // omega / W_N, omega / W_T
};

struct dls_sweep_block {
    dls_vec3 t[2], arm[2];
    double W[9];
    struct dls_local_contact local;
};

// --- making --------------------------------------------------------------------------

static void fill_bodies(struct dls_frame_sweep *s, struct dls_body_inverse *inverse)
{
    const struct dls_frames *f = s->form->frames;
    const double *M = s->form->inertia->diagonal;
    int dofs = f->dim == 2 ? 3 : 6;
    for (int b = 0; b < f->bodies; b++) {
        const double *m = M + b * dofs;
        bool equal = dls_frames_isotropic(f, M, b);
        s->body[b].mass = equal ? 1 / m[0] : 0;
        s->body[b].inertia = equal ? 1 / m[dofs - 1] : 0;
        if (inverse) inverse[b] = dls_frames_inverse(f, M, b);
    }
}

// w as a vector of space.
static dls_vec3 obstacle_velocity(const struct dls_problem *p, int k)
{
    const double *w = p->w + k * p->d;
    const struct dls_frame *c = &p->frames->all[k];
    if (w[0] == 0 && w[1] == 0 && (p->d == 2 || w[2] == 0)) return (dls_vec3){0, 0, 0};
    dls_vec3 to = dls_vec3_add(dls_vec3_scale(w[0], c->n), dls_vec3_scale(w[1], c->t));
    return p->d == 2 ? to
                     : dls_vec3_add(to, dls_vec3_scale(w[2], dls_frame_second(3, c)));
}

static void fill_round(struct dls_frame_sweep *s, struct dls_sweep_contact *to,
                       const struct dls_frame *c)
{
    const struct dls_sweep_body *a = &s->body[to->body], *b = &s->body[to->other];
    to->arm[0] = -dls_vec3_dot(c->arm[0], c->n);
    to->arm[1] = c->other >= 0 ? dls_vec3_dot(c->arm[1], c->n) : 0;
    double W_N = a->mass + b->mass;
    double W_T = W_N + to->arm[0] * to->arm[0] * a->inertia
                 + to->arm[1] * to->arm[1] * b->inertia;
    to->normal = s->omega / W_N;
    to->tangent = s->omega / W_T;
}

// False where W_NN <= 0.
static bool fill_block(const struct dls_problem *p, const double *M, int k,
                       struct dls_sweep_block *b)
{
    const struct dls_frame *c = &p->frames->all[k];
    struct dls_cone K = dls_cone_make(p->d, false, p->mu[k], 0);
    memcpy(b->arm, c->arm, sizeof b->arm);
    b->t[0] = c->t;
    b->t[1] = dls_frame_second(p->d, c);
    dls_frames_diagonal(p->frames, M, k, b->W);
    return dls_contact_prepare(&b->local, &K, b->W);
}

struct filling {
    struct dls_frame_sweep *sweep;
    int bad; // the first contact with W_NN <= 0
};

// The contacts of the places from ... to - 1.
static void fill_some(void *data, int from, int to)
{
    struct filling *all = data;
    struct dls_frame_sweep *s = all->sweep;
    const struct dls_problem *p = s->form->problem;
    const double *M = s->form->inertia->diagonal;
    for (int i = from; i < to; i++) {
        struct dls_sweep_contact *into = &s->contact[i];
        int k = s->staged ? s->stages.order[i] : i;
        const struct dls_frame *c = &p->frames->all[k];
        int nobody = p->frames->bodies + (s->staged ? s->stages.block[c->body] : 0);
        *into = (struct dls_sweep_contact){
            // all fields: nothing is cleared before
            .body = c->body,
            .other = c->other < 0 ? nobody : c->other,
            .block = s->place ? s->place[k] : -1,
            .at = k,
            .n = c->n,
            .w = obstacle_velocity(p, k),
            .mu = p->mu[k],
            .arm = {0, 0},
            .normal = 0,
            .tangent = 0,
        };
        if (into->block < 0)
            fill_round(s, into, c);
        else if (!fill_block(p, M, k, &s->block[into->block])) {
#pragma omp critical
            all->bad = k < all->bad ? k : all->bad;
        }
    }
}

static enum dls_status fill_contacts(struct dls_frame_sweep *s, struct dls_error *err)
{
    const struct dls_problem *p = s->form->problem;
    struct filling all = {s, INT_MAX};
    dls_share(p->threads, p->contacts, fill_some, &all);
    if (all.bad == INT_MAX) return DLS_OK;
    return dls_fail(err, DLS_UNSUPPORTED, "W_NN <= 0 at contact %d", all.bad);
}

// Numbers the contacts whose W_aa is full; returns how many there are.
static int find_blocks(struct dls_frame_sweep *s, struct dls_arena *a)
{
    const struct dls_frames *f = s->form->frames;
    const double *M = s->form->inertia->diagonal;
    int blocks = 0;
    for (int k = 0; k < f->contacts && !blocks; k++)
        blocks += !dls_frames_round(f, M, k);
    if (!blocks) return 0;
    s->place = DLS_RAW(a, int, f->contacts);
    blocks = 0;
    for (int k = 0; s->place && k < f->contacts; k++)
        s->place[k] = dls_frames_round(f, M, k) ? -1 : blocks++;
    return blocks;
}

enum dls_status dls_frame_sweep_create(struct dls_frame_sweep *s,
                                       const struct dls_bodies *form, double omega,
                                       bool staged, struct dls_arena *a,
                                       struct dls_error *err)
{
    const struct dls_frames *f = form->frames;
    *s = (struct dls_frame_sweep){
        .form = form,
        .solve = dls_contact_solver_for(f->dim, false),
        .omega = omega,
        .staged = staged,
        .contact = DLS_RAW(a, struct dls_sweep_contact, f->contacts),
    };
    if (staged && !dls_stages_of_frames(&s->stages, f, a)) return DLS_ENOMEM;
    int blocks = find_blocks(s, a), obstacles = staged ? s->stages.first[1] : 1;
    s->body = DLS_RAW(a, struct dls_sweep_body, f->bodies + obstacles);
    s->block = DLS_RAW(a, struct dls_sweep_block, blocks);
    struct dls_body_inverse *inverse = NULL; // where the frames bring none
    if (blocks && !f->inverse) inverse = DLS_RAW(a, struct dls_body_inverse, f->bodies);
    s->inverse = f->inverse ? f->inverse : inverse;
    if (a->failed) return DLS_ENOMEM;
    memset(s->body + f->bodies, 0, (size_t)obstacles * sizeof *s->body);
    fill_bodies(s, inverse);
    return fill_contacts(s, err);
}

// --- the sweep -----------------------------------------------------------------------

static dls_vec3 times(const dls_vec3 *column, dls_vec3 x)
{
    dls_vec3 y = dls_vec3_scale(x.x, column[0]);
    y = dls_vec3_add(y, dls_vec3_scale(x.y, column[1]));
    return dls_vec3_add(y, dls_vec3_scale(x.z, column[2]));
}

static inline void add_to(dls_vec3 *x, double s, dls_vec3 y)
{
    x->x += s * y.x;
    x->y += s * y.y;
    x->z += s * y.z;
}

// One pass over the contacts.
struct sweep_call {
    struct dls_frame_sweep *sweep;
    const int *order;       // NULL: as they stand
    dls_vec3 *impulse;      // to be changed, or
    const dls_vec3 *pushes; // to be carried to the bodies
};

// Carries a change p of the impulse to the bodies of a round contact.
static inline void push_round(const struct dls_sweep_contact *c,
                              struct dls_sweep_body *a, struct dls_sweep_body *b,
                              dls_vec3 p)
{
    dls_vec3 moment = dls_vec3_cross(p, c->n);
    add_to(&a->v, a->mass, p);
    add_to(&a->spin, c->arm[0] * a->inertia, moment);
    add_to(&b->v, -b->mass, p);
    add_to(&b->spin, c->arm[1] * b->inertia, moment);
}

static inline void relax_round(const struct dls_sweep_contact *c,
                               struct dls_sweep_body *body, dls_vec3 *p)
{
    struct dls_sweep_body *a = &body[c->body], *b = &body[c->other];
    dls_vec3 n = c->n, turning = {
                           c->arm[0] * a->spin.x + c->arm[1] * b->spin.x,
                           c->arm[0] * a->spin.y + c->arm[1] * b->spin.y,
                           c->arm[0] * a->spin.z + c->arm[1] * b->spin.z,
                       };
    dls_vec3 d = dls_vec3_sub(dls_vec3_add(dls_vec3_sub(a->v, b->v), c->w),
                              dls_vec3_cross(turning, n));
    double u_N = dls_vec3_dot(d, n), r_N = dls_vec3_dot(*p, n);
    double now = r_N - c->normal * u_N;
    now = now > 0 ? now : 0;
    // r_T - omega u_T / W_T
    double back = r_N - c->tangent * u_N;
    dls_vec3 y = {
        p->x - c->tangent * d.x - back * n.x,
        p->y - c->tangent * d.y - back * n.y,
        p->z - c->tangent * d.z - back * n.z,
    };
    double square = dls_vec3_dot(y, y), limit = c->mu * now;
    if (square > limit * limit) y = dls_vec3_scale(limit / sqrt(square), y);
    dls_vec3 to = {y.x + now * n.x, y.y + now * n.y, y.z + now * n.z};
    dls_vec3 change = dls_vec3_sub(to, *p);
    *p = to;
    push_round(c, a, b, change);
}

// Carries a change p of the impulse to one body of a contact with a full block.
static void push_block(const struct dls_frame_sweep *s, int body, dls_vec3 arm,
                       dls_vec3 p)
{
    struct dls_sweep_body *b = &s->body[body];
    if (body >= s->form->frames->bodies) return;
    const struct dls_body_inverse *inverse = &s->inverse[body];
    dls_vec3 along = {inverse->mass.x * p.x, inverse->mass.y * p.y,
                      inverse->mass.z * p.z};
    add_to(&b->v, 1, along);
    add_to(&b->spin, 1, times(inverse->column, dls_vec3_cross(arm, p)));
}

// True where several answers fit.
static bool relax_block(struct dls_frame_sweep *s, const struct dls_sweep_contact *c,
                        dls_vec3 *p)
{
    const struct dls_sweep_block *k = &s->block[c->block];
    const struct dls_sweep_body *a = &s->body[c->body], *o = &s->body[c->other];
    int d = s->form->problem->d, answers = 1;
    dls_vec3 e[3] = {c->n, k->t[0], k->t[1]};
    dls_vec3 u = dls_vec3_add(a->v, dls_vec3_cross(a->spin, k->arm[0]));
    u = dls_vec3_sub(u, dls_vec3_add(o->v, dls_vec3_cross(o->spin, k->arm[1])));
    u = dls_vec3_add(u, c->w);
    double b[3], r[3], inverse = 1 / s->omega;
    for (int i = 0; i < d; i++) r[i] = dls_vec3_dot(*p, e[i]);
    for (int i = 0; i < d; i++) {
        b[i] = dls_vec3_dot(u, e[i]);
        for (int l = 0; l < d; l++) b[i] -= k->W[i * d + l] * r[l] * inverse;
    }
    s->solve(&k->local, k->W, b, r, k->local.ambiguous ? &answers : NULL);
    dls_vec3 to = {0, 0, 0};
    for (int i = 0; i < d; i++) add_to(&to, s->omega * r[i], e[i]);
    dls_vec3 change = dls_vec3_sub(to, *p);
    *p = to;
    push_block(s, c->body, k->arm[0], change);
    push_block(s, c->other, k->arm[1], dls_vec3_scale(-1, change));
    return answers > 1;
}

// Carries the impulses of the places from ... to - 1 to the bodies.
static long push_all(void *data, int from, int to)
{
    const struct sweep_call *call = data;
    const struct dls_frame_sweep *s = call->sweep;
    for (int i = from; i < to; i++) {
        const struct dls_sweep_contact *c = &s->contact[i];
        dls_vec3 p = call->pushes[c->at];
        if (c->block < 0) {
            push_round(c, &s->body[c->body], &s->body[c->other], p);
            continue;
        }
        const struct dls_sweep_block *block = &s->block[c->block];
        push_block(s, c->body, block->arm[0], p);
        push_block(s, c->other, block->arm[1], dls_vec3_scale(-1, p));
    }
    return 0;
}

static long relax_all(void *data, int from, int to)
{
    const struct sweep_call *call = data;
    struct dls_frame_sweep *s = call->sweep;
    long ambiguous = 0;
    for (int i = from; i < to; i++) {
        const struct dls_sweep_contact *c =
            &s->contact[call->order ? call->order[i] : i];
        if (c->block < 0)
            relax_round(c, s->body, &call->impulse[c->at]);
        else
            ambiguous += relax_block(s, c, &call->impulse[c->at]);
    }
    return ambiguous;
}

static long run(struct sweep_call *call, long (*visit)(void *, int, int))
{
    const struct dls_frame_sweep *s = call->sweep;
    const struct dls_problem *p = s->form->problem;
    return s->staged ? dls_stages_run(&s->stages, p->threads, visit, call)
                     : visit(call, 0, p->contacts);
}

// Bodies move by M^-1 f.
static void free_motion(void *data, int from, int to)
{
    const struct dls_frame_sweep *s = data;
    const struct dls_frames *f = s->form->frames;
    int dofs = f->dim == 2 ? 3 : 6;
    for (int b = from; b < to; b++) {
        double v[6];
        memcpy(v, s->form->problem->f + b * dofs, (size_t)dofs * sizeof *v);
        dls_inertia_solve_body(s->form->inertia, b, v);
        struct dls_twist twist = dls_frames_twist(f, b, v);
        s->body[b].v = twist.v;
        s->body[b].spin = twist.spin;
    }
}

void dls_frame_sweep_reset(struct dls_frame_sweep *s, const double *z)
{
    dls_share(s->form->problem->threads, s->form->frames->bodies, free_motion, s);
    run(&(struct sweep_call){.sweep = s, .pushes = (const dls_vec3 *)z}, push_all);
}

long dls_frame_sweep_run(struct dls_frame_sweep *s, const int *order, double *z)
{
    return run(&(struct sweep_call){s, order, (dls_vec3 *)z, NULL}, relax_all);
}
