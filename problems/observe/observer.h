// SPDX-License-Identifier: Apache-2.0
// Measures by name, each with the columns that it writes: what `--observe` takes.
#ifndef DLS_PROBLEMS_OBSERVE_OBSERVER_H
#define DLS_PROBLEMS_OBSERVE_OBSERVER_H

#include "problems/observe/observed.h"

// One number with its name.
struct dls_reading {
    char name[32];
    double value;
};

enum { DLS_READINGS = 64 };

// Numbers of one row; more than DLS_READINGS are dropped.
struct dls_readings {
    int count;
    struct dls_reading all[DLS_READINGS];
};
void dls_reading_add(struct dls_readings *, const char *name, double value);

struct dls_observer {
    const char *name, *brief;
    bool takes_number; // written name=K
    // Adds the same columns at every step. False when memory runs out.
    bool (*read)(const struct dls_observed *, int number, struct dls_readings *,
                 struct dls_arena *);
};

extern const struct dls_observer dls_observers[]; // ends with {0}

// A list as "stress,track=0". Each is a measure of one step, or one over the time since
// the row before (since.h); the latter keeps numbers between steps.
enum { DLS_OBSERVERS = 16 };
struct dls_since;
struct dls_observing {
    int count;
    const struct dls_observer *all[DLS_OBSERVERS]; // or NULL and
    const struct dls_since *since[DLS_OBSERVERS];
    int number[DLS_OBSERVERS];
    double *kept[DLS_OBSERVERS];
    int size[DLS_OBSERVERS];
};
enum dls_status dls_observing_parse(struct dls_observing *, const char *text,
                                    struct dls_error *);
// Before the first step: what is kept, from the arena.
enum dls_status dls_observing_start(struct dls_observing *, const struct dls_sim *,
                                    struct dls_arena *);
// After every step, before a row is read.
enum dls_status dls_observing_add(const struct dls_observing *, const struct dls_sim *,
                                  struct dls_arena *);
// All readings of a run's last step. DLS_UNSUPPORTED without rigid bodies.
enum dls_status dls_observing_read(const struct dls_observing *, const struct dls_sim *,
                                   struct dls_readings *, struct dls_arena *);

#endif
