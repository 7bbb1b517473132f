// SPDX-License-Identifier: Apache-2.0
// A sequence of problems: the steps of a run, the files of a recorded one, several solvers
// on one problem, or one problem solved several times. dls_solve is a sequence of one.
//
//     open -> { next -> { solve } ... } ... -> close
//
// What outlives a solve: the memory, handed out again to the next; and until the next
// problem its judge, which knows u, v and lambda of the last answer. Impulses go from one
// problem to the next by the identity of contacts (warm.h), the factor of a constant M
// with the problem. No analysis of a pattern is kept: contacts come and go, and whoever
// times a solver counts its analysis.
#ifndef DLS_SOLVERS_SEQUENCE_SEQUENCE_H
#define DLS_SOLVERS_SEQUENCE_SEQUENCE_H

#include "solvers/sequence/warm.h"
#include "solvers/solver.h"

struct dls_sequence {
    struct dls_arena *pool;        // memory of the runs; NULL = each has its own
    struct dls_arena judge_memory; // of the present problem's judge
    struct dls_judge *judge;       // NULL before somebody asked
};

// Memory comes from the pool and goes back to it; without one every run takes its own.
void dls_sequence_open(struct dls_sequence *, struct dls_arena *pool);
void dls_sequence_close(struct dls_sequence *);

// What is solved from now on is another problem; the last one has to live until here.
void dls_sequence_next(struct dls_sequence *);

// The judge of the present problem, made when first asked for; errors of
// dls_judge_create.
enum dls_status dls_sequence_judge(struct dls_sequence *, const struct dls_problem *,
                                   struct dls_error *);

// dls_solve on the present problem, with what the sequence keeps in place of `memory` and
// `judge` of the settings.
enum dls_status dls_sequence_solve(struct dls_sequence *, const struct dls_solver *,
                                   const struct dls_options *,
                                   const struct dls_problem *,
                                   const struct dls_settings *, double *r,
                                   struct dls_stats *);

#endif
