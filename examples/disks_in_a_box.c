// SPDX-License-Identifier: Apache-2.0
// Thirty disks fall into a box; every tenth step becomes a snapshot that any solver can
// be run on: `delassus bench 'DIR/*.hdf5'`.
//   cc disks_in_a_box.c $(pkg-config --cflags --libs delassus) -lm && ./a.out DIR
#include <delassus_simulation.h>
#include <stdio.h>

enum { COLUMNS = 5, ROWS = 6, DISKS = COLUMNS * ROWS, STEPS = 100, EVERY = 10 };

// Floor, two walls, and rows of disks that are shifted against each other.
static struct dls_rigid *make_scene(struct dls_arena *arena)
{
    struct dls_rigid *scene = dls_rigid_new(2, DISKS, 3, false, arena);
    if (!scene) return NULL;
    scene->gravity = (dls_vec3){0, -9.81, 0};
    scene->law = (struct dls_law){.mu = 0.3};
    dls_rigid_plane(scene, (struct dls_plane){.n = {0, 1, 0}});
    dls_rigid_plane(scene, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(scene, (struct dls_plane){.point = {1.2, 0, 0}, .n = {-1, 0, 0}});
    for (int k = 0; k < DISKS; k++) {
        double radius = 0.08 + 0.02 * (k % 3) / 2;
        double shift = (k / COLUMNS) % 2 ? 0.03 : -0.03;
        dls_vec3 at = {0.2 + 0.2 * (k % COLUMNS) + shift, 0.1 + 0.21 * (k / COLUMNS),
                       0};
        dls_rigid_body(scene, dls_body_disk(1, radius, at), dls_shape_ball(radius));
    }
    return scene;
}

static enum dls_status record(const struct dls_sim *sim, const char *folder,
                              struct dls_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/disks-%03ld.hdf5", folder, sim->steps);
    struct dls_answer answer = {.r = sim->last.r, .u = sim->last.u, .v = sim->last.v};
    return dls_snapshot_write(&sim->last.problem, path, &answer, err);
}

int main(int argc, char *argv[])
{
    struct dls_arena arena = {0};
    struct dls_error err = {"usage: disks_in_a_box FOLDER"};
    struct dls_rigid *scene = argc == 2 ? make_scene(&arena) : NULL;
    if (!scene) return fprintf(stderr, "%s\n", err.text), 2;
    double *q = DLS_NEW(&arena, double, scene->system.nq);
    double *v = DLS_NEW(&arena, double, scene->system.n);
    dls_rigid_state(scene, q, v);

    struct dls_sim sim;
    struct dls_setup setup = dls_setup_default("moreau", 0.005);
    enum dls_status status = dls_sim_open(&sim, &scene->system, &setup, q, v, &arena);
    while (!status && sim.steps < STEPS) {
        status = dls_sim_step(&sim, &err);
        if (!status && sim.steps % EVERY == 0 && sim.last.problem.contacts)
            status = record(&sim, argv[1], &err);
    }
    if (status < 0) fprintf(stderr, "%s\n", err.text);
    printf("%ld steps, %d contacts in the last, %ld short of the tolerance, worst "
           "penetration %.1e\n",
           sim.steps, sim.last.problem.contacts, sim.unconverged,
           sim.worst_penetration);
    dls_sim_close(&sim);
    dls_arena_free(&arena);
    return status != DLS_OK;
}
