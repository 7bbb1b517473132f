// SPDX-License-Identifier: Apache-2.0
// OpenBLAS starts one thread a core, and sums then differ in their last bits: one thread
// keeps runs repeatable. It takes a buffer of BUFFER bytes at its first call and tries for
// ever where it gets none; under a limit on addresses (ulimit -v) that room is looked for
// first and then taken at once, before anything else can use it up.
//
// HDF5 tidies up at exit and loops or crashes there after some damaged files; everything
// is closed before, so that it may leave this out.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "benchmarks/terminal/libraries.h"

#include <cblas.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "benchmarks/terminal/cli.h"

enum { BUFFER = 129 << 20 }; // OpenBLAS: 128 MiB and 1 MiB to align them

static bool has_room(size_t bytes)
{
    void *room =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && !munmap(room, bytes);
}

// A product large enough that OpenBLAS wants its buffer.
static void take_buffer(void)
{
    enum { N = 32 };
    double A[N * N] = {0}, C[N * N] = {0};
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, A, N, A, N, 0, C,
                N);
}

bool dls_libraries_start(void)
{
    struct rlimit limit;
    openblas_set_num_threads(1);
    H5dont_atexit();
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return true;
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
