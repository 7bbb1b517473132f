// SPDX-License-Identifier: Apache-2.0
// The contacts of rigid bodies: who is near whom, and the rows of H of each meeting.
//
// Row of H for the direction a at the point x of a body with centre c:
//   (a, ((x - c) x a) . axis_i),  with the opposite sign for the other body.
// Rolling rows take the relative spin along the tangents: (0, t . axis_i) in space and
// the spin itself in the plane. Velocities that are held have no entry.
//
// An obstacle that a body carries has that body as the other one: its velocity stands
// in H, the velocity of its own motion in w_ob.
//
// Identity of a contact: body, other (or obstacle) and feature, in one number.
// Cost: linear in bodies times planes, walls and containers; pairs of bodies and shaped
// obstacles come from the cell grid (grid.c).
#include "problems/mechanics/rigid_parts.h"
#include "problems/shapes/grid.h"

#include <math.h>

// Both bodies of a meeting while its rows are written.
struct pair {
    const struct dls_rigid *r;
    struct dls_contacts *c;
    const struct dls_meeting *m;
    int body, other, obstacle; // other = -1: the obstacle, at rest or driven; it is -1
                               // between two bodies
    struct dls_pose pose, other_pose;
};

// The row of direction a: relative velocity of the point, or relative spin.
static void add_row(const struct pair *p, int row, dls_vec3 a, bool turning)
{
    for (int side = 0; side < 2; side++) {
        if (side && p->other < 0) continue;
        const struct dls_pose *pose = side ? &p->other_pose : &p->pose;
        dls_vec3 e = dls_vec3_scale(side ? -1 : 1, a), none = {0};
        dls_vec3 moment = dls_vec3_cross(dls_vec3_sub(p->m->point, pose->at), e);
        struct dls_half_row half = {
            .row = row,
            .body = side ? p->other : p->body,
            .pose = pose,
            .a = turning ? none : e,
            .lever = turning ? e : moment,
        };
        dls_rigid_row(p->r, &p->c->H, &half);
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
    int other = p->obstacle < 0 ? p->other : -1 - p->obstacle;
    dls_vec3 t[2], n = p->m->n, s = p->m->surface;
    tangents(r->dim, n, t);
    double w_ob[5] = {-dls_vec3_dot(n, s), -dls_vec3_dot(t[0], s)};
    if (r->dim == 3) w_ob[2] = -dls_vec3_dot(t[1], s);
    // Bits: 24 for the body, 24 for the other (obstacles from the top), 16 for the
    // feature.
    uint64_t far =
        p->obstacle < 0 ? (uint64_t)p->other : 0xffffff - (uint64_t)p->obstacle;
    struct dls_contact contact = {
        .id = (uint64_t)p->body << 40 | far << 16 | (uint64_t)p->m->feature,
        .body = p->body,
        .other = p->other,
        .obstacle = p->obstacle,
        .gap = p->m->gap,
        .law = r->material ? r->material(r, p->body, other) : r->law,
        .mu_r = r->mu_r,
        .point = p->m->point,
        .n = n,
        .t = t[0],
    };
    int row = dls_contacts_add(p->c, contact, w_ob);
    if (row < 0) return;
    add_row(p, row++, n, false);
    for (int i = 0; i < r->dim - 1; i++) add_row(p, row++, t[i], false);
    if (!r->system.rolling) return;
    if (r->dim == 2) add_row(p, row, t[1], true);
    for (int i = 0; r->dim == 3 && i < 2; i++) add_row(p, row++, t[i], true);
}

// What the grid sorts: the bodies that can touch, then the shaped obstacles.
struct scene {
    int count;
    struct dls_placed *placed;
    struct dls_bound *bound;
    int *body, *obstacle;    // which one it is; the other is -1
    struct dls_drive *drive; // of each obstacle
    struct dls_nears near;
};

static void add_item(struct scene *s, struct dls_placed placed, int body, int obstacle)
{
    s->placed[s->count] = placed;
    s->bound[s->count] = (struct dls_bound){placed.pose.at, placed.shape->bound};
    s->body[s->count] = body;
    s->obstacle[s->count++] = obstacle;
}

struct dls_drive dls_rigid_drive(const struct dls_rigid *r, int k, double t,
                                 const double *q)
{
    const struct dls_obstacle *o = &r->obstacle[k];
    struct dls_drive d = dls_drive_at(o->motion, o->data, t);
    if (r->carrier[k] >= 0) {
        struct dls_pose start = dls_rigid_start(r, r->carrier[k]);
        struct dls_pose now = dls_rigid_pose(r, q, r->carrier[k]);
        dls_drive_carry(&d, &start, &now);
    }
    return d;
}

static bool open_scene(struct scene *s, const struct dls_rigid *r, double t,
                       const double *q, double reach, struct dls_arena *a)
{
    int room = r->bodies + r->obstacles;
    *s = (struct scene){
        .placed = DLS_NEW(a, struct dls_placed, room),
        .bound = DLS_NEW(a, struct dls_bound, room),
        .body = DLS_NEW(a, int, room),
        .obstacle = DLS_NEW(a, int, room),
        .drive = DLS_NEW(a, struct dls_drive, r->obstacles),
    };
    if (a->failed) return false;
    for (int k = 0; k < r->bodies; k++)
        if (!(r->held[k] & DLS_SILENT))
            add_item(s, (struct dls_placed){&r->shape[k], dls_rigid_pose(r, q, k)}, k,
                     -1);
    for (int k = 0; k < r->obstacles; k++) {
        s->drive[k] = dls_rigid_drive(r, k, t, q);
        if (r->obstacle[k].kind == DLS_OBSTACLE_SHAPE)
            add_item(s, dls_obstacle_place(&r->obstacle[k], &s->drive[k]), -1, k);
    }
    dls_grid_pairs(&s->near, r->dim, s->count, s->bound, reach, a);
    return !a->failed;
}

// The contacts of the body of item i with an obstacle, or with the item j.
static void meet_obstacle(struct pair *p, const struct scene *s, int i, int k,
                          const double *q)
{
    struct dls_meeting meeting[DLS_MEETINGS];
    struct dls_facing facing = {&s->placed[i], &p->r->obstacle[k], &s->drive[k]};
    if (p->r->meets && !p->r->meets(p->r, p->body, -1 - k)) return;
    int count = dls_detect_obstacle(&facing, p->r->dim, p->c->reach, meeting);
    if (!count) return;
    p->other = p->r->carrier[k];
    p->obstacle = k;
    if (p->other >= 0) p->other_pose = dls_rigid_pose(p->r, q, p->other);
    for (int m = 0; m < count; m++) p->m = &meeting[m], add_meeting(p);
}

static void meet_body(struct pair *p, const struct scene *s, int i, int j)
{
    struct dls_meeting meeting[DLS_MEETINGS];
    if (p->r->meets && !p->r->meets(p->r, p->body, s->body[j])) return;
    p->other = s->body[j];
    p->obstacle = -1;
    p->other_pose = s->placed[j].pose;
    int count =
        dls_detect_pair(&s->placed[i], &s->placed[j], p->r->dim, p->c->reach, meeting);
    for (int m = 0; m < count; m++) {
        meeting[m].surface = (dls_vec3){0, 0, 0};
        p->m = &meeting[m];
        add_meeting(p);
    }
}

void dls_rigid_contacts(const struct dls_system *system, double t, const double *q,
                        struct dls_contacts *c)
{
    const struct dls_rigid *r = system->self;
    struct dls_arena scratch = dls_arena_scratch(c->arena);
    struct scene s;
    int next = 0;
    bool open = open_scene(&s, r, t, q, c->reach, &scratch);
    int room = s.near.count < 4 * r->bodies ? s.near.count : 4 * r->bodies;
    if (open) dls_contacts_reserve(c, room, 2 * dls_rigid_dof(r));
    for (int i = 0; open && i < s.count && s.body[i] >= 0; i++) {
        struct pair p = {.r = r, .c = c, .body = s.body[i], .pose = s.placed[i].pose};
        for (int k = 0; k < r->obstacles; k++)
            if (r->obstacle[k].kind != DLS_OBSTACLE_SHAPE)
                meet_obstacle(&p, &s, i, k, q);
        for (; next < s.near.count && s.near.all[next].i == i; next++) {
            int j = s.near.all[next].j;
            if (s.obstacle[j] >= 0)
                meet_obstacle(&p, &s, i, s.obstacle[j], q);
            else
                meet_body(&p, &s, i, j);
        }
    }
    dls_arena_free(&scratch);
}
