// SPDX-License-Identifier: Apache-2.0
// Which back end solves a linear system of contacts.
//
// 1. In the contacts: Cholesky factors where everything is symmetric, else LU. This is always
//    possible, and takes over where the others fail.
// 2. In the velocities behind W: where these are known, N is regular, and less time is
//    predicted than in those contacts that have F other than 0.
// 3. By iteration: where two digits will do, the contacts are not many more than the
//    velocities, a factorisation would take too many operations, and the shift is larger
//    than any with which the iteration has failed.
//
// Answers in the velocities are refined with A itself, those in the contacts where the form
// says so: x <- x + (back end)(b - A x), until the rest is small or does not halve.
#include "solvers/linear/linear_system.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

static const double dear = 1e9; // operations of a second: then an iteration is tried
// Seen: what an operation takes in UMFPACK, whose pivots are not known beforehand, over what
// it takes in fronts of a known pattern.
static const double lu_slower = 2;
// Seen: the ratio of operations goes like this power of n / m, roughly.
static const double small_exponent = 2;
static const double loose_from = 0.6;   // n / m: above, W has few eigenvalues near zero
static const double most_entries = 5e8; // of factors: 4 GB

// --- creation -------------------------------------------------------------------------

static double norm_of(const struct dls_bsr *W)
{
    double largest = 0;
    for (int a = 0; a < W->rows; a++) {
        double sum = 0;
        for (int k = W->p[a]; k < W->p[a + 1]; k++) sum += dls_bsr_block_norm(W, k);
        largest = fmax(largest, sum);
    }
    return largest;
}

// Makes a back end; one that does not apply is left out.
static enum dls_status make(struct dls_linear_user *user, const struct dls_linear *by,
                            const struct dls_linear_form *form, struct dls_arena *a)
{
    user->by = by;
    enum dls_status status = by->create(&user->self, form, a);
    if (status == DLS_UNSUPPORTED) *user = (struct dls_linear_user){0};
    return status == DLS_UNSUPPORTED ? DLS_OK : status;
}

static void drop(struct dls_linear_user *user)
{
    if (user->self && user->by->destroy) user->by->destroy(user->self);
    *user = (struct dls_linear_user){0};
}

static enum dls_status cost_of(const struct dls_linear_user *user,
                               struct dls_linear_cost *cost)
{
    *cost = (struct dls_linear_cost){0};
    return user->self ? user->by->cost(user->self, cost) : DLS_OK;
}

// In a small system a prediction takes as long as a factorisation: the velocities are kept
// where they are fewer.
static void choose_by_size(struct dls_linear_system *s)
{
    double m = s->form.W->rows * s->form.W->d;
    s->ratio = pow(s->form.M->rows / m, small_exponent);
    if (s->ratio >= 1) drop(&s->velocities);
}

// Keeps the velocities where they are cheaper, an iteration where all factors are dear.
static enum dls_status choose(struct dls_linear_system *s, struct dls_arena *a,
                              struct dls_error *err)
{
    struct dls_linear_cost here, there;
    int m = s->form.W->rows * s->form.W->d;
    bool large = s->wish.rough ? m >= DLS_LINEAR_LARGE : (double)m * m > most_entries;
    if (!s->velocities.self && !large) return DLS_OK; // there is nothing to choose
    if (m < DLS_LINEAR_LARGE) return choose_by_size(s), DLS_OK;
    enum dls_status status = cost_of(&s->velocities, &there);
    if (status == DLS_OK) status = cost_of(&s->contacts, &here);
    if (status != DLS_OK) return status;
    if (s->velocities.self && there.operations >= here.operations) drop(&s->velocities);
    s->ratio = there.operations / here.operations;
    bool loose = !s->velocities.self || s->form.M->rows > loose_from * m;
    if (s->wish.rough)
        return loose && large && here.operations > dear
                   ? make(&s->iteration, &dls_linear_krylov, &s->form, a)
                   : DLS_OK;
    double entries = s->velocities.self ? there.entries : here.entries;
    if (entries > most_entries)
        return dls_fail(err, DLS_UNSUPPORTED, "the factors would have %.1e entries",
                        entries);
    return DLS_OK;
}

enum dls_status dls_linear_system_create(struct dls_linear_system *s,
                                         const struct dls_linear_form *form,
                                         const struct dls_linear_wish *wish,
                                         struct dls_arena *a, struct dls_error *err)
{
    size_t m = (size_t)form->W->rows * (size_t)form->W->d;
    double *vectors = DLS_NEW(a, double, 4 * m);
    *s = (struct dls_linear_system){
        .form = *form,
        .wish = *wish,
        .norm = wish->round_off > 0 ? norm_of(form->W) : 0,
        .rest = vectors,
    };
    if (a->failed) return DLS_ENOMEM;
    s->fix = vectors + m;
    s->work = vectors + 2 * m;
    if (!m) return DLS_OK;
    bool symmetric = form->W_symmetric && form->D_symmetric;
    enum dls_status status =
        make(&s->contacts, symmetric ? &dls_linear_cholesky : &dls_linear_lu, form, a);
    if (status == DLS_OK && form->H)
        status = make(&s->velocities, &dls_linear_condensed, form, a);
    return status == DLS_OK ? choose(s, a, err) : status;
}

void dls_linear_system_destroy(struct dls_linear_system *s)
{
    drop(&s->contacts);
    drop(&s->velocities);
    drop(&s->iteration);
}

// --- factors --------------------------------------------------------------------------

// The share of the contacts that take part.
static double closed_share(const struct dls_linear_system *s)
{
    int d = s->form.W->d, closed = 0;
    if (!s->values.F) return 1;
    for (int a = 0; a < s->form.W->rows; a++) {
        bool none = true;
        for (int k = 0; k < d * d && none; k++) none = s->values.F[a * d * d + k] == 0;
        closed += !none;
    }
    return closed / (double)s->form.W->rows;
}

// The pattern in the velocities stays whole, that of the contacts loses the open ones, and
// with them about the square of their share.
static bool cheaper_in_velocities(const struct dls_linear_system *s)
{
    double share = closed_share(s);
    return s->ratio < lu_slower * share * share;
}

static enum dls_status factor_by(struct dls_linear_system *s,
                                 struct dls_linear_user *user, double *rcond,
                                 struct dls_work *work)
{
    s->now = user;
    enum dls_status status = user->by->factor(user->self, &s->values, rcond, work);
    if (status == DLS_ENOMEM) s->out_of_memory = true;
    return status;
}

enum dls_status dls_linear_system_factor(struct dls_linear_system *s,
                                         const struct dls_linear_values *values,
                                         double *rcond, struct dls_work *work)
{
    s->values = *values;
    *rcond = 1;
    if (!s->contacts.self) return DLS_OK;
    if (s->iteration.self && values->shift > s->too_small) {
        enum dls_status status = factor_by(s, &s->iteration, rcond, work);
        if (status != DLS_OK || *rcond > 0) return status;
    }
    if (s->velocities.self && values->shift > 0 && cheaper_in_velocities(s)) {
        enum dls_status status = factor_by(s, &s->velocities, rcond, work);
        if (status != DLS_OK || *rcond > 0) return status;
    }
    return factor_by(s, &s->contacts, rcond, work);
}

int dls_linear_system_sign(const struct dls_linear_system *s)
{
    return s->now && s->now->by->sign ? s->now->by->sign(s->now->self) : 1;
}

// --- solves ---------------------------------------------------------------------------

// rest = b - A x; returns its length.
static double find_rest(struct dls_linear_system *s, const double *b, const double *x,
                        struct dls_work *work)
{
    int m = s->form.W->rows * s->form.W->d;
    memcpy(s->rest, b, (size_t)m * sizeof *b);
    dls_linear_add(&s->form, &s->values, -1, x, s->work, s->rest);
    work->products++;
    return sqrt(dls_dot(m, s->rest, s->rest));
}

// Solves for x and refines; returns the last rest, or infinity.
static double solve_refined(struct dls_linear_system *s, const double *b, double *x,
                            struct dls_work *work)
{
    const struct dls_linear_user *by = s->now;
    int m = s->form.W->rows * s->form.W->d;
    double size = sqrt(dls_dot(m, b, b)), before = INFINITY, rest = 0;
    if (!by->by->solve(by->self, b, x, work)) return INFINITY;
    for (int n = 0; n <= s->wish.refinements; n++) {
        rest = find_rest(s, b, x, work);
        if (!(rest > s->wish.small_rest * size && rest < 0.5 * before)) break;
        before = rest;
        if (!by->by->solve(by->self, s->rest, s->fix, work)) return INFINITY;
        dls_axpy(m, 1, s->fix, x);
    }
    return rest;
}

static bool is_good(const struct dls_linear_system *s, const double *b, const double *x,
                    double rest)
{
    int m = s->form.W->rows * s->form.W->d;
    return rest <= s->wish.large_rest * sqrt(dls_dot(m, b, b))
                       + s->wish.round_off * s->norm * sqrt(dls_dot(m, x, x));
}

// Whether factors in the contacts fit into memory. Where two digits will do this is not
// asked: a library that runs out of memory says so.
static bool fits(const struct dls_linear_system *s)
{
    struct dls_linear_cost cost;
    return s->wish.rough
           || (cost_of(&s->contacts, &cost) == DLS_OK && cost.entries < most_entries);
}

// Factors in the contacts after all; false where they are singular.
static bool fall_back(struct dls_linear_system *s, struct dls_work *work)
{
    double rcond;
    return factor_by(s, &s->contacts, &rcond, work) == DLS_OK && rcond > 0;
}

bool dls_linear_system_solve(struct dls_linear_system *s, const double *b, double *x,
                             struct dls_work *work)
{
    if (!s->contacts.self) return true;
    if (s->now == &s->iteration) {
        if (s->now->by->solve(s->now->self, b, x, work)) return true;
        s->too_small = s->values.shift;
        if (!fall_back(s, work)) return false;
    }
    if (s->now == &s->velocities) {
        double rest = solve_refined(s, b, x, work);
        if (is_good(s, b, x, rest)) return true;
        if (!fits(s)) return isfinite(rest); // nothing better is to be had
        if (!fall_back(s, work)) return false;
    }
    if (!s->form.refined) return s->now->by->solve(s->now->self, b, x, work);
    return isfinite(solve_refined(s, b, x, work));
}
