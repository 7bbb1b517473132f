// SPDX-License-Identifier: Apache-2.0
// The self-adaptive projection method for the variational inequality
//
//     find z in C:   F(z) . (y - z) >= 0  for all y in C,    z = P(z - rho D F(z)),
//
// with F(z) = u + (mu |u_T| + mu_r |u_R|) e_N, u = W z + q, on C = K (Coulomb), or
// F = u on cylinders of frozen radius (Tresca), or F = u on disks that follow r_N (Uzawa).
//
// Method [Khobotov1987; Acary2018, section 4]
//   1. Predictor  z_bar = P(z - rho D F(z)).
//   2. Ratio      k = rho |F(z) - F(z_bar)|_D / |z - z_bar|_{D^-1}: rho times the
//      Lipschitz constant of this step. While k > L = 0.9: rho <- 2/3 rho, back to 1.
//   3. Corrector  z <- P(z - rho D F(z_bar)), Korpelevich's extragradient.
//   4. If k < 0.3 the step was timid: rho <- 3/2 rho.
//   D is one positive number per contact, so that P remains the Euclidean projection;
//   with D_a = 1 / |W_aa| the iterates do not depend on the units of mass.
//
// F is Lipschitz: |F(z) - F(y)| <= (1 + mu + mu_r) |W| |z - y|. With sums of
// block norms over rows and columns as a bound of |W| this gives rho_min, below which
// the test must hold; the step never goes there, so that round-off cannot shrink it to
// nothing.
//
// Cost: two products with W per iteration, one more per reduction of rho.
// Fails: slow (the rate is that of a gradient method); for monotone F (W positive
// semidefinite, cylinders, or no friction) it converges, with the shift this is not
// proved.
#include "solvers/kernel/vi.h"

#include "solvers/contact/metric.h"

#include "base/contract.h"

#include <math.h>
#include <string.h>

static const double L = 0.9, timid = 0.3, factor = 2.0 / 3;

// Fills D and sets the first step.
static void scale(struct dls_vi *vi, bool scaled)
{
    double largest = dls_metric_fill(vi->D, vi->form->W);
    for (int a = 0; a < vi->form->contacts; a++) vi->D[a] = scaled ? 1 / vi->D[a] : 1;
    vi->rho = scaled ? 1 : 1 / largest;
}

// The Lipschitz bound of F in the metric, from sums of |W_ab| sqrt(D_a D_b) (1 + mu_a)
// over rows and columns; `columns` has an entry per contact, zero on entry.
static double lipschitz(const struct dls_vi *vi, double *columns)
{
    const struct dls_bsr *W = vi->form->W;
    double row_max = 0, column_max = 0;
    for (int a = 0; a < W->rows; a++) {
        const struct dls_cone *K = vi->cone + a;
        double shift = vi->set == DLS_VI_CONES ? K->mu + K->mu_r : 0, row = 0;
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            double part = dls_bsr_block_norm(W, k) * sqrt(vi->D[a] * vi->D[W->j[k]]);
            row += (1 + shift) * part;
            columns[W->j[k]] += (1 + shift) * part;
        }
        row_max = fmax(row_max, row);
    }
    for (int a = 0; a < W->rows; a++) column_max = fmax(column_max, columns[a]);
    return sqrt(row_max * column_max);
}

enum dls_status dls_vi_create(struct dls_vi *vi, const struct dls_delassus *f,
                              enum dls_vi_set set, bool scaled, struct dls_arena *a)
{
    DLS_ASSERT(f->m == f->contacts * f->d);
    const struct dls_problem *p = f->problem;
    *vi = (struct dls_vi){
        .form = f,
        .set = set,
        .cone = DLS_NEW(a, struct dls_cone, f->contacts),
        .frozen = DLS_NEW(a, double, f->contacts),
        .D = DLS_NEW(a, double, f->contacts),
        .F = DLS_NEW(a, double, f->m),
        .F_bar = DLS_NEW(a, double, f->m),
        .z_bar = DLS_NEW(a, double, f->m),
    };
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < f->contacts; c++)
        vi->cone[c] =
            dls_cone_make(f->d, p->rolling, f->mu[c], p->rolling ? p->mu_r[c] : 0);
    scale(vi, scaled);
    double bound = lipschitz(vi, vi->frozen);
    memset(vi->frozen, 0, (size_t)f->contacts * sizeof *vi->frozen);
    vi->rho_min = bound > 0 ? fmin(L / bound, vi->rho) : vi->rho;
    return DLS_OK;
}

// F = W z + q, with the shift on cones.
static void evaluate(const struct dls_vi *vi, const double *z, double *F)
{
    const struct dls_delassus *f = vi->form;
    dls_bsr_multiply(f->W, z, f->q, F);
    if (vi->set != DLS_VI_CONES) return;
    for (int a = 0; a < f->contacts; a++)
        F[a * f->d] += dls_cone_shift(vi->cone + a, F + a * f->d);
}

// Shortens the n entries of y to length `radius` where they are longer.
static void clip(double *y, int n, double radius)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i] * y[i];
    if (sum <= radius * radius) return;
    double s = radius / sqrt(sum);
    for (int i = 0; i < n; i++) y[i] *= s;
}

// y <- P(y) for one contact.
static void project(const struct dls_vi *vi, int a, double *y)
{
    const struct dls_cone *K = vi->cone + a;
    if (vi->set == DLS_VI_CONES) {
        dls_cone_project(K, y, y);
        return;
    }
    y[0] = fmax(0, y[0]);
    double normal = vi->set == DLS_VI_CYLINDERS ? vi->frozen[a] : y[0];
    clip(y + 1, K->tangents, K->mu * normal);
    clip(y + 1 + K->tangents, K->rolls, K->mu_r * normal);
}

// to = P(z - rho D F); returns |z - to| in the metric. z and `to` may be the same.
static double move(const struct dls_vi *vi, const double *z, const double *F,
                   double *to)
{
    int d = vi->form->d;
    double sum = 0;
    for (int a = 0; a < vi->form->contacts; a++) {
        double y[DLS_LARGEST_D], part = 0, rho = vi->rho * vi->D[a];
        const double *z_a = z + a * d, *F_a = F + a * d;
        for (int i = 0; i < d; i++) y[i] = z_a[i] - rho * F_a[i];
        project(vi, a, y);
        for (int i = 0; i < d; i++) part += (z_a[i] - y[i]) * (z_a[i] - y[i]);
        memcpy(to + a * d, y, (size_t)d * sizeof *y);
        sum += part / vi->D[a];
    }
    return sqrt(sum);
}

// |F - F_bar| in the dual metric.
static double difference(const struct dls_vi *vi)
{
    int d = vi->form->d;
    double sum = 0;
    for (int a = 0; a < vi->form->contacts; a++) {
        double part = 0;
        for (int i = a * d; i < a * d + d; i++)
            part += (vi->F[i] - vi->F_bar[i]) * (vi->F[i] - vi->F_bar[i]);
        sum += part * vi->D[a];
    }
    return sqrt(sum);
}

int dls_vi_step(struct dls_vi *vi, double *z)
{
    int products = 1;
    double moved, ratio;
    evaluate(vi, z, vi->F);
    for (;;) {
        moved = move(vi, z, vi->F, vi->z_bar); // z_bar = P(z - rho D F(z))
        evaluate(vi, vi->z_bar, vi->F_bar);
        products++;
        ratio = moved > 0 ? vi->rho * difference(vi) / moved : L;
        if (!(ratio > L) || vi->rho <= vi->rho_min) break;
        vi->rho = fmax(factor * vi->rho, vi->rho_min);
    }
    vi->defect = moved / vi->rho;
    move(vi, z, vi->F_bar, z); // z <- P(z - rho D F(z_bar))
    if (ratio < timid) vi->rho /= factor;
    return products;
}

void dls_vi_step_fixed(struct dls_vi *vi, double *z)
{
    evaluate(vi, z, vi->F);
    vi->defect = move(vi, z, vi->F, z) / vi->rho;
}

void dls_vi_freeze(struct dls_vi *vi, const double *z)
{
    for (int a = 0; a < vi->form->contacts; a++)
        vi->frozen[a] = fmax(0, z[a * vi->form->d]);
}
