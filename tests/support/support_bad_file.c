// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_bad_file.h"

#include "formulations/files/snapshot.h"

#include <math.h>
#include <stdio.h>

#include "tests/support/support.h"

char support_bad_path[128];

void support_bad_choose(const char *name)
{
    snprintf(support_bad_path, sizeof support_bad_path, "%s/%s", support_folder(),
             name);
}

enum dls_status support_bad_read(struct dls_error *err)
{
    struct dls_arena a = {0};
    struct dls_problem p;
    *err = (struct dls_error){""};
    enum dls_status status =
        dls_snapshot_read(&p, support_bad_path, DLS_DAT_GUESS, &a, err);
    dls_arena_free(&a);
    return status;
}

void support_bad_put(const char *bytes, size_t count)
{
    FILE *out = fopen(support_bad_path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    fclose(out);
}

char *support_bad_get(size_t *count, struct dls_arena *a)
{
    FILE *in = fopen(support_bad_path, "rb");
    assert_non_null(in);
    char *bytes = DLS_NEW(a, char, 1 << 20);
    *count = fread(bytes, 1, 1 << 20, in);
    fclose(in);
    return bytes;
}

struct dls_problem support_bad_local(struct dls_arena *a)
{
    static const int at[] = {0, 1, 2, 3, 4, 5};
    static const double x[] = {1, 2, 3, 4, 5, 6}, mu[] = {0.5, 0.5};
    struct dls_problem p = {.contacts = 2, .d = 3, .m = 6, .time = NAN, .step = NAN};
    p.W = dls_csr_from_triplets(6, 6, 6, at, at, x, a);
    p.q = dls_copy(a, x, 6, sizeof *x);
    p.mu = dls_copy(a, mu, 2, sizeof *mu);
    return p;
}
