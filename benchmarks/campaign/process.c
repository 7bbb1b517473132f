// SPDX-License-Identifier: Apache-2.0
// Fork and exec rather than fork alone: libraries with threads of their own (OpenMP under
// CHOLMOD) do not survive a bare fork. Memory is watched from outside as resident bytes:
// an address-space limit makes OpenBLAS spin and sanitizers fail.
#define _GNU_SOURCE // pipe2, wait4, strsignal

#include "benchmarks/campaign/process.h"

#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WATCH_MS = 10 }; // between looks at the memory of the children

// --- start -----------------------------------------------------------------------------

// In the child: never returns. A group of its own keeps the terminal's Ctrl-C away; it
// dies with its parent, so that a campaign killed at any moment leaves nothing behind.
static void become(char *const argv[], pid_t parent, int messages, int prints)
{
    int high = fcntl(messages, F_DUPFD_CLOEXEC, DLS_MESSAGE_FD + 1);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    bool ready = high >= 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0
                 && dup2(prints, STDOUT_FILENO) >= 0 && dup2(prints, STDERR_FILENO) >= 0
                 && dup2(high, DLS_MESSAGE_FD) >= 0;
    if (ready) execv("/proc/self/exe", argv);
    _exit(127);
}

static void close_both(const int pipe[2])
{
    close(pipe[0]);
    close(pipe[1]);
}

bool dls_process_start(struct dls_process *p, char *const argv[], double limit,
                       double max_bytes)
{
    int messages[2], prints[2];
    pid_t parent = getpid();
    *p = (struct dls_process){.ending = DLS_ENDED, .limit = limit};
    if (pipe2(messages, O_CLOEXEC)) return false;
    if (pipe2(prints, O_CLOEXEC)) return close_both(messages), false;
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0) become(argv, parent, messages[1], prints[1]);
    if (p->pid < 0) return close_both(messages), close_both(prints), false;
    close(messages[1]);
    close(prints[1]);
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    fcntl(prints[0], F_SETFL, O_NONBLOCK);
    p->messages = messages[0];
    p->prints = prints[0];
    p->ending = DLS_RUNNING;
    p->max_bytes = max_bytes;
    p->deadline = dls_clock() + limit;
    return true;
}

// --- listening -------------------------------------------------------------------------

static void hear(struct dls_process *p)
{
    const struct dls_message *m = &p->partial;
    if (m->facts.d) p->facts = m->facts;
    if (m->kind == DLS_MESSAGE_RUN) p->runs++;
    if (m->kind != DLS_MESSAGE_ROW) p->deadline = dls_clock() + p->limit;
    if (m->kind == DLS_MESSAGE_ROW && m->tol >= 0 && m->tol < DLS_TOLERANCES) {
        p->rows[m->tol] = *m;
        p->told[m->tol] = true;
    }
}

static void close_pipe(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// True while there may be more to read.
static bool goes_on(ssize_t got, int *fd)
{
    if (got > 0) return true;
    if (got < 0 && errno == EINTR) return true;
    if (got == 0 || errno != EAGAIN) close_pipe(fd);
    return false;
}

static void read_messages(struct dls_process *p)
{
    ssize_t got = 1;
    while (p->messages >= 0 && goes_on(got, &p->messages)) {
        char *to = (char *)&p->partial + p->filled;
        got = read(p->messages, to, sizeof p->partial - p->filled);
        if (got > 0) p->filled += (size_t)got;
        if (p->filled < sizeof p->partial) continue;
        p->filled = 0;
        hear(p);
    }
}

// Appends to the last words, of which only the end is kept.
static void keep_words(struct dls_process *p, const char *text, size_t count)
{
    enum { ROOM = sizeof p->last_words - 1 };
    size_t had = strlen(p->last_words);
    for (size_t k = 0; k < count; k++) {
        char letter = isprint((unsigned char)text[k]) ? text[k] : ' ';
        if (letter == ' ' && (!had || p->last_words[had - 1] == ' ')) continue;
        if (had == ROOM) memmove(p->last_words, p->last_words + 1, --had);
        p->last_words[had++] = letter;
    }
    p->last_words[had] = 0;
}

static void read_prints(struct dls_process *p)
{
    char text[4096];
    ssize_t got = 1;
    while (p->prints >= 0 && goes_on(got, &p->prints)) {
        got = read(p->prints, text, sizeof text);
        if (got > 0) keep_words(p, text, (size_t)got);
    }
}

// --- watching --------------------------------------------------------------------------

// Resident bytes of a process, 0 where it cannot be known any more.
static double resident_bytes(pid_t pid)
{
    char path[64];
    long total = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    FILE *in = fopen(path, "re");
    if (!in) return 0;
    if (fscanf(in, "%ld %ld", &total, &resident) != 2) resident = 0;
    fclose(in);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static void kill_for(struct dls_process *p, enum dls_ending reason)
{
    if (!p->sentence) p->sentence = reason;
    kill(-p->pid, SIGKILL); // with whatever it started itself
    kill(p->pid, SIGKILL);  // also before it had a group of its own
}

static void look_at(struct dls_process *p)
{
    if (dls_clock() > p->deadline) kill_for(p, DLS_KILLED);
    if (p->max_bytes > 0 && resident_bytes(p->pid) > p->max_bytes)
        kill_for(p, DLS_OUT_OF_MEMORY);
}

static void reap(struct dls_process *p, int flags)
{
    int status;
    struct rusage used;
    pid_t done;
    do done = wait4(p->pid, &status, flags, &used);
    while (done < 0 && errno == EINTR);
    if (done != p->pid) return;
    read_messages(p);
    read_prints(p);
    close_pipe(&p->messages);
    close_pipe(&p->prints);
    p->peak = 1024.0 * (double)used.ru_maxrss;
    p->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    // A sentence that came after it had ended by itself does not count.
    p->ending = p->sentence && p->signal == SIGKILL ? p->sentence : DLS_ENDED;
}

void dls_process_watch(struct dls_process *all, int count)
{
    enum { MOST = 256 };
    struct pollfd fds[MOST];
    nfds_t open = 0;
    bool closing = false; // some child has said all it had to say
    for (int k = 0; k < count; k++) {
        if (all[k].ending != DLS_RUNNING) continue;
        closing |= all[k].messages < 0;
        if (all[k].messages >= 0 && open < MOST)
            fds[open++] = (struct pollfd){all[k].messages, POLLIN, 0};
        if (all[k].prints >= 0 && open < MOST)
            fds[open++] = (struct pollfd){all[k].prints, POLLIN, 0};
    }
    poll(fds, open, closing ? 1 : WATCH_MS);
    for (int k = 0; k < count; k++) {
        if (all[k].ending != DLS_RUNNING) continue;
        read_messages(&all[k]);
        read_prints(&all[k]);
        look_at(&all[k]);
        reap(&all[k], WNOHANG);
    }
}

void dls_process_stop(struct dls_process *p)
{
    if (p->ending != DLS_RUNNING) return;
    kill_for(p, DLS_KILLED);
    reap(p, 0);
}

const char *dls_process_misfortune(const struct dls_process *p, bool told,
                                   char message[DLS_ROW_MESSAGE])
{
    const char *words = p->last_words, *dash = *words ? "; it said: " : "";
    switch (p->ending) {
    case DLS_KILLED:
        snprintf(message, DLS_ROW_MESSAGE, "no end within %g s%s%s", p->limit, dash,
                 words);
        return "killed";
    case DLS_OUT_OF_MEMORY:
        snprintf(message, DLS_ROW_MESSAGE, "above %g MB%s%s", 1e-6 * p->max_bytes, dash,
                 words);
        return "out_of_memory";
    default:
        break;
    }
    if (p->signal) {
        bool outside = p->signal == SIGKILL || p->signal == SIGTERM
                       || p->signal == SIGINT || p->signal == SIGHUP;
        snprintf(message, DLS_ROW_MESSAGE, "%s%s%s%s", strsignal(p->signal),
                 outside ? " from outside" : "", dash, words);
        return outside ? "lost" : "crashed";
    }
    if (p->exit_code || !told) {
        snprintf(message, DLS_ROW_MESSAGE, "exit code %d%s%s%s", p->exit_code,
                 told ? "" : " without an answer", dash, words);
        return "crashed";
    }
    return NULL;
}
