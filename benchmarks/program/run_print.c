// SPDX-License-Identifier: Apache-2.0
// What a run prints: its energies, residuals and iterations; the table of checks.
#include <math.h>

#include "benchmarks/program/run_job.h"
#include "benchmarks/terminal/output.h"

struct row {
    const char *name;
    double value;
};

static void print_rows(const struct row *row, int count)
{
    for (int k = 0; k < count; k++)
        printf("  %-26s % .9e\n", row[k].name, row[k].value);
}

static void print_ledger(const struct dls_sim *sim)
{
    const struct dls_ledger *l = &sim->ledger;
    const struct row all[] = {
        {"kinetic energy, start", l->kinetic_start},
        {"kinetic energy, end", l->kinetic},
        {"potential energy, start", l->potential_start},
        {"potential energy, end", l->potential},
        {"contact work, normal", l->normal},
        {"contact work, tangential", l->tangential},
        {"work of applied forces", l->external},
        {"work of gyroscopic terms", l->gyroscopic},
        {"work of obstacles", l->obstacles},
        {"work of joints", l->joints},
        {"change of inertia", l->inertia},
        {"unexplained", l->defect},
    };
    const struct row coming[] = {
        {"kinetic energy, brought", l->kinetic_brought},
        {"potential energy, brought", l->potential_brought},
    };
    const struct row glued[] = {
        {"work of cohesion", l->cohesion},
        {"cohesive energy, stored", l->cohesion_stored},
        {"cohesive energy, lost", l->cohesion_lost},
    };
    print_rows(all, sizeof all / sizeof *all);
    if (sim->system->population) print_rows(coming, sizeof coming / sizeof *coming);
    if (sim->bonds.count) print_rows(glued, sizeof glued / sizeof *glued);
}

static void print_spread(const char *name, const char *format,
                         const struct dls_spread *s)
{
    static const double share[] = {0.5, 0.9};
    static const char *const word[] = {"median ", ", 90 % "};
    if (!s->count) return;
    printf("  %-26s ", name);
    for (int k = 0; k < 2; k++)
        fputs(word[k], stdout), printf(format, dls_spread_quantile(s, share[k]));
    fputs(", most ", stdout);
    printf(format, s->most);
    puts("");
}

bool dls_run_may_fall_short(const struct dls_run_job *job, long unconverged, long steps)
{
    const struct dls_example *e = job->example;
    return job->counted || (double)unconverged <= e->may_fall_short * (double)steps;
}

void dls_run_summary(const struct dls_run_job *job, const struct dls_sim *sim)
{
    bool may = job->example->may_fall_short > 0 && sim->unconverged;
    const char *why = job->example->why_short;
    const struct dls_ledger *l = &sim->ledger;
    printf("%s: %ld steps of %g to t = %g, scheme %s, solver %s\n", job->example->name,
           sim->steps, sim->h, sim->t, sim->setup.scheme->name,
           sim->setup.solver->name);
    print_ledger(sim);
    print_spread("residual", "%.1e", sim->residuals);
    print_spread("iterations", "%.0f", sim->iterations);
    print_spread("contacts", "%.0f", sim->contacts);
    if (!job->counted)
        printf("  %ld of %ld steps short of the tolerance%s%s%s\n", sim->unconverged,
               sim->steps, may && why ? " (" : "", may && why ? why : "",
               may && why ? ")" : "");
    if (sim->relaxes)
        printf("  the solver's law is another one (%s); natural residual up to %.1e\n",
               sim->relaxes, sim->worst_natural);
    printf("  deepest penetration %.3e\n", sim->worst_penetration);
    if (l->flagged)
        printf(
            "  contact work positive in %ld steps, most %.3e at t = %g (there contacts "
            "gave energy to the bodies instead of taking it, as Newton's restitution "
            "and large steps may)\n",
            l->flagged, l->worst_work, l->worst_time);
}

// --- checks --------------------------------------------------------------------------

struct table {
    struct dls_colours colours;
    bool headed;
};

static void print_check(const struct dls_check *check, void *data)
{
    struct table *table = data;
    const struct dls_colours *c = &table->colours;
    char expected[64];
    if (!table->headed)
        printf("      %-52s %15s  %-24s %s\n", "check", "value", "expected",
               "why this tolerance");
    table->headed = true;
    if (check->kind == DLS_CHECK_NEAR)
        snprintf(expected, sizeof expected, "%.8g +- %.2g", check->expected,
                 check->tolerance);
    else
        snprintf(expected, sizeof expected, "%s %.8g",
                 check->kind == DLS_CHECK_AT_MOST ? "<=" : ">=", check->expected);
    printf("%s%s%s  %-52s %15.8g  %-24s %s%s%s\n", check->passed ? c->good : c->bad,
           check->passed ? "pass" : "FAIL", c->off, check->what, check->value, expected,
           c->dim, check->reason, c->off);
    fflush(stdout);
}

// A run of counted sweeps has no tolerance. Its residual is relative to |q|, the free
// velocities: what loads give the bodies in one step, and impacts beside it.
static void check_counted(struct dls_checks *checks, const struct dls_tally *t)
{
    dls_check_most(
        checks, "residual left by counted sweeps, 90 % of the steps",
        dls_spread_quantile(&t->residuals, 0.9), 0.1,
        "velocities are wrong by less than a tenth of what loads give in a step");
}

// Steps short of the tolerance are a check like the others.
static void check_convergence(struct dls_checks *checks, const struct dls_run_job *job)
{
    const struct dls_tally *t = job->asked.tally;
    const struct dls_example *e = job->example;
    double allowed = floor(e->may_fall_short * (double)t->steps);
    dls_check_most(
        checks,
        dls_text(checks->arena, "steps short of the tolerance, of %ld", t->steps),
        (double)t->unconverged, allowed,
        allowed > 0 ? e->why_short : "every step problem is solved");
}

static void print_tally(const struct dls_tally *t)
{
    print_spread("residual", "%.1e", &t->residuals);
    print_spread("iterations", "%.0f", &t->iterations);
    print_spread("contacts", "%.0f", &t->contacts);
}

int dls_run_checks(struct dls_run_job *job)
{
    struct table table = {.colours = dls_colours_of(stdout)};
    struct dls_beside beside = dls_run_beside(job);
    struct dls_checks checks = {
        .arena = job->args->arena,
        .made = print_check,
        .data = &table,
    };
    struct dls_tally tally = {0};
    job->asked.spoil = job->options->spoil;
    job->asked.tally = &tally;
    struct dls_error err = {"out of memory"};
    if (job->example->main_check) job->asked.beside = &beside;
    enum dls_status status =
        job->example->check(&checks, &job->asked, job->args->arena, &err);
    if (!status && tally.steps) {
        if (job->counted)
            check_counted(&checks, &tally);
        else
            check_convergence(&checks, job);
    }
    if (status == DLS_STOPPED) return DLS_EXIT_FAILED;
    if (status) return dls_complain("%s: %s", job->example->name, err.text);
    int passed = 0;
    for (int k = 0; k < checks.count; k++) passed += checks.all[k].passed;
    print_tally(&tally);
    printf("%s: %d of %d checks passed\n", job->example->name, passed, checks.count);
    return checks.count && passed == checks.count ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}
