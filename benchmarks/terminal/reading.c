// SPDX-License-Identifier: Apache-2.0
// HDF5 crashes on some damaged files and loops on others, deep inside (heaps and trees of
// its groups), where no check of ours can come first. A child process therefore reads an
// HDF5 file before the program does. What ends the child ends no other file and no row.
// The limit on its processor time grows with the file; a slow disk does not count.
#define _GNU_SOURCE // prctl
#include "benchmarks/terminal/reading.h"

#include "formulations/files/file_error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 10 }; // seconds of processor time for any file
enum {
    BYTES_A_SECOND = 1 << 20
}; // and one more for each so many: deflated zeros, valgrind

static void keep_quiet(void)
{
    int nothing = open("/dev/null", O_WRONLY);
    if (nothing < 0) return;
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
}

static void limit_to(rlim_t seconds)
{
    const struct rlimit core = {0, 0}, cpu = {seconds, seconds + 1};
    setrlimit(RLIMIT_CORE, &core);
    setrlimit(RLIMIT_CPU, &cpu);
}

static _Noreturn void read_in_child(const char *path, pid_t parent)
{
    struct stat found;
    struct dls_problem p;
    struct dls_arena a = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    keep_quiet();
    limit_to(PATIENCE
             + (stat(path, &found) ? 0 : (rlim_t)found.st_size / BYTES_A_SECOND));
    dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL);
    _exit(0);
}

// What the library does on the file, or NULL where it reads or refuses it. A child that
// could not be had, or that was killed from outside, tells nothing against the file.
static const char *misdeed(const char *path)
{
    int status = 0;
    pid_t parent = getpid(), child = fork();
    if (child == 0) read_in_child(path, parent);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!status) return NULL;
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU) return "loops";
    bool outside =
        signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
    return outside ? NULL : "crashes";
}

enum dls_status dls_read_snapshot(struct dls_problem *p, const char *path,
                                  enum dls_dat_kind kind, struct dls_arena *a,
                                  struct dls_error *err)
{
    const char *does = dls_snapshot_is_hdf5(path) ? misdeed(path) : NULL;
    if (!does) return dls_snapshot_read(p, path, kind, a, err);
    dls_fail(err, DLS_EIO, "damaged, the HDF5 library %s on it", does);
    return dls_error_name_file(err, DLS_EIO, path);
}
