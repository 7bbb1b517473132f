// SPDX-License-Identifier: Apache-2.0
// A class in a Python file is served by python/delassus/serve.py, which speaks the protocol
// for it. That file is looked for where the variable DELASSUS_SERVE says, then beside the
// program: in the source tree, and where `make install` put it.
#define _POSIX_C_SOURCE 200809L // readlink, access

#include "benchmarks/terminal/outsider.h"

#include "solvers/outside/outside.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *find_server(struct dls_arena *a)
{
    static const char *const places[] = {"../../python", "../share/delassus/python"};
    char program[PATH_MAX];
    const char *given = getenv("DELASSUS_SERVE");
    if (given) return given;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return NULL;
    program[length] = 0;
    *strrchr(program, '/') = 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const char *path = dls_text(a, "%s/%s/delassus/serve.py", program, places[k]);
        if (path && !access(path, R_OK)) return path;
    }
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && !strcmp(text + length - tail, end);
}

static enum dls_status open_python(const struct dls_solver **out, const char *path,
                                   struct dls_arena *a, struct dls_error *err)
{
    const char *python = getenv("DELASSUS_PYTHON"), *server = find_server(a);
    if (!server)
        return dls_fail(err, DLS_EINVAL,
                        "%s: python/delassus/serve.py was not found; DELASSUS_SERVE "
                        "may name it",
                        path);
    const char *argv[] = {python ? python : "python3", server, path, NULL};
    return dls_outside_program(out, argv, a, err);
}

enum dls_status dls_outsider_open(const struct dls_solver **out, const char *path,
                                  struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status;
    const char *program[] = {path, NULL};
    if (access(path, R_OK))
        return dls_fail(err, DLS_EINVAL, "solver '%s': there is no such file", path);
    if (ends_with(path, ".so"))
        status = dls_outside_load(out, path, err);
    else if (ends_with(path, ".py"))
        status = open_python(out, path, a, err);
    else if (access(path, X_OK))
        status = dls_fail(err, DLS_EINVAL, "solver '%s': not executable", path);
    else
        status = dls_outside_program(out, program, a, err);
    if (!status && dls_solver_find((*out)->name))
        return dls_fail(err, DLS_EINVAL, "%s: '%s' is the name of another solver", path,
                        (*out)->name);
    return status;
}
