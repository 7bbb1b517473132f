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
// contacts are full: they go with W_aa to the solver of one contact (contact.h). Either
// way the change of p goes to the bodies at once:
//
//     v += dp / m,  omega += I^-1 (arm x dp);   v' and omega' the other way round.
//
// What the visit of a round contact reads lies side by side in the order of the sweep: 104
// bytes a contact, 64 a body. A full one reads its frame and W_aa where they are, which
// takes less time than a copy of them. Where several threads share the sweep (stages.c),
// every block of bodies has an obstacle of its own, so that no two threads write to the
// same place.
#include "solvers/contact/frame_sweep.h"

#include "base/threads.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct dls_sweep_body {
    dls_vec3 v, spin;     // in the axes of space
    double mass, inertia; // inverse ones, of bodies that round contacts may have
};

struct dls_sweep_round {
    int body, other; // `other` is the number of bodies or more for an obstacle
    dls_vec3 n, w;   // w in space
    double mu;
    double arm[2];          // the arms are -arm[0] n and arm[1] n
    double normal, tangent; // omega / W_N, omega / W_T
};

// --- making --------------------------------------------------------------------------

static void fill_bodies(struct dls_frame_sweep *s)
{
    const struct dls_frames *f = s->form->frames;
    const double *M = s->form->inertia->diagonal;
    int dofs = f->dim == 2 ? 3 : 6;
    for (int b = 0; b < f->bodies; b++) {
        const double *m = M + b * dofs;
        bool equal = dls_frames_isotropic(f, M, b);
        s->body[b].mass = equal ? 1 / m[0] : 0;
        s->body[b].inertia = equal ? 1 / m[dofs - 1] : 0;
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

// `nobody` stands for an obstacle.
static struct dls_sweep_round round_contact(const struct dls_frame_sweep *s, int k,
                                            int nobody)
{
    const struct dls_problem *p = s->form->problem;
    const struct dls_frame *c = &p->frames->all[k];
    int other = c->other < 0 ? nobody : c->other;
    const struct dls_sweep_body *a = &s->body[c->body], *b = &s->body[other];
    double arm = -dls_vec3_dot(c->arm[0], c->n);
    double arm_b = c->other < 0 ? 0 : dls_vec3_dot(c->arm[1], c->n);
    double W_N = a->mass + b->mass;
    double W_T = W_N + arm * arm * a->inertia + arm_b * arm_b * b->inertia;
    return (struct dls_sweep_round){
        .body = c->body,
        .other = other,
        .n = c->n,
        .w = obstacle_velocity(p, k),
        .mu = p->mu[k],
        .arm = {arm, arm_b},
        .normal = s->omega / W_N,
        .tangent = s->omega / W_T,
    };
}

static inline int contact_at(const struct dls_frame_sweep *s, int place)
{
    return s->staged ? s->stages.order[place] : place;
}

static inline const double *block_of(const struct dls_frame_sweep *s, int contact)
{
    int d = s->form->problem->d;
    return s->W + (size_t)contact * (size_t)(d * d);
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
        int k = contact_at(s, i), body = p->frames->all[k].body;
        int nobody = p->frames->bodies + (s->staged ? s->stages.block[body] : 0);
        struct dls_cone K = dls_cone_make(p->d, false, p->mu[k], 0);
        if (s->full) s->full[i] = !dls_frames_round(p->frames, M, k);
        if (!s->full || !s->full[i])
            s->round[i] = round_contact(s, k, nobody);
        else if (!dls_contact_prepare(&s->local[i], &K, block_of(s, k))) {
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

// Makes room for full contacts where there are any, and W_aa where the frames bring none.
// False when memory runs out.
static bool open_full(struct dls_frame_sweep *s, struct dls_arena *a)
{
    const struct dls_frames *f = s->form->frames;
    const double *M = s->form->inertia->diagonal;
    if (dls_frames_all_round(f, M)) return true;
    struct dls_frames own = *f;
    s->full = DLS_RAW(a, bool, f->contacts);
    s->local = DLS_RAW(a, struct dls_local_contact, f->contacts);
    if (a->failed
        || (!f->W && !dls_frames_weigh(&own, M, s->form->problem->threads, a)))
        return false;
    s->W = own.W;
    s->inverse = own.inverse;
    return true;
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
        .rhs = DLS_RAW(a, double, form->problem->n),
        .round = DLS_RAW(a, struct dls_sweep_round, f->contacts),
    };
    if (staged && !dls_stages_of_frames(&s->stages, f, a)) return DLS_ENOMEM;
    int obstacles = staged ? s->stages.first[1] : 1;
    s->body = DLS_RAW(a, struct dls_sweep_body, f->bodies + obstacles);
    if (!open_full(s, a) || a->failed) return DLS_ENOMEM;
    memset(s->body + f->bodies, 0, (size_t)obstacles * sizeof *s->body);
    fill_bodies(s);
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

static inline void relax_round(const struct dls_sweep_round *c,
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
    dls_vec3 moment = dls_vec3_cross(change, c->n);
    add_to(&a->v, a->mass, change);
    add_to(&a->spin, c->arm[0] * a->inertia, moment);
    add_to(&b->v, -b->mass, change);
    add_to(&b->spin, c->arm[1] * b->inertia, moment);
}

// Carries a change p of the impulse to one body of a full contact.
static void push_full(const struct dls_frame_sweep *s, int body, dls_vec3 arm,
                      dls_vec3 p)
{
    struct dls_sweep_body *b = &s->body[body];
    const struct dls_body_inverse *inverse = &s->inverse[body];
    dls_vec3 along = {inverse->mass.x * p.x, inverse->mass.y * p.y,
                      inverse->mass.z * p.z};
    add_to(&b->v, 1, along);
    add_to(&b->spin, 1, times(inverse->column, dls_vec3_cross(arm, p)));
}

// True where several answers fit.
static bool relax_full(struct dls_frame_sweep *s, const struct dls_local_contact *local,
                       int k, dls_vec3 *p)
{
    const struct dls_problem *problem = s->form->problem;
    const struct dls_frame *c = &problem->frames->all[k];
    const struct dls_sweep_body *a = &s->body[c->body], *o = &s->body[c->other];
    const double *W = block_of(s, k);
    int d = problem->d, answers = 1;
    dls_vec3 e[3] = {c->n, c->t, dls_frame_second(d, c)};
    dls_vec3 u = dls_vec3_add(a->v, dls_vec3_cross(a->spin, c->arm[0]));
    if (c->other >= 0)
        u = dls_vec3_sub(u, dls_vec3_add(o->v, dls_vec3_cross(o->spin, c->arm[1])));
    double b[3], r[3], inverse = 1 / s->omega;
    for (int i = 0; i < d; i++) r[i] = dls_vec3_dot(*p, e[i]);
    for (int i = 0; i < d; i++) {
        b[i] = dls_vec3_dot(u, e[i]) + problem->w[k * d + i];
        for (int l = 0; l < d; l++) b[i] -= W[i * d + l] * r[l] * inverse;
    }
    s->solve(local, W, b, r, local->ambiguous ? &answers : NULL);
    dls_vec3 to = {0, 0, 0};
    for (int i = 0; i < d; i++) add_to(&to, s->omega * r[i], e[i]);
    dls_vec3 change = dls_vec3_sub(to, *p);
    *p = to;
    push_full(s, c->body, c->arm[0], change);
    if (c->other >= 0) push_full(s, c->other, c->arm[1], dls_vec3_scale(-1, change));
    return answers > 1;
}

// One pass over the contacts.
struct sweep_call {
    struct dls_frame_sweep *sweep;
    const int *order; // NULL: as they stand
    dls_vec3 *impulse;
};

static inline int place_at(const struct sweep_call *call, int i)
{
    return call->order ? call->order[i] : i;
}

// Where all contacts are round. With `fetches`, a constant in the call, what visits to come
// read is asked for further ahead than the processor looks by itself: first the contact,
// then, when that is there, the other body. That saves a third of a sweep over 10^5
// spheres and costs a tenth where all lies in a cache. It stands here because compilers
// leave out a call of a function that does nothing else.
static inline void relax_rounds(const struct sweep_call *call, int from, int to,
                                bool fetches)
{
    enum { AHEAD = 6, LINE = 64 }; // contacts, some 150 ns: what memory takes; bytes
    struct dls_frame_sweep *s = call->sweep;
    const struct dls_sweep_round *round = s->round;
    for (int i = from; i < to; i++) {
        int place = place_at(call, i);
        if (fetches) {
            int near = place_at(call, i + AHEAD < to ? i + AHEAD : i);
            int far = place_at(call, i + 2 * AHEAD < to ? i + 2 * AHEAD : i);
            __builtin_prefetch((const char *)&round[far]);
            __builtin_prefetch((const char *)&round[far] + LINE);
            __builtin_prefetch(&s->body[round[near].other]);
        }
        relax_round(&round[place], s->body, &call->impulse[contact_at(s, place)]);
    }
}

static long relax_all(void *data, int from, int to)
{
    enum { CACHED = 50000 }; // contacts, some 6 MB: more than a core has for itself
    const struct sweep_call *call = data;
    struct dls_frame_sweep *s = call->sweep;
    long ambiguous = 0;
    bool large = s->form->problem->contacts > CACHED;
    if (!s->full && large) relax_rounds(call, from, to, true);
    if (!s->full && !large) relax_rounds(call, from, to, false);
    for (int i = from; i < to && s->full; i++) {
        int place = place_at(call, i), k = contact_at(s, place);
        if (s->full[place])
            ambiguous += relax_full(s, &s->local[place], k, &call->impulse[k]);
        else
            relax_round(&s->round[place], s->body, &call->impulse[k]);
    }
    return ambiguous;
}

// M v = f + H^T r
static void solve_motion(void *data, int from, int to)
{
    const struct dls_frame_sweep *s = data;
    const struct dls_frames *f = s->form->frames;
    int dofs = f->dim == 2 ? 3 : 6;
    for (int b = from; b < to; b++) {
        double *v = s->rhs + b * dofs;
        dls_inertia_solve_body(s->form->inertia, b, v);
        struct dls_twist twist = dls_frames_twist(f, b, v);
        s->body[b].v = twist.v;
        s->body[b].spin = twist.spin;
    }
}

void dls_frame_sweep_reset(struct dls_frame_sweep *s, const double *z)
{
    const struct dls_problem *p = s->form->problem;
    memcpy(s->rhs, p->f, (size_t)p->n * sizeof *s->rhs);
    dls_frames_add_impulses(p->frames, p->threads, (const dls_vec3 *)z, s->rhs);
    dls_share(p->threads, p->frames->bodies, solve_motion, s);
}

long dls_frame_sweep_run(struct dls_frame_sweep *s, const int *order, double *z)
{
    const struct dls_problem *p = s->form->problem;
    struct sweep_call call = {s, order, (dls_vec3 *)z};
    return s->staged ? dls_stages_run(&s->stages, p->threads, relax_all, &call)
                     : relax_all(&call, 0, p->contacts);
}
