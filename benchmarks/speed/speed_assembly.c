// SPDX-License-Identifier: Apache-2.0
// Cost of assembling the Delassus operator on growing sphere packings, and of one sweep
// of both Gauss-Seidel forms: linear in the contacts.
//
//     speed_assembly [LARGEST]     contacts up to about LARGEST, 1e6 by default
#include "problems/generators/generator.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void openblas_set_num_threads(int); // cblas.h and GSL's headers do not get along

// A cube of about 3.1 contacts per sphere.
static enum dls_status packing(struct dls_problem *p, double contacts,
                               struct dls_arena *a)
{
    const struct dls_generator *g = dls_generator_find("sphere-packing");
    void *opt = DLS_NEW(a, char, g->options_size);
    char side[16];
    if (!opt) return DLS_ENOMEM;
    dls_option_defaults(g->options, opt);
    snprintf(side, sizeof side, "%d", (int)ceil(cbrt(contacts / 3.1)));
    dls_option_set(g->options, opt, "across", side, g->name, NULL);
    dls_option_set(g->options, opt, "layers", side, g->name, NULL);
    return g->make(p, opt, a, NULL);
}

// Seconds per sweep, from a few of them.
static double sweep(const char *solver, const struct dls_problem *p, double *r)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_stats stats;
    settings.tol = 0;
    settings.max_iter = settings.check_every = 5;
    for (int k = 0; k < p->m; k++) r[k] = 0;
    dls_solve(dls_solver_find(solver), NULL, p, &settings, r, &stats);
    return stats.solve_time / (double)stats.iterations;
}

int main(int argc, char **argv)
{
    double largest = argc > 1 ? atof(argv[1]) : 1e6;
    openblas_set_num_threads(1);
    printf("%9s %7s %10s %11s %9s %12s %12s\n", "contacts", "blocks", "assembly",
           "per contact", "memory", "pgs sweep", "pgs-bodies");
    for (double contacts = 1e4; contacts <= 1.01 * largest; contacts *= 10) {
        struct dls_arena a = {0}, memory = {0};
        struct dls_problem p;
        struct dls_delassus f;
        if (packing(&p, contacts, &a) != DLS_OK) return 1;
        double start = dls_clock();
        if (dls_delassus_build(&f, &p, &memory, NULL) != DLS_OK) return 1;
        double seconds = dls_clock() - start;
        double *r = DLS_NEW(&a, double, p.m);
        if (!r) return 1;
        printf("%9d %7.2f %8.3f s %8.2f us %6.0f MB", p.contacts,
               (double)f.W->p[f.contacts] / f.contacts, seconds,
               1e6 * seconds / p.contacts, 1e-6 * (double)memory.peak);
        dls_arena_free(&memory);
        printf(" %9.1f ms", 1e3 * sweep("pgs", &p, r));
        printf(" %9.1f ms\n", 1e3 * sweep("pgs-bodies", &p, r));
        fflush(stdout);
        dls_arena_free(&a);
    }
    return 0;
}
