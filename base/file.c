// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath, fchmod, gethostname

#include "base/file.h"

#include "base/hash.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names to remove when a signal ends the process. Begun in any thread, read by a handler:
// hence atomic, and a name is freed only after it has left its slot. With all slots taken a
// file is written as ever, and stays behind in that one case.
enum { SLOTS = 64 };
static _Atomic(const char *) slots[SLOTS];

void dls_file_remember(const char *name)
{
    for (int k = 0; k < SLOTS; k++) {
        const char *empty = NULL;
        if (atomic_compare_exchange_strong(&slots[k], &empty, name)) return;
    }
}

void dls_file_forget(const char *name)
{
    for (int k = 0; k < SLOTS; k++) {
        const char *here = atomic_load(&slots[k]);
        if (here && !strcmp(here, name)) atomic_store(&slots[k], NULL);
    }
}

void dls_files_abandon(void)
{
    for (int k = 0; k < SLOTS; k++) {
        const char *name = atomic_load(&slots[k]);
        if (name) unlink(name);
    }
}

// Processes on several machines may write into one folder.
static char *name_beside(const char *path)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    unsigned machine = (unsigned)dls_hash_add(dls_hash_start, host, strlen(host));
    size_t room = strlen(path) + sizeof ".part-12345678-" + 3 * sizeof(long);
    char *name = malloc(room);
    if (name) snprintf(name, room, "%s.part-%08x-%ld", path, machine, (long)getpid());
    return name;
}

// The name without links; of a file that is not there yet, the name as it is.
static char *place_of(const char *path, bool there)
{
    return there ? realpath(path, NULL) : strdup(path);
}

static void drop(struct dls_file *f)
{
    if (f->beside) dls_file_forget(f->beside);
    free(f->path);
    free(f->beside);
    *f = (struct dls_file){0};
}

bool dls_file_begin(struct dls_file *f, const char *path)
{
    struct stat old;
    bool there = !stat(path, &old);
    *f = (struct dls_file){0};
    if (there && !S_ISREG(old.st_mode)) // a device or a pipe: nothing to move over it
        return (f->out = fopen(path, "w")) != NULL;
    if (there && access(path, W_OK)) return false; // protected by its owner
    f->path = place_of(path, there);
    f->beside = f->path ? name_beside(f->path) : NULL;
    if (!f->beside) return drop(f), errno = ENOMEM, false;
    dls_file_remember(f->beside);
    f->out = fopen(f->beside, "w");
    if (f->out && there) // a file system without permissions keeps its own
        (void)!fchmod(fileno(f->out), old.st_mode & 07777);
    if (f->out) return true;
    int reason = errno;
    drop(f);
    return errno = reason, false;
}

// Why a write failed: stdio keeps the fact alone, so one more byte is tried.
static int reason_of(FILE *out)
{
    clearerr(out);
    return fputc(0, out) == EOF || fflush(out) ? errno : EIO;
}

bool dls_file_end(struct dls_file *f, bool good)
{
    int reason = errno;
    if (good && ferror(f->out)) good = false, reason = reason_of(f->out);
    if (good && fflush(f->out)) good = false, reason = errno;
    if (good && f->sync && fsync(fileno(f->out))) good = false, reason = errno;
    if (fclose(f->out) && good) good = false, reason = errno;
    if (good && f->beside && rename(f->beside, f->path)) good = false, reason = errno;
    if (!good && f->beside) unlink(f->beside);
    drop(f);
    return errno = reason, good;
}
