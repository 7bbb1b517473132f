// SPDX-License-Identifier: Apache-2.0
// The law of collisions of [DalPontDimnet2008]: the percussion answers to the mean of
// the velocities before and after.
//
//     minimise  Y.M Y + sum_a phi_a(u_bar_a) - (2 M v^- + hF).Y,   Y = (v^- + v^+) / 2,
//     subject to  u_bar_N >= u_N^- / 2  at each contact,  that is u_N^+ >= 0,
//
// u_bar = H Y + w_ob; joints G v^+ + b = 0 are kept. Potentials:
//
//     quadratic  k_N u_bar_N^2 / 2 + k_T |u_bar_T|^2 / 2     (the paper's K is k / 4)
//     Tresca     G |u_bar_T|, G given
//     Coulomb    G = mu r_N, r_N the total normal percussion (not a potential any more)
//
// With multipliers z = (lambda, s) and K = diag(k_N, k_T, k_T) the conditions are
//
//     (2M + H^T K H) Y = 2 M v^- + hF - H^T K w_ob + H^T z,   r = z - K u_bar,
//     0 <= lambda ⟂ F_N = u_bar_N - u_N^- / 2 >= 0,
//     s in the disk B(G), -F_T = -u_bar_T in its normal cone at s.
//
// Without potentials this is Moreau's law with restitution (e_n, e_t) = (0, 1), and 2 F
// is the judge's u for such a file: the own residual |z - P(z - 2 F)| / |2 F at z = 0|
// goes to zero with the Coulomb one. In all other cases it is another law, and labelled
// so. A potential k_N also pulls (r_N < 0) where u_bar_N > 0.
//
// The paper's inequality of Clausius and Duhem, r . u_bar <= 0 at each contact with
// u_N^- <= 0, follows from the conditions.
#include "formulations/acd2.h"

#include <math.h>
#include <string.h>

enum { LARGEST_D = 3 };

static const struct dls_option options[] = {
    DLS_REAL(dls_acd2_options, k_N, 0, 0, 1e300, "stiffness of the normal potential"),
    DLS_REAL(dls_acd2_options, k_T, 0, 0, 1e300,
             "stiffness of the tangential potential"),
    DLS_CHOICE(dls_acd2_options, friction, DLS_ACD2_COULOMB, "coulomb|tresca",
               "threshold of friction: mu r_N, or G"),
    DLS_REAL(dls_acd2_options, G, 0, 0, 1e300, "Tresca's threshold at each contact"),
    {0},
};

double dls_acd2_stiffness(const struct dls_acd2 *f, int row)
{
    return row % f->problem->d ? f->law.k_T : f->law.k_N;
}

static bool quadratic(const struct dls_acd2 *f)
{
    return f->law.k_N > 0 || f->law.k_T > 0;
}

// F = (u_bar_N - u_N^- / 2, u_bar_T) at contact a, entry i of d.
static double gradient(const struct dls_acd2 *f, const double *u_bar, int a, int i)
{
    int row = a * f->problem->d + i;
    return u_bar[row] - (i ? 0 : 0.5 * f->u_minus[row]);
}

// --- build ---------------------------------------------------------------------------

// 2M + H^T K H; NULL when memory runs out.
static struct dls_csr *stiff_matrix(const struct dls_acd2 *f, struct dls_arena *a)
{
    const struct dls_csr *M = f->problem->M, *H = f->problem->H;
    int count = dls_csr_count(M), to = 0;
    for (int row = 0; row < H->rows; row++)
        if (dls_acd2_stiffness(f, row) > 0)
            count += (H->p[row + 1] - H->p[row]) * (H->p[row + 1] - H->p[row]);
    struct dls_arena scratch = dls_arena_scratch(a);
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    if (scratch.failed) return dls_arena_free(&scratch), NULL;
    for (int row = 0; row < M->rows; row++)
        for (int k = M->p[row]; k < M->p[row + 1]; k++, to++)
            i[to] = row, j[to] = M->j[k], x[to] = 2 * M->x[k];
    for (int row = 0; row < H->rows; row++) {
        if (!(dls_acd2_stiffness(f, row) > 0)) continue;
        for (int k = H->p[row]; k < H->p[row + 1]; k++)
            for (int l = H->p[row]; l < H->p[row + 1]; l++, to++) {
                i[to] = H->j[k], j[to] = H->j[l];
                x[to] = dls_acd2_stiffness(f, row) * (H->x[k] * H->x[l]);
            }
    }
    struct dls_csr *A = dls_csr_from_triplets(M->rows, M->rows, count, i, j, x, a);
    dls_arena_free(&scratch);
    return A;
}

static enum dls_status check(const struct dls_problem *p, struct dls_error *err)
{
    if (!dls_problem_is_global(p) || !p->v_minus)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "the A-CD2 law needs M, H, v^- and the external percussion; "
                        "this file has no %s",
                        dls_problem_is_global(p) ? "v^-" : "M, H");
    if (p->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "the A-CD2 law has no rolling rows");
    return DLS_OK;
}

// u^- = H v^- + w_ob and the right-hand sides.
static void fill(struct dls_acd2 *f)
{
    const struct dls_problem *p = f->problem;
    if (p->w_ob) memcpy(f->u_minus, p->w_ob, (size_t)p->m * sizeof *f->u_minus);
    dls_csr_add(p->H, 1, p->v_minus, f->u_minus);
    // 2 M v^- + hF, where hF = f - M v^- unless the file gives it.
    memcpy(f->load, p->hF ? p->hF : p->f, (size_t)p->n * sizeof *f->load);
    dls_csr_add(p->M, p->hF ? 2 : 1, p->v_minus, f->load);
    for (int i = 0; i < p->m; i++)
        f->u_bar[i] = p->w_ob ? dls_acd2_stiffness(f, i) * p->w_ob[i] : 0;
    dls_csr_add_transposed(p->H, -1, f->u_bar, f->load);
    if (p->joints) dls_csr_add(p->G, 0.5, p->v_minus, f->joint_load);
    for (int k = 0; k < p->joints; k++) f->joint_load[k] -= 0.5 * p->b[k];
}

// |2 F| at z = 0, or 1 where that vanishes; `zero` has m entries, all zero.
static double free_norm(const struct dls_acd2 *f, const double *zero)
{
    const struct dls_problem *p = f->problem;
    double sum = 0;
    dls_acd2_mean(f, zero, f->u_bar);
    for (int i = 0; i < p->m; i++) {
        double F = gradient(f, f->u_bar, i / p->d, i % p->d);
        sum += 4 * F * F;
    }
    return sqrt(sum) > 1e-300 ? sqrt(sum) : 1;
}

// True when the file's own law is this one: w as restitution (0, 1) makes it. Tangents
// count where there is friction; 1e-14 is the round-off of whoever computed w.
static bool moreau(const struct dls_acd2 *f)
{
    const struct dls_problem *p = f->problem;
    for (int i = 0; i < p->m; i++) {
        double w_ob = p->w_ob ? p->w_ob[i] : 0, bounce = i % p->d ? f->u_minus[i] : 0;
        bool counts = i % p->d == 0 || p->mu[i / p->d] > 0;
        double size = fabs(w_ob) + fabs(f->u_minus[i]);
        if (counts && fabs(p->w[i] - (w_ob + bounce)) > 1e-14 * size) return false;
    }
    return true;
}

// How the law differs from the file's, or NULL.
static const char *label(const struct dls_acd2 *f)
{
    if (f->law.friction == DLS_ACD2_TRESCA)
        return quadratic(f) ? "A-CD2 law, quadratic potential, Tresca threshold"
                            : "A-CD2 law, Tresca threshold";
    if (quadratic(f)) return "A-CD2 law, quadratic potential";
    return moreau(f) ? NULL : "A-CD2 law, restitution (0, 1)";
}

static enum dls_status allocate(struct dls_acd2 *f, struct dls_arena *a)
{
    const struct dls_problem *p = f->problem;
    f->u_minus = DLS_NEW(a, double, p->m);
    f->u_bar = DLS_NEW(a, double, p->m);
    f->G = DLS_NEW(a, double, p->contacts);
    f->load = DLS_NEW(a, double, p->n);
    f->joint_load = DLS_NEW(a, double, p->joints);
    f->Y = DLS_NEW(a, double, p->n);
    f->y = DLS_NEW(a, double, p->n);
    f->stiff = *p;
    if (quadratic(f)) f->stiff.M = stiff_matrix(f, a);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check(p, err);
    if (status) return status;
    struct dls_acd2 *f = *form = DLS_NEW(a, struct dls_acd2, 1);
    if (a->failed) return DLS_ENOMEM;
    f->problem = p;
    f->law = *(const struct dls_acd2_options *)opt;
    status = allocate(f, a);
    if (!status) status = dls_inertia_take(&f->mass, p, a, err);
    if (!status && quadratic(f))
        status = dls_inertia_create(&f->system, &f->stiff, a, err);
    if (status) return status;
    if (!f->mass->symmetric)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "the A-CD2 law minimises Y.M Y, and M is not symmetric");
    struct dls_arena scratch = dls_arena_scratch(a);
    double *zero = DLS_NEW(&scratch, double, p->m);
    if (zero) {
        fill(f);
        f->label = label(f);
        f->norm = free_norm(f, zero);
    }
    dls_arena_free(&scratch);
    return zero ? DLS_OK : DLS_ENOMEM;
}

static void destroy(void *form)
{
    struct dls_acd2 *f = form;
    dls_inertia_destroy(f->system);
    if (f->mass) dls_inertia_drop(f->mass, f->problem);
}

// --- the law -------------------------------------------------------------------------

// (2M + H^T K H) Y = y, by the factor of M where K = 0: y is halved then.
static void solve(const struct dls_acd2 *f, double *y, const double *joint_load)
{
    if (!f->system)
        for (int i = 0; i < f->problem->n; i++) y[i] *= 0.5;
    dls_inertia_solve(f->system ? f->system : f->mass, y, joint_load, f->Y, NULL);
}

void dls_acd2_response(const struct dls_acd2 *f, const double *x, double *u)
{
    const struct dls_problem *p = f->problem;
    memset(f->y, 0, (size_t)p->n * sizeof *f->y);
    dls_csr_add_transposed(p->H, 1, x, f->y);
    solve(f, f->y, NULL);
    memset(u, 0, (size_t)p->m * sizeof *u);
    dls_csr_add(p->H, 1, f->Y, u);
}

// u_bar = H Y + w_ob
static void local_mean(const struct dls_acd2 *f, double *u_bar)
{
    const struct dls_problem *p = f->problem;
    for (int i = 0; i < p->m; i++) u_bar[i] = p->w_ob ? p->w_ob[i] : 0;
    dls_csr_add(p->H, 1, f->Y, u_bar);
}

void dls_acd2_mean(const struct dls_acd2 *f, const double *z, double *u_bar)
{
    const struct dls_problem *p = f->problem;
    memcpy(f->y, f->load, (size_t)p->n * sizeof *f->y);
    dls_csr_add_transposed(p->H, 1, z, f->y);
    solve(f, f->y, f->joint_load);
    local_mean(f, u_bar);
}

void dls_acd2_thresholds(const struct dls_acd2 *f, const double *z, const double *u_bar,
                         double *G)
{
    const struct dls_problem *p = f->problem;
    for (int a = 0; a < p->contacts; a++) {
        double r_N = z[a * p->d] - f->law.k_N * u_bar[a * p->d];
        G[a] = f->law.friction == DLS_ACD2_TRESCA ? f->law.G
                                                  : p->mu[a] * (r_N > 0 ? r_N : 0);
    }
}

// y <- (max(0, y_N), y_T shortened to G); G may be infinite.
static void project(int d, double G, double *y)
{
    double sum = 0;
    if (!(y[0] > 0)) y[0] = 0;
    for (int i = 1; i < d; i++) sum += y[i] * y[i];
    if (sum <= G * G) return;
    for (int i = 1; i < d; i++) y[i] *= G / sqrt(sum);
}

void dls_acd2_update(const struct dls_acd2 *f, const double *rho, const double *y,
                     const double *u_bar, const double *G, double *z)
{
    int d = f->problem->d;
    for (int a = 0; a < f->problem->contacts; a++) {
        for (int i = 0; i < d; i++)
            z[a * d + i] = y[a * d + i] - rho[a * d + i] * gradient(f, u_bar, a, i);
        project(d, G[a], z + a * d);
    }
}

double dls_acd2_defect(const struct dls_acd2 *f, const double *z, const double *u_bar,
                       const double *G)
{
    int d = f->problem->d;
    double sum = 0, y[LARGEST_D];
    for (int a = 0; a < f->problem->contacts; a++) {
        for (int i = 0; i < d; i++) y[i] = z[a * d + i] - 2 * gradient(f, u_bar, a, i);
        project(d, G[a], y);
        for (int i = 0; i < d; i++)
            sum += (z[a * d + i] - y[i]) * (z[a * d + i] - y[i]);
    }
    return sqrt(sum) / f->norm;
}

struct dls_acd2_verdict dls_acd2_judge(const struct dls_acd2 *f, const double *z,
                                       const double *u_bar)
{
    int d = f->problem->d;
    struct dls_acd2_verdict verdict = {0};
    double worst = 0, largest = 0; // of r . u_bar, of |r|^2
    for (int a = 0; a < f->problem->contacts; a++) {
        double work = 0, square = 0;
        for (int i = a * d; i < a * d + d; i++) {
            double r = z[i] - dls_acd2_stiffness(f, i) * u_bar[i];
            work += r * u_bar[i];
            square += r * r;
        }
        largest = fmax(largest, square);
        if (f->u_minus[a * d] <= 0) worst = fmax(worst, work);
        verdict.pulls += z[a * d] < f->law.k_N * u_bar[a * d];
    }
    if (worst > 0) verdict.worst = worst / (sqrt(largest) * f->norm);
    return verdict;
}

// --- interface -----------------------------------------------------------------------

static int size(const void *form)
{
    return ((const struct dls_acd2 *)form)->problem->m;
}

// z = r + K u_bar, u_bar of the motion that the percussions r give:
// 2 M (Y - v^-) = hF + H^T r, that is M Y = load / 2 + H^T (r + K w_ob) / 2.
static void start(const void *form, const double *r, double *z)
{
    const struct dls_acd2 *f = form;
    const struct dls_problem *p = f->problem;
    memcpy(z, r, (size_t)p->m * sizeof *z);
    if (!f->system) return;
    for (int i = 0; i < p->m; i++)
        f->u_bar[i] =
            0.5 * (r[i] + (p->w_ob ? dls_acd2_stiffness(f, i) * p->w_ob[i] : 0));
    for (int i = 0; i < p->n; i++) f->y[i] = 0.5 * f->load[i];
    dls_csr_add_transposed(p->H, 1, f->u_bar, f->y);
    dls_inertia_solve(f->mass, f->y, f->joint_load, f->Y, NULL);
    local_mean(f, f->u_bar);
    for (int i = 0; i < p->m; i++) z[i] += dls_acd2_stiffness(f, i) * f->u_bar[i];
}

// r = z - K u_bar
static void lift(const void *form, const double *z, double *r)
{
    const struct dls_acd2 *f = form;
    memcpy(r, z, (size_t)f->problem->m * sizeof *r);
    if (!f->system) return;
    dls_acd2_mean(f, z, f->u_bar);
    for (int i = 0; i < f->problem->m; i++)
        r[i] -= dls_acd2_stiffness(f, i) * f->u_bar[i];
}

static double residual(const void *form, const double *z)
{
    const struct dls_acd2 *f = form;
    dls_acd2_mean(f, z, f->u_bar);
    dls_acd2_thresholds(f, z, f->u_bar, f->G);
    return dls_acd2_defect(f, z, f->u_bar, f->G);
}

static const char *relaxes(const void *form)
{
    return ((const struct dls_acd2 *)form)->label;
}

const struct dls_formulation dls_formulation_acd2 = {
    .name = "acd2",
    .brief = "the A-CD2 law on the mean velocity, with potentials; needs v^-",
    .own_law = true,
    .options = options,
    .options_size = sizeof(struct dls_acd2_options),
    .build = build,
    .size = size,
    .start = start,
    .lift = lift,
    .residual = residual,
    .relaxes = relaxes,
    .destroy = destroy,
};
