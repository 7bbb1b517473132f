// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // flock

#include "benchmarks/campaign/folder.h"

#include "base/file.h"
#include "base/sha256.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/campaign/json.h"
#include "benchmarks/terminal/commands.h"

static const char lock_name[] = ".lock";

// --- whose it is -----------------------------------------------------------------------

bool dls_folder_is_campaign(const char *path, struct dls_arena *a)
{
    struct dls_facts facts;
    const char *file = dls_text(a, "%s/campaign.json", path);
    return file && dls_json_read(&facts, file, a)
           && dls_facts_find(&facts, "tolerances");
}

// What a campaign leaves that is killed, or other shards, before its campaign.json.
static bool is_beginning(const char *name)
{
    return !strcmp(name, lock_name) || !strncmp(name, "campaign.json.", 14)
           || !strncmp(name, "shard-", 6);
}

// A name in the folder that no campaign left there; NULL where it is free to take.
static const char *find_foreign(const char *path, struct dls_arena *a)
{
    const char *found = NULL;
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")
            && !is_beginning(entry->d_name))
            found = dls_text(a, "%s", entry->d_name);
    if (dir) closedir(dir);
    return found;
}

static enum dls_status look(const char *path, bool *there, struct dls_arena *a,
                            struct dls_error *err)
{
    struct stat found;
    *there = !stat(path, &found);
    if (!*there && errno == ENOENT) return DLS_OK;
    if (!*there) return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(found.st_mode))
        return dls_fail(err, DLS_EINVAL, "%s is not a folder; give another -o", path);
    const char *foreign = find_foreign(path, a);
    if (foreign && !dls_folder_is_campaign(path, a))
        return dls_fail(err, DLS_EINVAL,
                        "%s is neither empty nor a campaign ('%.80s' is in it); give "
                        "another -o",
                        path, foreign);
    return DLS_OK;
}

enum dls_status dls_folder_check(const char *path, struct dls_arena *a,
                                 struct dls_error *err)
{
    bool there;
    return look(path, &there, a, err);
}

enum dls_status dls_folder_claim(struct dls_folder *f, const char *path,
                                 struct dls_arena *a, struct dls_error *err)
{
    bool there;
    *f = (struct dls_folder){.path = path, .lock = -1};
    enum dls_status status = look(path, &there, a, err);
    if (status) return status;
    int error = there ? 0 : dls_folder_make(path, a);
    if (error) return dls_fail(err, DLS_EIO, "%s: %s", path, strerror(error));
    f->made = !there;
    const char *lock = dls_text(a, "%s/%s", path, lock_name);
    if (!lock) return dls_fail(err, DLS_ENOMEM, "out of memory");
    f->lock_is_new = access(lock, F_OK);
    f->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (f->lock < 0)
        status = dls_fail(err, DLS_EIO, "%s: %s", path, strerror(errno));
    else if (flock(f->lock, LOCK_EX | LOCK_NB))
        status = dls_fail(err, DLS_EIO, "%s: another campaign is writing there", path);
    if (!status) return DLS_OK;
    if (f->lock >= 0) f->lock_is_new = false; // it is the other one's
    dls_folder_release(f, true);
    return status;
}

void dls_folder_release(struct dls_folder *f, bool undo)
{
    char lock[4096];
    if (undo && f->lock_is_new
        && snprintf(lock, sizeof lock, "%s/%s", f->path, lock_name) < (int)sizeof lock)
        unlink(lock);
    if (undo && f->made) rmdir(f->path); // stays where something is in it
    if (f->lock >= 0) close(f->lock);
    f->lock = -1;
}

// --- files in it -----------------------------------------------------------------------

bool dls_folder_write(const char *folder, const char *name, const char *text,
                      size_t size, struct dls_arena *a)
{
    struct dls_file to;
    const char *path = dls_text(a, "%s/%s", folder, name);
    if (!path) return errno = ENOMEM, false;
    if (!dls_file_begin(&to, path)) return false;
    to.sync = true;
    fwrite(text, 1, size, to.out);
    return dls_file_end(&to, true);
}

const char *dls_plain_name(const char *const *parts, int count, struct dls_arena *a)
{
    enum { LONGEST = 120 }; // leaves room for endings within the 255 bytes of a name
    struct dls_sha256 hash = dls_sha256_start();
    char digits[DLS_SHA256_TEXT], *name = DLS_NEW(a, char, LONGEST + 24);
    bool changed = false;
    size_t length = 0;
    if (!name) return NULL;
    for (int k = 0; k < count; k++) {
        dls_sha256_add(&hash, parts[k], strlen(parts[k]) + 1);
        if (k && length < LONGEST) name[length++] = '.';
        for (const char *p = parts[k]; *p; p++) {
            bool plain = isalnum((unsigned char)*p) || strchr("._=+-@", *p);
            changed |= !plain || length == LONGEST;
            if (length < LONGEST) name[length++] = plain ? *p : '_';
        }
    }
    if (*name == '.') *name = '_', changed = true; // would be hidden
    if (changed) snprintf(name + length, 24, "~%.8s", dls_sha256_end(&hash, digits));
    return name;
}
