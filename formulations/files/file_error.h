// SPDX-License-Identifier: Apache-2.0
// The sentence about a bad file: "FILE: FIELD: what is wrong".
#ifndef DLS_FORMULATIONS_FILES_FILE_ERROR_H
#define DLS_FORMULATIONS_FILES_FILE_ERROR_H

#include "base/status.h"

#include <string.h>

// Puts the name of the file before the sentence and returns the status. Of a long path
// only the end is shown, so that the field is never cut off.
static inline enum dls_status
dls_error_name_file(struct dls_error *err, enum dls_status status, const char *path)
{
    enum { SHOWN = 120 };
    if (!err) return status;
    struct dls_error sentence = *err;
    size_t length = strlen(path);
    const char *cut = length > SHOWN ? "..." : "";
    if (length > SHOWN) path += length - SHOWN;
    return dls_fail(err, status, "%s%s: %.128s", cut, path, sentence.text);
}

#endif
