// SPDX-License-Identifier: Apache-2.0
#include "problems/examples/packed.h"

#include "problems/preparation/state.h"

#include <math.h>

enum dls_status dls_packed(struct dls_rigid *r, const struct dls_settling *with,
                           const struct dls_asked *asked, struct dls_arena *a,
                           struct dls_error *err)
{
    struct dls_settled out;
    if (asked->from) return dls_state_read(r, asked->from, err);
    if (asked->resumed) return DLS_OK;
    enum dls_status status = dls_settle(r, with, &asked->setup, &out, a, err);
    if (status || out.rest) return status;
    return dls_fail(err, DLS_EINVAL,
                    "the packing is not at rest after %g s: its fastest body moves at "
                    "%g, and %g was asked for",
                    out.t, out.speed, with->speed);
}

int dls_scaled(const struct dls_asked *asked, int full, int least)
{
    int size = (int)lround(full * asked->scale);
    return size > least ? size : least;
}

int dls_scaled_time(const struct dls_asked *asked, int full, int least)
{
    int size = (int)lround(full * fmin(1, 4 * asked->scale));
    return size > least ? size : least;
}
