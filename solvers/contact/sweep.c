// SPDX-License-Identifier: Apache-2.0
#include "solvers/contact/sweep.h"

static void swap(int *a, int *b)
{
    int keep = *a;
    *a = *b;
    *b = keep;
}

bool dls_sweep_create(struct dls_sweep *s, int count, enum dls_sweep_order kind,
                      struct dls_arena *a)
{
    *s = (struct dls_sweep){
        .count = count, .order = DLS_NEW(a, int, count), .kind = kind};
    if (!s->order) return false;
    for (int k = 0; k < count; k++) s->order[k] = k;
    return true;
}

const int *dls_sweep_next(struct dls_sweep *s, uint64_t seed)
{
    if (s->sweeps == 0) s->rng = dls_rng_seed(seed);
    if (s->kind == DLS_SWEEP_SYMMETRIC && s->sweeps > 0)
        for (int k = 0; k < s->count / 2; k++)
            swap(s->order + k, s->order + s->count - 1 - k);
    if (s->kind == DLS_SWEEP_SHUFFLED)
        for (int k = s->count - 1; k > 0; k--)
            swap(s->order + k, s->order + dls_rng_below(&s->rng, k + 1));
    s->sweeps++;
    return s->order;
}
