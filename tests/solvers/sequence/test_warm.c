// SPDX-License-Identifier: Apache-2.0
// Warm starts: impulses follow their contacts by identity, in any order.
#include "solvers/sequence/warm.h"

#include "base/rng.h"

#include "tests/support/support.h"

struct named { // identities inside another array, with something before and behind
    int before;
    uint64_t id;
    double behind;
};

static void shuffle(struct named *list, int count, struct dls_rng *g)
{
    for (int k = count - 1; k > 0; k--) {
        int other = dls_rng_below(g, k + 1);
        struct named swap = list[k];
        list[k] = list[other], list[other] = swap;
    }
}

// Impulses that tell whose they are: found again in every order, nearly sorted or not,
// contacts that are new keep what they had, contacts that are gone are left out.
static void impulses_follow_their_contacts(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    for (int trial = 0; trial < 8; trial++) {
        struct dls_arena a = {0};
        struct dls_rng g = dls_rng_seed((uint64_t)trial);
        int d = 1 + trial % 5;
        struct named *old = DLS_NEW(&a, struct named, COUNT);
        struct named *new = DLS_NEW(&a, struct named, COUNT);
        double *r = DLS_NEW(&a, double, COUNT *d), *z = DLS_NEW(&a, double, COUNT *d);
        for (int k = 0; k < COUNT; k++) {
            old[k].id = 1000 * (uint64_t)(k + 1);
            new[k].id = 1000 * (uint64_t)(k + 1) + (k % 3 == 0); // a third is new
        }
        if (trial % 2) shuffle(old, COUNT, &g);
        if (trial / 2 % 2) shuffle(new, COUNT, &g);
        for (int k = 0; k < COUNT * d; k++) r[k] = (double)old[k / d].id + k % d;
        for (int k = 0; k < COUNT * d; k++) z[k] = -1;
        struct dls_warm w =
            dls_warm_keep((struct dls_names){&old->id, sizeof *old}, COUNT, d, r, &a);
        for (int k = 1; k < COUNT; k++) assert_true(w.all[k - 1].id < w.all[k].id);
        dls_warm_start(&w, (struct dls_names){&new->id, sizeof *new}, COUNT, z);
        for (int k = 0; k < COUNT * d; k++) {
            uint64_t id = new[k / d].id;
            assert_true(z[k] == (id % 1000 ? -1 : (double)id + k % d));
        }
        dls_arena_free(&a);
    }
}

static void halves(void **state)
{
    (void)state;
    static const uint64_t ids[] = {0, 1, UINT64_MAX, 0x8000000000000001, 0xffffffff};
    for (int k = 0; k < 5; k++) {
        int half[2];
        dls_identity_split(ids[k], half);
        assert_true(dls_identity_join(half) == ids[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_follow_their_contacts),
        cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
