// SPDX-License-Identifier: Apache-2.0
// A solver in a shared object. It takes the library's functions from the program that
// loads it, so it need not be linked with the library.
#define _GNU_SOURCE // dladdr

#include "solvers/outside/outside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// Python and the like load the library for themselves alone; what the object needs of it
// must be seen by all.
static void show_library(void)
{
    Dl_info here;
    if (dladdr((const void *)dls_solvers, &here) && here.dli_fname)
        dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

enum dls_status dls_outside_load(const struct dls_solver **out, const char *path,
                                 struct dls_error *err)
{
    show_library();
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) return dls_fail(err, DLS_EINVAL, "%.240s", dlerror());
    const struct dls_solver *s = dlsym(object, "dls_solver");
    if (!s)
        return dls_fail(err, DLS_EINVAL, "%s: no symbol 'dls_solver' of a solver",
                        path);
    if (!s->name || !s->brief || !s->takes || !s->create || !s->step)
        return dls_fail(err, DLS_EINVAL,
                        "%s: name, brief, takes, create and step must be set", path);
    *out = s;
    return DLS_OK;
}
