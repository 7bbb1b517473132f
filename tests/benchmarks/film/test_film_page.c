// SPDX-License-Identifier: Apache-2.0
// The page of a film made by hand: the frame of its picture, and how long it gets.
#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/film/film.h"
#include "tests/support/support.h"

enum { FRAMES = 20 };

// Points in the unit square that tremble by 1e-3; the last one flies to x = 1e4 where
// asked.
static struct dls_film film_of(int bodies, bool flies, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(1);
    static struct dls_scene scene; // of no interest here
    struct dls_film f = {
        .title = "points",
        .about = "by hand",
        .scene = &scene,
        .arena = a,
        .dim = 2,
        .bodies = bodies,
        .frames = FRAMES,
        .frame = DLS_NEW(a, struct dls_film_frame, FRAMES),
        .curves = 1,
        .curve[0] = {"time", DLS_NEW(a, double, 1)},
    };
    for (int k = 0; k < FRAMES; k++) {
        struct dls_film_frame *to = &f.frame[k];
        *to = (struct dls_film_frame){
            .t = k,
            .bodies = bodies,
            .at = DLS_NEW(a, float, 3 * bodies),
            .turn = DLS_NEW(a, float, 4 * bodies),
            .speed = DLS_NEW(a, float, bodies),
        };
        for (int b = 0; b < bodies; b++)
            for (int i = 0; i < 2; i++)
                to->at[3 * b + i] =
                    (float)(k ? f.frame[k - 1].at[3 * b + i] + 1e-3 * dls_rng_normal(&g)
                              : dls_rng_real(&g));
        if (flies) to->at[3 * bodies - 3] = (float)(1e4 * k / FRAMES);
    }
    return f;
}

// Writes the page and reads the frame of its picture: lower ends, then upper ones.
static long page_box(const struct dls_film *f, double box[6])
{
    const char *path = "build/debug/test_film_page.html";
    struct dls_error err;
    assert_int_equal(dls_film_write(f, path, &err), DLS_OK);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    char *text = test_calloc((size_t)size + 1, 1);
    rewind(in);
    assert_int_equal(fread(text, 1, (size_t)size, in), size);
    fclose(in);
    remove(path);
    const char *at = strstr(text, "\"box\":[");
    assert_non_null(at);
    at += strlen("\"box\":[");
    for (int i = 0; i < 6; i++) {
        char *end;
        box[i] = strtod(at, &end);
        at = end + 1;
    }
    test_free(text);
    return size;
}

// A point that flies off leaves the picture; the others stay in it.
static void test_frame(void **state)
{
    (void)state;
    double box[6];
    for (int flies = 0; flies < 2; flies++) {
        struct dls_arena a = {0};
        struct dls_film f = film_of(100, flies, &a);
        page_box(&f, box);
        assert_true(box[0] > -0.5 && box[0] < 0.1);
        assert_true(box[3] > 0.9 && box[3] < 1.5);
        assert_true(box[1] < 0.1 && box[4] > 0.9);
        dls_arena_free(&a);
    }
}

// One of few is no outlier: all of its way is in the picture.
static void test_few(void **state)
{
    (void)state;
    double box[6];
    struct dls_arena a = {0};
    struct dls_film f = film_of(2, true, &a);
    page_box(&f, box);
    assert_true(box[3] >= 9000);
    dls_arena_free(&a);
}

// Nothing that can be counted on to be lost: NaN everywhere still makes a page.
static void test_lost(void **state)
{
    (void)state;
    double box[6];
    struct dls_arena a = {0};
    struct dls_film f = film_of(60, false, &a);
    for (int k = 0; k < FRAMES; k++)
        for (int i = 0; i < 180; i++) f.frame[k].at[i] = NAN;
    page_box(&f, box);
    for (int i = 0; i < 6; i++) assert_true(isfinite(box[i]));
    dls_arena_free(&a);
}

// What trembles takes less than a byte and a half a number: changes are compressed.
static void test_size(void **state)
{
    (void)state;
    double box[6];
    struct dls_arena a = {0};
    struct dls_film few = film_of(10, false, &a), many = film_of(3000, false, &a);
    long empty = page_box(&few, box), full = page_box(&many, box);
    assert_true(full - empty < 2990L * FRAMES * 2 * 3 / 2);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests_name("film_page", tests, NULL, NULL);
}
