// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *dls_status_name(enum dls_status status)
{
    switch (status) {
#define DLS_STATUS_NAME(id, number, name, text)                                        \
    case id:                                                                           \
        return name;
        DLS_STATUS(DLS_STATUS_NAME)
#undef DLS_STATUS_NAME
    }
    return "unknown";
}

const char *dls_status_text(enum dls_status status)
{
    switch (status) {
#define DLS_STATUS_TEXT(id, number, name, text)                                        \
    case id:                                                                           \
        return text;
        DLS_STATUS(DLS_STATUS_TEXT)
#undef DLS_STATUS_TEXT
    }
    return "unknown status";
}

enum dls_status dls_fail(struct dls_error *err, enum dls_status status,
                         const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}
