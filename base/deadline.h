// SPDX-License-Identifier: Apache-2.0
#ifndef DLS_BASE_DEADLINE_H
#define DLS_BASE_DEADLINE_H

#include <stdbool.h>

// The deadline of the run under way in this thread, which the driver of solvers sets:
// INFINITY outside of a run. It serves work that cannot be interrupted once it is begun (a
// factorisation) and work far below the contract of solvers.
double dls_deadline_set(double deadline); // returns the one before

// Whether work of so many seconds, begun now, ends before the deadline. Where not, the
// seconds are kept, for the sentence of who gives up.
bool dls_deadline_allows(double seconds);
double dls_deadline_refused(void); // since the deadline was set; 0 = nothing

#endif
