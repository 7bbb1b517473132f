// SPDX-License-Identifier: Apache-2.0
// Rigid bodies as a mechanical system [Moreau2004, 4.4].
//
//   plane:  q = (x, y, angle),            v = (x', y', spin),   M = diag(m, m, I_3)
//   space:  q = (x, y, z, e_0 ... e_3),   v = (x', y', z', omega_1, omega_2, omega_3),
//           M = diag(m, m, m, I_1, I_2, I_3)
//
// e is the unit quaternion that turns body axes into space, omega the spin in the
// principal axes of the body, so that M is constant and diagonal; Euler's equations
// then have the gyroscopic term  I omega' = -omega x (I omega) + torque. One step of a
// rotation: e <- e * exp(h omega / 2), exact for a constant spin.
//
// A velocity that is held has no force and no entry in H and G, hence it stays zero.
// Contacts: rigid_contacts.c; springs: springs.c; joints: joints.c.
#include "problems/mechanics/rigid_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int positions_of(const struct dls_rigid *r) { return r->dim == 2 ? 3 : 7; }

static struct dls_pose pose_of(int dim, const double *x)
{
    if (dim == 2) {
        double c = cos(x[2]), s = sin(x[2]);
        return (struct dls_pose){{x[0], x[1], 0}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    }
    double a = x[3], b = x[4], c = x[5], d = x[6];
    return (struct dls_pose){
        {x[0], x[1], x[2]},
        {
            {1 - 2 * (c * c + d * d), 2 * (b * c + a * d), 2 * (b * d - a * c)},
            {2 * (b * c - a * d), 1 - 2 * (b * b + d * d), 2 * (c * d + a * b)},
            {2 * (b * d + a * c), 2 * (c * d - a * b), 1 - 2 * (b * b + c * c)},
        },
    };
}

struct dls_pose dls_rigid_pose(const struct dls_rigid *r, const double *q, int body)
{
    return pose_of(r->dim, q + body * positions_of(r));
}

static dls_vec3 centre_of(const struct dls_rigid *r, const double *q, int body)
{
    const double *x = q + body * positions_of(r);
    return (dls_vec3){x[0], x[1], r->dim == 2 ? 0 : x[2]};
}

// e <- e * exp(h omega / 2), normalised against rounding.
static void turn(double h, const double *omega, double *e)
{
    double spin = sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
    double half = 0.5 * h * spin;
    double s = spin > 0 ? sin(half) / spin : 0.5 * h;
    double f[4] = {cos(half), s * omega[0], s * omega[1], s * omega[2]};
    double to[4] = {
        e[0] * f[0] - e[1] * f[1] - e[2] * f[2] - e[3] * f[3],
        e[0] * f[1] + e[1] * f[0] + e[2] * f[3] - e[3] * f[2],
        e[0] * f[2] - e[1] * f[3] + e[2] * f[0] + e[3] * f[1],
        e[0] * f[3] + e[1] * f[2] - e[2] * f[1] + e[3] * f[0],
    };
    double norm = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + to[3] * to[3]);
    for (int i = 0; i < 4; i++) e[i] = to[i] / norm;
}

// In space.
static void move(const struct dls_system *system, double h, const double *v, double *q)
{
    const struct dls_rigid *r = system->self;
    for (int k = 0; k < r->bodies; k++, v += 6, q += 7) {
        for (int i = 0; i < 3; i++) q[i] += h * v[i];
        turn(h, v + 3, q + 3);
    }
}

void dls_rigid_mass(const struct dls_rigid *r, int body, double *m)
{
    const struct dls_body *b = &r->body[body];
    double spin[] = {b->inertia.x, b->inertia.y, b->inertia.z};
    for (int i = 0; i < dls_rigid_dof(r); i++) {
        double turning = r->dim == 2 ? spin[2] : spin[(i + 3) % 3];
        m[i] = i < r->dim ? b->mass : turning;
    }
}

static void mass(const struct dls_system *system, const double *q,
                 struct dls_entries *M)
{
    (void)q;
    const struct dls_rigid *r = system->self;
    int dof = dls_rigid_dof(r);
    double m[6];
    for (int k = 0; k < r->bodies; k++) {
        dls_rigid_mass(r, k, m);
        for (int i = 0; i < dof; i++)
            dls_entries_add(M, k * dof + i, k * dof + i, m[i]);
    }
}

// F = 0 where a velocity is held.
static void hold(const struct dls_rigid *r, double *F)
{
    int dof = dls_rigid_dof(r);
    for (int k = 0; k < r->bodies; k++)
        for (int i = 0; r->held[k] && i < dof; i++)
            if (r->held[k] & 1 << i) F[k * dof + i] = 0;
}

// A vector of space along the axes of a body.
static void turn_into(const struct dls_rigid *r, const double *q, int body, dls_vec3 x,
                      double *to)
{
    to[0] = to[1] = to[2] = 0;
    if (x.x == 0 && x.y == 0 && x.z == 0) return; // mostly
    struct dls_pose p = dls_rigid_pose(r, q, body);
    for (int i = 0; i < 3; i++) to[i] = dls_vec3_dot(x, p.axis[i]);
}

void dls_rigid_push(const struct dls_rigid *r, const double *q, int body,
                    dls_vec3 point, dls_vec3 force, double *F)
{
    dls_vec3 moment = dls_vec3_cross(dls_vec3_sub(point, centre_of(r, q, body)), force);
    double x[6] = {force.x, force.y, r->dim == 2 ? moment.z : force.z};
    int dof = dls_rigid_dof(r);
    if (r->dim == 3) turn_into(r, q, body, moment, x + 3);
    for (int i = 0; i < dof; i++)
        if (!(r->held[body] & 1 << i)) F[body * dof + i] += x[i];
}

static void force(const struct dls_system *system, double t, const double *q,
                  const double *v, double *all)
{
    const struct dls_rigid *r = system->self;
    double *F = all;
    for (int k = 0; k < r->bodies; k++, F += dls_rigid_dof(r)) {
        const struct dls_body *b = &r->body[k];
        dls_vec3 f = dls_vec3_add(b->force, dls_vec3_scale(b->mass, r->gravity));
        F[0] = f.x;
        F[1] = f.y;
        F[2] = r->dim == 2 ? b->torque.z : f.z;
        if (r->dim == 3) turn_into(r, q, k, b->torque, F + 3);
    }
    dls_springs_force(r, q, v, all);
    if (r->load) r->load(r, t, q, v, all);
    hold(r, all);
}

// -omega x (I omega); none in the plane.
static void gyroscopic(const struct dls_system *system, const double *q,
                       const double *v, double *all)
{
    (void)q;
    const struct dls_rigid *r = system->self;
    double *F = all;
    for (int k = 0; k < r->bodies; k++, F += 6, v += 6) {
        const struct dls_body *b = &r->body[k];
        dls_vec3 w = {v[3], v[4], v[5]};
        dls_vec3 L = {b->inertia.x * w.x, b->inertia.y * w.y, b->inertia.z * w.z};
        dls_vec3 torque = dls_vec3_cross(L, w);
        F[0] = F[1] = F[2] = 0;
        F[3] = torque.x, F[4] = torque.y, F[5] = torque.z;
    }
    hold(r, all);
}

// -m g . x and springs; constant forces on bodies count as external.
static double potential(const struct dls_system *system, double t, const double *q)
{
    (void)t;
    const struct dls_rigid *r = system->self;
    double sum = dls_springs_potential(r, q);
    for (int k = 0; k < r->bodies; k++)
        sum -= r->body[k].mass * dls_vec3_dot(r->gravity, centre_of(r, q, k));
    return sum;
}

static dls_vec3 place(const struct dls_system *system, const double *q, int body)
{
    return centre_of(system->self, q, body);
}

void dls_rigid_row(const struct dls_rigid *r, struct dls_entries *to,
                   const struct dls_half_row *h)
{
    int dim = r->dim, dof = dls_rigid_dof(r);
    double x[6] = {h->a.x, h->a.y, dim == 2 ? h->lever.z : h->a.z};
    for (int i = 0; dim == 3 && i < 3; i++)
        x[3 + i] = dls_vec3_dot(h->lever, h->pose->axis[i]);
    for (int i = 0; i < dof; i++)
        if (x[i] != 0 && !(r->held[h->body] & 1 << i))
            dls_entries_add(to, h->row, h->body * dof + i, x[i]);
}

const struct dls_rigid *dls_rigid_of(const struct dls_system *system)
{
    return system->contacts == dls_rigid_contacts ? system->self : NULL;
}

int dls_rigid_obstacle_of(const struct dls_contact *c) { return c->obstacle; }

// --- making --------------------------------------------------------------------------

struct dls_rigid *dls_rigid_new(int dim, int bodies, int obstacles, bool rolling,
                                struct dls_arena *a)
{
    assert(dim == 2 || dim == 3);
    struct dls_rigid *r = DLS_NEW(a, struct dls_rigid, 1);
    struct dls_body *body = DLS_NEW(a, struct dls_body, bodies);
    struct dls_shape *shape = DLS_NEW(a, struct dls_shape, bodies);
    struct dls_obstacle *obstacle = DLS_NEW(a, struct dls_obstacle, obstacles);
    double *angle = DLS_NEW(a, double, bodies);
    unsigned char *held = DLS_NEW(a, unsigned char, bodies);
    int *carrier = DLS_NEW(a, int, obstacles);
    struct dls_arena *pool = dls_arena_pool(a);
    if (a->failed) return NULL;
    *r = (struct dls_rigid){
        .dim = dim,
        .room = bodies,
        .obstacle_room = obstacles,
        .body = body,
        .angle = angle,
        .shape = shape,
        .obstacle = obstacle,
        .held = held,
        .carrier = carrier,
        .near.arena = a,
        .crowd = 1,
        .pool = pool,
        .arena = a,
    };
    r->system = (struct dls_system){
        .n = (dim == 2 ? 3 : 6) * bodies,
        .nq = (dim == 2 ? 3 : 7) * bodies,
        .d = rolling ? 2 * dim - 1 : dim,
        .rolling = rolling,
        .constant_mass = true,
        .bodies = bodies,
        .self = r,
        .move = dim == 3 ? move : NULL, // in the plane q' = v
        .mass = mass,
        .force = force,
        .gyroscopic = dim == 3 ? gyroscopic : NULL,
        .potential = potential,
        .contacts = dls_rigid_contacts,
        .joint = dls_joints_rows,
        .place = place,
    };
    return r;
}

int dls_rigid_body(struct dls_rigid *r, struct dls_body body, struct dls_shape shape)
{
    assert(r->bodies < r->room);
    r->body[r->bodies] = body;
    r->shape[r->bodies] = shape;
    // A resting body must not lose a contact to the last bits of its position.
    r->system.slack = fmax(r->system.slack, 1e-10 * shape.bound);
    return r->bodies++;
}

int dls_rigid_obstacle(struct dls_rigid *r, struct dls_obstacle obstacle)
{
    assert(r->obstacles < r->obstacle_room);
    r->obstacle[r->obstacles] = obstacle;
    r->carrier[r->obstacles] = -1;
    return r->obstacles++;
}

int dls_rigid_plane(struct dls_rigid *r, struct dls_plane plane)
{
    return dls_rigid_obstacle(r, (struct dls_obstacle){
                                     .point = plane.point,
                                     .n = plane.n,
                                     .motion = plane.motion,
                                     .data = plane.data,
                                 });
}

int dls_rigid_wall(struct dls_rigid *r, struct dls_plane plane, double mass,
                   double force)
{
    int axes = (plane.n.x != 0) + (plane.n.y != 0) + (plane.n.z != 0);
    assert(axes == 1); // others: a body on a slider that carries the plane
    struct dls_body body = {
        .mass = mass,
        .inertia = {mass, mass, mass}, // of no effect, but M is regular
        .at = plane.point,
        .force = dls_vec3_scale(force, plane.n),
    };
    int k = dls_rigid_body(r, body, dls_shape_ball(0));
    r->held[k] = DLS_SILENT | (r->dim == 2 ? DLS_HELD_SPIN_2D : DLS_HELD_SPIN);
    r->held[k] |= plane.n.x != 0 ? 0 : DLS_HELD_X;
    r->held[k] |= plane.n.y != 0 ? 0 : DLS_HELD_Y;
    r->held[k] |= plane.n.z != 0 || r->dim == 2 ? 0 : DLS_HELD_Z;
    r->carrier[dls_rigid_plane(r, plane)] = k;
    return k;
}

void dls_rigid_vessel(struct dls_rigid *r, dls_motion *motion, const void *data)
{
    for (int k = 0; k < r->obstacles; k++) {
        r->obstacle[k].motion = motion;
        r->obstacle[k].data = data;
    }
}

// The initial position of a body.
static void start_at(const struct dls_rigid *r, int k, double *q)
{
    const struct dls_body *b = &r->body[k];
    double half = 0.5 * r->angle[k];
    if (r->dim == 2)
        memcpy(q, (double[]){b->at.x, b->at.y, r->angle[k]}, 3 * sizeof *q);
    else
        memcpy(q, (double[]){b->at.x, b->at.y, b->at.z, cos(half), 0, 0, sin(half)},
               7 * sizeof *q);
}

void dls_rigid_state_of(const struct dls_rigid *r, int k, double *q, double *v)
{
    const struct dls_body *b = &r->body[k];
    start_at(r, k, q + k * positions_of(r));
    v += k * dls_rigid_dof(r);
    if (r->dim == 2)
        memcpy(v, (double[]){b->v.x, b->v.y, b->spin.z}, 3 * sizeof *v);
    else
        memcpy(v, (double[]){b->v.x, b->v.y, b->v.z, b->spin.x, b->spin.y, b->spin.z},
               6 * sizeof *v);
}

void dls_rigid_state(const struct dls_rigid *r, double *q, double *v)
{
    for (int k = 0; k < r->bodies; k++) dls_rigid_state_of(r, k, q, v);
}

struct dls_pose dls_rigid_start(const struct dls_rigid *r, int body)
{
    double q[7];
    start_at(r, body, q);
    return pose_of(r->dim, q);
}
