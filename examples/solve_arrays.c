// SPDX-License-Identifier: Apache-2.0
// A step problem from arrays: one block of mass 2 on the floor, pushed sideways.
//   cc solve_arrays.c $(pkg-config --cflags --libs delassus) && ./a.out
//
// The block has two velocities (x, y) and one contact below it, rows (N, T):
//     M v = f + H^T r,   u = H v + w,   f = M v^- + h F,   h = 0.01
// It arrives with v_x = 1, gravity pulls by 9.81, mu = 0.5. The floor gives back the
// impulse of gravity and brakes by mu times that: v_x = 1 - 0.5 * 0.0981 = 0.95095.
#include <delassus.h>
#include <stdio.h>

int main(void)
{
    const double inertia[] = {2, 0, 0, 2};   // M, dense by rows
    const int p[] = {0, 1, 2}, j[] = {1, 0}; // H by compressed rows:
    const double h_values[] = {1, 1};        // u_N = v_y, u_T = v_x
    const double f[] = {2 * 1.0, -2 * 9.81 * 0.01}, mu[] = {0.5};
    struct dls_matrix M = {.rows = 2, .cols = 2, .dense = inertia};
    struct dls_matrix H = {.rows = 2, .cols = 2, .p = p, .j = j, .x = h_values};
    struct dls_frictions contacts = {.contacts = 1, .d = 2, .mu = mu};

    struct dls_arena arena = {0};
    struct dls_error err = {""};
    struct dls_problem problem;
    struct dls_stats stats = {.status = DLS_EINVAL};
    double r[2] = {0};
    if (dls_problem_from_m(&problem, &M, &H, f, NULL, contacts, &arena, &err))
        fprintf(stderr, "%s\n", err.text);
    else
        dls_solve(dls_solver_find("auto"), NULL, &problem, NULL, r, &stats);
    printf("%s: r_N = %.5f, r_T = %.5f, v_x = %.5f\n", dls_status_name(stats.status),
           r[0], r[1], (f[0] + r[1]) / 2);
    dls_arena_free(&arena);
    return stats.status != DLS_OK;
}
