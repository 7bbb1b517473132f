// SPDX-License-Identifier: Apache-2.0
// Which separating axes of two boxes may be the best, by estimates.
//
// In the axes of the first box put t = c' - c, R_ij = a_i . b_j. With h, h' the half edges
// [GottschalkLinManocha1996]
//
//     gap(+-a_i) = +-t_i - h_i - sum_j h'_j |R_ij|,    gap(+-b_j) likewise,
//     gap(a_i x b_j) = (|t . (a_i x b_j)| - sum_k h_k |a_k . (a_i x b_j)| - the other's)
//                      / |a_i x b_j|,   a_i x b_j = R_kj a_m - R_mj a_k,  i k m cyclic.
//
// An estimate is right to `slop`: 4e-9 of the size, above the 1e-9 within which axes count
// as equally good (detect_hull.c), and 1e-14 / |a_i x b_j| more for two edges. It proves
// separation, or names the axes that are not worse than the best by more than that; those
// are computed in the same way as for all polyhedra, so that nothing that is found depends
// on the estimates. Cost: 12 scalar products, 15 sums; no root for edges that overlap
// deeper than the best face.
#include "problems/shapes/detect_pairs.h"

#include <math.h>

// Both boxes, seen in each other's axes.
struct boxes {
    double R[3][3], t[3], s[3]; // s: the same way as t, along the axes of the second
    double h[2][3];
    double size, reach;
    double best; // no axis is better than this less `slop`
};

static double slop(const struct boxes *p) { return 4e-9 * p->size; }

static void get(double *to, dls_vec3 x) { to[0] = x.x, to[1] = x.y, to[2] = x.z; }

// gap(+-a_i) of the first box (side = 0), gap(+-b_i) of the second, without the sign of t.
static double thickness(const struct boxes *p, int side, int i)
{
    double sum = p->h[side][i];
    for (int j = 0; j < 3; j++)
        sum += p->h[!side][j] * fabs(side ? p->R[j][i] : p->R[i][j]);
    return sum;
}

// The gaps of the faces across axis i of one box; false where they prove that the boxes
// are apart.
static bool try_axis(struct boxes *p, int side, int i, double *gap)
{
    double thick = thickness(p, side, i), t = side ? -p->s[i] : p->t[i];
    gap[6 * side + 2 * i] = -t - thick;
    gap[6 * side + 2 * i + 1] = t - thick;
    double most = fabs(t) - thick;
    if (most > p->best) p->best = most;
    return !(most - slop(p) > p->reach);
}

// Whether the axis that parted the boxes last time does so again: 1, 2, 3 are those of the
// first box, 4, 5, 6 those of the second.
static bool parts_again(const struct boxes *p, const struct dls_solid *a,
                        const struct dls_solid *b, int hint)
{
    if (hint < 1 || hint > 6) return false;
    bool side = hint > 3;
    int i = (hint - 1) % 3;
    dls_vec3 axis = (side ? b : a)->n[2 * i + 1];
    double thick = p->h[side][i];
    for (int j = 0; j < 3; j++)
        thick +=
            p->h[!side][j] * fabs(dls_vec3_dot(axis, (side ? a : b)->n[2 * j + 1]));
    double away = fabs(dls_vec3_dot(dls_vec3_sub(b->centre, a->centre), axis));
    return away - thick - slop(p) > p->reach;
}

// Looks at one box in the axes of the other, axis after axis, until one proves that they
// are apart, as for most pairs: false then.
static bool try_faces(struct boxes *p, const struct dls_solid *a,
                      const struct dls_solid *b, unsigned char *hint,
                      struct dls_axes *near)
{
    dls_vec3 across = dls_vec3_sub(b->centre, a->centre);
    double gap[12];
    p->best = -INFINITY;
    for (int i = 0; i < 3; i++) {
        dls_vec3 axis = a->n[2 * i + 1];
        p->t[i] = dls_vec3_dot(across, axis);
        for (int j = 0; j < 3; j++) p->R[i][j] = dls_vec3_dot(axis, b->n[2 * j + 1]);
        if (!try_axis(p, 0, i, gap)) return *hint = (unsigned char)(1 + i), false;
    }
    for (int i = 0; i < 3; i++) {
        p->s[i] = dls_vec3_dot(across, b->n[2 * i + 1]);
        if (!try_axis(p, 1, i, gap)) return *hint = (unsigned char)(4 + i), false;
    }
    for (int k = 0; k < 12; k++)
        if (gap[k] + 2 * slop(p) >= p->best) near->face[k / 6] |= UINT64_C(1) << k % 6;
    return true;
}

// The edge of a box along axis i on the side where `up` is positive.
static int edge_at(int i, const double *up)
{
    int low = i == 0 ? 1 : 0, high = i == 2 ? 1 : 2;
    return 4 * i + (up[low] > 0) + 2 * (up[high] > 0);
}

// The edges that support both boxes across n = e (a_i x b_j), n from the second towards
// the first.
static void add_edges(const struct boxes *p, int i, int j, int e, struct dls_axes *near)
{
    int k = (i + 1) % 3, m = (i + 2) % 3, l = (j + 1) % 3, o = (j + 2) % 3;
    double up[2][3] = {{0}, {0}};
    up[0][m] = -e * p->R[k][j]; // -n . a_m
    up[0][k] = e * p->R[m][j];
    up[1][o] = -e * p->R[i][l]; // n . b_o
    up[1][l] = e * p->R[i][o];
    near->edges[near->pairs][0] = edge_at(i, up[0]);
    near->edges[near->pairs++][1] = edge_at(j, up[1]);
}

// False where the edges prove it.
static bool try_edges(struct boxes *p, int i, int j, struct dls_axes *near)
{
    int k = (i + 1) % 3, m = (i + 2) % 3, l = (j + 1) % 3, o = (j + 2) % 3;
    const double *h = p->h[0], *g = p->h[1];
    double across = p->t[m] * p->R[k][j] - p->t[k] * p->R[m][j]; // t . (a_i x b_j)
    double sum = h[k] * fabs(p->R[m][j]) + h[m] * fabs(p->R[k][j])
                 + g[l] * fabs(p->R[i][o]) + g[o] * fabs(p->R[i][l]);
    double gap = fabs(across) - sum, slack = slop(p), tiny = 1e-14 * p->size;
    if (gap + 2 * tiny < 0 && gap + 2 * tiny + 2 * slack < p->best) return true;
    double sine = sqrt(p->R[k][j] * p->R[k][j] + p->R[m][j] * p->R[m][j]);
    if (sine <= 1e-9) return true; // parallel: no such axis
    gap /= sine;
    slack += tiny / sine;
    if (gap - slack > p->reach) return false;
    if (gap + 2 * slack < p->best) return true;
    if (across < tiny) add_edges(p, i, j, 1, near); // t . n < 0
    if (across > -tiny) add_edges(p, i, j, -1, near);
    return true;
}

bool dls_boxes_near(const struct dls_solid *a, const struct dls_solid *b, double reach,
                    unsigned char hint[2], struct dls_axes *near)
{
    struct boxes p; // filled below, as far as it is read
    p.size = a->size + b->size;
    p.reach = reach;
    near->face[0] = near->face[1] = 0;
    near->pairs = 0;
    get(p.h[0], a->half);
    get(p.h[1], b->half);
    if (parts_again(&p, a, b, hint[0])) return false;
    if (!try_faces(&p, a, b, &hint[0], near)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!try_edges(&p, i, j, near)) return false;
    return true;
}
