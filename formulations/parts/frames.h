// SPDX-License-Identifier: Apache-2.0
// H of contacts between rigid bodies in the short form of frames and arms; see frames.c.
#ifndef DLS_FORMULATIONS_PARTS_FRAMES_H
#define DLS_FORMULATIONS_PARTS_FRAMES_H

#include "formulations/problem.h"

#include "base/vec3.h"

// One contact. In the plane all of it lies in z = 0.
struct dls_frame {
    int body, other; // `other` is -1 for an obstacle
    bool round;      // both arms lie along n up to rounding, as those of spheres do
    dls_vec3 n;      // unit normal, from the other towards the body
    dls_vec3 t;      // first tangent, as dls_tangents gives it
    dls_vec3 arm[2]; // from the centre of the body, and of the other, to the point
};

// Translation and spin of a body, both in the axes of space.
struct dls_twist {
    dls_vec3 v, spin;
};

// The inverse of M of a body in the axes of space; 0 where a velocity is held.
struct dls_body_inverse {
    dls_vec3 mass;      // along these axes
    dls_vec3 column[3]; // of the inverse inertia
};

struct dls_frames {
    int dim; // 2: velocities (x', y', spin); 3: (x', y', z', omega)
    bool rolling;
    int contacts, bodies;
    const struct dls_frame *all;
    const dls_vec3 *pose;      // 4 a body: its centre, and the axes that omega is along
    const unsigned char *held; // a body: bit i = its velocity i has no entry in H
    struct dls_twist *work;    // one a body
    // Set by dls_frames_weigh, or NULL: inverses of the bodies, and W_aa of contacts that
    // are not round, dim x dim by rows.
    const struct dls_body_inverse *inverse;
    const double *W;
};

static inline dls_vec3 dls_frames_axis(const struct dls_frames *f, int body, int i)
{
    return f->pose[4 * body + 1 + i];
}

static inline bool dls_frames_held(const struct dls_frames *f, int body, int i)
{
    return f->held[body] & 1 << i;
}

// The tangents that stand for the normal n: one in the plane (the second is z), two in
// space.
void dls_tangents(int dim, dls_vec3 n, dls_vec3 t[2]);

// The second tangent of a frame.
static inline dls_vec3 dls_frame_second(int dim, const struct dls_frame *c)
{
    return dim == 2 ? (dls_vec3){0, 0, 1} : dls_vec3_cross(c->n, c->t);
}

// The velocity of the point of a contact, of the body relative to the other.
static inline dls_vec3 dls_frame_velocity(const struct dls_frame *c,
                                          const struct dls_twist *twist)
{
    const struct dls_twist *a = &twist[c->body], *b = &twist[c->other];
    dls_vec3 u = dls_vec3_add(a->v, dls_vec3_cross(a->spin, c->arm[0]));
    if (c->other < 0) return u;
    return dls_vec3_sub(u, dls_vec3_add(b->v, dls_vec3_cross(b->spin, c->arm[1])));
}

// The twist of a body from its velocities v in the problem, held ones left out.
struct dls_twist dls_frames_twist(const struct dls_frames *, int body, const double *v);

// One mass in all directions and one inertia about all axes, for a diagonal M (its n
// entries), and nothing held.
static inline bool dls_frames_isotropic(const struct dls_frames *f, const double *M,
                                        int body)
{
    const double *m = M + body * (f->dim == 2 ? 3 : 6);
    return !(f->held[body] & 63) && (f->dim == 2 || (m[3] == m[4] && m[4] == m[5]));
}

// Whether W_aa is diagonal with equal tangential entries.
static inline bool dls_frames_round(const struct dls_frames *f, const double *M,
                                    int contact)
{
    const struct dls_frame *c = &f->all[contact];
    return c->round && dls_frames_isotropic(f, M, c->body)
           && (c->other < 0 || dls_frames_isotropic(f, M, c->other));
}

bool dls_frames_all_round(const struct dls_frames *, const double *M);

// The entries of such a W_aa.
struct dls_round {
    double W_N, W_T;
};
struct dls_round dls_frames_round_diagonal(const struct dls_frames *, const double *M,
                                           int contact);

// y <- y + H^T r, where r comes as vectors of space, one a contact; no rolling rows.
void dls_frames_add_impulses(const struct dls_frames *, int threads,
                             const dls_vec3 *impulse, double *y);

// W_aa = H_a M^-1 H_a^T for a diagonal M (its n entries), dim x dim by rows, symmetric to
// the last bit, rolling rows left out.
void dls_frames_diagonal(const struct dls_frames *, const double *M, int contact,
                         double *W);

// Computes W_aa of all contacts that are not round once for all who read them, M as
// above. Without such contacts it does nothing. False when memory runs out.
bool dls_frames_weigh(struct dls_frames *, const double *M, int threads,
                      struct dls_arena *);

// H in rows; NULL when memory runs out.
struct dls_csr *dls_frames_rows(const struct dls_frames *, struct dls_arena *);

// Gives the problem the H that its frames stand for, where it has none. False when
// memory runs out.
bool dls_problem_rows(struct dls_problem *, struct dls_arena *);

// y = H x + w (w = NULL: zero) and y += s H^T x, with H of a problem in whatever form it is
// given. y must not be w.
void dls_problem_map(const struct dls_problem *, const double *x, const double *w,
                     double *y);
void dls_problem_add_transposed(const struct dls_problem *, double s, const double *x,
                                double *y);

#endif
