// SPDX-License-Identifier: Apache-2.0
// Contacts mostly come in the order of their identities: systems list pairs of bodies in
// that order, and only the points of one pair may be exchanged. Both functions take time
// linear in the contacts then. They are right in any order.
#include "solvers/sequence/warm.h"

#include "base/contract.h"

#include <stdlib.h>
#include <string.h>

static uint64_t name_of(struct dls_names names, int k)
{
    uint64_t id;
    memcpy(&id, (const char *)names.first + (size_t)k * names.stride, sizeof id);
    return id;
}

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const struct dls_warm_entry *)a)->id;
    uint64_t y = ((const struct dls_warm_entry *)b)->id;
    return (x > y) - (x < y);
}

struct dls_warm dls_warm_keep(struct dls_names names, int contacts, int d,
                              const double *r, struct dls_arena *a)
{
    DLS_ASSERT(d <= DLS_LARGEST_D);
    struct dls_warm_entry *all = DLS_RAW(a, struct dls_warm_entry, contacts);
    if (!all) return (struct dls_warm){0};
    long moves = 0, most = 16L * contacts; // beyond that they are in no order
    for (int k = 0; k < contacts; k++) {
        uint64_t id = name_of(names, k);
        int at = k;
        for (; at > 0 && all[at - 1].id > id && moves < most; at--, moves++)
            all[at] = all[at - 1];
        all[at].id = id;
        for (int i = 0; i < d; i++) all[at].r[i] = r[(size_t)k * (size_t)d + (size_t)i];
    }
    if (moves >= most) qsort(all, (size_t)contacts, sizeof *all, by_id);
    return (struct dls_warm){contacts, d, all};
}

// The place of a contact in the last problem is a few entries before or behind that of its
// predecessor; one that is further away is looked for from the nearer end.
void dls_warm_start(const struct dls_warm *w, struct dls_names names, int contacts,
                    double *r)
{
    int at = 0;
    for (int k = 0; k < contacts && w->count; k++) {
        uint64_t id = name_of(names, k);
        long moves = 0;
        for (; at < w->count && w->all[at].id < id && moves < 64; moves++) at++;
        for (; at > 0 && w->all[at - 1].id >= id && moves < 64; moves++) at--;
        if (moves >= 64) {
            struct dls_warm_entry key = {.id = id};
            const struct dls_warm_entry *found =
                bsearch(&key, w->all, (size_t)w->count, sizeof key, by_id);
            if (!found) continue;
            at = (int)(found - w->all);
        }
        if (at < w->count && w->all[at].id == id)
            memcpy(r + (size_t)k * (size_t)w->d, w->all[at].r,
                   (size_t)w->d * sizeof *r);
    }
}

void dls_identity_split(uint64_t id, int halves[2])
{
    uint32_t half[2] = {(uint32_t)(id >> 32), (uint32_t)id};
    memcpy(halves, half, sizeof half);
}

uint64_t dls_identity_join(const int halves[2])
{
    uint32_t half[2];
    memcpy(half, halves, sizeof half);
    return (uint64_t)half[0] << 32 | half[1];
}
