// SPDX-License-Identifier: Apache-2.0
// Problems whose answer is known because it was chosen first: pick r and u per contact in
// the states open, stick and slip, then set q = u - W r; and impacts with closed forms.
#include "tests/support/zoo.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

// --- helpers --------------------------------------------------------------------------

static struct dls_csr *dense(int rows, int cols, const double *x, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int *i = DLS_NEW(&scratch, int, rows *cols),
        *j = DLS_NEW(&scratch, int, rows *cols);
    double *y = DLS_NEW(&scratch, double, rows *cols);
    int count = 0;
    for (int k = 0; k < rows * cols; k++)
        if (x[k] != 0) i[count] = k / cols, j[count] = k % cols, y[count++] = x[k];
    struct dls_csr *A = dls_csr_from_triplets(rows, cols, count, i, j, y, a);
    dls_arena_free(&scratch);
    return A;
}

static struct dls_problem sized(int contacts, int d, double mu, struct dls_arena *a)
{
    struct dls_problem p = {
        .contacts = contacts,
        .d = d,
        .m = contacts * d,
        .mu = DLS_NEW(a, double, contacts),
        .time = NAN,
        .step = NAN,
    };
    for (int c = 0; c < contacts; c++) p.mu[c] = mu;
    return p;
}

// A known state per contact, open, stick and slip in turn.
static void choose(const struct dls_problem *p, struct dls_rng *g, double *r, double *u)
{
    for (int c = 0; c < p->contacts; c++) {
        double *r_c = r + c * p->d, *u_c = u + c * p->d, mu = p->mu[c];
        double angle = dls_rng_range(g, 0, 6.28), size = dls_rng_range(g, 0.5, 2);
        double t[2] = {cos(angle), sin(angle)};
        if (p->d == 2) t[0] = t[0] < 0 ? -1 : 1;
        int state = p->d == 1 || mu == 0 ? 2 * (c % 2) : c % 3;
        r_c[0] = state ? size : 0;
        u_c[0] = state ? 0 : size;
        for (int i = 1; i < p->d; i++) {
            if (state == 0) u_c[i] = t[i - 1];
            if (state == 1) r_c[i] = 0.6 * mu * size * t[i - 1];
            if (state == 2) r_c[i] = mu * size * t[i - 1], u_c[i] = -0.7 * t[i - 1];
        }
    }
}

// W = I + c S with S random of spectral norm below 1 (symmetric, or not).
static double *near_identity(int m, double c, bool symmetric, struct dls_rng *g,
                             struct dls_arena *a)
{
    double *W = DLS_NEW(a, double, m *m), bound = sqrt((double)m) * 1.2;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            W[i * m + j] = c * dls_rng_range(g, -1, 1) / bound;
            W[j * m + i] =
                symmetric ? W[i * m + j] : c * dls_rng_range(g, -1, 1) / bound;
            if (i == j) W[i * m + j] += 1;
        }
    return W;
}

static void local(struct dls_problem *p, const double *W, double **r, double **u,
                  uint64_t seed, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(seed);
    *r = DLS_NEW(a, double, p->m);
    *u = DLS_NEW(a, double, p->m);
    choose(p, &g, *r, *u);
    p->W = dense(p->m, p->m, W, a);
    p->q = dls_copy(a, *u, (size_t)p->m, sizeof **u);
    dls_csr_add(p->W, -1, *r, p->q); // q = u - W r
}

static void mixed(struct dls_problem *p, int contacts, int d, double mu, bool symmetric,
                  double **r, double **u, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed((uint64_t)(100 * contacts + d));
    *p = sized(contacts, d, mu, a);
    local(p, near_identity(p->m, 0.3, symmetric, &g, a), r, u, 7, a);
}

// --- the animals ----------------------------------------------------------------------

static void mixed_2d(struct dls_problem *p, double **r, double **u, struct dls_arena *a)
{
    mixed(p, 12, 2, 0.5, true, r, u, a);
}
static void mixed_3d(struct dls_problem *p, double **r, double **u, struct dls_arena *a)
{
    mixed(p, 12, 3, 0.5, true, r, u, a);
}
static void unsymmetric_3d(struct dls_problem *p, double **r, double **u,
                           struct dls_arena *a)
{
    mixed(p, 9, 3, 0.4, false, r, u, a);
}
static void frictionless_3d(struct dls_problem *p, double **r, double **u,
                            struct dls_arena *a)
{
    mixed(p, 10, 3, 0, true, r, u, a);
}
static void lcp(struct dls_problem *p, double **r, double **u, struct dls_arena *a)
{
    mixed(p, 15, 1, 0, true, r, u, a);
}
static void one_2d(struct dls_problem *p, double **r, double **u, struct dls_arena *a)
{
    const double W[] = {2.5, 1.5, 1.5,
                        2.5}; // the generator's rod at rest after the shock
    *p = sized(1, 2, 0.6, a);
    local(p, W, r, u, 3, a);
    const double q[] = {-1, -0.5}, answer[] = {0.4375, -0.0625};
    memcpy(p->q, q, sizeof q); // stick: r = -W^-1 q, |r_T| = r_N / 7
    memcpy(*r, answer, sizeof answer);
    memset(*u, 0, 2 * sizeof **u);
}
static void empty(struct dls_problem *p, double **r, double **u, struct dls_arena *a)
{
    *p = sized(0, 3, 0, a);
    local(p, (const double[]){0}, r, u, 1, a);
}

// Bodies of 6 velocities, each contact between two neighbours in a ring or the ground;
// more velocities than rows, so that W has full rank.
static void bodies_3d(struct dls_problem *p, double **r, double **u,
                      struct dls_arena *a)
{
    enum { BODIES = 8, CONTACTS = 9, D = 3, N = 6 * BODIES, M = CONTACTS * D };
    struct dls_rng g = dls_rng_seed(11);
    double *M_x = DLS_NEW(a, double, N *N), *H_x = DLS_NEW(a, double, M *N);
    *p = sized(CONTACTS, D, 0.3, a);
    p->n = N;
    for (int i = 0; i < N; i++) M_x[i * (N + 1)] = i % 6 < 3 ? 1 + 0.1 * (i / 6) : 0.4;
    for (int c = 0; c < CONTACTS; c++)
        for (int i = 0; i < D; i++)
            for (int k = 0; k < 12; k++) {
                int body = (c + k / 6) % BODIES, s = k % 6;
                if (c == BODIES && k >= 6) continue; // the last one touches the ground
                double unit = s == i ? (k < 6 ? 1 : -1) : 0;
                H_x[(c * D + i) * N + 6 * body + s] +=
                    s < 3 ? unit : 0.2 * dls_rng_range(&g, -1, 1);
            }
    p->M = dense(N, N, M_x, a);
    p->H = dense(M, N, H_x, a);
    p->f = DLS_NEW(a, double, N);
    p->w = DLS_NEW(a, double, M);
    *r = DLS_NEW(a, double, M);
    *u = DLS_NEW(a, double, M);
    choose(p, &g, *r, *u);
    for (int i = 0; i < N; i++) p->f[i] = dls_rng_range(&g, -1, 1);
    double *v = dls_copy(a, p->f, N, sizeof *v);
    dls_csr_add_transposed(p->H, 1, *r, v); // M v = f + H^T r, M diagonal
    for (int i = 0; i < N; i++) v[i] /= M_x[i * (N + 1)];
    memcpy(p->w, *u, M * sizeof *p->w);
    dls_csr_add(p->H, -1, v, p->w); // w = u - H v
}

// T14: four legs, r = m g h / 4 each up to (1, -1, 1, -1); u = 0 is unique, r is not.
static void four_legs(struct dls_problem *p, double **r, double **u,
                      struct dls_arena *a)
{
    enum { N = 6, M = 12 };
    double M_x[N * N] = {0}, H_x[M * N] = {0};
    const double inertia[] = {4, 4, 4, 0.5, 0.5, 0.9};
    *p = sized(4, 3, 0.5, a);
    p->n = N;
    for (int i = 0; i < N; i++) M_x[i * (N + 1)] = inertia[i];
    for (int c = 0; c < 4; c++) { // foot at (x, y, z); rows z, x, y; velocity v + w x l
        double x = c % 3 ? -1 : 1, y = c < 2 ? 1 : -1, z = -0.5;
        double *row = H_x + c * 3 * N;
        row[2] = 1, row[3] = y, row[4] = -x;
        row[N] = 1, row[N + 4] = z, row[N + 5] = -y;
        row[2 * N + 1] = 1, row[2 * N + 3] = -z, row[2 * N + 5] = x;
    }
    p->M = dense(N, N, M_x, a);
    p->H = dense(M, N, H_x, a);
    p->f = DLS_NEW(a, double, N);
    p->w = DLS_NEW(a, double, M);
    p->f[2] = -4 * 9.81e-2;
    *r = DLS_NEW(a, double, M);
    *u = DLS_NEW(a, double, M);
    for (int c = 0; c < 4; c++) (*r)[3 * c] = 9.81e-2;
}

const struct zoo_animal zoo[] = {
    {"mixed-2d", mixed_2d, true},
    {"mixed-3d", mixed_3d, true},
    {"unsymmetric-3d", unsymmetric_3d, false},
    {"frictionless-3d", frictionless_3d, true},
    {"lcp", lcp, true},
    {"one-2d", one_2d, true},
    {"bodies-3d", bodies_3d, true},
    {"four-legs", four_legs, true},
    {"empty", empty, true},
    {NULL, NULL, false},
};

// --- an independent residual ----------------------------------------------------------

static double *full(const struct dls_csr *A, struct dls_arena *a)
{
    double *x = DLS_NEW(a, double, A->rows * A->cols);
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) x[i * A->cols + A->j[k]] += A->x[k];
    return x;
}

// u = W r + q, with r = NULL for zero.
static void local_velocity(const struct dls_problem *p, const double *r, double *u,
                           struct dls_arena *a)
{
    int m = p->m, n = p->n;
    if (p->W) {
        double *W = full(p->W, a);
        for (int i = 0; i < m; i++) {
            u[i] = p->q[i];
            for (int j = 0; r && j < m; j++) u[i] += W[i * m + j] * r[j];
        }
        return;
    }
    double *M = full(p->M, a), *H = full(p->H, a), *v = DLS_NEW(a, double, n);
    int *pivot = DLS_NEW(a, int, n);
    for (int i = 0; i < n; i++) {
        v[i] = p->f[i];
        for (int j = 0; r && j < m; j++) v[i] += H[j * n + i] * r[j];
    }
    LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, M, n, pivot, v, 1);
    for (int i = 0; i < m; i++) {
        u[i] = p->w[i];
        for (int j = 0; j < n; j++) u[i] += H[i * n + j] * v[j];
    }
}

// |r - P_K(r - u~)|^2 of one contact.
static double natural_map(int d, double mu, const double *r, const double *u)
{
    double ut = 0, yt = 0, y[3], sum = 0;
    for (int i = 1; i < d; i++) ut += u[i] * u[i];
    for (int i = 0; i < d; i++) y[i] = r[i] - u[i];
    y[0] -= mu * sqrt(ut);
    for (int i = 1; i < d; i++) yt += y[i] * y[i];
    yt = sqrt(yt);
    double keep = 1, normal = y[0];
    if (mu * yt <= -y[0]) {
        keep = normal = 0;
    } else if (yt > mu * y[0]) {
        normal = (y[0] + mu * yt) / (1 + mu * mu);
        keep = mu * normal / yt;
    }
    sum = (r[0] - normal) * (r[0] - normal);
    for (int i = 1; i < d; i++) sum += (r[i] - keep * y[i]) * (r[i] - keep * y[i]);
    return sum;
}

double zoo_natural(const struct dls_problem *p, const double *r, double *u_out)
{
    struct dls_arena a = {0};
    double *u = DLS_NEW(&a, double, p->m), *q = DLS_NEW(&a, double, p->m);
    double sum = 0, norm_q = 0;
    local_velocity(p, NULL, q, &a);
    local_velocity(p, r, u, &a);
    for (int c = 0; c < p->contacts; c++)
        sum += natural_map(p->d, p->mu[c], r + c * p->d, u + c * p->d);
    for (int i = 0; i < p->m; i++) norm_q += q[i] * q[i];
    if (u_out && p->m) memcpy(u_out, u, (size_t)p->m * sizeof *u);
    dls_arena_free(&a);
    return norm_q > 0 ? sqrt(sum / norm_q) : sqrt(sum);
}
