// SPDX-License-Identifier: Apache-2.0
// Assembly and factorisation of  F_r + F_u (W + shift I).
//
// 1. In general the matrix is unsymmetric: UMFPACK [Davis2004]. Contacts whose F does not
//    depend on u (open ones, F = r) have the known answer x = -F and are left out; the
//    analysis serves as long as the set of the others is the same. Block row a of the
//    matrix is F_u,a times block row a of W. Our rows are UMFPACK's columns, so that it
//    solves with the transpose of what it is given.
// 2. Without friction F_r and F_u are diagonal and W is symmetric. With D = F_u^(1/2) and
//    x = D y the system is
//
//        (F_r + D (W + shift I) D) y = -D^-1 F,
//
//    symmetric, positive definite where F_r + W is: CHOLMOD. Rows with F_u = 0 have the
//    known answer x = -F / F_r, which goes to the right-hand side; the row and the column
//    become those of the identity.
//
// 3. With shift > 0, and where W tells of bodies with fewer velocities than there are
//    rows, both are condensed to the velocities (newton_condensed.c). Where that fails, or
//    is not accurate, the contacts take over.
// 4. Where a factorisation would take too many operations and nothing can be condensed,
//    an iteration gives the direction to two digits (newton_krylov.c), as long as the
//    shift is large enough for it.
//
// Cost: a pass over W, and a sparse factorisation, with a new analysis where contacts
// opened or closed; large systems keep the order of elimination of all contacts.
#include "solvers/linear/newton_system.h"

#include "solvers/linear/newton_condensed.h"
#include "solvers/linear/newton_krylov.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

// A row whose F_u is below this times F_r counts as F_u = 0.
#define NEGLIGIBLE 1e-14

enum { LARGE = 5000 }; // rows from which nested dissection is worth its time
static const double most_flops =
    1e9; // of a factorisation; beyond, an iteration is tried

struct foreign {
    bool diagonal;
    int *number, *analysed; // contacts: number among the closed ones or -1; as analysed
    int *order, *columns;   // contacts, m: order of elimination of all, and of a system
    int closed;             // how many they are
    double flops;           // of a factorisation, predicted; 0 for small systems
    void *symbolic, *numeric; // UMFPACK's
    double control[UMFPACK_CONTROL];
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E;
    struct dls_newton_condensed velocities;
    bool condenses, condensed; // can be condensed, and was by the last factorisation
    struct dls_newton_krylov iteration;
    bool iterates;    // instead of factors in the contacts
    double too_small; // shift for which the iteration got nowhere
};

// --- creation -------------------------------------------------------------------------

// Where the d entries of block k start in scalar row i of block row a.
static size_t place(const struct dls_bsr *W, int a, int k, int i)
{
    size_t d = (size_t)W->d, blocks = (size_t)(W->p[a + 1] - W->p[a]);
    return (size_t)W->p[a] * d * d + (size_t)i * blocks * d + (size_t)(k - W->p[a]) * d;
}

static void fill_pattern(struct dls_newton_system *s)
{
    const struct dls_bsr *W = s->W;
    for (int a = 0; a < W->rows; a++)
        for (int i = 0; i < W->d; i++) {
            int *j = s->j + place(W, a, W->p[a], i);
            for (int k = W->p[a]; k < W->p[a + 1]; k++)
                for (int l = 0; l < W->d; l++) *j++ = W->j[k] * W->d + l;
            s->p[a * W->d + i + 1] = (int)(j - s->j);
        }
}

// CHOLMOD's view of the lower triangle by columns: our rows of a symmetric matrix.
static cholmod_sparse lower_view(const struct dls_newton_system *s)
{
    return (cholmod_sparse){
        .nrow = (size_t)s->m,
        .ncol = (size_t)s->m,
        .nzmax = (size_t)s->p[s->m],
        .p = s->p,
        .i = s->j,
        .x = s->x,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

// Nested dissection of the contacts, once for all systems, and what a factorisation in
// this order costs, every block counting d^3 times.
static bool dissect(const struct dls_bsr *W, int *order, double *flops)
{
    cholmod_common common;
    cholmod_sparse graph = {
        .nrow = (size_t)W->rows,
        .ncol = (size_t)W->rows,
        .nzmax = (size_t)W->p[W->rows],
        .p = W->p,
        .i = W->j,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_PATTERN,
        .sorted = 1,
        .packed = 1,
    };
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    cholmod_factor *L = cholmod_analyze(&graph, &common);
    if (L) memcpy(order, L->Perm, (size_t)W->rows * sizeof *order);
    *flops = common.fl * W->d * W->d * W->d;
    bool done = L;
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
    return done;
}

static enum dls_status analyse(struct dls_newton_system *s)
{
    struct foreign *f = s->foreign;
    if (f->diagonal) {
        cholmod_start(&f->common);
        f->common.print = 0;
        cholmod_sparse A = lower_view(s);
        f->L = cholmod_analyze(&A, &f->common);
        return f->L ? DLS_OK : DLS_ENOMEM;
    }
    umfpack_di_defaults(f->control);
    // The pattern is symmetric; pivots on the diagonal where possible save two thirds of
    // the fill.
    f->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    for (int c = 0; c < s->W->rows; c++) f->analysed[c] = -2; // none yet
    return s->m >= LARGE && !dissect(s->W, f->order, &f->flops) ? DLS_ENOMEM : DLS_OK;
}

enum dls_status dls_newton_system_create(struct dls_newton_system *s,
                                         const struct dls_bsr *W, bool diagonal,
                                         struct dls_arena *a)
{
    int m = W->rows * W->d;
    size_t count = (size_t)W->p[W->rows] * (size_t)(W->d * W->d);
    struct foreign *f = DLS_NEW(a, struct foreign, 1);
    int *numbers = DLS_NEW(a, int, 3 * (size_t)W->rows), *columns = DLS_NEW(a, int, m);
    *s = (struct dls_newton_system){
        .W = W,
        .m = m,
        .p = DLS_NEW(a, int, (size_t)m + 1),
        .j = DLS_NEW(a, int, count),
        .x = DLS_NEW(a, double, count),
        .rhs = DLS_NEW(a, double, m),
        .known = DLS_NEW(a, double, m),
        .scale = DLS_NEW(a, double, m),
    };
    if (a->failed) return DLS_ENOMEM;
    f->diagonal = diagonal;
    f->number = numbers;
    f->analysed = numbers + W->rows;
    f->order = numbers + 2 * (size_t)W->rows;
    f->columns = columns;
    s->foreign = f;
    fill_pattern(s); // CHOLMOD's; UMFPACK's follows the closed contacts
    enum dls_status status = analyse(s);
    if (status != DLS_OK) return status;
    status = dls_newton_condensed_create(&f->velocities, W, diagonal, a);
    f->condenses = status == DLS_OK;
    if (status != DLS_OK && status != DLS_UNSUPPORTED) return status;
    bool dear = !f->condenses && f->flops > most_flops;
    return dear && !dls_newton_krylov_create(&f->iteration, W, a) ? DLS_ENOMEM : DLS_OK;
}

void dls_newton_system_destroy(struct dls_newton_system *s)
{
    struct foreign *f = s->foreign;
    if (!f) return;
    dls_newton_condensed_destroy(&f->velocities);
    umfpack_di_free_symbolic(&f->symbolic);
    umfpack_di_free_numeric(&f->numeric);
    if (f->diagonal) {
        cholmod_free_factor(&f->L, &f->common);
        cholmod_free_dense(&f->X, &f->common);
        cholmod_free_dense(&f->Y, &f->common);
        cholmod_free_dense(&f->E, &f->common);
        cholmod_finish(&f->common);
    }
    s->foreign = NULL;
}

// --- unsymmetric ----------------------------------------------------------------------

// Whether F = r there, whatever the velocity.
static bool is_open(int d, const struct dls_contact_value *v)
{
    for (int k = 0; k < d * d; k++)
        if (v->F_u[k] != 0 || v->F_r[k] != (k % (d + 1) == 0)) return false;
    return true;
}

// Block row a of the matrix, closed contacts only: F_u,a W_ab, and on the diagonal
// F_r,a + shift F_u,a more. Returns where the next row starts.
static int assemble_row(struct dls_newton_system *s, int a,
                        const struct dls_contact_value *v, double shift, int at)
{
    const struct dls_bsr *W = s->W;
    const int *number = ((const struct foreign *)s->foreign)->number;
    int d = W->d;
    for (int i = 0; i < d; i++) {
        const double *F_u = v->F_u + i * d;
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            int c = number[W->j[k]];
            const double *block = dls_bsr_block(W, k);
            for (int l = 0; l < d && c >= 0; l++, at++) {
                s->j[at] = c * d + l;
                s->x[at] = 0;
                for (int n = 0; n < d; n++) s->x[at] += F_u[n] * block[n * d + l];
                if (k == W->diag[a]) s->x[at] += v->F_r[i * d + l] + shift * F_u[l];
            }
        }
        s->p[number[a] * d + i + 1] = at;
    }
    return at;
}

// A new analysis where the closed contacts are not those of the last one.
static int analyse_umfpack(struct dls_newton_system *s)
{
    struct foreign *f = s->foreign;
    size_t bytes = (size_t)s->W->rows * sizeof *f->number;
    int size = f->closed * s->W->d;
    if (!memcmp(f->number, f->analysed, bytes)) return UMFPACK_OK;
    memcpy(f->analysed, f->number, bytes);
    umfpack_di_free_symbolic(&f->symbolic);
    if (s->m < LARGE)
        return umfpack_di_symbolic(size, size, s->p, s->j, NULL, &f->symbolic,
                                   f->control, NULL);
    for (int k = 0, at = 0; k < s->W->rows; k++)
        for (int i = 0; i < s->W->d && f->number[f->order[k]] >= 0; i++)
            f->columns[at++] = f->number[f->order[k]] * s->W->d + i;
    return umfpack_di_qsymbolic(size, size, s->p, s->j, NULL, f->columns, &f->symbolic,
                                f->control, NULL);
}

static enum dls_status factor_umfpack(struct dls_newton_system *s,
                                      const struct dls_contact_value *v, double shift,
                                      double *rcond)
{
    struct foreign *f = s->foreign;
    double info[UMFPACK_INFO];
    int at = 0;
    f->closed = 0;
    for (int a = 0; a < s->W->rows; a++)
        f->number[a] = is_open(s->W->d, v + a) ? -1 : f->closed++;
    if (!f->closed) return DLS_OK;
    for (int a = 0; a < s->W->rows; a++)
        if (f->number[a] >= 0) at = assemble_row(s, a, v + a, shift, at);
    umfpack_di_free_numeric(&f->numeric);
    int status = analyse_umfpack(s);
    if (status == UMFPACK_OK)
        status = umfpack_di_numeric(s->p, s->j, s->x, f->symbolic, &f->numeric,
                                    f->control, info);
    *rcond = status == UMFPACK_OK ? info[UMFPACK_RCOND] : 0;
    if (status == UMFPACK_OK || status == UMFPACK_WARNING_singular_matrix)
        return DLS_OK;
    return status == UMFPACK_ERROR_out_of_memory ? DLS_ENOMEM : DLS_ENUMERIC;
}

// x = -F at open contacts; their share F_u W x goes to the right-hand side of the others.
static bool solve_umfpack(struct dls_newton_system *s,
                          const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    int d = s->W->d;
    double *u = s->scale;
    for (int k = 0; k < s->m; k++) x[k] = f->number[k / d] < 0 ? -v[k / d].F[k % d] : 0;
    if (!f->closed) return true;
    dls_bsr_multiply(s->W, x, NULL, u);
    for (int k = 0; k < s->m; k++) {
        if (f->number[k / d] < 0) continue;
        const double *F_u = v[k / d].F_u + k % d * d;
        double sum = -v[k / d].F[k % d];
        for (int l = 0; l < d; l++) sum -= F_u[l] * u[k / d * d + l];
        s->rhs[f->number[k / d] * d + k % d] = sum;
    }
    if (umfpack_di_solve(UMFPACK_At, s->p, s->j, s->x, s->known, s->rhs, f->numeric,
                         f->control, NULL)
        != UMFPACK_OK)
        return false;
    for (int k = 0; k < s->m; k++)
        if (f->number[k / d] >= 0) x[k] = s->known[f->number[k / d] * d + k % d];
    return true;
}

// --- symmetric ------------------------------------------------------------------------

// scale = F_u^(1/2), or 0 for a row whose answer is known.
static void fill_scales(struct dls_newton_system *s, const struct dls_contact_value *v)
{
    int d = s->W->d;
    for (int k = 0; k < s->m; k++) {
        int i = k % d * (d + 1);
        double F_r = v[k / d].F_r[i], F_u = v[k / d].F_u[i];
        s->scale[k] = F_u > NEGLIGIBLE * F_r ? sqrt(F_u) : 0;
    }
}

static enum dls_status factor_cholmod(struct dls_newton_system *s,
                                      const struct dls_contact_value *v, double shift,
                                      double *rcond)
{
    struct foreign *f = s->foreign;
    const struct dls_bsr *W = s->W;
    int d = W->d;
    fill_scales(s, v);
    for (int a = 0; a < W->rows; a++)
        for (int i = 0; i < d; i++) {
            double scale = s->scale[a * d + i], *to = s->x + place(W, a, W->p[a], i);
            for (int k = W->p[a]; k < W->p[a + 1]; k++)
                for (int l = 0; l < d; l++)
                    *to++ = scale * s->scale[W->j[k] * d + l]
                            * dls_bsr_block(W, k)[i * d + l];
            s->x[place(W, a, W->diag[a], i) + (size_t)i] +=
                scale > 0 ? v[a].F_r[i * (d + 1)] + shift * scale * scale : 1;
        }
    cholmod_sparse A = lower_view(s);
    cholmod_factorize(&A, f->L, &f->common);
    if (f->common.status == CHOLMOD_OUT_OF_MEMORY) return DLS_ENOMEM;
    *rcond = f->L->minor == f->L->n ? cholmod_rcond(f->L, &f->common) : 0;
    return DLS_OK;
}

// The right-hand side -D^-1 F - D W x_known, with x_known in `known`.
static void symmetric_rhs(struct dls_newton_system *s,
                          const struct dls_contact_value *v)
{
    int d = s->W->d;
    for (int k = 0; k < s->m; k++)
        s->known[k] =
            s->scale[k] > 0 ? 0 : -v[k / d].F[k % d] / v[k / d].F_r[k % d * (d + 1)];
    dls_bsr_multiply(s->W, s->known, NULL, s->rhs);
    for (int k = 0; k < s->m; k++)
        s->rhs[k] = s->scale[k] > 0
                        ? -v[k / d].F[k % d] / s->scale[k] - s->scale[k] * s->rhs[k]
                        : 0;
}

static bool solve_cholmod(struct dls_newton_system *s,
                          const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    cholmod_dense B = {
        .nrow = (size_t)s->m,
        .ncol = 1,
        .nzmax = (size_t)s->m,
        .d = (size_t)s->m,
        .x = s->rhs,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
    symmetric_rhs(s, v);
    if (!cholmod_solve2(CHOLMOD_A, f->L, &B, NULL, &f->X, NULL, &f->Y, &f->E,
                        &f->common))
        return false;
    const double *y = f->X->x;
    for (int k = 0; k < s->m; k++) x[k] = s->known[k] + s->scale[k] * y[k];
    return true;
}

// --- interface ------------------------------------------------------------------------

// Whether the closed contacts have more rows than there are velocities.
static bool pays(const struct dls_newton_system *s, const struct dls_contact_value *v)
{
    const struct foreign *f = s->foreign;
    int closed = 0;
    for (int a = 0; a < s->W->rows; a++) closed += !is_open(s->W->d, v + a);
    return closed * s->W->d > f->velocities.velocities.M->rows;
}

static enum dls_status factor_contacts(struct dls_newton_system *s,
                                       const struct dls_contact_value *v, double shift,
                                       double *rcond)
{
    struct foreign *f = s->foreign;
    f->condensed = false;
    enum dls_status status = f->diagonal ? factor_cholmod(s, v, shift, rcond)
                                         : factor_umfpack(s, v, shift, rcond);
    if (isnan(*rcond)) *rcond = 0;
    return status;
}

enum dls_status dls_newton_system_factor(struct dls_newton_system *s,
                                         const struct dls_contact_value *v,
                                         double shift, double *rcond)
{
    struct foreign *f = s->foreign;
    *rcond = 1;
    if (!s->m) return DLS_OK;
    f->condensed = f->condenses && shift > 0 && pays(s, v)
                   && dls_newton_condensed_factor(&f->velocities, v, shift);
    f->iterates = f->iteration.A.W && shift > f->too_small
                  && dls_newton_krylov_set(&f->iteration, v, shift);
    if (f->iterates) return DLS_OK;
    if (!f->condensed) return factor_contacts(s, v, shift, rcond);
    *rcond = f->velocities.factor.rcond;
    return DLS_OK;
}

// Solves in the velocities, or where that is not accurate in the contacts.
static bool solve_condensed(struct dls_newton_system *s,
                            const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    double rcond;
    if (dls_newton_condensed_solve(&f->velocities, x)) return true;
    if (factor_contacts(s, v, f->velocities.A.shift, &rcond) != DLS_OK) return false;
    return rcond > 0 && dls_newton_system_solve(s, v, x);
}

// By iteration, or where that gets nowhere by factors.
static bool solve_by_iteration(struct dls_newton_system *s,
                               const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    double rcond;
    if (dls_newton_krylov_solve(&f->iteration, x)) return true;
    f->iterates = false;
    f->too_small = f->iteration.A.shift;
    if (factor_contacts(s, v, f->iteration.A.shift, &rcond) != DLS_OK) return false;
    return rcond > 0 && dls_newton_system_solve(s, v, x);
}

bool dls_newton_system_solve(struct dls_newton_system *s,
                             const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    if (!s->m) return true;
    if (f->condensed) return solve_condensed(s, v, x);
    if (f->iterates) return solve_by_iteration(s, v, x);
    bool solved = f->diagonal ? solve_cholmod(s, v, x) : solve_umfpack(s, v, x);
    for (int k = 0; k < s->m && solved; k++) solved = isfinite(x[k]);
    return solved;
}
