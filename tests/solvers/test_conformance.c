// SPDX-License-Identifier: Apache-2.0
// Every registered solver on every small problem with a known answer. What a solver is
// known not to do stands in expected.tsv; an unexpected success fails too.
#include "solvers/sequence/sequence.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/terminal/outsider.h"
#include "tests/support/support.h"
#include "tests/support/zoo.h"

// Of the address sanitizer's runtime; GCC ships no header for it.
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *,
                                                                size_t),
                                              void (*on_free)(const volatile void *));

static const double tol = 1e-8;
static const struct dls_solver *outsider; // from a file, or NULL

// A failure says its sentence.
#define require(condition, ...)                                                        \
    do {                                                                               \
        if (!(condition)) fail_msg(__VA_ARGS__);                                       \
    } while (0)

// The known answers satisfy the law to round-off; 1e-14 leaves room for the condition of
// the small matrices.
static void the_zoo_is_right(void **state)
{
    (void)state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_error err = {""};
        double *r, *u;
        z->make(&p, &r, &u, &a);
        assert_int_equal(dls_problem_check(&p, &err), DLS_OK);
        double natural = zoo_natural(&p, r, NULL);
        require(natural < 1e-14, "%s: natural %g", z->name, natural);
        dls_arena_free(&a);
    }
}

// --- expectations ---------------------------------------------------------------------

static char *expectations;

static int read_expectations(void **state)
{
    (void)state;
    FILE *file = fopen("tests/expected.tsv", "r");
    assert_non_null(file);
    expectations = calloc(1, 1 << 16);
    assert_true(fread(expectations, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return 0;
}

static int free_expectations(void **state)
{
    (void)state;
    free(expectations);
    return 0;
}

// The status that expected.tsv has for the pair, "converged" where it has none.
static const char *expected(const char *solver, const char *problem)
{
    static char status[32];
    char key[96];
    snprintf(key, sizeof key, "\n%s\t%s\t", solver, problem);
    const char *row = strstr(expectations, key);
    if (!row) return "converged";
    sscanf(row + strlen(key), "%31[^\t]", status);
    return status;
}

// --- runs -----------------------------------------------------------------------------

struct run {
    struct dls_arena a;
    struct dls_problem p;
    double *known_r, *known_u, *r, *u;
    struct dls_stats stats;
};

static void start(struct run *run, const struct zoo_animal *z)
{
    *run = (struct run){0};
    z->make(&run->p, &run->known_r, &run->known_u, &run->a);
    run->r = DLS_NEW(&run->a, double, run->p.m);
    run->u = DLS_NEW(&run->a, double, run->p.m);
    assert_false(run->a.failed);
}

static enum dls_status solve(struct run *run, const struct dls_solver *s)
{
    struct dls_settings settings = dls_settings_default();
    settings.tol = tol;
    settings.max_time = 20;
    return dls_solve(s, NULL, &run->p, &settings, run->r, &run->stats);
}

static double norm(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (x[i] - (y ? y[i] : 0)) * (x[i] - (y ? y[i] : 0));
    return sqrt(sum);
}

static void finds_the_known_answers(void **state)
{
    const struct dls_solver *s = *state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct run run;
        start(&run, z);
        const char *status = dls_status_name(solve(&run, s));
        if (strcmp(status, expected(s->name, z->name)))
            fail_msg("%s on %s: %s (natural %g after %ld), expected %s; %s", s->name,
                     z->name, status, run.stats.measures.natural, run.stats.iterations,
                     expected(s->name, z->name), run.stats.message);
        if (run.stats.status == DLS_OK) {
            // The independent residual agrees with the judge's to round-off of u.
            double natural = zoo_natural(&run.p, run.r, run.u);
            assert_close(natural, run.stats.measures.natural, 1e-13);
            double miss = norm(run.u, run.known_u, run.p.m);
            if (z->unique
                && !(miss <= 100 * tol * norm(run.p.W ? run.p.q : run.u, NULL, run.p.m)
                                 + 100 * tol))
                fail_msg("%s on %s: u is off by %g", s->name, z->name, miss);
        }
        dls_arena_free(&run.a);
    }
}

static void stays_at_the_answer(void **state)
{
    const struct dls_solver *s = *state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        if (strcmp(expected(s->name, z->name), "converged")) continue;
        struct run run;
        start(&run, z);
        memcpy(run.r, run.known_r, (size_t)run.p.m * sizeof *run.r);
        require(solve(&run, s) == DLS_OK && run.stats.iterations == 0,
                "%s on %s: the known answer is not taken as it is: %s after %ld steps",
                s->name, z->name, dls_status_name(run.stats.status),
                run.stats.iterations);
        // One step more, whatever the judge thinks: still within the tolerance.
        struct dls_settings settings = dls_settings_default();
        settings.tol = 0;
        settings.max_iter = 1;
        dls_solve(s, NULL, &run.p, &settings, run.r, &run.stats);
        double natural = zoo_natural(&run.p, run.r, NULL);
        require(run.stats.status >= 0 && natural <= tol,
                "%s on %s: a step from the answer leaves it: natural %g, %s", s->name,
                z->name, natural, dls_status_name(run.stats.status));
        dls_arena_free(&run.a);
    }
}

static void repeats_bit_for_bit(void **state)
{
    const struct dls_solver *s = *state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct run one, two;
        start(&one, z);
        start(&two, z);
        struct dls_settings loose = dls_settings_default();
        loose.tol = 1e-3; // a tight tolerance would hide differences
        loose.max_iter = 200;
        dls_solve(s, NULL, &one.p, &loose, one.r, &one.stats);
        dls_solve(s, NULL, &two.p, &loose, two.r, &two.stats);
        size_t bytes = (size_t)one.p.m * sizeof *one.r;
        require(one.stats.iterations == two.stats.iterations
                    && !(bytes && memcmp(one.r, two.r, bytes)),
                "%s on %s: two runs differ", s->name, z->name);
        dls_arena_free(&one.a);
        dls_arena_free(&two.a);
    }
}

// --- memory ---------------------------------------------------------------------------

static const struct dls_solver *watched;
static long mallocs;

static void on_malloc(const volatile void *p, size_t size)
{
    (void)p, (void)size, mallocs++;
}
static void on_free(const volatile void *p) { (void)p; }

static long inside_step;

static enum dls_status watched_step(void *self, double *z, struct dls_work *work)
{
    long before = mallocs;
    enum dls_status status = watched->step(self, z, work);
    inside_step += mallocs - before;
    return status;
}

static void steps_without_malloc(void **state)
{
    watched = *state;
    if (watched->allocates) {
        print_message("%s calls a library that allocates\n", watched->name);
        skip();
    }
    struct dls_solver copy = *watched;
    copy.step = watched_step;
    inside_step = 0;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct run run;
        start(&run, z);
        solve(&run, &copy);
        dls_arena_free(&run.a);
    }
    require(!inside_step,
            "%s: step allocates %ld times; where that is a library's doing, say "
            "allocates = true",
            watched->name, inside_step);
}

// Every allocation of the run fails once; the run says so and leaks nothing.
static void survives_lack_of_memory(void **state)
{
    const struct dls_solver *s = *state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        if (!strcmp(expected(s->name, z->name), "unsupported")) continue;
        for (long k = 1;; k++) {
            struct run run;
            struct dls_arena memory = {.fail_at = k};
            start(&run, z);
            struct dls_settings settings = dls_settings_default();
            struct dls_sequence one;
            dls_sequence_open(&one, &memory);
            settings.max_iter = 1;
            enum dls_status status =
                dls_sequence_solve(&one, s, NULL, &run.p, &settings, run.r, &run.stats);
            dls_sequence_close(&one);
            dls_arena_free(&run.a);
            dls_arena_free(&memory);
            if (memory.count < k) break; // the run needed fewer allocations
            require(status == DLS_ENOMEM && !memory.bytes,
                    "%s on %s: allocation %ld fails, and the run says %s and keeps %zu "
                    "bytes",
                    s->name, z->name, k, dls_status_name(status), memory.bytes);
        }
    }
}

// --- the descriptor -------------------------------------------------------------------

static bool bibliography_has(const char *key)
{
    char *text = calloc(1, 1 << 18), entry[96];
    FILE *file = fopen("paper/references.bib", "r");
    assert_non_null(file);
    size_t length = fread(text, 1, (1 << 18) - 1, file);
    fclose(file);
    snprintf(entry, sizeof entry, "{%s,", key);
    bool found = length && strstr(text, entry);
    free(text);
    return found;
}

// A text of the descriptor that is there and ends as a sentence does.
static bool is_sentence(const char *text)
{
    return text && strlen(text) > 10 && text[strlen(text) - 1] == '.';
}

static void describes_itself(void **state)
{
    const struct dls_solver *s = *state;
    const struct dls_solver *named = dls_solver_find(s->name);
    require(s == outsider ? !named : named == s, "%s: the name is taken", s->name);
    require(s->brief && strlen(s->brief) > 10 && strlen(s->brief) < 80,
            "%s: brief takes 11 to 79 characters", s->name);
    require(is_sentence(s->use), "%s: use is not a sentence", s->name);
    require(is_sentence(s->fails), "%s: fails is not a sentence", s->name);
    require(s == outsider || (s->cite && bibliography_has(s->cite)),
            "%s: cite '%s' is not in paper/references.bib", s->name,
            s->cite ? s->cite : "");
    require(s->takes && s->takes->name && s->takes->brief, "%s: takes is empty",
            s->name);
    require(s->create && s->step, "%s: create or step is missing", s->name);
}

static void has_a_sane_option_table(void **state)
{
    const struct dls_solver *s = *state;
    char *opt = calloc(1, s->options_size + 1), text[64];
    dls_option_defaults(s->options, opt);
    for (const struct dls_option *o = s->options; o && o->name; o++) {
        require(o->help && *o->help, "%s: option %s has no help", s->name, o->name);
        require(o->at < s->options_size, "%s: option %s lies outside options_size",
                s->name, o->name);
        require(dls_option_find(s->options, o->name) == o, "%s: two options %s",
                s->name, o->name);
        dls_option_value(o, opt, text);
        require(!dls_option_set(s->options, opt, o->name, text, s->name, NULL),
                "%s: the default %s of option %s is out of its range", s->name, text,
                o->name);
        assert_int_equal(
            dls_option_set(s->options, opt, o->name, "nonsense", s->name, NULL),
            DLS_EINVAL);
    }
    free(opt);
}

// --------------------------------------------------------------------------------------

static char *name_of(const struct dls_solver *s, const char *what)
{
    size_t size = strlen(s->name) + strlen(what) + 2;
    char *name = malloc(size);
    snprintf(name, size, "%s %s", s->name, what);
    return name;
}

// All solvers, or the one that DLS_SOLVER names: of the library, or a file from outside.
static bool choose(const struct dls_solver ***out, struct dls_arena *a)
{
    const char *only = getenv("DLS_SOLVER");
    struct dls_error err = {""};
    *out = (const struct dls_solver **)dls_solvers;
    if (!only || !*only) return true;
    *out = DLS_NEW(a, const struct dls_solver *, 2);
    if (strchr(only, '/')) {
        dls_outsider_open(&outsider, only, a, &err);
        **out = outsider;
    } else {
        **out = dls_solver_find(only);
    }
    if (!**out) printf("not ok 1 - no solver '%s' in this build; %s\n", only, err.text);
    return **out;
}

int main(void)
{
    static const struct {
        const char *what;
        CMUnitTestFunction test;
    } checks[] = {
        {"finds the known answers", finds_the_known_answers},
        {"stays at the answer", stays_at_the_answer},
        {"repeats bit for bit", repeats_bit_for_bit},
        {"steps without malloc", steps_without_malloc},
        {"survives lack of memory", survives_lack_of_memory},
        {"describes itself", describes_itself},
        {"has a sane option table", has_a_sane_option_table},
    };
    enum { CHECKS = sizeof checks / sizeof *checks };
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    const struct dls_solver **under_test;
    struct dls_arena arena = {0};
    size_t count = 0;
    if (!choose(&under_test, &arena)) return dls_arena_free(&arena), 1;
    size_t solvers = 0;
    while (under_test[solvers]) solvers++;
    struct CMUnitTest *tests = calloc(solvers * CHECKS + 1, sizeof *tests);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(the_zoo_is_right);
    for (size_t s = 0; s < solvers; s++)
        for (size_t c = 0; c < CHECKS; c++)
            tests[count++] = (struct CMUnitTest){
                .name = name_of(under_test[s], checks[c].what),
                .test_func = checks[c].test,
                .initial_state = (void *)under_test[s],
            };
    int failed = _cmocka_run_group_tests("conformance", tests, count, read_expectations,
                                         free_expectations);
    for (size_t k = 1; k < count; k++) free((void *)tests[k].name);
    free(tests);
    dls_arena_free(&arena);
    return failed;
}
