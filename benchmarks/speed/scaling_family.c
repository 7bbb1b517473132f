// SPDX-License-Identifier: Apache-2.0
// The structures of the scaling study. Each is loaded by its weight and disturbed in
// proportion to its size, so that some contacts slide, some hold and some part whatever
// the size:
//
//   wall     c courses of c bricks with head joints, about 12 c^2 contacts. The first
//            brick of the middle course is pushed along the wall by 3/4 of the wall's
//            weight, which is more than mu = 1/2 can hold;
//   pyramid  l layers of boxes, about 16/3 l^3 contacts, on ground that starts to turn
//            1.5 times as fast at its edge as friction can make the boxes follow;
//   packing  a cube of a^3 lattice sites, about 3.1 a^3 contacts less those missing at
//            the surface, each sphere with a random velocity.
//
// There is a solution, since some v has H v + w inside K*: walls and pyramids fly apart
// from the (turning) ground upwards; for packings `delassus info --existence` finds one.
#include "problems/generators/generator.h"

#include <math.h>
#include <string.h>

#include "benchmarks/speed/scaling.h"

const char *const dls_family_names[DLS_FAMILIES] = {"wall", "pyramid", "packing"};

static const char *const generators[DLS_FAMILIES] = {"brick-wall-3d", "pyramid",
                                                     "sphere-packing"};

// Contacts of the member of size k; of the packing about so many.
static double contacts_of(enum dls_family family, double k)
{
    switch (family) {
    case DLS_WALL:
        return 4 * (k * (2 * k - 1) + k * (k - 1) + floor(k / 2));
    case DLS_PYRAMID:
        return 4 * k * k + 16 * (k - 1) * k * (2 * k - 1) / 6;
    default:
        return k * k * (3.1 * k - 4.3);
    }
}

// The size whose number of contacts is nearest in ratio.
static int size_for(enum dls_family family, double contacts)
{
    int k = 2;
    while (contacts_of(family, k) < contacts) k++;
    double above = contacts_of(family, k) / contacts;
    return k > 2 && contacts / contacts_of(family, k - 1) < above ? k - 1 : k;
}

// Option and value pairs of the member of size k; at most four.
static int settings(enum dls_family family, int k, const char *names[4],
                    char values[4][32])
{
    static const char *const wall[] = {"courses", "bricks", "heads", "push"};
    static const char *const packing[] = {"across", "layers"};
    for (int i = 0; i < 4; i++) snprintf(values[i], sizeof values[i], "%d", k);
    switch (family) {
    case DLS_WALL:
        memcpy(names, wall, sizeof wall);
        snprintf(values[2], sizeof values[2], "yes");
        snprintf(values[3], sizeof values[3], "%g", 0.75 * k * k);
        return 4;
    case DLS_PYRAMID:
        names[0] = "layers";
        return 1;
    default:
        memcpy(names, packing, sizeof packing);
        return 2;
    }
}

enum dls_status dls_family_make(struct dls_problem *p, enum dls_family family,
                                double contacts, struct dls_arena *a,
                                struct dls_error *err)
{
    const struct dls_generator *g = dls_generator_find(generators[family]);
    const char *names[4];
    char values[4][32];
    int count = settings(family, size_for(family, contacts), names, values);
    void *opt = dls_alloc(a, 1, g->options_size);
    if (!opt) return dls_fail(err, DLS_ENOMEM, "out of memory");
    dls_option_defaults(g->options, opt);
    for (int k = 0; k < count; k++) {
        enum dls_status status =
            dls_option_set(g->options, opt, names[k], values[k], g->name, err);
        if (status) return status;
    }
    return g->make(p, opt, a, err);
}
