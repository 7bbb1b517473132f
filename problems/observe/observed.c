// SPDX-License-Identifier: Apache-2.0
// From a step of the engine to the picture of observed.h.
//
//   centre     q at the end of the step moved back with v^+ to the time at which the
//              contacts were looked for: the middle of the step in Moreau's scheme
//   force      (H^T r) / h, the part of one contact on the grain: no frame is needed
//   applied    (f - M v^-) / h, what the scheme applied beside contacts
//   work       r . (u^- + u^+) / 2, u^+ = u - E u^-          [Moreau2004, (50)]
#include "problems/observe/observed.h"

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/shape_mass.h"

#include <string.h>

// A sum of tetrahedra over the faces.
static double hull_volume(const struct dls_shape *s)
{
    double sum = 0;
    for (int k = 0; k < s->hull->faces; k++) {
        const struct dls_face *f = &s->hull->face[k];
        dls_vec3 a = dls_shape_corner(s, f->corner[0]);
        for (int i = 1; i + 1 < f->count; i++) {
            dls_vec3 b = dls_shape_corner(s, f->corner[i]);
            dls_vec3 c = dls_shape_corner(s, f->corner[i + 1]);
            sum += dls_vec3_dot(a, dls_vec3_cross(b, c)) / 6;
        }
    }
    return sum;
}

double dls_shape_volume(const struct dls_shape *s, int dim)
{
    double pi = acos(-1), r = s->radius;
    switch (s->kind) {
    case DLS_SHAPE_BALL:
        return dim == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
    case DLS_SHAPE_POLYGON:
        return dls_body_polygon(1, s, (dls_vec3){0}).mass;
    case DLS_SHAPE_CYLINDER:
        return dls_body_cylinder(1, s, (dls_vec3){0}).mass;
    case DLS_SHAPE_HULL:
        return hull_volume(s);
    }
    return 0;
}

static dls_vec3 linear(int dim, const double *x)
{
    return (dls_vec3){x[0], x[1], dim == 3 ? x[2] : 0};
}

// Spin of a body in space: about z in the plane, from principal axes in space.
static dls_vec3 spin_of(int dim, const struct dls_pose *pose, const double *v)
{
    if (dim == 2) return (dls_vec3){0, 0, v[2]};
    dls_vec3 sum = {0};
    for (int i = 0; i < 3; i++)
        sum = dls_vec3_add(sum, dls_vec3_scale(v[3 + i], pose->axis[i]));
    return sum;
}

static void fill_grain(struct dls_grain *g, const struct dls_rigid *r,
                       const struct dls_step *s, const double *q, int k)
{
    int at = k * (r->system.n / r->system.bodies);
    double mass = r->body[k].mass;
    *g = (struct dls_grain){
        .number = dls_rigid_number(r, k),
        .tag = r->tag ? r->tag[k] : 0,
        .pose = dls_rigid_pose(r, q, k),
        .shape = &r->shape[k],
        .volume = dls_shape_volume(&r->shape[k], r->dim),
        .mass = mass,
        .v = linear(r->dim, s->v + at),
    };
    g->spin = spin_of(r->dim, &g->pose, s->v + at);
    g->v_minus = s->problem.v_minus ? linear(r->dim, s->problem.v_minus + at) : g->v;
    dls_vec3 momentum = dls_vec3_scale(mass, g->v_minus);
    dls_vec3 percussion = dls_vec3_sub(linear(r->dim, s->problem.f + at), momentum);
    g->applied = dls_vec3_scale(1 / s->problem.step, percussion);
}

// The impulse of contact c on its body: r_N n + r_T t, rows of rolling left out.
static dls_vec3 impulse_of(const struct dls_step *s, int dim, int c)
{
    const struct dls_contact *contact = &s->contact[c];
    const double *r = s->r + c * s->problem.d;
    dls_vec3 sum = dls_vec3_scale(r[0], contact->n);
    sum = dls_vec3_add(sum, dls_vec3_scale(r[1], contact->t));
    if (dim == 2) return sum;
    return dls_vec3_add(sum,
                        dls_vec3_scale(r[2], dls_vec3_cross(contact->n, contact->t)));
}

static double work_of(const struct dls_problem *p, const struct dls_step *s, int c)
{
    double sum = 0;
    for (int i = c * p->d; p->u_minus && i < (c + 1) * p->d; i++) {
        double u_plus = s->u[i] - (p->w[i] - p->w_ob[i]); // u - E u^-
        sum += 0.5 * s->r[i] * (p->u_minus[i] + u_plus);
    }
    return sum;
}

static void fill_force(struct dls_force *f, const struct dls_rigid *r,
                       const struct dls_step *s, int c)
{
    const struct dls_contact *contact = &s->contact[c];
    dls_vec3 impulse = impulse_of(s, r->dim, c);
    *f = (struct dls_force){
        .grain = contact->body,
        .other = contact->other,
        .obstacle = contact->obstacle,
        .point = contact->point,
        .n = contact->n,
        .f = dls_vec3_scale(1 / s->problem.step, impulse),
        .normal = s->r[c * s->problem.d] / s->problem.step,
        .work = work_of(&s->problem, s, c),
        .gap = contact->gap,
        .approach = s->problem.u_minus ? s->problem.u_minus[c * s->problem.d] : 0,
    };
}

enum dls_status dls_observe(struct dls_observed *o, const struct dls_sim *sim,
                            struct dls_arena *a)
{
    const struct dls_rigid *r = dls_rigid_of(sim->system);
    const struct dls_step *s = &sim->last;
    *o = (struct dls_observed){.t = sim->t, .h = sim->h, .free_speed = s->free_norm};
    if (!r || !sim->steps) return DLS_UNSUPPORTED;
    o->dim = r->dim;
    o->gravity = r->gravity;
    o->grains = r->bodies;
    o->forces = s->problem.contacts;
    o->grain = DLS_NEW(a, struct dls_grain, o->grains);
    o->force = DLS_NEW(a, struct dls_force, o->forces);
    struct dls_arena scratch = dls_arena_scratch(a);
    double *q = dls_copy(&scratch, sim->q, (size_t)sim->system->nq, sizeof *q);
    if (!a->failed) {
        dls_system_move(sim->system, s->problem.time - sim->t, s->v, q);
        for (int k = 0; k < o->grains; k++) fill_grain(&o->grain[k], r, s, q, k);
        for (int c = 0; c < o->forces; c++) fill_force(&o->force[c], r, s, c);
    }
    dls_arena_free(&scratch);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}
