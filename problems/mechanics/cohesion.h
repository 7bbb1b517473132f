// SPDX-License-Identifier: Apache-2.0
// Glue at a contact: a cohesive zone with damage; see cohesion.c for the formulas.
#ifndef DLS_PROBLEMS_MECHANICS_COHESION_H
#define DLS_PROBLEMS_MECHANICS_COHESION_H

// Of one contact point: forces and energies, not stresses.
struct dls_cohesion {
    double normal, tangential; // stiffnesses of the whole layer
    double energy;             // w, that breaking costs
    double viscosity;          // b; 0: rate-independent
};

// C_N <u_N>^2 + C_T |u_T|^2 of an opening u, d entries, the normal one first.
double dls_cohesion_drive(const struct dls_cohesion *, int d, const double *u);

// The intensity of adhesion after a time h at an opening of that drive.
double dls_cohesion_damage(const struct dls_cohesion *, double beta, double drive,
                           double h);

// What the damage of that time lost, from beta_0 and the drive before to beta and the
// drive after.
double dls_cohesion_lost(const struct dls_cohesion *, const double beta[2],
                         const double drive[2]);

// R, the force of the layer on the side that opens: d entries.
void dls_cohesion_force(const struct dls_cohesion *, double beta, int d,
                        const double *u, double *R);

// The energy that is stored at an opening of that drive.
double dls_cohesion_stored(double beta, double drive);

#endif
