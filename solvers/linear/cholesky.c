// SPDX-License-Identifier: Apache-2.0
// Sparse Cholesky factors of  A = N + F W  in the contacts, W symmetric.
//
// With F = I, and N symmetric, A is symmetric. With N and F diagonal, F >= 0, D = F^(1/2)
// and x = D y make the system
//
//     (N + D W D) y = D^-1 b,
//
// symmetric, positive definite where N + W is: CHOLMOD. Rows with F = 0 have the known
// answer x = b / N, which goes to the right-hand side; the row and the column become those
// of the identity. The pattern is that of W for good.
#include "solvers/linear/linear.h"

#include "base/block.h"
#include "base/sparse_factor.h"

#include <math.h>

// A row whose F is below this times N counts as F = 0: D would be all round-off.
static const double negligible = 1e-14;

struct cholesky {
    struct dls_linear_form form;
    struct dls_linear_values values;
    struct dls_arena *arena;
    struct dls_csr *A; // whole blocks in the order of W
    bool analysed;
    struct dls_sparse_factor factor;
    double *D, *known, *rhs, *y; // m each
};

static enum dls_status create(void **out, const struct dls_linear_form *form,
                              struct dls_arena *a)
{
    size_t m = (size_t)form->W->rows * (size_t)form->W->d;
    struct cholesky *s = *out = DLS_NEW(a, struct cholesky, 1);
    double *vectors = DLS_NEW(a, double, 4 * m);
    if (a->failed) return DLS_ENOMEM;
    *s = (struct cholesky){
        .form = *form,
        .arena = a,
        .A = dls_bsr_to_csr(form->W, a),
        .D = vectors,
        .known = vectors + m,
        .rhs = vectors + 2 * m,
        .y = vectors + 3 * m,
    };
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

static void destroy(void *self)
{
    struct cholesky *s = self;
    dls_sparse_factor_destroy(&s->factor);
}

static enum dls_status analyse(struct cholesky *s)
{
    if (s->analysed) return DLS_OK;
    enum dls_status status =
        dls_sparse_factor_create(&s->factor, s->A, DLS_FACTOR_POSITIVE, s->arena);
    s->analysed = status == DLS_OK;
    return status;
}

static enum dls_status cost(void *self, struct dls_linear_cost *c)
{
    struct cholesky *s = self;
    return dls_linear_predict_blocks(s->form.W, c, s->arena);
}

// D = F^(1/2), or 0 for a row whose answer is known; 1 for F = I.
static void fill_D(struct cholesky *s)
{
    const struct dls_linear_values *v = &s->values;
    int d = s->form.W->d;
    for (int k = 0; k < s->form.W->rows * d; k++) {
        int i = k / d * d * d + k % d * (d + 1);
        double F = v->F ? v->F[i] : 1;
        s->D[k] = !v->F ? 1 : F > negligible * v->N[i] ? sqrt(F) : 0;
    }
}

// Block row a of N + D W D.
static void assemble_row(struct cholesky *s, int a)
{
    const struct dls_bsr *W = s->form.W;
    const struct dls_linear_values *v = &s->values;
    int d = W->d, dd = d * d;
    double N[9];
    dls_linear_unframe(d, v->Q ? v->Q + a * dd : NULL, v->N + a * dd, N);
    for (int i = 0; i < d; i++) {
        double D = s->D[a * d + i], *to = s->A->x + s->A->p[a * d + i];
        for (int k = W->p[a]; k < W->p[a + 1]; k++)
            for (int l = 0; l < d; l++)
                *to++ = D * s->D[W->j[k] * d + l] * dls_bsr_block(W, k)[i * d + l];
        to = s->A->x + s->A->p[a * d + i] + (W->diag[a] - W->p[a]) * d;
        if (!v->F)
            for (int l = 0; l < d; l++) to[l] += N[i * d + l];
        else
            to[i] += D > 0 ? N[i * d + i] : 1;
    }
}

static enum dls_status factor(void *self, const struct dls_linear_values *values,
                              double *rcond, struct dls_work *work)
{
    struct cholesky *s = self;
    s->values = *values;
    *rcond = 0;
    enum dls_status status = analyse(s);
    if (status != DLS_OK) return status;
    fill_D(s);
    for (int a = 0; a < s->form.W->rows; a++) assemble_row(s, a);
    work->factorisations++;
    status = dls_sparse_factor_update(&s->factor);
    if (status == DLS_OK && !isnan(s->factor.rcond)) *rcond = s->factor.rcond;
    return status == DLS_ENUMERIC ? DLS_OK : status; // not positive definite: rcond 0
}

// rhs = D^-1 b - D W x_known, with x_known in `known`.
static void reduce(struct cholesky *s, const double *b, struct dls_work *work)
{
    int d = s->form.W->d, m = s->form.W->rows * d, known = 0;
    for (int k = 0; k < m; k++) {
        int i = k / d * d * d + k % d * (d + 1);
        s->known[k] = s->D[k] > 0 ? 0 : b[k] / s->values.N[i];
        s->rhs[k] = 0;
        known += !(s->D[k] > 0);
    }
    if (known) {
        dls_bsr_multiply(s->form.W, s->known, NULL, s->rhs);
        work->products++;
    }
    for (int k = 0; k < m; k++)
        s->rhs[k] = s->D[k] > 0 ? b[k] / s->D[k] - s->D[k] * s->rhs[k] : 0;
}

static bool solve(void *self, const double *b, double *x, struct dls_work *work)
{
    struct cholesky *s = self;
    int d = s->form.W->d, contacts = s->form.W->rows;
    if (s->values.Q) {
        dls_block_apply_transposed(d, contacts, s->values.Q, b, s->rhs);
        if (!dls_sparse_factor_solve(&s->factor, s->rhs, s->y)) return false;
        dls_block_apply(d, contacts, s->values.Q, s->y, x);
        return true;
    }
    reduce(s, b, work);
    if (!dls_sparse_factor_solve(&s->factor, s->rhs, s->y)) return false;
    bool finite = true;
    for (int k = 0; k < contacts * d; k++) {
        x[k] = s->known[k] + s->D[k] * s->y[k];
        finite = finite && isfinite(x[k]);
    }
    return finite;
}

const struct dls_linear dls_linear_cholesky = {
    .name = "cholesky",
    .create = create,
    .cost = cost,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
