// SPDX-License-Identifier: Apache-2.0
// The ending of a name picks the format.
#define _POSIX_C_SOURCE 200809L // S_ISREG
#include "formulations/files/snapshot.h"

#include "formulations/files/file_error.h"
#include "formulations/files/formats.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

bool dls_snapshot_is_hdf5(const char *path)
{
    return ends_with(path, ".hdf5") || ends_with(path, ".h5");
}

enum dls_status dls_snapshot_read(struct dls_problem *p, const char *path,
                                  enum dls_dat_kind kind, struct dls_arena *a,
                                  struct dls_error *err)
{
    struct stat found;
    if (!p || !path || !a)
        return dls_fail(err, DLS_EINVAL, "no problem, name or arena to read into");
    bool missing = stat(path, &found);
    if (missing || !S_ISREG(found.st_mode)) { // a pipe would block
        if (missing)
            dls_fail(err, DLS_EIO, "cannot be opened: %s", strerror(errno));
        else
            dls_fail(err, DLS_EIO, "%snot a file",
                     S_ISDIR(found.st_mode) ? "a folder, " : "");
        return dls_error_name_file(err, DLS_EIO, path);
    }
    if (dls_snapshot_is_hdf5(path)) return dls_fclib_read(p, path, a, err);
    if (ends_with(path, ".dat")) return dls_dat_read(p, path, kind, a, err);
    dls_fail(err, DLS_EINVAL, "ending unknown, can be .hdf5, .h5 or .dat");
    return dls_error_name_file(err, DLS_EINVAL, path);
}

enum dls_status dls_snapshot_write(const struct dls_problem *p, const char *path,
                                   const struct dls_answer *answer,
                                   struct dls_error *err)
{
    if (!p || !path) return dls_fail(err, DLS_EINVAL, "no problem or name to write to");
    if (ends_with(path, ".mtx")) return dls_mtx_write(p, path, err);
    if (dls_snapshot_is_hdf5(path)) return dls_fclib_write(p, path, answer, err);
    if (ends_with(path, ".dat")) return dls_dat_write(p, path, err);
    dls_fail(err, DLS_EINVAL, "ending unknown, can be .hdf5, .h5, .dat or .mtx");
    return dls_error_name_file(err, DLS_EINVAL, path);
}
