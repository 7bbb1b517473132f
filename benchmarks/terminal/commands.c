// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // mkdir

#include "benchmarks/terminal/commands.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "benchmarks/terminal/output.h"

const char *const dls_kind_names[] = {"guess", "lcp", "fc", "gfc", "rfc"};

const char *const dls_clock_names[] = {"wall", "cpu"};
const char *const dls_start_names[] = {"zero", "guess", "solution"};

const char *dls_file_stem(const char *path, struct dls_arena *a)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    int length = (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base));
    return dls_text_visible(dls_text(a, "%.*s", length, base), a);
}

int dls_folder_make(const char *path, struct dls_arena *a)
{
    struct stat found;
    char *copy = dls_text(a, "%s", path);
    if (!copy) return ENOMEM;
    if (!*copy) return ENOENT;
    for (char *p = copy + 1;; p++) {
        if (*p && *p != '/') continue;
        char end = *p;
        *p = 0;
        // Only what is missing is made: above it may lie folders that nobody may change.
        if (stat(copy, &found) && mkdir(copy, 0777) && errno != EEXIST) return errno;
        *p = end;
        if (!end) break;
    }
    return stat(copy, &found) ? errno : S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
}

bool dls_start_fill(const struct dls_problem *p, enum dls_start start, double *r)
{
    const double *from = start == DLS_START_GUESS      ? p->guess_r
                         : start == DLS_START_SOLUTION ? p->solution_r
                                                       : NULL;
    memset(r, 0, (size_t)p->m * sizeof *r);
    if (from) memcpy(r, from, (size_t)p->m * sizeof *r);
    return from || start == DLS_START_ZERO;
}

char *dls_format_contacts(const struct dls_problem *p, char text[64])
{
    const char *space = p->d == 1 ? "without friction (LCP)"
                        : p->d == 2 || (p->rolling && p->d == 3) ? "in 2D"
                                                                 : "in 3D";
    snprintf(text, 64, "%d contact%s %s%s", p->contacts, p->contacts == 1 ? "" : "s",
             space, p->rolling ? " with rolling" : "");
    return text;
}
