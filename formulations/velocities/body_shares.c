// SPDX-License-Identifier: Apache-2.0
// The shares of the bodies in W.
//
//     W = sum_i C_i,   C_i = H_i M_i^-1 H_i^T  of rank R at most (6 in space, 3 in the plane)
//
// The block of C_i between contacts of different classes is the block of W. That between
// contacts of one class is shared with the other body of the class: W_AA = C_i + C_j.
//
// Method
//   1. A body whose classes are enough to tell its diagonal blocks by rank is settled
//      (body_completion.c), well-conditioned ones first. Its blocks are subtracted from
//      W_AA, which tells those of neighbours that cannot be settled alone.
//   2. A class without a second body is one with the ground, or with a body that touches
//      nothing else, a leaf. Settled as in step 1 the difference to W_AA is the leaf.
//      Where that is not possible the ground is assumed and, as long as there is a choice,
//      accepted only where the other blocks agree. Should there be a leaf after all, the
//      block that results is below the true one and the neighbours take the rest.
//   3. Bodies that remain, chains that close and the like, are taken together: the sum of
//      their shares is known.
//
// The choice of steps decides about ranks alone: the shares add up to W in any case, up to
// the round-off of two bodies that were settled alone. They need not be positive
// semidefinite where a guess was wrong, which the caller finds out.
// Cost: some R rows^2 a body, in all a small multiple of the blocks of W.
#include "formulations/velocities/body_shares.h"

#include "formulations/velocities/body_completion.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 200 };              // of bodies taken together
static const double tolerance = 1e-11; // of blocks that should agree
enum state {
    UNKNOWN, // shared with a body that is not settled
    KNOWN,   // what the other body left
    SINGLE,  // there is no second body, unless a leaf
};

// What is tried in turn, from the first again whenever a body was settled.
static const struct level {
    bool alone;  // without what other bodies left, whose errors would add up
    bool ground; // no leaves
    bool agree;  // something must confirm it
    bool as_is;  // what is known, whatever the rank
    double gap;
} levels[] = {
    {.gap = 1e-2, .alone = true},
    {.gap = 1e-2},
    {.gap = 1e-4},
    {.gap = 1e-4, .ground = true, .agree = true},
    {.as_is = true},
    {.gap = 1e-4, .ground = true},
};
enum { ALONE = 1, LEVELS = sizeof levels / sizeof *levels };

struct sharing {
    const struct dls_bsr *W;
    const struct dls_body_graph *graph;
    struct dls_shares *out;
    struct dls_arena *arena; // of the shares
    struct dls_share *body;  // one each
    double **C;              // of each body, what body->C points to
    int *start;           // row of each entry in its body, and the end behind the last
    unsigned char *state; // of each entry
    int *level;           // of each body: the next to try; LEVELS + 1 = settled
    int *place;           // contacts: position in the body at hand, or -1
    struct dls_completion work;
    bool *known; // of the work's groups
};

static bool is_settled(const struct sharing *s, int b) { return s->level[b] > LEVELS; }

// Entries of body b have their starts from here on, one more than entries.
static int *starts(const struct sharing *s, int b)
{
    return s->start + s->graph->body_p[b] + b;
}

// --- creation -------------------------------------------------------------------------

// Lists the contacts of body b and the rows where its classes start; returns the rows.
static int list_contacts(struct sharing *s, int b, int *contact)
{
    const struct dls_body_graph *g = s->graph;
    int *start = starts(s, b), count = 0;
    for (int e = g->body_p[b]; e < g->body_p[b + 1]; e++) {
        int c = g->body_class[e];
        *start++ = count * s->W->d;
        for (int k = g->class_p[c]; k < g->class_p[c + 1]; k++)
            contact[count++] = g->member[k];
        s->state[e] = g->class_body[2 * c + 1] < 0 ? SINGLE : UNKNOWN;
    }
    *start = count * s->W->d;
    s->body[b] = (struct dls_share){
        .contacts = count, .rows = count * s->W->d, .contact = contact};
    return count;
}

// C = the blocks of W between the contacts of a share.
static void load(struct sharing *s, const struct dls_share *share, double *C)
{
    const struct dls_bsr *W = s->W;
    int d = W->d;
    size_t N = (size_t)share->rows;
    for (int k = 0; k < share->contacts; k++) s->place[share->contact[k]] = k;
    for (int n = 0; n < share->contacts; n++)
        for (int k = W->p[share->contact[n]]; k < W->p[share->contact[n] + 1]; k++) {
            int to = s->place[W->j[k]];
            const double *block = dls_bsr_block(W, k);
            for (int i = 0; i < d * d && to >= 0; i++)
                C[(size_t)(to * d + i % d) * N + (size_t)(n * d + i / d)] = block[i];
        }
    for (int k = 0; k < share->contacts; k++) s->place[share->contact[k]] = -1;
}

static enum dls_status create(struct sharing *s, struct dls_arena *scratch)
{
    const struct dls_body_graph *g = s->graph;
    size_t bodies = (size_t)g->bodies, entries = (size_t)g->body_p[g->bodies];
    size_t contacts = (size_t)g->contacts, values = 0;
    int most = 0, *contact = DLS_NEW(s->arena, int, 2 * contacts);
    s->body = DLS_NEW(scratch, struct dls_share, bodies);
    s->C = DLS_NEW(scratch, double *, bodies);
    s->start = DLS_NEW(scratch, int, entries + bodies);
    s->state = DLS_NEW(scratch, unsigned char, entries);
    s->level = DLS_NEW(scratch, int, bodies);
    s->place = DLS_NEW(scratch, int, contacts);
    s->known = DLS_NEW(scratch, bool, entries);
    // Bodies and leaves; each leaf has a class of its own.
    s->out->share = DLS_NEW(s->arena, struct dls_share, bodies + (size_t)g->classes);
    if (s->arena->failed) return DLS_ENOMEM; // a failure of `scratch` counts here too
    for (int k = 0; k < g->contacts; k++) s->place[k] = -1;
    for (int b = 0; b < g->bodies; b++) {
        contact += list_contacts(s, b, contact);
        if (s->body[b].rows > most) most = s->body[b].rows;
        values += (size_t)s->body[b].rows * (size_t)s->body[b].rows;
    }
    double *C = DLS_NEW(s->arena, double, values);
    s->work.C = DLS_NEW_TABLE(scratch, double, most, most);
    if (!dls_completion_create(&s->work, most, scratch) || s->arena->failed)
        return DLS_ENOMEM;
    for (int b = 0; b < g->bodies; b++) {
        load(s, s->body + b, C);
        s->body[b].C = s->C[b] = C;
        C += (size_t)s->body[b].rows * (size_t)s->body[b].rows;
    }
    return DLS_OK;
}

// --- bodies one by one ----------------------------------------------------------------

static void emit(struct sharing *s, const struct dls_share *share)
{
    s->out->share[s->out->count++] = *share;
}

// C_AA -= block, by columns with `step` rows.
static void subtract(double *C, size_t N, int first, int count, const double *block,
                     size_t step)
{
    for (int l = 0; l < count; l++)
        for (int i = 0; i < count; i++)
            C[(size_t)(first + l) * N + (size_t)(first + i)] -=
                block[(size_t)l * step + (size_t)i];
}

// Settles body b with the share that it has and tells its neighbours.
static void settle(struct sharing *s, int b)
{
    const struct dls_body_graph *g = s->graph;
    size_t N = (size_t)s->body[b].rows;
    s->level[b] = LEVELS + 1;
    emit(s, s->body + b);
    for (int e = g->body_p[b]; e < g->body_p[b + 1]; e++) {
        const int *both = g->class_body + 2 * g->body_class[e];
        int other = both[0] == b ? both[1] : both[0], at = g->body_p[b], to;
        if (other < 0 || is_settled(s, other)) continue;
        for (to = g->body_p[other]; g->body_class[to] != g->body_class[e];) to++;
        const int *from = starts(s, b) + (e - at);
        subtract(s->C[other], (size_t)s->body[other].rows,
                 starts(s, other)[to - g->body_p[other]], from[1] - from[0],
                 s->C[b] + (size_t)from[0] * (N + 1), N);
        s->state[to] = KNOWN;
        if (s->level[other] > ALONE) s->level[other] = ALONE;
    }
}

// Entry (k % count, k / count) of what completion changed in diagonal block n of body b.
static double change(const struct sharing *s, int b, int n, int k)
{
    const int *start = starts(s, b) + n;
    int count = start[1] - start[0];
    size_t N = (size_t)s->body[b].rows;
    size_t at = (size_t)(start[0] + k / count) * N + (size_t)(start[0] + k % count);
    return s->C[b][at] - s->work.C[at];
}

// The largest of these entries.
static double difference(const struct sharing *s, int b, int n)
{
    const int *start = starts(s, b) + n;
    int count = start[1] - start[0];
    double largest = 0;
    for (int k = 0; k < count * count; k++)
        largest = fmax(largest, fabs(change(s, b, n, k)));
    return largest;
}

// The leaf behind a class without a second body: what the completed block leaves of it.
// False where that has a negative diagonal.
static bool add_leaf(struct sharing *s, int b, int n)
{
    const int *start = starts(s, b) + n;
    int count = start[1] - start[0];
    if (difference(s, b, n) <= tolerance) return true;
    for (int k = 0; k < count * count; k += count + 1)
        if (change(s, b, n, k) < -tolerance) return false;
    double *L = DLS_NEW(s->arena, double, count *count);
    if (!L) return false;
    for (int k = 0; k < count * count; k++) L[k] = change(s, b, n, k);
    emit(s, &(struct dls_share){.contacts = count / s->W->d,
                                .rows = count,
                                .contact = s->body[b].contact + start[0] / s->W->d,
                                .C = L});
    return true;
}

// Completes body b; false where the level does not allow it.
static bool complete(struct sharing *s, int b, const struct level *level)
{
    const struct dls_body_graph *g = s->graph;
    int first = g->body_p[b], unknown = 0;
    size_t N = (size_t)s->body[b].rows;
    s->work.rank = dls_body_velocities(s->W->d);
    s->work.rows = s->body[b].rows;
    s->work.groups = g->body_p[b + 1] - first;
    s->work.start = starts(s, b);
    s->work.known = s->known;
    for (int n = 0; n < s->work.groups; n++) {
        unsigned char state = s->state[first + n];
        s->known[n] =
            (state == KNOWN && !level->alone) || (state == SINGLE && level->ground);
        unknown += !s->known[n];
    }
    if (level->agree && unknown == 1) return false; // nothing to compare with
    memcpy(s->work.C, s->C[b], N * N * sizeof *s->work.C);
    if (!dls_completion_fill(&s->work, level->gap)) return false;
    int before = s->out->count;
    for (int n = 0; n < s->work.groups; n++) {
        unsigned char state = s->state[first + n];
        bool good = true;
        if (state == KNOWN && level->alone) good = difference(s, b, n) <= tolerance;
        if (state == SINGLE && !level->ground) good = add_leaf(s, b, n);
        if (!good) return s->out->count = before, false;
    }
    memcpy(s->C[b], s->work.C, N * N * sizeof *s->work.C);
    return true;
}

static bool attempt(struct sharing *s, int b, const struct level *level)
{
    const struct dls_body_graph *g = s->graph;
    if (!level->as_is) return complete(s, b, level);
    for (int e = g->body_p[b]; e < g->body_p[b + 1]; e++)
        if (s->state[e] == UNKNOWN) return false;
    return true;
}

// Tries all bodies on one level; true where some were settled. Guesses are made one at a
// time.
static bool pass(struct sharing *s, int n)
{
    bool some = false, guess = levels[n].ground && !levels[n].agree;
    for (int b = 0; b < s->graph->bodies && !(guess && some); b++) {
        if (s->level[b] != n) continue;
        s->level[b]++;
        if (!attempt(s, b, levels + n)) continue;
        settle(s, b);
        some = true;
    }
    return some;
}

// --- bodies taken together ------------------------------------------------------------

// Lists the bodies that hang together with b through unknown classes; returns how many.
static int gather(struct sharing *s, int b, int *list)
{
    const struct dls_body_graph *g = s->graph;
    int count = 0;
    list[count++] = b;
    s->level[b] = LEVELS + 1;
    for (int n = 0; n < count; n++)
        for (int e = g->body_p[list[n]]; e < g->body_p[list[n] + 1]; e++) {
            const int *both = g->class_body + 2 * g->body_class[e];
            int other = both[0] == list[n] ? both[1] : both[0];
            if (s->state[e] != UNKNOWN || is_settled(s, other)) continue;
            s->level[other] = LEVELS + 1;
            list[count++] = other;
        }
    return count;
}

// Numbers the contacts of the bodies; `contact` receives them.
static int number_contacts(struct sharing *s, const int *list, int count, int *contact)
{
    int total = 0;
    for (int n = 0; n < count; n++) {
        const struct dls_share *body = s->body + list[n];
        for (int k = 0; k < body->contacts; k++) {
            if (s->place[body->contact[k]] >= 0) continue;
            s->place[body->contact[k]] = total;
            contact[total++] = body->contact[k];
        }
    }
    return total;
}

// C += the share of body b; an unknown class counts once, with the first of its bodies.
static void add_body(struct sharing *s, int b, double *C, size_t rows)
{
    const struct dls_body_graph *g = s->graph;
    const struct dls_share *body = s->body + b;
    int d = s->W->d;
    size_t N = (size_t)body->rows;
    for (int e = g->body_p[b], n = 0; e < g->body_p[b + 1]; e++, n++) {
        const int *range = starts(s, b) + n;
        bool counted =
            s->state[e] == UNKNOWN && g->class_body[2 * g->body_class[e]] != b;
        if (counted)
            subtract(s->C[b], N, range[0], range[1] - range[0],
                     s->C[b] + (size_t)range[0] * (N + 1), N);
    }
    for (size_t k = 0; k < N * N; k++) {
        int i = (int)(k % N), j = (int)(k / N);
        size_t row = (size_t)(s->place[body->contact[i / d]] * d + i % d);
        size_t column = (size_t)(s->place[body->contact[j / d]] * d + j % d);
        C[column * rows + row] += s->C[b][k];
    }
}

static enum dls_status join(struct sharing *s, int b, int *list)
{
    int count = gather(s, b, list), rows = 0;
    for (int n = 0; n < count && rows <= 2 * MOST_ROWS; n++)
        rows += s->body[list[n]].rows;
    if (rows > MOST_ROWS) return DLS_UNSUPPORTED;
    int *contact = DLS_NEW(s->arena, int, rows);
    if (!contact) return DLS_ENOMEM;
    int total = number_contacts(s, list, count, contact);
    struct dls_share share = {
        .contacts = total, .rows = total * s->W->d, .contact = contact};
    size_t N = (size_t)share.rows;
    double *C = DLS_NEW(s->arena, double, N *N);
    if (!C) return DLS_ENOMEM;
    for (int n = 0; n < count; n++) add_body(s, list[n], C, N);
    for (int k = 0; k < total; k++) s->place[contact[k]] = -1;
    share.C = C;
    emit(s, &share);
    return DLS_OK;
}

enum dls_status dls_body_shares(struct dls_shares *out, const struct dls_bsr *W,
                                const struct dls_body_graph *g, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct sharing s = {.W = W, .graph = g, .out = out, .arena = a};
    *out = (struct dls_shares){0};
    int *list = DLS_NEW(&scratch, int, g->bodies);
    enum dls_status status = create(&s, &scratch);
    for (int n = 0; n < LEVELS && status == DLS_OK;) n = pass(&s, n) ? 0 : n + 1;
    for (int b = 0; b < g->bodies && status == DLS_OK; b++)
        if (!is_settled(&s, b)) status = join(&s, b, list);
    if (a->failed) status = DLS_ENOMEM;
    dls_arena_free(&scratch);
    return status;
}
