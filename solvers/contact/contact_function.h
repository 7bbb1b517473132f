// SPDX-License-Identifier: Apache-2.0
// Functions F(r, u) of one contact that vanish exactly where Coulomb's law holds,
//
//     F(r, u) = 0   <=>   K* ∋ u + mu |u_T| e_N  ⟂  r ∈ K,
//
// with their generalised Jacobians, from which a semismooth Newton step is made.
//
// All of them have the parameter rho = 1. Other parameters, different ones for the normal
// and the tangential rows too, come from scaling the contact first: with s = sqrt(rho)
//
//     r / s,   s u,   mu s_N / s_T      in place of      r, u, mu
//
// is the same law, and with rho_N = 1 / W_NN, rho_T = 1 / lambda_max(W_TT) the block
// s W_aa s has a unit diagonal.
#ifndef DLS_SOLVERS_CONTACT_CONTACT_FUNCTION_H
#define DLS_SOLVERS_CONTACT_CONTACT_FUNCTION_H

enum dls_contact_function_kind {
    DLS_ALART_CURNIER,
    DLS_JEAN_MOREAU,
    DLS_FISCHER_BURMEISTER,
    DLS_NATURAL_MAP,
};
#define DLS_CONTACT_FUNCTION_CHOICES "ac|jm|fb|nm"

// Value and derivatives; d entries, and d x d by rows.
struct dls_contact_value {
    double F[3];
    double F_r[9], F_u[9];
};

// One contact of d = 1, 2 or 3 rows. Where F has a kink the derivatives are those of one
// side, a limit of derivatives at nearby points.
typedef void dls_contact_function(int d, double mu, const double *r, const double *u,
                                  struct dls_contact_value *);
dls_contact_function *dls_contact_function_of(enum dls_contact_function_kind);

dls_contact_function dls_contact_alart_curnier, dls_contact_jean_moreau,
    dls_contact_natural_map, dls_contact_fischer_burmeister;

// s = sqrt(rho) for each row of a contact with the diagonal block W_aa (by rows), where
// rho_N = factor / W_NN and rho_T = factor / lambda_max(W_TT), symmetric part; a
// diagonal that is not positive counts as the largest entry of the block.
void dls_contact_scales(int d, const double *W_aa, double factor, double *s);

// Direction of the slip velocity, the derivative of |u_T|; where u_T = 0 the one that
// opposes r_T, or the first tangent. t has d - 1 entries, d > 1.
void dls_contact_slip_direction(int d, const double *r, const double *u, double *t);

#endif
