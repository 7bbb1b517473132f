// SPDX-License-Identifier: Apache-2.0
// Sparse LU factors of  A = N + F W  in the contacts.
//
// UMFPACK [Davis2004]. Contacts with F = 0 and N = I, the open ones of a Newton step, have
// the known answer x = b and are left out; the analysis serves as long as the set of the
// others is the same. Block row a of the matrix is F_a times block row a of W. Our rows are
// UMFPACK's columns, so that it solves with the transpose of what it is given.
//
// Cost: a pass over W and a factorisation, with a new analysis where contacts opened or
// closed; large systems keep the order of elimination of all contacts.
#include "solvers/linear/linear.h"

#include "base/block.h"
#include "base/deadline.h"
#include "base/lower_view.h"

#include <math.h>
#include <string.h>
#include <umfpack.h>

struct lu {
    struct dls_linear_form form;
    struct dls_linear_values values;
    struct dls_arena *arena;
    int m, *p, *j; // the matrix by compressed rows, columns ascending
    double *x;
    double *u, *rhs, *part; // m each, work of the solves
    int *number, *analysed; // contacts: number among the closed ones or -1; as analysed
    int *order, *columns;   // contacts, m: order of elimination of all, and of a system
    int closed;             // how many they are
    bool predicted;         // what it costs; with that large systems have their order
    struct dls_linear_cost cost;
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL];
};

static enum dls_status create(void **out, const struct dls_linear_form *form,
                              struct dls_arena *a)
{
    const struct dls_bsr *W = form->W;
    int m = W->rows * W->d;
    struct lu *s = *out = DLS_NEW(a, struct lu, 1);
    int *numbers = DLS_NEW(a, int, 3 * (size_t)W->rows);
    double *vectors = DLS_NEW(a, double, 3 * (size_t)m);
    if (a->failed) return DLS_ENOMEM;
    *s = (struct lu){
        .form = *form,
        .arena = a,
        .m = m,
        .u = vectors,
        .rhs = vectors + m,
        .part = vectors + 2 * (size_t)m,
        .number = numbers,
        .analysed = numbers + W->rows,
        .order = numbers + 2 * (size_t)W->rows,
        .columns = DLS_NEW(a, int, m),
    };
    if (a->failed) return DLS_ENOMEM;
    umfpack_di_defaults(s->control);
    // The pattern is symmetric; pivots on the diagonal where possible save two thirds of
    // the fill.
    s->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    s->control[UMFPACK_IRSTEP] =
        0; // linear_system.c refines where digits are asked for
    for (int c = 0; c < W->rows; c++) s->analysed[c] = -2; // none yet
    return DLS_OK;
}

// Room for the matrix, which a system that is condensed to the velocities never needs.
static bool has_room(struct lu *s)
{
    const struct dls_bsr *W = s->form.W;
    size_t count = (size_t)W->p[W->rows] * (size_t)(W->d * W->d);
    if (s->x) return true;
    s->p = DLS_NEW(s->arena, int, (size_t)s->m + 1);
    s->j = DLS_RAW(s->arena, int, count);
    s->x = DLS_RAW(s->arena, double, count);
    return s->p && s->j && s->x;
}

static void destroy(void *self)
{
    struct lu *s = self;
    umfpack_di_free_symbolic(&s->symbolic);
    umfpack_di_free_numeric(&s->numeric);
}

// --- cost -----------------------------------------------------------------------------

// Nested dissection of the contacts, once for all systems, and what a factorisation in
// this order costs, every block counting d^3 times.
static bool dissect(struct lu *s)
{
    const struct dls_bsr *W = s->form.W;
    cholmod_common common;
    cholmod_sparse graph = dls_lower_view(W->rows, W->p, W->j, NULL);
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    cholmod_factor *L = cholmod_analyze(&graph, &common);
    if (L) memcpy(s->order, L->Perm, (size_t)W->rows * sizeof *s->order);
    double square = W->d * W->d;
    s->cost = (struct dls_linear_cost){
        .operations = square * W->d * (common.fl + W->p[W->rows]),
        .entries = square * common.lnz,
    };
    s->predicted = L;
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
    return s->predicted;
}

// Less than any machine of today needs to dissect a graph, an entry.
static const double DISSECTION_SECONDS_AN_ENTRY = 1e-7;

static enum dls_status cost(void *self, struct dls_linear_cost *c)
{
    struct lu *s = self;
    enum dls_status status = DLS_OK;
    if (!s->predicted && s->m < DLS_LINEAR_LARGE)
        status = dls_linear_predict_blocks(s->form.W, &s->cost, s->arena);
    else if (!s->predicted
             && !dls_deadline_allows(DISSECTION_SECONDS_AN_ENTRY
                                     * s->form.W->p[s->form.W->rows]))
        status = DLS_MAX_TIME;
    else if (!s->predicted && !dissect(s))
        status = DLS_ENOMEM;
    s->predicted = status == DLS_OK;
    *c = s->cost;
    c->entries *= 2; // of L and of U
    return status;
}

// --- factors --------------------------------------------------------------------------

// Whether x = b there.
static bool is_open(int d, const struct dls_linear_values *v, int a)
{
    const double *N = v->N + a * d * d, *F = v->F ? v->F + a * d * d : NULL;
    for (int k = 0; k < d * d; k++)
        if (!F || F[k] != 0 || N[k] != (k % (d + 1) == 0)) return false;
    return true;
}

// Block row a of the matrix, closed contacts only: F_a W_ac, and on the diagonal N_a more.
// Returns where the next row starts.
static int assemble_row(struct lu *s, int a, int at)
{
    const struct dls_bsr *W = s->form.W;
    const struct dls_linear_values *v = &s->values;
    int d = W->d, dd = d * d;
    double N[9];
    dls_linear_unframe(d, v->Q ? v->Q + a * dd : NULL, v->N + a * dd, N);
    for (int i = 0; i < d; i++) {
        const double *F = v->F ? v->F + a * dd + i * d : NULL;
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            int c = s->number[W->j[k]];
            if (c < 0) continue;
            const double *block = dls_bsr_block(W, k);
            double *to = s->x + at;
            for (int l = 0; l < d; l++) s->j[at++] = c * d + l;
            for (int l = 0; l < d; l++) to[l] = F ? 0 : block[i * d + l];
            for (int l = 0; l < d && F; l++)
                for (int n = 0; n < d; n++) to[l] += F[n] * block[n * d + l];
            for (int l = 0; l < d && k == W->diag[a]; l++) to[l] += N[i * d + l];
        }
        s->p[s->number[a] * d + i + 1] = at;
    }
    return at;
}

// A new analysis where the closed contacts are not those of the last one.
static int analyse(struct lu *s)
{
    int contacts = s->form.W->rows, d = s->form.W->d, size = s->closed * d;
    size_t bytes = (size_t)contacts * sizeof *s->number;
    if (!memcmp(s->number, s->analysed, bytes)) return UMFPACK_OK;
    umfpack_di_free_symbolic(&s->symbolic);
    memcpy(s->analysed, s->number, bytes);
    if (s->m < DLS_LINEAR_LARGE)
        return umfpack_di_symbolic(size, size, s->p, s->j, NULL, &s->symbolic,
                                   s->control, NULL);
    if (!s->predicted && !dissect(s)) return UMFPACK_ERROR_out_of_memory;
    for (int k = 0, at = 0; k < contacts; k++)
        for (int i = 0; i < d && s->number[s->order[k]] >= 0; i++)
            s->columns[at++] = s->number[s->order[k]] * d + i;
    return umfpack_di_qsymbolic(size, size, s->p, s->j, NULL, s->columns, &s->symbolic,
                                s->control, NULL);
}

static enum dls_status factor(void *self, const struct dls_linear_values *values,
                              double *rcond, struct dls_work *work)
{
    struct lu *s = self;
    int contacts = s->form.W->rows, at = 0;
    double info[UMFPACK_INFO];
    s->values = *values;
    s->closed = 0;
    *rcond = 1;
    if (!has_room(s)) return DLS_ENOMEM;
    for (int a = 0; a < contacts; a++)
        s->number[a] = is_open(s->form.W->d, values, a) ? -1 : s->closed++;
    if (!s->closed) return DLS_OK;
    for (int a = 0; a < contacts; a++)
        if (s->number[a] >= 0) at = assemble_row(s, a, at);
    umfpack_di_free_numeric(&s->numeric);
    int status = analyse(s);
    if (status == UMFPACK_OK)
        status = umfpack_di_numeric(s->p, s->j, s->x, s->symbolic, &s->numeric,
                                    s->control, info);
    work->factorisations++;
    *rcond = status == UMFPACK_OK ? info[UMFPACK_RCOND] : 0;
    if (isnan(*rcond)) *rcond = 0;
    if (status == UMFPACK_OK || status == UMFPACK_WARNING_singular_matrix)
        return DLS_OK;
    return status == UMFPACK_ERROR_out_of_memory ? DLS_ENOMEM : DLS_ENUMERIC;
}

// --- solves ---------------------------------------------------------------------------

// The right-hand side of the closed contacts, b - F W x with x = b at the open ones.
static void reduce(struct lu *s, const double *b, double *x, struct dls_work *work)
{
    int d = s->form.W->d;
    if (s->closed < s->form.W->rows) {
        dls_bsr_multiply(s->form.W, x, NULL, s->u);
        work->products++;
    }
    for (int k = 0; k < s->m; k++) {
        if (s->number[k / d] < 0) continue;
        double sum = b[k];
        const double *F = s->values.F + k / d * d * d + k % d * d;
        for (int l = 0; l < d && s->closed < s->form.W->rows; l++)
            sum -= F[l] * s->u[k / d * d + l];
        s->rhs[s->number[k / d] * d + k % d] = sum;
    }
}

static bool solve(void *self, const double *b, double *x, struct dls_work *work)
{
    struct lu *s = self;
    const struct dls_linear_values *v = &s->values;
    int d = s->form.W->d, contacts = s->form.W->rows;
    for (int k = 0; k < s->m; k++) x[k] = s->number[k / d] < 0 ? b[k] : 0;
    if (!s->closed) return true;
    if (v->Q)
        dls_block_apply_transposed(d, contacts, v->Q, b, s->rhs);
    else
        reduce(s, b, x, work);
    if (umfpack_di_solve(UMFPACK_At, s->p, s->j, s->x, s->part, s->rhs, s->numeric,
                         s->control, NULL)
        != UMFPACK_OK)
        return false;
    for (int k = 0; k < s->m; k++)
        if (s->number[k / d] >= 0) x[k] = s->part[s->number[k / d] * d + k % d];
    if (v->Q) dls_block_apply(d, contacts, v->Q, x, x);
    bool finite = true;
    for (int k = 0; k < s->m && finite; k++) finite = isfinite(x[k]);
    return finite;
}

static int sign(const void *self)
{
    const struct lu *s = self;
    double mantissa = 1, exponent;
    if (s->closed) umfpack_di_get_determinant(&mantissa, &exponent, s->numeric, NULL);
    return mantissa < 0 ? -1 : 1;
}

const struct dls_linear dls_linear_lu = {
    .name = "lu",
    .create = create,
    .cost = cost,
    .factor = factor,
    .solve = solve,
    .sign = sign,
    .destroy = destroy,
};
