// SPDX-License-Identifier: Apache-2.0
// Loops that several threads share; see threads.c.
#ifndef DLS_BASE_THREADS_H
#define DLS_BASE_THREADS_H

// A loop of fewer items takes less time than to wake a thread, some 10 microseconds.
enum { DLS_LEAST_SHARED = 1000 };

// How many threads a loop over so many items gets.
static inline int dls_team(int threads, int items)
{
    return threads > 1 && items >= DLS_LEAST_SHARED ? threads : 1;
}

// Calls f for ranges that make up 0 ... items - 1, by as many threads as dls_team says; one
// thread gets all in one call.
void dls_share(int threads, int items, void (*f)(void *data, int from, int to),
               void *data);

// Calls f for the parts 0 ... parts - 1, by so many threads.
void dls_each(int threads, int parts, void (*f)(void *data, int part), void *data);

#endif
