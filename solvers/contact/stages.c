// SPDX-License-Identifier: Apache-2.0
// An order of the contacts for Gauss-Seidel sweeps by several threads.
//
// A sweep is a sequence of stages, a stage a set of groups of contacts such that no contact
// reads what a contact of another group of its stage writes. Threads take groups of a stage
// as they come, contacts of a group are visited one after the other, and a barrier stands
// between two stages. The stages are a function of the problem alone, hence the iterates
// are the same to the last bit for any number of threads, one included. They differ from
// those of the given order, which a run keeps that does not ask for threads.
//
// Contacts of rigid bodies (frames)
//   1. Space is cut into cells, 32 along each axis over 3 standard deviations about the
//      mean on both sides (whatever lies farther out belongs to the border), and cells are
//      taken in the order of Morton, in which neighbours in space are mostly neighbours
//      [Morton1966].
//   2. Runs of cells with about BLOCK contacts make the blocks. Both bodies in one block,
//      or an obstacle on the other side: the contact belongs to that block, and all blocks
//      are one stage. In space some 15 % of the contacts of a packing remain, across
//      blocks.
//   3. Those are coloured greedily: the first colour that neither of the bodies has yet.
//      A colour is a stage, cut into groups of CHUNK contacts.
// Blocks, and not colours alone, for the sake of the cache: a thread stays with its bodies.
//
// Rows of W, and contacts whose bodies have no place in space, are only coloured: reading a
// row takes so long that it does not matter where in memory the impulses lie. A contact for
// which all 64 colours are taken (of a body with more contacts than that) is visited by one
// thread at the end.
//
// Cost: a pass over bodies and contacts, or over the blocks of W.
#include "solvers/contact/stages.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    BLOCK = 1000, // contacts: few enough for the cache of a core, many enough that most
                  // lie inside
    FEWEST = 8,   // blocks, so that there is work for several threads
    CHUNK = 64,   // contacts: some microseconds of work
    CELLS = 32,
    COLOURS = 64,
    ALONE = COLOURS, // stands for no colour
    INSIDE = COLOURS + 1,
};

static bool allocate(struct dls_stages *s, int contacts, int blocks,
                     struct dls_arena *a)
{
    int groups = blocks + contacts / CHUNK + COLOURS + 2;
    *s = (struct dls_stages){
        .contacts = contacts,
        .first = DLS_RAW(a, int, COLOURS + 3),
        .start = DLS_RAW(a, int, groups + 1),
        .order = DLS_RAW(a, int, contacts),
    };
    return !a->failed;
}

// The lowest colour that none of these bodies has, or ALONE.
static unsigned char take_colour(uint64_t *taken, const int *body, int count)
{
    uint64_t all = 0;
    for (int i = 0; i < count; i++) all |= taken[body[i]];
    if (!~all) return ALONE;
    int colour = __builtin_ctzll(~all);
    for (int i = 0; i < count; i++) taken[body[i]] |= (uint64_t)1 << colour;
    return (unsigned char)colour;
}

// Adds a stage of the contacts of each colour, in groups of CHUNK, then those that have
// none in one group. `at` places of the order are taken.
static void add_colours(struct dls_stages *s, const unsigned char *colour, int at)
{
    int place[COLOURS + 2] = {0};
    for (int k = 0; k < s->contacts; k++)
        if (colour[k] <= ALONE) place[colour[k] + 1]++;
    for (int c = 0; c <= COLOURS; c++) {
        int size = place[c + 1], from = at, chunk = c < COLOURS ? CHUNK : size;
        place[c] = at;
        at += size;
        if (!size) continue;
        for (int i = 0; i < size; i += chunk) s->start[s->groups++] = from + i;
        s->first[++s->stages] = s->groups;
    }
    s->start[s->groups] = at;
    for (int k = 0; k < s->contacts; k++)
        if (colour[k] <= ALONE) s->order[place[colour[k]]++] = k;
}

// --- blocks of bodies ----------------------------------------------------------------

// Spreads the lowest 5 bits, two zeros after each.
static int spread(int x)
{
    int y = 0;
    for (int i = 0; i < 5; i++) y |= (x >> i & 1) << 3 * i;
    return y;
}

static int coordinate(double x, double low, double edge)
{
    double c = floor((x - low) / edge);
    return c > 0 ? c < CELLS ? (int)c : CELLS - 1 : 0; // NaN becomes 0
}

// The cell of each body, numbered in the order of Morton.
static void find_cells(const struct dls_frames *f, int *cell)
{
    double sum[3] = {0}, square[3] = {0}, low[3], edge = 0, n = f->bodies;
    for (int b = 0; b < f->bodies; b++) {
        const double *x = &f->pose[4 * b].x;
        for (int i = 0; i < 3; i++) sum[i] += x[i], square[i] += x[i] * x[i];
    }
    for (int i = 0; i < 3; i++) {
        double mean = sum[i] / n, spare = square[i] / n - mean * mean;
        double wide = 3 * sqrt(fmax(spare, 0));
        low[i] = mean - wide;
        edge = fmax(edge, 2 * wide / CELLS);
    }
    if (!(edge > 0)) edge = 1;
    for (int b = 0; b < f->bodies; b++) {
        const double *x = &f->pose[4 * b].x;
        cell[b] = 0;
        for (int i = 0; i < 3; i++)
            cell[b] |= spread(coordinate(x[i], low[i], edge)) << i;
    }
}

// Turns cells into blocks of about BLOCK contacts; returns their number.
static int find_blocks(const struct dls_frames *f, int *weight, int *block)
{
    const int cells = CELLS * CELLS * CELLS;
    int blocks = f->contacts / BLOCK > FEWEST ? f->contacts / BLOCK : FEWEST;
    long before = 0;
    find_cells(f, block);
    memset(weight, 0, (size_t)cells * sizeof *weight);
    for (int k = 0; k < f->contacts; k++) weight[block[f->all[k].body]]++;
    for (int c = 0; c < cells; c++) {
        int own = weight[c];
        weight[c] = (int)(before * blocks / f->contacts);
        before += own;
        if (weight[c] >= blocks) weight[c] = blocks - 1;
    }
    for (int b = 0; b < f->bodies; b++) block[b] = weight[block[b]];
    return blocks;
}

// Contacts inside a block, or a colour for those across.
static void colour_frames(const struct dls_frames *f, const int *block, uint64_t *taken,
                          unsigned char *colour)
{
    for (int k = 0; k < f->contacts; k++) {
        const struct dls_frame *c = &f->all[k];
        bool inside = c->other < 0 || block[c->body] == block[c->other];
        int pair[2] = {c->body, c->other};
        colour[k] = inside ? INSIDE : take_colour(taken, pair, 2);
    }
}

bool dls_stages_of_frames(struct dls_stages *s, const struct dls_frames *f,
                          struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int *block = DLS_RAW(a, int, f->bodies);
    int *weight = DLS_RAW(&scratch, int, CELLS *CELLS *CELLS);
    uint64_t *taken = DLS_NEW(&scratch, uint64_t, f->bodies);
    unsigned char *colour = DLS_RAW(&scratch, unsigned char, f->contacts);
    bool good = !scratch.failed;
    int blocks = good ? find_blocks(f, weight, block) : 0;
    good = good && allocate(s, f->contacts, blocks, a);
    if (good) {
        int at = 0;
        s->block = block;
        colour_frames(f, block, taken, colour);
        memset(s->start, 0, ((size_t)blocks + 1) * sizeof *s->start);
        for (int k = 0; k < f->contacts; k++)
            if (colour[k] == INSIDE) s->start[block[f->all[k].body] + 1]++, at++;
        for (int b = 0; b < blocks; b++) s->start[b + 1] += s->start[b];
        for (int b = 0; b < blocks; b++) weight[b] = s->start[b];
        for (int k = 0; k < f->contacts; k++)
            if (colour[k] == INSIDE) s->order[weight[block[f->all[k].body]]++] = k;
        s->groups = blocks;
        s->first[0] = 0;
        s->first[s->stages = 1] = blocks;
        add_colours(s, colour, at);
    }
    dls_arena_free(&scratch);
    return good;
}

// --- colours alone -------------------------------------------------------------------

bool dls_stages_of_bodies(struct dls_stages *s, const struct dls_bodies *f,
                          struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int contacts = f->problem->contacts;
    uint64_t *taken = DLS_NEW(&scratch, uint64_t, f->inertia->bodies);
    unsigned char *colour = DLS_RAW(&scratch, unsigned char, contacts);
    bool good = !scratch.failed && allocate(s, contacts, 0, a);
    if (good) {
        for (int k = 0; k < contacts; k++)
            colour[k] = take_colour(taken, f->body + f->p[k], f->p[k + 1] - f->p[k]);
        s->first[0] = 0;
        add_colours(s, colour, 0);
    }
    dls_arena_free(&scratch);
    return good;
}

// The pattern of W need not be symmetric: a colour is forbidden to whom a row reads and to
// whom it is read by.
bool dls_stages_of_rows(struct dls_stages *s, const struct dls_bsr *W,
                        struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    uint64_t *taken = DLS_NEW(&scratch, uint64_t, W->rows);
    unsigned char *colour = DLS_RAW(&scratch, unsigned char, W->rows);
    bool good = !scratch.failed && allocate(s, W->rows, 0, a);
    for (int k = 0; good && k < W->rows; k++) {
        for (int l = W->p[k]; l < W->p[k + 1]; l++)
            if (W->j[l] < k && colour[W->j[l]] < ALONE)
                taken[k] |= (uint64_t)1 << colour[W->j[l]];
        colour[k] = take_colour(taken, &k, 1);
        for (int l = W->p[k]; l < W->p[k + 1] && colour[k] < ALONE; l++)
            taken[W->j[l]] |= (uint64_t)1 << colour[k];
    }
    if (good) s->first[0] = 0, add_colours(s, colour, 0);
    dls_arena_free(&scratch);
    return good;
}

// --- running -------------------------------------------------------------------------

long dls_stages_run(const struct dls_stages *s, int threads,
                    long (*visit)(void *self, int from, int to), void *self)
{
    long sum = 0;
    if (threads <= 1) {
        for (int g = 0; g < s->groups; g++)
            sum += visit(self, s->start[g], s->start[g + 1]);
        return sum;
    }
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    for (int stage = 0; stage < s->stages; stage++) {
#pragma omp for schedule(dynamic)
        for (int g = s->first[stage]; g < s->first[stage + 1]; g++)
            sum += visit(self, s->start[g], s->start[g + 1]);
    }
    return sum;
}
