// SPDX-License-Identifier: Apache-2.0
// The order that threads share: every contact once, nobody reads what a neighbour in the
// same stage writes, and the work is spread.
#include "solvers/contact/stages.h"

#include "base/rng.h"

#include <string.h>

#include "tests/support/support.h"

// Bodies on a lattice, numbered at random, each with contacts to its upper neighbours and
// to a diagonal one, those below on the ground: 4.6 a body, as in a dense packing.
enum { EDGE = 18, BODIES = EDGE * EDGE * EDGE, MOST = 5 * BODIES };

struct lattice {
    struct dls_frames frames;
    struct dls_frame all[MOST];
    dls_vec3 pose[4 * BODIES];
    unsigned char held[BODIES];
    int name[BODIES];
};

static void add(struct lattice *l, int body, int other)
{
    l->all[l->frames.contacts++] = (struct dls_frame){.body = body, .other = other};
}

static struct lattice *make(struct dls_arena *a)
{
    struct lattice *l = DLS_NEW(a, struct lattice, 1);
    struct dls_rng g = dls_rng_seed(11);
    assert_non_null(l);
    l->frames = (struct dls_frames){
        .dim = 3, .bodies = BODIES, .all = l->all, .pose = l->pose, .held = l->held};
    for (int k = 0; k < BODIES; k++) l->name[k] = k;
    for (int k = BODIES - 1; k > 0; k--) {
        int with = dls_rng_below(&g, k + 1), keep = l->name[k];
        l->name[k] = l->name[with];
        l->name[with] = keep;
    }
    static const int step[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
    for (int k = 0; k < BODIES; k++) {
        int x[3] = {k % EDGE, k / EDGE % EDGE, k / EDGE / EDGE};
        l->pose[4 * l->name[k]] = (dls_vec3){x[0], x[1], x[2]};
        if (x[2] == 0) add(l, l->name[k], -1);
        for (int s = 0; s < 4; s++) {
            int y[3] = {x[0] + step[s][0], x[1] + step[s][1], x[2] + step[s][2]};
            if (y[0] == EDGE || y[1] == EDGE || y[2] == EDGE) continue;
            add(l, l->name[k], l->name[(y[2] * EDGE + y[1]) * EDGE + y[0]]);
        }
    }
    return l;
}

static void each_once(const struct dls_stages *s, struct dls_arena *a)
{
    int *seen = DLS_NEW(a, int, s->contacts);
    assert_int_equal(s->first[0], 0);
    assert_int_equal(s->first[s->stages], s->groups);
    assert_int_equal(s->start[0], 0);
    assert_int_equal(s->start[s->groups], s->contacts);
    for (int i = 0; i < s->contacts; i++) seen[s->order[i]]++;
    for (int k = 0; k < s->contacts; k++) assert_int_equal(seen[k], 1);
}

// Contacts over the longest share of two threads that take groups as they come. A barrier
// costs as much as some 40 contacts.
static double speed_up(const struct dls_stages *s)
{
    double longest = 0;
    for (int stage = 0; stage < s->stages; stage++) {
        int busy[2] = {0, 0};
        for (int g = s->first[stage]; g < s->first[stage + 1]; g++)
            busy[busy[1] < busy[0]] += s->start[g + 1] - s->start[g];
        longest += 40 + (busy[0] > busy[1] ? busy[0] : busy[1]);
    }
    return s->contacts / longest;
}

static void test_frames(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct lattice *l = make(&a);
    struct dls_stages s;
    int *group = DLS_NEW(&a, int, BODIES), *stage_of = DLS_NEW(&a, int, BODIES);
    assert_true(l->frames.contacts > 20000);
    assert_true(dls_stages_of_frames(&s, &l->frames, &a));
    each_once(&s, &a);
    for (int stage = 0; stage < s.stages; stage++)
        for (int g = s.first[stage]; g < s.first[stage + 1]; g++)
            for (int i = s.start[g]; i < s.start[g + 1]; i++) {
                const struct dls_frame *c = &l->all[s.order[i]];
                const int body[2] = {c->body, c->other < 0 ? c->body : c->other};
                for (int b = 0; b < 2; b++) {
                    bool met = stage_of[body[b]] == stage + 1;
                    assert_true(!met || group[body[b]] == g);
                    stage_of[body[b]] = stage + 1;
                    group[body[b]] = g;
                }
            }
    // Most of the work lies in blocks, else threads would share every body.
    assert_true(s.start[s.first[1]] > 0.7 * s.contacts);
    assert_true(speed_up(&s) > 1.6);
    dls_arena_free(&a);
}

// W of a chain with a hub: contact 0 is coupled to all, others to two on either side, some
// in one direction only.
static void test_rows(void **state)
{
    (void)state;
    enum { ROWS = 3000 };
    struct dls_arena a = {0};
    struct dls_bsr W = {.rows = ROWS, .d = 3};
    W.p = DLS_NEW(&a, int, ROWS + 1);
    W.j = DLS_NEW(&a, int, 8 * ROWS);
    for (int k = 0; k < ROWS; k++) {
        int to = W.p[k];
        if (k > 0) W.j[to++] = 0;
        for (int l = k - 2; l <= k + 2; l++)
            if (l >= (k > 0) && l < ROWS && !(l < k && k % 3 == 0)) W.j[to++] = l;
        W.p[k + 1] = to;
    }
    struct dls_stages s;
    int *stage_of = DLS_NEW(&a, int, ROWS);
    assert_true(dls_stages_of_rows(&s, &W, &a));
    each_once(&s, &a);
    for (int stage = 0; stage < s.stages; stage++)
        for (int i = s.start[s.first[stage]]; i < s.start[s.first[stage + 1]]; i++)
            stage_of[s.order[i]] = stage;
    for (int k = 0; k < ROWS; k++)
        for (int l = W.p[k]; l < W.p[k + 1]; l++)
            assert_true(W.j[l] == k || stage_of[W.j[l]] != stage_of[k]);
    assert_true(speed_up(&s) > 1.5);
    dls_arena_free(&a);
}

// More neighbours than colours: what is left comes last, in one group.
static void test_too_many_neighbours(void **state)
{
    (void)state;
    enum { ROWS = 100 };
    struct dls_arena a = {0};
    struct dls_bsr W = {.rows = ROWS, .d = 3};
    W.p = DLS_NEW(&a, int, ROWS + 1);
    W.j = DLS_NEW(&a, int, ROWS *ROWS);
    for (int k = 0; k < ROWS; k++) {
        W.p[k + 1] = W.p[k] + ROWS;
        for (int l = 0; l < ROWS; l++) W.j[W.p[k] + l] = l;
    }
    struct dls_stages s;
    assert_true(dls_stages_of_rows(&s, &W, &a));
    each_once(&s, &a);
    assert_int_equal(s.stages, 65);
    assert_int_equal(s.first[65] - s.first[64], 1);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_too_many_neighbours),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
