// SPDX-License-Identifier: Apache-2.0
// Time of a step of a settled pile, phase by phase, against the number of bodies.
//
//     speed_step [--piles boxes] [--largest N] [--steps K] [--sweeps S]
//                [--threads T] [--yardstick PROGRAM]
//
// For 10^3, 10^4, ... bodies up to N (default 10^4): spheres, disks and (up to 10^4) boxes
// fall into a box for 3 K steps (default K = 100) of Moreau's scheme with S sweeps (default
// 30) of pgs-bodies, judged once; the K steps after that are timed. Columns are
// milliseconds a step: the whole, detection, preparation of the solver, sweeps, judge,
// ledger; then nanoseconds a contact and sweep, and what all but the sweeps costs in
// sweeps. The exponent is that of the whole between the smallest and the largest pile.
//
// PROGRAM N STEPS SWEEPS is run on 14000 spheres beside the same pile here, and both times
// are compared. It prints "detect A ms, warm B, S sweeps C (...), store+move D".
#define _POSIX_C_SOURCE 200809L // popen

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

#include "base/clock.h"
#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SPHERES, DISKS, BOXES, KINDS };
static const char *const names[] = {"spheres", "disks", "boxes"};

struct asked {
    int largest, steps, sweeps;
    int threads;       // 0: not spoken of
    const char *piles; // NULL: all
    const char *yardstick;
};

struct timing {
    int contacts;
    double whole, phase[DLS_STEP_PHASES]; // seconds a step
};

static void add_body(struct dls_rigid *r, enum kind kind, dls_vec3 at, double size)
{
    if (kind == SPHERES)
        dls_rigid_body(r, dls_body_sphere(2500, 0.5 * size, at),
                       dls_shape_ball(0.5 * size));
    else if (kind == DISKS)
        dls_rigid_body(r, dls_body_disk(size * size, 0.5 * size, at),
                       dls_shape_ball(0.5 * size));
    else {
        dls_vec3 edges = {0.7 * size, 0.6 * size, 0.5 * size};
        dls_rigid_body(r, dls_body_box(2500, edges, at), dls_shape_box(edges));
    }
}

// Grains of 7 to 10 mm on a lattice, twice as high as wide, between walls.
static struct dls_rigid *make(enum kind kind, int count, struct dls_arena *a)
{
    int dim = kind == DISKS ? 2 : 3, edge = (int)pow(count / 2.0, 1.0 / dim) + 1;
    double d = 0.01, L = edge * d;
    struct dls_rng g = dls_rng_seed(1);
    struct dls_rigid *r = dls_rigid_new(dim, count, 5, false, a);
    if (!r) return NULL;
    for (int k = 0; k < count; k++) {
        int up = dim == 3 ? k / edge / edge : k / edge;
        dls_vec3 at = {(k % edge + 0.5) * d + 1e-4 * dls_rng_real(&g),
                       (k / edge % edge + 0.5) * d + 1e-4 * dls_rng_real(&g),
                       (up + 0.5) * d};
        if (dim == 2) at = (dls_vec3){at.x, at.z, 0};
        add_body(r, kind, at, d * dls_rng_range(&g, 0.7, 1));
    }
    dls_vec3 far = {L, L, 0};
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = far, .n = {-1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    if (dim == 3) dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    if (dim == 3) dls_rigid_plane(r, (struct dls_plane){.point = far, .n = {0, -1, 0}});
    r->gravity = dim == 3 ? (dls_vec3){0, 0, -9.81} : (dls_vec3){0, -9.81, 0};
    r->law.mu = 0.4;
    return r;
}

static bool run(struct dls_sim *sim, struct timing *t, const struct asked *asked)
{
    struct dls_error err;
    double start = 0, before[DLS_STEP_PHASES];
    for (int k = 0; k < 4 * asked->steps; k++) {
        if (k == 3 * asked->steps) {
            start = dls_clock();
            memcpy(before, sim->spent, sizeof before);
        }
        if (dls_sim_step(sim, &err)) return false;
    }
    t->whole = (dls_clock() - start) / asked->steps;
    for (int i = 0; i < DLS_STEP_PHASES; i++)
        t->phase[i] = (sim->spent[i] - before[i]) / asked->steps;
    t->contacts = sim->last.problem.contacts;
    return true;
}

static bool measure(enum kind kind, int count, const struct asked *asked,
                    struct timing *t)
{
    struct dls_arena a = {0};
    struct dls_rigid *r = make(kind, count, &a);
    struct dls_setup setup = dls_setup_default("moreau", 5e-4);
    setup.solver = dls_solver_find("pgs-bodies");
    setup.threads = asked->threads;
    setup.settings.tol = 0;
    setup.settings.max_iter = asked->sweeps;
    setup.settings.check_every = DLS_CHECK_LAST;
    double *q = r ? DLS_NEW(&a, double, r->system.nq) : NULL;
    double *v = r ? DLS_NEW(&a, double, r->system.n) : NULL;
    struct dls_sim sim = {0};
    bool good = q && v;
    if (good) {
        dls_rigid_state(r, q, v);
        good = !dls_sim_open(&sim, &r->system, &setup, q, v, &a) && run(&sim, t, asked);
        dls_sim_close(&sim);
    }
    dls_arena_free(&a);
    return good;
}

static void print(const char *name, int count, const struct timing *t, int sweeps)
{
    const double *p = t->phase;
    printf("%-8s %7d %9d %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.1f %9.1f\n", name,
           count, t->contacts, 1e3 * t->whole, 1e3 * p[DLS_DETECTION],
           1e3 * p[DLS_PREPARATION], 1e3 * p[DLS_SOLUTION], 1e3 * p[DLS_JUDGEMENT],
           1e3 * p[DLS_BOOKS], 1e9 * p[DLS_SOLUTION] / sweeps / t->contacts,
           (t->whole - p[DLS_SOLUTION]) / (p[DLS_SOLUTION] / sweeps));
    fflush(stdout);
}

static bool piles(const struct asked *asked)
{
    for (enum kind kind = SPHERES; kind < KINDS; kind++) {
        struct timing t;
        double first = NAN;
        if (asked->piles && !strstr(asked->piles, names[kind])) continue;
        int count = 1000, last = kind == BOXES ? 10000 : 100000;
        for (; count <= asked->largest && count <= last; count *= 10) {
            if (!measure(kind, count, asked, &t)) return false;
            print(names[kind], count, &t, asked->sweeps);
            if (count == 1000) first = t.whole;
        }
        if (count > 10000)
            printf("%-8s exponent of the whole %.2f\n", names[kind],
                   log(t.whole / first) / log(count / 10 / 1000.0));
    }
    return true;
}

// The same pile by another program, and the ratio of both.
static bool compare(const struct asked *asked)
{
    char command[512], line[512];
    double detect, warm, all = NAN, move, sweep;
    int n = 14000, contacts, sweeps;
    struct timing t;
    snprintf(command, sizeof command, "%s %d %d %d", asked->yardstick, n,
             4 * asked->steps, asked->sweeps);
    FILE *out = popen(command, "r");
    while (out && fgets(line, sizeof line, out))
        if (sscanf(line,
                   "N %*d contacts %d: detect %lf ms, warm %lf, %d sweeps %lf (%lf ns "
                   "a contact and sweep), store+move %lf",
                   &contacts, &detect, &warm, &sweeps, &all, &sweep, &move)
            == 7)
            printf("yardstick: %d contacts, %.3f ms a step, %.1f ns a contact and "
                   "sweep\n",
                   contacts, all += detect + warm + move, sweep);
    if (out) pclose(out);
    if (isnan(all) || !measure(SPHERES, n, asked, &t)) return false;
    print(names[SPHERES], n, &t, asked->sweeps);
    double own = 1e9 * t.phase[DLS_SOLUTION] / asked->sweeps / t.contacts;
    printf("over the yardstick: step %.2f, sweep %.2f\n", 1e3 * t.whole / all,
           own / sweep);
    return true;
}

int main(int count, char **words)
{
    struct asked asked = {10000, 100, 30, 0, NULL, NULL};
    for (int k = 1; k + 1 < count; k += 2) {
        if (!strcmp(words[k], "--largest")) asked.largest = atoi(words[k + 1]);
        if (!strcmp(words[k], "--steps")) asked.steps = atoi(words[k + 1]);
        if (!strcmp(words[k], "--sweeps")) asked.sweeps = atoi(words[k + 1]);
        if (!strcmp(words[k], "--threads")) asked.threads = atoi(words[k + 1]);
        if (!strcmp(words[k], "--piles")) asked.piles = words[k + 1];
        if (!strcmp(words[k], "--yardstick")) asked.yardstick = words[k + 1];
    }
    printf("%-8s %7s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "pile", "bodies",
           "contacts", "ms/step", "detect", "prepare", "sweeps", "judge", "ledger",
           "ns/c/s", "rest/s");
    bool good = piles(&asked) && (!asked.yardstick || compare(&asked));
    if (!good) fprintf(stderr, "speed_step: a pile could not be run\n");
    return good ? 0 : 1;
}
