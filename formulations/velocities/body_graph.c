// SPDX-License-Identifier: Apache-2.0
// Bodies from the pattern of W.
//
// Contacts a and b are coupled, W_ab other than zero, exactly where they share a body
// that moves. So contacts are the edges of a graph whose vertices are the bodies, and the
// pattern of W is its line graph. Line graphs determine their root, but for a few of at
// most six vertices [Whitney1932; Roussopoulos1973].
//
// Method
//   1. Contacts with equal closed neighbourhoods are one class (parallel edges), and the
//      root on classes is a simple graph.
//   2. In each component some coupled pair (A, B) belongs to exactly one body. The classes
//      coupled to both are the others of that body and at most one that closes a triangle
//      of bodies, which is coupled to none of the others. So the body is one of few sets.
//   3. From one body all others follow: what a class is coupled to beyond its first body
//      is its second body.
//   4. Every body must be a clique, every coupling lie in exactly one body.
//
// Cost: linear in the blocks of W.
// Fails: where a block between two contacts of one body vanishes by symmetry.
#include "formulations/velocities/body_graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Blocks below this times the diagonal ones count as zero.
static const double negligible = 1e-14;

struct builder {
    struct dls_body_graph *graph;
    int *p, *j;    // coupled contacts, each with itself, ascending
    int *class_of; // contacts
    int *near_p;   // classes + 1: coupled classes, without itself
    int *near;
    int *mark, stamp; // of whatever has been seen; stamps never repeat
    int *queue;       // classes of a component
};

// --- classes --------------------------------------------------------------------------

// The couplings of all contacts.
static void list_couplings(struct builder *g, const struct dls_bsr *W, double *size)
{
    int to = 0;
    for (int a = 0; a < W->rows; a++) size[a] = sqrt(dls_bsr_block_norm(W, W->diag[a]));
    for (int a = 0; a < W->rows; a++) {
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            int b = W->j[k];
            double norm = dls_bsr_block_norm(W, k);
            if (a == b || norm > negligible * size[a] * size[b]) g->j[to++] = b;
        }
        g->p[a + 1] = to;
    }
}

// Whether all couplings are mutual: with the rows taken in order, a is the next that row
// b > a lists. `next` is zero on entry.
static bool is_mutual(const struct builder *g, int *next)
{
    for (int a = 0; a < g->graph->contacts; a++) {
        int k = g->p[a] + next[a]; // all before it were met in earlier rows
        if (g->j[k] != a) return false;
        while (++k < g->p[a + 1]) {
            int b = g->j[k], at = g->p[b] + next[b]++;
            if (at >= g->p[b + 1] || g->j[at] != a) return false;
        }
    }
    return true;
}

struct key {
    uint64_t hash;
    int contact;
};

static int compare_keys(const void *x, const void *y)
{
    const struct key *a = x, *b = y;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return (a->contact > b->contact) - (a->contact < b->contact);
}

// Equal lists have equal sums of these.
static uint64_t scramble(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 27);
}

static bool same_couplings(const struct builder *g, int a, int b)
{
    int count = g->p[a + 1] - g->p[a];
    return count == g->p[b + 1] - g->p[b]
           && !memcmp(g->j + g->p[a], g->j + g->p[b], (size_t)count * sizeof *g->j);
}

static void find_classes(struct builder *g, struct key *key)
{
    struct dls_body_graph *f = g->graph;
    for (int a = 0; a < f->contacts; a++) {
        key[a] = (struct key){.contact = a};
        for (int k = g->p[a]; k < g->p[a + 1]; k++)
            key[a].hash += scramble((uint64_t)g->j[k]);
    }
    qsort(key, (size_t)f->contacts, sizeof *key, compare_keys);
    for (int k = 0; k < f->contacts; k++) {
        int a = key[k].contact;
        if (!k || !same_couplings(g, key[k - 1].contact, a))
            f->class_p[f->classes++] = k;
        f->member[k] = a;
        g->class_of[a] = f->classes - 1;
    }
    f->class_p[f->classes] = f->contacts;
}

// Couplings between classes, those of any member.
static void couple_classes(struct builder *g)
{
    const struct dls_body_graph *f = g->graph;
    int to = 0;
    for (int c = 0; c < f->classes; c++) {
        int a = f->member[f->class_p[c]];
        g->mark[c] = ++g->stamp;
        for (int k = g->p[a]; k < g->p[a + 1]; k++) {
            int other = g->class_of[g->j[k]];
            if (g->mark[other] != g->stamp) g->near[to++] = other;
            g->mark[other] = g->stamp;
        }
        g->near_p[c + 1] = to;
    }
}

// --- bodies ---------------------------------------------------------------------------

static int degree(const struct builder *g, int c)
{
    return g->near_p[c + 1] - g->near_p[c];
}

// Where the next body's classes go.
static int *next_body(const struct builder *g)
{
    return g->graph->body_class + g->graph->body_p[g->graph->bodies];
}

// Makes a body of the `count` classes at next_body; false where they are not all coupled
// to each other or one of them has two bodies already.
static bool add_body(struct builder *g, int count)
{
    struct dls_body_graph *f = g->graph;
    const int *list = next_body(g);
    int stamp = ++g->stamp;
    for (int n = 0; n < count; n++) g->mark[list[n]] = stamp;
    for (int n = 0; n < count; n++) {
        int coupled = 0, c = list[n];
        for (int k = g->near_p[c]; k < g->near_p[c + 1]; k++)
            coupled += g->mark[g->near[k]] == stamp;
        if (coupled != count - 1 || f->class_body[2 * c + 1] >= 0) return false;
    }
    for (int n = 0; n < count; n++) {
        int *body = f->class_body + 2 * list[n];
        body[body[0] >= 0] = f->bodies;
    }
    f->bodies++;
    f->body_p[f->bodies] = f->body_p[f->bodies - 1] + count;
    return true;
}

// Lists class c and what it is coupled to beyond its first body; returns how many.
static int second_body(struct builder *g, int c)
{
    const struct dls_body_graph *f = g->graph;
    int body = f->class_body[2 * c], count = 1, stamp = ++g->stamp,
        *list = next_body(g);
    for (int e = f->body_p[body]; e < f->body_p[body + 1]; e++)
        g->mark[f->body_class[e]] = stamp;
    list[0] = c;
    for (int k = g->near_p[c]; k < g->near_p[c + 1]; k++)
        if (g->mark[g->near[k]] != stamp) list[count++] = g->near[k];
    return count;
}

// Whether each coupling of class c lies in exactly one of its bodies.
static bool is_covered(struct builder *g, int c)
{
    const struct dls_body_graph *f = g->graph;
    int seen = 0, stamp = ++g->stamp;
    for (int side = 0; side < 2; side++) {
        int body = f->class_body[2 * c + side];
        for (int e = body < 0 ? 0 : f->body_p[body];
             e < (body < 0 ? 0 : f->body_p[body + 1]); e++) {
            int other = f->body_class[e];
            if (other == c) continue;
            if (g->mark[other] == stamp) return false;
            g->mark[other] = stamp;
            seen++;
        }
    }
    return seen == degree(g, c);
}

// All bodies of a component from the one that the `count` classes at next_body make.
static bool spread(struct builder *g, int count, int component)
{
    struct dls_body_graph *f = g->graph;
    int first = f->bodies;
    bool good = add_body(g, count);
    for (int b = first; good && b < f->bodies; b++)
        for (int e = f->body_p[b]; good && e < f->body_p[b + 1]; e++) {
            int c = f->body_class[e];
            if (f->class_body[2 * c + 1] >= 0) continue;
            int more = second_body(g, c);
            if (more > 1) good = add_body(g, more);
        }
    for (int n = 0; good && n < component; n++) good = is_covered(g, g->queue[n]);
    if (good) return true;
    for (int n = 0; n < component; n++)
        f->class_body[2 * g->queue[n]] = f->class_body[2 * g->queue[n] + 1] = -1;
    f->bodies = first;
    return false;
}

// Lists A, B and the classes coupled to both; returns how many.
static int common_body(struct builder *g, int A, int B)
{
    int count = 2, stamp = ++g->stamp, *list = next_body(g);
    for (int k = g->near_p[B]; k < g->near_p[B + 1]; k++) g->mark[g->near[k]] = stamp;
    list[0] = A;
    list[1] = B;
    for (int k = g->near_p[A]; k < g->near_p[A + 1]; k++)
        if (g->mark[g->near[k]] == stamp) list[count++] = g->near[k];
    return count;
}

// The bodies of the component whose `size` classes are queued.
static bool find_component(struct builder *g, int size)
{
    int A = g->queue[0];
    for (int n = 1; n < size; n++)
        if (degree(g, g->queue[n]) > degree(g, A)) A = g->queue[n];
    if (size == 1) {
        next_body(g)[0] = A;
        return add_body(g, 1);
    }
    int B = g->near[g->near_p[A]], count = common_body(g, A, B);
    if (spread(g, count, size)) return true;
    for (int n = 2; n < count; n++) { // without the one that closes a triangle
        common_body(g, A, B);
        next_body(g)[n] = next_body(g)[count - 1];
        if (spread(g, count - 1, size)) return true;
    }
    return false;
}

// Queues the classes of the component of c; returns how many. `seen` is kept.
static int queue_component(struct builder *g, int c, bool *seen)
{
    int size = 0;
    g->queue[size++] = c;
    seen[c] = true;
    for (int n = 0; n < size; n++)
        for (int k = g->near_p[g->queue[n]]; k < g->near_p[g->queue[n] + 1]; k++) {
            int other = g->near[k];
            if (!seen[other]) g->queue[size++] = other;
            seen[other] = true;
        }
    return size;
}

static enum dls_status find_bodies(struct builder *g, bool *seen)
{
    struct dls_body_graph *f = g->graph;
    for (int c = 0; c < 2 * f->classes; c++) f->class_body[c] = -1;
    for (int c = 0; c < f->classes; c++)
        if (!seen[c] && !find_component(g, queue_component(g, c, seen)))
            return DLS_UNSUPPORTED;
    return DLS_OK;
}

enum dls_status dls_body_graph_build(struct dls_body_graph *f, const struct dls_bsr *W,
                                     struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t rows = (size_t)W->rows, blocks = (size_t)W->p[W->rows];
    double *size = DLS_NEW(&scratch, double, rows);
    struct key *key = DLS_NEW(&scratch, struct key, rows);
    bool *seen = DLS_NEW(&scratch, bool, rows);
    struct builder g = {
        .graph = f,
        .p = DLS_NEW(&scratch, int, rows + 1),
        .j = DLS_NEW(&scratch, int, blocks),
        .class_of = DLS_NEW(&scratch, int, rows),
        .near_p = DLS_NEW(&scratch, int, rows + 1),
        .near = DLS_NEW(&scratch, int, blocks),
        .mark = DLS_NEW(&scratch, int, rows),
        .queue = DLS_NEW(&scratch, int, rows),
    };
    *f = (struct dls_body_graph){
        .contacts = W->rows,
        .class_p = DLS_NEW(a, int, rows + 1),
        .member = DLS_NEW(a, int, rows),
        .body_p = DLS_NEW(a, int, 2 * rows + 1),
        .body_class = DLS_NEW(a, int, 3 * rows + 1), // the last third for attempts
        .class_body = DLS_NEW(a, int, 2 * rows),
    };
    enum dls_status status = a->failed ? DLS_ENOMEM : DLS_OK;
    if (status == DLS_OK) {
        list_couplings(&g, W, size);
        if (!is_mutual(&g, g.queue)) status = DLS_UNSUPPORTED;
    }
    if (status == DLS_OK) {
        find_classes(&g, key);
        couple_classes(&g);
        status = find_bodies(&g, seen);
    }
    dls_arena_free(&scratch);
    return status;
}
