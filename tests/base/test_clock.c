// SPDX-License-Identifier: Apache-2.0
// Time as it passes and time that processors worked. The second is chosen for the whole
// process, so its test comes last.
#define _POSIX_C_SOURCE 200809L // fork, nanosleep
#include "base/clock.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/support.h"

static void sleep_for(long ms)
{
    const struct timespec some = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&some, NULL);
}

static double work_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Until this process has worked for so many seconds, by the system's own account.
static void work_for(double seconds)
{
    double end = work_of(CLOCK_PROCESS_CPUTIME_ID) + seconds;
    while (work_of(CLOCK_PROCESS_CPUTIME_ID) < end) continue;
}

static void test_wall(void **state)
{
    (void)state;
    double start = dls_clock();
    sleep_for(50);
    assert_true(dls_clock() - start >= 0.05);
    dls_clock_watch(getpid()); // without effect
    assert_true(dls_clock() - start < 1e6);
}

static void test_work(void **state)
{
    (void)state;
    dls_clock_count_work();
    double start = dls_clock();
    sleep_for(200);
    assert_true(dls_clock() - start < 0.1); // asleep: far below the 0.2 s that passed
    start = dls_clock();
    work_for(0.05);
    double own = dls_clock() - start;
    assert_true(own >= 0.05 && own < 0.2);
}

static void test_watched(void **state)
{
    (void)state;
    double start = dls_clock();
    pid_t child = fork();
    if (!child) {
        work_for(0.1);
        for (;;) pause();
    }
    dls_clock_watch(child);
    while (dls_clock() - start < 0.1) sleep_for(5); // its work comes in
    double before = dls_clock();
    dls_clock_watch(0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(dls_clock() >= before); // what it did stays
    assert_true(dls_clock() - before < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
