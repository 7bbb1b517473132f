// SPDX-License-Identifier: Apache-2.0
// Completion by rank.
//
// In a matrix C of rank R take R rows I and R columns J such that C_IJ is regular. Then
//
//     C_AA = C_AJ C_IJ^-1 C_IA
//
// for any group of rows A: known as soon as I and J lie outside A and C_IJ avoids the
// unknown blocks. The rows are sought in a set S of groups, the columns in a set T, which
// share known groups only, by Gaussian elimination with complete pivoting: R steps must
// leave nothing, and the ratio of the last pivot to the first tells how much round-off
// grows [Goreinov1997].
//
// Method
//   1. For an unknown group A split the other unknown groups between S and T, large ones
//      in turn, and add all known groups to both; other splits where that has no pivots.
//   2. Fill A, and each other unknown group that holds no pivot. Repeat.
//   3. Eliminate with all of C: it must have rank R, or less where all was known.
//
// Cost: 2 R rows^2 for step 3; sets in step 1 are cut at MOST rows.
#include "formulations/velocities/body_completion.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    MOST = 64,   // rows in S and in T
    SPLITS = 16, // for each group
    TARGETS = 8, // groups tried
};
static const double nothing = 1e-10; // what R steps leave, relative to the first pivot
static const double good_gap = 1e-2; // no other split is tried beyond

struct cross {
    int row[DLS_MOST_RANK], column[DLS_MOST_RANK];
    double gap; // 0 = none
};

bool dls_completion_create(struct dls_completion *x, int rows, struct dls_arena *a)
{
    size_t n = (size_t)(rows > MOST ? rows : MOST);
    x->order = DLS_NEW(a, int, n);
    x->work = DLS_NEW_TABLE(a, double, n, n);
    return !a->failed;
}

// At most R steps of elimination with complete pivoting on the s x t matrix E; `cross`
// receives the positions of the pivots. Returns the rank, R + 1 where it is above R.
static int eliminate(double *E, int s, int t, int R, struct cross *cross)
{
    double first = 0;
    for (int step = 0; step <= R; step++) {
        size_t best = 0, count = (size_t)s * (size_t)t;
        for (size_t k = 1; k < count; k++)
            if (fabs(E[k]) > fabs(E[best])) best = k;
        int i = (int)(best % (size_t)s), j = (int)(best / (size_t)s);
        double pivot = E[best], *E_j = E + (size_t)j * (size_t)s;
        if (step == 0) first = fabs(pivot);
        if (!(fabs(pivot) > nothing * first)) return step;
        if (step == R) break;
        cross->row[step] = i;
        cross->column[step] = j;
        cross->gap = fabs(pivot) / first;
        for (int l = 0; l < t; l++) {
            double *E_l = E + (size_t)l * (size_t)s, factor = E_l[i] / pivot;
            if (l == j || factor == 0) continue;
            for (int k = 0; k < s; k++) E_l[k] -= factor * E_j[k];
            E_l[i] = 0;
        }
        memset(E_j, 0, (size_t)s * sizeof *E_j);
    }
    return R + 1;
}

// Appends the rows of a group to a list of `count`, as far as there is room.
static int append(const struct dls_completion *x, int group, int *list, int count)
{
    for (int k = x->start[group]; k < x->start[group + 1] && count < MOST; k++)
        list[count++] = k;
    return count;
}

// The pivots for one way to split the unknown groups other than A, which bit n of `mask`
// puts into T for the n-th of them.
static struct cross try_split(const struct dls_completion *x, int A, unsigned mask)
{
    struct cross cross = {.gap = 0}, none = {.gap = 0};
    int S[MOST], T[MOST], s = 0, t = 0, n = 0;
    for (int k = 0; k < x->groups; k++) {
        int g = x->order[k];
        if (g == A) continue;
        bool to_T = !x->known[g] && mask >> n++ % 32 & 1;
        if (x->known[g] || !to_T) s = append(x, g, S, s);
        if (x->known[g] || to_T) t = append(x, g, T, t);
    }
    if (s < x->rank || t < x->rank) return none;
    for (int l = 0; l < t; l++)
        for (int k = 0; k < s; k++)
            x->work[l * s + k] = x->C[(size_t)T[l] * (size_t)x->rows + (size_t)S[k]];
    if (eliminate(x->work, s, t, x->rank, &cross) != x->rank) return none;
    for (int k = 0; k < x->rank; k++) {
        cross.row[k] = S[cross.row[k]];
        cross.column[k] = T[cross.column[k]];
    }
    return cross;
}

// The best pivots over some splits.
static struct cross find_cross(const struct dls_completion *x, int A, int unknown)
{
    struct cross best = {.gap = 0};
    int splits = unknown < 2 ? 1 : unknown - 2 < 4 ? 1 << (unknown - 2) : SPLITS;
    for (int n = 0; n < splits && best.gap < good_gap; n++) {
        struct cross cross = try_split(x, A, 0xaaaaaaaau ^ (unsigned)n << 1);
        if (cross.gap > best.gap) best = cross;
    }
    return best;
}

static bool holds_pivot(const struct dls_completion *x, int g, const struct cross *c)
{
    for (int k = 0; k < x->rank; k++)
        if ((c->row[k] >= x->start[g] && c->row[k] < x->start[g + 1])
            || (c->column[k] >= x->start[g] && c->column[k] < x->start[g + 1]))
            return true;
    return false;
}

// C_gg = C_gJ C_IJ^-1 C_Ig
static bool fill(struct dls_completion *x, int g, const struct cross *c)
{
    int R = x->rank, first = x->start[g], count = x->start[g + 1] - first;
    size_t N = (size_t)x->rows;
    double G[DLS_MOST_RANK * DLS_MOST_RANK], *Y = x->work;
    int pivot[DLS_MOST_RANK];
    for (int l = 0; l < R; l++)
        for (int k = 0; k < R; k++)
            G[l * R + k] = x->C[(size_t)c->column[l] * N + (size_t)c->row[k]];
    for (int l = 0; l < count; l++)
        for (int k = 0; k < R; k++)
            Y[l * R + k] = x->C[(size_t)(first + l) * N + (size_t)c->row[k]];
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, R, count, G, R, pivot, Y, R)) return false;
    for (int l = 0; l < count; l++)
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int k = 0; k < R; k++)
                sum +=
                    x->C[(size_t)c->column[k] * N + (size_t)(first + i)] * Y[l * R + k];
            x->C[(size_t)(first + l) * N + (size_t)(first + i)] = sum;
        }
    x->known[g] = true;
    return true;
}

// Large groups first.
static void sort_groups(struct dls_completion *x)
{
    for (int k = 0; k < x->groups; k++) {
        int l = k, rows = x->start[k + 1] - x->start[k];
        for (; l > 0; l--) {
            int g = x->order[l - 1];
            if (x->start[g + 1] - x->start[g] >= rows) break;
            x->order[l] = g;
        }
        x->order[l] = k;
    }
}

static int count_unknown(const struct dls_completion *x)
{
    int count = 0;
    for (int g = 0; g < x->groups; g++) count += !x->known[g];
    return count;
}

// Fills at least one group; false where none can be filled.
static bool advance(struct dls_completion *x, double gap, int unknown)
{
    struct cross best = {.gap = 0};
    int target = -1, tried = 0;
    for (int k = x->groups - 1; k >= 0 && tried < TARGETS && best.gap < good_gap; k--) {
        int g = x->order[k]; // small ones first, large ones serve the others
        if (x->known[g]) continue;
        struct cross cross = find_cross(x, g, unknown);
        if (cross.gap > best.gap) best = cross, target = g;
        tried++;
    }
    if (!(best.gap > gap) || !fill(x, target, &best)) return false;
    for (int g = 0; g < x->groups; g++)
        if (!x->known[g] && !holds_pivot(x, g, &best) && !fill(x, g, &best))
            return false;
    return true;
}

bool dls_completion_fill(struct dls_completion *x, double gap)
{
    struct cross unused;
    size_t N = (size_t)x->rows;
    sort_groups(x);
    for (int left; (left = count_unknown(x)) > 0;)
        if (!advance(x, gap, left)) return false;
    if (x->rows <= x->rank) return true;
    memcpy(x->work, x->C, N * N * sizeof *x->work);
    return eliminate(x->work, x->rows, x->rows, x->rank, &unused) <= x->rank;
}
