// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/versions.h"

#include "formulations/residual.h"

#include <cblas.h>
#include <cholmod.h>
#include <gsl/gsl_version.h>
#include <hdf5.h>
#include <umfpack.h>

void dls_blas_use_one_thread(void) { openblas_set_num_threads(1); }

void dls_versions_print(FILE *out)
{
    unsigned major = 0, minor = 0, release = 0;
    int cholmod[3];
    H5get_libversion(&major, &minor, &release);
    cholmod_version(cholmod);
    fprintf(out, "delassus %s\n", DLS_VERSION);
    fprintf(out, "residual version %d\n", DLS_RESIDUAL_VERSION);
    fprintf(out, "HDF5 %u.%u.%u\n", major, minor, release);
    fprintf(out, "GSL %s\n", gsl_version);
    fprintf(out, "%s\n", openblas_get_config());
    fprintf(out, "CHOLMOD %d.%d.%d\n", cholmod[0], cholmod[1], cholmod[2]);
    fprintf(out, "UMFPACK %d.%d.%d\n", UMFPACK_MAIN_VERSION, UMFPACK_SUB_VERSION,
            UMFPACK_SUBSUB_VERSION);
}
