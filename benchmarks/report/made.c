// SPDX-License-Identifier: Apache-2.0
// A file is written beside its place, its line is added to made.txt, then it is moved
// there: killed in between, the next report still knows its own files, since any line of
// a name that has the fingerprint of the file will do.
#define _POSIX_C_SOURCE 200809L // getline

#include "benchmarks/report/made.h"

#include "base/file.h"
#include "base/sha256.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char list_name[] = "made.txt";

static bool remember(struct dls_made *m, const char *hash, const char *name, bool again)
{
    if (m->count == m->room) {
        int room = m->room ? 2 * m->room : 64;
        struct dls_made_file *file = DLS_NEW(m->arena, struct dls_made_file, room);
        if (!file) return false;
        if (m->count) memcpy(file, m->file, (size_t)m->count * sizeof *file);
        m->file = file;
        m->room = room;
    }
    m->file[m->count++] = (struct dls_made_file){dls_text(m->arena, "%s", hash),
                                                 dls_text(m->arena, "%s", name), again};
    return !m->arena->failed;
}

static const char *path_of(struct dls_made *m, const char *name)
{
    return dls_text(m->arena, "%s/%s", m->folder, name);
}

bool dls_made_open(struct dls_made *m, const char *folder, struct dls_arena *a)
{
    char *line = NULL;
    size_t room = 0;
    *m = (struct dls_made){.folder = folder, .arena = a};
    const char *path = path_of(m, list_name);
    FILE *in = path ? fopen(path, "re") : NULL;
    for (ssize_t size; in && (size = getline(&line, &room, in)) > 0;) {
        // 64 digits, two blanks, a name without a line break
        if (size < DLS_SHA256_TEXT + 2 || line[size - 1] != '\n') continue;
        line[size - 1] = line[DLS_SHA256_TEXT - 1] = 0;
        if (!remember(m, line, line + DLS_SHA256_TEXT + 1, false)) break;
    }
    free(line);
    if (in) fclose(in);
    return !a->failed;
}

// True where the file is not there, or is as an earlier report left it.
static bool is_ours(struct dls_made *m, const char *name)
{
    char hash[DLS_SHA256_TEXT];
    const char *path = path_of(m, name);
    if (!path || access(path, F_OK)) return true;
    if (!dls_sha256_file(path, hash)) return false;
    for (int k = 0; k < m->count; k++)
        if (!strcmp(m->file[k].name, name) && !strcmp(m->file[k].hash, hash))
            return true;
    return false;
}

static void note_failure(struct dls_made *m)
{
    if (!m->failed) m->error = errno;
    m->failed = true;
}

// The name beside, without the arena: what was written there must go even when there is no
// more memory.
static void name_beside(char beside[PATH_MAX], const struct dls_made *m,
                        const char *name)
{
    snprintf(beside, PATH_MAX, "%s/%s.new", m->folder, name);
}

const char *dls_made_beside(struct dls_made *m, const char *name)
{
    if (is_ours(m, name)) {
        char beside[PATH_MAX];
        name_beside(beside, m, name);
        const char *kept = dls_text(m->arena, "%s", beside);
        if (kept) dls_file_remember(kept);
        return kept;
    }
    if (!m->foreign) m->foreign = dls_text(m->arena, "%s", name);
    return NULL;
}

FILE *dls_made_begin(struct dls_made *m, const char *name)
{
    const char *beside = dls_made_beside(m, name);
    FILE *out = beside ? fopen(beside, "we") : NULL;
    if (beside && !out) note_failure(m);
    return out;
}

static bool add_line(struct dls_made *m, const char *hash, const char *name)
{
    const char *path = path_of(m, list_name);
    FILE *out = path ? fopen(path, "ae") : NULL;
    if (!out) return false;
    fprintf(out, "%s  %s\n", hash, name);
    return !fclose(out);
}

void dls_made_place(struct dls_made *m, const char *name)
{
    char hash[DLS_SHA256_TEXT], beside[PATH_MAX];
    name_beside(beside, m, name);
    const char *path = path_of(m, name);
    bool good = path && dls_sha256_file(beside, hash) && add_line(m, hash, name)
                && !rename(beside, path) && remember(m, hash, name, true);
    if (!good) note_failure(m);
    if (!good) unlink(beside);
    dls_file_forget(beside);
}

void dls_made_end(struct dls_made *m, FILE *out, const char *name)
{
    if (!out) return;
    bool bad = ferror(out);
    bad = fclose(out) || bad;
    if (!bad) {
        dls_made_place(m, name);
        return;
    }
    note_failure(m);
    char beside[PATH_MAX];
    name_beside(beside, m, name);
    unlink(beside);
    dls_file_forget(beside);
}

static bool made_again(const struct dls_made *m, const char *name)
{
    for (int k = m->count - 1; k >= 0; k--)
        if (m->file[k].again && !strcmp(m->file[k].name, name)) return true;
    return false;
}

bool dls_made_close(struct dls_made *m)
{
    const char *path = path_of(m, list_name);
    struct dls_file to;
    for (int k = 0; k < m->count && !m->arena->failed; k++) {
        const char *name = m->file[k].name, *old = path_of(m, name);
        if (!made_again(m, name) && is_ours(m, name) && old) unlink(old);
    }
    bool good = path && dls_file_begin(&to, path);
    for (int k = 0; good && k < m->count; k++)
        if (m->file[k].again)
            fprintf(to.out, "%s  %s\n", m->file[k].hash, m->file[k].name);
    good = good && dls_file_end(&to, true);
    if (!good) note_failure(m);
    return !m->failed && !m->foreign && !m->arena->failed;
}
