// SPDX-License-Identifier: Apache-2.0
// The program with a fault in it: tests/delassus_faulty is `delassus` linked so that its own
// calls of malloc, fopen, rename, fork and the like come through here. The variable
// DLS_FAULT, as in "alloc:17", makes the 17th of its kind fail in every process:
//
//     alloc    malloc and its kin give nothing
//     write    the disk is full: fopen for writing, a write of a buffer, fsync, rename
//     signal   SIGTERM comes in the middle of such a write
//     child    a child process is killed as soon as it is there
//     fork     there is none
//
// Where DLS_FAULT_COUNT names a file, the number of calls of that kind in the process that
// made most of them is in it at the end.
#define _GNU_SOURCE // fopencookie

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { NONE, ALLOC, WRITE, SIGNAL, CHILD, FORK };
static enum kind kind;
static long at, calls;

static bool strikes(enum kind of) { return kind == of && ++calls == at; }

// --- memory ----------------------------------------------------------------------------

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
void *__wrap_aligned_alloc(size_t, size_t);

static void *no_memory(void) { return errno = ENOMEM, NULL; }

void *__wrap_malloc(size_t size)
{
    return strikes(ALLOC) ? no_memory() : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return strikes(ALLOC) ? no_memory() : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return strikes(ALLOC) ? no_memory() : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return strikes(ALLOC) ? no_memory() : __real_aligned_alloc(alignment, size);
}

// --- files -----------------------------------------------------------------------------

static bool full(void)
{
    if (strikes(SIGNAL)) raise(SIGTERM);
    return strikes(WRITE) ? errno = ENOSPC, true : false;
}

// A stream whose buffers are written here; who asks for its number gets that of the file.
enum { STREAMS = 64 };
static struct stream {
    FILE *file;
    int fd;
} streams[STREAMS];

static ssize_t write_buffer(void *cookie, const char *text, size_t size)
{
    struct stream *s = cookie;
    if (full()) return 0;
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(s->fd, text + done, size - done);
        if (wrote < 0) return 0;
        done += (size_t)wrote;
    }
    return (ssize_t)size;
}

static int seek_file(void *cookie, off64_t *to, int whence)
{
    *to = lseek64(((struct stream *)cookie)->fd, *to, whence);
    return *to < 0 ? -1 : 0;
}

static ssize_t read_file(void *cookie, char *text, size_t size)
{
    return read(((struct stream *)cookie)->fd, text, size);
}

static int close_file(void *cookie)
{
    struct stream *s = cookie;
    int fd = s->fd;
    s->file = NULL;
    return close(fd);
}

FILE *__real_fopen(const char *, const char *);
FILE *__wrap_fopen(const char *, const char *);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    if ((kind != WRITE && kind != SIGNAL) || !strpbrk(mode, "wa+"))
        return __real_fopen(path, mode);
    if (full()) return NULL;
    struct stream *s = streams;
    while (s < streams + STREAMS && s->file) s++;
    int flags = (*mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_RDWR)
                | (*mode == 'a' ? O_CREAT | O_APPEND : 0) | O_CLOEXEC;
    if (s == streams + STREAMS) return errno = EMFILE, NULL;
    s->fd = open(path, flags, 0666);
    if (s->fd < 0) return NULL;
    cookie_io_functions_t calls_of = {.read = read_file,
                                      .write = write_buffer,
                                      .seek = seek_file,
                                      .close = close_file};
    return s->file = fopencookie(s,
                                 *mode == 'w'   ? "w"
                                 : *mode == 'a' ? "a"
                                                : "r+",
                                 calls_of);
}

int __real_fileno(FILE *);
int __wrap_fileno(FILE *);
int __wrap_fileno(FILE *file)
{
    for (int k = 0; k < STREAMS; k++)
        if (streams[k].file == file) return streams[k].fd;
    return __real_fileno(file);
}

int __real_rename(const char *, const char *);
int __wrap_rename(const char *, const char *);
int __wrap_rename(const char *from, const char *to)
{
    return full() ? -1 : __real_rename(from, to);
}

int __real_fsync(int);
int __wrap_fsync(int);
int __wrap_fsync(int fd) { return full() ? -1 : __real_fsync(fd); }

// --- processes -------------------------------------------------------------------------

pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
    if (strikes(FORK)) return errno = EAGAIN, -1;
    pid_t child = __real_fork();
    if (child > 0 && strikes(CHILD)) kill(child, SIGKILL);
    return child;
}

static const char *count_path; // or NULL

static void write_count(void)
{
    long most = 0;
    FILE *in = __real_fopen(count_path, "r"), *out;
    if (in && fscanf(in, "%ld", &most) != 1) most = 0;
    if (in) fclose(in);
    if (calls <= most || !(out = __real_fopen(count_path, "w"))) return;
    fprintf(out, "%ld\n", calls);
    fclose(out);
}

__attribute__((constructor)) static void begin(void)
{
    static const char *const names[] = {"",       "alloc", "write",
                                        "signal", "child", "fork"};
    const char *fault = getenv("DLS_FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
    for (int k = 1; colon && k < 6; k++)
        if (!strncmp(fault, names[k], (size_t)(colon - fault))) kind = (enum kind)k;
    if (colon) at = atol(colon + 1);
    count_path = getenv("DLS_FAULT_COUNT");
    if (count_path) atexit(write_count);
}
