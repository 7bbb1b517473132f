// SPDX-License-Identifier: Apache-2.0
// What `delassus report` made in a folder, so that it replaces and removes its own files
// and no others. FOLDER/made.txt has their fingerprints, as `sha256sum -c` reads them; a
// file that is not listed, or was changed since, is somebody's work and stays.
#ifndef DLS_BENCHMARKS_REPORT_MADE_H
#define DLS_BENCHMARKS_REPORT_MADE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

struct dls_made_file {
    const char *hash, *name; // relative to the folder
    bool again;              // made again by this report
};

struct dls_made {
    const char *folder;
    int count, room;
    struct dls_made_file *file;
    const char *foreign; // a name that could not be written since it is somebody's
    bool failed; // something else could not be written; errno of then in `error`
    int error;
    struct dls_arena *arena;
};

// Reads FOLDER/made.txt, if it is there.
bool dls_made_open(struct dls_made *, const char *folder, struct dls_arena *);

// A file to write into, which is put in its place by dls_made_end. NULL where `name` is
// somebody's or cannot be written; dls_made_close tells.
FILE *dls_made_begin(struct dls_made *, const char *name);
void dls_made_end(struct dls_made *, FILE *, const char *name);

// For programs that write a file themselves: where to, and that it is there now.
const char *dls_made_beside(struct dls_made *, const char *name);
void dls_made_place(struct dls_made *, const char *name);

// Removes what an earlier report made and this one did not, and writes made.txt. False
// where something could not be written.
bool dls_made_close(struct dls_made *);

#endif
