// SPDX-License-Identifier: Apache-2.0
// Files that are there whole or not at all.
#define _POSIX_C_SOURCE 200809L // mkdtemp, symlink, fork

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/support.h"

static char folder[] = "/tmp/delassus-file-XXXXXX";
static char path[64], link_path[64];

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/x", folder);
    snprintf(link_path, sizeof link_path, "%s/y", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    unlink(link_path);
    return rmdir(folder); // fails where anything was left in it
}

static const char *content(void)
{
    static char text[32];
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    return text;
}

static int entries(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    while (readdir(all)) count++;
    closedir(all);
    return count - 2; // . and ..
}

static bool write_text(const char *text, bool good)
{
    struct dls_file f;
    assert_true(dls_file_begin(&f, path));
    fputs(text, f.out);
    return dls_file_end(&f, good);
}

static void the_old_file_stays_until_the_new_one_is_whole(void **state)
{
    (void)state;
    struct dls_file f;
    assert_true(write_text("old", true));
    assert_true(dls_file_begin(&f, path));
    fputs("new", f.out);
    fflush(f.out);
    assert_string_equal(content(), "old");
    assert_int_equal(entries(), 2);
    assert_true(dls_file_end(&f, true));
    assert_string_equal(content(), "new");
    assert_int_equal(entries(), 1);
    assert_false(write_text("newer", false)); // given up
    assert_string_equal(content(), "new");
    assert_int_equal(entries(), 1);
}

static void links_and_permissions_stay(void **state)
{
    (void)state;
    struct stat found;
    struct dls_file f;
    assert_true(write_text("old", true));
    chmod(path, 0640);
    assert_int_equal(symlink(path, link_path), 0);
    assert_true(dls_file_begin(&f, link_path));
    fputs("new", f.out);
    assert_true(dls_file_end(&f, true));
    assert_string_equal(content(), "new"); // what the link stands for
    lstat(link_path, &found);
    assert_true(S_ISLNK(found.st_mode));
    stat(path, &found);
    assert_int_equal(found.st_mode & 0777, 0640);
    unlink(link_path);
}

// A device is written to; moving a file over it would destroy it.
static void devices_are_written_to(void **state)
{
    (void)state;
    struct stat found;
    struct dls_file f;
    assert_true(dls_file_begin(&f, "/dev/null"));
    fputs("nothing", f.out);
    assert_true(dls_file_end(&f, true));
    stat("/dev/null", &found);
    assert_true(S_ISCHR(found.st_mode));
}

static void reasons_are_told(void **state)
{
    (void)state;
    struct dls_file f;
    assert_false(dls_file_begin(&f, "/nowhere/x"));
    assert_int_equal(errno, ENOENT);
    assert_true(dls_file_begin(&f, "/dev/full")); // fails when its buffer is emptied
    fputs("text", f.out);
    errno = 0;
    assert_false(dls_file_end(&f, true));
    assert_int_equal(errno, ENOSPC);
    // The reason of a write that failed long ago is found again.
    struct rlimit old, small = {4096, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    unlink(path);
    assert_true(dls_file_begin(&f, path));
    for (int k = 0; k < 100000; k++) fputs("text", f.out);
    errno = 0;
    bool whole = dls_file_end(&f, true);
    int reason = errno;
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(whole);
    assert_int_equal(reason, EFBIG);
    assert_int_equal(entries(), 0);
}

static void leave(int signal)
{
    dls_files_abandon();
    raise(signal);
}

// A child is in the middle of two files when the signal comes.
static void a_signal_takes_files_away(void **state)
{
    (void)state;
    struct dls_file f;
    int status, ready[2];
    char byte = 0;
    assert_true(write_text("old", true));
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct sigaction action = {.sa_handler = leave, .sa_flags = (int)SA_RESETHAND};
        sigaction(SIGTERM, &action, NULL);
        if (!dls_file_begin(&f, path) || !dls_file_begin(&f, link_path)) _exit(1);
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(entries(), 3);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(entries(), 1);
    assert_string_equal(content(), "old");
    close(ready[0]);
    close(ready[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_old_file_stays_until_the_new_one_is_whole),
        cmocka_unit_test(links_and_permissions_stay),
        cmocka_unit_test(devices_are_written_to),
        cmocka_unit_test(reasons_are_told),
        cmocka_unit_test(a_signal_takes_files_away),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
