// SPDX-License-Identifier: Apache-2.0
// Reads a snapshot, solves it by Moreau's Gauss-Seidel and prints what the judge says.
//   cc solve_file.c $(pkg-config --cflags --libs delassus) && ./a.out FILE.hdf5
#include <delassus.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
    struct dls_arena arena = {0};
    struct dls_error err = {"usage: solve_file FILE"};
    struct dls_problem problem;
    struct dls_stats stats = {.status = DLS_EINVAL};
    if (argc == 2
        && !dls_snapshot_read(&problem, argv[1], DLS_DAT_GUESS, &arena, &err)) {
        double *r = DLS_NEW(&arena, double, problem.m); // starts from r = 0
        dls_solve(dls_solver_find("pgs"), NULL, &problem, NULL, r, &stats);
        printf("%s: %s after %ld iterations, natural residual %.1e\n", argv[1],
               dls_status_name(stats.status), stats.iterations, stats.measures.natural);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    dls_arena_free(&arena);
    return stats.status != DLS_OK;
}
