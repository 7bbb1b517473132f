// SPDX-License-Identifier: Apache-2.0
// Of all impulses with the velocities u of a solution r*, those of least norm:
//
//     min |r|^2,    W (r - r*) = 0,    r_a = 0                        where u_N > 0,
//                                      x_a (1, -mu u_T / |u_T|), x_a >= 0   u_T /= 0,
//                                      r_a in K                       elsewhere:
//
// unique, and the same whichever r* it is found from.
//
// Notation: S = (W + W^T) / 2, which has the kernel of W where W = H M^-1 H^T; r = unit
// E x, x in Lorentz cones L, E_a = c_a diag(1/mu, 1, 1) at stick, c_a (1, r_T / r_N) in
// the first column at slip (u_T /= 0), 0 where open (u_N > 0).
//
// Method: multipliers. With s_0 = 0,
//
//     r_k = argmin over the cones of  eps l |r|^2 / 2 + |r - r* + s_{k-1}|_S^2 / 2,
//     s_k = s_{k-1} + r_k - r*,
//
// each a convex problem y = W' x + q' between Lorentz cones (cone_program.c) with
// W' = E^T (S + eps l) E, l the mean of the l_a; entries of x that E does not use get a
// unit diagonal and stay at zero. The rounds end when S (r_k - r*) does not halve; where
// that leaves it large, as happens when the set has no interior, eps becomes smaller.
// r is the shortest up to round-off over eps, so the largest eps that serves is best.
//
// Cost: 20 to 25 factorisations a round, 2 to 6 rounds.
// Fails: rolling cones are no Lorentz cones.
#include "solvers/kernel/cone_program.h"
#include "solvers/reference/null_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double eps[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
static const double good_rest = 1e-11, small_rest = 1e-14;
enum { LEVELS = 5, ROUNDS = 10, LONGEST = 60, BLOCK = 9 };

struct least_norm {
    const struct dls_refinement *at;
    struct dls_bsr *S; // symmetric part of W
    struct dls_socp form;
    struct dls_cone_program program;
    double *E;               // contacts blocks of d x d
    double *target, *s, *r;  // m: r*, multipliers, the present answer
    double *q, *work, *best; // m
    double unit, l;
};

// --- the convex problem ---------------------------------------------------------------

// (W + W^T) / 2 in blocks.
static struct dls_bsr *symmetric_part(const struct dls_bsr *W, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_csr *A = dls_bsr_to_csr(W, &scratch);
    struct dls_csr *sum = A ? dls_csr_symmetric_part(A, &scratch) : NULL;
    struct dls_bsr *S = sum ? dls_bsr_from_csr(sum, W->d, a) : NULL;
    dls_arena_free(&scratch);
    return S;
}

// E_a: the directions that keep the status, the cone scaled to Lorentz's.
static void fill_E(struct least_norm *s)
{
    const struct dls_refinement *at = s->at;
    int d = at->form->d;
    for (int a = 0; a < at->form->contacts; a++) {
        double B[BLOCK], *E = s->E + a * d * d, c = 1 / sqrt(at->extended->l[a]);
        double mu = at->form->mu[a];
        int count = dls_null_space_directions(at, a, B);
        for (int i = 0; i < d; i++)
            for (int k = 0; k < count; k++)
                E[i * d + k] = c * B[i * d + k] / (k == 0 && count > 1 ? mu : 1);
    }
}

static void fill_W(struct least_norm *s, double weight)
{
    int d = s->S->d;
    for (int a = 0; a < s->S->rows; a++)
        for (int n = s->S->p[a]; n < s->S->p[a + 1]; n++) {
            const double *E_a = s->E + a * d * d, *E_b = s->E + s->S->j[n] * d * d;
            const double *block = dls_bsr_block(s->S, n);
            double *to = s->form.W.x + n * d * d;
            bool diagonal = s->S->j[n] == a;
            for (int k = 0; k < d * d; k++) {
                double sum = 0, used = 0;
                for (int i = 0; i < d; i++)
                    for (int j = 0; j < d; j++) {
                        double e = E_a[i * d + k / d] * E_b[j * d + k % d];
                        sum += e * (block[i * d + j] + (diagonal && i == j) * weight);
                        used += fabs(e);
                    }
                to[k] = sum + (diagonal && k / d == k % d && used == 0);
            }
        }
}

// q' = E^T S (s - r*) / unit, and 1 in the normal entry of an open contact.
static void fill_q(struct least_norm *s)
{
    int d = s->S->d;
    for (int k = 0; k < s->form.m; k++) s->r[k] = s->s[k] - s->target[k];
    dls_bsr_multiply(s->S, s->r, NULL, s->work);
    for (int a = 0; a < s->S->rows; a++) {
        const double *E = s->E + a * d * d;
        for (int k = 0; k < d; k++) {
            double sum = 0;
            for (int i = 0; i < d; i++) sum += E[i * d + k] * s->work[a * d + i];
            s->q[a * d + k] = sum / s->unit;
        }
        if (!s->at->freedom[a]) s->q[a * d] = 1;
    }
}

// r = unit E x
static void lift(struct least_norm *s)
{
    int d = s->S->d;
    for (int k = 0; k < s->form.m; k++) {
        const double *E = s->E + k / d * d * d + k % d * d;
        s->r[k] = 0;
        for (int i = 0; i < d; i++)
            s->r[k] += s->unit * E[i] * s->program.x[k / d * d + i];
    }
}

static enum dls_status create(struct least_norm *s, const struct dls_refinement *at,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *form = at->form;
    size_t m = (size_t)form->m;
    double *vectors = DLS_NEW(a, double, 6 * m), sum = 0, l = 0;
    *s = (struct least_norm){.at = at, .S = symmetric_part(form->W, a)};
    s->E = DLS_NEW_TABLE(a, double, m, form->d);
    if (a->failed || !s->S) return DLS_ENOMEM;
    double **to[] = {&s->target, &s->s, &s->r, &s->q, &s->work, &s->best};
    for (size_t k = 0; k < 6; k++) *to[k] = vectors + k * m;
    for (int k = 0; k < form->m; k++) {
        s->target[k] = (double)at->r[k];
        sum += s->target[k] * s->target[k] * at->extended->l[k / form->d];
        l += at->extended->l[k / form->d];
    }
    s->l = l / form->m;
    s->unit = sum > 0 ? sqrt(sum / form->m) : 1;
    s->form = (struct dls_socp){
        .problem = form->problem,
        .contacts = form->contacts,
        .d = form->d,
        .m = form->m,
        .W = *s->S,
        .q = s->q,
        .unit = 1,
        .symmetric = true,
    };
    s->form.W.x = DLS_NEW(
        a, double, (size_t)s->S->p[form->contacts] * (size_t)(form->d * form->d));
    if (a->failed) return DLS_ENOMEM;
    fill_E(s);
    return dls_cone_program_create(&s->program, &s->form, s->q, false, a, err);
}

// --- rounds ---------------------------------------------------------------------------

// |S (r - r*)| / |S r*|
static double find_rest(struct least_norm *s)
{
    double rest = 0, size = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->form.m; k++)
            s->q[k] = pass ? s->target[k] : s->r[k] - s->target[k];
        dls_bsr_multiply(s->S, s->q, NULL, s->work);
        for (int k = 0; k < s->form.m; k++)
            *(pass ? &size : &rest) += s->work[k] * s->work[k];
    }
    return size > 0 ? sqrt(rest / size) : 0;
}

// The rounds for one eps; the best impulses of all go to `best`, theirs to `off`.
static enum dls_status run(struct least_norm *s, double weight, double *off,
                           struct dls_work *work)
{
    double least = INFINITY;
    fill_W(s, weight);
    memset(s->s, 0, (size_t)s->form.m * sizeof *s->s);
    for (int round = 0; round < ROUNDS; round++) {
        enum dls_status status = DLS_OK;
        fill_q(s);
        dls_cone_program_start(&s->program);
        for (int k = 0; k < LONGEST && !status; k++) {
            if (dls_work_expired(work)) return DLS_MAX_TIME;
            status = dls_cone_program_step(&s->program, work);
        }
        if (status < 0) return status;
        lift(s);
        double rest = find_rest(s);
        bool gain = rest < 0.5 * least;
        if (rest < *off) {
            *off = rest;
            memcpy(s->best, s->r, (size_t)s->form.m * sizeof *s->r);
        }
        if (!gain || rest < small_rest) break;
        least = rest;
        for (int k = 0; k < s->form.m; k++) s->s[k] += s->r[k] - s->target[k];
    }
    return DLS_OK;
}

enum dls_status dls_least_norm_find(struct dls_least_norm *out,
                                    const struct dls_refinement *at,
                                    struct dls_work *work, struct dls_arena *a,
                                    struct dls_error *err)
{
    struct least_norm s;
    struct dls_error reason = {""};
    *out = (struct dls_least_norm){.off = NAN};
    if (at->form->problem->rolling) {
        snprintf(out->why, sizeof out->why, "the rolling cone is no Lorentz cone");
        return DLS_OK;
    }
    enum dls_status status = create(&s, at, a, &reason);
    out->off = INFINITY;
    for (int k = 0; k < LEVELS && !status && !(out->off < good_rest); k++)
        status = run(&s, eps[k] * s.l, &out->off, work);
    if (!status)
        out->r = s.best;
    else if (status > 0)
        snprintf(out->why, sizeof out->why, "%.95s",
                 status == DLS_MAX_TIME ? "out of time" : reason.text);
    dls_cone_program_destroy(&s.program);
    if (status < 0 && err) *err = reason;
    return status < 0 ? status : DLS_OK;
}
