// SPDX-License-Identifier: Apache-2.0
// A run whose bodies come and go: what it keeps follows them; see presence.c.
#ifndef DLS_PROBLEMS_MECHANICS_PRESENCE_H
#define DLS_PROBLEMS_MECHANICS_PRESENCE_H

#include "problems/mechanics/scheme.h"

// Makes M and its factor for all bodies that may be there, and cuts them to those that
// are. DLS_UNSUPPORTED where the scheme remembers velocities of its own.
enum dls_status dls_presence_open(struct dls_sim *);

// Before a step: lets bodies come and go, M and its factor follow, the ledger books the
// energy that they bring and take.
void dls_presence_change(struct dls_sim *);

// The bodies from this one on are others than before.
void dls_presence_follow(struct dls_sim *, int first);

// The last step was of other bodies: nothing of it is left to look at.
void dls_presence_forget(struct dls_sim *);

// A step in which nobody is there: time goes on.
void dls_presence_idle(struct dls_sim *);

#endif
