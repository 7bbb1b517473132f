// SPDX-License-Identifier: Apache-2.0
// Why a run failed, told by its history: where the residual went and since when it stopped
// to fall. The message of the row follows where it says more than its status.
#include <math.h>
#include <string.h>

#include "benchmarks/report/report.h"
#include "benchmarks/terminal/output.h"

// What the checks of a run tell.
struct course {
    double first, last, best, worst; // residuals
    double gain_time;                // since when the best gained less than 1 %
    double end_time, iterations;
    double worst_iteration;
};

static bool read_course(struct course *c, const struct dls_track *t)
{
    double level = INFINITY;
    *c = (struct course){.first = NAN, .last = NAN, .best = INFINITY, .worst = 0};
    for (int k = 0; k < t->checks; k++) {
        const struct dls_check *p = &t->check[k];
        if (!isfinite(p->residual)) continue;
        if (isnan(c->first)) c->first = p->residual;
        if (p->residual < 0.99 * level) level = p->residual, c->gain_time = p->time;
        if (p->residual > c->worst)
            c->worst = p->residual, c->worst_iteration = p->iteration;
        c->best = fmin(c->best, p->residual);
        c->last = p->residual;
        c->end_time = p->time;
        c->iterations = p->iteration;
    }
    return isfinite(c->first);
}

static const char *tell_course(const struct course *c, const char *status,
                               struct dls_arena *a)
{
    char idle[16], one[16], two[16];
    double rest = c->end_time - c->gain_time;
    if (!strcmp(status, "diverged") || c->worst > 1e3 * fmax(c->first, 1e-300))
        return dls_text(a, "residual grew from %s to %s in %.0f steps",
                        dls_format_real(c->first, one), dls_format_real(c->worst, two),
                        c->worst_iteration);
    // A pause of a tenth of the run is what slow methods make between gains.
    if (rest > 0.1 * c->end_time && c->iterations > 2)
        return dls_text(a, "no gain of 1 %% in the last %s, at %s after %.0f steps",
                        dls_format_time(rest, idle), dls_format_real(c->best, one),
                        c->iterations);
    return dls_text(a, "from %s to %s in %.0f steps%s", dls_format_real(c->first, one),
                    dls_format_real(c->best, two), c->iterations,
                    !strcmp(status, "max_time") ? ", still gaining at the end" : "");
}

// Sentences that only repeat the status.
static bool is_idle(const char *message, const char *status)
{
    static const char *const words[] = {"max_time", "stalled", "diverged", "max_iter"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(status, words[k]) && !strstr(message, "afterwards")) return true;
    return !*message;
}

const char *dls_report_reason(const struct dls_result *row, struct dls_arena *a)
{
    struct course c;
    bool known = read_course(&c, &row->track);
    const char *course = known ? tell_course(&c, row->status, a) : NULL;
    if (!strcmp(row->status, "converged"))
        return "claims convergence, the judge's residual says no";
    if (!course) return *row->message ? row->message : row->status;
    if (is_idle(row->message, row->status)) return course;
    return dls_text(a, "%s; %s", course, row->message);
}
