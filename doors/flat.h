// SPDX-License-Identifier: Apache-2.0
// The flat interface, for other languages: handles, plain numbers, arrays and texts, no
// structs. What a handle knows is asked for by name, so that nothing here depends on the
// layout of anything. The Python package stands on it.
//
// Functions that can fail return an enum dls_status as int and write one sentence into
// `error` (DLS_FLAT_ERROR bytes). Arrays that are returned belong to their handle.
#ifndef DLS_DOORS_FLAT_H
#define DLS_DOORS_FLAT_H

#include <signal.h>

enum { DLS_FLAT_ERROR = 256 };

const char *dls_flat_version(void);
const char *dls_flat_status_name(int status);

// What there is: kind is "solver", "generator" or "scheme"; NULL behind the last. `what`
// is "name" or "brief".
const char *dls_flat_list(const char *kind, int number, const char *what);

// --- problems ----------------------------------------------------------------------------
struct dls_flat_problem;

int dls_flat_load(struct dls_flat_problem **, const char *path, char *error);
// Settings as "n=4 mu=0.3".
int dls_flat_generate(struct dls_flat_problem **, const char *name,
                      const char *settings, char *error);
void dls_flat_free(struct dls_flat_problem *); // accepts NULL

// A problem in two steps: open it with its sizes, give it arrays, close it, which checks
// all of it. n = 0 opens a local one (W, q), else it is global (M, H, f, w).
int dls_flat_open(struct dls_flat_problem **, int contacts, int d, int n, int joints,
                  int rolling, char *error);
// Compressed rows; names are those of struct dls_problem: M H G W V R.
int dls_flat_set_matrix(struct dls_flat_problem *, const char *name, int rows, int cols,
                        const int *p, const int *j, const double *x, char *error);
// mu mu_r f w b q s v_minus u_minus w_ob e_n e_t hF gap position, and `time` and `step`,
// which have one entry.
int dls_flat_set_vector(struct dls_flat_problem *, const char *name, const double *x,
                        int count, char *error);
int dls_flat_close(struct dls_flat_problem *, const char *title, char *error);

// The answer r (m entries) is written too unless it is NULL, with the u and v it implies.
int dls_flat_save(const struct dls_flat_problem *, const char *path, const double *r,
                  char *error);

// contacts d m n joints rolling; -1 for an unknown name.
int dls_flat_size(const struct dls_flat_problem *, const char *name);
const char *dls_flat_title(const struct dls_flat_problem *); // or NULL
// The vectors above and solution_r, guess_r; NULL where there is none.
const double *dls_flat_vector(const struct dls_flat_problem *, const char *name,
                              int *count);
// False where there is no such matrix.
int dls_flat_matrix(const struct dls_flat_problem *, const char *name, int *rows,
                    int *cols, const int **p, const int **j, const double **x);

// --- solvers -----------------------------------------------------------------------------
struct dls_flat_solver;

// A name, a shared object (./mine.so) or a program (./mine), with options:
// "pgs:omega=1.2".
int dls_flat_solver_open(struct dls_flat_solver **, const char *text, char *error);

// A solver made of functions of the caller. `create` sees W in rows of blocks (p, j, x:
// contacts + 1 pointers, block columns, d * d values a block), q and mu, all valid until
// `destroy`; `step` changes r. Both return a status: 0 goes on, 1 is done, negative fails.
struct dls_flat_functions {
    int (*create)(void *data, int contacts, int d, const int *p, const int *j,
                  const double *x, const double *q, const double *mu);
    int (*step)(void *data, double *r, int m, double tol, double seconds,
                double judged);
    void (*destroy)(void *data); // may be NULL
    void *data;
};
int dls_flat_solver_made(struct dls_flat_solver **, const char *name,
                         const struct dls_flat_functions *, char *error);
void dls_flat_solver_free(struct dls_flat_solver *); // accepts NULL

// --- runs --------------------------------------------------------------------------------
struct dls_flat_result;

struct dls_flat_terms {
    double tol, max_time;
    long max_iter, seed;
    int measure;                   // 0 natural, 1 merit, 2 both
    volatile sig_atomic_t *cancel; // set it from another thread to stop; may be NULL
    // At each check; may be NULL. Not zero stops the run.
    int (*monitor)(void *data, long iteration, double time, double natural,
                   double merit);
    void *data;
};

// r (m entries) is the start. Returns a negative status for bad input only: that a run
// did not converge is in the result.
int dls_flat_solve(struct dls_flat_result **, const struct dls_flat_problem *,
                   const struct dls_flat_solver *, const struct dls_flat_terms *,
                   const double *r, char *error);
// Judges r without solving.
int dls_flat_judge(struct dls_flat_result **, const struct dls_flat_problem *,
                   const double *r, char *error);
// Solves, refines in extended precision, and says what is known about the answer.
int dls_flat_certify(struct dls_flat_result **, const struct dls_flat_problem *,
                     const struct dls_flat_solver *, const struct dls_flat_terms *,
                     const double *r, char *error);
// Whether there is a solution: `verdict` is a sentence, `code` an enum
// dls_existence_verdict, `margin` a number.
int dls_flat_existence(const struct dls_flat_problem *, double max_time,
                       const char **verdict, int *code, double *margin, char *error);
void dls_flat_result_free(struct dls_flat_result *); // accepts NULL

// natural merit bipotential penetration cone_excess signorini angle momentum, iterations,
// build_time create_time solve_time check_time, bytes products local_solves factorisations claimed
// own, work normal tangential free_work kinetic_minus kinetic_plus defect, and of a
// certificate natural_extended merit_extended; NaN for what is not known.
double dls_flat_number(const struct dls_flat_result *, const char *name);
// message note relaxes; "" where there is none.
const char *dls_flat_text(const struct dls_flat_result *, const char *name);
int dls_flat_result_status(const struct dls_flat_result *);
// r u v lambda, work_of (r.u_bar of each contact), and history: four numbers a check,
// iteration, time, natural, merit.
const double *dls_flat_array(const struct dls_flat_result *, const char *name,
                             int *count);
// Of each contact: 0 open, 1 stick, 2 slip.
const int *dls_flat_contact_statuses(const struct dls_flat_result *, int *count);

#endif
