// SPDX-License-Identifier: Apache-2.0
// The arena: alignment, zeros, counts, scratch arenas.
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "tests/support/support.h"

static void the_arena_gives_clean_lines(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (size_t count = 0; count < 200; count += 7) {
        unsigned char *x = dls_alloc(&a, count, 3);
        assert_non_null(x);
        assert_int_equal((uintptr_t)x % 64, 0);
        for (size_t k = 0; k < 3 * count; k++) assert_int_equal(x[k], 0);
        memset(x, 0xff, 3 * count); // all of it is ours
    }
    assert_null(dls_copy(&a, NULL, 5, 8));
    assert_string_equal(dls_text(&a, "%d %s", 3, "words"), "3 words");
    assert_false(a.failed);
    assert_null(dls_alloc(&a, SIZE_MAX / 2, 8));
    assert_true(a.failed);
    dls_arena_free(&a);
    assert_int_equal(a.bytes, 0);
}

static void scratch_is_counted_in_its_parent(void **state)
{
    (void)state;
    struct dls_arena a = {.fail_at = 4};
    assert_non_null(DLS_NEW(&a, double, 100));
    size_t before = a.bytes;
    struct dls_arena s = dls_arena_scratch(&a), t = dls_arena_scratch(&s);
    assert_non_null(DLS_NEW(&s, double, 100));
    assert_non_null(DLS_NEW(&t, double, 100));
    assert_true(a.bytes > before && a.peak >= a.bytes);
    assert_null(DLS_NEW(&t, double, 1)); // the fourth
    assert_true(t.failed && s.failed && a.failed);
    size_t peak = a.peak;
    dls_arena_free(&t);
    dls_arena_free(&s);
    assert_int_equal(a.bytes, before);
    assert_int_equal(a.peak, peak);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arena_gives_clean_lines),
        cmocka_unit_test(scratch_is_counted_in_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
