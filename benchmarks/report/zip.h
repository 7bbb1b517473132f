// SPDX-License-Identifier: Apache-2.0
// An archive that every system opens: ZIP, deflated, without the extensions for more than
// 65535 files or 4 GB [PKWARE APPNOTE 6.3].
#ifndef DLS_BENCHMARKS_REPORT_ZIP_H
#define DLS_BENCHMARKS_REPORT_ZIP_H

#include "base/arena.h"

#include <stdio.h>

struct dls_zip {
    FILE *out; // borrowed
    int count, room;
    struct dls_zip_entry *entry;
    bool failed;
    struct dls_arena *arena;
};

struct dls_zip dls_zip_start(FILE *out, struct dls_arena *);
// Adds bytes, or a file, under a name.
void dls_zip_add(struct dls_zip *, const char *name, const void *bytes, size_t size);
void dls_zip_add_file(struct dls_zip *, const char *name, const char *path);
// Writes the directory of the archive; false where something did not work.
bool dls_zip_end(struct dls_zip *);

#endif
