// SPDX-License-Identifier: Apache-2.0
// Who solves how many, how fast: profiles of every tolerance, and the order of the
// solvers in the page (most problems solved at the tightest tolerance, then at the
// others, then the least mean time with failures charged).
//
// Problems that some solver has not run yet are left out of the profiles, so that a
// campaign under way does not show its unfinished solvers as failing.
#include <math.h>
#include <string.h>

#include "benchmarks/report/report.h"

// Below a microsecond clocks tell nothing.
static const double least_time = 1e-6;

static void fill_costs(struct dls_report *r, int t, double *time, double *work,
                       double *charge)
{
    const struct dls_ledger *c = r->campaign;
    struct dls_standing *st = &r->standing[t];
    for (int k = 0; k < st->count; k++)
        for (int s = 0; s < c->solvers; s++) {
            const struct dls_result *row = dls_ledger_at(c, st->problem[k], s, t);
            int at = k * c->solvers + s;
            time[at] = row->solved ? row->time : INFINITY;
            work[at] = row->solved ? row->products : INFINITY;
            charge[at] = dls_charge * row->max_time;
            st->taken[s] += strcmp(row->status, "unsupported") != 0;
            if (row->products > 0) st->counts_products[s] = true;
        }
    for (int at = 0; at < st->count * c->solvers; at++)
        if (!st->counts_products[at % c->solvers]) work[at] = INFINITY;
}

static bool fill_standing(struct dls_report *r, int t)
{
    const struct dls_ledger *c = r->campaign;
    struct dls_standing *st = &r->standing[t];
    size_t size = (size_t)c->problems * (size_t)c->solvers;
    double *work = DLS_NEW(r->arena, double, size);
    double *charge = DLS_NEW(r->arena, double, size);
    st->problem = DLS_NEW(r->arena, int, c->problems);
    st->cost = DLS_NEW(r->arena, double, size);
    st->counts_products = DLS_NEW(r->arena, bool, c->solvers);
    st->taken = DLS_NEW(r->arena, int, c->solvers);
    if (r->arena->failed) return false;
    for (int p = 0; p < c->problems; p++)
        if (dls_ledger_complete(c, p, t)) st->problem[st->count++] = p;
    fill_costs(r, t, st->cost, work, charge);
    return dls_profile_make(&st->time, st->count, c->solvers, st->cost, charge,
                            least_time, r->arena)
           && dls_profile_make(&st->work, st->count, c->solvers, work, NULL, 1,
                               r->arena);
}

static bool is_before(const struct dls_report *r, int a, int b)
{
    for (int t = r->campaign->tols - 1; t >= 0; t--) {
        const struct dls_profile *f = &r->standing[t].time;
        if (f->solved[a] != f->solved[b]) return f->solved[a] > f->solved[b];
    }
    const struct dls_profile *f = &r->standing[r->campaign->tols - 1].time;
    return f->charged[a] < f->charged[b];
}

bool dls_report_rank(struct dls_report *r)
{
    const struct dls_ledger *c = r->campaign;
    r->standing = DLS_NEW(r->arena, struct dls_standing, c->tols);
    r->order = DLS_NEW(r->arena, int, c->solvers);
    if (r->arena->failed) return false;
    for (int t = 0; t < c->tols; t++)
        if (!fill_standing(r, t)) return false;
    for (int s = 0; s < c->solvers; s++) { // by insertion: stable, and there are few
        int k = s;
        for (; k > 0 && is_before(r, s, r->order[k - 1]); k--)
            r->order[k] = r->order[k - 1];
        r->order[k] = s;
    }
    return true;
}
