// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/versions.h"

#include "formulations/judge/residual.h"

#include <cblas.h>
#include <cholmod.h>
#include <gsl/gsl_version.h>
#include <hdf5.h>
#include <string.h>
#include <umfpack.h>

#include "benchmarks/campaign/environment.h"

void dls_versions_libraries(char *text, size_t size)
{
    unsigned major = 0, minor = 0, release = 0;
    int cholmod[3];
    H5get_libversion(&major, &minor, &release);
    cholmod_version(cholmod);
    snprintf(text, size,
             "HDF5 %u.%u.%u; GSL %s; %s; CHOLMOD %d.%d.%d; UMFPACK %d.%d.%d%s", major,
             minor, release, gsl_version, openblas_get_config(), cholmod[0], cholmod[1],
             cholmod[2], UMFPACK_MAIN_VERSION, UMFPACK_SUB_VERSION,
             UMFPACK_SUBSUB_VERSION, dls_build_optional);
}

void dls_versions_print(FILE *out)
{
    char libraries[512];
    dls_versions_libraries(libraries, sizeof libraries);
    fprintf(out, "delassus %s\n", DLS_VERSION);
    fprintf(out, "commit %s\n", dls_build_commit);
    fprintf(out, "residual version %d\n", DLS_RESIDUAL_VERSION);
    for (char *word = strtok(libraries, ";"); word; word = strtok(NULL, ";"))
        fprintf(out, "%s\n", word + (*word == ' '));
    fprintf(out, "built by %s\n", dls_build_compiler);
}
