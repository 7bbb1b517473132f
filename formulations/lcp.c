// SPDX-License-Identifier: Apache-2.0
// Contact with friction as a linear complementarity problem, 0 <= z ⟂ A z + b >= 0.
//
// The disk |r_T| <= mu r_N becomes the polygon of directions d_1 ... d_k,
//
//     r_T = sum_i beta_i d_i,   beta >= 0,   sum_i beta_i <= mu r_N,
//
// and each contact with friction has the k + 2 unknowns z = (r_N, beta, lambda):
//
//     0 <= r_N    ⟂  u_N                        >= 0
//     0 <= beta_i ⟂  d_i . u_T + lambda         >= 0,    i = 1 ... k
//     0 <= lambda ⟂  mu r_N - sum_i beta_i      >= 0
//
// where lambda ends as max_i(-d_i . u_T), the speed of sliding. A contact with mu = 0
// has the unknown r_N alone, and d = 1 is the plain LCP A = W, b = q.
//
// Two directions, +1 and -1, make the law of plane friction *exact*, whatever W_NT is.
// In space it is a relaxation: r_T ends at a corner of the polygon, at an angle up to
// pi / k from -u_T, so that the natural residual falls like 1 / k and the bipotential
// gap r . u + mu r_N |u_T| = mu r_N |u_T| (1 - cos angle) like 1 / k^2. The corners lie
// on the circle (`inscribed`, the usual choice: never more friction than Coulomb's) or
// the sides touch it (`circumscribed`, |d_i| = 1 / cos(pi / k): it is never too weak).
//
// Method: the two classical ways to write the velocities.
//   stewart-trinkle [StewartTrinkle1996]: eliminated. With the rows of P, e_N and the
//     (0, d_i), A has the blocks P W P^T bordered by the rows of lambda; b = (P q, 0).
//   anitescu-potra [AnitescuPotra1997]: kept as unknowns without sign, W never formed:
//         M v - G^T g - H^T P^T z = f,   G v = -b_G,   P u = P (H v + w).
// z^T A z = sum mu r_N lambda + r . W r, or v . M v: A is copositive where W or M is
// positive semidefinite; Lemke's method then ends at an answer if bodies can have q.
//
// Cost: (k + 1)^2 entries for each block of W, or 2 (k + 1) for each row of H.
#include "formulations/lcp.h"

#include "base/rng.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { LARGEST_D = 3 };

static const struct dls_option lcp_options[] = {
    DLS_INT(dls_lcp_options, facets, 8, 3, 256, "corners of the friction polygon (3D)"),
    DLS_CHOICE(dls_lcp_options, form, DLS_LCP_STEWART_TRINKLE,
               "stewart-trinkle|anitescu-potra", "velocities eliminated or kept"),
    DLS_CHOICE(dls_lcp_options, polygon, DLS_LCP_INSCRIBED, "inscribed|circumscribed",
               "polygon inside or around the circle (3D)"),
    DLS_REAL(dls_lcp_options, rotation, 0, -7, 7, "turns every polygon, radians (3D)"),
    DLS_INT(dls_lcp_options, seed, 0, 0, INT_MAX,
            "above 0: turns each contact's polygon by a random angle (3D)"),
    {0},
};

// --- directions ----------------------------------------------------------------------

// The unknowns of each contact and its directions.
static enum dls_status lay_out(struct dls_lcp *f, const struct dls_lcp_options *o,
                               struct dls_arena *a)
{
    const struct dls_problem *p = f->problem;
    int t = p->d - 1;
    f->facets = t == 0 ? 0 : t == 1 ? 2 : o->facets;
    f->first = DLS_NEW(a, int, p->contacts + 1);
    f->directions = DLS_NEW(a, double, (size_t)p->contacts *(size_t)(f->facets * t));
    if (a->failed) return DLS_ENOMEM;
    double radius = o->polygon == DLS_LCP_INSCRIBED ? 1 : 1 / cos(acos(-1) / f->facets);
    struct dls_rng rng = dls_rng_seed((uint64_t)o->seed);
    double *D = f->directions;
    f->first[0] = f->free;
    for (int c = 0; c < p->contacts; c++) {
        bool friction = t > 0 && p->mu[c] > 0;
        f->first[c + 1] = f->first[c] + (friction ? f->facets + 2 : 1);
        double turn = o->rotation + (o->seed ? 2 * acos(-1) * dls_rng_real(&rng) : 0);
        for (int i = 0; t == 1 && i < f->facets; i++) *D++ = i ? -1 : 1;
        for (int i = 0; t == 2 && i < f->facets; i++) {
            double angle = turn + 2 * acos(-1) * i / f->facets;
            *D++ = radius * cos(angle), *D++ = radius * sin(angle);
        }
    }
    f->n = f->first[p->contacts];
    return DLS_OK;
}

static const double *direction(const struct dls_lcp *f, int a, int i)
{
    int t = f->problem->d - 1;
    return f->directions + ((size_t)a * (size_t)f->facets + (size_t)i) * (size_t)t;
}

// Row i of P at contact a: e_N for i = 0, (0, d_i) behind.
static void row_of_P(const struct dls_lcp *f, int a, int i, double p[LARGEST_D])
{
    p[0] = i == 0;
    for (int l = 1; l < f->problem->d; l++)
        p[l] = i ? direction(f, a, i - 1)[l - 1] : 0;
}

// --- assembly ------------------------------------------------------------------------

// Entries of A^T in any order.
struct entries {
    int count, *i, *j;
    double *x;
};

static bool entries_create(struct entries *e, long count, struct dls_arena *scratch)
{
    *e = (struct entries){
        .i = DLS_NEW(scratch, int, count),
        .j = DLS_NEW(scratch, int, count),
        .x = DLS_NEW(scratch, double, count),
    };
    return !scratch->failed;
}

static void put(struct entries *A, int row, int column, double x)
{
    if (x == 0) return;
    A->i[A->count] = column, A->j[A->count] = row;
    A->x[A->count++] = x;
}

// The block P_a W_ac P_c^T.
static void put_block(struct entries *A, const struct dls_lcp *f, int a, int c,
                      const double *W)
{
    int d = f->problem->d;
    double p[LARGEST_D], s[LARGEST_D];
    for (int j = 0; j <= dls_lcp_facets(f, c); j++) {
        row_of_P(f, c, j, p);
        for (int l = 0; l < d; l++) {
            s[l] = 0;
            for (int k = 0; k < d; k++) s[l] += W[l * d + k] * p[k];
        }
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) {
            double sum = 0, row[LARGEST_D];
            row_of_P(f, a, i, row);
            for (int l = 0; l < d; l++) sum += row[l] * s[l];
            put(A, f->first[a] + i, f->first[c] + j, sum);
        }
    }
}

// The rows and columns of lambda.
static void put_multipliers(struct entries *A, const struct dls_lcp *f)
{
    for (int a = 0; a < f->problem->contacts; a++) {
        int k = dls_lcp_facets(f, a), N = f->first[a], lambda = N + k + 1;
        if (!k) continue;
        put(A, lambda, N, f->problem->mu[a]);
        for (int i = 1; i <= k; i++)
            put(A, lambda, N + i, -1), put(A, N + i, lambda, 1);
    }
}

// b = P q (zero in the rows of lambda).
static void project(const struct dls_lcp *f, const double *q, double *b)
{
    int d = f->problem->d;
    double p[LARGEST_D];
    for (int a = 0; a < f->problem->contacts; a++)
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) {
            row_of_P(f, a, i, p);
            for (int l = 0; l < d; l++) b[f->first[a] + i] += p[l] * q[a * d + l];
        }
}

static enum dls_status assemble_eliminated(struct dls_lcp *f, struct dls_arena *a,
                                           struct dls_error *err)
{
    const struct dls_bsr *W = f->delassus.W;
    long count = 0;
    for (int c = 0; c < W->rows; c++) {
        count += 1 + 2 * dls_lcp_facets(f, c);
        for (int k = W->p[c]; k < W->p[c + 1]; k++)
            count += (1L + dls_lcp_facets(f, c)) * (1 + dls_lcp_facets(f, W->j[k]));
    }
    if (count > INT_MAX / 2)
        return dls_fail(err, DLS_UNSUPPORTED, "%ld entries with %d facets", count,
                        f->facets);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct entries A;
    if (entries_create(&A, count, &scratch)) {
        for (int c = 0; c < W->rows; c++)
            for (int k = W->p[c]; k < W->p[c + 1]; k++)
                put_block(&A, f, c, W->j[k], dls_bsr_block(W, k));
        put_multipliers(&A, f);
        f->columns = dls_csr_from_triplets(f->n, f->n, A.count, A.i, A.j, A.x, a);
    }
    dls_arena_free(&scratch);
    if (a->failed) return DLS_ENOMEM;
    project(f, f->delassus.q, f->b);
    return DLS_OK;
}

// The entries of P H and of -H^T P^T.
static void put_coupling(struct entries *A, const struct dls_lcp *f)
{
    const struct dls_problem *p = f->problem;
    double row[LARGEST_D];
    for (int a = 0; a < p->contacts; a++)
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) {
            row_of_P(f, a, i, row);
            for (int k = p->H->p[a * p->d]; k < p->H->p[(a + 1) * p->d]; k++) {
                int l = 0, z = f->first[a] + i;
                while (k >= p->H->p[a * p->d + l + 1]) l++;
                put(A, z, p->H->j[k], row[l] * p->H->x[k]);
                put(A, p->H->j[k], z, -row[l] * p->H->x[k]);
            }
        }
}

static enum dls_status assemble_kept(struct dls_lcp *f, struct dls_arena *a)
{
    const struct dls_problem *p = f->problem;
    long coupling = 2L * dls_csr_count(p->H) * (1 + f->facets);
    long count = dls_csr_count(p->M) + coupling + f->n * 2L;
    if (p->joints) count += 2L * dls_csr_count(p->G);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct entries A;
    if (count < INT_MAX && entries_create(&A, count, &scratch)) {
        for (int i = 0; i < p->n; i++)
            for (int k = p->M->p[i]; k < p->M->p[i + 1]; k++)
                put(&A, i, p->M->j[k], p->M->x[k]);
        for (int i = 0; i < p->joints; i++)
            for (int k = p->G->p[i]; k < p->G->p[i + 1]; k++) {
                put(&A, p->n + i, p->G->j[k], p->G->x[k]);
                put(&A, p->G->j[k], p->n + i, -p->G->x[k]);
            }
        put_coupling(&A, f);
        put_multipliers(&A, f);
        f->columns = dls_csr_from_triplets(f->n, f->n, A.count, A.i, A.j, A.x, a);
    }
    dls_arena_free(&scratch);
    if (!f->columns) return DLS_ENOMEM;
    for (int i = 0; i < p->n; i++) f->b[i] = -p->f[i];
    for (int i = 0; i < p->joints; i++) f->b[p->n + i] = p->b[i];
    project(f, p->w, f->b);
    return DLS_OK;
}

// --- interface -----------------------------------------------------------------------

// Says what is relaxed: the circle, wherever a contact in space has friction.
static const char *label(const struct dls_lcp *f, const struct dls_lcp_options *o,
                         struct dls_arena *a)
{
    static const char *const forms[] = {"Stewart-Trinkle", "Anitescu-Potra"};
    static const char *const polygons[] = {"inscribed", "circumscribed"};
    if (f->problem->d < 3 || f->n == f->free + f->problem->contacts) return NULL;
    return dls_text(a, "%d facets, %s (%s)", f->facets, polygons[o->polygon],
                    forms[o->form]);
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct dls_lcp_options *o = opt;
    struct dls_lcp *f = *form = DLS_NEW(a, struct dls_lcp, 1);
    if (!f) return DLS_ENOMEM;
    *f = (struct dls_lcp){.problem = p};
    bool kept = o->form == DLS_LCP_ANITESCU_POTRA;
    if (p->rolling) return dls_fail(err, DLS_UNSUPPORTED, "no LCP with rolling rows");
    if (kept && !dls_problem_is_global(p))
        return dls_fail(err, DLS_UNSUPPORTED, "anitescu-potra needs M and H");
    if (kept) f->free = p->n + p->joints;
    enum dls_status status = lay_out(f, o, a);
    if (status == DLS_OK)
        status = kept ? dls_inertia_create(&f->inertia, p, a, err)
                      : dls_delassus_build(&f->delassus, p, a, err);
    if (status != DLS_OK) return status;
    f->b = DLS_NEW(a, double, f->n);
    f->work = DLS_NEW(a, double, f->n + p->m);
    f->label = label(f, o, a);
    if (a->failed) return DLS_ENOMEM;
    return kept ? assemble_kept(f, a) : assemble_eliminated(f, a, err);
}

static void destroy(void *form)
{
    dls_inertia_destroy(((struct dls_lcp *)form)->inertia);
}

static int size(const void *form) { return ((const struct dls_lcp *)form)->n; }

static const char *relaxes(const void *form)
{
    return ((const struct dls_lcp *)form)->label;
}

// u of the impulses r; anitescu-potra leaves v and the multipliers of joints in z.
static void velocities(const struct dls_lcp *f, const double *r, double *z, double *u)
{
    const struct dls_problem *p = f->problem;
    if (!f->inertia) {
        dls_bsr_multiply(f->delassus.W, r, f->delassus.q, u);
        return;
    }
    double *rhs = f->work + p->m, *g = rhs + p->n;
    memcpy(rhs, p->f, (size_t)p->n * sizeof *rhs);
    dls_csr_add_transposed(p->H, 1, r, rhs); // f + H^T r
    for (int i = 0; i < p->joints; i++) g[i] = -p->b[i];
    dls_inertia_solve(f->inertia, rhs, g, z, z + p->n);
    memcpy(u, p->w, (size_t)p->m * sizeof *u);
    dls_csr_add(p->H, 1, z, u); // u = H v + w
}

// beta >= 0 with sum beta_i d_i = r_T: one or two neighbouring directions.
static void spread(const struct dls_lcp *f, int a, const double *r_T, double *beta)
{
    int k = f->facets;
    if (f->problem->d == 2) {
        beta[0] = fmax(0, r_T[0]), beta[1] = fmax(0, -r_T[0]);
        return;
    }
    memset(beta, 0, (size_t)k * sizeof *beta);
    for (int i = 0; i < k; i++) {
        int next = (i + 1) % k;
        const double *d = direction(f, a, i), *e = direction(f, a, next);
        double det = d[0] * e[1] - d[1] * e[0];
        double s = (r_T[0] * e[1] - r_T[1] * e[0]) / det;
        double t = (d[0] * r_T[1] - d[1] * r_T[0]) / det;
        if (s < 0 || t < 0) continue;
        beta[i] = s, beta[next] = t;
        return;
    }
}

static void start(const void *form, const double *r, double *z)
{
    const struct dls_lcp *f = form;
    int d = f->problem->d;
    double *u = f->work;
    velocities(f, r, z, u);
    for (int a = 0; a < f->problem->contacts; a++) {
        double *z_a = z + f->first[a], *lambda = z_a + f->facets + 1;
        z_a[0] = fmax(0, r[a * d]);
        if (!dls_lcp_facets(f, a)) continue;
        spread(f, a, r + a * d + 1, z_a + 1);
        *lambda = 0;
        for (int i = 0; i < f->facets; i++) {
            double speed = 0; // -d_i . u_T
            for (int l = 1; l < d; l++)
                speed -= direction(f, a, i)[l - 1] * u[a * d + l];
            *lambda = fmax(*lambda, speed);
        }
    }
}

static void lift(const void *form, const double *z, double *r)
{
    const struct dls_lcp *f = form;
    int d = f->problem->d;
    for (int a = 0; a < f->problem->contacts; a++) {
        const double *z_a = z + f->first[a];
        double p[LARGEST_D];
        for (int l = 0; l < d; l++) r[a * d + l] = 0;
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) { // r = P^T z
            row_of_P(f, a, i, p);
            for (int l = 0; l < d; l++) r[a * d + l] += p[l] * z_a[i];
        }
    }
}

void dls_lcp_slack(const struct dls_lcp *f, const double *z, double *w)
{
    memcpy(w, f->b, (size_t)f->n * sizeof *w);
    dls_csr_add_transposed(f->columns, 1, z, w);
}

// |min(z, A z + b)| / |b|, rows of free unknowns as equations; absolute where b = 0.
static double residual(const void *form, const double *z)
{
    const struct dls_lcp *f = form;
    double sum = 0, norm = 0, *w = f->work;
    dls_lcp_slack(f, z, w);
    for (int i = 0; i < f->n; i++) {
        double defect = i < f->free ? w[i] : fmin(z[i], w[i]);
        sum += defect * defect;
        norm += f->b[i] * f->b[i];
    }
    return sqrt(sum) / (sqrt(norm) > 1e-300 ? sqrt(norm) : 1);
}

const struct dls_formulation dls_formulation_lcp = {
    .name = "lcp",
    .brief = "0 <= z _|_ A z + b >= 0: exact in the plane, friction by facets in space",
    .options = lcp_options,
    .options_size = sizeof(struct dls_lcp_options),
    .build = build,
    .size = size,
    .start = start,
    .lift = lift,
    .residual = residual,
    .relaxes = relaxes,
    .destroy = destroy,
};
