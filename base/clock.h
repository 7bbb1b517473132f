// SPDX-License-Identifier: Apache-2.0
#ifndef DLS_BASE_CLOCK_H
#define DLS_BASE_CLOCK_H

// Seconds of a clock that never goes back.
double dls_clock(void);

#endif
