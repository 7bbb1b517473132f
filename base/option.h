// SPDX-License-Identifier: Apache-2.0
// Option tables. One row is the only place where an option is described: it gives the
// default, the range, the command line, the help text and the column in result files.
#ifndef DLS_BASE_OPTION_H
#define DLS_BASE_OPTION_H

#include "base/status.h"

#include <stddef.h>

enum dls_type {
    DLS_TYPE_REAL,   // double
    DLS_TYPE_INT,    // int
    DLS_TYPE_CHOICE, // int, the index into `choices`
};

struct dls_option {
    const char *name, *help;
    enum dls_type type;
    size_t at; // offset in the options struct
    double def, lo, hi;
    const char *choices; // "given|symmetric|shuffled" for a choice, else NULL
};

// Rows of a table for `struct S`; the table ends with {0}. The default of a choice is its
// index. A flag is a choice "no|yes".
#define DLS_ROW(S, field, of_type, standard, low, high, names, text)                   \
    {                                                                                  \
        .name = #field, .help = text, .type = of_type,                                 \
        .at = offsetof(struct S, field), .def = standard, .lo = low, .hi = high,       \
        .choices = names                                                               \
    }
#define DLS_REAL(S, field, def, lo, hi, help)                                          \
    DLS_ROW(S, field, DLS_TYPE_REAL, def, lo, hi, NULL, help)
#define DLS_INT(S, field, def, lo, hi, help)                                           \
    DLS_ROW(S, field, DLS_TYPE_INT, def, lo, hi, NULL, help)
#define DLS_CHOICE(S, field, def, choices, help)                                       \
    DLS_ROW(S, field, DLS_TYPE_CHOICE, def, 0, 0, choices, help)

// Fills an options struct with the defaults of its table (NULL table: no options).
void dls_option_defaults(const struct dls_option *table, void *opt);

// The row of that name, or NULL.
const struct dls_option *dls_option_find(const struct dls_option *table,
                                         const char *name);

// Sets one option from text; an unknown name or a value out of range is an error whose
// sentence says what would be right. `owner` names the table's owner in that sentence.
enum dls_status dls_option_set(const struct dls_option *table, void *opt,
                               const char *name, const char *value, const char *owner,
                               struct dls_error *);

// Text of the current value ("0.9", "shuffled") and of the admissible ones ("0 ... 2",
// "given|symmetric|shuffled"); both return `text`.
char *dls_option_value(const struct dls_option *row, const void *opt, char text[64]);
char *dls_option_range(const struct dls_option *row, char text[64]);

#endif
