// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "tests/support/support.h"

#include "problems/generators/generator.h"
#include "solvers/solver.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void support_close(double a, double b, double tol, const char *what, const char *file,
                   int line)
{
    if (fabs(a - b) <= tol) return;
    print_error("%s = %.17g, expected %.17g within %g (off by %g)\n", what, a, b, tol,
                fabs(a - b));
    _fail(file, line);
}

const char *support_corpus(const char *name)
{
    static char path[512];
    const char *root = getenv("DLS_CORPUS");
    snprintf(path, sizeof path, "%s/%s", root ? root : "../shared/corpus", name);
    if (!access(path, R_OK)) return path;
    print_message(
        "%s is not there: the corpus of other programs' snapshots is optional\n", path);
    return NULL;
}

static char folder[64];

static int remove_one(const char *path, const struct stat *st, int flag,
                      struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

const char *support_folder(void)
{
    if (*folder) return folder;
    strcpy(folder, "/tmp/delassus-test-XXXXXX");
    if (!mkdtemp(folder)) abort();
    atexit(remove_folder);
    return folder;
}

struct dls_problem support_local(int contacts, int d, const double *W, const double *q,
                                 const double *mu, struct dls_arena *a)
{
    int m = contacts * d;
    struct dls_arena scratch = dls_arena_scratch(a);
    int *i = DLS_NEW(&scratch, int, m *m), *j = DLS_NEW(&scratch, int, m *m);
    for (int k = 0; k < m * m; k++) i[k] = k / m, j[k] = k % m;
    struct dls_problem p = {
        .contacts = contacts,
        .d = d,
        .m = m,
        .mu = dls_copy(a, mu, (size_t)contacts, sizeof *mu),
        .W = dls_csr_from_triplets(m, m, m * m, i, j, W, a),
        .q = dls_copy(a, q, (size_t)m, sizeof *q),
        .time = NAN,
        .step = NAN,
    };
    dls_arena_free(&scratch);
    assert_false(a->failed);
    return p;
}

void support_options(const struct dls_option *table, void *opt, const char *text)
{
    char name[32], value[32];
    struct dls_error err = {""};
    dls_option_defaults(table, opt);
    for (int used; sscanf(text, " %31[^=]=%31s%n", name, value, &used) == 2;
         text += used)
        if (dls_option_set(table, opt, name, value, "test", &err))
            fail_msg("%s", err.text);
}

struct dls_problem support_generate(const char *generator, const char *options,
                                    struct dls_arena *a)
{
    const struct dls_generator *g = dls_generator_find(generator);
    assert_non_null(g);
    struct dls_problem p = {0};
    struct dls_error err = {""};
    char *opt = DLS_NEW(a, char, g->options_size);
    support_options(g->options, opt, options);
    assert_int_equal(g->make(&p, opt, a, &err), DLS_OK);
    assert_int_equal(dls_problem_check(&p, &err), DLS_OK);
    return p;
}

double *support_solve(const struct dls_problem *p, double tol, struct dls_arena *a)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_stats stats;
    double *r = DLS_NEW(a, double, p->m);
    settings.tol = tol;
    if (dls_solve(dls_solver_find("pgs"), NULL, p, &settings, r, &stats) != DLS_OK)
        fail_msg("pgs: %s, natural %g", stats.message, stats.measures.natural);
    return r;
}
