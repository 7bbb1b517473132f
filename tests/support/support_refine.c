// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_refine.h"

#include "base/clock.h"

#include "tests/support/support.h"

void support_bench_open(struct support_bench *b, const struct dls_problem *p)
{
    struct dls_error err = {""};
    *b = (struct support_bench){.work = {.deadline = dls_clock() + 60}};
    if (dls_judge_create(&b->judge, p, &b->a, &err)
        || dls_extended_create(&b->extended, p, b->judge, &b->a, &err)
        || dls_delassus_build(&b->form, p, &b->a, &err))
        fail_msg("%s", err.text);
}

void support_bench_close(struct support_bench *b)
{
    dls_extended_destroy(&b->extended);
    dls_judge_destroy(b->judge);
    dls_arena_free(&b->a);
}

void support_bench_refine(struct support_bench *b, const double *r)
{
    assert_int_equal(dls_refine_begin(&b->refinement, &b->form, &b->extended, r, &b->a),
                     DLS_OK);
    assert_int_equal(dls_refine(&b->refinement, &b->work, &b->a), DLS_OK);
}

struct dls_problem support_condensed(const struct dls_problem *p, struct dls_arena *a)
{
    struct dls_delassus f;
    assert_int_equal(dls_delassus_build(&f, p, a, NULL), DLS_OK);
    int d = f.d, m = f.m;
    double *W = DLS_NEW(a, double, m *m);
    for (int row = 0; row < f.contacts; row++)
        for (int k = f.W->p[row]; k < f.W->p[row + 1]; k++)
            for (int i = 0; i < d * d; i++)
                W[(row * d + i / d) * m + f.W->j[k] * d + i % d] =
                    dls_bsr_block(f.W, k)[i];
    return support_local(f.contacts, d, W, f.q, f.mu, a);
}
