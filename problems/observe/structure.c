// SPDX-License-Identifier: Apache-2.0
// The structure of contacts.
//
//   fabric         F = mean of n (x) n
//   coordination   Z = (2 N_gg + N_gw) / N: a contact of two grains counts for both
//   rattlers       grains that too few contacts hold; taking one away may free another
//   P(f)           f / mean f
#include "problems/observe/structure.h"

#include <stdlib.h>

double dls_carrying_threshold(const struct dls_observed *o)
{
    double sum = 0;
    for (int c = 0; c < o->forces; c++) sum += fmax(0, o->force[c].normal);
    return o->forces ? 1e-3 * sum / o->forces : 0;
}

dls_tensor dls_fabric(const struct dls_observed *o)
{
    dls_tensor sum = {{{0}}};
    double least = dls_carrying_threshold(o);
    int count = 0;
    for (int c = 0; c < o->forces; c++) {
        if (!(o->force[c].normal > least)) continue;
        sum = dls_tensor_add(sum, dls_tensor_outer(o->force[c].n, o->force[c].n));
        count++;
    }
    for (int i = 0; i < 9 && count; i++) sum.x[i / 3][i % 3] /= count;
    return sum;
}

double dls_fabric_anisotropy(const dls_tensor *F, int dim)
{
    struct dls_principal p = dls_tensor_principal(F, dim);
    return dim == 2 ? 2 * (p.value[0] - p.value[1]) : 2.5 * (p.value[0] - p.value[2]);
}

struct census {
    const struct dls_observed *o;
    double least; // force of a contact that carries
    bool *gone;   // rattlers
    int *touching;
};

// Counts the contacts of each grain among those that are left; returns their sum.
static int count_contacts(struct census *s)
{
    int sum = 0;
    for (int k = 0; k < s->o->grains; k++) s->touching[k] = 0;
    for (int c = 0; c < s->o->forces; c++) {
        const struct dls_force *f = &s->o->force[c];
        bool held = !s->gone[f->grain] && (f->other < 0 || !s->gone[f->other]);
        if (!held || !(f->normal > s->least)) continue;
        s->touching[f->grain]++;
        sum++;
        if (f->other >= 0) s->touching[f->other]++, sum++;
    }
    return sum;
}

bool dls_coordination(struct dls_coordination *z, const struct dls_observed *o,
                      int least, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct census s = {
        .o = o,
        .least = dls_carrying_threshold(o),
        .gone = DLS_NEW(&scratch, bool, o->grains),
        .touching = DLS_NEW(&scratch, int, o->grains),
    };
    *z = (struct dls_coordination){.all = NAN, .backbone = NAN};
    bool good = !scratch.failed, again = good && o->grains;
    if (again) z->all = (double)count_contacts(&s) / o->grains;
    while (again) {
        int sum = count_contacts(&s);
        again = false;
        for (int k = 0; k < o->grains; k++) {
            if (s.gone[k] || s.touching[k] >= least) continue;
            s.gone[k] = again = true;
            z->rattlers++;
        }
        int left = o->grains - z->rattlers;
        if (!again && left) z->backbone = (double)sum / left;
    }
    dls_arena_free(&scratch);
    return good;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *dls_force_distribution(const struct dls_observed *o, int *count,
                               struct dls_arena *a)
{
    double *f = DLS_NEW(a, double, o->forces), least = dls_carrying_threshold(o);
    double sum = 0;
    *count = 0;
    for (int c = 0; f && c < o->forces; c++) {
        if (!(o->force[c].normal > least)) continue;
        f[(*count)++] = o->force[c].normal;
        sum += o->force[c].normal;
    }
    for (int k = 0; k < *count; k++) f[k] *= *count / sum;
    if (f) qsort(f, (size_t)*count, sizeof *f, ascending);
    return f;
}
