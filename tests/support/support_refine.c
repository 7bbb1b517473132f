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
    assert_int_equal(
        dls_refine(&b->refinement, &b->form, &b->extended, r, &b->work, &b->a), DLS_OK);
}
