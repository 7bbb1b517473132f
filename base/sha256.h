// SPDX-License-Identifier: Apache-2.0
// Fingerprints of bytes and files: SHA-256 [FIPS 180-4], as `sha256sum` prints it.
#ifndef DLS_BASE_SHA256_H
#define DLS_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DLS_SHA256_TEXT = 65 }; // 64 hexadecimal digits and the end

struct dls_sha256 {
    uint32_t state[8];
    uint64_t bytes; // so far
    unsigned char block[64];
};

struct dls_sha256 dls_sha256_start(void);
void dls_sha256_add(struct dls_sha256 *, const void *bytes, size_t count);
// Writes the digits; returns `text`.
char *dls_sha256_end(struct dls_sha256 *, char text[DLS_SHA256_TEXT]);

// Of a whole file; false with errno set where it cannot be read.
bool dls_sha256_file(const char *path, char text[DLS_SHA256_TEXT]);

#endif
