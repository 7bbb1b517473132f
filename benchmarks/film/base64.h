// SPDX-License-Identifier: Apache-2.0
// Arrays of a page: little-endian integers and floats as base64 in a script element.
#ifndef DLS_BENCHMARKS_FILM_BASE64_H
#define DLS_BENCHMARKS_FILM_BASE64_H

#include <stdint.h>
#include <stdio.h>

struct dls_base64 {
    FILE *out;
    unsigned char byte[3];
    int count;
};

struct dls_base64 dls_base64_open(FILE *, const char *id);
// So many low bytes of the value, the lowest first.
void dls_base64_put(struct dls_base64 *, uint32_t value, int bytes);
void dls_base64_float(struct dls_base64 *, float);
void dls_base64_close(struct dls_base64 *);

#endif
