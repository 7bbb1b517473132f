// SPDX-License-Identifier: Apache-2.0
// Draws the options of the generator random-bodies, each independent of the others:
//
//   contacts  2 to most, m / n  0.5 to 8, mu  0.1 to 1.6:  uniform in the logarithm
//   decades of the masses  0 to 5:                         uniform
//   plane or space, geometry, friction, obstacles that rest or recede: all alike likely
#include "benchmarks/stress/random_set.h"

#include "problems/generators/generator.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Uniform in the logarithm.
static double spread(struct dls_rng *g, double lo, double hi)
{
    return lo * pow(hi / lo, dls_rng_real(g));
}

// One of the words of "a|b|c".
static void choose(struct dls_rng *g, const char *choices, char *word, size_t room)
{
    int count = 1;
    for (const char *c = choices; *c; c++) count += *c == '|';
    const char *at = choices;
    for (int skip = dls_rng_below(g, count); skip > 0; skip--) at = strchr(at, '|') + 1;
    snprintf(word, room, "%.*s", (int)strcspn(at, "|"), at);
}

enum dls_status dls_random_set(struct dls_problem *p, long seed, int most,
                               struct dls_arena *a, struct dls_error *err)
{
    const struct dls_generator *bodies = dls_generator_find("random-bodies");
    struct dls_rng g = dls_rng_seed((uint64_t)seed);
    char geometry[32], friction[32], text[8][32];
    void *opt = DLS_NEW(a, char, bodies->options_size);
    if (!opt) return dls_fail(err, DLS_ENOMEM, "out of memory");
    dls_option_defaults(bodies->options, opt);
    snprintf(text[0], 32, "%d", (int)spread(&g, 2, most + 1));
    snprintf(text[1], 32, "%d", 2 + dls_rng_below(&g, 2));
    snprintf(text[2], 32, "%.2f", spread(&g, 0.5, 8));
    snprintf(text[3], 32, "%.2f", dls_rng_range(&g, 0, 5));
    choose(&g, dls_option_find(bodies->options, "geometry")->choices, geometry,
           sizeof geometry);
    choose(&g, dls_option_find(bodies->options, "friction")->choices, friction,
           sizeof friction);
    snprintf(text[4], 32, "%.2f", spread(&g, 0.1, 1.6));
    snprintf(text[5], 32, "%d", dls_rng_below(&g, 2));
    snprintf(text[6], 32, "%ld", seed);
    const char *const settings[][2] = {
        {"contacts", text[0]},  {"d", text[1]},         {"density", text[2]},
        {"decades", text[3]},   {"mu", text[4]},        {"recede", text[5]},
        {"geometry", geometry}, {"friction", friction}, {"seed", text[6]},
    };
    enum dls_status status = DLS_OK;
    for (size_t k = 0; !status && k < sizeof settings / sizeof *settings; k++)
        status = dls_option_set(bodies->options, opt, settings[k][0], settings[k][1],
                                bodies->name, err);
    return status ? status : bodies->make(p, opt, a, err);
}
