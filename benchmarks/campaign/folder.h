// SPDX-License-Identifier: Apache-2.0
// The folder of a campaign: it is made, or was made by a campaign before; anything else
// is somebody's and is left alone.
#ifndef DLS_BENCHMARKS_CAMPAIGN_FOLDER_H
#define DLS_BENCHMARKS_CAMPAIGN_FOLDER_H

#include "base/arena.h"
#include "base/status.h"

struct dls_folder {
    const char *path;
    int lock;               // -1: not held
    bool made, lock_is_new; // by this claim
};

// Makes the folder or finds that it is empty or a campaign, and locks it against a second
// one. Where it fails, with a sentence, nothing is left behind.
enum dls_status dls_folder_claim(struct dls_folder *, const char *path,
                                 struct dls_arena *, struct dls_error *);

// Fails with a sentence where the folder is there, not empty and not a campaign.
enum dls_status dls_folder_check(const char *path, struct dls_arena *,
                                 struct dls_error *);

// Gives the lock back; `undo` takes away what the claim made, if nothing came into it.
void dls_folder_release(struct dls_folder *, bool undo);

// True where campaign.json of `delassus bench` is in the folder.
bool dls_folder_is_campaign(const char *path, struct dls_arena *);

// Writes `text` to folder/name beside and moves it into place; false with errno set.
bool dls_folder_write(const char *folder, const char *name, const char *text,
                      size_t size, struct dls_arena *);

// "Rover1039.pgs_omega=1.2": the parts of a name joined by dots, fit for a file name and
// different for different parts. Where letters had to be replaced or the name is long, a
// fingerprint of the parts follows a ~.
const char *dls_plain_name(const char *const *parts, int count, struct dls_arena *);

#endif
