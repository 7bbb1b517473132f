// SPDX-License-Identifier: Apache-2.0
// The pairs of balls with |x_i - x_j| <= r_i + r_j + reach, by a grid of cells.
//
// Method: hashed grids in levels [Ericson2005, 7.1].
//   1. An item of diameter D = 2 r + reach lives on the level whose cells have the edge
//      s = smallest D * 2^level >= D, in the one cell that holds its centre. Equal sizes
//      make one level; a few large items among many small ones do not slow these down.
//   2. Cells are found through an open hash table, their items lie side by side.
//   3. Cell by cell: pairs within, and with the forward half of the neighbours (13 in
//      space, 4 in the plane); then each item against the cells of coarser levels that
//      its ball, grown by half an edge of that level, can touch.
//   4. A counting sort brings the pairs into the order of (i, j), so that neither the
//      hash nor the levels can be seen in the result.
// Cost: linear in items, times levels, as long as balls do not pile up in one place.
// Positions that are not finite are put at the border of the grid and meet nobody.
#include "problems/shapes/grid.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LEVELS = 64 };

struct place {
    int level, x, y, z;
};

struct cell {
    struct place place;
    int start, count;
};

struct grid {
    int dim, count, movable, levels;
    const struct dls_bound *item;
    double reach;
    double edge[LEVELS];
    int on_level[LEVELS];          // items there
    int cells;                     // in use
    int *slot;                     // hash -> cell + 1
    unsigned mask;                 // slots - 1
    struct cell *cell;             // at most one per item
    int *cell_of, *sorted, *level; // per item; `sorted` by cell
    struct dls_nears *out;
    struct dls_arena *arena;
};

static int coordinate(double x, double edge)
{
    return (int)fmax(fmin(floor(x / edge), 1e9), -1e9); // NaN becomes 1e9
}

static struct place place_of(const struct grid *g, dls_vec3 x, int level)
{
    double edge = g->edge[level];
    return (struct place){
        level,
        coordinate(x.x, edge),
        coordinate(x.y, edge),
        g->dim == 3 ? coordinate(x.z, edge) : 0,
    };
}

// Four cells in a row lie side by side in the table, for the sake of the cache.
static unsigned hash(struct place p)
{
    uint64_t h = (uint64_t)((uint32_t)p.x >> 2) * 0x9e3779b97f4a7c15u;
    h ^= (uint64_t)(uint32_t)p.y * 0xc2b2ae3d27d4eb4fu;
    h ^= (uint64_t)(uint32_t)p.z * 0x165667b19e3779f9u;
    h ^= (uint64_t)p.level * 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    h *= 0xff51afd7ed558ccdu;
    return (unsigned)(h >> 35) * 4 + ((unsigned)p.x & 3);
}

static bool same_place(struct place a, struct place b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

// The slot of a place: that of its cell, or the empty one where it would go.
static int *find_slot(const struct grid *g, struct place p)
{
    unsigned at = hash(p) & g->mask;
    while (g->slot[at] && !same_place(g->cell[g->slot[at] - 1].place, p))
        at = (at + 1) & g->mask;
    return &g->slot[at];
}

static const struct cell *find_cell(const struct grid *g, struct place p)
{
    int found = *find_slot(g, p);
    return found ? &g->cell[found - 1] : NULL;
}

static void choose_levels(struct grid *g)
{
    double least = INFINITY;
    for (int k = 0; k < g->count; k++)
        least = fmin(least, 2 * g->item[k].radius + g->reach);
    if (!(least > 0 && least < INFINITY)) least = 1;
    for (int l = 0; l < LEVELS; l++) g->edge[l] = ldexp(least, l);
    for (int k = 0; k < g->count; k++) {
        double size = 2 * g->item[k].radius + g->reach;
        int l = 0;
        while (l < LEVELS - 1 && g->edge[l] < size) l++;
        g->level[k] = l;
        g->on_level[l]++;
        if (l >= g->levels) g->levels = l + 1;
    }
}

static void fill_cells(struct grid *g)
{
    for (int k = 0; k < g->count; k++) {
        struct place p = place_of(g, g->item[k].at, g->level[k]);
        int *slot = find_slot(g, p);
        if (!*slot) {
            g->cell[g->cells] = (struct cell){.place = p};
            *slot = ++g->cells;
        }
        g->cell_of[k] = *slot - 1;
        g->cell[*slot - 1].count++;
    }
    int start = 0;
    for (int c = 0; c < g->cells; c++) {
        g->cell[c].start = start;
        start += g->cell[c].count;
        g->cell[c].count = 0;
    }
    for (int k = 0; k < g->count; k++) {
        struct cell *c = &g->cell[g->cell_of[k]];
        g->sorted[c->start + c->count++] = k;
    }
}

static void add_pair(struct dls_nears *out, int i, int j, struct dls_arena *a)
{
    if (out->count == out->room) {
        int room = out->room ? 2 * out->room : 64;
        struct dls_near *more = DLS_NEW(a, struct dls_near, room);
        if (!more) return;
        if (out->count) memcpy(more, out->all, (size_t)out->count * sizeof *out->all);
        out->all = more;
        out->room = room;
    }
    out->all[out->count++] = (struct dls_near){i < j ? i : j, i < j ? j : i, {0, 0}};
}

static void meet(struct grid *g, int i, const struct cell *c, int from)
{
    const struct dls_bound *a = &g->item[i];
    for (int k = from; k < c->count; k++) {
        int j = g->sorted[c->start + k];
        if (i >= g->movable && j >= g->movable) continue;
        const struct dls_bound *b = &g->item[j];
        dls_vec3 across = dls_vec3_sub(a->at, b->at);
        double far = a->radius + b->radius + g->reach;
        if (dls_vec3_dot(across, across) <= far * far) add_pair(g->out, i, j, g->arena);
    }
}

static void meet_neighbours(struct grid *g, const struct cell *c)
{
    for (int k = 0; k < c->count; k++) meet(g, g->sorted[c->start + k], c, k + 1);
    // Steps of the forward half, numbered in base 3 with (1, 1, 1) in the middle.
    int steps = g->dim == 3 ? 27 : 9;
    for (int step = steps / 2 + 1; step < steps; step++) {
        struct place p = c->place;
        p.x += step % 3 - 1;
        p.y += step / 3 % 3 - 1;
        if (g->dim == 3) p.z += step / 9 - 1;
        const struct cell *other = find_cell(g, p);
        if (!other) continue;
        for (int k = 0; k < c->count; k++) meet(g, g->sorted[c->start + k], other, 0);
    }
}

static void meet_level(struct grid *g, int i, int level)
{
    double far = g->item[i].radius + 0.5 * g->edge[level] + g->reach;
    dls_vec3 x = g->item[i].at, reach = {far, far, far};
    struct place lo = place_of(g, dls_vec3_sub(x, reach), level);
    struct place hi = place_of(g, dls_vec3_add(x, reach), level), p = lo;
    for (p.z = lo.z; p.z <= hi.z; p.z++)
        for (p.y = lo.y; p.y <= hi.y; p.y++)
            for (p.x = lo.x; p.x <= hi.x; p.x++) {
                const struct cell *c = find_cell(g, p);
                if (c) meet(g, i, c, 0);
            }
}

// By i through counting, then each short run by j.
static void sort_pairs(struct dls_nears *out, int items, struct dls_arena *a)
{
    struct dls_near *to = DLS_NEW(a, struct dls_near, out->count);
    int *start = DLS_NEW(a, int, items + 1);
    if (a->failed) return;
    for (int k = 0; k < out->count; k++) start[out->all[k].i + 1]++;
    for (int i = 0; i < items; i++) start[i + 1] += start[i];
    for (int k = 0; k < out->count; k++) { // insertion keeps each run sorted
        struct dls_near p = out->all[k];
        int at = start[p.i]++;
        for (; at > 0 && to[at - 1].i == p.i && to[at - 1].j > p.j; at--)
            to[at] = to[at - 1];
        to[at] = p;
    }
    out->all = to;
    out->room = out->count;
}

void dls_grid_pairs(struct dls_nears *out, int dim, int count, int movable,
                    const struct dls_bound *item, double reach, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    unsigned slots = 16;
    while (slots < 2 * (unsigned)count) slots *= 2;
    struct grid g = {
        .dim = dim,
        .count = count,
        .movable = movable,
        .item = item,
        .reach = fmax(reach, 0),
        .slot = DLS_NEW(&scratch, int, slots),
        .mask = slots - 1,
        .cell = DLS_NEW(&scratch, struct cell, count),
        .cell_of = DLS_NEW(&scratch, int, count),
        .sorted = DLS_NEW(&scratch, int, count),
        .level = DLS_NEW(&scratch, int, count),
        .out = out,
        .arena = &scratch,
    };
    *out = (struct dls_nears){0};
    if (!scratch.failed) {
        choose_levels(&g);
        fill_cells(&g);
        for (int c = 0; c < g.cells; c++) {
            meet_neighbours(&g, &g.cell[c]);
            int level = g.cell[c].place.level;
            for (int l = level + 1; l < g.levels; l++)
                for (int k = 0; g.on_level[l] && k < g.cell[c].count; k++)
                    meet_level(&g, g.sorted[g.cell[c].start + k], l);
        }
        if (!scratch.failed) sort_pairs(out, count, a);
    }
    dls_arena_free(&scratch);
    if (a->failed) *out = (struct dls_nears){0};
}
