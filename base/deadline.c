// SPDX-License-Identifier: Apache-2.0
#include "base/deadline.h"

#include "base/clock.h"

#include <math.h>

static _Thread_local double deadline = INFINITY, refused;

double dls_deadline_set(double next)
{
    double before = deadline;
    deadline = next;
    refused = 0;
    return before;
}

bool dls_deadline_allows(double seconds)
{
    if (deadline == INFINITY || dls_clock() + seconds <= deadline) return true;
    refused = fmax(refused, seconds);
    return false;
}

double dls_deadline_refused(void) { return refused; }
