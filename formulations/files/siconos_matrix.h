// SPDX-License-Identifier: Apache-2.0
// Numbers, vectors and matrices of a Siconos text file. The first failure sticks: later
// calls do nothing and return NULL or 0.
#ifndef DLS_FORMULATIONS_FILES_SICONOS_MATRIX_H
#define DLS_FORMULATIONS_FILES_SICONOS_MATRIX_H

#include "base/arena.h"
#include "base/sparse.h"
#include "base/status.h"

enum dls_dat_storage { DLS_DAT_DENSE, DLS_DAT_BLOCK, DLS_DAT_SPARSE };

// The text (with a zero behind its end), how far it is read, and the first failure.
struct dls_dat {
    const char *at, *end;
    struct dls_arena *arena; // what is read lives here
    struct dls_error *err;
    enum dls_status status;
};

// Sets the sticky status with the sentence "FIELD: what" unless one is set already.
void dls_dat_fail(struct dls_dat *, const char *field, const char *what);

int dls_dat_int(struct dls_dat *, const char *field);
double dls_dat_real(struct dls_dat *, const char *field);

// A size: not negative, and not above what the rest of the text can hold.
int dls_dat_size(struct dls_dat *, const char *field);

double *dls_dat_vector(struct dls_dat *, const char *field, int count);

// A matrix, or its transpose when `turned`; rows and cols are what the stored one must
// have, or -1 where it decides. NULL on failure or when memory runs out.
struct dls_csr *dls_dat_matrix(struct dls_dat *, const char *field, int rows, int cols,
                               bool turned);

#endif
