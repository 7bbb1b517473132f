// SPDX-License-Identifier: Apache-2.0
// A solution and all that is known of it.
//
//   1. existence.c: whether the problem has to have a solution, in a tenth of the time.
//   2. The solver runs to 1e-11, which most often is enough for what follows; where it was
//      not, once more from there to 1e-14 (or the tolerance asked for, if that is larger).
//      Where that does not do, prox-newton tries in the same way from the start: nearly
//      redundant contacts, whose statuses turn on the last digits of the velocities, take it
//      fewer steps than others. The best answer counts, and is refined in any case.
//   3. refine.c: Newton's method, residuals in 113 bits. Where that is not enough, nearest.c,
//      which moves impulses along the null space of W too; where impulses are many for
//      their velocities and factors are dear, nearest.c comes first. Impulses and velocities
//      are kept as two doubles each, x = high + rest, and what the certificate tells of
//      them is measured after that rounding.
//      backward.c tells for which data the answer is exact. Where that is a matter of the
//      data's own round-off, the answer is certified whatever its residuals are, as long as
//      they tell statuses apart.
//   4. Statuses, and the contacts that are within DLS_WEAK of another one.
//   5. attraction.c: whether Gauss-Seidel sweeps near the answer approach it, in a tenth
//      of the time.
//   6. null_space.c: how many impulses share these velocities; least_norm.c: the shortest
//      of them, refined like the answer itself unless that would move it. Where the
//      impulses are unique they are their own representative.
//   7. motion.c: whether the motion is the only one, where that can be proved, in half of
//      the time at most.
//
// Where time runs out the remaining items are missing and the notes tell.
#include "solvers/reference/certify.h"

#include "solvers/reference/attraction.h"
#include "solvers/reference/backward.h"
#include "solvers/reference/motion.h"
#include "solvers/reference/nearest.h"
#include "solvers/reference/null_space.h"

#include "formulations/judge/cone.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double known_to = 0.1 * DLS_WEAK; // residual at which zeros can be told
static const double least_moved = 1e-6;        // by refining the shortest impulses
static const double existence_share = 0.1;     // of all
static const double sweep_share = 0.1;         // of all
static const double motion_share = 0.5;        // of all
static const double solver_tol[] = {1e-11, 1e-14};
static const double solver_share[] = {0.4, 0.3}; // of the time left, of either run
static const double nearest_share = 0.5; // of the time left: other starts may do better
enum { RUNS = 2 };

// What the parts share.
struct certification {
    const struct dls_problem *p;
    const struct dls_certify_settings *set;
    struct dls_certified *out;
    struct dls_judge *judge;
    struct dls_extended extended;
    struct dls_delassus form;
    struct dls_refinement refinement;
    struct dls_work work;
    dls_quad *exact; // m
    bool refined;    // the answer in out->r
    struct dls_arena *arena;
};

static struct dls_residuals measure(struct certification *s, const double *r,
                                    const double *rest)
{
    for (int k = 0; k < s->p->m; k++)
        s->exact[k] = (dls_quad)r[k] + (rest ? rest[k] : 0);
    dls_extended_measure(&s->extended, s->exact);
    return (struct dls_residuals){s->extended.natural, s->extended.merit};
}

struct by {
    const struct dls_solver *solver;
    const struct dls_options *options;
};

// Run k of a solver from the impulses in out->r.
static enum dls_status solve(struct certification *s, struct by by, int k,
                             struct dls_error *err)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_stats *stats = &s->out->stats;
    double start = dls_clock();
    settings.tol = fmax(solver_tol[k], s->set->tol);
    settings.measure = DLS_BOTH;
    settings.max_time = fmax(0, solver_share[k] * (s->work.deadline - start));
    settings.cancel = s->set->cancel;
    settings.monitor = s->set->monitor;
    settings.data = s->set->data;
    dls_solve(by.solver, by.options, s->p, &settings, s->out->r, stats);
    s->out->solve_time += dls_clock() - start;
    if (stats->status < 0 || stats->status == DLS_UNSUPPORTED)
        return dls_fail(err, stats->status, "%s", stats->message);
    for (int i = 0; i < s->p->m; i++)
        if (!isfinite(s->out->r[i])) return dls_fail(err, DLS_ENUMERIC, "no answer");
    s->refined = false;
    s->out->certificate.found = measure(s, s->out->r, NULL);
    return DLS_OK;
}

// x as high + rest.
static void split(const dls_quad *x, double *high, double *rest, int count)
{
    for (int k = 0; k < count; k++) {
        high[k] = (double)x[k];
        if (rest) rest[k] = (double)(x[k] - high[k]);
    }
}

// The larger residual; merit may be NAN.
static double off(const struct dls_certificate *c)
{
    return fmax(c->refined.natural, c->refined.merit);
}

// Whether velocities are known well enough to tell which of them are zero.
static bool is_known(const struct dls_certificate *c) { return off(c) <= known_to; }

static bool reached(const struct dls_certificate *c)
{
    return off(c) <= c->tol || (is_known(c) && c->backward <= DLS_UNIT_ROUND_OFF);
}

// Measures what the refinement holds.
static enum dls_status measure_refined(struct certification *s)
{
    struct dls_certificate *c = &s->out->certificate;
    dls_refine_measure(&s->refinement, s->refinement.r);
    dls_refine_look(&s->refinement);
    enum dls_status status = dls_backward_error(&c->backward, &s->refinement, s->arena);
    split(s->refinement.r, s->out->r, c->r_rest, s->p->m);
    c->rounded = measure(s, s->out->r, NULL);
    c->refined = measure(s, s->out->r, c->r_rest);
    return status;
}

// The answer nearest to the impulses of the refinement, in a share of the time.
static enum dls_status approach(struct certification *s)
{
    struct dls_work work = s->work;
    double now = dls_clock();
    work.deadline = fmin(work.deadline, now + nearest_share * (work.deadline - now));
    enum dls_status status =
        dls_nearest_find(&s->refinement, s->set->tol, &work, s->arena);
    return status == DLS_ENOMEM ? status : measure_refined(s);
}

// Newton's method on frozen statuses, and where that is not enough, the nearest answer;
// the other way round where that is cheaper.
static enum dls_status refine_twice(struct certification *s)
{
    bool first = dls_nearest_is_cheaper(&s->form);
    enum dls_status status =
        dls_refine_begin(&s->refinement, &s->form, &s->extended, s->out->r, s->arena);
    for (int pass = 0; pass < 2 && !status; pass++) {
        if (pass && reached(&s->out->certificate)) break;
        if ((pass == 0) == first)
            status = approach(s);
        else if (!(status = dls_refine(&s->refinement, &s->work, s->arena)))
            status = measure_refined(s);
    }
    return status;
}

static enum dls_status refine(struct certification *s)
{
    struct dls_certified *out = s->out;
    struct dls_certificate *c = &out->certificate;
    double start = dls_clock();
    enum dls_status status = refine_twice(s);
    if (status) return status;
    out->steps += s->refinement.steps;
    if (s->refinement.too_large && !reached(c))
        snprintf(out->refine_note, sizeof out->refine_note,
                 "not refined: the factors would not fit");
    split(s->extended.u, out->u, c->u_rest, s->p->m);
    if (out->v) split(s->extended.v, out->v, NULL, s->p->n);
    if (out->l) split(s->extended.lambda, out->l, NULL, s->p->joints);
    out->refine_time += dls_clock() - start;
    s->refined = true;
    return DLS_OK;
}

static void set_start(struct certification *s)
{
    size_t bytes = (size_t)s->p->m * sizeof *s->out->r;
    if (s->set->start)
        memcpy(s->out->r, s->set->start, bytes);
    else
        memset(s->out->r, 0, bytes);
}

// The larger residual of the answer at hand.
static double off_now(const struct certification *s)
{
    const struct dls_certificate *c = &s->out->certificate;
    return s->refined ? off(c) : fmax(c->found.natural, c->found.merit);
}

static bool is_done(const struct certification *s)
{
    return s->refined && reached(&s->out->certificate);
}

// Both runs of a solver, the second one where the first was not enough. An answer that did
// not come near is not refined: Newton's method would not take to it.
static enum dls_status find(struct certification *s, struct by by,
                            struct dls_error *err)
{
    enum dls_status status = DLS_OK;
    for (int k = 0; k < RUNS && !status && !is_done(s); k++) {
        if (k && dls_work_expired(&s->work)) break;
        status = solve(s, by, k, err);
        if (status || s->out->stats.status) break;
        status = refine(s);
    }
    return status;
}

// Another solver from the start; the answer so far stays where this one is no better, or
// there is none.
static enum dls_status find_again(struct certification *s)
{
    struct dls_certified *out = s->out, first = *out;
    struct by other = {.solver = dls_solver_find("prox-newton")};
    size_t bytes = (size_t)s->p->m * sizeof *out->r;
    double *r = DLS_NEW(s->arena, double, s->p->m), before = off_now(s);
    if (s->arena->failed) return DLS_ENOMEM;
    memcpy(r, out->r, bytes);
    set_start(s);
    enum dls_status status = find(s, other, NULL);
    if (status == DLS_ENOMEM) return status;
    out->second = other.solver->name;
    if (!status && off_now(s) <= before) return DLS_OK;
    memcpy(out->r, r, bytes);
    out->certificate.found = first.certificate.found;
    out->stats = first.stats;
    out->second = NULL;
    s->refined = false;
    return DLS_OK;
}

static void fill_statuses(struct certification *s)
{
    const struct dls_refinement *f = &s->refinement;
    struct dls_certificate *c = &s->out->certificate;
    c->weak_tol = DLS_WEAK;
    for (int a = 0; a < s->p->contacts; a++) {
        c->status[a] = f->status[a] == DLS_REFINE_OPEN     ? DLS_OPEN
                       : f->status[a] == DLS_REFINE_CLOSED ? DLS_STICK
                                                           : DLS_SLIP;
        if (f->distance[a] <= DLS_WEAK) c->weakly[c->weak++] = a;
    }
}

// --- the freedom of the impulses ------------------------------------------------------

static enum dls_status find_null_space(struct certification *s)
{
    struct dls_certificate *c = &s->out->certificate;
    struct dls_null_space found = {.dimension = -1, .kept = NAN, .dropped = NAN};
    char *note = s->out->null_note;
    enum dls_status status = DLS_OK;
    if (!is_known(c))
        snprintf(note, sizeof s->out->null_note, "the velocities are not known to %g",
                 known_to);
    else if (s->p->d == 1 && !dls_problem_is_global(s->p))
        snprintf(note, sizeof s->out->null_note,
                 "a plain LCP need not come from bodies");
    else if (dls_work_expired(&s->work))
        snprintf(note, sizeof s->out->null_note, "out of time");
    else if (!(status = dls_null_space_measure(&found, &s->refinement, s->arena))
             && found.dimension < 0)
        snprintf(note, sizeof s->out->null_note,
                 "%d unknowns are too many for a dense factor", found.unknowns);
    c->unknowns = found.unknowns;
    c->null_space = found.dimension;
    c->kept = found.kept;
    c->dropped = found.dropped;
    return status;
}

// Refines the shortest impulses; they stay as they were where that would move them.
static enum dls_status polish(struct certification *s, double *r)
{
    struct dls_refinement polished;
    double moved = 0, size = 0;
    enum dls_status status =
        dls_refine_begin(&polished, &s->form, &s->extended, r, s->arena);
    if (!status) status = dls_refine(&polished, &s->work, s->arena);
    if (status) return status;
    for (int k = 0; k < s->p->m; k++) {
        double change = (double)(polished.r[k] - r[k]);
        moved += change * change;
        size += r[k] * r[k];
    }
    if (moved <= least_moved * least_moved * size) split(polished.r, r, NULL, s->p->m);
    return DLS_OK;
}

static enum dls_status find_least(struct certification *s, struct dls_error *err)
{
    struct dls_certificate *c = &s->out->certificate;
    struct dls_least_norm found;
    char *note = s->out->least_note;
    if (c->null_space < 0) {
        snprintf(note, sizeof s->out->least_note, "the null space is not known");
        return DLS_OK;
    }
    if (c->null_space == 0) {
        c->least_r = s->out->r;
        c->least = c->rounded;
        return DLS_OK;
    }
    enum dls_status status =
        dls_least_norm_find(&found, &s->refinement, &s->work, s->arena, err);
    if (status || !found.r) {
        snprintf(note, sizeof s->out->least_note, "%s", found.why);
        return status;
    }
    status = polish(s, found.r);
    c->least_r = found.r;
    c->least = measure(s, found.r, NULL);
    return status;
}

static enum dls_status find_attraction(struct certification *s)
{
    struct dls_certificate *c = &s->out->certificate;
    struct dls_attraction found = {.rate = NAN};
    struct dls_work work = s->work;
    enum dls_status status = DLS_OK;
    work.deadline = fmin(work.deadline, dls_clock() + sweep_share * s->set->max_time);
    if (is_known(c))
        status = dls_attraction_measure(&found, &s->refinement, &work, s->arena);
    c->sweep_rate = found.rate;
    c->rate_settled = found.settled;
    return status;
}

static enum dls_status find_motion(struct certification *s)
{
    struct dls_certificate *c = &s->out->certificate;
    struct dls_motion found = {.why = "out of time"};
    struct dls_work work = s->work;
    enum dls_status status = DLS_OK;
    work.deadline = fmin(work.deadline, dls_clock() + motion_share * s->set->max_time);
    if (s->p->d == 1 && !dls_problem_is_global(s->p))
        snprintf(found.why, sizeof found.why, "a plain LCP need not come from bodies");
    else if (!dls_work_expired(&s->work))
        status = dls_motion_judge(&found, &s->refinement, is_known(c), &work, s->arena);
    c->motion = dls_motion_text(found.verdict);
    snprintf(s->out->motion_why, sizeof s->out->motion_why, "%s", found.why);
    c->motion_why = s->out->motion_why;
    return status;
}

static enum dls_status find_existence(struct certification *s, struct dls_error *err)
{
    struct dls_existence *e = &s->out->existence;
    struct dls_work work = s->work;
    work.deadline = dls_clock() + existence_share * s->set->max_time;
    enum dls_status status = dls_existence_check(e, s->p, &work, s->arena, err);
    s->out->certificate.existence = dls_existence_text(e->verdict);
    s->out->certificate.margin = e->verdict == DLS_EXISTENCE_GIVEN ? e->margin : NAN;
    return status;
}

// --- the whole ------------------------------------------------------------------------

static enum dls_status prepare(struct certification *s, struct dls_error *err)
{
    const struct dls_problem *p = s->p;
    struct dls_arena *a = s->arena;
    struct dls_certified *out = s->out;
    *out = (struct dls_certified){
        .r = DLS_NEW(a, double, p->m),
        .u = DLS_NEW(a, double, p->m),
        .v = dls_problem_is_global(p) ? DLS_NEW(a, double, p->n) : NULL,
        .l = p->joints ? DLS_NEW(a, double, p->joints) : NULL,
    };
    out->certificate = (struct dls_certificate){
        .tol = s->set->tol,
        .r_rest = DLS_NEW(a, double, p->m),
        .u_rest = DLS_NEW(a, double, p->m),
        .status = DLS_NEW(a, int, p->contacts),
        .weakly = DLS_NEW(a, int, p->contacts),
        .backward = NAN,
        .sweep_rate = NAN,
        .margin = NAN,
        .residual_version = DLS_RESIDUAL_VERSION,
    };
    s->exact = DLS_NEW(a, dls_quad, p->m);
    if (a->failed) return DLS_ENOMEM;
    set_start(s);
    enum dls_status status = dls_judge_create(&s->judge, p, a, err);
    if (!status) status = dls_extended_create(&s->extended, p, s->judge, a, err);
    if (!status) status = dls_delassus_build(&s->form, p, a, err);
    return status;
}

static enum dls_status run(struct certification *s, struct dls_error *err)
{
    s->work.deadline = dls_clock() + s->set->max_time;
    s->work.cancel = s->set->cancel;
    enum dls_status status = prepare(s, err);
    if (!status) status = find_existence(s, err);
    if (!status) status = find(s, (struct by){s->set->solver, s->set->options}, err);
    if (!status && !is_done(s) && !dls_work_expired(&s->work)) status = find_again(s);
    if (!status && !s->refined) status = refine(s);
    if (!status) {
        fill_statuses(s);
        status = find_attraction(s);
    }
    if (!status) status = find_null_space(s);
    if (!status) status = find_least(s, err);
    if (!status) status = find_motion(s);
    if (status) return status;
    if (s->set->cancel && *s->set->cancel) return DLS_STOPPED;
    return reached(&s->out->certificate) ? DLS_OK : DLS_FINISHED;
}

enum dls_status dls_certify(struct dls_certified *out, const struct dls_problem *p,
                            const struct dls_certify_settings *set, struct dls_arena *a,
                            struct dls_error *err)
{
    if (!out || !p || !set || !a)
        return dls_fail(err, DLS_EINVAL,
                        "no problem, settings or arena to certify with");
    if (p->mu_2)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "mu_2: certify takes round friction cones");
    struct certification s = {.p = p, .set = set, .out = out, .arena = a};
    enum dls_status status = run(&s, err);
    dls_extended_destroy(&s.extended);
    dls_judge_destroy(s.judge);
    if (status == DLS_ENOMEM) dls_fail(err, status, "out of memory");
    return status;
}
