// SPDX-License-Identifier: Apache-2.0
#include "problems/examples/example.h"

#include "problems/mechanics/rigid.h"

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

enum dls_status dls_scene_setup(struct dls_setup *setup, const struct dls_scene *scene,
                                const struct dls_asked *asked, struct dls_arena *a,
                                struct dls_error *err)
{
    *setup = asked->setup;
    setup->h = scene->h;
    return setup->scheme ? DLS_OK : dls_setup_scheme(setup, scene->scheme, a, err);
}

enum dls_status dls_scene_rigid(struct dls_scene *scene, const struct dls_rigid *r,
                                struct dls_arena *a)
{
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    if (a->failed) return DLS_ENOMEM;
    dls_rigid_state(r, q, v);
    scene->system = &r->system;
    scene->q = q;
    scene->v = v;
    return DLS_OK;
}

struct dls_trial dls_trial_of(const struct dls_scene *scene,
                              void (*each)(const struct dls_sim *, void *data),
                              void *data)
{
    return (struct dls_trial){
        .system = scene->system,
        .scheme = scene->scheme,
        .q = scene->q,
        .v = scene->v,
        .h = scene->h,
        .end = scene->end,
        .each = each,
        .data = data,
    };
}

void dls_trial_keep(const struct dls_sim *sim, void *data)
{
    struct dls_kept *kept = data;
    const struct dls_system *s = sim->system;
    if (kept->q) memcpy(kept->q, sim->q, (size_t)s->nq * sizeof *kept->q);
    if (kept->v) memcpy(kept->v, sim->v, (size_t)s->n * sizeof *kept->v);
    for (int i = 0; i < 8; i++)
        kept->r[i] = i < sim->last.problem.m ? sim->last.r[i] : 0;
    kept->contacts = sim->last.problem.contacts;
    kept->ledger = sim->ledger;
    kept->worst_gap = -sim->worst_penetration;
}

double dls_spoilt(const struct dls_asked *asked, double coefficient)
{
    return coefficient * (1 + asked->spoil);
}

// A system whose contacts have a law that is a little wrong.
struct spoilt {
    struct dls_system system; // first: schemes hand it back to spoilt_contacts
    const struct dls_system *whole;
    const struct dls_asked *asked;
    struct dls_population population; // where the whole has one
};

// Restitution stays in [0, 1]: the error is turned round at 1.
static double spoilt_restitution(const struct dls_asked *asked, double e)
{
    double off = dls_spoilt(asked, e);
    return off > 1 ? 2 - off : off;
}

// Glue whose energy is a little wrong.
static const struct dls_cohesion *spoilt_cohesion(const struct dls_asked *asked,
                                                  const struct dls_cohesion *glue,
                                                  struct dls_arena *a)
{
    struct dls_cohesion *off = glue ? dls_copy(a, glue, 1, sizeof *off) : NULL;
    if (off) off->energy = dls_spoilt(asked, off->energy);
    return off;
}

// Bodies come and go in the whole system; its sizes are ours.
static void spoilt_resize(const struct spoilt *s)
{
    struct dls_system *own = (struct dls_system *)&s->system;
    own->n = s->whole->n;
    own->nq = s->whole->nq;
    own->bodies = s->whole->bodies;
}
static void spoilt_start(const struct dls_system *system)
{
    const struct spoilt *s = (const struct spoilt *)system;
    s->whole->population->start(s->whole);
    spoilt_resize(s);
}
static void spoilt_change(const struct dls_system *system, struct dls_present *p)
{
    const struct spoilt *s = (const struct spoilt *)system;
    s->whole->population->change(s->whole, p);
    spoilt_resize(s);
}

static void spoilt_contacts(const struct dls_system *system, double t, const double *q,
                            struct dls_contacts *c)
{
    const struct spoilt *s = (const struct spoilt *)system;
    s->whole->contacts(s->whole, t, q, c);
    for (int k = 0; k < c->count; k++) {
        struct dls_contact *contact = &c->all[k];
        contact->law.mu = dls_spoilt(s->asked, contact->law.mu);
        contact->mu_r = dls_spoilt(s->asked, contact->mu_r);
        contact->mu_2 = dls_spoilt(s->asked, contact->mu_2);
        contact->law.e_n = spoilt_restitution(s->asked, contact->law.e_n);
        contact->law.e_t = spoilt_restitution(s->asked, contact->law.e_t);
        contact->law.cohesion =
            spoilt_cohesion(s->asked, contact->law.cohesion, c->arena);
    }
}

static enum dls_status go(struct dls_sim *sim, const struct dls_trial *trial,
                          const struct dls_beside *beside, struct dls_error *err)
{
    const volatile sig_atomic_t *cancel = sim->setup.settings.cancel;
    enum dls_status status = DLS_OK;
    while (!status && sim->t < trial->end - 0.5 * trial->h) {
        status = cancel && *cancel ? DLS_STOPPED : dls_sim_step(sim, err);
        if (!status && trial->each) trial->each(sim, trial->data);
        if (!status && beside) status = beside->step(sim, beside->data, err);
    }
    return status;
}

static enum dls_status run_trial(struct dls_sim *sim, const struct dls_trial *trial,
                                 const struct dls_watched *main,
                                 const struct dls_asked *asked, struct dls_arena *a,
                                 struct dls_error *err)
{
    const struct dls_beside *beside = main ? asked->beside : NULL;
    struct dls_setup setup = asked->setup;
    setup.h = trial->h;
    enum dls_status status = dls_setup_scheme(&setup, trial->scheme, a, err);
    if (!status)
        status = dls_sim_open(sim, trial->system, &setup, trial->q, trial->v, a);
    if (status || !beside) return status ? status : go(sim, trial, NULL, err);
    status = beside->open(sim, main, beside->data, err);
    if (!status) status = go(sim, trial, beside, err);
    return beside->close(sim, status, beside->data, err);
}

enum dls_status dls_trial_run(const struct dls_trial *trial,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    return dls_trial_main(trial, NULL, asked, a, err);
}

enum dls_status dls_trial_main(const struct dls_trial *trial,
                               const struct dls_watched *main,
                               const struct dls_asked *asked, struct dls_arena *a,
                               struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_sim sim = {0};
    struct dls_trial wrong = *trial;
    struct spoilt spoilt = {*trial->system, trial->system, asked, {0}};
    if (asked->spoil != 0 && trial->system->contacts) {
        spoilt.system.contacts = spoilt_contacts;
        wrong.system = &spoilt.system;
    }
    if (trial->system->population) {
        spoilt.population = *trial->system->population;
        spoilt.population.start = spoilt_start;
        spoilt.population.change = spoilt_change;
        spoilt.system.population = &spoilt.population;
    }
    enum dls_status status = run_trial(&sim, &wrong, main, asked, &scratch, err);
    if (asked->tally) {
        asked->tally->steps += sim.steps;
        asked->tally->unconverged += sim.unconverged;
        if (sim.residuals) dls_spread_join(&asked->tally->residuals, sim.residuals);
        if (sim.iterations) dls_spread_join(&asked->tally->iterations, sim.iterations);
        if (sim.contacts) dls_spread_join(&asked->tally->contacts, sim.contacts);
    }
    dls_sim_close(&sim);
    dls_arena_free(&scratch);
    return status;
}
