// SPDX-License-Identifier: Apache-2.0
// Newton's method in extended precision on the law with the statuses of the contacts
// frozen; see refine.c.
#ifndef DLS_SOLVERS_REFERENCE_REFINE_H
#define DLS_SOLVERS_REFERENCE_REFINE_H

#include "solvers/solver.h"

#include "formulations/delassus.h"
#include "formulations/judge/extended.h"

// What a contact does, as bits; a closed contact that neither slips nor rolls sticks.
enum {
    DLS_REFINE_OPEN = 0,
    DLS_REFINE_CLOSED = 1,
    DLS_REFINE_SLIPS = 2,
    DLS_REFINE_ROLLS = 4
};

// Distances below this one are weak.
#define DLS_WEAK 1e-9

struct dls_refinement {
    const struct dls_delassus *form;
    struct dls_extended *extended;
    dls_quad *r;      // m: the answer
    int *status;      // contacts: bits, of the answer
    double *distance; // contacts: of the answer to the next change of status, relative
                      // to |q| in units of energy; small: weakly active
    int *freedom;   // contacts: the same bits by the velocities alone; where a contact
                    // is weakly active they allow it every impulse of its cone
    int steps;      // made
    bool too_large; // the factors would not fit: nothing was done
};

// Takes up the impulses r, m entries, given as doubles. Memory from the arena.
enum dls_status dls_refine_begin(struct dls_refinement *, const struct dls_delassus *,
                                 struct dls_extended *, const double *r,
                                 struct dls_arena *);

// Refines the impulses taken up; the answer is never worse than they are. Ends when nothing
// improves, or by `work`. Memory is given back.
enum dls_status dls_refine(struct dls_refinement *, struct dls_work *,
                           struct dls_arena *);

// The larger of both residuals of the impulses r, whose velocities `extended` then holds.
double dls_refine_measure(const struct dls_refinement *, const dls_quad *r);

// Statuses, distances and freedom, of the present r and the velocities that `extended` holds.
void dls_refine_look(struct dls_refinement *);

// How many borders of statuses are within DLS_WEAK of contact a: 0, 1, or 2 where the answer
// is near a corner of its cone. `other` receives the bits beyond the border where it is one.
int dls_refine_other(const struct dls_refinement *, int a, int *other);

// The smooth system of closed contact a: F, d rows, and its derivatives A (by r) and
// C (by u), d x d by rows.
void dls_refine_contact(const struct dls_refinement *, int a, dls_quad *F, double *A,
                        double *C);

// What brings row i of F to roots of energies.
double dls_refine_weight(const struct dls_refinement *, int a, int i);

#endif
