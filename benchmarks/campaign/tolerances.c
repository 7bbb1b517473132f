// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool parse_tolerance(const char *text, double *tol)
{
    char *end;
    *tol = strtod(text, &end);
    return end != text && !*end && *tol > 0 && isfinite(*tol);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

bool dls_tolerances_parse(const char *text, double tols[DLS_TOLERANCES], int *count)
{
    char copy[512], *word = copy;
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    for (*count = 0; word; (*count)++) {
        char *comma = strchr(word, ',');
        if (comma) *comma++ = 0;
        if (*count == DLS_TOLERANCES || !parse_tolerance(word, &tols[*count]))
            return false;
        word = comma;
    }
    qsort(tols, (size_t)*count, sizeof *tols, descending);
    for (int k = 1; k < *count; k++)
        if (tols[k] == tols[k - 1]) return false;
    return true;
}
