// SPDX-License-Identifier: Apache-2.0
// Joints between rigid bodies, as rows of G: g = 0 with the rate G v (b = 0).
//
// Each joint has a frame in both bodies, equal at time 0: point p, axes a_1 a_2 a_3 of
// the first and p', a'_i of the other; a_3 is the axis of the joint (in the plane a_1
// is, and a_3 = z). A row holds either a shift along a'_i,
//
//   g = a'_i . (p - p'),    G v = a'_i . (v_p - v'_p),  v'_p: of the other, moved to p,
//
// or an angle: with j <> k,  g = a_j . a'_k,  G v = (a_j x a'_k) . (omega - omega'), and
// in the plane  g = sin(angle between a_1 and a'_1) = a'_2 . a_1.
//
//             shifts held           angles held (j, k)
//   pin       all
//   hinge     all                   (3, 1) (3, 2)
//   slider    all but the axis      (3, 1) (3, 2) (1, 2)
//   weld      all                   (3, 1) (3, 2) (1, 2)
//
// Schemes hold G v = 0 at the end of a step, so that g drifts by O(h^2) a step; the
// alpha-scheme corrects it.
#include "problems/mechanics/rigid_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Which rows a joint has: shifts along a'_i, and pairs (j, k) of axes.
struct rows {
    int shifts, shift[3], angles, angle[3][2];
};

static struct rows rows_of(int dim, enum dls_joint_kind kind)
{
    bool slides = kind == DLS_JOINT_SLIDER, pin = kind == DLS_JOINT_PIN;
    if (dim == 2)
        return (struct rows){
            slides ? 1 : 2, {slides ? 1 : 0, 1}, pin ? 0 : 1, {{0, 1}}};
    return (struct rows){
        slides ? 2 : 3,
        {0, 1, 2},
        pin                       ? 0
        : kind == DLS_JOINT_HINGE ? 2
                                  : 3,
        {{2, 0}, {2, 1}, {0, 1}},
    };
}

// The frame of a joint in space; pins and welds have no axis, any serves.
static struct dls_pose frame_of(int dim, const struct dls_joint *j)
{
    bool any = j->kind == DLS_JOINT_PIN || j->kind == DLS_JOINT_WELD;
    dls_vec3 a = any ? (dls_vec3){dim == 2, 0, dim == 3} : j->axis;
    assert(fabs(dls_vec3_norm(a) - 1) < 1e-9);
    if (dim == 2) return (struct dls_pose){j->at, {a, {-a.y, a.x, 0}, {0, 0, 1}}};
    bool steep = fabs(a.x) > 0.9; // whichever of x and y is well across
    dls_vec3 e = {!steep, steep, 0};
    e = dls_vec3_sub(e, dls_vec3_scale(dls_vec3_dot(e, a), a));
    e = dls_vec3_scale(1 / dls_vec3_norm(e), e);
    return (struct dls_pose){j->at, {e, dls_vec3_cross(a, e), a}};
}

// A frame of space in the axes of a body, and back; NULL: the body is space itself.
static struct dls_pose into(const struct dls_pose *body, struct dls_pose frame)
{
    if (!body) return frame;
    frame.at = dls_pose_local(body, dls_vec3_sub(frame.at, body->at));
    for (int i = 0; i < 3; i++) frame.axis[i] = dls_pose_local(body, frame.axis[i]);
    return frame;
}

static struct dls_pose out_of(const struct dls_pose *body, struct dls_pose frame)
{
    if (!body) return frame;
    struct dls_pose turn = *body;
    turn.at = (dls_vec3){0};
    frame.at = dls_pose_place(body, frame.at);
    for (int i = 0; i < 3; i++) frame.axis[i] = dls_pose_place(&turn, frame.axis[i]);
    return frame;
}

void dls_rigid_joint(struct dls_rigid *r, struct dls_joint joint)
{
    assert(joint.kind != DLS_JOINT_HINGE || r->dim == 3);
    if (r->joints == r->joint_room) {
        int room = r->joint_room ? 2 * r->joint_room : 8;
        struct dls_joint *all = DLS_NEW(r->arena, struct dls_joint, room);
        if (!all) return;
        if (r->joints) memcpy(all, r->joint, (size_t)r->joints * sizeof *all);
        r->joint = all;
        r->joint_room = room;
    }
    struct dls_pose frame = frame_of(r->dim, &joint);
    struct dls_pose body = dls_rigid_start(r, joint.body);
    joint.own = into(&body, frame);
    if (joint.other >= 0) body = dls_rigid_start(r, joint.other);
    joint.other_own = into(joint.other >= 0 ? &body : NULL, frame);
    r->joint[r->joints++] = joint;
    struct rows rows = rows_of(r->dim, joint.kind);
    r->system.joints += rows.shifts + rows.angles;
}

// A joint while its rows are written.
struct link {
    const struct dls_rigid *r;
    int body, other;
    struct dls_pose pose, other_pose;
    struct dls_entries *G;
};

// Relative velocity of both bodies along `a` at the point x, or relative spin.
static void add_row(const struct link *l, int row, dls_vec3 a, const dls_vec3 *x)
{
    for (int side = 0; side < 2; side++) {
        if (side && l->other < 0) continue;
        const struct dls_pose *pose = side ? &l->other_pose : &l->pose;
        dls_vec3 e = dls_vec3_scale(side ? -1 : 1, a), none = {0};
        dls_vec3 moment = x ? dls_vec3_cross(dls_vec3_sub(*x, pose->at), e) : e;
        struct dls_half_row half = {row, side ? l->other : l->body, pose, x ? e : none,
                                    moment};
        dls_rigid_row(l->r, l->G, &half);
    }
}

void dls_joints_rows(const struct dls_system *system, double t, const double *q,
                     struct dls_entries *G, double *g, double *b)
{
    (void)t;
    const struct dls_rigid *r = system->self;
    int row = 0;
    for (int k = 0; k < r->joints; k++) {
        const struct dls_joint *j = &r->joint[k];
        struct link l = {r, j->body, j->other, dls_rigid_pose(r, q, j->body), .G = G};
        if (j->other >= 0) l.other_pose = dls_rigid_pose(r, q, j->other);
        struct dls_pose own = out_of(&l.pose, j->own);
        struct dls_pose far =
            out_of(j->other >= 0 ? &l.other_pose : NULL, j->other_own);
        struct rows rows = rows_of(r->dim, j->kind);
        for (int i = 0; i < rows.shifts; i++, row++) {
            dls_vec3 a = far.axis[rows.shift[i]];
            g[row] = dls_vec3_dot(a, dls_vec3_sub(own.at, far.at));
            add_row(&l, row, a, &own.at);
        }
        for (int i = 0; i < rows.angles; i++, row++) {
            dls_vec3 a = own.axis[rows.angle[i][0]], c = far.axis[rows.angle[i][1]];
            g[row] = dls_vec3_dot(a, c);
            add_row(&l, row, dls_vec3_cross(a, c), NULL);
        }
    }
    memset(b, 0, (size_t)row * sizeof *b);
}
