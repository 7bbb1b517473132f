// SPDX-License-Identifier: Apache-2.0
// The alternating direction method of multipliers on the cone problem.
//
//     (W + (rho + eta) S) x+ = y - q - s e_N + S (rho z + eta x),
//     x^ = alpha x+ + (1 - alpha) z,
//     z+ = P_K(x^ - y / (rho S)),   y+ = y - rho S (x^ - z+)
//
// Notation: x the impulse that obeys the dynamics, z the one in the cones, y the velocity
// that is complementary to z, s De Saxcé's shift, S_a = |W_aa|. In exact arithmetic
// z+ in K, y+ in K* and z+ . y+ = 0 at all times; x = z is what is sought.
//
// Method [Boyd2011; Carpentier2024]
//   1. s from the tangential part of y; none where the law is convex.
//   2. x+ by one factor for all iterations with the same rho (solvers/linear/ridge.c), by
//      conjugate gradients where the factor would not fit.
//   3. z+ and y+ as above, over-relaxed by alpha [EcksteinBertsekas1992].
//   4. rho starts at sqrt(L l) (L / l)^power, l and L the extreme Ritz values of
//      S^-1/2 W S^-1/2, l at least 1e-6 L. While the relative primal residual |x - z|_S
//      exceeds ten times the dual one, rho |S (z+ - z)|_{1/S}, rho is multiplied by
//      (L / l)^0.05, and divided by it in the opposite case. A new factor is made only when
//      rho has moved by more than `refactor`. Whenever rho turns back, the next changes are
//      by the root of the last: convergence is proved only for a rho that comes to rest.
//   5. With the shift the map is not monotone, and over-relaxed steps may run around in a
//      circle. Where the residuals have not gained in 100 steps alpha moves half the way
//      to 1.
//   All norms are energies, so that the iterates do not depend on units.
//
// Cost: two triangular solves an iteration; few factorisations. A step is one iteration,
// or as many as it takes (at most 100) until z changes.
// Fails: with the shift nothing is proved. It reaches 1e-4 fast and is slow from there on.
#include "solvers/contact/metric.h"
#include "solvers/linear/ridge.h"
#include "solvers/solver.h"

#include "formulations/shifted.h"

#include "base/lanczos.h"

#include <math.h>
#include <string.h>

enum { OWN_EVERY = 10, MOST_QUIET = 100 };
enum { PATIENCE = 100 }; // steps without a gain; circles seen have 3 to 40
static const double gain = 0.99;
static const double imbalance = 10, rank_floor = 1e-6;

struct admm_options {
    double alpha, eta, power, refactor;
    int adapt, linear;
};

static const struct dls_option admm_options[] = {
    DLS_REAL(admm_options, alpha, 1.6, 0.1, 1.99, "over-relaxation"),
    DLS_REAL(admm_options, eta, 1e-6, 0, 1, "weight of the proximal term"),
    DLS_REAL(admm_options, power, 0.1, -0.5, 0.5,
             "power of the condition number in the first rho"),
    DLS_CHOICE(admm_options, adapt, 1, "no|yes", "whether rho follows the residuals"),
    DLS_REAL(admm_options, refactor, 3, 1, 100,
             "change of rho that is worth a factorisation"),
    DLS_CHOICE(admm_options, linear, DLS_RIDGE_AUTO, DLS_RIDGE_CHOICES,
               "linear systems by a factor or by conjugate gradients"),
    {0},
};

struct admm {
    const struct dls_shifted *form;
    struct dls_ridge ridge;
    double eta, refactor;
    double alpha, first_alpha; // over-relaxation, now and at first
    double first, first_power; // first rho, and the logarithm of what changes it first
    double rho, wanted;        // that of the factor, and the one to come
    double power;              // logarithm of what changes it now, with the sign of the
                               // last change
    double least;              // of the residuals
    int idle;                  // steps since
    double *S;                 // contacts
    double *x, *y, *b;         // m each
    double primal, dual;       // residuals of the last step, relative
    double q_norm;             // in the metric 1 / S
    long steps;
};

// Extreme Ritz values of S^-1/2 W S^-1/2.
static enum dls_status spectrum(struct dls_ritz *ritz, const struct dls_bsr *W,
                                const double *S, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_bsr scaled = *W;
    size_t dd = (size_t)(W->d * W->d);
    enum dls_status status = DLS_ENOMEM;
    scaled.x = DLS_NEW(&scratch, double, (size_t)W->p[W->rows] * dd);
    if (scaled.x) {
        for (int c = 0; c < W->rows; c++)
            for (int k = W->p[c]; k < W->p[c + 1]; k++)
                for (size_t i = 0; i < dd; i++)
                    scaled.x[(size_t)k * dd + i] =
                        dls_bsr_block(W, k)[i] / sqrt(S[c] * S[W->j[k]]);
        status = dls_bsr_ritz(ritz, &scaled, &scratch);
    }
    dls_arena_free(&scratch);
    return status;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_shifted *f = form;
    const struct dls_delassus *D = &f->delassus;
    const struct admm_options *o = opt;
    struct dls_ritz ritz;
    struct admm *self = *out = DLS_NEW(a, struct admm, 1);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct admm){
        .form = f,
        .first_alpha = o->alpha,
        .eta = o->eta,
        .refactor = o->refactor,
        .S = DLS_NEW(a, double, D->contacts),
        .x = DLS_NEW(a, double, D->m),
        .y = DLS_NEW(a, double, D->m),
        .b = DLS_NEW(a, double, D->m),
    };
    if (a->failed) return DLS_ENOMEM;
    dls_metric_fill(self->S, D->W);
    self->q_norm = sqrt(dls_metric_dual_square(self->S, D->W, D->q));
    enum dls_status status = spectrum(&ritz, D->W, self->S, a);
    if (status != DLS_OK) return status;
    double L = ritz.largest > 0 ? ritz.largest : 1; // 1: no contact
    double l = fmax(ritz.smallest, rank_floor * L);
    self->first = sqrt(L * l) * pow(L / l, o->power);
    self->first_power = o->adapt ? 0.05 * log(L / l) : 0;
    return dls_ridge_create(&self->ridge, D->W, self->S, o->linear, a, err);
}

// y = P_K*(u~) of the start, so that an answer stays where it is.
static void reset(void *data, const double *z)
{
    struct admm *self = data;
    const struct dls_delassus *D = &self->form->delassus;
    memcpy(self->x, z, (size_t)D->m * sizeof *z);
    dls_bsr_multiply(D->W, z, D->q, self->y);
    dls_shifted_add(self->form, self->y, self->y);
    for (int c = 0; c < D->contacts; c++) {
        double v[DLS_LARGEST_D], *y = self->y + c * D->d;
        for (int i = 0; i < D->d; i++) v[i] = -y[i];
        dls_cone_project(self->form->cones + c, v, v);
        for (int i = 0; i < D->d; i++) y[i] += v[i]; // P_K*(y) = y + P_K(-y)
    }
    self->rho = 0;
    self->wanted = self->first;
    self->power = self->first_power;
    self->alpha = self->first_alpha;
    self->least = INFINITY;
    self->idle = 0;
    self->primal = self->dual = 1;
    self->steps = 0;
}

static void destroy(void *data) { dls_ridge_destroy(&((struct admm *)data)->ridge); }

// x+ of the linear system.
static enum dls_status solve(struct admm *self, const double *z, struct dls_work *work)
{
    const struct dls_delassus *D = &self->form->delassus;
    int d = D->d;
    for (int c = 0; c < D->contacts; c++) {
        const double *y = self->y + c * d;
        for (int i = c * d; i < c * d + d; i++)
            self->b[i] = self->y[i] - D->q[i]
                         + self->S[c] * (self->rho * z[i] + self->eta * self->x[i]);
        if (!self->form->convex)
            self->b[c * d] -= dls_cone_shift(self->form->cones + c, y);
    }
    double tol = 1e-2 * fmin(self->primal, self->dual) * self->q_norm;
    return dls_ridge_solve(&self->ridge, self->b, tol, self->x, work);
}

// z+ and y+, and the two residuals.
static void project(struct admm *self, double *z)
{
    const struct dls_delassus *D = &self->form->delassus;
    int d = D->d;
    double primal = 0, dual = 0, z_size = 0, y_size = 0;
    for (int c = 0; c < D->contacts; c++) {
        double p[DLS_LARGEST_D], v[DLS_LARGEST_D], S = self->S[c], w = self->rho * S;
        double gap = 0, moved = 0, z_part = 0, y_part = 0;
        for (int i = 0; i < d; i++)
            v[i] = self->alpha * self->x[c * d + i] + (1 - self->alpha) * z[c * d + i]
                   - self->y[c * d + i] / w;
        dls_cone_project(self->form->cones + c, v, p);
        for (int i = 0, k = c * d; i < d; i++, k++) {
            self->y[k] = w * (p[i] - v[i]);
            gap += (self->x[k] - p[i]) * (self->x[k] - p[i]);
            moved += (p[i] - z[k]) * (p[i] - z[k]);
            z[k] = p[i];
            z_part += z[k] * z[k];
            y_part += self->y[k] * self->y[k];
        }
        primal += S * gap;
        dual += self->rho * self->rho * S * moved;
        z_size += S * z_part;
        y_size += y_part / S;
    }
    double z_norm = sqrt(z_size), y_norm = fmax(sqrt(y_size), self->q_norm);
    self->primal = z_norm > 0 ? sqrt(primal) / z_norm : 1;
    self->dual = y_norm > 0 ? sqrt(dual) / y_norm : 1;
}

// The rho to come, from the balance of the residuals.
static void balance(struct admm *self)
{
    bool up = self->primal > imbalance * self->dual;
    bool down = self->dual > imbalance * self->primal;
    if (!up && !down) return;
    if (up != (self->power > 0)) self->power *= -0.5;
    self->wanted *= exp(self->power);
}

// Less over-relaxation where it leads nowhere.
static void relax(struct admm *self)
{
    double now = fmax(self->primal, self->dual);
    self->idle++;
    if (now < gain * self->least) self->least = now, self->idle = 0;
    if (self->idle < PATIENCE || self->form->convex) return;
    self->alpha = 1 + 0.5 * (self->alpha - 1);
    self->least = now;
    self->idle = 0;
}

static enum dls_status iterate(struct admm *self, double *z, struct dls_work *work)
{
    double change = self->wanted / self->rho;
    enum dls_status status = DLS_OK;
    if (!(change <= self->refactor && change * self->refactor >= 1)) {
        self->rho = self->wanted;
        status = dls_ridge_set(&self->ridge, self->rho + self->eta, work);
    }
    if (status == DLS_OK) status = solve(self, z, work);
    if (status != DLS_OK) return status;
    project(self, z);
    balance(self);
    relax(self);
    return DLS_OK;
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct admm *self = data;
    const struct dls_shifted *f = self->form;
    enum dls_status status;
    int quiet = 0;
    if (!f->delassus.m) return DLS_FINISHED;
    do { // z may rest at the apex of the cones while y still moves
        status = iterate(self, z, work);
    } while (status == DLS_OK && self->dual == 0 && ++quiet < MOST_QUIET
             && !dls_work_expired(work));
    if (status != DLS_OK) return status;
    bool look = f->relaxes && ++self->steps % OWN_EVERY == 0;
    return look && dls_formulation_shifted.residual(f, z) <= work->tol ? DLS_FINISHED
                                                                       : DLS_OK;
}

const struct dls_solver dls_solver_admm = {
    .name = "admm",
    .brief = "alternating directions with a spectral rho, W + rho S factored",
    .use = "Ill-conditioned W, to tolerances from 1e-4 to 1e-6: one factorisation "
           "serves many iterations.",
    .fails = "Below 1e-6 it is slow.",
    .cite = "Carpentier2024",
    .takes = &dls_formulation_shifted,
    .options = admm_options,
    .options_size = sizeof(struct admm_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
