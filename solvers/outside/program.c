// SPDX-License-Identifier: Apache-2.0
// One socket serves as the program's standard input and output, its standard error is
// ours. The program dies with us, whatever happens, and the terminal's Ctrl-C does not
// reach it: the run decides.
#define _GNU_SOURCE // SOCK_CLOEXEC, prctl

#include "solvers/outside/program.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_MS = 500 }; // to end by itself
enum { LOOK_MS = 50 };   // between looks at the flag

// In the child: never returns.
static void become(char *const argv[], pid_t parent, int fd)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && dup2(fd, STDIN_FILENO) >= 0
        && dup2(fd, STDOUT_FILENO) >= 0)
        execvp(argv[0], argv);
    _exit(127);
}

enum dls_status dls_program_start(struct dls_program *p, char *const argv[],
                                  struct dls_error *err)
{
    int ends[2];
    pid_t parent = getpid();
    p->pid = 0;
    p->filled = p->taken = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return dls_fail(err, DLS_EIO, "%s: %s", argv[0], strerror(errno));
    pid_t pid = fork();
    if (pid == 0) become(argv, parent, ends[1]);
    int error = errno;
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    if (pid < 0) return dls_fail(err, DLS_EIO, "%s: %s", argv[0], strerror(error));
    p->pid = pid;
    p->fd = ends[0];
    dls_clock_watch(pid);
    return DLS_OK;
}

void dls_program_say(struct dls_program *p, const char *format, ...)
{
    char line[8192];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (!p->pid || length < 0 || length >= (int)sizeof line - 1) return;
    line[length++] = '\n';
    for (ssize_t sent = 0, at = 0; at < length && sent >= 0; at += sent)
        sent = send(p->fd, line + at, (size_t)(length - at), MSG_NOSIGNAL);
}

// Takes a line from what was heard; false where none is complete. A line that is too
// long is cut.
static bool take(struct dls_program *p, char line[DLS_LINE])
{
    const char *from = p->heard + p->taken;
    size_t there = p->filled - p->taken;
    const char *end = memchr(from, '\n', there);
    if (!end && there < DLS_LINE - 1) return false;
    size_t length = end ? (size_t)(end - from) : there;
    size_t copied = length < DLS_LINE - 1 ? length : DLS_LINE - 1;
    memcpy(line, from, copied);
    line[copied] = 0;
    p->taken += length + (end != NULL);
    return true;
}

static void make_room(struct dls_program *p)
{
    memmove(p->heard, p->heard + p->taken, p->filled - p->taken);
    p->filled -= p->taken;
    p->taken = 0;
}

enum dls_hearing dls_program_hear(struct dls_program *p, char line[DLS_LINE],
                                  double deadline, const volatile sig_atomic_t *cancel)
{
    while (!take(p, line)) {
        double left = deadline - dls_clock();
        if (left <= 0 || (cancel && *cancel)) return DLS_HEARD_NOTHING;
        struct pollfd ask = {.fd = p->fd, .events = POLLIN};
        int ready = poll(&ask, 1, (int)ceil(1e3 * fmin(left, 1e-3 * LOOK_MS)));
        if (ready <= 0) continue;
        make_room(p);
        ssize_t got = read(p->fd, p->heard + p->filled, sizeof p->heard - p->filled);
        if (got <= 0) return DLS_HEARD_END;
        p->filled += (size_t)got;
    }
    return DLS_HEARD_LINE;
}

static void describe_end(int status, char words[64])
{
    if (WIFSIGNALED(status))
        snprintf(words, 64, "was killed by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 127)
        snprintf(words, 64, "could not be started");
    else
        snprintf(words, 64, "ended with exit code %d", WEXITSTATUS(status));
}

void dls_program_end(struct dls_program *p, char words[64])
{
    int status = 0;
    if (!p->pid) return;
    dls_program_say(p, "quit");
    shutdown(p->fd, SHUT_WR);
    pid_t ended = 0;
    dls_clock_watch(0);
    for (int k = 0; !ended && k < GRACE_MS; k++) { // a clock of work would stand still
        ended = waitpid(p->pid, &status, WNOHANG);
        if (!ended) poll(NULL, 0, 1);
    }
    if (!ended) {
        kill(-p->pid, SIGKILL); // its group: it may have children
        waitpid(p->pid, &status, 0);
    }
    describe_end(status, words);
    close(p->fd);
    p->pid = 0;
}
