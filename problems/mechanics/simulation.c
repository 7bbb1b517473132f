// SPDX-License-Identifier: Apache-2.0
// A run: the state, one step after the other, energies and warm starts between them.
#include "problems/mechanics/presence.h"

#include "formulations/parts/inertia.h"

#include "base/clock.h"
#include "base/contract.h"

#include <math.h>
#include <string.h>

struct dls_setup dls_setup_default(const char *scheme, double h)
{
    struct dls_setup setup = {
        .scheme = dls_scheme_find(scheme),
        .solver = dls_solver_find("pgs"),
        .settings = dls_settings_default(),
        .h = h,
    };
    setup.settings.tol = 1e-12;
    return setup;
}

enum dls_status dls_setup_scheme(struct dls_setup *setup, const char *text,
                                 struct dls_arena *a, struct dls_error *err)
{
    char *word = dls_text(a, "%s", text), *rest = word ? strchr(word, ':') : NULL;
    if (!word) return dls_fail(err, DLS_ENOMEM, "out of memory");
    if (rest) *rest++ = 0;
    const struct dls_scheme *scheme = setup->scheme = dls_scheme_find(word);
    if (!scheme) return dls_fail(err, DLS_EINVAL, "no scheme '%s'", word);
    void *options = dls_alloc(a, 1, scheme->options_size);
    if (!options) return dls_fail(err, DLS_ENOMEM, "out of memory");
    dls_option_defaults(scheme->options, options);
    setup->scheme_options = options;
    enum dls_status status = DLS_OK;
    while (rest && !status) {
        char *name = rest, *value = strchr(rest, '=');
        rest = strchr(name, ':');
        if (rest) *rest++ = 0;
        if (!value)
            return dls_fail(err, DLS_EINVAL, "%s: '%s' is not of the form option=value",
                            scheme->name, name);
        *value++ = 0;
        status =
            dls_option_set(scheme->options, options, name, value, scheme->name, err);
    }
    return status;
}

// M and its factor where they do not change.
static enum dls_status keep_mass(struct dls_sim *sim)
{
    const struct dls_system *system = sim->system;
    if (system->population) return dls_presence_open(sim);
    if (!system->constant_mass) return DLS_OK;
    int bodies = system->bodies;
    int *start = DLS_NEW(sim->arena, int, bodies + 1);
    sim->M = dls_system_mass(system, sim->q, sim->arena);
    if (sim->arena->failed) return DLS_ENOMEM;
    for (int k = 0; k <= bodies; k++) start[k] = bodies ? k * (system->n / bodies) : 0;
    struct dls_problem p = {
        .d = system->d,
        .rolling = system->rolling,
        .n = system->n,
        .M = sim->M,
        .bodies = bodies,
        .body_start = start,
    };
    return system->joints ? DLS_OK
                          : dls_inertia_create(&sim->inertia, &p, sim->arena, NULL);
}

// The initial state, with room for all bodies that may come.
static void keep_state(struct dls_sim *sim, const double *q, const double *v)
{
    const struct dls_system *s = sim->system;
    const struct dls_population *p = s->population;
    size_t nq = (size_t)s->nq, n = (size_t)s->n;
    sim->q = DLS_NEW(sim->arena, double, p ? p->room * p->positions : s->nq);
    sim->v = DLS_NEW(sim->arena, double, p ? p->room * p->velocities : s->n);
    if (sim->arena->failed) return;
    if (nq) memcpy(sim->q, q, nq * sizeof *q);
    if (n) memcpy(sim->v, v, n * sizeof *v);
}

static double kinetic(struct dls_sim *sim)
{
    if (sim->M) return dls_kinetic_energy(sim->M, sim->v);
    struct dls_arena scratch = dls_arena_scratch(sim->arena);
    struct dls_csr *M = dls_system_mass(sim->system, sim->q, &scratch);
    double energy = M ? dls_kinetic_energy(M, sim->v) : 0;
    dls_arena_free(&scratch);
    return energy;
}

enum dls_status dls_sim_open(struct dls_sim *sim, const struct dls_system *system,
                             const struct dls_setup *setup, const double *q,
                             const double *v, struct dls_arena *a)
{
    if (!sim || !system || !setup || !setup->scheme || !setup->solver || !q || !v || !a)
        return DLS_EINVAL;
    DLS_ASSERT(system->n >= 0 && system->nq >= system->n && setup->h > 0);
    const struct dls_scheme *scheme = setup->scheme;
    if (system->population) system->population->start(system);
    *sim = (struct dls_sim){
        .system = system,
        .setup = *setup,
        .options = setup->scheme_options,
        .h = setup->h,
        .memory_size = scheme->memory ? scheme->memory(system) : 0,
        .arena = a,
    };
    keep_state(sim, q, v);
    sim->memory = DLS_NEW(a, double, sim->memory_size);
    sim->residuals = DLS_NEW(a, struct dls_spread, 1);
    sim->iterations = DLS_NEW(a, struct dls_spread, 1);
    sim->contacts = DLS_NEW(a, struct dls_spread, 1);
    void *options = DLS_NEW(a, char, scheme->options_size);
    sim->pool = dls_arena_pool(a);
    dls_sequence_open(&sim->sequence, sim->pool);
    enum dls_measure stops = setup->settings.measure;
    bool weighed = stops == DLS_MERIT || stops == DLS_BOTH;
    sim->sequence.natural = setup->natural && !weighed;
    for (int k = 0; k < 2; k++) sim->step_memory[k] = dls_arena_scratch(sim->pool);
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = keep_mass(sim);
    if (!status) status = dls_bonds_open(sim);
    if (status) return status;
    dls_option_defaults(scheme->options, options);
    if (!sim->options) sim->options = options;
    dls_ledger_start(&sim->ledger, kinetic(sim),
                     dls_system_potential(system, 0, sim->q));
    if (a->failed) return DLS_ENOMEM;
    return scheme->start ? scheme->start(sim, NULL) : DLS_OK;
}

void dls_sim_close(struct dls_sim *sim)
{
    dls_sequence_close(&sim->sequence);
    for (int k = 0; k < 2; k++) dls_arena_free(&sim->step_memory[k]);
    dls_inertia_destroy(sim->inertia);
}

enum dls_status dls_sim_step(struct dls_sim *sim, struct dls_error *err)
{
    const struct dls_scheme *scheme = sim->setup.scheme;
    if (sim->bonds.count && !scheme->glue)
        return dls_fail(err, DLS_UNSUPPORTED, "%s: takes no glued contacts",
                        scheme->name);
    struct dls_arena before = sim->step_memory[0];
    dls_arena_free(&sim->step_memory[1]);
    sim->step_memory[1] = before; // holds the warm start and sim->last
    sim->step_memory[0] = dls_arena_scratch(sim->pool);
    if (sim->system->population) dls_presence_change(sim);
    if (sim->system->population && !sim->system->bodies) {
        dls_presence_idle(sim);
        return DLS_OK;
    }
    enum dls_status status = scheme->step(sim, err);
    if (status) { // back to the state before
        dls_arena_free(&sim->step_memory[0]);
        sim->step_memory[0] = before;
        sim->step_memory[1] = dls_arena_scratch(sim->pool);
        if (sim->system->population) dls_presence_forget(sim);
    }
    return status;
}

enum dls_status dls_sim_advance(struct dls_sim *sim, const struct dls_step *s,
                                const struct dls_arrival *to)
{
    const struct dls_system *system = sim->system;
    double start = dls_clock();
    const double *gyro = to->gyro;
    if (!gyro) gyro = DLS_NEW(&sim->step_memory[0], double, system->n);
    struct dls_warm kept = {0};
    if (s->problem.contacts)
        kept = dls_warm_keep(dls_step_names(s), s->problem.contacts, s->problem.d, s->r,
                             &sim->step_memory[0]);
    if (sim->step_memory[0].failed) return DLS_ENOMEM;
    sim->warm = kept;
    double t = sim->start + (double)(sim->steps + 1) * sim->h;
    dls_ledger_book(&sim->ledger, s,
                    &(struct dls_passage){
                        .t = t,
                        .h = sim->h,
                        .v_minus = sim->v,
                        .v_plus = to->v,
                        .solved = to->solved,
                        .percussion = to->percussion,
                        .gyro = gyro,
                        .joint_work = to->joint_work,
                        .potential = dls_system_potential(system, t, to->q),
                    });
    dls_bonds_advance(sim, s, t, to->q);
    memmove(sim->q, to->q, (size_t)system->nq * sizeof *sim->q);
    memmove(sim->v, to->v, (size_t)system->n * sizeof *sim->v);
    sim->t = t;
    sim->steps++;
    sim->last = *s;
    sim->unconverged += s->status != DLS_OK;
    if (s->problem.contacts) {
        dls_spread_add(sim->residuals, s->residual);
        dls_spread_add(sim->iterations, (double)s->iterations);
        dls_spread_add(sim->contacts, s->problem.contacts);
    }
    sim->worst_residual = fmax(sim->worst_residual, s->residual);
    sim->worst_natural = fmax(sim->worst_natural, s->measures.natural);
    if (s->relaxes) sim->relaxes = s->relaxes;
    for (int k = 0; k < s->problem.contacts; k++)
        if (-s->problem.gap[k] > sim->worst_penetration)
            sim->worst_penetration = -s->problem.gap[k];
    sim->spent[DLS_BOOKS] += dls_clock() - start;
    return DLS_OK;
}
