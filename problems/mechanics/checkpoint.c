// SPDX-License-Identifier: Apache-2.0
// The file: a magic word, a head with sizes and sums, the title, then q, v, the memory of
// the scheme, the impulses of the last step, the spreads of residuals and iterations, the
// numbers of the bodies that are there and the state of the rule by which they come and
// go, the bonds of glued contacts, the spread of the number of contacts, what those who
// watch the run keep, all in the machine's own byte order (a checkpoint serves the machine
// that wrote it), and a checksum of all before it.
// Everything that a later step reads is in it, hence the same bits follow.
#include "problems/mechanics/checkpoint.h"

#include "problems/mechanics/presence.h"

#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char magic[8] = "DLSCKPT7";

struct head {
    int n, nq, bodies, memory_size, warm, bonds, d, title;
    long rule; // bytes of the rule by which bodies come and go
    long steps, unconverged, csv_bytes;
    uint64_t csv_tail, watched; // watched: bytes of the pieces of those who watch
    double t, h, worst_residual, worst_natural, worst_penetration;
    struct dls_ledger ledger;
};

static uint64_t watched_bytes(const struct dls_checkpoint *c)
{
    uint64_t bytes = 0;
    for (int k = 0; k < c->watched.pieces; k++) bytes += c->watched.piece[k].bytes;
    return bytes;
}

static struct head head_of(const struct dls_sim *sim, const struct dls_checkpoint *c)
{
    struct head head;
    memset(&head, 0, sizeof head); // padding is written too
    head.n = sim->system->n;
    head.nq = sim->system->nq;
    head.bodies = sim->system->bodies;
    if (sim->system->population) head.rule = (long)sim->system->population->state_size;
    head.memory_size = sim->memory_size;
    head.warm = sim->warm.count;
    head.bonds = sim->bonds.count;
    head.d = sim->system->d;
    head.title = (int)strlen(c->title);
    head.steps = sim->steps;
    head.unconverged = sim->unconverged;
    head.csv_bytes = c->csv_bytes;
    head.csv_tail = c->csv_tail;
    head.watched = watched_bytes(c);
    head.t = sim->t;
    head.h = sim->h;
    head.worst_residual = sim->worst_residual;
    head.worst_natural = sim->worst_natural;
    head.worst_penetration = sim->worst_penetration;
    head.ledger = sim->ledger;
    return head;
}

// The pieces of the file behind the head, the same for reading and writing; the
// impulses, the numbers of the bodies and the bonds have places of their own in a run.
enum { WARM = 3, NUMBERS = 6, BONDS = 8, PIECES = 10 };

static int pieces_of(const struct dls_sim *sim, const struct head *head,
                     struct dls_piece piece[PIECES])
{
    const struct dls_population *p = sim->system->population;
    size_t warm = (size_t)head->warm, bodies = p ? (size_t)head->bodies : 0;
    piece[0] = (struct dls_piece){sim->q, (size_t)head->nq * sizeof *sim->q};
    piece[1] = (struct dls_piece){sim->v, (size_t)head->n * sizeof *sim->v};
    piece[2] =
        (struct dls_piece){sim->memory, (size_t)sim->memory_size * sizeof(double)};
    piece[WARM] = (struct dls_piece){sim->warm.all, warm * sizeof *sim->warm.all};
    piece[4] = (struct dls_piece){sim->residuals, sizeof *sim->residuals};
    piece[5] = (struct dls_piece){sim->iterations, sizeof *sim->iterations};
    piece[NUMBERS] =
        (struct dls_piece){p ? p->number : NULL, bodies * sizeof *p->number};
    piece[7] = (struct dls_piece){p ? p->state : NULL, p ? p->state_size : 0};
    piece[BONDS] = (struct dls_piece){sim->bonds.all,
                                      (size_t)head->bonds * sizeof *sim->bonds.all};
    piece[9] = (struct dls_piece){sim->contacts, sizeof *sim->contacts};
    return PIECES;
}

// A file and the checksum of what went through it so far.
struct stream {
    FILE *file;
    uint64_t hash;
};

static bool put(struct stream *s, const void *at, size_t bytes)
{
    s->hash = dls_hash_add(s->hash, at, bytes);
    return !bytes || fwrite(at, bytes, 1, s->file) == 1;
}

static bool get(struct stream *s, void *at, size_t bytes)
{
    if (bytes && fread(at, bytes, 1, s->file) != 1) return false;
    s->hash = dls_hash_add(s->hash, at, bytes);
    return true;
}

// The checksum is the last thing in the file.
static bool put_hash(struct stream *s)
{
    uint64_t hash = s->hash;
    return put(s, &hash, sizeof hash);
}

static bool get_hash(struct stream *s)
{
    uint64_t found, hash = s->hash;
    return get(s, &found, sizeof found) && found == hash && fgetc(s->file) == EOF;
}

enum dls_status dls_checkpoint_write(const struct dls_sim *sim,
                                     const struct dls_checkpoint *c, const char *path,
                                     struct dls_error *err)
{
    struct dls_file to;
    if (!dls_file_begin(&to, path))
        return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    struct stream out = {to.out, dls_hash_start};
    struct head head = head_of(sim, c);
    struct dls_piece piece[PIECES];
    int pieces = pieces_of(sim, &head, piece);
    bool good = put(&out, magic, sizeof magic) && put(&out, &head, sizeof head)
                && put(&out, c->title, (size_t)head.title);
    for (int k = 0; k < pieces; k++)
        good = good && put(&out, piece[k].at, piece[k].bytes);
    for (int k = 0; k < c->watched.pieces; k++)
        good = good && put(&out, c->watched.piece[k].at, c->watched.piece[k].bytes);
    good = good && put_hash(&out);
    if (dls_file_end(&to, good)) return DLS_OK;
    return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
}

static bool fits(const struct dls_sim *sim, const struct dls_checkpoint *c,
                 const struct head *head)
{
    const struct dls_system *s = sim->system;
    const struct dls_population *p = s->population;
    bool bodies = head->n == s->n && head->nq == s->nq && head->bodies == s->bodies;
    if (p)
        bodies = head->bodies >= 0 && head->bodies <= p->room
                 && head->n == head->bodies * p->velocities
                 && head->nq == head->bodies * p->positions
                 && head->rule == (long)p->state_size;
    return bodies && head->d == s->d && head->memory_size == sim->memory_size
           && head->h == sim->h && head->watched == watched_bytes(c);
}

static bool same_title(struct stream *in, const struct head *head, const char *title)
{
    char text[1024];
    size_t length = strlen(title);
    return length < sizeof text && head->title == (int)length && get(in, text, length)
           && !memcmp(text, title, length);
}

// Reads into memory of its own first: a damaged file changes nothing in the sim.
static bool read_state(struct dls_sim *sim, struct dls_checkpoint *c,
                       const struct head *head, struct stream *in)
{
    struct dls_sim found = *sim;
    struct dls_arena *a = &sim->step_memory[0];
    const struct dls_system *s = sim->system;
    struct dls_system system = *s;
    struct dls_population population =
        s->population ? *s->population : (struct dls_population){0};
    struct dls_piece to[PIECES], from[PIECES];
    found.system = &system;
    if (s->population) system.population = &population;
    population.number = DLS_NEW(a, int, head->bodies);
    population.state = DLS_NEW(a, char, population.state_size);
    found.q = DLS_NEW(a, double, head->nq);
    found.v = DLS_NEW(a, double, head->n);
    found.memory = DLS_NEW(a, double, sim->memory_size);
    found.residuals = DLS_NEW(a, struct dls_spread, 1);
    found.iterations = DLS_NEW(a, struct dls_spread, 1);
    found.contacts = DLS_NEW(a, struct dls_spread, 1);
    found.warm.all = DLS_NEW(a, struct dls_warm_entry, head->warm);
    found.bonds.all = DLS_NEW(sim->arena, struct dls_bond, head->bonds);
    unsigned char *beside = dls_alloc(a, (size_t)head->watched, 1), *at = beside;
    if (a->failed || sim->arena->failed) return false;
    int pieces = pieces_of(&found, head, from);
    for (int k = 0; k < pieces; k++)
        if (!get(in, from[k].at, from[k].bytes)) return false;
    if (!get(in, beside, (size_t)head->watched) || !get_hash(in)) return false;
    if (s->population && !s->population->set(s, head->bodies, population.number))
        return false;
    for (int k = 0; k < c->watched.pieces; at += c->watched.piece[k++].bytes)
        memcpy(c->watched.piece[k].at, at, c->watched.piece[k].bytes);
    sim->warm = (struct dls_warm){head->warm, head->d, found.warm.all};
    sim->bonds = (struct dls_bonds){head->bonds, found.bonds.all};
    pieces_of(sim, head, to);
    for (int k = 0; k < pieces; k++)
        if (k != WARM && k != NUMBERS && k != BONDS && to[k].bytes)
            memcpy(to[k].at, from[k].at, to[k].bytes);
    if (s->population) dls_presence_follow(sim, 0);
    sim->steps = head->steps;
    sim->unconverged = head->unconverged;
    sim->t = head->t;
    sim->worst_residual = head->worst_residual;
    sim->worst_natural = head->worst_natural;
    sim->worst_penetration = head->worst_penetration;
    sim->ledger = head->ledger;
    return true;
}

// No more entries than the file has bytes for, whatever its head says.
static bool is_possible(const struct head *head, FILE *file)
{
    long here = ftell(file), end;
    if (here < 0 || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0
        || fseek(file, here, SEEK_SET))
        return false;
    return head->warm >= 0 && head->bonds >= 0
           && (size_t)head->warm <= (size_t)end / sizeof(struct dls_warm_entry)
           && (size_t)head->bonds <= (size_t)end / sizeof(struct dls_bond);
}

enum dls_status dls_checkpoint_read(struct dls_sim *sim, struct dls_checkpoint *c,
                                    const char *path, struct dls_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) return dls_fail(err, DLS_EIO, "%.200s: cannot be read", path);
    struct stream in = {file, dls_hash_start};
    struct head head;
    char word[sizeof magic];
    bool ours = get(&in, word, sizeof word) && !memcmp(word, magic, sizeof word)
                && get(&in, &head, sizeof head);
    bool same = ours && fits(sim, c, &head) && same_title(&in, &head, c->title);
    bool good = same && is_possible(&head, file) && read_state(sim, c, &head, &in);
    fclose(file);
    if (!ours) return dls_fail(err, DLS_EINVAL, "%.200s: no checkpoint", path);
    if (!same)
        return dls_fail(err, DLS_EINVAL, "%.120s: of another run, not of %.100s", path,
                        c->title);
    if (!good)
        return dls_fail(err, DLS_EINVAL, "%.200s: not complete, or damaged", path);
    c->csv_bytes = head.csv_bytes;
    c->csv_tail = head.csv_tail;
    return DLS_OK;
}
