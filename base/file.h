// SPDX-License-Identifier: Apache-2.0
// A file that is there whole or not at all: it is written beside its place, under a name
// that no other process uses, and moved there when it is complete. What stood there before
// stays until then, with its permissions and, where the name is a link, behind that link.
#ifndef DLS_BASE_FILE_H
#define DLS_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct dls_file {
    FILE *out; // to write to
    bool sync; // set it: on the disk before it is moved, should the power fail
    char *path, *beside; // NULL: what the name stands for is no file, hence written to
};

// False with errno set, and nothing is left to end then.
bool dls_file_begin(struct dls_file *, const char *path);

// Closes the file and moves it into its place if `good` and if all was written; else takes
// it away again. False with errno set, where `good` was false as the caller left it.
bool dls_file_end(struct dls_file *, bool good);

// For who writes beside without this: a file to take away with the others, until it is
// forgotten; the name must stay where it is so long.
void dls_file_remember(const char *name);
void dls_file_forget(const char *name);

// Takes away the files that were begun and not ended; for handlers of signals.
void dls_files_abandon(void);

#endif
