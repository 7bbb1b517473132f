// SPDX-License-Identifier: Apache-2.0
#ifndef DLS_BASE_CLOCK_H
#define DLS_BASE_CLOCK_H

// Seconds of a clock that never goes back: time as it passes, or, after
// dls_clock_count_work(), time that processors worked for this process and for the program
// that it watches. That is what a run costs on a machine that has more to do. Which of the
// two is a property of the process: it is chosen at its start, before threads.
double dls_clock(void);
void dls_clock_count_work(void);

// From now on the work of this process, a child, counts too; 0 ends that, its work so far
// stays counted. One at a time; without effect on time as it passes.
void dls_clock_watch(int pid);

#endif
