// SPDX-License-Identifier: Apache-2.0
// The border of the library: whatever fills a step problem has it checked here once, and
// everything behind asserts.
//
// Checked: sizes that belong together (m = contacts d, M n x n, H m x n, G joints x n,
// W m x m, V m x joints, R joints x joints), row pointers and columns of every matrix,
// finite numbers everywhere, mu and mu_r >= 0, restitution in [0, 1], bodies that cut the
// velocities into consecutive groups. Not checked: that M is regular, which the judge
// finds when it factorises M. Cost: one pass over the data.
#include "formulations/problem.h"

#include <limits.h>
#include <math.h>

// One vector of the problem with the interval its entries must lie in.
struct field {
    const char *name;
    const double *x;
    int count;
    bool needed;
    double lo, hi;
};

static enum dls_status check_field(const struct field *field, struct dls_error *err)
{
    if (!field->x) {
        if (!field->needed || !field->count) return DLS_OK;
        return dls_fail(err, DLS_EINVAL, "%s: missing", field->name);
    }
    for (int k = 0; k < field->count; k++) {
        double x = field->x[k];
        if (!isfinite(x))
            return dls_fail(err, DLS_EINVAL, "%s: entry %d is %g", field->name, k, x);
        if (x < field->lo || x > field->hi)
            return dls_fail(err, DLS_EINVAL, "%s: entry %d is %g, not in [%g, %g]",
                            field->name, k, x, field->lo, field->hi);
    }
    return DLS_OK;
}

// One row: columns ascending and in range, values finite.
static enum dls_status check_row(const struct dls_csr *A, int row, const char *name,
                                 struct dls_error *err)
{
    for (int k = A->p[row]; k < A->p[row + 1]; k++) {
        int j = A->j[k], before = k > A->p[row] ? A->j[k - 1] : -1;
        if (j < 0 || j >= A->cols)
            return dls_fail(err, DLS_EINVAL, "%s: column %d in row %d, beyond %d", name,
                            j, row, A->cols);
        if (j <= before)
            return dls_fail(err, DLS_EINVAL, "%s: columns of row %d do not ascend",
                            name, row);
        if (!isfinite(A->x[k]))
            return dls_fail(err, DLS_EINVAL, "%s: entry (%d, %d) is %g", name, row, j,
                            A->x[k]);
    }
    return DLS_OK;
}

static enum dls_status check_matrix(const struct dls_csr *A, const char *name, int rows,
                                    int cols, struct dls_error *err)
{
    if (!A) return dls_fail(err, DLS_EINVAL, "%s: missing", name);
    if (A->rows != rows || A->cols != cols)
        return dls_fail(err, DLS_EINVAL, "%s: %d x %d, should be %d x %d", name,
                        A->rows, A->cols, rows, cols);
    if (!A->p || (A->p[A->rows] > 0 && (!A->j || !A->x)))
        return dls_fail(err, DLS_EINVAL, "%s: without pointers or entries", name);
    if (A->p[0] != 0)
        return dls_fail(err, DLS_EINVAL, "%s: pointers start at %d", name, A->p[0]);
    for (int row = 0; row < rows; row++) {
        if (A->p[row + 1] < A->p[row])
            return dls_fail(err, DLS_EINVAL, "%s: pointers decrease at row %d", name,
                            row);
        enum dls_status status = check_row(A, row, name, err);
        if (status) return status;
    }
    return DLS_OK;
}

static enum dls_status check_sizes(const struct dls_problem *p, struct dls_error *err)
{
    if (p->rolling ? p->d != 3 && p->d != 5 : p->d < 1 || p->d > 3)
        return dls_fail(err, DLS_EINVAL, "spacedim: %d rows a contact %s rolling", p->d,
                        p->rolling ? "with" : "without");
    if (p->contacts < 0 || p->contacts > INT_MAX / p->d || p->m != p->contacts * p->d)
        return dls_fail(err, DLS_EINVAL, "m: %d rows for %d contacts of %d", p->m,
                        p->contacts, p->d);
    if (p->n < 0) return dls_fail(err, DLS_EINVAL, "n: %d velocities", p->n);
    if (p->joints < 0) return dls_fail(err, DLS_EINVAL, "b: %d joints", p->joints);
    if (!p->M == !p->W)
        return dls_fail(err, DLS_EINVAL, "M, W: exactly one of them must be given");
    return DLS_OK;
}

static enum dls_status check_matrices(const struct dls_problem *p,
                                      struct dls_error *err)
{
    const struct {
        const char *name;
        const struct dls_csr *A;
        int rows, cols;
        bool global, needed;
    } all[] = {
        {"M", p->M, p->n, p->n, true, true},
        {"H", p->H, p->m, p->n, true, true},
        {"G", p->G, p->joints, p->n, true, p->joints > 0},
        {"W", p->W, p->m, p->m, false, true},
        {"V", p->V, p->m, p->joints, false, p->joints > 0},
        {"R", p->R, p->joints, p->joints, false, p->joints > 0},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].global != dls_problem_is_global(p)) {
            if (all[k].A)
                return dls_fail(err, DLS_EINVAL, "%s: has no place in a %s problem",
                                all[k].name, all[k].global ? "local" : "global");
            continue;
        }
        if (!all[k].A && !all[k].needed) continue;
        enum dls_status status =
            check_matrix(all[k].A, all[k].name, all[k].rows, all[k].cols, err);
        if (status) return status;
    }
    return DLS_OK;
}

static enum dls_status check_vectors(const struct dls_problem *p, struct dls_error *err)
{
    bool global = dls_problem_is_global(p);
    const struct field all[] = {
        {"mu", p->mu, p->contacts, true, 0, INFINITY},
        {"mu_r", p->mu_r, p->contacts, p->rolling, 0, INFINITY},
        {"mu_2", p->mu_2, p->contacts, false, 0, INFINITY},
        {"f", p->f, p->n, global, -INFINITY, INFINITY},
        {"w", p->w, p->m, global, -INFINITY, INFINITY},
        {"b", p->b, p->joints, global, -INFINITY, INFINITY},
        {"q", p->q, p->m, !global, -INFINITY, INFINITY},
        {"s", p->s, p->joints, !global, -INFINITY, INFINITY},
        {"v_minus", p->v_minus, p->n, false, -INFINITY, INFINITY},
        {"u_minus", p->u_minus, p->m, false, -INFINITY, INFINITY},
        {"w_ob", p->w_ob, p->m, false, -INFINITY, INFINITY},
        {"e_n", p->e_n, p->contacts, false, 0, 1},
        {"e_t", p->e_t, p->contacts, false, 0, 1},
        {"hF", p->hF, p->n, false, -INFINITY, INFINITY},
        {"gap", p->gap, p->contacts, false, -INFINITY, INFINITY},
        {"position", p->position, 3 * p->contacts, false, -INFINITY, INFINITY},
        {"solution/r", p->solution_r, p->m, false, -INFINITY, INFINITY},
        {"guesses/1/r", p->guess_r, p->m, false, -INFINITY, INFINITY},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        enum dls_status status = check_field(&all[k], err);
        if (status) return status;
    }
    if (p->mu_2 && (p->d != 3 || p->rolling))
        return dls_fail(err, DLS_EINVAL,
                        "mu_2: elliptic cones have two tangents and no rolling rows");
    for (int k = 0; p->mu_2 && k < p->contacts; k++)
        if (!(p->mu[k] > 0 && p->mu_2[k] > 0))
            return dls_fail(err, DLS_EINVAL,
                            "mu_2: %g beside mu = %g at contact %d; both must be > 0",
                            p->mu_2[k], p->mu[k], k);
    if (isinf(p->time)) return dls_fail(err, DLS_EINVAL, "time: %g", p->time);
    if (isinf(p->step)) return dls_fail(err, DLS_EINVAL, "step: %g", p->step);
    return DLS_OK;
}

static enum dls_status check_bodies(const struct dls_problem *p, struct dls_error *err)
{
    if (p->bodies < 0) return dls_fail(err, DLS_EINVAL, "bodies: %d", p->bodies);
    if (p->body_start) {
        const int *start = p->body_start;
        if (start[0] != 0)
            return dls_fail(err, DLS_EINVAL, "bodies: the first starts at %d",
                            start[0]);
        for (int k = 0; k < p->bodies; k++)
            if (start[k + 1] < start[k])
                return dls_fail(err, DLS_EINVAL,
                                "bodies: body %d ends before it starts", k);
        if (dls_problem_is_global(p) && start[p->bodies] != p->n)
            return dls_fail(err, DLS_EINVAL, "bodies: the last ends at %d of %d",
                            start[p->bodies], p->n);
    }
    int above = p->bodies ? p->bodies : INT_MAX;
    for (int k = 0; p->body_pair && k < 2 * p->contacts; k++)
        if (p->body_pair[k] < -1 || p->body_pair[k] >= above)
            return dls_fail(err, DLS_EINVAL, "body_pair: contact %d has body %d of %d",
                            k / 2, p->body_pair[k], p->bodies);
    return DLS_OK;
}

enum dls_status dls_problem_check(const struct dls_problem *p, struct dls_error *err)
{
    if (!p) return dls_fail(err, DLS_EINVAL, "no problem");
    enum dls_status status = check_sizes(p, err);
    if (!status) status = check_matrices(p, err);
    if (!status) status = check_vectors(p, err);
    if (!status) status = check_bodies(p, err);
    return status;
}
