// SPDX-License-Identifier: Apache-2.0
// Time of a step of a settled pile, phase by phase, against the number of bodies.
//
//     speed_step [--piles spheres,boxes] [--smallest N] [--largest N] [--steps K]
//                [--sweeps S] [--solver NAME] [--threads T] [--clock cpu|wall]
//                [--repeat R] [--yardstick PROGRAM] [--speedup T] [--memory STEPS]
//
// For 10^3, 10^4, ... bodies from `smallest` (10^3) to `largest` (10^4): spheres, disks,
// polygons of 5 to 8 sides and (up to 10^4) boxes between walls, in steps of Moreau's
// scheme with S sweeps (default 30) of the solver (pgs-bodies), judged once. 10^3 grains
// fall into a box and come to rest in 500 steps of 0.5 ms. Larger piles are copies of
// that piece side by side without the walls between them; 60 steps let the seams settle.
// K steps (default 40) after that are timed, R times one after the other (default 1), and
// the fastest K count: others on the machine only ever make a step slower. Columns are
// milliseconds a step: the whole,
// detection, preparation of the solver, sweeps, judge, ledger; then nanoseconds a contact
// and sweep, and what all but the sweeps costs in sweeps. The exponent is that of the
// whole between the smallest and the largest pile. --clock cpu counts the time that
// processors worked, for one thread on a machine that others use too.
//
// PROGRAM N STEPS SWEEPS is run on 14000 spheres beside the same pile here, a single box
// that is filled by a fall of 3 K steps, and both times are compared. It prints "detect A
// ms, warm B, S sweeps C (...), store+move D".
//
// --speedup T instead: piles of `largest` bodies with 1 and with T threads, and how many
// times faster the whole step and its sweeps are; wants T free cores and the wall clock.
// --memory STEPS instead: the most memory held after a tenth of the steps and after all.
#define _GNU_SOURCE // popen, getrusage

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"
#include "problems/mechanics/shape_mass.h"

#include "base/clock.h"
#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum kind { SPHERES, DISKS, POLYGONS, BOXES, KINDS };
static const char *const names[] = {"spheres", "disks", "polygons", "boxes"};
enum { PIECE = 1000, REST = 500, SEAMS = 60 };
static const double grain = 0.01; // m

struct asked {
    int smallest, largest, steps, sweeps, repeat;
    int threads; // 0: not spoken of
    const char *solver;
    const char *piles; // NULL: all
    const char *yardstick;
    int speedup, memory; // 0: not asked for
};

struct timing {
    int contacts;
    double whole, phase[DLS_STEP_PHASES]; // seconds a step
};

// --- piles ---------------------------------------------------------------------------

static int dim_of(enum kind kind) { return kind == SPHERES || kind == BOXES ? 3 : 2; }

static void add_polygon(struct dls_rigid *r, dls_vec3 at, double size,
                        struct dls_rng *g)
{
    int sides = 5 + (int)dls_rng_range(g, 0, 4);
    double turn = dls_rng_range(g, 0, 6.28);
    dls_vec3 *corner = DLS_NEW(r->arena, dls_vec3, sides);
    struct dls_shape shape;
    struct dls_error err;
    if (!corner) return;
    for (int k = 0; k < sides; k++) {
        double angle = turn + 2 * acos(-1) * k / sides;
        corner[k] = (dls_vec3){0.5 * size * cos(angle), 0.5 * size * sin(angle), 0};
    }
    if (!dls_shape_polygon(&shape, sides, corner, &err))
        dls_rigid_body(r, dls_body_polygon(1, &shape, at), shape);
}

static void add_body(struct dls_rigid *r, enum kind kind, dls_vec3 at, double size,
                     struct dls_rng *g)
{
    if (kind == SPHERES)
        dls_rigid_body(r, dls_body_sphere(2500, 0.5 * size, at),
                       dls_shape_ball(0.5 * size));
    else if (kind == DISKS)
        dls_rigid_body(r, dls_body_disk(size * size, 0.5 * size, at),
                       dls_shape_ball(0.5 * size));
    else if (kind == POLYGONS)
        add_polygon(r, at, size, g);
    else {
        dls_vec3 edges = {0.7 * size, 0.6 * size, 0.5 * size};
        dls_rigid_body(r, dls_body_box(2500, edges, at), dls_shape_box(edges));
    }
}

static int edge_of(enum kind kind, int count)
{
    return (int)pow(count / 2.0, 1.0 / dim_of(kind)) + 1;
}

// Four walls and a ground, or two and a ground, so far apart.
static struct dls_rigid *between_walls(enum kind kind, int count, double wide,
                                       double deep, struct dls_arena *a)
{
    int dim = dim_of(kind);
    struct dls_rigid *r = dls_rigid_new(dim, count, 5, false, a);
    if (!r) return NULL;
    dls_vec3 far = {wide, deep, 0};
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = far, .n = {-1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    if (dim == 3) dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    if (dim == 3) dls_rigid_plane(r, (struct dls_plane){.point = far, .n = {0, -1, 0}});
    r->gravity = dim == 3 ? (dls_vec3){0, 0, -9.81} : (dls_vec3){0, -9.81, 0};
    r->law.mu = 0.4;
    return r;
}

// Grains of 7 to 10 mm on a lattice, twice as high as wide, between walls.
static struct dls_rigid *make(enum kind kind, int count, struct dls_arena *a)
{
    int dim = dim_of(kind), edge = edge_of(kind, count);
    double d = grain;
    struct dls_rng g = dls_rng_seed(1);
    struct dls_rigid *r = between_walls(kind, count, edge * d, edge * d, a);
    for (int k = 0; r && k < count; k++) {
        int up = dim == 3 ? k / edge / edge : k / edge;
        dls_vec3 at = {(k % edge + 0.5) * d + 1e-4 * dls_rng_real(&g),
                       (k / edge % edge + 0.5) * d + 1e-4 * dls_rng_real(&g),
                       (up + 0.5) * d};
        if (dim == 2) at = (dls_vec3){at.x, at.z, 0};
        add_body(r, kind, at, d * dls_rng_range(&g, 0.7, 1), &g);
    }
    return r;
}

// A run that is under way.
struct pile {
    struct dls_arena arena;
    struct dls_rigid *rigid;
    struct dls_sim sim;
};

static void close_pile(struct pile *p)
{
    if (p->sim.system) dls_sim_close(&p->sim);
    dls_arena_free(&p->arena);
}

// q = NULL: as the bodies were laid.
static bool start(struct pile *p, const double *q, const struct asked *asked)
{
    struct dls_rigid *r = p->rigid;
    struct dls_setup setup = dls_setup_default("moreau", 5e-4);
    setup.solver = dls_solver_find(asked->solver);
    setup.threads = asked->threads;
    setup.natural = true; // as a run does
    setup.settings.tol = 0;
    setup.settings.max_iter = asked->sweeps;
    setup.settings.check_every = DLS_CHECK_LAST;
    double *at = r ? DLS_NEW(&p->arena, double, r->system.nq) : NULL;
    double *v = r ? DLS_NEW(&p->arena, double, r->system.n) : NULL;
    if (!at || !v || !setup.solver) return false;
    if (q)
        memcpy(at, q, (size_t)r->system.nq * sizeof *q);
    else
        dls_rigid_state(r, at, v);
    return !dls_sim_open(&p->sim, &r->system, &setup, at, v, &p->arena);
}

static bool advance(struct pile *p, int steps)
{
    struct dls_error err;
    for (int k = 0; k < steps; k++)
        if (dls_sim_step(&p->sim, &err)) return false;
    return true;
}

// `count` grains that fall and come to rest in `steps` steps.
static bool fill(struct pile *p, enum kind kind, int count, int steps,
                 const struct asked *asked)
{
    *p = (struct pile){.rigid = NULL};
    p->rigid = make(kind, count, &p->arena);
    return p->rigid && start(p, NULL, asked) && advance(p, steps);
}

// Copies of a settled piece side by side.
static bool tile(struct pile *p, const struct pile *piece, enum kind kind, int count,
                 const struct asked *asked)
{
    const struct dls_rigid *from = piece->rigid;
    int dim = dim_of(kind), copies = count / PIECE;
    int across = dim == 3 ? (int)(sqrt(copies) + 0.5) : copies;
    while (copies % across) across--; // 10 = 2 x 5
    int along = dim == 3 ? copies / across : 1, nq = from->system.nq;
    double wide = edge_of(kind, PIECE) * grain;
    *p = (struct pile){.rigid = NULL};
    p->rigid = between_walls(kind, count, across * wide, along * wide, &p->arena);
    double *q = DLS_NEW(&p->arena, double, (size_t)copies *(size_t)nq);
    if (!p->rigid || !q) return false;
    for (int c = 0; c < copies; c++) {
        double *to = q + (size_t)c * (size_t)nq;
        memcpy(to, piece->sim.q, (size_t)nq * sizeof *q);
        for (int k = 0; k < PIECE; k++, to += nq / PIECE) {
            dls_rigid_body(p->rigid, from->body[k], from->shape[k]);
            to[0] += c % across * wide;
            to[1] += c / across * wide;
        }
    }
    return start(p, q, asked) && advance(p, SEAMS);
}

// --- times ---------------------------------------------------------------------------

static bool time_once(struct pile *p, const struct asked *asked, struct timing *t)
{
    struct dls_sim *sim = &p->sim;
    double begin = dls_clock(), before[DLS_STEP_PHASES];
    memcpy(before, sim->spent, sizeof before);
    if (!advance(p, asked->steps)) return false;
    t->whole = (dls_clock() - begin) / asked->steps;
    for (int i = 0; i < DLS_STEP_PHASES; i++)
        t->phase[i] = (sim->spent[i] - before[i]) / asked->steps;
    t->contacts = sim->last.problem.contacts;
    return true;
}

static bool time_steps(struct pile *p, const struct asked *asked, struct timing *t)
{
    struct timing now;
    t->whole = INFINITY;
    for (int k = 0; k < asked->repeat; k++) {
        if (!time_once(p, asked, &now)) return false;
        if (now.whole < t->whole) *t = now;
    }
    return true;
}

// A pile of so many grains, the settled piece itself or copies of it.
static bool measure(struct pile *piece, enum kind kind, int count,
                    const struct asked *asked, struct timing *t)
{
    struct pile p;
    if (count == PIECE) return time_steps(piece, asked, t);
    bool good = tile(&p, piece, kind, count, asked) && time_steps(&p, asked, t);
    close_pile(&p);
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

static bool sizes(struct pile *piece, enum kind kind, const struct asked *asked)
{
    struct timing t, first = {0};
    int least = 0, most = 0, limit = kind == BOXES ? 10000 : 100000;
    for (int count = PIECE; count <= asked->largest && count <= limit; count *= 10) {
        if (count < asked->smallest) continue;
        if (!measure(piece, kind, count, asked, &t)) return false;
        print(names[kind], count, &t, asked->sweeps);
        if (!least) least = count, first = t;
        most = count;
    }
    if (most > least)
        printf("%-8s exponent of the whole %.2f\n", names[kind],
               log(t.whole / first.whole) / log((double)most / least));
    return true;
}

// One thread and several on the same pile.
static bool speedup(struct pile *piece, enum kind kind, const struct asked *asked)
{
    struct timing t[2];
    int count = kind == BOXES && asked->largest > 10000 ? 10000 : asked->largest;
    for (int k = 0; k < 2; k++) {
        struct asked with = *asked;
        with.threads = k ? asked->speedup : 1;
        if (!measure(piece, kind, count, &with, &t[k])) return false;
        print(names[kind], count, &t[k], asked->sweeps);
    }
    printf("%-8s %d threads: step %.2f, sweeps %.2f times faster\n", names[kind],
           asked->speedup, t[0].whole / t[1].whole,
           t[0].phase[DLS_SOLUTION] / t[1].phase[DLS_SOLUTION]);
    return true;
}

static double megabytes(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss / 1024;
}

static bool memory(struct pile *piece, enum kind kind, const struct asked *asked)
{
    if (!advance(piece, asked->memory / 10)) return false;
    double early = megabytes();
    if (!advance(piece, asked->memory - asked->memory / 10)) return false;
    printf("%-8s %7d bodies: at most %.1f MB until step %d, %.1f MB until step %d\n",
           names[kind], PIECE, early, asked->memory / 10, megabytes(), asked->memory);
    return true;
}

static bool piles(const struct asked *asked)
{
    bool good = true;
    for (enum kind kind = SPHERES; kind < KINDS && good; kind++) {
        struct pile piece;
        if (asked->piles && !strstr(asked->piles, names[kind])) continue;
        good = fill(&piece, kind, PIECE, REST, asked);
        if (good && asked->speedup)
            good = speedup(&piece, kind, asked);
        else if (good && asked->memory)
            good = memory(&piece, kind, asked);
        else if (good)
            good = sizes(&piece, kind, asked);
        close_pile(&piece);
    }
    return good;
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
    if (isnan(all)) return false;
    struct pile p;
    bool good =
        fill(&p, SPHERES, n, 3 * asked->steps, asked) && time_steps(&p, asked, &t);
    close_pile(&p);
    if (!good) return false;
    print(names[SPHERES], n, &t, asked->sweeps);
    double own = 1e9 * t.phase[DLS_SOLUTION] / asked->sweeps / t.contacts;
    printf("over the yardstick: step %.2f, sweep %.2f\n", 1e3 * t.whole / all,
           own / sweep);
    return true;
}

// Reads one setting; false where there is none of that name.
static bool set(struct asked *asked, const char *name, const char *value)
{
    const struct {
        const char *name;
        int *to;
    } numbers[] = {
        {"--smallest", &asked->smallest}, {"--largest", &asked->largest},
        {"--steps", &asked->steps},       {"--sweeps", &asked->sweeps},
        {"--threads", &asked->threads},   {"--speedup", &asked->speedup},
        {"--memory", &asked->memory},     {"--repeat", &asked->repeat},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!strcmp(name, numbers[k].name)) return (*numbers[k].to = atoi(value)) > 0;
    if (!strcmp(name, "--clock") && !strcmp(value, "cpu"))
        dls_clock_count_work();
    else if (!strcmp(name, "--piles"))
        asked->piles = value;
    else if (!strcmp(name, "--solver"))
        asked->solver = value;
    else if (!strcmp(name, "--yardstick"))
        asked->yardstick = value;
    else
        return !strcmp(name, "--clock") && !strcmp(value, "wall");
    return true;
}

int main(int count, char **words)
{
    struct asked asked = {.smallest = PIECE,
                          .largest = 10 * PIECE,
                          .steps = 40,
                          .sweeps = 30,
                          .repeat = 1,
                          .solver = "pgs-bodies"};
    for (int k = 1; k < count; k += 2)
        if (k + 1 == count || !set(&asked, words[k], words[k + 1])) {
            fprintf(stderr,
                    "speed_step: '%s' is not understood; its head says what is\n",
                    words[k]);
            return 2;
        }
    printf("%-8s %7s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "pile", "bodies",
           "contacts", "ms/step", "detect", "prepare", "sweeps", "judge", "ledger",
           "ns/c/s", "rest/s");
    bool good = asked.yardstick ? compare(&asked) : piles(&asked);
    if (!good) fprintf(stderr, "speed_step: a pile could not be run\n");
    return good ? 0 : 1;
}
