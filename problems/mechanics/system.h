// SPDX-License-Identifier: Apache-2.0
// A mechanical system, as time-stepping schemes see it.
//
//     M(q) dv = F(t, q, v) dt + H(q)^T dr + G(q)^T dlambda,      q moves with v,
//     u = H(q) v + w_ob,     G(q) v + b = 0.
//
// A system is a table of functions over its own data: rigid bodies (rigid.h), the bar
// (bar.h), or whatever an example defines in a few lines. Functions that fill lists do
// not fail: memory that runs out is sticky in the arena of the list.
#ifndef DLS_PROBLEMS_MECHANICS_SYSTEM_H
#define DLS_PROBLEMS_MECHANICS_SYSTEM_H

#include "problems/mechanics/build.h"

#include "formulations/parts/frames.h"

#include "base/arena.h"
#include "base/sparse.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

// Entries of a sparse matrix in any order; equal places are summed.
struct dls_entries {
    int count, room;
    int *i, *j;
    double *x;
    struct dls_arena *arena;
};
void dls_entries_add(struct dls_entries *, int i, int j, double x);
// The matrix; NULL when memory ran out.
struct dls_csr *dls_entries_close(const struct dls_entries *, int rows, int cols,
                                  struct dls_arena *);

struct dls_system;

// One contact that is there or near.
struct dls_contact {
    uint64_t id;     // the same in the next step: the warm start goes by it
    int body, other; // `other` is -1 for an obstacle that no body carries
    int obstacle;    // which one, of rigid bodies; -1 between two bodies
    double gap;
    struct dls_law law;
    double mu_r; // coefficient of rolling resistance: the bound is mu_r r_N
    double mu_2; // friction along n x t where it differs from law.mu; 0: it does not
    dls_vec3 point, n; // for pictures
    dls_vec3 t;        // first tangent, where the system tells; the second is n x t
};

struct dls_contacts {
    int d, count, room;
    double reach; // contacts with a larger gap are not asked for
    int threads;  // that may look for them
    struct dls_contact *all;
    double *w_ob; // d per contact
    struct dls_entries H;
    struct dls_frame *frame;   // one per contact where H is given by frames; else NULL
    const dls_vec3 *pose;      // of the bodies then, and
    const unsigned char *held; // their velocities without entries
    struct dls_arena *arena;
};

// Adds a contact with a gap up to `reach`; returns its first row, to be filled by
// dls_entries_add(&c->H, row + i, ...), or -1 where the contact is not wanted. `w_ob`
// has d entries; NULL means an obstacle at rest.
int dls_contacts_add(struct dls_contacts *, struct dls_contact, const double *w_ob);

// The same for rigid bodies, whose frames stand for the rows of H: makes room for one
// more, which the system writes to all[count], frame[count] and d entries of w_ob before
// it counts it. A system adds all its contacts in one of the two ways. False when memory
// runs out.
bool dls_contacts_room(struct dls_contacts *);

// Room for so many contacts that come as frames, before the first.
void dls_contacts_reserve(struct dls_contacts *, int contacts);

// The bodies that are there, for the one who lets them come and go before a step.
struct dls_present {
    double t; // when the step begins
    long step;
    double *q, *v; // of the bodies there are now; room for all
    int changed;   // the first body that is another one than before; INT_MAX: none
};

// How far a bond (bonds.h) has opened, and the velocity w of its driven side: of a bond
// with rows H_b, u' = H_b v + w. Three entries, the normal one first.
struct dls_bond;
struct dls_stretch {
    double u[3], w[3];
};

// What a system whose contacts can be glued knows of bonds.
struct dls_bonding {
    // Fixes a bond to what touches at this contact, found at (t, q).
    void (*bind)(const struct dls_system *, double t, const double *q,
                 const struct dls_contact *, struct dls_bond *);
    void (*stretch)(const struct dls_system *, double t, const double *q,
                    const struct dls_bond *, struct dls_stretch *);
    // Adds H_b^T times the impulse to F.
    void (*pull)(const struct dls_system *, double t, const double *q,
                 const struct dls_bond *, const double *impulse, double *F);
};

// Bodies that come and go. M must be diagonal; n, nq and bodies of the system follow.
struct dls_population {
    int room;                  // the most that may be there
    int velocities, positions; // of each
    int *number;               // of those that are there, ascending: who they are
    void *state;               // of the rule by which they come and go, with its size;
    size_t state_size;         // a checkpoint keeps it
    // Back to the start of a run; called when one is opened.
    void (*start)(const struct dls_system *);
    void (*change)(const struct dls_system *, struct dls_present *);
    // These bodies are there from now on; false where there are none of these numbers.
    bool (*set)(const struct dls_system *, int bodies, const int *number);
    void (*mass)(const struct dls_system *, int body, double *m); // its part of M
};

struct dls_system {
    int n, nq;          // velocities, positions
    int d;              // rows of a contact
    bool rolling;       // the last rows are rolling ones
    bool constant_mass; // M does not depend on q
    int joints;
    double slack; // gaps up to this are closed: rounding of positions; mostly 0
    int bodies;   // they own n / bodies velocities each; 0 = one body has all
    struct dls_population *population; // NULL: all bodies are there, always
    const struct dls_bonding *bonds;   // NULL: contacts are never glued
    void *self;

    // q moves with the velocity v for a time h; NULL: q += h v.
    void (*move)(const struct dls_system *, double h, const double *v, double *q);
    void (*mass)(const struct dls_system *, const double *q, struct dls_entries *M);
    // Writes all n entries. The gyroscopic part is kept apart for the energy ledger.
    void (*force)(const struct dls_system *, double t, const double *q, const double *v,
                  double *F);
    void (*gyroscopic)(const struct dls_system *, const double *q, const double *v,
                       double *F); // or NULL
    // K = -dF/dq and C = -dF/dv for implicit schemes; NULL: F is taken explicitly.
    void (*tangent)(const struct dls_system *, double t, const double *q,
                    const double *v, struct dls_entries *K, struct dls_entries *C);
    // Potential of the conservative part of F; NULL: there is none.
    double (*potential)(const struct dls_system *, double t, const double *q);
    // All contacts with gap <= reach, in an order that depends on the position only.
    void (*contacts)(const struct dls_system *, double t, const double *q,
                     struct dls_contacts *); // NULL: never any
    // Coefficients of this contact in this step, from its velocity u^- (d entries) before
    // it; `law` comes in as the contact's own. NULL: they do not depend on it.
    void (*impact)(const struct dls_system *, const struct dls_contact *,
                   const double *u_minus, struct dls_law *law);
    // Rows of G, the constraints g (their time derivative is G v + b), b.
    void (*joint)(const struct dls_system *, double t, const double *q,
                  struct dls_entries *G, double *g, double *b);
    // Centre of a body, for pictures; NULL: the first positions are the centre.
    dls_vec3 (*place)(const struct dls_system *, const double *q, int body);
};

// q <- q moved with v for a time h.
void dls_system_move(const struct dls_system *, double h, const double *v, double *q);

// F + gyroscopic terms, into F; `gyro` receives the second part (n entries, or NULL).
void dls_system_force(const struct dls_system *, double t, const double *q,
                      const double *v, double *F, double *gyro);

struct dls_csr *dls_system_mass(const struct dls_system *, const double *q,
                                struct dls_arena *);

// `mass` and `force` of a system of unit masses, and of one that nothing pulls.
void dls_unit_mass(const struct dls_system *, const double *q, struct dls_entries *M);
void dls_no_force(const struct dls_system *, double t, const double *q, const double *v,
                  double *F);

// The potential energy, 0 where there is none.
double dls_system_potential(const struct dls_system *, double t, const double *q);

// Rows of a contact without the rolling ones: 2 in the plane, 3 in space.
static inline int dls_system_dim(const struct dls_system *s)
{
    return s->rolling ? (s->d + 1) / 2 : s->d;
}

// The contacts with gap <= reach at (t, q): an empty list, and what fills it. False when
// memory runs out.
struct dls_contacts dls_contacts_open(const struct dls_system *, double reach,
                                      struct dls_arena *);
bool dls_contacts_find(struct dls_contacts *, const struct dls_system *, double t,
                       const double *q);
// Both, by one thread.
bool dls_system_contacts(const struct dls_system *, double t, const double *q,
                         double reach, struct dls_contacts *, struct dls_arena *);

// H of these contacts as frames (work is not set), where the system gives those, and in
// rows (NULL when memory runs out).
struct dls_frames dls_contacts_frames(const struct dls_contacts *,
                                      const struct dls_system *);
struct dls_csr *dls_contacts_rows(const struct dls_contacts *,
                                  const struct dls_system *, struct dls_arena *);

// The least gap at (t, q) up to `reach`; INFINITY for none.
double dls_system_gap(const struct dls_system *, double t, const double *q,
                      double reach);

#endif
