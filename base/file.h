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
    bool sync; // the caller may set it: the file is on the disk before it is moved
    // The two names; NULL where the given one is no plain file (/dev/stdout), which is then
    // written to directly.
    char *path, *beside;
};

// False with errno set where the file cannot be opened; then dls_file_end is not called.
bool dls_file_begin(struct dls_file *, const char *path);

// Closes the file. It is moved into its place if `good` and if everything could be written;
// else it is taken away, and false is returned with errno set (as the caller left it where
// `good` was false).
bool dls_file_end(struct dls_file *, bool good);

// For files that others write (a child, a library): from `remember` to `forget` the file of
// this name is taken away with those above. The text of the name must stay where it is.
void dls_file_remember(const char *name);
void dls_file_forget(const char *name);

// Takes away the files that were begun and not ended; for handlers of signals.
void dls_files_abandon(void);

#endif
