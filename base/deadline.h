// SPDX-License-Identifier: Apache-2.0
#ifndef DLS_BASE_DEADLINE_H
#define DLS_BASE_DEADLINE_H

#include <stdbool.h>

// The deadline of the run under way in this thread, INFINITY outside of a run. The driver
// sets it; it serves what cannot be interrupted once it has begun (a factorisation), and
// code that does not see the `work` of a step.
double dls_deadline_set(double deadline); // returns the one before

// Whether work of so many seconds, begun now, ends before the deadline. The seconds of work
// that was refused are kept: whoever gives up for want of time can name them.
bool dls_deadline_allows(double seconds);
double dls_deadline_refused(void); // since the deadline was set; 0 = nothing

#endif
