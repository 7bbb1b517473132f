// SPDX-License-Identifier: Apache-2.0
// Newton's step as a linear system of contacts.
//
// Open contacts have F = r, hence F_u = 0 and F_r = I: the back ends take their answer
// x = -F as known. Without friction F_r and F_u are diagonal and the system is symmetric
// after a scaling (cholesky.c).
#include "solvers/linear/newton_system.h"

static const struct dls_linear_wish wish = {
    .refinements = 5,    // each gains digits or ends them
    .small_rest = 1e-13, // nothing is left to gain
    .large_rest = 1e-8,  // the last steps of a run to 1e-14 are still superlinear
    .round_off = 1e-14,  // what a stable method leaves of |W| |x|
    .rough = true,       // a line search follows
};

enum dls_status dls_newton_system_create(struct dls_newton_system *s,
                                         const struct dls_bsr *W,
                                         const struct dls_csr *H,
                                         const struct dls_csr *M, bool diagonal,
                                         struct dls_arena *a)
{
    const struct dls_linear_form form = {
        .W = W,
        .H = H,
        .M = M,
        .W_symmetric = diagonal,
        .D_symmetric = diagonal,
    };
    size_t m = (size_t)W->rows * (size_t)W->d;
    *s = (struct dls_newton_system){
        .N = DLS_NEW_TABLE(a, double, m, W->d),
        .F = DLS_NEW_TABLE(a, double, m, W->d),
        .b = DLS_NEW(a, double, m),
    };
    if (a->failed) return DLS_ENOMEM;
    return dls_linear_system_create(&s->linear, &form, &wish, a, NULL);
}

void dls_newton_system_destroy(struct dls_newton_system *s)
{
    dls_linear_system_destroy(&s->linear);
}

enum dls_status dls_newton_system_factor(struct dls_newton_system *s,
                                         const struct dls_contact_value *v,
                                         double shift, double *rcond,
                                         struct dls_work *work)
{
    const struct dls_bsr *W = s->linear.form.W;
    int d = W->d, dd = d * d;
    for (int a = 0; a < W->rows; a++, v++) {
        double own = s->shifts ? s->shifts[a] : shift;
        for (int k = 0; k < dd; k++) {
            s->N[a * dd + k] = v->F_r[k] + own * v->F_u[k];
            s->F[a * dd + k] = v->F_u[k];
        }
        for (int i = 0; i < d; i++) s->b[a * d + i] = -v->F[i];
    }
    const struct dls_linear_values values = {.N = s->N, .F = s->F, .shift = shift};
    return dls_linear_system_factor(&s->linear, &values, rcond, work);
}

static double determinant(int d, const double *A)
{
    if (d == 1) return A[0];
    if (d == 2) return A[0] * A[3] - A[1] * A[2];
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6])
           + A[2] * (A[3] * A[7] - A[4] * A[6]);
}

// In the velocities det A = det N det(M + H^T N^-1 F H) / det M.
int dls_newton_system_sign(const struct dls_newton_system *s)
{
    const struct dls_linear_system *linear = &s->linear;
    int d = linear->form.W->d, sign = dls_linear_system_sign(linear);
    if (linear->now != &linear->velocities) return sign;
    for (int a = 0; a < linear->form.W->rows; a++)
        if (determinant(d, s->N + a * d * d) < 0) sign = -sign;
    return sign;
}

bool dls_newton_system_solve(struct dls_newton_system *s, double *x,
                             struct dls_work *work)
{
    return dls_linear_system_solve(&s->linear, s->b, x, work);
}
