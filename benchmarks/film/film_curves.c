// SPDX-License-Identifier: Apache-2.0
// The curves below the picture.
#include <math.h>

#include "benchmarks/film/film_parts.h"

static bool is_flat(const struct dls_film *f, int curve)
{
    for (int k = 0; k < f->samples; k++)
        if (f->curve[curve].value[k] != 0) return false;
    return true;
}

// The curves of a chart, flat ones but the first left out; titles follow the names of
// the curves.
static void write_chart(FILE *out, const struct dls_film *f, int chart)
{
    const struct dls_film_chart *c = &f->chart[chart];
    fprintf(out, "%s{\"title\":%d,\"log\":%s,\"lines\":[%d", chart ? "," : "",
            f->curves + chart, c->log ? "true" : "false", c->first);
    for (int k = c->first + 1; k < c->first + c->count; k++)
        if (!is_flat(f, k)) fprintf(out, ",%d", k);
    fputs("]}", out);
}

void dls_film_write_curves(FILE *out, const struct dls_film *f)
{
    fputs(",\"curves\":[", out);
    for (int k = 0; k < f->curves; k++) {
        fputs(k ? ",[" : "[", out);
        for (int i = 0; i < f->samples; i++) {
            if (i) fputc(',', out);
            if (isfinite(f->curve[k].value[i]))
                fprintf(out, "%.6g", f->curve[k].value[i]);
            else
                fputs("null", out);
        }
        fputs("]", out);
    }
    fputs("],\"charts\":[", out);
    for (int k = 0; k < f->charts; k++) write_chart(out, f, k);
    fputs("]", out);
}
