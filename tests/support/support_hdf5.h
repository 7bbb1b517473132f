// SPDX-License-Identifier: Apache-2.0
// Puts single datasets into HDF5 files, to make odd and bad ones.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_HDF5_H
#define DLS_TESTS_SUPPORT_SUPPORT_HDF5_H

#include <hdf5.h>
#include <stdbool.h>

// Opens a file for changes, creating it where asked.
hid_t support_h5_open(const char *path, bool create);

// Removes what has that name; nothing happens where there is none.
void support_h5_remove(hid_t file, const char *name);

// Writes `count` entries of a memory type, stored as `stored`, in place of what was
// there; the groups on the way are created.
void support_h5_put(hid_t file, const char *name, hid_t stored, hid_t memory,
                    const void *x, int count);
void support_h5_ints(hid_t file, const char *name, const int *x, int count);
void support_h5_reals(hid_t file, const char *name, const double *x, int count);

// A string dataset of fixed length, or of variable length.
void support_h5_text(hid_t file, const char *name, const char *text, bool variable);

#endif
