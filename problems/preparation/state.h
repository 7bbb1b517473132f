// SPDX-License-Identifier: Apache-2.0
// Places of bodies in a file, so that many runs start from one packing; see state.c.
#ifndef DLS_PROBLEMS_PREPARATION_STATE_H
#define DLS_PROBLEMS_PREPARATION_STATE_H

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

// Writes where the bodies of a run are, with their velocities. Written beside and
// renamed: complete or not there. DLS_UNSUPPORTED where they are not rigid.
enum dls_status dls_state_write(const struct dls_sim *, const char *path,
                                struct dls_error *);

// Sets places, angles and velocities of the bodies. DLS_EINVAL with a sentence where the
// file is not of as many bodies of the same sizes.
enum dls_status dls_state_read(struct dls_rigid *, const char *path,
                               struct dls_error *);

// The same where some bodies were not there, for dls_rigid_there: fills the numbers
// (room for all bodies) and the count of those that were. Bodies are known by their sizes.
enum dls_status dls_state_read_some(struct dls_rigid *, const char *path, int *number,
                                    int *count, struct dls_error *);

#endif
