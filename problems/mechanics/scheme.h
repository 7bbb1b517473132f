// SPDX-License-Identifier: Apache-2.0
// Time-stepping: a scheme advances a system by one step, any solver gives the impulses.
//
//   dls_sim_open -> { dls_sim_step } ... -> dls_sim_close
//
// To add a scheme: problems/scheme_foo.c that ends with `const struct dls_scheme
// dls_scheme_foo`; it is in `delassus list schemes` and `delassus run --scheme` then.
#ifndef DLS_PROBLEMS_MECHANICS_SCHEME_H
#define DLS_PROBLEMS_MECHANICS_SCHEME_H

#include "problems/mechanics/bonds.h"
#include "problems/mechanics/ledger.h"
#include "problems/mechanics/spread.h"
#include "problems/mechanics/system.h"
#include "solvers/sequence/sequence.h"

struct dls_sim;

// One step problem and its answer.
struct dls_step {
    struct dls_problem problem;
    const struct dls_contact *contact; // problem.contacts
    uint64_t *id;                      // of each contact, side by side
    const struct dls_csr *M;           // the inertia; problem.M may add stiffness
    double *g;                         // joints: how far each constraint is violated
    double *r;                         // start in, answer out
    double *v, *u, *lambda;            // answer
    double *v_bar, *u_bar;             // means over the step, filled by the ledger
    double free_norm;                  // |q| of u = W r + q
    // Of glued contacts (NULL and 0 without): impulses on the bodies (n), the bonds after
    // the step, h R . w_b, energy lost by damage.
    double *glue;
    struct dls_bond *bond;
    double glue_driven, glue_lost;
    struct dls_measures measures; // of the answer; zero without contacts
    enum dls_status status;       // the solver's
    double tol;                   // what it was asked for
    // What the settings measure, or the own residual of a solver of another law.
    double residual;
    const char *relaxes; // how that law differs from Coulomb's, or NULL
    long iterations;
    struct dls_arena *arena;
};

struct dls_scheme {
    const char *name, *brief;
    const char *cite;                 // a key of paper/references.bib
    const struct dls_option *options; // ends with {0}; NULL = none
    size_t options_size;
    bool frames; // multiplies with H by dls_problem_add and does not read its rows
    bool glue;   // takes the impulses of glued contacts by dls_step_glue
    // How many numbers the scheme keeps between steps (sim->memory), zero at the start;
    // NULL = none. They are part of a checkpoint.
    int (*memory)(const struct dls_system *);
    // Fills the memory from the initial state; may be NULL.
    enum dls_status (*start)(struct dls_sim *, struct dls_error *);
    // Solves one step of length sim->h and hands the new state to dls_sim_advance.
    enum dls_status (*step)(struct dls_sim *, struct dls_error *);
};

// What a run is asked to use.
struct dls_setup {
    const struct dls_scheme *scheme;
    const void *scheme_options; // NULL: defaults
    const struct dls_solver *solver;
    struct dls_options solver_options;
    struct dls_settings settings;
    double h;
    bool cold;    // solvers start from zero instead of the last step's impulses
    bool natural; // of a step the natural residual is read, other measures are left NAN
    int threads;  // for detection, judge and sweeps, see dls_problem; 0 = one
};

// `pgs` to a natural residual of 1e-12, scheme by name; settings may be changed after.
struct dls_setup dls_setup_default(const char *scheme, double h);

// Sets scheme and options from text such as "theta" or "theta:theta=1:gamma=0".
enum dls_status dls_setup_scheme(struct dls_setup *, const char *text,
                                 struct dls_arena *, struct dls_error *);

// Where the time of a step goes; docs/simulation.md tells what each does.
enum dls_step_phase {
    DLS_DETECTION,
    DLS_PREPARATION,
    DLS_SOLUTION,
    DLS_JUDGEMENT,
    DLS_BOOKS,
    DLS_STEP_PHASES,
};

struct dls_sim {
    const struct dls_system *system;
    struct dls_setup setup;
    const void *options; // of the scheme
    double start, t, h;  // t = start + steps h
    long steps;
    double *q, *v;  // state
    double *memory; // of the scheme
    int memory_size;
    struct dls_warm warm; // impulses of the last step
    struct dls_bonds bonds;
    struct dls_ledger ledger;
    struct dls_step last; // of the last step; valid until the next one
    long unconverged;     // steps whose solver fell short of the tolerance
    // Over the steps with contacts, in memory of the run: what each ended with.
    struct dls_spread *residuals, *iterations, *contacts;
    double worst_residual, worst_penetration; // over the run
    double worst_natural;                     // the judge's, whatever the solver's law
    const char *relaxes;                      // of the last step that relaxed, or NULL
    double spent[DLS_STEP_PHASES];            // seconds, over the run
    struct dls_csr *M;                        // where it is constant: made once, with
    struct dls_inertia *inertia;              // its factor; else NULL
    struct dls_arena *arena;
    struct dls_arena *pool;          // what a step needs, used again in the next
    struct dls_sequence sequence;    // of the step problems
    struct dls_arena step_memory[2]; // of this step and of the one before
};

// Copies q (nq) and v (n), starts the scheme at time 0. DLS_ENOMEM or what the scheme
// returns; close it in any case. Nothing may be NULL, a scheme or solver that was not found
// included: that is DLS_EINVAL, and there is nothing to close.
enum dls_status dls_sim_open(struct dls_sim *, const struct dls_system *,
                             const struct dls_setup *, const double *q, const double *v,
                             struct dls_arena *);
// One step, before which bodies may come and go; they stay so where it fails, and the
// rule is asked again. A solver short of its tolerance is counted; DLS_UNSUPPORTED, DLS_STOPPED
// and errors end the step and leave the state before it.
enum dls_status dls_sim_step(struct dls_sim *, struct dls_error *);
void dls_sim_close(struct dls_sim *);

// --- for schemes ---------------------------------------------------------------------

// The step problem at the configuration (t, q): M, G, and H of the contacts with
// gap <= reach; v^- = sim->v, w = w_ob + E u^-, start r from the last step. f is left
// zero. Memory from the step's arena.
enum dls_status dls_step_open(struct dls_step *, struct dls_sim *, double t,
                              const double *q, double reach);
// u^- and w = w_ob + E u^- from v^- and the restitution of the contacts.
void dls_step_restitute(struct dls_problem *);
// Replaces problem.M by M + a K + b C, the tangents of F at (t, q, v); the file of such
// a step does not claim a kinetic energy. Nothing changes where F has no tangents.
struct dls_at {
    double t;
    const double *q, *v;
};
enum dls_status dls_step_stiffen(struct dls_step *, const struct dls_system *,
                                 const struct dls_at *, double a, double b);
// Adds the impulses of glued contacts to the percussions of the step (n entries).
void dls_step_glue(const struct dls_step *, double *percussion);
// The identities of its contacts.
static inline struct dls_names dls_step_names(const struct dls_step *s)
{
    return (struct dls_names){s->id, sizeof *s->id};
}
// Solves  M v = f + H^T r + G^T lambda, ...  as it stands in step->problem.
enum dls_status dls_step_solve(struct dls_step *, struct dls_sim *, struct dls_error *);

// The state after the step; the gyroscopic part of the percussion may be NULL.
struct dls_arrival {
    const double *q, *v;
    bool solved; // v is the answer of the step problem that began at the last v
    const double *percussion, *gyro; // n: all of h F, and the gyroscopic part of it
    double joint_work; // of smooth joint forces, where the percussion has them too
};
// Books the energies, keeps the impulses for the next start, moves the state on.
enum dls_status dls_sim_advance(struct dls_sim *, const struct dls_step *,
                                const struct dls_arrival *);

// All schemes, sorted by name, ended by NULL; made by scripts/registry.sh.
extern const struct dls_scheme *const dls_schemes[];
const struct dls_scheme *dls_scheme_find(const char *name);

#endif
