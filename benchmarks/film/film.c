// SPDX-License-Identifier: Apache-2.0
// Collects a film while a run goes on.
//
// Frames are evenly spaced in time, the first at the start; curves have up to
// DLS_FILM_SAMPLES values, of which residuals and iterations are the worst since the
// value before. Memory: 36 bytes a body and frame, 24 a contact and frame.
#include "benchmarks/film/film.h"

#include <math.h>
#include <string.h>

// --- frames --------------------------------------------------------------------------

// The body at place `from`; it has a number in the film.
static void keep_body(struct dls_film_frame *to, const struct dls_film *f,
                      const struct dls_sim *sim, int from)
{
    const struct dls_system *s = sim->system;
    bool plane = f->dim == 2;
    int k = f->rigid ? dls_rigid_number(f->rigid, from) : from;
    dls_vec3 x = s->place ? s->place(s, sim->q, from) : (dls_vec3){sim->q[0], 0, 0};
    if (!s->place && s->nq > 1) x.y = sim->q[1];
    memcpy(to->at + 3 * k, (float[]){(float)x.x, (float)x.y, (float)x.z},
           3 * sizeof(float));
    if (!f->rigid) return;
    const double *q = sim->q + from * (plane ? 3 : 7);
    const double *v = sim->v + from * (plane ? 3 : 6);
    to->speed[k] = (float)sqrt(v[0] * v[0] + v[1] * v[1] + (plane ? 0 : v[2] * v[2]));
    for (int i = 0; i < (plane ? 1 : 4); i++)
        to->turn[4 * k + i] = (float)(plane ? q[2] : q[3 + i]);
}

static void keep_drives(struct dls_film_frame *to, const struct dls_film *f,
                        const struct dls_sim *sim)
{
    for (int k = 0; f->moving && k < f->rigid->obstacles; k++) {
        if (f->mover[k] < 0) continue;
        struct dls_drive d = dls_rigid_drive(f->rigid, k, sim->t, sim->q);
        dls_vec3 x[4] = {dls_drive_point(&d, (dls_vec3){0}), d.to.axis[0], d.to.axis[1],
                         d.to.axis[2]};
        for (int i = 0; i < 4; i++)
            memcpy(to->drive + 12 * f->mover[k] + 3 * i,
                   (float[]){(float)x[i].x, (float)x[i].y, (float)x[i].z},
                   3 * sizeof(float));
    }
}

static void keep_contacts(struct dls_film_frame *to, const struct dls_film *f,
                          const struct dls_sim *sim)
{
    const struct dls_step *s = &sim->last;
    for (int k = 0; k < to->contacts; k++) {
        const struct dls_contact *c = &s->contact[k];
        to->contact[k] = (struct dls_film_contact){
            f->rigid ? dls_rigid_number(f->rigid, c->body) : c->body,
            f->rigid && c->other >= 0 ? dls_rigid_number(f->rigid, c->other) : c->other,
            (float)(s->r[k * s->problem.d] / sim->h),
            {(float)c->point.x, (float)c->point.y, (float)c->point.z}};
    }
}

static bool keep_frame(struct dls_film *f, const struct dls_sim *sim)
{
    struct dls_film_frame *to = &f->frame[f->frames];
    int here = f->rigid ? f->rigid->bodies : sim->system->bodies;
    if (!f->rigid && here < 1) here = 1;
    int bodies = f->rigid ? dls_rigid_all(f->rigid) : here;
    *to = (struct dls_film_frame){
        .t = sim->t,
        .bodies = bodies,
        .contacts = sim->steps ? sim->last.problem.contacts : 0,
        .at = DLS_NEW(f->arena, float, 3 * (size_t)bodies),
        .turn = DLS_NEW(f->arena, float, 4 * (size_t)bodies),
        .speed = DLS_NEW(f->arena, float, bodies),
        .drive = DLS_NEW(f->arena, float, 12 * (size_t)f->moving),
    };
    to->contact = DLS_NEW(f->arena, struct dls_film_contact, to->contacts);
    if (f->arena->failed) return false;
    for (int k = 0; k < 3 * bodies; k++) to->at[k] = NAN;
    for (int k = 0; k < here; k++) keep_body(to, f, sim, k);
    keep_drives(to, f, sim);
    keep_contacts(to, f, sim);
    f->bodies = bodies;
    f->frames++;
    return true;
}

// --- curves --------------------------------------------------------------------------

static void add_curve(struct dls_film *f, const char *name)
{
    double *value = DLS_NEW(f->arena, double, DLS_FILM_SAMPLES + 1);
    for (int k = 0; value && k < f->samples; k++) value[k] = NAN; // not there before
    f->curve[f->curves++] = (struct dls_film_curve){name, value};
}

void dls_film_follow(struct dls_film *f, struct dls_film_chart chart,
                     const char *const *names)
{
    if (f->curves + chart.count > DLS_FILM_CURVES) return; // enough to look at
    chart.first = f->curves;
    for (int k = 0; k < chart.count; k++) add_curve(f, names[k]);
    f->chart[f->charts++] = chart;
}

// Curve 0 is time; the charts of every film, whose values keep_sample knows, come first.
static void name_curves(struct dls_film *f)
{
    static const char *const energy[] = {
        "kinetic energy",          "potential energy, gained", "normal contact work",
        "tangential contact work", "work of obstacles",        "work of joints",
    };
    static const char *const numbers[] = {"residual", "iterations", "contacts"};
    add_curve(f, "t");
    dls_film_follow(f, (struct dls_film_chart){.title = "energy", .count = 6}, energy);
    for (int k = 0; k < 3; k++)
        dls_film_follow(
            f, (struct dls_film_chart){.title = numbers[k], .log = !k, .count = 1},
            &numbers[k]);
    f->common = f->curves;
    int own = 0;
    while (f->scene->names && f->scene->names[own]) own++;
    f->observed = DLS_NEW(f->arena, double, own);
    for (int k = 0; f->observed && k < own; k++)
        dls_film_follow(f,
                        (struct dls_film_chart){.title = f->scene->names[k],
                                                .count = 1,
                                                .live = f->observed + k},
                        &f->scene->names[k]);
}

static void keep_sample(struct dls_film *f, const struct dls_sim *sim)
{
    const struct dls_ledger *l = &sim->ledger;
    double all[] = {sim->t,
                    l->kinetic,
                    l->potential - l->potential_start,
                    l->normal,
                    l->tangential,
                    l->obstacles,
                    l->joints,
                    f->worst,
                    f->sweeps,
                    sim->steps ? sim->last.problem.contacts : 0};
    if (f->samples > DLS_FILM_SAMPLES) return;
    if (f->scene->names && f->scene->names[0]) f->scene->observe(sim, f->observed);
    for (int k = 0; k < f->common; k++) f->curve[k].value[f->samples] = all[k];
    for (int c = 0; c < f->charts; c++)
        for (int k = 0; f->chart[c].live && k < f->chart[c].count; k++)
            f->curve[f->chart[c].first + k].value[f->samples] = f->chart[c].live[k];
    f->samples++;
    f->worst = NAN;
    f->sweeps = 0;
}

// --- opening, stepping ---------------------------------------------------------------

// Obstacles that go somewhere by themselves or with a body.
static void find_movers(struct dls_film *f)
{
    if (!f->rigid) return;
    f->mover = DLS_NEW(f->arena, int, f->rigid->obstacles);
    for (int k = 0; f->mover && k < f->rigid->obstacles; k++) {
        bool moves = f->rigid->obstacle[k].motion || f->rigid->carrier[k] >= 0;
        f->mover[k] = moves ? f->moving++ : -1;
    }
}

enum dls_status dls_film_open(struct dls_film *f, const struct dls_sim *sim, double end)
{
    f->rigid = dls_rigid_of(sim->system);
    f->dim = f->rigid ? f->rigid->dim : 2;
    f->frame = DLS_NEW(f->arena, struct dls_film_frame, f->wanted);
    find_movers(f);
    name_curves(f);
    if (f->arena->failed) return DLS_ENOMEM;
    double steps = fmax(ceil((end - sim->t) / sim->h), 1);
    f->stride = (long)ceil(steps / DLS_FILM_SAMPLES);
    f->worst = NAN;
    f->end = end;
    keep_sample(f, sim);
    return keep_frame(f, sim) ? DLS_OK : DLS_ENOMEM;
}

enum dls_status dls_film_step(struct dls_film *f, const struct dls_sim *sim)
{
    const struct dls_step *s = &sim->last;
    double start = f->frame[0].t;
    if (s->problem.contacts) {
        f->worst = isnan(f->worst) ? s->residual : fmax(f->worst, s->residual);
        f->sweeps = fmax(f->sweeps, (double)s->iterations);
    }
    if (sim->steps % f->stride == 0) keep_sample(f, sim);
    // The k-th frame is due at start + k (end - start) / (wanted - 1).
    double due = start + f->frames * (f->end - start) / (f->wanted - 1);
    if (f->frames < f->wanted && sim->t >= due - 0.5 * sim->h)
        return keep_frame(f, sim) ? DLS_OK : DLS_ENOMEM;
    return DLS_OK;
}
