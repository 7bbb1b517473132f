// SPDX-License-Identifier: Apache-2.0
// Ascending numbers.
#ifndef DLS_BASE_SORTED_H
#define DLS_BASE_SORTED_H

// The first of the ascending numbers all[low] ... all[high - 1] that is `least` or more;
// `high` where there is none.
static inline int dls_sorted_from(const int *all, int low, int high, int least)
{
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (all[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
