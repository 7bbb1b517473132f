// SPDX-License-Identifier: Apache-2.0
// What the granular examples share: a packing from a file or settled now.
#ifndef DLS_PROBLEMS_EXAMPLES_PACKED_H
#define DLS_PROBLEMS_EXAMPLES_PACKED_H

#include "problems/examples/example.h"
#include "problems/preparation/settle.h"

// Brings the bodies to their start: from the state that was asked for, or by settling.
// DLS_EINVAL with a sentence where they do not come to rest in the time given.
// A run that is resumed takes its places from the checkpoint, so nothing is settled then:
// not for scenes whose walls or duration follow from the packing.
enum dls_status dls_packed(struct dls_rigid *, const struct dls_settling *,
                           const struct dls_asked *, struct dls_arena *,
                           struct dls_error *);

// `full` shrunk by the scale asked for, but not below `least`.
int dls_scaled(const struct dls_asked *, int full, int least);
// The same for durations, which a quarter of the bodies still have in full.
int dls_scaled_time(const struct dls_asked *, int full, int least);

#endif
