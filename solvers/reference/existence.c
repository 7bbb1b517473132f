// SPDX-License-Identifier: Apache-2.0
// Existence before blame.
//
//   (1)  If some v gives  H v + w  strictly inside K* = { u_N >= mu |u_T| }  at every
//        contact, the problem has a solution [Acary2011].
//   (2)  Every solution has u_N = H_N v + w_N >= 0. If some  y >= 0  has  H_N^T y = 0
//        and  w_N.y < 0,  then  u_N.y = w_N.y < 0  for every v: there is no solution.
//
// Where neither holds nothing is known: "existence not guaranteed" (a body that fits
// exactly between two walls has no v that parts it from both, and yet may have a
// solution). A local file gives W and q in place of H and w. With W = H M^-1 H^T the
// ranges of H and W agree, and so do the kernels of H_N^T and W_NN: (1) asks for W z + q
// and (2) for  W_NN y = 0, q_N.y < 0.  The matrix of a plain LCP (d = 1, local) need be no
// such product, so nothing is told of one. The dual of the rolling cone is no Lorentz
// cone: there only (2) is looked at.
//
// Method. In the variables of the formulation `socp` both are one convex problem, the
// largest margin tau <= 1 with  W' z + q' - tau e  in the Lorentz cones (cone_program.c),
// for (2) with the normal rows alone. With z = z_k + x / delta the cost |v|^2 of that
// problem is a proximal term: the rounds k move on from the last z with ever smaller
// delta, so that the margin is found however far v has to go, and where it is negative
// the multiplier x tends to the y of (2).
//
// Nothing is believed of the interior point. u = H v + w is evaluated for the v found, in
// extended precision from the original data, and counts where the least u_N - mu |u_T| is
// above 1e-9 of the largest |u|; a certificate counts where H_N^T y cancels to 1e-9 and
// w_N.y is negative beyond 1e-6 of its terms. So "no solution" means: none but with
// velocities a thousand times those of the walls or more. Both numbers are reported.
//
// Cost: factorisations of the size of those of `ipm`; 1 to 6 where there is room, up to 150
// where there is little or none.
#include "solvers/reference/existence.h"

#include "solvers/kernel/cone_program.h"

#include "formulations/judge/cone.h"
#include "formulations/judge/extended.h"
#include "formulations/parts/ellipse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double strict = 1e-9;     // relative margin that counts
static const double enough = 1e-2;     // margin at which the search ends
static const double cancelled = 1e-9;  // relative H_N^T y that counts as zero
static const double negative = 1e-6;   // relative w_N.y that counts
static const double negligible = 1e-9; // entries of y relative to the largest
static const double deltas[] = {1e-2, 1e-4, 1e-6, 1e-8};
enum { ROUNDS = 4, LONGEST = 60 };

// One of both searches.
struct search {
    const struct dls_problem *problem; // as given, or its normal rows
    const struct dls_socp *base;       // W', q'
    struct dls_socp form;              // W' / delta
    double *q, *z;                     // m: W' z + q', and z
    double *r, *u;                     // m: impulses of z + x / delta; scratch
    struct dls_cone_program program;
    struct dls_judge *judge;
    struct dls_extended extended;
    dls_quad *exact; // m: r
    double margin;   // the best one that was verified
};

// --- verification ---------------------------------------------------------------------

// The least u_N - mu |u_T| over the largest |u|, from the original data.
static double verified_margin(struct search *s)
{
    const struct dls_problem *p = s->problem;
    dls_quad least = INFINITY, largest = 0;
    for (int k = 0; k < p->m; k++) s->exact[k] = s->r[k];
    dls_extended_measure(&s->extended, s->exact);
    for (int a = 0; a < p->contacts; a++) {
        const dls_quad *u = s->extended.u + a * p->d;
        dls_quad square = 0;
        for (int i = 1; i < p->d; i++) square += u[i] * u[i];
        dls_quad size = dls_quad_sqrt(square + u[0] * u[0]);
        dls_quad margin = u[0] - p->mu[a] * dls_quad_sqrt(square);
        if (!(margin >= least)) least = margin;
        if (size > largest) largest = size;
    }
    return largest > 0 ? (double)(least / largest) : 0;
}

// |A^T y| / | |A|^T y |, the largest entries of both; `sums` has two entries a column.
static double defect_of(const struct dls_csr *A, const double *y, double *sums)
{
    double worst = 0, size = 0;
    memset(sums, 0, 2 * (size_t)A->cols * sizeof *sums);
    for (int a = 0; a < A->rows; a++)
        for (int k = A->p[a]; k < A->p[a + 1]; k++) {
            sums[2 * A->j[k]] += A->x[k] * y[a];
            sums[2 * A->j[k] + 1] += fabs(A->x[k]) * y[a];
        }
    for (int j = 0; j < A->cols; j++) {
        worst = fmax(worst, fabs(sums[2 * j]));
        size = fmax(size, sums[2 * j + 1]);
    }
    return size > 0 ? worst / size : 0;
}

// Whether the multipliers of the search for the normal rows are a certificate.
static bool verify_certificate(struct dls_existence *out, const struct search *s,
                               struct dls_arena *a)
{
    const struct dls_problem *p = s->problem;
    bool bodies = p->H && !p->joints; // with joints W_NN y = 0 is what can be looked at
    const struct dls_csr *A = bodies ? p->H
                              : p->W ? p->W
                                     : dls_bsr_to_csr(&s->base->W, a);
    const double *w = bodies ? p->w : p->W ? p->q : s->base->q;
    double *y = DLS_NEW(a, double, p->contacts), largest = 0, sum = 0, terms = 0;
    double *sums = A ? DLS_NEW(a, double, 2 * (size_t)A->cols) : NULL;
    if (a->failed) return false;
    for (int c = 0; c < p->contacts; c++) {
        y[c] = (bodies || p->W ? s->form.t[c] : 1) * fmax(0, s->program.x[c]);
        largest = fmax(largest, y[c]);
    }
    for (int c = 0; c < p->contacts; c++) {
        if (largest > 0) y[c] /= largest;
        if (y[c] < negligible) y[c] = 0; // what the interior point leaves of a zero
        sum += w[c] * y[c];
        terms += fabs(w[c]) * y[c];
    }
    out->certificate = y;
    out->deficit = terms > 0 ? -sum / terms : 0;
    out->defect = defect_of(A, y, sums);
    return out->deficit > negative && out->defect < cancelled;
}

// --- one search -----------------------------------------------------------------------

// A problem of the same bodies and normal directions, without friction: d = 1.
static bool take_normals(struct dls_problem *to, const struct dls_problem *p,
                         struct dls_arena *a)
{
    const struct dls_csr *A = p->H ? p->H : p->W;
    struct dls_csr *B = DLS_NEW(a, struct dls_csr, 1);
    int *rows = DLS_NEW(a, int, p->contacts + 1),
        *j = DLS_NEW(a, int, dls_csr_count(A));
    double *x = DLS_NEW(a, double, dls_csr_count(A));
    double *constant = DLS_NEW(a, double, p->contacts);
    double *mu = DLS_NEW(a, double, p->contacts);
    if (a->failed) return false;
    int count = 0;
    for (int c = 0; c < p->contacts; c++) {
        constant[c] = (p->H ? p->w : p->q)[c * p->d];
        for (int k = A->p[c * p->d]; k < A->p[c * p->d + 1]; k++) {
            if (!p->H && A->j[k] % p->d) continue;
            j[count] = p->H ? A->j[k] : A->j[k] / p->d;
            x[count++] = A->x[k];
        }
        rows[c + 1] = count;
    }
    *B = (struct dls_csr){p->contacts, p->H ? p->n : p->contacts, rows, j, x};
    *to = (struct dls_problem){
        .contacts = p->contacts,
        .d = 1,
        .m = p->contacts,
        .mu = mu,
        .n = p->n,
        .joints = p->joints,
        .M = p->M,
        .f = p->f,
        .G = p->G,
        .b = p->b,
        .bodies = p->bodies,
        .body_start = p->body_start,
        .H = p->H ? B : NULL,
        .w = p->H ? constant : NULL,
        .W = p->H ? NULL : B,
        .q = p->H ? NULL : constant,
        .time = NAN,
        .step = NAN,
    };
    return true;
}

static enum dls_status create(struct search *s, const struct dls_problem *p,
                              struct dls_arena *a, struct dls_error *err)
{
    void *form;
    *s = (struct search){.problem = p, .margin = -INFINITY};
    enum dls_status status = dls_judge_create(&s->judge, p, a, err);
    if (!status) status = dls_extended_create(&s->extended, p, s->judge, a, err);
    if (!status) status = dls_formulation_socp.build(&form, p, NULL, a, err);
    if (status) return status;
    const struct dls_socp *f = form;
    size_t blocks = (size_t)f->W.p[f->contacts] * (size_t)(f->d * f->d);
    s->base = f;
    s->form = *f;
    s->form.W.x = DLS_NEW(a, double, blocks);
    s->q = DLS_NEW(a, double, f->m);
    s->z = DLS_NEW(a, double, f->m);
    s->r = DLS_NEW(a, double, f->m);
    s->u = DLS_NEW(a, double, f->m);
    s->exact = DLS_NEW(a, dls_quad, f->m);
    struct dls_csr *H = f->H ? DLS_NEW(a, struct dls_csr, 1) : NULL;
    double *x = f->H ? DLS_NEW(a, double, dls_csr_count(f->H)) : NULL;
    if (a->failed) return DLS_ENOMEM;
    if (H) {
        *H = *f->H;
        H->x = x;
        s->form.H = H;
    }
    return dls_cone_program_create(&s->program, &s->form, s->q, true, a, err);
}

static void destroy(struct search *s)
{
    dls_cone_program_destroy(&s->program);
    dls_extended_destroy(&s->extended);
    dls_judge_destroy(s->judge);
}

// Divides W by delta, H by its root, and takes q' + W' z for q.
static void set_delta(struct search *s, double delta)
{
    const struct dls_socp *f = s->base;
    int entries = f->W.p[f->contacts] * f->d * f->d;
    for (int k = 0; k < entries; k++) s->form.W.x[k] = f->W.x[k] / delta;
    for (int k = 0; f->H && k < dls_csr_count(f->H); k++)
        s->form.H->x[k] = f->H->x[k] / sqrt(delta);
    dls_bsr_multiply(&f->W, s->z, f->q, s->q);
}

// The margin of the present x as doubles see it, in the units of q'.
static double rough_margin(struct search *s)
{
    const struct dls_socp *f = &s->form;
    double least = INFINITY;
    dls_bsr_multiply(&f->W, s->program.x, s->q, s->u);
    for (int a = 0; a < f->contacts; a++) {
        const double *u = s->u + a * f->d;
        least = fmin(least, u[0] - dls_lorentz_norm(f->d, u));
    }
    return least;
}

static void verify(struct search *s, double delta)
{
    const struct dls_socp *f = &s->form;
    for (int k = 0; k < f->m; k++)
        s->r[k] = f->unit * f->t[k] * (s->z[k] + s->program.x[k] / delta);
    s->margin = fmax(s->margin, verified_margin(s));
}

// One round; DLS_MAX_TIME where it was cut short. With a margin that is enough it ends
// before the optimum.
static enum dls_status run_round(struct search *s, double delta, struct dls_work *work)
{
    set_delta(s, delta);
    dls_cone_program_start(&s->program);
    enum dls_status status = DLS_OK;
    for (int k = 0; k < LONGEST && !status; k++) {
        if (dls_work_expired(work)) return DLS_MAX_TIME;
        status = dls_cone_program_step(&s->program, work);
        if (status < 0) return status;
        if (rough_margin(s) < enough) continue;
        verify(s, delta);
        if (s->margin > strict) return DLS_OK;
    }
    if (rough_margin(s) > 0) verify(s, delta);
    for (int k = 0; k < s->form.m; k++) s->z[k] += s->program.x[k] / delta;
    return DLS_OK;
}

// --- both -----------------------------------------------------------------------------

// Search (1): GIVEN, NOT_GUARANTEED, or UNKNOWN where time ran out.
static enum dls_status search_interior(struct dls_existence *out,
                                       const struct dls_problem *p,
                                       struct dls_work *work, struct dls_arena *a,
                                       struct dls_error *err)
{
    struct search s;
    double before = INFINITY;
    enum dls_status status = create(&s, p, a, err);
    out->verdict = DLS_EXISTENCE_NOT_GUARANTEED;
    for (int k = 0; k < ROUNDS && !status; k++) {
        status = run_round(&s, deltas[k], work);
        if (s.margin > strict) out->verdict = DLS_EXISTENCE_GIVEN;
        double tau = s.program.tau;
        bool settled = tau < 0 && fabs(tau - before) < 0.01 * fabs(tau);
        if (s.margin > strict || settled) break;
        before = tau;
    }
    out->margin = s.margin;
    destroy(&s);
    return out->verdict == DLS_EXISTENCE_GIVEN ? DLS_OK : status;
}

// Search (2): NONE where a certificate is found.
static enum dls_status search_certificate(struct dls_existence *out,
                                          const struct dls_problem *p,
                                          struct dls_work *work, struct dls_arena *a,
                                          struct dls_error *err)
{
    struct search s;
    struct dls_problem normals;
    if (!take_normals(&normals, p, a)) return DLS_ENOMEM;
    enum dls_status status = create(&s, &normals, a, err);
    bool shown = false;
    for (int k = 0; k < ROUNDS && !status && !shown && !(s.margin > strict); k++) {
        status = run_round(&s, deltas[k], work);
        shown = !status && s.program.tau < 0 && verify_certificate(out, &s, a);
    }
    if (shown)
        out->verdict = DLS_EXISTENCE_NONE;
    else
        out->certificate = NULL, out->defect = out->deficit = NAN;
    destroy(&s);
    return a->failed ? DLS_ENOMEM : status;
}

enum dls_status dls_existence_check(struct dls_existence *out,
                                    const struct dls_problem *p, struct dls_work *work,
                                    struct dls_arena *a, struct dls_error *err)
{
    struct dls_error reason = {""};
    enum dls_status status = DLS_OK;
    if (!out || !p || !work || !a)
        return dls_fail(err, DLS_EINVAL, "no problem, work or arena to check with");
    *out = (struct dls_existence){.margin = NAN, .defect = NAN, .deficit = NAN};
    struct dls_problem round; // a solution of one is a solution of the other
    if (!dls_ellipse_round(&round, p, a)) return DLS_ENOMEM;
    p = &round;
    if (!p->contacts) {
        out->verdict = DLS_EXISTENCE_GIVEN;
        return DLS_OK;
    }
    if (p->d == 1 && !dls_problem_is_global(p)) {
        snprintf(out->why, sizeof out->why, "a plain LCP need not come from bodies");
        return DLS_OK;
    }
    if (!p->rolling) status = search_interior(out, p, work, a, &reason);
    if (!status && out->verdict != DLS_EXISTENCE_GIVEN)
        status = search_certificate(out, p, work, a, &reason);
    if (status) out->verdict = DLS_EXISTENCE_UNKNOWN;
    if (status == DLS_MAX_TIME)
        snprintf(out->why, sizeof out->why, "out of time");
    else if (status == DLS_UNSUPPORTED)
        snprintf(out->why, sizeof out->why, "%.95s", reason.text);
    else if (!status && out->verdict == DLS_EXISTENCE_UNKNOWN)
        snprintf(out->why, sizeof out->why, "the rolling cone is no Lorentz cone");
    if (status < 0 && err) *err = reason;
    return status < 0 ? status : DLS_OK;
}

const char *dls_existence_text(enum dls_existence_verdict verdict)
{
    static const char *const texts[] = {
        "not decided",
        "a solution exists",
        "existence is not guaranteed",
        "there is no solution",
    };
    return texts[verdict];
}
