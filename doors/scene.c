// SPDX-License-Identifier: Apache-2.0
// Thin over problems/mechanics/rigid.h and scheme.h: numbers in, numbers out.
#include "doors/scene.h"

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"
#include "problems/mechanics/shape_mass.h"

#include "formulations/files/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doors/parts.h"

struct dls_flat_scene {
    struct dls_arena arena;
    struct dls_rigid *rigid;
    struct dls_sim sim;
    bool open; // the simulation
    double *position, *point;
};

static dls_vec3 vec3(const double *x) { return (dls_vec3){x[0], x[1], x[2]}; }

int dls_flat_scene_open(struct dls_flat_scene **out, int dim, int bodies, int obstacles,
                        int rolling, char *error)
{
    struct dls_flat_scene *s = *out = dls_handle_new(sizeof *s, error);
    if (!s) return DLS_ENOMEM;
    s->rigid = dls_rigid_new(dim, bodies, obstacles, rolling, &s->arena);
    s->position = DLS_NEW(&s->arena, double, 3 * bodies);
    if (!s->arena.failed) return DLS_OK;
    dls_flat_scene_free(s);
    *out = NULL;
    return dls_handle_fail(DLS_ENOMEM, NULL, error);
}

void dls_flat_scene_free(struct dls_flat_scene *s)
{
    if (s && s->open) dls_sim_close(&s->sim);
    dls_handle_free(s);
}

void dls_flat_scene_law(struct dls_flat_scene *s, double mu, double e_n, double e_t,
                        double mu_r)
{
    s->rigid->law = (struct dls_law){.mu = mu, .e_n = e_n, .e_t = e_t};
    s->rigid->mu_r = mu_r;
}

void dls_flat_scene_gravity(struct dls_flat_scene *s, const double *g)
{
    s->rigid->gravity = vec3(g);
}

// --- bodies ------------------------------------------------------------------------------

static int refuse(char *error, const char *sentence)
{
    snprintf(error, DLS_FLAT_ERROR, "%s", sentence);
    return DLS_EINVAL;
}

static int add(struct dls_flat_scene *s, struct dls_body body, struct dls_shape shape,
               const double *state, double angle, char *error)
{
    struct dls_rigid *r = s->rigid;
    if (s->open) return refuse(error, "the scene has started: no more bodies");
    if (r->bodies == r->room) return refuse(error, "no room for another body");
    if (!(body.mass > 0) || !isfinite(body.mass))
        return refuse(error, "a body needs a positive size and density");
    for (int k = 0; k < 9; k++)
        if (!isfinite(state[k]))
            return refuse(error, "position or velocity not finite");
    body.at = vec3(state);
    body.v = vec3(state + 3);
    body.spin = vec3(state + 6);
    int number = dls_rigid_body(r, body, shape);
    r->angle[number] = angle;
    return number;
}

int dls_flat_scene_ball(struct dls_flat_scene *s, double radius, double density,
                        const double *state, char *error)
{
    if (!(radius > 0)) return refuse(error, "the radius must be positive");
    const double area = 3.14159265358979323846 * radius * radius;
    struct dls_body body = s->rigid->dim == 2
                               ? dls_body_disk(density * area, radius, vec3(state))
                               : dls_body_sphere(density, radius, vec3(state));
    return add(s, body, dls_shape_ball(radius), state, 0, error);
}

int dls_flat_scene_box(struct dls_flat_scene *s, const double *edges, double density,
                       const double *state, double angle, char *error)
{
    bool plane = s->rigid->dim == 2;
    dls_vec3 solid = {edges[0], edges[1], plane ? 1 : edges[2]};
    dls_vec3 shape = {edges[0], edges[1], plane ? 0 : edges[2]};
    if (!(solid.x > 0 && solid.y > 0 && solid.z > 0))
        return refuse(error, "edges must be positive");
    return add(s, dls_body_box(density, solid, vec3(state)), dls_shape_box(shape),
               state, angle, error);
}

int dls_flat_scene_polygon(struct dls_flat_scene *s, int corners, const double *corner,
                           double density, const double *state, double angle,
                           char *error)
{
    struct dls_error err = {""};
    struct dls_shape shape;
    if (s->rigid->dim != 2) return refuse(error, "polygons live in the plane");
    if (corners < 3 || corners > DLS_SIDES)
        return refuse(error, "a polygon has 3 to 16 corners");
    dls_vec3 *own = DLS_NEW(&s->arena, dls_vec3, corners);
    if (!own) return dls_handle_fail(DLS_ENOMEM, NULL, error);
    for (int k = 0; k < corners; k++) own[k] = vec3(corner + 3 * k);
    dls_polygon_centre(corners, own);
    enum dls_status status = dls_shape_polygon(&shape, corners, own, &err);
    if (status) return dls_handle_fail(status, &err, error);
    return add(s, dls_body_polygon(density, &shape, vec3(state)), shape, state, angle,
               error);
}

// A translation at constant velocity.
static void slide(double t, const void *data, struct dls_drive *drive)
{
    const dls_vec3 *v = data;
    drive->velocity = *v;
    drive->to.at = (dls_vec3){t * v->x, t * v->y, t * v->z};
}

int dls_flat_scene_plane(struct dls_flat_scene *s, const double *point, const double *n,
                         const double *velocity, char *error)
{
    struct dls_rigid *r = s->rigid;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0) || !isfinite(length))
        return refuse(error, "the normal of a plane must not vanish");
    if (r->obstacles == r->obstacle_room) return refuse(error, "no room for a plane");
    struct dls_plane plane = {
        .point = vec3(point),
        .n = {n[0] / length, n[1] / length, n[2] / length},
    };
    if (velocity[0] != 0 || velocity[1] != 0 || velocity[2] != 0) {
        dls_vec3 *v = DLS_NEW(&s->arena, dls_vec3, 1);
        if (!v) return dls_handle_fail(DLS_ENOMEM, NULL, error);
        *v = vec3(velocity);
        plane.motion = slide;
        plane.data = v;
    }
    return dls_rigid_plane(r, plane);
}

// --- the run -----------------------------------------------------------------------------

int dls_flat_scene_start(struct dls_flat_scene *s, const char *scheme,
                         const struct dls_flat_solver *solver, double tol,
                         double max_time, double h, char *error)
{
    struct dls_error err = {""};
    const struct dls_system *system = &s->rigid->system;
    struct dls_setup setup = dls_setup_default("moreau", h);
    enum dls_status status = dls_setup_scheme(&setup, scheme, &s->arena, &err);
    if (status) return dls_handle_fail(status, &err, error);
    if (!(h > 0) || !isfinite(h))
        return refuse(error, "the time step must be positive");
    setup.solver = solver->solver;
    setup.solver_options = solver->options;
    setup.settings.tol = tol;
    setup.settings.max_time = max_time;
    setup.natural = true;
    double *q = DLS_NEW(&s->arena, double, system->nq);
    double *v = DLS_NEW(&s->arena, double, system->n);
    if (s->arena.failed) return dls_handle_fail(DLS_ENOMEM, NULL, error);
    dls_rigid_state(s->rigid, q, v);
    s->open = true;
    return dls_handle_fail(dls_sim_open(&s->sim, system, &setup, q, v, &s->arena), NULL,
                           error);
}

int dls_flat_scene_step(struct dls_flat_scene *s, char *error)
{
    struct dls_error err = {""};
    if (!s->open) return refuse(error, "the scene has not started");
    return dls_handle_fail(dls_sim_step(&s->sim, &err), &err, error);
}

double dls_flat_scene_number(const struct dls_flat_scene *s, const char *name)
{
    const struct dls_sim *sim = &s->sim;
    const struct dls_ledger *ledger = &sim->ledger;
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"time", sim->t},
        {"steps", (double)sim->steps},
        {"contacts", sim->last.problem.contacts},
        {"unconverged", (double)sim->unconverged},
        {"iterations", (double)sim->last.iterations},
        {"natural", sim->last.measures.natural},
        {"penetration", sim->worst_penetration},
        {"kinetic", ledger->kinetic},
        {"potential", ledger->potential},
        {"dissipated", -(ledger->normal + ledger->tangential)},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(all[k].name, name)) return all[k].value;
    return NAN;
}

static const double *positions(struct dls_flat_scene *s, int *count)
{
    const struct dls_rigid *r = s->rigid;
    for (int b = 0; b < r->bodies; b++) {
        dls_vec3 at = s->open ? dls_rigid_pose(r, s->sim.q, b).at : r->body[b].at;
        memcpy(s->position + 3 * b, (double[]){at.x, at.y, at.z}, 3 * sizeof(double));
    }
    return *count = 3 * r->bodies, s->position;
}

const double *dls_flat_scene_array(struct dls_flat_scene *s, const char *name,
                                   int *count)
{
    const struct dls_step *last = &s->sim.last;
    *count = 0;
    if (!strcmp(name, "position")) return positions(s, count);
    if (!s->open) return NULL;
    if (!strcmp(name, "velocity")) return *count = s->rigid->system.n, s->sim.v;
    if (!s->sim.steps) return NULL;
    if (!strcmp(name, "r")) return *count = last->problem.m, last->r;
    if (!strcmp(name, "u")) return *count = last->problem.m, last->u;
    if (!strcmp(name, "point"))
        return *count = 3 * last->problem.contacts, last->problem.position;
    return NULL;
}

int dls_flat_scene_record(const struct dls_flat_scene *s, const char *path, char *error)
{
    struct dls_error err = {""};
    const struct dls_step *last = &s->sim.last;
    if (!s->open || !s->sim.steps)
        return refuse(error, "there is no step to record yet");
    struct dls_answer answer = {.r = last->r, .u = last->u, .v = last->v};
    return dls_handle_fail(dls_snapshot_write(&last->problem, path, &answer, &err),
                           &err, error);
}
