// SPDX-License-Identifier: Apache-2.0
// OpenBLAS starts one thread a core, and sums then differ in their last bits: one thread
// keeps runs repeatable. Each of its threads takes a buffer of BUFFER bytes, at some time
// after its start, and tries for ever where it gets none. Under a limit on addresses
// (ulimit -v) the program therefore starts itself once more without those threads, looks
// for the room and takes it at once, before anything else can use it up.
//
// HDF5 tidies up at exit and loops or crashes there after some damaged files; everything
// is closed before, so that it may leave this out.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS, setenv
#include "benchmarks/terminal/libraries.h"

#include <cblas.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "benchmarks/terminal/cli.h"

enum { BUFFER = 129 << 20 }; // OpenBLAS: 128 MiB and 1 MiB to align them

static bool has_room(size_t bytes)
{
    void *room =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && !munmap(room, bytes);
}

// A call for which OpenBLAS wants its buffer: small products it forms without.
static void take_buffer(void)
{
    enum { N = 64 };
    double L[N * N] = {0}, X[N * N] = {0};
    for (int k = 0; k < N; k++) L[k * N + k] = 1;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, N, N,
                1, L, N, X, N);
}

// Returns only where there is nothing to gain: OpenBLAS reads its variable when it is loaded.
static void start_without_threads(char *argv[])
{
    static const char name[] = "OPENBLAS_NUM_THREADS";
    const char *asked = getenv(name);
    if (asked && !strcmp(asked, "1")) return;
    if (!setenv(name, "1", 1)) execv("/proc/self/exe", argv);
}

bool dls_libraries_start(char *argv[])
{
    struct rlimit limit;
    openblas_set_num_threads(1);
    H5dont_atexit();
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return true;
    start_without_threads(argv);
    if (!has_room(2 * (size_t)BUFFER)) {
        dls_complain("the limit on memory (ulimit -v) is too low: "
                     "%d MB more are needed to start",
                     2 * BUFFER >> 20);
        return false;
    }
    take_buffer();
    return true;
}

void dls_libraries_threads(int count) { openblas_set_num_threads(count); }
