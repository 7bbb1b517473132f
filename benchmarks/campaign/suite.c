// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // glob, readlink, realpath

#include "benchmarks/campaign/suite.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/terminal/commands.h"

// Files under way; grows by doubling.
struct list {
    const char **files, **real; // as found, and without links: to see each file once
    int count, room;
    struct dls_arena *arena;
};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n > k && !strcmp(text + n - k, end);
}

static bool is_snapshot(const char *path)
{
    return ends_with(path, ".hdf5") || ends_with(path, ".h5")
           || ends_with(path, ".dat");
}

static bool is_folder(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

static bool grow(struct list *list)
{
    if (list->count < list->room) return true;
    int room = list->room ? 2 * list->room : 64;
    const char **files = DLS_NEW(list->arena, const char *, room);
    const char **real = DLS_NEW(list->arena, const char *, room);
    if (list->arena->failed) return false;
    for (int k = 0; k < list->count; k++)
        files[k] = list->files[k], real[k] = list->real[k];
    list->files = files;
    list->real = real;
    list->room = room;
    return true;
}

static enum dls_status add_file(struct list *list, const char *path,
                                struct dls_error *err)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    for (int k = 0; k < list->count; k++)
        if (!strcmp(list->real[k], real)) return DLS_OK;
    if (!grow(list)) return dls_fail(err, DLS_ENOMEM, "out of memory");
    list->files[list->count] = dls_text(list->arena, "%s", path);
    list->real[list->count++] = dls_text(list->arena, "%s", real);
    return list->arena->failed ? dls_fail(err, DLS_ENOMEM, "out of memory") : DLS_OK;
}

// The snapshots right inside a folder, sorted by name.
static enum dls_status add_folder(struct list *list, const char *path,
                                  struct dls_error *err)
{
    glob_t found;
    enum dls_status status = DLS_OK;
    int before = list->count;
    const char *pattern = dls_text(list->arena, "%s/*", path);
    if (!pattern) return dls_fail(err, DLS_ENOMEM, "out of memory");
    if (!glob(pattern, 0, NULL, &found)) {
        for (size_t k = 0; k < found.gl_pathc && !status; k++)
            if (is_snapshot(found.gl_pathv[k]))
                status = add_file(list, found.gl_pathv[k], err);
        globfree(&found);
    }
    if (!status && list->count == before)
        return dls_fail(err, DLS_EIO, "%s: no .hdf5 or .dat file in this folder", path);
    return status;
}

static enum dls_status add_path(struct list *list, const char *path,
                                struct dls_error *err)
{
    return is_folder(path) ? add_folder(list, path, err) : add_file(list, path, err);
}

// What a pattern matches under a root ("" for the working folder); *matched counts.
static enum dls_status add_pattern(struct list *list, const char *root,
                                   const char *pattern, size_t *matched,
                                   struct dls_error *err)
{
    glob_t found;
    enum dls_status status = DLS_OK;
    bool joined = *root && *pattern != '/';
    const char *path =
        dls_text(list->arena, "%s%s%s", joined ? root : "", joined ? "/" : "", pattern);
    if (!path) return dls_fail(err, DLS_ENOMEM, "out of memory");
    *matched = 0;
    if (glob(path, 0, NULL, &found)) return DLS_OK;
    *matched = found.gl_pathc;
    for (size_t k = 0; k < found.gl_pathc && !status; k++)
        status = add_path(list, found.gl_pathv[k], err);
    globfree(&found);
    return status;
}

// Cuts the comment and the blanks around off a line.
static char *trim(char *line)
{
    char *hash = strchr(line, '#');
    if (hash) *hash = 0;
    while (isspace((unsigned char)*line)) line++;
    size_t n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1])) line[--n] = 0;
    return line;
}

// The folder above the benchmarks/ that a suite file lies in, "" for others.
static const char *root_of(const char *path, struct dls_arena *a)
{
    static const char inside[] = "benchmarks/suites/";
    const char *at = NULL;
    for (const char *p = path; (p = strstr(p, inside)); p++) at = p;
    return at ? dls_text(a, "%.*s", (int)(at - path), path) : "";
}

static enum dls_status add_suite(struct list *list, const char *path,
                                 struct dls_error *err)
{
    char line[1024];
    enum dls_status status = DLS_OK;
    const char *root = root_of(path, list->arena);
    FILE *in = fopen(path, "r");
    if (!in) return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    while (!status && fgets(line, sizeof line, in)) {
        size_t matched = 0;
        const char *pattern = trim(line);
        if (!*pattern) continue;
        status = add_pattern(list, "", pattern, &matched, err);
        if (!status && !matched)
            status = add_pattern(list, root, pattern, &matched, err);
        if (!status && !matched)
            status = dls_fail(err, DLS_EIO, "%s: nothing matches '%s'", path, pattern);
    }
    fclose(in);
    return status;
}

const char *const *dls_suite_roots(struct dls_arena *a)
{
    const char **roots = DLS_NEW(a, const char *, 4);
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (!roots) return NULL;
    roots[0] = ".";
    if (length <= 0) return roots;
    program[length] = 0;
    *strrchr(program, '/') = 0;
    roots[1] = dls_text(a, "%s/../..", program);             // build/release/delassus
    roots[2] = dls_text(a, "%s/../share/delassus", program); // bin/delassus
    return roots;
}

const char *dls_suite_find(const char *name, struct dls_arena *a)
{
    const char *const *roots = dls_suite_roots(a);
    for (; roots && *roots; roots++) {
        const char *path = dls_text(a, "%s/benchmarks/suites/%s.txt", *roots, name);
        if (path && !access(path, R_OK)) return path;
    }
    return NULL;
}

static enum dls_status add_word(struct list *list, const char *word,
                                struct dls_error *err)
{
    const char *suite = NULL;
    if (access(word, F_OK)) {
        suite = dls_suite_find(word, list->arena);
        if (!suite)
            return dls_fail(err, DLS_EIO,
                            "%s: no such file, folder or suite; see 'delassus list "
                            "suites'",
                            word);
    } else if (ends_with(word, ".txt")) {
        suite = word;
    }
    return suite ? add_suite(list, suite, err) : add_path(list, word, err);
}

// Names are keys of result files: one line each, and no two alike.
static enum dls_status check_names(const struct dls_suite *s, struct dls_error *err)
{
    for (int i = 0; i < s->count; i++) {
        if (strpbrk(s->files[i], "\r\n"))
            return dls_fail(err, DLS_EINVAL, "%s: a line break in the name",
                            s->files[i]);
        for (int j = 0; j < i; j++)
            if (!strcmp(s->names[i], s->names[j]))
                return dls_fail(err, DLS_EINVAL, "%s and %s have the same name '%s'",
                                s->files[j], s->files[i], s->names[i]);
    }
    return DLS_OK;
}

enum dls_status dls_suite_collect(struct dls_suite *s, const char *const *words,
                                  int count, struct dls_arena *a, struct dls_error *err)
{
    struct list list = {.arena = a};
    for (int k = 0; k < count; k++) {
        enum dls_status status = add_word(&list, words[k], err);
        if (status) return status;
    }
    *s = (struct dls_suite){list.count, list.files,
                            DLS_NEW(a, const char *, list.count)};
    for (int k = 0; !a->failed && k < s->count; k++)
        s->names[k] = dls_file_stem(s->files[k], a);
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    if (!s->count) return dls_fail(err, DLS_EINVAL, "%s: an empty suite", words[0]);
    return check_names(s, err);
}
