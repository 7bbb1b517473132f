// SPDX-License-Identifier: Apache-2.0
// A program that runs beside us and speaks in lines; see program.c.
#ifndef DLS_SOLVERS_OUTSIDE_PROGRAM_H
#define DLS_SOLVERS_OUTSIDE_PROGRAM_H

#include "base/status.h"

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

enum { DLS_LINE = 512 }; // longest line that is taken, newline included

struct dls_program {
    pid_t pid; // 0: not running
    int fd;    // its standard input and output
    char heard[4096];
    size_t filled, taken; // of what was heard
};

enum dls_hearing {
    DLS_HEARD_LINE,
    DLS_HEARD_NOTHING, // nothing until the deadline, or cancelled
    DLS_HEARD_END,     // it closed its output, or ended
};

// Starts argv[0], looked for in PATH; argv ends with NULL.
enum dls_status dls_program_start(struct dls_program *, char *const argv[],
                                  struct dls_error *);

// Says one line; the newline is added. That nobody listens is found when hearing.
void dls_program_say(struct dls_program *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Waits for one line until the deadline (of dls_clock) or until *cancel (or NULL) is set.
enum dls_hearing dls_program_hear(struct dls_program *, char line[DLS_LINE],
                                  double deadline, const volatile sig_atomic_t *cancel);

// Ends it: it has a moment to end by itself after `quit`. How it ended is told in words
// ("ended with exit code 3", "was killed by signal 11"). A program that is not running
// stays so.
void dls_program_end(struct dls_program *, char words[64]);

#endif
