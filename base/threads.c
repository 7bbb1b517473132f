// SPDX-License-Identifier: Apache-2.0
// Loops shared by OpenMP. One thread never enters it: a parallel region of one takes memory
// and a microsecond, which small problems would feel.
//
// What a loop computes must not depend on the number of threads: entries are written by one
// thread each, sums are taken in one order, and largest values and counts are the same in
// any order.
#include "base/threads.h"

// So many ranges a thread: what one of them is late with the others take over.
enum { RANGES = 4 };

void dls_share(int threads, int items, void (*f)(void *data, int from, int to),
               void *data)
{
    int team = dls_team(threads, items), ranges = RANGES * team;
    if (team == 1) {
        f(data, 0, items);
        return;
    }
#pragma omp parallel for num_threads(team) schedule(dynamic)
    for (int k = 0; k < ranges; k++) {
        long from = (long)items * k / ranges, to = (long)items * (k + 1) / ranges;
        f(data, (int)from, (int)to);
    }
}

void dls_each(int threads, int parts, void (*f)(void *data, int part), void *data)
{
    if (threads <= 1) {
        for (int k = 0; k < parts; k++) f(data, k);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int k = 0; k < parts; k++) f(data, k);
}
