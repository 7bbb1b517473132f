// SPDX-License-Identifier: Apache-2.0
#include "problems/example.h"

#include <math.h>
#include <string.h>

static void add(struct dls_checks *c, struct dls_check check)
{
    if (c->count == c->room) {
        int room = c->room ? 2 * c->room : 16;
        struct dls_check *all = DLS_NEW(c->arena, struct dls_check, room);
        if (!all) return;
        if (c->count) memcpy(all, c->all, (size_t)c->count * sizeof *all);
        c->all = all;
        c->room = room;
    }
    if (!check.what) return; // its text found no memory, which the arena remembers
    check.what = dls_text(c->arena, "%s", check.what);
    check.reason = dls_text(c->arena, "%s", check.reason);
    if (!check.what || !check.reason) return;
    c->all[c->count++] = check;
    if (c->made) c->made(&check, c->data);
}

void dls_check_near(struct dls_checks *c, const char *what, double value,
                    double expected, double tolerance, const char *reason)
{
    bool passed = fabs(value - expected) <= tolerance;
    add(c, (struct dls_check){what, DLS_CHECK_NEAR, value, expected, tolerance, reason,
                              passed});
}

void dls_check_most(struct dls_checks *c, const char *what, double value, double bound,
                    const char *reason)
{
    add(c, (struct dls_check){what, DLS_CHECK_AT_MOST, value, bound, 0, reason,
                              value <= bound});
}

void dls_check_least(struct dls_checks *c, const char *what, double value, double bound,
                     const char *reason)
{
    add(c, (struct dls_check){what, DLS_CHECK_AT_LEAST, value, bound, 0, reason,
                              value >= bound});
}

double dls_order_fit(int count, const double *h, const double *error)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = 0; k < count; k++) {
        double a = log(h[k]), b = log(error[k]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

struct dls_setup dls_scene_setup(const struct dls_scene *scene,
                                 const struct dls_asked *asked)
{
    struct dls_setup setup = asked->setup;
    if (!setup.scheme) setup.scheme = dls_scheme_find(scene->scheme);
    setup.h = scene->h;
    return setup;
}

enum dls_status dls_trial_open(struct dls_sim *sim, const struct dls_trial *trial,
                               const struct dls_asked *asked, struct dls_arena *a)
{
    struct dls_setup setup = asked->setup;
    setup.scheme = dls_scheme_find(trial->scheme);
    setup.scheme_options = trial->scheme_options;
    setup.h = trial->h;
    return dls_sim_open(sim, trial->system, &setup, trial->q, trial->v, a);
}

enum dls_status dls_trial_run(struct dls_sim *sim, const struct dls_trial *trial,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    enum dls_status status = dls_trial_open(sim, trial, asked, a);
    return status ? status : dls_sim_run(sim, trial->end, err);
}
