// SPDX-License-Identifier: Apache-2.0
// Delassus' pgs against Siconos' NSGS, both in this process, both judged by our residual.
//
//     speed_siconos_nsgs [--sweeps] [--seconds S] FILE...
//
// For each snapshot:
//   - time per sweep: the same number of sweeps by both (about S seconds of Siconos'),
//     from zero, Siconos with its default options and block storage; best of three;
//   - unless --sweeps, time to a natural residual of 1e-8: pgs by the driver, Siconos with its tolerance
//     lowered by tens from 1e-8 until our judge agrees; time of that last run alone;
//   - bytes of W, q, r and the prepared contacts that a sweep reads, per second, against
//     a STREAM-like triad over the same number of bytes in the same run.
// Siconos' clock covers its driver call, ours build, create and steps (checks apart);
// both count the time that the processor worked.
#define _POSIX_C_SOURCE 200809L
#include "solvers/peers/siconos.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"
#include "formulations/files/snapshot.h"

#include "base/clock.h"

#include <Friction_cst.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void openblas_set_num_threads(int); // cblas.h and GSL's headers do not get along

// --- Siconos --------------------------------------------------------------------------

// Runs NSGS from zero; returns the seconds, and the sweeps done.
static double peer_run(struct dls_siconos *peer, double tol, int max_iter, double *r,
                       int m, int *sweeps)
{
    memset(r, 0, (size_t)m * sizeof *r);
    double start = dls_clock();
    *sweeps = dls_siconos_call(peer, tol, max_iter, r).iterations;
    return dls_clock() - start;
}

// --- ours -----------------------------------------------------------------------------

static struct dls_stats own_run(const struct dls_problem *p, double tol, long max_iter,
                                double max_time, double *r)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_stats stats;
    settings.tol = tol;
    settings.max_iter = max_iter;
    settings.max_time = max_time;
    if (max_iter) settings.check_every = (int)max_iter;
    memset(r, 0, (size_t)p->m * sizeof *r);
    dls_solve(dls_solver_find("pgs"), NULL, p, &settings, r, &stats);
    return stats;
}

static double natural_of(const struct dls_problem *p, const double *r)
{
    struct dls_arena a = {0};
    struct dls_judge *judge;
    struct dls_measures m;
    if (dls_judge_create(&judge, p, &a, NULL) != DLS_OK) return NAN;
    dls_judge_measure(judge, r, &m);
    dls_judge_destroy(judge);
    dls_arena_free(&a);
    return m.natural;
}

// --- memory bandwidth -----------------------------------------------------------------

// Bytes per second of a[i] = b[i] + s c[i] over about `bytes` in all, best of repeats.
static double triad(size_t bytes)
{
    size_t n = bytes / (3 * sizeof(double)) + 1, repeats = 3 + (size_t)2e9 / bytes;
    struct dls_arena arena = {0};
    double *a = DLS_NEW(&arena, double, n), *b = DLS_NEW(&arena, double, n);
    double *c = DLS_NEW(&arena, double, n), best = INFINITY;
    if (arena.failed) return NAN;
    if (repeats > 200) repeats = 200;
    for (size_t k = 0; k < repeats; k++) {
        double start = dls_clock();
        for (size_t i = 0; i < n; i++) a[i] = b[i] + (double)k * c[i];
        double seconds = dls_clock() - start;
        b[k % n] += a[n / 2]; // keeps the loop alive
        best = fmin(best, seconds);
    }
    dls_arena_free(&arena);
    return 3.0 * (double)n * sizeof(double) / best;
}

static size_t sweep_bytes(const struct dls_delassus *f)
{
    size_t blocks = (size_t)f->W->p[f->contacts], dd = (size_t)(f->d * f->d);
    // W and its columns; q, r; inverse, mu and flags of each contact.
    return blocks * (8 * dd + 4) + (size_t)f->m * 16 + (size_t)f->contacts * (80 + 12);
}

// --- the comparison -------------------------------------------------------------------

struct row {
    double own_sweep, peer_sweep, own_time, own_check, peer_time, peer_natural;
    bool own_solved, peer_solved;
    double bandwidth, stream;
};

static void time_sweeps(struct row *row, const struct dls_problem *p,
                        struct dls_siconos *peer, double seconds, double *r)
{
    int sweeps = 10, done;
    double spent = peer_run(peer, 0, sweeps, r, p->m, &done);
    sweeps = (int)fmin(1e6, fmax(20, sweeps * seconds / fmax(spent, 1e-6)));
    row->own_sweep = row->peer_sweep = INFINITY;
    for (int k = 0; k < 3; k++) {
        spent = peer_run(peer, 0, sweeps, r, p->m, &done);
        row->peer_sweep = fmin(row->peer_sweep, spent / fmax(done, 1));
        struct dls_stats stats = own_run(p, 0, sweeps, 60, r);
        row->own_sweep =
            fmin(row->own_sweep, stats.solve_time / (double)stats.work.products);
    }
}

static void time_to_tolerance(struct row *row, const struct dls_problem *p,
                              struct dls_siconos *peer, double *r)
{
    const double tol = 1e-8;
    struct dls_stats stats = own_run(p, tol, 0, 30, r);
    row->own_solved = stats.status == DLS_OK;
    row->own_time = stats.build_time + stats.create_time + stats.solve_time;
    row->own_check = stats.check_time;
    int most = (int)(30 / row->peer_sweep), done;
    for (double t = tol; t > tol * 1e-3 && !row->peer_solved; t /= 10) {
        row->peer_time = peer_run(peer, t, most, r, p->m, &done);
        row->peer_natural = natural_of(p, r);
        row->peer_solved = row->peer_natural <= tol;
        if (done >= most) break;
    }
}

static bool compare(struct row *row, const struct dls_problem *p, double seconds,
                    bool sweeps)
{
    struct dls_arena a = {0};
    struct dls_delassus f;
    void *peer = NULL; // a struct dls_siconos
    *row = (struct row){0};
    double *r = DLS_NEW(&a, double, p->m);
    bool good = dls_delassus_build(&f, p, &a, NULL) == DLS_OK && !a.failed
                && !dls_siconos_create(&peer, &f, SICONOS_FRICTION_2D_NSGS,
                                       SICONOS_FRICTION_3D_NSGS, &a, NULL);
    if (good) {
        time_sweeps(row, p, peer, seconds, r);
        if (!sweeps) time_to_tolerance(row, p, peer, r);
        row->bandwidth = (double)sweep_bytes(&f) / row->own_sweep;
        row->stream = triad(sweep_bytes(&f));
    }
    dls_siconos_destroy(peer);
    dls_arena_free(&a);
    return good;
}

static void print(const char *path, const struct dls_problem *p, const struct row *row)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char own[16] = "-", peer[16] = "-", ratio[16] = "";
    if (row->own_solved) snprintf(own, sizeof own, "%.3f", 1e3 * row->own_time);
    if (row->peer_solved) snprintf(peer, sizeof peer, "%.3f", 1e3 * row->peer_time);
    if (row->own_solved && row->peer_solved)
        snprintf(ratio, sizeof ratio, "%.1f", row->peer_time / row->own_time);
    printf("%-44.44s %5d %8.2f %8.2f %6.1f  %9s %9.3f %9s %6s  %6.2f %6.2f\n", name,
           p->contacts, 1e6 * row->own_sweep, 1e6 * row->peer_sweep,
           row->peer_sweep / row->own_sweep, own, 1e3 * row->own_check, peer, ratio,
           1e-9 * row->bandwidth, 1e-9 * row->stream);
}

static void run_file(const char *path, double seconds, bool sweeps)
{
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err = {""};
    struct row row;
    if (dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, &err) != DLS_OK)
        fprintf(stderr, "%s\n", err.text);
    else if (p.d == 1 || p.rolling || !compare(&row, &p, seconds, sweeps))
        fprintf(stderr, "%s: left out\n", path);
    else
        print(path, &p, &row);
    dls_arena_free(&a);
}

int main(int argc, char **argv)
{
    double seconds = 0.1;
    openblas_set_num_threads(1);
    dls_clock_count_work(); // the machine may have more to do
    int first = 1;
    bool sweeps = argc > 1 && !strcmp(argv[1], "--sweeps");
    if (sweeps) argv++, argc--;
    if (argc > 2 && !strcmp(argv[1], "--seconds")) seconds = atof(argv[2]), first = 3;
    printf("%-44s %5s %8s %8s %6s  %9s %9s %9s %6s  %6s %6s\n", "", "", "us/sweep",
           "us/sweep", "", "ms, 1e-8", "(checks)", "ms, 1e-8", "", "GB/s", "GB/s");
    printf("%-44s %5s %8s %8s %6s  %9s %9s %9s %6s  %6s %6s\n", "snapshot", "cont.",
           "pgs", "NSGS", "ratio", "pgs", "", "NSGS", "ratio", "sweep", "triad");
    fflush(stdout);
    for (int k = first; k < argc; k++) {
        int status;
        pid_t child = fork(); // Siconos asserts and exits as it likes
        if (child == 0) {
            run_file(argv[k], seconds, sweeps);
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (status) fprintf(stderr, "%s: the comparison died\n", argv[k]);
    }
    return 0;
}
