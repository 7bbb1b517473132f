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
// Row of H for the direction a at the point x of a body with centre c:
//   (a, ((x - c) x a) . axis_i),  with the opposite sign for the other body.
// Rolling rows take the relative spin along the tangents: (0, t . axis_i) in space and
// the spin itself in the plane.
//
// Identity of a contact: body, other (or obstacle) and feature, in one number.
// Cost: linear in bodies times planes, walls and containers; pairs of bodies and shaped
// obstacles come from the cell grid (grid.c).
#include "problems/mechanics/rigid.h"

#include "problems/shapes/grid.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int dof_of(const struct dls_rigid *r) { return r->dim == 2 ? 3 : 6; }
static int positions_of(const struct dls_rigid *r) { return r->dim == 2 ? 3 : 7; }

struct dls_pose dls_rigid_pose(const struct dls_rigid *r, const double *q, int body)
{
    const double *x = q + body * positions_of(r);
    if (r->dim == 2) {
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

static void move(const struct dls_system *system, double h, const double *v, double *q)
{
    const struct dls_rigid *r = system->self;
    for (int k = 0; k < r->bodies; k++, v += dof_of(r), q += positions_of(r)) {
        int straight = r->dim == 2 ? 3 : r->dim;
        for (int i = 0; i < straight; i++) q[i] += h * v[i];
        if (r->dim == 3) turn(h, v + 3, q + 3);
    }
}

static void mass(const struct dls_system *system, const double *q,
                 struct dls_entries *M)
{
    (void)q;
    const struct dls_rigid *r = system->self;
    int dof = dof_of(r);
    for (int k = 0; k < r->bodies; k++) {
        const struct dls_body *b = &r->body[k];
        double spin[] = {b->inertia.x, b->inertia.y, b->inertia.z};
        for (int i = 0; i < dof; i++) {
            double turning = r->dim == 2 ? spin[2] : spin[(i + 3) % 3];
            dls_entries_add(M, k * dof + i, k * dof + i,
                            i < r->dim ? b->mass : turning);
        }
    }
}

static void force(const struct dls_system *system, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)v;
    const struct dls_rigid *r = system->self;
    for (int k = 0; k < r->bodies; k++, F += dof_of(r)) {
        const struct dls_body *b = &r->body[k];
        struct dls_pose p = dls_rigid_pose(r, q, k);
        dls_vec3 f = dls_vec3_add(b->force, dls_vec3_scale(b->mass, r->gravity));
        F[0] = f.x;
        F[1] = f.y;
        F[2] = r->dim == 2 ? b->torque.z : f.z;
        for (int i = 0; r->dim == 3 && i < 3; i++)
            F[3 + i] = dls_vec3_dot(b->torque, p.axis[i]);
    }
}

// -omega x (I omega); none in the plane.
static void gyroscopic(const struct dls_system *system, const double *q,
                       const double *v, double *F)
{
    (void)q;
    const struct dls_rigid *r = system->self;
    for (int k = 0; k < r->bodies; k++, F += 6, v += 6) {
        const struct dls_body *b = &r->body[k];
        dls_vec3 w = {v[3], v[4], v[5]};
        dls_vec3 L = {b->inertia.x * w.x, b->inertia.y * w.y, b->inertia.z * w.z};
        dls_vec3 torque = dls_vec3_cross(L, w);
        F[0] = F[1] = F[2] = 0;
        F[3] = torque.x, F[4] = torque.y, F[5] = torque.z;
    }
}

// -m g . x; constant forces on bodies count as external.
static double potential(const struct dls_system *system, double t, const double *q)
{
    (void)t;
    const struct dls_rigid *r = system->self;
    double sum = 0;
    for (int k = 0; k < r->bodies; k++)
        sum -= r->body[k].mass * dls_vec3_dot(r->gravity, dls_rigid_pose(r, q, k).at);
    return sum;
}

static dls_vec3 place(const struct dls_system *system, const double *q, int body)
{
    return dls_rigid_pose(system->self, q, body).at;
}

// --- contacts ------------------------------------------------------------------------

// Both bodies of a meeting while its rows are written.
struct pair {
    const struct dls_rigid *r;
    struct dls_contacts *c;
    const struct dls_meeting *m;
    int body, other, obstacle; // other = -1: the obstacle
    struct dls_pose pose, other_pose;
};

// The entries (a, lever . axis_i) of one body in a row.
static void half_row(const struct pair *p, int row, bool other, dls_vec3 a,
                     dls_vec3 lever)
{
    const struct dls_pose *pose = other ? &p->other_pose : &p->pose;
    int dim = p->r->dim, at = (other ? p->other : p->body) * dof_of(p->r);
    double along[] = {a.x, a.y, a.z}, turning[3] = {lever.z};
    for (int i = 0; dim == 3 && i < 3; i++)
        turning[i] = dls_vec3_dot(lever, pose->axis[i]);
    for (int i = 0; i < dim; i++)
        if (along[i] != 0) dls_entries_add(&p->c->H, row, at + i, along[i]);
    for (int i = 0; i < dof_of(p->r) - dim; i++)
        if (turning[i] != 0) dls_entries_add(&p->c->H, row, at + dim + i, turning[i]);
}

// The row of direction a: relative velocity of the point, or relative spin.
static void add_row(const struct pair *p, int row, dls_vec3 a, bool turning)
{
    for (int side = 0; side < 2; side++) {
        if (side && p->other < 0) continue;
        dls_vec3 centre = side ? p->other_pose.at : p->pose.at, none = {0};
        dls_vec3 e = dls_vec3_scale(side ? -1 : 1, a);
        dls_vec3 moment = dls_vec3_cross(dls_vec3_sub(p->m->point, centre), e);
        half_row(p, row, side, turning ? none : e, turning ? e : moment);
    }
}

// A horizontal ground has t1 = x, t2 = y. The one branch is far from the normals of walls
// and grounds, so that rounding of n does not turn the frame between steps.
static void tangents(int dim, dls_vec3 n, dls_vec3 t[2])
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

static void add_meeting(const struct pair *p)
{
    const struct dls_rigid *r = p->r;
    int other = p->other >= 0 ? p->other : -1 - p->obstacle;
    dls_vec3 t[2], n = p->m->n, s = p->m->surface;
    tangents(r->dim, n, t);
    double w_ob[5] = {-dls_vec3_dot(n, s), -dls_vec3_dot(t[0], s)};
    if (r->dim == 3) w_ob[2] = -dls_vec3_dot(t[1], s);
    // Bits: 24 for the body, 24 for the other (obstacles from the top), 16 for the
    // feature.
    uint64_t far =
        p->other >= 0 ? (uint64_t)p->other : 0xffffff - (uint64_t)p->obstacle;
    struct dls_contact contact = {
        .id = (uint64_t)p->body << 40 | far << 16 | (uint64_t)p->m->feature,
        .body = p->body,
        .other = p->other,
        .gap = p->m->gap,
        .law = r->material ? r->material(r, p->body, other) : r->law,
        .mu_r = r->mu_r,
        .point = p->m->point,
        .n = n,
    };
    int row = dls_contacts_add(p->c, contact, w_ob);
    if (row < 0) return;
    add_row(p, row++, n, false);
    for (int i = 0; i < r->dim - 1; i++) add_row(p, row++, t[i], false);
    if (!r->system.rolling) return;
    if (r->dim == 2) add_row(p, row, t[1], true);
    for (int i = 0; r->dim == 3 && i < 2; i++) add_row(p, row++, t[i], true);
}

// What the grid sorts: the bodies, then the shaped obstacles.
struct scene {
    int count;
    struct dls_placed *placed;
    struct dls_bound *bound;
    int *obstacle; // which one, or -1
    struct dls_nears near;
};

static void add_item(struct scene *s, struct dls_placed placed, int obstacle)
{
    s->placed[s->count] = placed;
    s->bound[s->count] = (struct dls_bound){placed.pose.at, placed.shape->bound};
    s->obstacle[s->count++] = obstacle;
}

static bool open_scene(struct scene *s, const struct dls_rigid *r, double t,
                       const double *q, double reach, struct dls_arena *a)
{
    int room = r->bodies + r->obstacles;
    *s = (struct scene){
        .placed = DLS_NEW(a, struct dls_placed, room),
        .bound = DLS_NEW(a, struct dls_bound, room),
        .obstacle = DLS_NEW(a, int, room),
    };
    if (a->failed) return false;
    dls_vec3 velocity;
    for (int k = 0; k < r->bodies; k++)
        add_item(s, (struct dls_placed){&r->shape[k], dls_rigid_pose(r, q, k)}, -1);
    for (int k = 0; k < r->obstacles; k++)
        if (r->obstacle[k].kind == DLS_OBSTACLE_SHAPE)
            add_item(s, dls_obstacle_place(&r->obstacle[k], t, &velocity), k);
    dls_grid_pairs(&s->near, r->dim, s->count, s->bound, reach, a);
    return !a->failed;
}

// The contacts of a body with an obstacle, or with the item j of the scene.
static void meet_obstacle(struct pair *p, const struct scene *s, double t, int k)
{
    struct dls_meeting meeting[DLS_MEETINGS];
    p->other = -1;
    p->obstacle = k;
    int count = dls_detect_obstacle(&s->placed[p->body], &p->r->obstacle[k], p->r->dim,
                                    t, p->c->reach, meeting);
    for (int i = 0; i < count; i++) p->m = &meeting[i], add_meeting(p);
}

static void meet_item(struct pair *p, const struct scene *s, double t, int j)
{
    struct dls_meeting meeting[DLS_MEETINGS];
    if (s->obstacle[j] >= 0) {
        meet_obstacle(p, s, t, s->obstacle[j]);
        return;
    }
    p->other = j;
    p->other_pose = s->placed[j].pose;
    int count = dls_detect_pair(&s->placed[p->body], &s->placed[j], p->r->dim,
                                p->c->reach, meeting);
    for (int i = 0; i < count; i++) {
        meeting[i].surface = (dls_vec3){0, 0, 0};
        p->m = &meeting[i];
        add_meeting(p);
    }
}

static void contacts(const struct dls_system *system, double t, const double *q,
                     struct dls_contacts *c)
{
    const struct dls_rigid *r = system->self;
    struct dls_arena scratch = dls_arena_scratch(c->arena);
    struct scene s;
    int next = 0;
    bool open = open_scene(&s, r, t, q, c->reach, &scratch);
    int room = s.near.count < 4 * r->bodies ? s.near.count : 4 * r->bodies;
    if (open) dls_contacts_reserve(c, room, 2 * dof_of(r));
    for (int k = 0; open && k < r->bodies; k++) {
        struct pair p = {.r = r, .c = c, .body = k, .pose = s.placed[k].pose};
        for (int i = 0; i < r->obstacles; i++)
            if (r->obstacle[i].kind != DLS_OBSTACLE_SHAPE) meet_obstacle(&p, &s, t, i);
        for (; next < s.near.count && s.near.all[next].i == k; next++)
            meet_item(&p, &s, t, s.near.all[next].j);
    }
    dls_arena_free(&scratch);
}

const struct dls_rigid *dls_rigid_of(const struct dls_system *system)
{
    return system->contacts == contacts ? system->self : NULL;
}

int dls_rigid_obstacle_of(const struct dls_contact *c)
{
    return (int)(0xffffff - (c->id >> 16 & 0xffffff)); // as add_meeting numbers them
}

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
    if (a->failed) return NULL;
    *r = (struct dls_rigid){
        .dim = dim,
        .room = bodies,
        .obstacle_room = obstacles,
        .body = body,
        .angle = angle,
        .shape = shape,
        .obstacle = obstacle,
    };
    r->system = (struct dls_system){
        .n = (dim == 2 ? 3 : 6) * bodies,
        .nq = (dim == 2 ? 3 : 7) * bodies,
        .d = rolling ? 2 * dim - 1 : dim,
        .rolling = rolling,
        .bodies = bodies,
        .self = r,
        .move = move,
        .mass = mass,
        .force = force,
        .gyroscopic = dim == 3 ? gyroscopic : NULL,
        .potential = potential,
        .contacts = contacts,
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

void dls_rigid_state(const struct dls_rigid *r, double *q, double *v)
{
    for (int k = 0; k < r->bodies; k++, q += positions_of(r), v += dof_of(r)) {
        const struct dls_body *b = &r->body[k];
        if (r->dim == 2) {
            memcpy(q, (double[]){b->at.x, b->at.y, r->angle[k]}, 3 * sizeof *q);
            memcpy(v, (double[]){b->v.x, b->v.y, b->spin.z}, 3 * sizeof *v);
            continue;
        }
        double half = 0.5 * r->angle[k];
        memcpy(q, (double[]){b->at.x, b->at.y, b->at.z, cos(half), 0, 0, sin(half)},
               7 * sizeof *q);
        memcpy(v, (double[]){b->v.x, b->v.y, b->v.z, b->spin.x, b->spin.y, b->spin.z},
               6 * sizeof *v);
    }
}
