// SPDX-License-Identifier: Apache-2.0
// `delassus compare`: two stored answers r_A, r_B of one problem.
//
// r is not unique where W is singular, so the answers are compared on what is felt: the
// local velocities u = W r + q, the velocities v, the wrench H^T r on the bodies, and r
// modulo the kernel of W, |W (r_A - r_B)|. They agree when u does within 100 tol |q|
// (100 tol where q = 0). u, v and the natural residual are recomputed by the judge from
// the stored problem; what the files say of u and v is not looked at.
//
// Same problem: sizes and mu equal, and q and W x equal for two random x, each row to
// 1e-9 of the sum of its absolute products; this lets the local and the global file of
// one problem meet.
#include "formulations/delassus.h"
#include "formulations/judge/residual.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "benchmarks/campaign/compare_campaigns.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/reading.h"

struct compare_options {
    double tol, slower;
    int kind;
};

static const struct dls_option compare_table[] = {
    DLS_REAL(compare_options, tol, 1e-8, 0, INFINITY,
             "answers agree where u differs by at most 100 tol |q|"),
    DLS_REAL(compare_options, slower, 0, 0, INFINITY,
             "campaigns: a mean time B/A above this is a failure, 0 = never"),
    DLS_KIND(compare_options),
    {0},
};

// One of the two files.
struct side {
    const char *file;
    struct dls_problem problem;
    struct dls_delassus form;
    struct dls_judge *judge;
    struct dls_measures measures;
};

struct differences {
    double u, v, wrench, r, r_modulo, q; // Euclidean norms; v NAN where unknown
    bool same;
};

static int open_side(struct side *s, const char *file, const struct dls_args *args)
{
    const struct compare_options *o = args->options;
    struct dls_error err = {"out of memory"};
    s->file = file;
    if (dls_read_snapshot(&s->problem, file, (enum dls_dat_kind)o->kind, args->arena,
                          &err))
        return dls_complain("%s", err.text);
    if (!s->problem.solution_r)
        return dls_complain("%s: no answer stored (no /solution/r)", file);
    if (dls_delassus_build(&s->form, &s->problem, args->arena, &err)
        || dls_judge_create(&s->judge, &s->problem, args->arena, &err))
        return dls_complain("%s: %s", file, err.text);
    dls_judge_measure(s->judge, s->problem.solution_r, &s->measures);
    return DLS_EXIT_GOOD;
}

static double distance(const double *x, const double *y, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++) sum = hypot(sum, y ? x[k] - y[k] : x[k]);
    return sum;
}

// sum_k |W_ik| |x_k| of every row.
static void multiply_absolute(const struct dls_bsr *W, const double *x, double *y)
{
    int d = W->d;
    memset(y, 0, (size_t)(W->rows * d) * sizeof *y);
    for (int a = 0; a < W->rows; a++)
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            const double *block = dls_bsr_block(W, k);
            for (int e = 0; e < d * d; e++)
                y[a * d + e / d] += fabs(block[e] * x[W->j[k] * d + e % d]);
        }
}

static bool equal_rows(const double *x, const double *y, const double *size, int count)
{
    for (int k = 0; k < count; k++)
        if (fabs(x[k] - y[k]) > 1e-9 * size[k]) return false;
    return true;
}

// The name of the first thing in which the two problems differ, or NULL.
static const char *difference(const struct side *A, const struct side *B, double *work)
{
    const struct dls_problem *p = &A->problem;
    int m = p->m;
    double *x = work, *WA = work + m, *WB = work + 2 * m, *size = work + 3 * m;
    struct dls_rng rng = dls_rng_seed(1);
    if (p->contacts != B->problem.contacts) return "the number of contacts";
    if (p->d != B->problem.d || p->rolling != B->problem.rolling)
        return "the rows a contact";
    for (int k = 0; k < p->contacts; k++)
        if (p->mu[k] != B->problem.mu[k]
            || (p->rolling && p->mu_r[k] != B->problem.mu_r[k]))
            return "mu";
    double q = distance(A->form.q, NULL, m);
    for (int k = 0; k < m; k++) size[k] = q;
    if (!equal_rows(A->form.q, B->form.q, size, m)) return "q";
    for (int probe = 0; probe < 2; probe++) {
        for (int k = 0; k < m; k++) x[k] = dls_rng_normal(&rng);
        dls_bsr_multiply(A->form.W, x, NULL, WA);
        dls_bsr_multiply(B->form.W, x, NULL, WB);
        multiply_absolute(A->form.W, x, size);
        if (!equal_rows(WA, WB, size, m)) return "W";
    }
    return NULL;
}

// Two vectors of `work` receive r_A - r_B and its image.
static struct differences measure(const struct side *A, const struct side *B,
                                  double tol, double *work)
{
    const struct dls_problem *p = &A->problem;
    int m = p->m, n = p->n;
    double *dr = work, *image = work + m;
    const double *vA = dls_judge_v(A->judge), *vB = dls_judge_v(B->judge);
    struct differences d = {.v = NAN};
    for (int k = 0; k < m; k++) dr[k] = p->solution_r[k] - B->problem.solution_r[k];
    d.r = distance(dr, NULL, m);
    dls_bsr_multiply(A->form.W, dr, NULL, image);
    d.r_modulo = d.wrench = distance(image, NULL, m);
    if (p->H) {
        memset(image, 0, (size_t)n * sizeof *image);
        dls_csr_add_transposed(p->H, 1, dr, image);
        d.wrench = distance(image, NULL, n);
    }
    d.u = distance(dls_judge_u(A->judge), dls_judge_u(B->judge), m);
    if (vA && vB && n == B->problem.n) d.v = distance(vA, vB, n);
    d.q = distance(A->form.q, NULL, m);
    double allowed = 100 * tol * (d.q > 1e-300 ? d.q : 1);
    d.same = d.u <= allowed && d.r_modulo <= allowed;
    return d;
}

static void print_json(const struct side *A, const struct side *B,
                       const struct differences *d, double tol)
{
    const struct dls_cell cells[] = {
        dls_cell_text("a", A->file),
        dls_cell_text("b", B->file),
        dls_cell_count("contacts", A->problem.contacts),
        dls_cell_real("tol", tol),
        dls_cell_truth("agree", d->same),
        dls_cell_real("natural_a", A->measures.natural),
        dls_cell_real("natural_b", B->measures.natural),
        dls_cell_real("merit_a", A->measures.merit),
        dls_cell_real("merit_b", B->measures.merit),
        dls_cell_real("norm_q", d->q),
        dls_cell_real("difference_u", d->u),
        dls_cell_real("difference_v", d->v),
        dls_cell_real("difference_wrench", d->wrench),
        dls_cell_real("difference_r", d->r),
        dls_cell_real("difference_r_modulo_kernel", d->r_modulo),
        dls_cell_count("residual_version", DLS_RESIDUAL_VERSION),
    };
    dls_print_json(stdout, cells, sizeof cells / sizeof *cells);
}

static void print_side(char letter, const struct side *s)
{
    char natural[16], merit[16];
    dls_say("%c  %s\n   natural %s, merit %s, %d open, %d stick, %d slip\n", letter,
            s->file, dls_format_real(s->measures.natural, natural),
            dls_format_real(s->measures.merit, merit), s->measures.open,
            s->measures.stick, s->measures.slip);
}

static void print_difference(const char *name, double value, double q)
{
    char absolute[16], relative[16];
    printf("  %-24s %9s %9s\n", name, dls_format_real(value, absolute),
           q > 1e-300 ? dls_format_real(value / q, relative) : "-");
}

static void print_human(const struct side *A, const struct side *B,
                        const struct differences *d, double tol)
{
    bool wrench = A->problem.H != NULL;
    print_side('A', A);
    print_side('B', B);
    printf("\n  %-24s %9s %9s\n", "difference A - B", "norm", "/ |q|");
    print_difference("u, local velocities", d->u, d->q);
    if (!isnan(d->v)) print_difference("v, velocities", d->v, 0);
    print_difference(wrench ? "H^T r, wrench" : "W r, felt impulse", d->wrench,
                     wrench ? 0 : d->q);
    print_difference("W r, r modulo ker W", d->r_modulo, d->q);
    print_difference("r itself (may differ)", d->r, 0);
    printf("\nThe answers %s: u is %s 100 tol |q|, tol = %g.\n",
           d->same ? "agree" : "differ", d->same ? "within" : "beyond", tol);
}

static int compare(const struct dls_args *args, struct side *A, struct side *B)
{
    const struct compare_options *o = args->options;
    int code = open_side(A, args->names[0], args);
    if (!code) code = open_side(B, args->names[1], args);
    if (code) return code;
    double *work =
        DLS_NEW(args->arena, double, 4 * (size_t)A->problem.m + (size_t)A->problem.n);
    if (!work) return dls_complain("out of memory");
    const char *what = difference(A, B, work);
    if (what)
        return dls_complain("%s and %s hold different problems: %s differs", A->file,
                            B->file, what);
    struct differences d = measure(A, B, o->tol, work);
    if (dls_args_has(args, "json"))
        print_json(A, B, &d, o->tol);
    else
        print_human(A, B, &d, o->tol);
    return d.same ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}

static int run(const struct dls_args *args)
{
    const struct compare_options *o = args->options;
    struct side A = {0}, B = {0};
    bool campaigns[2];
    for (int k = 0; k < 2; k++) campaigns[k] = dls_is_campaign(args->names[k]);
    if (campaigns[0] != campaigns[1])
        return dls_complain("%s and %s: give two files or two campaign folders",
                            args->names[0], args->names[1]);
    if (campaigns[0]) return dls_compare_campaigns(args, o->slower);
    int code = compare(args, &A, &B);
    dls_judge_destroy(A.judge);
    dls_judge_destroy(B.judge);
    return code;
}

static const struct dls_flag compare_flags[] = {
    {"json", NULL, "one JSON object; of campaigns one per solver and tolerance"},
    {0},
};

const struct dls_command dls_command_compare = {
    .name = "compare",
    .usage = "A B [--tol X] [--slower X] [--json]",
    .brief = "two saved answers of one problem, or two campaigns",
    .details =
        "A and B are files of 'delassus solve --save': compared on u, v, wrench and r\n"
        "modulo ker W (r itself is not unique where W is singular); exit 0 when they\n"
        "agree, 1 when they differ. Or they are folders of 'delassus bench': who got\n"
        "faster or slower (geometric mean of the times of what both solved, and the\n"
        "worst), which verdicts changed; exit 1 when B lost what A had solved.",
    .flags = compare_flags,
    .options = compare_table,
    .options_size = sizeof(struct compare_options),
    .least = 2,
    .most = 2,
    .run = run,
};
