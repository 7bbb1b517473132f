// SPDX-License-Identifier: Apache-2.0
// What is seen of a run while it lasts: one line on the terminal, rewritten, and the
// history file. Both hang on the driver's monitor, which the solve clock does not see.
#ifndef DLS_BENCHMARKS_TERMINAL_PROGRESS_H
#define DLS_BENCHMARKS_TERMINAL_PROGRESS_H

#include "solvers/solver.h"

#include <stdio.h>

struct dls_watch {
    const char *problem, *solver; // of the run under way
    int run, runs;                // it is number `run` of `runs`
    bool terminal;                // show the line on stderr
    double shown;                 // dls_clock() when it was last written; 0 = not there
    FILE *history;                // CSV, or NULL
};

// The history's header line.
void dls_watch_header(FILE *history);

// A monitor for dls_settings; `data` is a struct dls_watch.
void dls_watch_monitor(const struct dls_progress *, void *data);

// The line of a run of which only the time is known.
void dls_watch_wait(struct dls_watch *, double seconds);

// Takes the line off the terminal again.
void dls_watch_clear(struct dls_watch *);

// Ctrl-C, SIGTERM and SIGHUP take away the files that are being written (base/file.h), and
// end the program.
void dls_leave_clean_on_signal(void);

// They raise the flag that settings.cancel points to; a second one ends the program at
// once, as above.
extern volatile sig_atomic_t dls_cancelled;
void dls_cancel_on_signal(void);

#endif
