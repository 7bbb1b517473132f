// SPDX-License-Identifier: Apache-2.0
// A sequence of problems: the steps of a run, the files of a recorded one, several solvers
// on one problem, or one problem solved several times. Every solve is part of a sequence;
// dls_solve is a sequence of one.
//
//     open -> { next -> { solve } ... } ... -> close
//
// What outlives a solve: the memory, handed out again to the next solve; and the judge of
// the present problem, which knows u, v and lambda of the last answer. Impulses go from one
// problem to the next by the identity of contacts (warm.h), the factor of a constant M
// goes with the problem. No analysis of a pattern is kept: contacts come and go, and
// whoever times a solver counts its analysis.
#ifndef DLS_SOLVERS_SEQUENCE_SEQUENCE_H
#define DLS_SOLVERS_SEQUENCE_SEQUENCE_H

#include "solvers/sequence/warm.h"
#include "solvers/solver.h"

struct dls_sequence {
    struct dls_arena *memory;      // where solves take theirs; NULL = from the system
    struct dls_arena judge_memory; // of the present problem's judge
    struct dls_judge *judge;       // NULL before it is asked for
    bool natural; // of the natural residual alone: the other measures are left NAN
};

// The memory of all solves and judges comes from the arena and goes back to it, a pool
// (dls_arena_pool) hands the same blocks out again; NULL = each solve asks the system.
void dls_sequence_open(struct dls_sequence *, struct dls_arena *memory);
void dls_sequence_close(struct dls_sequence *);

// What is solved from now on is another problem; the last one has to live until here.
void dls_sequence_next(struct dls_sequence *);

// Makes the judge of the present problem where there is none yet; errors of
// dls_judge_create.
enum dls_status dls_sequence_judge(struct dls_sequence *, const struct dls_problem *,
                                   struct dls_error *);

// Runs one solver on the present problem; arguments and answer as for dls_solve. The judge
// knows u, v and lambda of the answer afterwards.
enum dls_status dls_sequence_solve(struct dls_sequence *, const struct dls_solver *,
                                   const struct dls_options *,
                                   const struct dls_problem *,
                                   const struct dls_settings *, double *r,
                                   struct dls_stats *);

#endif
