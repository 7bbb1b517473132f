// SPDX-License-Identifier: Apache-2.0
// The rows of a study that was made before, for its exponents and figures without its runs.
#include <math.h>
#include <string.h>

#include "benchmarks/campaign/sheet.h"
#include "benchmarks/speed/scaling.h"

static int find_family(const char *name)
{
    for (int k = 0; k < DLS_FAMILIES; k++)
        if (!strcmp(name, dls_family_names[k])) return k;
    return -1;
}

// The place of a family among those that were met so far; a new one comes last.
static struct dls_scaling *place(struct dls_scaling *all, int *count, int family)
{
    for (int k = 0; k < *count; k++)
        if ((int)all[k].family == family) return &all[k];
    all[*count] = (struct dls_scaling){.family = (enum dls_family)family};
    return &all[(*count)++];
}

enum dls_status dls_scaling_read(struct dls_scaling all[DLS_FAMILIES], int *count,
                                 const char *path, struct dls_arena *a,
                                 struct dls_error *err)
{
    static const char *const names[] = {"family", "contacts",    "status",
                                        "time",   "peak_memory", "idle_memory"};
    struct dls_sheet sheet;
    int at[6];
    enum dls_status status = dls_sheet_read(&sheet, path, a, err);
    if (status) return status;
    for (int k = 0; k < 6; k++)
        if ((at[k] = dls_sheet_column(&sheet, names[k])) < 0)
            return dls_fail(err, DLS_EINVAL, "%s: no column '%s'", path, names[k]);
    *count = 0;
    for (int row = 0; row < sheet.rows; row++) {
        int family = find_family(dls_sheet_text(&sheet, row, at[0]));
        if (family < 0)
            return dls_fail(err, DLS_EINVAL, "%s: no family '%s'", path,
                            dls_sheet_text(&sheet, row, at[0]));
        struct dls_scaling *s = place(all, count, family);
        if (s->sizes == DLS_SCALING_SIZES) continue;
        bool good = !strcmp(dls_sheet_text(&sheet, row, at[2]), "converged");
        int k = s->sizes++;
        s->contacts[k] = dls_sheet_real(&sheet, row, at[1]);
        s->seconds[k] = good ? dls_sheet_real(&sheet, row, at[3]) : NAN;
        s->bytes[k] = good ? dls_sheet_real(&sheet, row, at[4])
                                 - dls_sheet_real(&sheet, row, at[5])
                           : NAN;
    }
    return *count ? DLS_OK : dls_fail(err, DLS_EINVAL, "%s: no rows", path);
}
