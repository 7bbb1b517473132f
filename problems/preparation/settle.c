// SPDX-License-Identifier: Apache-2.0
// Preparation by time-stepping: the same bodies and obstacles as in the experiment, with
// a law of its own (no restitution mostly; no friction for a dense packing), until the
// largest speed stays below a bound.
#include "problems/preparation/settle.h"

#include "problems/preparation/place.h"

#include <math.h>

enum { LOOK = 20, QUIET = 20 }; // steps between looks, looks below the bound in a row
// A packing need not be exact on its way: what a step leaves, the next ones mend.
enum { SWEEPS = 300 };

static double largest_speed(const struct dls_sim *sim)
{
    const struct dls_system *s = sim->system;
    const struct dls_rigid *r = s->self;
    int dof = s->n / s->bodies;
    double most = 0;
    for (int k = 0; k < s->bodies; k++) {
        const double *v = sim->v + k * dof;
        most = fmax(most, hypot(hypot(v[0], v[1]), r->dim == 3 ? v[2] : 0));
    }
    return most;
}

static enum dls_status run(struct dls_sim *sim, const struct dls_settling *with,
                           struct dls_settled *out, struct dls_error *err)
{
    const volatile sig_atomic_t *cancel = sim->setup.settings.cancel;
    enum dls_status status = DLS_OK;
    int quiet = 0;
    while (!status && !out->rest && sim->t < with->most - 0.5 * with->h) {
        if (cancel && *cancel) return DLS_STOPPED;
        status = dls_sim_step(sim, err);
        if (status || sim->steps % LOOK) continue;
        out->speed = largest_speed(sim);
        quiet = out->speed < with->speed ? quiet + 1 : 0;
        out->rest = with->done ? with->done(sim, with->data) : quiet >= QUIET;
    }
    out->t = sim->t;
    out->steps = sim->steps;
    return status;
}

// The state of the run becomes the initial one of the bodies.
static void keep(struct dls_rigid *r, const struct dls_sim *sim)
{
    int positions = sim->system->nq / sim->system->bodies;
    for (int k = 0; k < r->bodies; k++) {
        const double *q = sim->q + k * positions;
        dls_place_body(r, k, dls_rigid_pose(r, sim->q, k).at);
        r->body[k].v = r->body[k].spin = (dls_vec3){0};
        r->angle[k] = r->dim == 2 ? q[2] : 2 * atan2(q[6], q[3]); // about z
    }
}

enum dls_status dls_settle(struct dls_rigid *r, const struct dls_settling *with,
                           const struct dls_setup *asked, struct dls_settled *out,
                           struct dls_arena *a, struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_sim sim = {0};
    struct dls_setup setup = *asked;
    struct dls_law law = r->law;
    struct dls_law (*material)(const struct dls_rigid *, int, int) = r->material;
    double *q = DLS_NEW(&scratch, double, r->system.nq);
    double *v = DLS_NEW(&scratch, double, r->system.n);
    *out = (struct dls_settled){0};
    enum dls_status status = scratch.failed ? DLS_ENOMEM : DLS_OK;
    if (with->solver) {
        setup.solver = dls_solver_find(with->solver);
        setup.solver_options = (struct dls_options){0};
    }
    setup.h = with->h;
    setup.settings.tol = with->tol;
    setup.settings.max_iter = with->sweeps ? with->sweeps : SWEEPS;
    setup.settings.check_every = 10;
    r->law = with->law;
    r->material = NULL;
    if (!status) {
        dls_rigid_state(r, q, v);
        status = dls_setup_scheme(&setup, with->scheme, &scratch, err);
    }
    if (!status) status = dls_sim_open(&sim, &r->system, &setup, q, v, &scratch);
    if (!status) status = run(&sim, with, out, err);
    if (!status) keep(r, &sim);
    r->law = law;
    r->material = material;
    dls_sim_close(&sim);
    dls_arena_free(&scratch);
    return status;
}
