// SPDX-License-Identifier: Apache-2.0
// The file: a magic word, the title, a head with sizes and sums, then q, v, the memory
// of the scheme and the impulses of the last step, all in the machine's own byte order
// (a checkpoint serves the machine that wrote it). Everything that a later step reads
// is in it, hence the same bits follow.
#include "problems/mechanics/checkpoint.h"

#include <stdio.h>
#include <string.h>

static const char magic[8] = "DLSCKPT1";

struct head {
    int n, nq, memory_size, warm, d, title;
    long steps, unconverged, csv_bytes;
    double t, h, worst_residual, worst_natural, worst_penetration;
    struct dls_ledger ledger;
};

static struct head head_of(const struct dls_sim *sim, const struct dls_checkpoint *c)
{
    struct head head;
    memset(&head, 0, sizeof head); // padding is written too
    head.n = sim->system->n;
    head.nq = sim->system->nq;
    head.memory_size = sim->memory_size;
    head.warm = sim->warm.count;
    head.d = sim->system->d;
    head.title = (int)strlen(c->title);
    head.steps = sim->steps;
    head.unconverged = sim->unconverged;
    head.csv_bytes = c->csv_bytes;
    head.t = sim->t;
    head.h = sim->h;
    head.worst_residual = sim->worst_residual;
    head.worst_natural = sim->worst_natural;
    head.worst_penetration = sim->worst_penetration;
    head.ledger = sim->ledger;
    return head;
}

// The pieces of the file behind the head, the same for reading and writing.
struct piece {
    void *at;
    size_t bytes;
};

static int pieces_of(const struct dls_sim *sim, int warm, struct piece piece[4])
{
    const struct dls_system *s = sim->system;
    piece[0] = (struct piece){sim->q, (size_t)s->nq * sizeof *sim->q};
    piece[1] = (struct piece){sim->v, (size_t)s->n * sizeof *sim->v};
    piece[2] = (struct piece){sim->memory, (size_t)sim->memory_size * sizeof(double)};
    piece[3] = (struct piece){sim->warm.all, (size_t)warm * sizeof *sim->warm.all};
    return 4;
}

static bool put(FILE *file, const void *at, size_t bytes)
{
    return !bytes || fwrite(at, bytes, 1, file) == 1;
}

static bool get(FILE *file, void *at, size_t bytes)
{
    return !bytes || fread(at, bytes, 1, file) == 1;
}

enum dls_status dls_checkpoint_write(const struct dls_sim *sim,
                                     const struct dls_checkpoint *c, const char *path,
                                     struct dls_error *err)
{
    char partial[4096];
    int length = snprintf(partial, sizeof partial, "%s.part", path);
    FILE *file = length < (int)sizeof partial ? fopen(partial, "wb") : NULL;
    if (!file) return dls_fail(err, DLS_EIO, "%.200s: cannot be written", path);
    struct head head = head_of(sim, c);
    struct piece piece[4];
    int pieces = pieces_of(sim, head.warm, piece);
    bool good = put(file, magic, sizeof magic) && put(file, &head, sizeof head)
                && put(file, c->title, (size_t)head.title);
    for (int k = 0; k < pieces; k++)
        good = good && put(file, piece[k].at, piece[k].bytes);
    good = !fclose(file) && good && !rename(partial, path);
    if (good) return DLS_OK;
    remove(partial);
    return dls_fail(err, DLS_EIO, "%.200s: cannot be written", path);
}

static bool fits(const struct dls_sim *sim, const struct head *head)
{
    const struct dls_system *s = sim->system;
    return head->n == s->n && head->nq == s->nq && head->d == s->d && head->warm >= 0
           && head->memory_size == sim->memory_size && head->h == sim->h;
}

static bool same_title(FILE *file, const struct head *head, const char *title)
{
    char text[1024];
    size_t length = strlen(title);
    return length < sizeof text && head->title == (int)length && get(file, text, length)
           && !memcmp(text, title, length);
}

static bool read_state(struct dls_sim *sim, const struct head *head, FILE *file)
{
    struct piece piece[4];
    sim->warm.all = DLS_NEW(&sim->step_memory[0], struct dls_warm_entry, head->warm);
    if (!sim->warm.all) return false;
    sim->warm.count = head->warm;
    sim->warm.d = head->d;
    int pieces = pieces_of(sim, head->warm, piece);
    bool good = true;
    for (int k = 0; k < pieces; k++)
        good = good && get(file, piece[k].at, piece[k].bytes);
    sim->steps = head->steps;
    sim->unconverged = head->unconverged;
    sim->t = head->t;
    sim->worst_residual = head->worst_residual;
    sim->worst_natural = head->worst_natural;
    sim->worst_penetration = head->worst_penetration;
    sim->ledger = head->ledger;
    return good && fgetc(file) == EOF;
}

enum dls_status dls_checkpoint_read(struct dls_sim *sim, struct dls_checkpoint *c,
                                    const char *path, struct dls_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) return dls_fail(err, DLS_EIO, "%.200s: cannot be read", path);
    struct head head;
    char word[sizeof magic];
    bool ours = get(file, word, sizeof word) && !memcmp(word, magic, sizeof word)
                && get(file, &head, sizeof head);
    bool same = ours && fits(sim, &head) && same_title(file, &head, c->title);
    bool good = same && read_state(sim, &head, file);
    fclose(file);
    if (!ours) return dls_fail(err, DLS_EINVAL, "%.200s: no checkpoint", path);
    if (!same)
        return dls_fail(err, DLS_EINVAL, "%.120s: of another run, not of %.100s", path,
                        c->title);
    if (!good) return dls_fail(err, DLS_EINVAL, "%.200s: not complete", path);
    c->csv_bytes = head.csv_bytes;
    return DLS_OK;
}
