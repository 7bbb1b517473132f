// SPDX-License-Identifier: Apache-2.0
// Reading HDF5 files that may be damaged. The first failure sticks: later calls do
// nothing and return NULL or 0, so a reader asks for all it wants and looks at `status`
// once. No size found in a file is believed before it fits the size of the file. Only
// what lies in the file itself is read: a link, a virtual dataset or external storage in
// the place of a wanted dataset is an error.
#ifndef DLS_FORMULATIONS_FILES_HDF5_INPUT_H
#define DLS_FORMULATIONS_FILES_HDF5_INPUT_H

#include "base/arena.h"
#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>

struct dls_hdf5 {
    hid_t file;
    double bytes;            // size of the file
    struct dls_arena *arena; // what is read lives here
    struct dls_error *err;
    enum dls_status status;
    H5E_auto2_t report; // HDF5's own error printing, silent until the file is closed
    void *report_data;
};

// Opens a file for reading; dls_hdf5_close must follow, also on failure.
enum dls_status dls_hdf5_open(struct dls_hdf5 *, const char *path, struct dls_arena *,
                              struct dls_error *);
void dls_hdf5_close(struct dls_hdf5 *);

// Sets the sticky status with the sentence "NAME: ..." unless one is set already.
void dls_hdf5_fail(struct dls_hdf5 *, enum dls_status, const char *name,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

// Whether there is a dataset or group of that name.
bool dls_hdf5_has(struct dls_hdf5 *, const char *name);

// A whole number stored in any type; a number stored in any type.
int dls_hdf5_int(struct dls_hdf5 *, const char *name);
double dls_hdf5_real(struct dls_hdf5 *, const char *name);

// All entries of a dataset. `count` receives how many they are.
double *dls_hdf5_reals(struct dls_hdf5 *, const char *name, int *count);
int *dls_hdf5_ints(struct dls_hdf5 *, const char *name, int *count);

// The text of a string dataset with unprintable bytes replaced, read as UTF-8 or else as
// Latin-1; NULL where there is none or it cannot be read: texts are no reason to fail.
char *dls_hdf5_text(struct dls_hdf5 *, const char *name);

#endif
