// SPDX-License-Identifier: Apache-2.0
// What every run is asked for, and what follows from it alone.
#include "solvers/solver.h"

#include "base/clock.h"

#include <math.h>

struct dls_settings dls_settings_default(void)
{
    return (struct dls_settings){.tol = 1e-8, .measure = DLS_NATURAL, .max_time = 60};
}

double dls_measured(const struct dls_measures *m, enum dls_measure measure)
{
    switch (measure) {
    case DLS_NATURAL:
        return m->natural;
    case DLS_MERIT:
        return m->merit;
    case DLS_CORRECTION:
        return m->correction;
    case DLS_BOTH:
        break;
    }
    // The merit is NAN where the problem has none, and fmax passes it over.
    return isnan(m->natural) ? m->natural : fmax(m->natural, m->merit);
}

bool dls_work_cancelled(const struct dls_work *work)
{
    return work->cancel && *work->cancel;
}

bool dls_work_expired(const struct dls_work *work)
{
    return dls_work_cancelled(work) || dls_clock() > work->deadline;
}
