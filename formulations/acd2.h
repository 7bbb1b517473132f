// SPDX-License-Identifier: Apache-2.0
// The formulation `acd2`: collisions with a law on the mean velocity; see acd2.c.
#ifndef DLS_FORMULATIONS_ACD2_H
#define DLS_FORMULATIONS_ACD2_H

#include "formulations/formulation.h"
#include "formulations/parts/inertia.h"

struct dls_acd2_options {
    double k_N, k_T, G;
    int friction;
};

enum { DLS_ACD2_COULOMB, DLS_ACD2_TRESCA };

// The unknown z holds the multipliers (lambda, s) of each contact.
struct dls_acd2 {
    const struct dls_problem *problem;
    struct dls_acd2_options law;
    struct dls_problem stiff;   // the problem with 2M + H^T K H in place of M
    struct dls_inertia *system; // the factor of that; NULL if K = 0
    struct dls_inertia *mass;   // that of M
    double *u_minus;            // m
    double *load, *joint_load;  // n: 2 M v^- + hF - H^T K w_ob; joints: (G v^- - b) / 2
    double norm;                // what residuals are divided by
    double *Y, *y, *u_bar, *G;  // work: n, n, m, contacts
    const char *label;          // how the law differs from the file's, or NULL
};

extern const struct dls_formulation dls_formulation_acd2;

// k_N or k_T, by the row.
double dls_acd2_stiffness(const struct dls_acd2 *, int row);

// u = B x, B = H (2M + H^T K H)^-1 H^T: what u_bar gains with the multipliers x.
void dls_acd2_response(const struct dls_acd2 *, const double *x, double *u);

// The mean velocity Y of the multipliers z and u_bar = H Y + w_ob (m entries).
void dls_acd2_mean(const struct dls_acd2 *, const double *z, double *u_bar);

// Coulomb's thresholds mu max(0, r_N), or the given ones of Tresca, per contact.
void dls_acd2_thresholds(const struct dls_acd2 *, const double *z, const double *u_bar,
                         double *G);

// |z - P(z - 2 F)| / norm for given thresholds; F = (u_bar_N - u_N^- / 2, u_bar_T).
double dls_acd2_defect(const struct dls_acd2 *, const double *z, const double *u_bar,
                       const double *G);

// One update of the multipliers: z <- P(y - rho F), u_bar that of y, a step for each row.
void dls_acd2_update(const struct dls_acd2 *, const double *rho, const double *y,
                     const double *u_bar, const double *G, double *z);

// What the law promises, per contact.
struct dls_acd2_verdict {
    double worst; // largest r . u_bar > 0 where u_N^- <= 0, over |r|_max norm; or 0
    int pulls;    // contacts with r_N < 0: the potential k_N holds them back
};
struct dls_acd2_verdict dls_acd2_judge(const struct dls_acd2 *, const double *z,
                                       const double *u_bar);

#endif
