// SPDX-License-Identifier: Apache-2.0
// The fingerprint by which a campaign knows that rows are stale.
//
// Of a solver of the library it is that of scripts/build_ids.sh. Of one from a file it is
// made of the library's shared sources, the version that it tells of its package, and its
// file; of a Python file also of the modules that stand beside it and that it imports, and
// of those that they import. What lies elsewhere (packages, libraries that a .so needs) is
// not seen: --redo is for that.
#define _POSIX_C_SOURCE 200809L // access

#include "benchmarks/campaign/solver_build.h"

#include "base/sha256.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/campaign/environment.h"

enum { DIGITS = 16, FILES = 64 }; // as scripts/build_ids.sh; more modules are not seen

struct files {
    int count;
    const char *path[FILES];
    struct dls_arena *arena;
};

static void add_file(struct files *f, const char *path)
{
    for (int k = 0; k < f->count; k++)
        if (!strcmp(f->path[k], path)) return;
    if (f->count < FILES && !access(path, R_OK)) f->path[f->count++] = path;
}

// The module `name`, where it stands beside the file `from`.
static void add_module(struct files *f, const char *from, const char *name, int length)
{
    const char *slash = strrchr(from, '/');
    const char *path =
        dls_text(f->arena, "%.*s%.*s.py", (int)(slash + 1 - from), from, length, name);
    if (path && length) add_file(f, path);
}

// "import a, b as c", "from a import x"; anything else is passed over.
static void read_import(struct files *f, const char *from, const char *line)
{
    line += strspn(line, " \t");
    bool one = !strncmp(line, "from ", 5);
    if (!one && strncmp(line, "import ", 7)) return;
    line += one ? 5 : 7;
    for (bool more = true; more;) {
        int length = 0;
        line += strspn(line, " .");
        while (isalnum((unsigned char)line[length]) || line[length] == '_') length++;
        add_module(f, from, line, length);
        line += strcspn(line, ",\n");
        more = !one && *line++ == ',';
    }
}

static void add_imports(struct files *f, const char *path)
{
    char line[512];
    size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".py")) return;
    FILE *in = fopen(path, "re");
    while (in && fgets(line, sizeof line, in)) read_import(f, path, line);
    if (in) fclose(in);
}

const char *dls_solver_build(const struct dls_spec *spec, struct dls_arena *a)
{
    const char *ours = dls_build_of(spec->solver->name);
    const char *version = spec->solver->version;
    char digits[DLS_SHA256_TEXT];
    struct files files = {.arena = a};
    if (!strchr(spec->source, '/')) return ours;
    struct dls_sha256 sum = dls_sha256_start();
    dls_sha256_add(&sum, ours, strlen(ours));
    if (version) dls_sha256_add(&sum, version, strlen(version));
    add_file(&files, spec->source);
    for (int k = 0; k < files.count; k++) { // imports come behind, while it goes
        add_imports(&files, files.path[k]);
        if (dls_sha256_file(files.path[k], digits))
            dls_sha256_add(&sum, digits, strlen(digits));
    }
    return dls_text(a, "%.*s", DIGITS, dls_sha256_end(&sum, digits));
}
