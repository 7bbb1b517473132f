// SPDX-License-Identifier: Apache-2.0
// An example of a paper: a system with its data, run by any scheme with any solver, and
// the checks that tell whether it worked. One example per file; to add one, write
// problems/foo.c that ends with `const struct dls_example dls_example_foo`.
#ifndef DLS_PROBLEMS_EXAMPLES_EXAMPLE_H
#define DLS_PROBLEMS_EXAMPLES_EXAMPLE_H

#include "problems/mechanics/checkpoint.h"

// One number compared with what it should be.
enum dls_check_kind { DLS_CHECK_NEAR, DLS_CHECK_AT_MOST, DLS_CHECK_AT_LEAST };

struct dls_check {
    const char *what;
    enum dls_check_kind kind;
    double value, expected, tolerance; // the tolerance of NEAR is absolute
    const char *reason;                // of the tolerance or of the bound
    bool passed;
};

struct dls_checks {
    int count, room;
    struct dls_check *all;
    struct dls_arena *arena;
    // Told of every check as it is made; may be NULL.
    void (*made)(const struct dls_check *, void *data);
    void *data;
};

// |value - expected| <= tolerance, value <= bound, value >= bound. NAN never passes.
// The texts are copied.
void dls_check_near(struct dls_checks *, const char *what, double value,
                    double expected, double tolerance, const char *reason);
void dls_check_most(struct dls_checks *, const char *what, double value, double bound,
                    const char *reason);
void dls_check_least(struct dls_checks *, const char *what, double value, double bound,
                     const char *reason);

// The slope of log(error) over log(h) by least squares: the order of convergence.
double dls_order_fit(int count, const double *h, const double *error);

// Of all trials of a check together.
struct dls_tally {
    long steps, unconverged; // unconverged: the solver fell short of the tolerance
    struct dls_spread residuals, iterations, contacts;
};

// Who goes along with the main run of a check: files and checkpoints of the program.
// `open` may put the run where a checkpoint has it; `step` comes after the trial has seen
// the step; `close` comes in any case after `open`.
struct dls_beside {
    enum dls_status (*open)(struct dls_sim *, const struct dls_watched *, void *data,
                            struct dls_error *);
    enum dls_status (*step)(struct dls_sim *, void *data, struct dls_error *);
    enum dls_status (*close)(struct dls_sim *, enum dls_status, void *data,
                             struct dls_error *);
    void *data;
};

// What is asked of an example.
struct dls_scene;
struct dls_asked {
    const void *options; // of the example
    double scale;        // 1 = full size
    const char *from;    // a file of the bodies' places to start from, or NULL
    bool resumed;        // places come from a checkpoint: nothing else hangs on them
    // Solver, settings, and the scheme if one was asked for (else NULL).
    struct dls_setup setup;
    // Relative error put into the coefficients of the law in every trial, mostly 0: a
    // table of checks that still passes at 0.01 would not notice a wrong law.
    // dls_rigid_of does not know the system of such a trial.
    double spoil;
    struct dls_tally *tally;         // of the trials made so far; or NULL
    const struct dls_scene *scene;   // the main one, as `make` left it
    const struct dls_beside *beside; // of the trial that is the main run; or NULL
};

// A coefficient of a law with the error that was asked for. Trials do this to friction,
// rolling resistance and restitution of all contacts; an example does it to coefficients
// that only its own system or solver knows.
double dls_spoilt(const struct dls_asked *, double coefficient);

// The main run of an example.
struct dls_scene {
    const struct dls_system *system;
    const double *q, *v; // initial state
    double h, end;       // step, duration
    const char *scheme;  // "theta:theta=1", unless another is asked for
    // Columns beside time and energies in the CSV file; `names` ends with NULL.
    const char *const *names;
    void (*observe)(const struct dls_sim *, double *values);
};

struct dls_example {
    const char *name, *brief;
    const char *paper;  // "Moreau2004, 7.4": where the system comes from
    const char *solver; // unless another is asked for; NULL = pgs
    double tol;         // of every step, likewise; 0 = 1e-12
    long max_iter;      // of every step, likewise; 0 = no limit
    // Instead of a tolerance: so many sweeps a step, the last one judged and reported.
    // For packings, whose exact answer costs hundreds of sweeps that the motion does not
    // show. --tol or --max-iter take its place. 0 = solved to the tolerance.
    long sweeps;
    bool main_check; // its check is about the main run, made by dls_trial_main
    bool packs;      // starts from a packing: takes --from STATE
    const struct dls_option *options; // ends with {0}; NULL = none
    size_t options_size;
    enum dls_status (*make)(struct dls_scene *, const struct dls_asked *,
                            struct dls_arena *, struct dls_error *);
    // The share of steps that may end short of the tolerance, and why; 0 unless the
    // example is meant to be run so.
    double may_fall_short;
    const char *why_short;
    // Makes its own runs with the solver asked for and compares; NULL: has no checks.
    enum dls_status (*check)(struct dls_checks *, const struct dls_asked *,
                             struct dls_arena *, struct dls_error *);
};

// The setup for a scene: the solver asked for, and the scheme asked for or the scene's.
enum dls_status dls_scene_setup(struct dls_setup *, const struct dls_scene *,
                                const struct dls_asked *, struct dls_arena *,
                                struct dls_error *);

// A scene of rigid bodies in their initial state; memory for it from the arena. The
// other members are left as they are.
struct dls_rigid;
enum dls_status dls_scene_rigid(struct dls_scene *, const struct dls_rigid *,
                                struct dls_arena *);

// One run of a check, with the solver asked for, from (q, v) at time 0 to `end`.
struct dls_trial {
    const struct dls_system *system;
    const char *scheme; // with options: "theta:theta=1"
    const double *q, *v;
    double h, end;
    void (*each)(const struct dls_sim *, void *data); // after every step; or NULL
    void *data;
};
// The main run once more: its scheme, step and end are there to be changed.
struct dls_trial dls_trial_of(const struct dls_scene *,
                              void (*each)(const struct dls_sim *, void *data),
                              void *data);
// Takes its memory from the arena and gives it back.
enum dls_status dls_trial_run(const struct dls_trial *, const struct dls_asked *,
                              struct dls_arena *, struct dls_error *);
// The same for the main run of a check: files and checkpoints go along. All that `each`
// keeps between steps is in what is watched, so that a resumed run goes on counting.
enum dls_status dls_trial_main(const struct dls_trial *, const struct dls_watched *,
                               const struct dls_asked *, struct dls_arena *,
                               struct dls_error *);

// The last state and energies of a trial: `each` = dls_trial_keep, `data` = one of
// these with room for q and v (NULL: not kept).
struct dls_kept {
    double *q, *v;
    double r[8]; // first impulses of the last step
    int contacts;
    struct dls_ledger ledger;
    double worst_gap; // most negative gap met
};
void dls_trial_keep(const struct dls_sim *, void *kept);

// All examples, sorted by name, ended by NULL; made by scripts/registry.sh.
extern const struct dls_example *const dls_examples[];
const struct dls_example *dls_example_find(const char *name);

#endif
