// SPDX-License-Identifier: Apache-2.0
// Detection pair by pair, for detect.c; each pair of kinds has its file. Normals point
// from the second towards the first, points lie in the middle of the gap. All return how
// many points within `reach` there are.
#ifndef DLS_PROBLEMS_SHAPES_DETECT_PAIRS_H
#define DLS_PROBLEMS_SHAPES_DETECT_PAIRS_H

#include "problems/shapes/detect.h"

#include <stdint.h>

// What touches what, in 16 bits: a corner of the first, a corner of the second, or the
// crossing of an edge of the first with one of the second. A curved rim gives a point
// that is no corner.
enum {
    DLS_FEATURE_SECOND = 0x4000,
    DLS_FEATURE_CROSSING = 0x8000,
    DLS_FEATURE_RIM = 0xc000,
};
static inline int dls_feature_crossing(int first_edge, int second_edge)
{
    return DLS_FEATURE_CROSSING | first_edge << 7 | second_edge;
}
// The same feature when first and second change places.
int dls_feature_swap(int feature);

// A side or face of a solid, or what stands for one.
struct dls_facet {
    int count;
    dls_vec3 n, x[DLS_SIDES];
    int corner[DLS_SIDES], edge[DLS_SIDES]; // edge k joins corners k and k + 1
};
void dls_solid_facet(const struct dls_solid *, int face, struct dls_facet *);
// True if a point projects into a face of a polyhedron.
bool dls_solid_above(const struct dls_solid *, int face, dls_vec3);

// What the points of a manifold have in common.
struct dls_manifold {
    double reach, tol;
    bool swapped; // the reference is the second
    int count;
    struct dls_meeting *meeting;
};
// Points of the incident facet, clipped to the prism above the reference facet.
void dls_facet_clip(const struct dls_facet *reference, const struct dls_facet *incident,
                    struct dls_manifold *);
// Keeps a meeting within reach; when there are too many, those with the least gaps.
void dls_manifold_keep(struct dls_manifold *, struct dls_meeting);
// One point of the manifold: x on the incident side, at a height above the reference.
void dls_manifold_add(struct dls_manifold *, dls_vec3 x, dls_vec3 n, double height,
                      int feature);

// The point of a segment nearest to x.
dls_vec3 dls_segment_nearest(const dls_vec3 ends[2], dls_vec3 x);
// Closest points of two segments; returns their distance.
double dls_segments_distance(const dls_vec3 a[2], const dls_vec3 b[2], dls_vec3 *on_a,
                             dls_vec3 *on_b);
// Fills a meeting from the closest points of first and second.
struct dls_meeting dls_meeting_between(dls_vec3 on_first, dls_vec3 on_second,
                                       dls_vec3 n, int feature);

int dls_detect_balls(const struct dls_placed *, const struct dls_placed *, double reach,
                     struct dls_meeting *);
int dls_detect_ball_solid(const struct dls_placed *ball, const struct dls_solid *,
                          double reach, struct dls_meeting *);
int dls_detect_ball_cylinder(const struct dls_placed *ball,
                             const struct dls_placed *cylinder, double reach,
                             struct dls_meeting *);
int dls_detect_polygons(const struct dls_solid *, const struct dls_solid *,
                        double reach, unsigned char hint[2], struct dls_meeting *);
int dls_detect_hulls(const struct dls_solid *, const struct dls_solid *, double reach,
                     unsigned char hint[2], struct dls_meeting *);

// Axes that may separate two polyhedra best: faces of both as bits, pairs of edges.
struct dls_axes {
    uint64_t face[2];
    int pairs, edges[18][2];
};
_Static_assert(DLS_FACES <= 64, "a bit for each face");
// Those of two boxes; false where they are farther apart than `reach`.
bool dls_boxes_near(const struct dls_solid *, const struct dls_solid *, double reach,
                    unsigned char hint[2], struct dls_axes *);

// A cylinder block against another or against a polyhedron.
int dls_detect_cylinder(const struct dls_placed *cylinder, const struct dls_placed *,
                        double reach, struct dls_meeting *);
// The points of a cylinder block below the plane n . x = height + reach.
int dls_detect_cylinder_plane(const struct dls_placed *cylinder, dls_vec3 point,
                              dls_vec3 n, double reach, struct dls_meeting *);

#endif
