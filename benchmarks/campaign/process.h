// SPDX-License-Identifier: Apache-2.0
// Child processes of a campaign, seen from the parent: started by fork and exec of the
// same binary, listened to, watched, and ended when they take too long or too much.
#ifndef DLS_BENCHMARKS_CAMPAIGN_PROCESS_H
#define DLS_BENCHMARKS_CAMPAIGN_PROCESS_H

#include <sys/types.h>

#include "benchmarks/campaign/message.h"

enum dls_ending {
    DLS_RUNNING,
    DLS_ENDED,         // by itself: see exit_code and signal
    DLS_KILLED,        // by us: no end within the time limit
    DLS_OUT_OF_MEMORY, // by us: above the memory limit
};

struct dls_process {
    enum dls_ending ending;
    int exit_code, signal; // 0 where there was none
    double peak;           // most resident bytes

    // What it told so far.
    struct dls_problem_facts facts;
    int runs; // begun
    bool told[DLS_TOLERANCES];
    struct dls_message rows[DLS_TOLERANCES];
    char last_words[160]; // end of what it printed, on one line

    // Inner state.
    pid_t pid;
    int messages, prints;     // pipes, -1 when ended
    double limit, deadline;   // seconds for each run, and dls_clock() of the end
    double max_bytes;         // 0 = no limit
    enum dls_ending sentence; // why we killed it
    struct dls_message partial;
    size_t filled;
};

// Starts this program with other arguments; argv ends with NULL. False with errno set.
bool dls_process_start(struct dls_process *, char *const argv[], double limit,
                       double max_bytes);

// Waits until something happens, at most a few milliseconds, and brings the `count`
// processes up to date; those that are not running are left alone.
void dls_process_watch(struct dls_process *, int count);

// Kills it and waits for its end.
void dls_process_stop(struct dls_process *);

// What became of a process that has ended, where that is not as it should be ("killed",
// "out_of_memory", "lost", "crashed"), with a sentence; NULL where all is well. `told`:
// its answer is there.
enum { DLS_ROW_MESSAGE = 512 };
const char *dls_process_misfortune(const struct dls_process *, bool told,
                                   char message[DLS_ROW_MESSAGE]);

#endif
