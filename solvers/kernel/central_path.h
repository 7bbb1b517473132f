// SPDX-License-Identifier: Apache-2.0
// Points of the central path of Coulomb's law and Newton's directions there; see
// central_path.c.
#ifndef DLS_SOLVERS_KERNEL_CENTRAL_PATH_H
#define DLS_SOLVERS_KERNEL_CENTRAL_PATH_H

#include "solvers/kernel/cone_newton.h"
#include "solvers/linear/cone_system.h"

#include <math.h>

// A point of the path, or a change of one: m, m, and p = log(nu / nu_0).
struct dls_path_point {
    double *x, *y, p;
};

struct dls_central_path {
    const struct dls_socp *form;
    struct dls_cone_system system;
    struct dls_scaling *scaling;   // contacts: at the point looked at last
    double *rho_0, *rest, *rest_p; // m: rest of the first equation, d rest / dp
    double *g, *c, *rhs;           // m
    double nu_0;
    int sign; // of the determinant of what was factored last
};

// All memory from the arena; errors are those of dls_cone_system_create.
enum dls_status dls_central_path_create(struct dls_central_path *,
                                        const struct dls_socp *, struct dls_arena *,
                                        struct dls_error *);
void dls_central_path_destroy(struct dls_central_path *);

// The start x = y = `distance` e with nu = distance^2; rho_0 is chosen such that this is a
// point of the path. False where rho_0 is not finite.
bool dls_central_path_start(struct dls_central_path *, double distance,
                            struct dls_path_point *);

static inline double dls_central_path_nu(const struct dls_central_path *s,
                                         const struct dls_path_point *z)
{
    return s->nu_0 * exp(z->p);
}

// to = z + t d; `to` may be z.
void dls_central_path_move(const struct dls_central_path *,
                           const struct dls_path_point *z, double t,
                           const struct dls_path_point *d, struct dls_path_point *to);

// The same, brought back to x o y = nu e: contact by contact the pair with the same
// x - rho y, which is off by rho in x where it is off by 1 in y. With rho = 1 both would be
// off alike, with rho = sqrt(det x / det y) in proportion to their sizes; the geometric mean
// of the two needs fewer steps than either. `to` may be z.
void dls_central_path_bend(const struct dls_central_path *,
                           const struct dls_path_point *z, double t,
                           const struct dls_path_point *d, struct dls_path_point *to);

// The largest t with x + t dx and y + t dy in the cones.
double dls_central_path_reach(const struct dls_central_path *,
                              const struct dls_path_point *z,
                              const struct dls_path_point *d);

// Computes the rests, the scalings and g at z; false where z lies outside of the cones.
bool dls_central_path_look(struct dls_central_path *, const struct dls_path_point *z);

// The two parts of that: the rest alone, scalings and g staying those of the point looked at
// last; and all but the rest.
void dls_central_path_rest(struct dls_central_path *, const struct dls_path_point *z);
bool dls_central_path_scale(struct dls_central_path *, const struct dls_path_point *z);

// Factors W + S Theta at the point looked at; false where the algebra failed.
bool dls_central_path_factor(struct dls_central_path *, double alpha, double beta,
                             struct dls_work *);

// dx and dy at the point looked at: with `tangent`, how the path changes with p; without,
// Newton's step at this nu. False where the algebra failed.
bool dls_central_path_direct(struct dls_central_path *, double nu, bool tangent,
                             struct dls_path_point *, struct dls_work *);

// The mean over the contacts of ((T^-1 a_x).(T^-1 b_x) + (T a_y).(T b_y)) / nu. `largest`
// (or NULL) receives the largest of these numbers.
double dls_central_path_inner(const struct dls_central_path *,
                              const struct dls_path_point *a,
                              const struct dls_path_point *b, double nu,
                              double *largest);

#endif
