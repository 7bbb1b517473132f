// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // clock_getcpuclockid
#include "base/clock.h"

#include <stdbool.h>
#include <time.h>

// The clock is the one state of the library that belongs to the whole process.
static bool counts_work, watches;
static clockid_t watched;
static double before; // seconds of programs that were watched earlier

static double read_clock(clockid_t id)
{
    struct timespec now;
    if (clock_gettime(id, &now)) return 0; // a process that is gone
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double dls_clock(void)
{
    if (!counts_work) return read_clock(CLOCK_MONOTONIC);
    return read_clock(CLOCK_PROCESS_CPUTIME_ID) + before
           + (watches ? read_clock(watched) : 0);
}

void dls_clock_count_work(void) { counts_work = true; }

void dls_clock_watch(int pid)
{
    if (!counts_work) return;
    if (watches) before += read_clock(watched);
    watches = pid && !clock_getcpuclockid(pid, &watched);
}
