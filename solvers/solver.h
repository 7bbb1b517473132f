// SPDX-License-Identifier: Apache-2.0
// The contract between a solver and its driver.
//
// A solver is data plus one step. The driver (solvers/driver) owns the loop, the clock,
// the stopping test, the monitor and the verdict: every solver is stopped by the same judge
// and none can declare itself converged.
//
//   build formulation -> create -> { judge; step } ... -> verdict
//
// To add one: `make new-solver NAME=foo`, then fill solvers/foo.c.
#ifndef DLS_SOLVERS_SOLVER_H
#define DLS_SOLVERS_SOLVER_H

#include "formulations/formulation.h"
#include "formulations/judge/energy.h"
#include "formulations/judge/residual.h"
#include "formulations/problem.h"

#include "base/arena.h"
#include "base/option.h"
#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// Shared by the driver and `step`.
struct dls_work {
    long products, local_solves, factorisations; // counted by the solver
    // Counted by the solver: steps that gained in a measure of its own, or after which it
    // has something else to try. The driver does not call a run stalled while this grows,
    // since the judge cannot see such gains.
    long advances;
    long ambiguous; // contacts with several admissible local answers, when last counted
    double deadline; // in the time of dls_clock(); a long step asks dls_work_expired
    // What the clock showed before this step, and the seconds of the run till then. A reading
    // may take as long as a sweep over a few contacts: who asks here need not read it.
    double now, spent;
    const volatile sig_atomic_t *cancel; // may be NULL
    uint64_t seed;  // a solver that draws random numbers starts its generator from it
    double tol;     // what the run asks for
    double judged;  // the last residual the judge saw: to adapt to, never to decide by
    double claimed; // what a peer says its error is after its last step; 0 = nothing
    // Set by a step that asks for a check of its iterate, which the next step may leave.
    // The driver checks after every step at first, and rarer as the run grows longer.
    bool check;
    char note[120]; // what the solver wishes to tell the user
    // The judge of the run, for a solver that runs others and has to choose between their
    // iterates. NULL where the cones of the file are elliptic: the solver's are round.
    struct dls_judge *judge;
};

// True when a long step should return (with DLS_OK; the driver finds the reason).
bool dls_work_expired(const struct dls_work *);

// True when the caller wants the run to end: what dls_work_expired asks beside the clock.
bool dls_work_cancelled(const struct dls_work *);

struct dls_solver {
    const char *name;         // on the command line; pgs-bodies lives in pgs_bodies.c
    const char *brief, *cite; // one line for `list`; a key of paper/references.bib
    const char *version;      // name and version of a foreign package; NULL = none
    const char *use, *fails;  // where it is the right choice, and where not: sentences
    const struct dls_formulation *takes; // exactly one; the driver builds it
    const struct dls_option *options;    // ends with {0}; NULL = none
    size_t options_size;
    bool allocates; // step calls a library that does
    // A step does the whole work, to the tolerance of the run. A campaign then runs each
    // tolerance apart, since no iterate between tells when a looser one was reached.
    bool one_call;
    const void *context; // what *self is when create is called; mostly NULL

    // Takes all memory from the arena. DLS_UNSUPPORTED with a sentence where the method
    // does not apply. `self` is set before anything foreign is opened.
    enum dls_status (*create)(void **self, const void *form, const void *opt,
                              struct dls_arena *, struct dls_error *);
    // z was changed from outside: called once before the first step, with the start.
    // That is any finite vector; r may lie outside the cone, and `step` brings it in or
    // works with it as it is. NULL = the solver keeps no state that depends on z.
    void (*reset)(void *self, const double *z);
    // One iteration on z. DLS_OK = go on, DLS_FINISHED = nothing left to do, another
    // positive status = the run ends with it, negative = failed. The driver alone says
    // converged, diverged (the residual is not finite, or has grown 1e8 times) and
    // stalled (r repeats, or the residual has not gained for very many steps, and
    // `advances` does not grow); driver/verdict.c has the rules. z may be any vector
    // between two steps, also a worse one than before: the driver keeps the best.
    enum dls_status (*step)(void *self, double *z, struct dls_work *);
    // Writes the note of work at each check, with the clock stopped; NULL = step does.
    void (*tell)(void *self, char *note, size_t room);
    // Seconds so far that were spent on something else than the problem (starting a
    // process, handing it a file). The driver leaves them out of its times. NULL = none.
    double (*idle)(const void *self);
    void (*destroy)(void *self); // foreign handles only; may be NULL
};

// Options of a run; a NULL member means the defaults.
struct dls_options {
    const void *solver, *formulation;
};

// DLS_CORRECTION is Moreau's own test: how much one step (a sweep) still changes r. A slow
// method passes it far from the answer.
enum dls_measure { DLS_NATURAL, DLS_MERIT, DLS_BOTH, DLS_CORRECTION };
#define DLS_MEASURE_CHOICES "natural|merit|both|correction"
enum { DLS_CHECK_LAST = -1 };

struct dls_stats;

struct dls_progress {
    long iteration;
    double time;   // spent in build, create and step so far
    double solves; // the least tolerance that this iterate solves
    const struct dls_measures *measures;
    const double *r;               // the impulses that were measured
    const struct dls_judge *judge; // has just measured them
    const struct dls_stats *stats; // times and work so far
};

// What every run shares, whatever the solver.
struct dls_settings {
    double tol;
    enum dls_measure measure; // what `tol` applies to
    double max_time;          // seconds in build, create and step; checks do not count
    long max_iter;            // 0 = no limit
    // Steps between checks; 0 = every step, later every 2 %; DLS_CHECK_LAST = after
    // max_iter steps and at no other time.
    int check_every;
    uint64_t seed;
    const volatile sig_atomic_t *cancel; // set it to stop the run; may be NULL
    void (*monitor)(const struct dls_progress *, void *data); // at each check; or NULL
    void *data;
    bool booked; // the energy is booked by the caller: stats->energy is left NAN
};

struct dls_stats {
    enum dls_status status;
    long iterations;              // until the answer that is returned
    struct dls_measures measures; // of that answer
    struct dls_energy energy;
    double own;          // the formulation's own residual; NAN if none
    const char *relaxes; // label of the relaxation, or NULL
    double build_time, create_time, solve_time, check_time;
    size_t bytes; // most memory held by formulation and solver
    struct dls_work work;
    char message[256]; // a sentence where status is not converged, or ""
};

// tol 1e-8 on `natural`, 60 s, no iteration limit.
struct dls_settings dls_settings_default(void);

// The residual that `measure` names.
double dls_measured(const struct dls_measures *, enum dls_measure);

// Runs one solver on one problem, which may give frames in place of H. r (m entries) is
// the warm start in and the best answer that the judge saw out. NULL for `opt` or
// `settings` means the defaults; NULL for anything else, a solver that dls_solver_find
// did not find included, is DLS_EINVAL. Returns stats->status.
//
// It is a sequence of one problem (solvers/sequence/sequence.h): whoever solves many, or
// wants to hand in memory or to ask the judge for u and v, opens a sequence.
enum dls_status dls_solve(const struct dls_solver *, const struct dls_options *opt,
                          const struct dls_problem *, const struct dls_settings *,
                          double *r, struct dls_stats *);

// All solvers, sorted by name, ended by NULL; made by scripts/registry.sh.
extern const struct dls_solver *const dls_solvers[];
const struct dls_solver *dls_solver_find(const char *name);

// Solvers left out of this build for want of a library; ended by a NULL name.
struct dls_missing {
    const char *name, *brief, *how; // `how` is a command that brings it
};
extern const struct dls_missing dls_missing[];
const struct dls_missing *dls_missing_find(const char *name); // or NULL

#endif
