// SPDX-License-Identifier: Apache-2.0
// BiCGStab, for systems whose answer needs few digits.
//
//     A x = b,    A = N + F W,    preconditioned by its diagonal blocks
//
// Method [VanDerVorst1992], from the right, so that the residual is that of A itself. The
// direction of a Newton step needs few digits: a residual of a hundredth of b will do.
// Where the iteration does not get there, another back end factors A after all.
//
// Cost: two products with W an iteration; their number grows as the root of the condition
// of A, that is of 1 / shift. No memory but some vectors.
// Fails: for small shifts on matrices that are nearly singular.
#include "solvers/linear/linear.h"

#include "base/block.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 150 };
static const double accuracy = 1e-2; // of the residual relative to b
static const double breakdown = 1e-30;

struct krylov {
    struct dls_linear_form form;
    struct dls_linear_values values;
    double *inverse;                    // m * d: of the diagonal blocks of A
    double *r, *shadow, *p, *v, *t, *y; // m
    double *work;                       // 2 m
};

static enum dls_status create(void **out, const struct dls_linear_form *form,
                              struct dls_arena *a)
{
    size_t m = (size_t)form->W->rows * (size_t)form->W->d;
    struct krylov *s = *out = DLS_NEW(a, struct krylov, 1);
    double *vectors = DLS_NEW(a, double, (8 + (size_t)form->W->d) * m);
    if (a->failed) return DLS_ENOMEM;
    *s = (struct krylov){.form = *form};
    double **to[] = {&s->r, &s->shadow, &s->p, &s->v, &s->t, &s->y, &s->work};
    for (size_t k = 0; k < 7; k++) *to[k] = vectors + k * m;
    s->inverse = vectors + 8 * m;
    return DLS_OK;
}

// Of the longest iteration.
static enum dls_status cost(void *self, struct dls_linear_cost *c)
{
    const struct dls_bsr *W = ((const struct krylov *)self)->form.W;
    double entries = (double)W->p[W->rows] * W->d * W->d;
    *c = (struct dls_linear_cost){.operations = 4.0 * MOST_STEPS * entries};
    return DLS_OK;
}

// Inverts the diagonal blocks N_a + F_a W_aa.
static enum dls_status factor(void *self, const struct dls_linear_values *values,
                              double *rcond, struct dls_work *work)
{
    (void)work; // nothing is factored
    struct krylov *s = self;
    int d = s->form.W->d;
    s->values = *values;
    *rcond = 1;
    for (int a = 0; a < s->form.W->rows; a++) {
        const double *W_aa = dls_bsr_diagonal(s->form.W, a);
        const double *F = values->F + a * d * d;
        double A[9];
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) {
                A[i * d + l] = values->N[a * d * d + i * d + l];
                for (int k = 0; k < d; k++)
                    A[i * d + l] += F[i * d + k] * W_aa[k * d + l];
            }
        if (!dls_block_invert(d, A, s->inverse + a * d * d)) *rcond = 0;
    }
    return DLS_OK;
}

// y = A B x with B the inverse of the diagonal blocks, and z = B x.
static void multiply(const struct krylov *s, const double *x, double *z, double *y,
                     struct dls_work *work)
{
    const struct dls_bsr *W = s->form.W;
    dls_block_apply(W->d, W->rows, s->inverse, x, z);
    memset(y, 0, (size_t)(W->rows * W->d) * sizeof *y);
    dls_linear_add(&s->form, &s->values, 1, z, s->work, y);
    work->products++;
}

static bool solve(void *self, const double *b, double *x, struct dls_work *work)
{
    struct krylov *s = self;
    int m = s->form.W->rows * s->form.W->d;
    size_t size = (size_t)m * sizeof *x;
    double rho = 1, alpha = 1, omega = 1;
    memset(x, 0, size);
    memset(s->p, 0, size);
    memset(s->v, 0, size);
    memcpy(s->r, b, size);
    memcpy(s->shadow, b, size);
    double goal = accuracy * accuracy * dls_dot(m, s->r, s->r), square = INFINITY;
    for (int step = 0; step < MOST_STEPS && square > goal; step++) {
        double next = dls_dot(m, s->shadow, s->r), beta = next / rho * (alpha / omega);
        rho = next;
        for (int k = 0; k < m; k++)
            s->p[k] = s->r[k] + beta * (s->p[k] - omega * s->v[k]);
        multiply(s, s->p, s->y, s->v, work);
        double curvature = dls_dot(m, s->shadow, s->v);
        if (!(fabs(curvature) > breakdown) || !(fabs(rho) > breakdown)) return false;
        alpha = rho / curvature;
        dls_axpy(m, alpha, s->y, x);
        dls_axpy(m, -alpha, s->v, s->r);
        multiply(s, s->r, s->y, s->t, work);
        double length = dls_dot(m, s->t, s->t);
        omega = length > 0 ? dls_dot(m, s->t, s->r) / length : 0;
        dls_axpy(m, omega, s->y, x);
        dls_axpy(m, -omega, s->t, s->r);
        square = dls_dot(m, s->r, s->r);
    }
    return square <= goal;
}

const struct dls_linear dls_linear_krylov = {
    .name = "krylov",
    .create = create,
    .cost = cost,
    .factor = factor,
    .solve = solve,
};
