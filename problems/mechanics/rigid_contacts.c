// SPDX-License-Identifier: Apache-2.0
// The contacts of rigid bodies: who is near whom, and the frame of each meeting
// (formulations/parts/frames.h).
//
// An obstacle that a body carries has that body as the other one: its velocity stands
// in H, the velocity of its own motion in w_ob.
//
// Identity of a contact: the numbers of body and other (or obstacle) and the feature, in
// one number of 24, 24 and 16 bits. Planes, walls and containers come first, then bodies, then shaped obstacles,
// which is the order in which they are looked at: identities ascend, but for the features
// of one pair.
//
// Cost: linear in bodies times planes, walls and containers (a plane that is out of reach
// takes one product); pairs of bodies and shaped obstacles come from lists of neighbours
// (neighbours.c).
#include "problems/mechanics/rigid_parts.h"

#include "base/threads.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct dls_pose) == 4 * sizeof(dls_vec3), "a centre and 3 axes");

// What may touch at (t, q): the bodies that can, then the shaped obstacles.
struct scene {
    struct dls_rigid *r; // its lists of neighbours are kept from call to call
    struct dls_contacts *c;
    int count;
    struct dls_pose *pose;   // of all bodies
    struct dls_solid *solid; // of all bodies, balls and cylinders left out; or NULL
    dls_vec3 *room;          // for the corners and normals of them
    int *start;              // where those of a body begin
    struct dls_bound *bound;
    int *body, *obstacle;    // which one an item is; the other is -1
    struct dls_drive *drive; // of each obstacle, and
    dls_vec3 *origin, *n;    // a point of it and its normal, of a plane; where it moves
    int flats, *flat;        // obstacles without a shape of their own: planes, ...
};

// Both sides of a meeting.
struct pair {
    int body, other, obstacle; // other = -1: the obstacle, at rest or driven; it is -1
                               // between two bodies
    bool round;
    dls_vec3 n, t[2]; // the last normal and its tangents: points of a face share them
};

static uint64_t number(const struct scene *s, int body)
{
    return (uint64_t)dls_rigid_number(s->r, body);
}

static uint64_t identity(const struct scene *s, const struct pair *p, int feature)
{
    const uint64_t bodies = 0x400000, shapes = 0xc00000;
    uint64_t far = bodies + (p->other < 0 ? 0 : number(s, p->other));
    if (p->obstacle >= 0) {
        bool shaped = s->r->obstacle[p->obstacle].kind == DLS_OBSTACLE_SHAPE;
        far = (shaped ? shapes : 0) + (uint64_t)p->obstacle;
    }
    return number(s, p->body) << 40 | far << 16 | (uint64_t)feature;
}

static void add(const struct scene *s, struct pair *p, const struct dls_meeting *m)
{
    const struct dls_rigid *r = s->r;
    struct dls_contacts *c = s->c;
    int other = p->obstacle < 0 ? p->other : -1 - p->obstacle;
    if (m->gap > c->reach || !dls_contacts_room(c)) return;
    if (m->n.x != p->n.x || m->n.y != p->n.y || m->n.z != p->n.z)
        dls_tangents(r->dim, p->n = m->n, p->t);
    const dls_vec3 *t = p->t;
    double *w_ob = c->w_ob + c->count * c->d;
    for (int i = 0; i < c->d; i++) w_ob[i] = 0;
    if (p->obstacle >= 0) {
        w_ob[0] = -dls_vec3_dot(m->n, m->surface);
        w_ob[1] = -dls_vec3_dot(t[0], m->surface);
        if (r->dim == 3) w_ob[2] = -dls_vec3_dot(t[1], m->surface);
    }
    c->frame[c->count] = (struct dls_frame){
        .body = p->body,
        .other = p->other,
        .round = p->round,
        .n = m->n,
        .t = t[0],
        .arm[0] = dls_vec3_sub(m->point, s->pose[p->body].at),
        .arm[1] = p->other < 0 ? (dls_vec3){0, 0, 0}
                               : dls_vec3_sub(m->point, s->pose[p->other].at),
    };
    // All fields are named: for the sake of one that is not, the whole would be cleared.
    c->all[c->count++] = (struct dls_contact){
        .id = identity(s, p, m->feature),
        .body = p->body,
        .other = p->other,
        .obstacle = p->obstacle,
        .gap = m->gap,
        .law = r->material ? r->material(r, p->body, other) : r->law,
        .mu_r = r->mu_r,
        .mu_2 = 0,
        .point = m->point,
        .n = m->n,
        .t = t[0],
    };
}

// --- the scene -----------------------------------------------------------------------

// In the plane the turn of a disk is not seen.
static struct dls_pose pose_of(const struct dls_rigid *r, const double *q, int k)
{
    if (r->dim == 3 || r->shape[k].kind != DLS_SHAPE_BALL)
        return dls_rigid_pose(r, q, k);
    return (struct dls_pose){{q[3 * k], q[3 * k + 1], 0},
                             {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static void add_item(struct scene *s, struct dls_bound bound, int body, int obstacle)
{
    s->bound[s->count] = bound;
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

// A shape that stands still, as thousands do that pave a ground.
static bool is_fixed(const struct dls_rigid *r, int k)
{
    const struct dls_obstacle *o = &r->obstacle[k];
    return o->kind == DLS_OBSTACLE_SHAPE && !o->motion && r->carrier[k] < 0;
}

static void add_obstacles(struct scene *s, double t, const double *q)
{
    for (int k = 0; k < s->r->obstacles; k++) {
        const struct dls_obstacle *o = &s->r->obstacle[k];
        if (is_fixed(s->r, k)) {
            add_item(s, (struct dls_bound){o->pose.at, o->shape.bound}, -1, k);
            continue;
        }
        if (o->kind != DLS_OBSTACLE_SHAPE) s->flat[s->flats++] = k;
        s->drive[k] = dls_rigid_drive(s->r, k, t, q);
        s->origin[k] = dls_drive_point(&s->drive[k], o->point);
        s->n[k] = dls_drive_turn(&s->drive[k], o->n);
        if (o->kind != DLS_OBSTACLE_SHAPE) continue;
        struct dls_placed placed = dls_obstacle_place(o, &s->drive[k]);
        add_item(s, (struct dls_bound){placed.pose.at, o->shape.bound}, -1, k);
    }
}

struct placing {
    const struct scene *scene;
    const double *q;
};

static void place_bodies(void *data, int from, int to)
{
    const struct placing *all = data;
    const struct scene *s = all->scene;
    for (int k = from; k < to; k++) {
        const struct dls_shape *shape = &s->r->shape[k];
        s->pose[k] = pose_of(s->r, all->q, k);
        if (s->solid && shape->corners)
            dls_solid_place(&s->solid[k], shape, &s->pose[k], s->room + s->start[k]);
    }
}

// Room for polygons and polyhedra, where there are any.
static void open_solids(struct scene *s, struct dls_arena *a)
{
    const struct dls_rigid *r = s->r;
    int vectors = 0;
    for (int k = 0; k < r->bodies && !vectors; k++) vectors += r->shape[k].corners;
    if (!vectors) return;
    s->start = DLS_RAW(a, int, r->bodies);
    s->solid = DLS_RAW(a, struct dls_solid, r->bodies);
    if (a->failed) return;
    vectors = 0;
    for (int k = 0; k < r->bodies; k++) {
        s->start[k] = vectors;
        if (r->shape[k].corners) vectors += dls_solid_room(&r->shape[k]);
    }
    s->room = DLS_RAW(a, dls_vec3, vectors);
}

// False when memory runs out.
static bool open_scene(struct scene *s, double t, const double *q, struct dls_arena *a)
{
    struct dls_rigid *r = s->r;
    int room = r->bodies + r->obstacles;
    s->pose = DLS_RAW(s->c->arena, struct dls_pose, r->bodies);
    s->bound = DLS_RAW(a, struct dls_bound, room);
    s->body = DLS_RAW(a, int, room);
    s->obstacle = DLS_RAW(a, int, room);
    s->drive = DLS_RAW(a, struct dls_drive, r->obstacles);
    s->origin = DLS_RAW(a, dls_vec3, r->obstacles);
    s->n = DLS_RAW(a, dls_vec3, r->obstacles);
    s->flat = DLS_RAW(a, int, r->obstacles);
    open_solids(s, a);
    if (a->failed || s->c->arena->failed) return false;
    dls_share(s->c->threads, r->bodies, place_bodies, &(struct placing){s, q});
    for (int k = 0; k < r->bodies; k++) {
        if (!(r->held[k] & DLS_SILENT))
            add_item(s, (struct dls_bound){s->pose[k].at, r->shape[k].bound}, k, -1);
    }
    int bodies = s->count;
    add_obstacles(s, t, q);
    return dls_neighbours_update(&r->near, r->dim, s->count, bodies, s->bound,
                                 s->c->reach);
}

// --- meetings ------------------------------------------------------------------------

static struct dls_placed placed_body(const struct scene *s, int k)
{
    return (struct dls_placed){&s->r->shape[k], s->pose[k]};
}

// Whether a body is too high above a plane to touch it.
static inline bool far_above(const struct scene *s, int body, int k)
{
    if (s->r->obstacle[k].kind != DLS_OBSTACLE_PLANE) return false;
    dls_vec3 away = dls_vec3_sub(s->pose[body].at, s->origin[k]);
    double height = dls_vec3_dot(s->n[k], away);
    return !(height - s->r->shape[body].bound <= s->c->reach);
}

static void meet_obstacle(const struct scene *s, int body, int k)
{
    const struct dls_rigid *r = s->r;
    const struct dls_obstacle *o = &r->obstacle[k];
    if (r->meets && !r->meets(r, body, -1 - k)) return;
    struct dls_meeting meeting[DLS_MEETINGS];
    struct dls_placed placed = placed_body(s, body);
    struct dls_drive still = dls_drive_at(NULL, NULL, 0);
    struct dls_facing facing = {&placed, o, is_fixed(r, k) ? &still : &s->drive[k]};
    // A ball has its arm along n; a body that carries the obstacle has not.
    bool ball = r->shape[body].kind == DLS_SHAPE_BALL && r->carrier[k] < 0;
    struct pair p = {
        .body = body, .other = r->carrier[k], .obstacle = k, .round = ball};
    int count = dls_detect_obstacle(&facing, r->dim, s->c->reach, meeting);
    for (int i = 0; i < count; i++) add(s, &p, &meeting[i]);
}

static void meet_body(const struct scene *s, int body, int other, unsigned char hint[2])
{
    const struct dls_rigid *r = s->r;
    const struct dls_shape *a = &r->shape[body], *b = &r->shape[other];
    if (r->meets && !r->meets(r, body, other)) return;
    struct dls_meeting meeting[DLS_MEETINGS];
    struct pair p = {
        .body = body,
        .other = other,
        .obstacle = -1,
        .round = a->kind == DLS_SHAPE_BALL && b->kind == DLS_SHAPE_BALL,
    };
    if (p.round) {
        if (dls_balls_meet(s->pose[body].at, a->radius, s->pose[other].at, b->radius,
                           s->c->reach, meeting))
            add(s, &p, meeting);
        return;
    }
    int count;
    if (a->corners && b->corners)
        count = dls_detect_solids(&s->solid[body], &s->solid[other], s->c->reach, hint,
                                  meeting);
    else {
        struct dls_placed placed[2] = {placed_body(s, body), placed_body(s, other)};
        count = dls_detect_pair(&placed[0], &placed[1], r->dim, s->c->reach, meeting);
    }
    for (int i = 0; i < count; i++) add(s, &p, &meeting[i]);
}

// Whether the balls around two items are within reach: what is read lies close together.
static inline bool near_enough(const struct scene *s, int i, int j)
{
    const struct dls_bound *a = &s->bound[i], *b = &s->bound[j];
    dls_vec3 across = dls_vec3_sub(a->at, b->at);
    double far = a->radius + b->radius + s->c->reach;
    return dls_vec3_dot(across, across) <= far * far;
}

// The first pair whose first item is `item` or a later one.
static int first_pair(const struct dls_nears *near, int item)
{
    int low = 0, high = near->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (near->all[middle].i < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// All meetings of the items from ... to - 1 with what comes behind them.
static void meet_items(const struct scene *s, int from, int to)
{
    const struct dls_rigid *r = s->r;
    const struct dls_nears *near = &r->near.near;
    int next = first_pair(near, from);
    for (int i = from; i < to && s->body[i] >= 0; i++) {
        for (int k = 0; k < s->flats; k++)
            if (!far_above(s, s->body[i], s->flat[k]))
                meet_obstacle(s, s->body[i], s->flat[k]);
        for (; next < near->count && near->all[next].i == i; next++) {
            struct dls_near *pair = &near->all[next];
            int j = pair->j;
            if (!near_enough(s, i, j)) continue;
            if (s->obstacle[j] >= 0)
                meet_obstacle(s, s->body[i], s->obstacle[j]);
            else
                meet_body(s, s->body[i], s->body[j], pair->hint);
        }
    }
}

// Items that one thread looks at, and what it found.
struct share {
    int from, to, at; // at: where its contacts go in the list of all
    struct dls_contacts found;
    struct dls_arena memory; // for more contacts than there is room for
};

// Room for the contacts of so many pairs and items, by what there was so far.
static int room_for(const struct scene *s, int pairs, int items)
{
    return (int)(s->r->crowd * pairs) + items / 4 + 8;
}

// A quarter more than ever was.
static void learn(struct dls_rigid *r, int contacts)
{
    r->crowd = fmax(r->crowd, 1.25 * contacts / (1.0 + r->near.near.count));
}

static void open_shares(const struct scene *s, struct share *share, int shares,
                        struct dls_arena *a)
{
    const struct dls_nears *near = &s->r->near.near;
    for (int k = 0; k < shares; k++) {
        int from = (int)((long)s->count * k / shares);
        int to = (int)((long)s->count * (k + 1) / shares);
        int pairs = first_pair(near, to) - first_pair(near, from);
        share[k] = (struct share){.from = from, .to = to, .found = *s->c};
        share[k].found.arena = a;
        dls_contacts_reserve(&share[k].found, room_for(s, pairs, to - from));
        share[k].found.arena = &share[k].memory;
    }
}

struct sharing {
    const struct scene *scene;
    struct share *share;
};

static void look(void *data, int k)
{
    const struct sharing *all = data;
    struct scene own = *all->scene;
    own.c = &all->share[k].found;
    meet_items(&own, all->share[k].from, all->share[k].to);
}

static void join(void *data, int k)
{
    const struct sharing *all = data;
    const struct dls_contacts *from = &all->share[k].found;
    struct dls_contacts *c = all->scene->c;
    int at = all->share[k].at;
    size_t count = (size_t)from->count, d = (size_t)c->d;
    memcpy(c->all + at, from->all, count * sizeof *c->all);
    memcpy(c->frame + at, from->frame, count * sizeof *c->frame);
    memcpy(c->w_ob + at * c->d, from->w_ob, count * d * sizeof *c->w_ob);
}

// Brings what was found together, in the order of the items.
static void join_shares(const struct scene *s, struct share *share, int shares)
{
    struct dls_contacts *c = s->c;
    int total = 0;
    for (int k = 0; k < shares; k++) {
        share[k].at = total;
        total += share[k].found.count;
        c->arena->failed |= share[k].memory.failed;
    }
    dls_contacts_reserve(c, total);
    if (c->arena->failed) return;
    c->count = total;
    dls_each(c->threads, shares, join, &(struct sharing){s, share});
    learn(s->r, total);
}

// What is found does not depend on the number of shares: they are joined in order.
static void meet_all(const struct scene *s, struct dls_arena *a)
{
    int threads = dls_team(s->c->threads, s->count), shares = 4 * threads;
    if (threads == 1) {
        dls_contacts_reserve(s->c, room_for(s, s->r->near.near.count, s->r->bodies));
        meet_items(s, 0, s->count);
        learn(s->r, s->c->count);
        return;
    }
    struct share *share = DLS_RAW(a, struct share, shares);
    if (share) open_shares(s, share, shares, a);
    if (a->failed) {
        s->c->arena->failed = true;
        return;
    }
    dls_each(threads, shares, look, &(struct sharing){s, share});
    join_shares(s, share, shares);
    for (int k = 0; k < shares; k++) dls_arena_free(&share[k].memory);
}

void dls_rigid_contacts(const struct dls_system *system, double t, const double *q,
                        struct dls_contacts *c)
{
    struct dls_rigid *r = system->self;
    struct dls_arena scratch = dls_arena_scratch(r->pool);
    struct scene s = {.r = r, .c = c};
    if (open_scene(&s, t, q, &scratch))
        meet_all(&s, &scratch);
    else
        c->arena->failed = true;
    c->pose = (const dls_vec3 *)s.pose;
    c->held = r->held;
    dls_arena_free(&scratch);
}
