// SPDX-License-Identifier: Apache-2.0
// `delassus convert`: from one file format to another and, with --form local, from
// (M, H, f, w) to (W, q) = (H M^-1 H^T, H M^-1 f + w).
#include "formulations/delassus.h"
#include "formulations/judge/residual.h"

#include <math.h>
#include <string.h>

#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/reading.h"

struct convert_options {
    int kind, form;
};

enum form { FORM_SAME, FORM_LOCAL, FORM_GLOBAL };

static const struct dls_option convert_table[] = {
    DLS_KIND(convert_options),
    DLS_CHOICE(convert_options, form, FORM_SAME, "same|local|global",
               "the form to write; local eliminates the velocities"),
    {0},
};

// The local form of a problem. What is known of contacts stays, what is known of
// velocities (v^-, hF) has no place any more, and joints disappear into W.
static enum dls_status condense(struct dls_problem *local, const struct dls_problem *p,
                                struct dls_arena *a, struct dls_error *err)
{
    struct dls_delassus form;
    enum dls_status status = dls_delassus_build(&form, p, a, err);
    if (status) return status;
    *local = *p;
    local->n = local->joints = 0;
    local->M = local->H = local->G = local->V = local->R = NULL;
    local->f = local->w = local->b = local->s = local->v_minus = local->hF = NULL;
    local->W = dls_bsr_to_csr(form.W, a);
    local->q = dls_copy(a, form.q, (size_t)p->m, sizeof *form.q);
    return a->failed ? dls_fail(err, DLS_ENOMEM, "out of memory") : DLS_OK;
}

// Writes the problem; an answer that came with it goes along, its u and v recomputed.
static enum dls_status write(const struct dls_problem *p, const char *out,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_judge *judge = NULL;
    struct dls_measures measures;
    struct dls_answer answer = {.r = p->solution_r};
    bool judged = p->solution_r && !dls_judge_create(&judge, p, a, err);
    if (judged) {
        dls_judge_measure(judge, p->solution_r, &measures);
        answer.u = dls_judge_u(judge);
        answer.v = dls_judge_v(judge);
        answer.l = dls_judge_lambda(judge);
    }
    enum dls_status status = dls_snapshot_write(p, out, judged ? &answer : NULL, err);
    dls_judge_destroy(judge);
    return status;
}

static int run(const struct dls_args *args)
{
    const struct convert_options *o = args->options;
    const char *in = args->names[0], *out = args->names[1];
    struct dls_error err = {"out of memory"};
    struct dls_problem problem, local;
    const struct dls_problem *p = &problem;
    enum dls_status status =
        dls_read_snapshot(&problem, in, (enum dls_dat_kind)o->kind, args->arena, &err);
    if (status) return dls_complain("%s", err.text);
    if (o->form == FORM_GLOBAL && !dls_problem_is_global(p))
        return dls_complain("%s: M and H cannot be recovered from a local problem", in);
    if (o->form == FORM_LOCAL && dls_problem_is_global(p)) {
        if (condense(&local, p, args->arena, &err))
            return dls_complain("%s: %s", in, err.text);
        p = &local;
    }
    if (write(p, out, args->arena, &err)) return dls_complain("%s", err.text);
    return DLS_EXIT_GOOD;
}

const struct dls_command dls_command_convert = {
    .name = "convert",
    .usage = "IN OUT [--form local|global] [--kind lcp|fc|gfc|rfc]",
    .brief = "write a snapshot in another format",
    .details =
        "The ending decides: .hdf5 or .h5 (FCLIB), .dat (Siconos text); OUT.mtx\n"
        "writes OUT-W.mtx, OUT-q.mtx, ... (MatrixMarket).",
    .options = convert_table,
    .options_size = sizeof(struct convert_options),
    .least = 2,
    .most = 2,
    .run = run,
};
