// SPDX-License-Identifier: Apache-2.0
// What a child process tells the campaign: fixed-size messages through a pipe. Parent and
// child are the same binary, so the structs are the same.
#ifndef DLS_BENCHMARKS_CAMPAIGN_MESSAGE_H
#define DLS_BENCHMARKS_CAMPAIGN_MESSAGE_H

#include "solvers/solver.h"

enum { DLS_MESSAGE_FD = 3 };  // where the child writes
enum { DLS_TOLERANCES = 16 }; // most tolerances of a campaign

// What is known of a problem once it is read.
struct dls_problem_facts {
    int contacts, d, m, n, joints; // d = 0: not read
    int bodies;                    // of the file, or seen in W; 0: unknown
    bool rolling;
    double mu_min, mu_max;
    double density;  // m/n, by the velocities seen in W where the file has none
    double rank_def; // NAN where not computed
    double seconds;  // it took to make the problem; 0 where that was not timed
};

enum dls_message_kind {
    DLS_MESSAGE_FACTS, // the problem is read
    DLS_MESSAGE_RUN,   // a run begins: its time limit counts from here
    DLS_MESSAGE_ROW,   // what is known of one tolerance; the last such message counts
};

// A message is below PIPE_BUF bytes, hence written at once or not at all.
struct dls_message {
    enum dls_message_kind kind;
    int tol;     // of a row: the number of its tolerance in the child's list
    int repeats; // runs that were timed
    double time, median, most; // least, median, most of build + create + solve
    long run_iterations;       // of the whole run, which may go on behind its answer
    bool says, claims;         // a peer has an error of its own; it went below tol
    double claim_natural, claim_merit; // ... and the judge's residuals of that answer
    int history_error;                 // errno where the history could not be written
    struct dls_problem_facts facts;
    struct dls_stats stats;
    char relaxes[64]; // stands for stats.relaxes, a pointer
};

#endif
