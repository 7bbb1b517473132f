// SPDX-License-Identifier: Apache-2.0
// (W + S Theta) dx = b  as a linear system of contacts: N = S Theta, F = I.
//
//     S = I - e_N g^T,   S^-1 = I + e_N g^T
//
// With g = 0 the matrix is positive definite for every positive semidefinite W, singular or
// not. det S = 1 and Theta, M have positive determinants, so that the sign of the
// determinant is that of whatever was factored.
//
// At a sliding contact T^2 has eigenvalues far above and far below one, and T^-2 magnifies
// the error of dx along the eigenvector of the smallest. So vectors of the contacts are kept
// in the frames Q of these eigenvectors, where every entry has its own relative accuracy.
#include "solvers/linear/cone_system.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

static const struct dls_linear_wish wish = {
    .refinements = 4,    // each gains digits or ends them
    .small_rest = 1e-12, // an interior point asks for no more
    .large_rest = 1e-6,  // with less it does not come to rest
};

// N_il = (1_il - e_i g_l) / theta_l,  N^-1_il = theta_i (1_il + e_i g_l),  e = Q e_N.
static inline void fill_blocks(int d, const double *Q, const double *theta,
                               const double *g, double *N, double *inverse)
{
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            double e_g = Q[i * d] * g[l];
            N[i * d + l] = ((i == l) - e_g) / theta[l];
            inverse[i * d + l] = theta[i] * ((i == l) + e_g);
        }
}

// The frames, T^2, and with Theta^-1 = theta the blocks.
static void find_frames(struct dls_cone_system *s, const struct dls_scaling *scaling,
                        const struct dls_cone_shift *shift)
{
    int d = s->form->d, dd = d * d;
    for (int a = 0; a < s->form->contacts; a++) {
        double *Q = s->Q + a * dd, *square = s->square + a * d;
        double theta[3], g[3] = {0};
        dls_scaling_frame(scaling + a, d, Q, square);
        if (shift) dls_block_apply(d, 1, Q, shift->g + a * d, g);
        for (int i = 0; i < d; i++)
            theta[i] = shift ? square[i] / (1 + shift->alpha + shift->beta * square[i])
                             : square[i];
        if (d == 3)
            fill_blocks(3, Q, theta, g, s->N + a * dd, s->inverse + a * dd);
        else
            fill_blocks(d, Q, theta, g, s->N + a * dd, s->inverse + a * dd);
    }
}

enum dls_status dls_cone_system_create(struct dls_cone_system *s,
                                       const struct dls_socp *f, bool shifts,
                                       struct dls_arena *a, struct dls_error *err)
{
    const struct dls_linear_form form = {
        .W = &f->W,
        .H = f->H,
        .M = f->M,
        .W_symmetric = f->symmetric,
        .D_symmetric = !shifts,
        .refined = true,
    };
    size_t m = (size_t)f->m, blocks = m * (size_t)f->d;
    double *vectors = DLS_NEW(a, double, 3 * m),
           *tables = DLS_NEW(a, double, 3 * blocks);
    *s = (struct dls_cone_system){.form = f};
    if (a->failed) return DLS_ENOMEM;
    s->square = vectors;
    s->b = vectors + m;
    s->x = vectors + 2 * m;
    s->Q = tables;
    s->N = tables + blocks;
    s->inverse = tables + 2 * blocks;
    return dls_linear_system_create(&s->linear, &form, &wish, a, err);
}

void dls_cone_system_destroy(struct dls_cone_system *s)
{
    dls_linear_system_destroy(&s->linear);
}

enum dls_status dls_cone_system_factor(struct dls_cone_system *s,
                                       const struct dls_scaling *scaling,
                                       const struct dls_cone_shift *shift,
                                       struct dls_work *work)
{
    double rcond;
    find_frames(s, scaling, shift);
    const struct dls_linear_values values = {
        .N = s->N, .inverse = s->inverse, .shift = 1, .Q = s->Q};
    enum dls_status status =
        dls_linear_system_factor(&s->linear, &values, &rcond, work);
    return status == DLS_OK && !(rcond > 0) ? DLS_ENUMERIC : status;
}

int dls_cone_system_sign(const struct dls_cone_system *s)
{
    return dls_linear_system_sign(&s->linear);
}

bool dls_cone_system_solve(struct dls_cone_system *s, const double *b, double *dx,
                           double *theta_dx, struct dls_work *work)
{
    const struct dls_socp *f = s->form;
    dls_block_apply(f->d, f->contacts, s->Q, b, s->b);
    if (!dls_linear_system_solve(&s->linear, s->b, s->x, work)) return false;
    dls_block_apply_transposed(f->d, f->contacts, s->Q, s->x, dx);
    if (theta_dx) {
        for (int k = 0; k < f->m; k++) theta_dx[k] = s->x[k] / s->square[k];
        dls_block_apply_transposed(f->d, f->contacts, s->Q, theta_dx, theta_dx);
    }
    return true;
}
