// SPDX-License-Identifier: Apache-2.0
// `delassus equilibrium`: whether contact forces can hold the loads of a snapshot, of a
// generator's problem or of an example at its start; with forces or a mechanism as proof.
#define _POSIX_C_SOURCE 200809L // access

#include "solvers/reference/equilibrium.h"

#include "problems/examples/example.h"
#include "problems/generators/generator.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/reading.h"
#include "benchmarks/terminal/spec.h"

struct equilibrium_options {
    double max_time, scale;
    int contact, body, kind;
};

static const struct dls_option equilibrium_table[] = {
    DLS_REAL(equilibrium_options, max_time, 60, 0, INFINITY, "seconds in all"),
    DLS_REAL(equilibrium_options, scale, 1, 1e-6, 1, "size of an example"),
    DLS_INT(equilibrium_options, contact, -1, -1, 1000000000,
            "tell the largest and smallest normal force of this contact, from 0"),
    DLS_INT(equilibrium_options, body, -1, -1, 1000000000,
            "--push is a force on this body, from 0; -1 = an acceleration of all"),
    DLS_KIND(equilibrium_options),
    {0},
};

static const struct dls_flag equilibrium_flags[] = {
    {"set", "OPTION=X", "an option of the generator or example; may be repeated"},
    {"push", "X,Y[,Z]", "tell the factor of this further load at which it fails"},
    {"json", NULL, "one JSON object"},
    {0},
};

struct job {
    const struct dls_args *args;
    const struct equilibrium_options *options;
    const char *name;
    struct dls_problem problem;
    struct dls_sim sim; // of an example; holds its problem
    struct dls_work work;
    struct dls_equilibrium answer;
    double h; // impulses are forces times h
    // With --contact and --push: largest, smallest; associated and Coulomb.
    struct dls_extreme contact[2], factor[2];
    bool extremes, factors;
};

// --- the problem ---------------------------------------------------------------------

static enum dls_status apply_settings(const struct job *job,
                                      const struct dls_option *table, void *options,
                                      const char *owner, struct dls_error *err)
{
    enum dls_status status = DLS_OK;
    const char *set;
    dls_option_defaults(table, options);
    for (int at = 0; !status && (set = dls_args_next(job->args, "set", &at));)
        status = dls_setting_apply(table, options, set, owner, err);
    return status;
}

static enum dls_status generate(struct job *job, const struct dls_generator *g,
                                struct dls_error *err)
{
    void *options = dls_alloc(job->args->arena, 1, g->options_size);
    if (!options) return DLS_ENOMEM;
    enum dls_status status = apply_settings(job, g->options, options, g->name, err);
    return status ? status : g->make(&job->problem, options, job->args->arena, err);
}

// The step problem of an example at its start: the one of its first step.
static enum dls_status start_example(struct job *job, const struct dls_example *e,
                                     struct dls_error *err)
{
    struct dls_arena *a = job->args->arena;
    void *options = dls_alloc(a, 1, e->options_size);
    struct dls_asked asked = {.options = options, .scale = job->options->scale};
    struct dls_scene scene;
    struct dls_setup setup;
    if (!options) return DLS_ENOMEM;
    asked.setup = dls_setup_default("moreau", 0);
    asked.setup.scheme = NULL;
    asked.setup.settings.max_iter = 1; // only the problem is wanted
    enum dls_status status = apply_settings(job, e->options, options, e->name, err);
    if (!status) status = e->make(&scene, &asked, a, err);
    if (!status) status = dls_scene_setup(&setup, &scene, &asked, a, err);
    if (!status)
        status = dls_sim_open(&job->sim, scene.system, &setup, scene.q, scene.v, a);
    if (!status) status = dls_sim_step(&job->sim, err);
    if (!status) job->problem = job->sim.last.problem;
    return status;
}

static enum dls_status find_problem(struct job *job, struct dls_error *err)
{
    const char *name = job->args->names[0];
    const struct dls_generator *g = dls_generator_find(name);
    const struct dls_example *e = dls_example_find(name);
    if (g) return generate(job, g, err);
    if (e) return start_example(job, e, err);
    if (!strchr(name, '.') && access(name, R_OK))
        return dls_fail(
            err, DLS_EINVAL,
            "no file, generator or example '%s'; see 'delassus list problems'", name);
    if (dls_args_has(job->args, "set"))
        return dls_fail(err, DLS_EINVAL, "--set is for generators and examples");
    return dls_read_snapshot(&job->problem, name, (enum dls_dat_kind)job->options->kind,
                             job->args->arena, err);
}

// --- extremes ------------------------------------------------------------------------

// The percussion of --push into `live` (n).
static enum dls_status read_push(const struct job *job, const char *text, double *live,
                                 struct dls_error *err)
{
    const struct dls_problem *p = &job->problem;
    int dim = p->d == 3 ? 3 : 2, each = dim == 3 ? 6 : 3, only = job->options->body;
    double push[3] = {0}, *moved = DLS_NEW(job->args->arena, double, p->n);
    const char *at = text;
    if (!moved) return DLS_ENOMEM;
    for (int i = 0; i < dim; i++) {
        char *end;
        push[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < dim ? ',' : 0) || !isfinite(push[i]))
            return dls_fail(err, DLS_EINVAL,
                            "--push %s: %d numbers with commas, please", text, dim);
        at = end + 1;
    }
    if (!dls_problem_is_global(p) || p->d < 2 || p->bodies < 1
        || p->n != each * p->bodies)
        return dls_fail(
            err, DLS_UNSUPPORTED,
            "--push needs rigid bodies, which the problem does not tell of");
    if (only >= p->bodies)
        return dls_fail(err, DLS_EINVAL, "--body %d: there are %d", only, p->bodies);
    for (int b = 0; b < p->bodies; b++)
        for (int i = 0; i < dim; i++) {
            moved[b * each + i] = only < 0 ? push[i] : 0;
            if (b == only) live[b * each + i] = job->h * push[i];
        }
    if (only < 0) dls_csr_add(p->M, job->h, moved, live); // h M a
    return DLS_OK;
}

static enum dls_status find_extremes(struct job *job, struct dls_error *err)
{
    const struct dls_problem *p = &job->problem;
    struct dls_arena *a = job->args->arena;
    const char *push = dls_args_text(job->args, "push");
    int contact = job->options->contact;
    enum dls_status status = DLS_OK;
    if (contact >= p->contacts)
        return dls_fail(err, DLS_EINVAL, "--contact %d: there are %d", contact,
                        p->contacts);
    job->extremes = contact >= 0;
    job->factors = push;
    for (int k = 0; k < 2 && contact >= 0 && !status; k++)
        status = dls_equilibrium_extreme(
            &job->contact[k], p,
            &(struct dls_extreme_of){.contact = contact, .smallest = k}, &job->work, a,
            err);
    double *live = DLS_NEW(a, double, p->n + 1);
    if (!live) return DLS_ENOMEM;
    if (push && !status) status = read_push(job, push, live, err);
    for (int k = 0; k < 2 && push && !status; k++)
        status = dls_equilibrium_extreme(
            &job->factor[k], p,
            &(struct dls_extreme_of){.contact = -1, .live = live, .coulomb = k},
            &job->work, a, err);
    return status;
}

// --- what is told --------------------------------------------------------------------

static const char *const verdicts[] = {"undecided", "holds", "falls"};

static void print_extreme(const char *what, const struct dls_extreme *e, double unit)
{
    if (e->infinite)
        printf("  %-28s as large as one likes\n", what);
    else
        printf("  %-28s %.9g by forces, %.9g by a mechanism%s\n", what, e->safe / unit,
               e->bound / unit, e->found ? "" : "  (not settled)");
}

// The bodies that move most, the largest entry of v being 1.
static void print_mechanism(const struct job *job)
{
    const struct dls_problem *p = &job->problem;
    const double *v = job->answer.v;
    int each = p->bodies ? p->n / p->bodies : 0, shown = 0;
    double largest = 0;
    if (!v || !each) return;
    for (int i = 0; i < p->n; i++) largest = fmax(largest, fabs(v[i]));
    for (int b = 0; b < p->bodies && shown < 12; b++) { // a screen of them
        double size = 0;
        for (int i = 0; i < each; i++) size = fmax(size, fabs(v[b * each + i]));
        if (size < 0.01 * largest) continue;
        printf("    body %-5d", b);
        for (int i = 0; i < each; i++) printf(" % 8.4f", v[b * each + i] / largest);
        putchar('\n');
        shown++;
    }
    if (shown == 12) puts("    ...");
}

static void print_forces(const struct job *job)
{
    const struct dls_problem *p = &job->problem;
    double largest = 0, sum = 0;
    int at = 0, used = 0, sliding = 0;
    for (int c = 0; c < p->contacts; c++) {
        double r_n = job->answer.r[c * p->d], r_t = 0;
        for (int i = 1; i < p->d; i++) r_t = hypot(r_t, job->answer.r[c * p->d + i]);
        if (r_n > largest) largest = r_n, at = c;
        sum += r_n;
    }
    for (int c = 0; c < p->contacts; c++) {
        double r_n = job->answer.r[c * p->d], r_t = 0;
        for (int i = 1; i < p->d; i++) r_t = hypot(r_t, job->answer.r[c * p->d + i]);
        used += r_n > 1e-6 * largest;
        sliding += r_n > 1e-6 * largest && r_t > 0.999 * p->mu[c] * r_n;
    }
    printf("  forces       %d of %d contacts carry, %d at the limit of friction\n",
           used, p->contacts, sliding);
    printf("               normal forces: sum %.9g, largest %.9g at contact %d\n",
           sum / job->h, largest / job->h, at);
}

static void print_human(const struct job *job)
{
    struct dls_colours colour = dls_colours_of(stdout);
    const struct dls_equilibrium *e = &job->answer;
    char sizes[64];
    printf("%s%s%s: %s\n", colour.bold, job->name, colour.off,
           dls_format_contacts(&job->problem, sizes));
    if (e->verdict == DLS_EQUILIBRIUM_HOLDS) {
        printf("  %sholds%s        these forces leave %.1e of the free velocity\n",
               colour.good, colour.off, e->rest);
        print_forces(job);
    } else if (e->verdict == DLS_EQUILIBRIUM_FALLS) {
        printf("  %sfalls%s        no forces hold it; the mechanism has margin %.1e, "
               "and keeps %.2g of the free velocity\n",
               colour.bad, colour.off, e->margin, e->rest);
        print_mechanism(job);
    } else
        printf("  %sundecided%s    %s\n", colour.warn, colour.off, e->why);
    if (job->extremes) {
        print_extreme("largest normal force", &job->contact[0], job->h);
        print_extreme("smallest normal force", &job->contact[1], job->h);
    }
    if (!job->factors) return;
    print_extreme("load factor, associated", &job->factor[0], 1);
    if (job->factor[1].found)
        printf("  %-28s %.9g, a collapse without dilation\n", "load factor, Coulomb",
               job->factor[1].safe);
    else
        printf("  %-28s no collapse found below the one above\n",
               "load factor, Coulomb");
}

static void print_json(const struct job *job)
{
    const struct dls_equilibrium *e = &job->answer;
    const struct dls_extreme *c = job->contact, *f = job->factor;
    bool x = job->extremes, y = job->factors;
    const struct dls_cell cells[] = {
        dls_cell_text("problem", job->name),
        dls_cell_count("contacts", job->problem.contacts),
        dls_cell_text("verdict", verdicts[e->verdict]),
        dls_cell_real("rest", e->rest),
        dls_cell_real("margin", e->margin),
        dls_cell_real("largest", x && !c[0].infinite ? c[0].safe / job->h : NAN),
        dls_cell_real("largest_bound", x && !c[0].infinite ? c[0].bound / job->h : NAN),
        dls_cell_real("smallest", x ? c[1].safe / job->h : NAN),
        dls_cell_real("smallest_bound", x ? c[1].bound / job->h : NAN),
        dls_cell_real("factor", y && !f[0].infinite ? f[0].safe : NAN),
        dls_cell_real("factor_bound", y && !f[0].infinite ? f[0].bound : NAN),
        dls_cell_real("factor_coulomb", y && f[1].found ? f[1].safe : NAN),
    };
    dls_print_json(stdout, cells, sizeof cells / sizeof *cells);
}

static int run(const struct dls_args *args)
{
    struct job job = {.args = args, .options = args->options, .h = 1};
    struct dls_error err = {"out of memory"};
    enum dls_status status = find_problem(&job, &err);
    job.name = dls_file_stem(args->names[0], args->arena);
    dls_cancel_on_signal();
    job.work = (struct dls_work){
        .deadline = dls_clock() + job.options->max_time,
        .cancel = &dls_cancelled,
    };
    if (isfinite(job.problem.step) && job.problem.step > 0) job.h = job.problem.step;
    if (!status && !job.problem.contacts)
        status = dls_fail(&err, DLS_EINVAL, "nothing touches");
    if (!status)
        status = dls_equilibrium_check(&job.answer, &job.problem, &job.work,
                                       args->arena, &err);
    if (!status && job.answer.verdict == DLS_EQUILIBRIUM_HOLDS)
        status = find_extremes(&job, &err);
    if (!status) dls_args_has(args, "json") ? print_json(&job) : print_human(&job);
    dls_sim_close(&job.sim);
    if (status) return dls_complain("%s: %s", args->names[0], err.text);
    return job.answer.verdict == DLS_EQUILIBRIUM_HOLDS ? DLS_EXIT_GOOD
                                                       : DLS_EXIT_FAILED;
}

const struct dls_command dls_command_equilibrium = {
    .name = "equilibrium",
    .usage = "FILE|NAME [--set OPTION=X] [--contact K] [--push X,Y] [--json]",
    .brief = "can contact forces hold the loads? forces or a mechanism as proof",
    .details =
        "FILE is a snapshot; NAME a generator, or an example at its start. All bodies\n"
        "count as being at rest under the loads of the step. Exit 0 where forces hold\n"
        "them, 1 where a mechanism shows that none can, or at the limit. --contact "
        "and\n"
        "--push give their answers twice, once by forces and once by a mechanism: for\n"
        "friction with dilation (the associated law) the two meet. Coulomb's friction\n"
        "does not dilate and may fail under less.",
    .flags = equilibrium_flags,
    .options = equilibrium_table,
    .options_size = sizeof(struct equilibrium_options),
    .least = 1,
    .most = 1,
    .run = run,
};
