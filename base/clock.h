// SPDX-License-Identifier: Apache-2.0
#ifndef DLS_BASE_CLOCK_H
#define DLS_BASE_CLOCK_H

// Seconds of a clock that never goes back. It shows the time as it passes, unless
// dls_clock_count_work was called.
double dls_clock(void);

// From now on the clock shows how long processors have worked for this process, and for the
// child that it watches: what a run costs, on a machine that does other work as well. One
// clock serves the whole process: call this at its start, before there are threads.
void dls_clock_count_work(void);

// Adds the work of the child `pid` to the clock from now on; 0 ends that, and keeps what the
// child has worked so far. One child at a time. The time as it passes is not affected.
void dls_clock_watch(int pid);

#endif
