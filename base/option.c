// SPDX-License-Identifier: Apache-2.0
#include "base/option.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void store(const struct dls_option *row, void *opt, double value)
{
    char *at = (char *)opt + row->at;
    if (row->type == DLS_TYPE_REAL)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &(int){(int)value}, sizeof(int));
}

static double load(const struct dls_option *row, const void *opt)
{
    const char *at = (const char *)opt + row->at;
    double real;
    int whole;
    if (row->type == DLS_TYPE_REAL) return memcpy(&real, at, sizeof real), real;
    return memcpy(&whole, at, sizeof whole), whole;
}

void dls_option_defaults(const struct dls_option *table, void *opt)
{
    for (const struct dls_option *row = table; row && row->name && opt; row++)
        store(row, opt, row->def);
}

const struct dls_option *dls_option_find(const struct dls_option *table,
                                         const char *name)
{
    for (const struct dls_option *row = table; row && row->name && name; row++)
        if (!strcmp(row->name, name)) return row;
    return NULL;
}

// The index of `word` in "a|b|c", or -1.
static int choice_index(const char *choices, const char *word)
{
    size_t length = strlen(word);
    int index = 0;
    for (const char *c = choices; c; c = strchr(c, '|'), c = c ? c + 1 : NULL, index++)
        if (length && !strncmp(c, word, length) && (c[length] == '|' || !c[length]))
            return index;
    return -1;
}

enum dls_status dls_option_set(const struct dls_option *table, void *opt,
                               const char *name, const char *value, const char *owner,
                               struct dls_error *err)
{
    if (!opt || !name || !value)
        return dls_fail(err, DLS_EINVAL, "an option takes a name and a value");
    const struct dls_option *row = dls_option_find(table, name);
    if (!row) return dls_fail(err, DLS_EINVAL, "%s has no option '%s'", owner, name);
    char range[64], *end;
    double number = row->type == DLS_TYPE_CHOICE ? choice_index(row->choices, value)
                                                 : strtod(value, &end);
    bool good = row->type == DLS_TYPE_CHOICE
                    ? number >= 0
                    : end != value && !*end && number >= row->lo && number <= row->hi
                          && (row->type == DLS_TYPE_REAL || number == floor(number));
    if (!good)
        return dls_fail(err, DLS_EINVAL, "%s: option %s takes %s, not '%s'", owner,
                        name, dls_option_range(row, range), value);
    store(row, opt, number);
    return DLS_OK;
}

char *dls_option_value(const struct dls_option *row, const void *opt, char text[64])
{
    double value = load(row, opt);
    if (row->type != DLS_TYPE_CHOICE) return snprintf(text, 64, "%.15g", value), text;
    const char *c = row->choices;
    for (int k = 0; k < (int)value; k++) c = strchr(c, '|') + 1;
    snprintf(text, 64, "%.*s", (int)strcspn(c, "|"), c);
    return text;
}

char *dls_option_range(const struct dls_option *row, char text[64])
{
    if (row->type == DLS_TYPE_CHOICE)
        snprintf(text, 64, "%s", row->choices);
    else
        snprintf(text, 64, "%s%g ... %g", row->type == DLS_TYPE_INT ? "integers " : "",
                 row->lo, row->hi);
    return text;
}
