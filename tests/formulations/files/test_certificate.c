// SPDX-License-Identifier: Apache-2.0
// Certificates on disk: they come back bit for bit, and bad ones are refused by name.
#include "solvers/reference/certify.h"

#include "formulations/files/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_hdf5.h"

static const char *write_certified(struct dls_problem *p, struct dls_certified *c,
                                   struct dls_arena *a)
{
    struct dls_certify_settings settings = {
        .solver = dls_solver_find("auto"),
        .tol = 1e-14,
        .max_time = 60,
    };
    *p = support_generate("four-leg-table", "", a);
    assert_int_equal(dls_certify(c, p, &settings, a, NULL), DLS_OK);
    c->certificate.provenance = "a test";
    struct dls_answer answer = {
        .r = c->r,
        .u = c->u,
        .v = c->v,
        .certificate = &c->certificate,
    };
    const char *path = dls_text(a, "%s/certified.hdf5", support_folder());
    assert_int_equal(dls_snapshot_write(p, path, &answer, NULL), DLS_OK);
    return path;
}

static void certificates_come_back(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p, back;
    struct dls_certified c;
    struct dls_certificate d;
    bool there;
    const char *path = write_certified(&p, &c, &a);
    assert_int_equal(dls_snapshot_read(&back, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    assert_int_equal(dls_certificate_read(&d, &there, path, &back, &a, NULL), DLS_OK);
    assert_true(there);
    const struct dls_certificate *e = &c.certificate;
    size_t m = (size_t)p.m * sizeof(double),
           contacts = (size_t)p.contacts * sizeof(int);
    assert_memory_equal(back.solution_r, c.r, m);
    assert_memory_equal(d.r_rest, e->r_rest, m);
    assert_memory_equal(d.u_rest, e->u_rest, m);
    assert_memory_equal(d.least_r, e->least_r, m);
    assert_memory_equal(d.status, e->status, contacts);
    assert_memory_equal(&d.refined, &e->refined, sizeof d.refined);
    assert_memory_equal(&d.found, &e->found, sizeof d.found);
    assert_memory_equal(&d.rounded, &e->rounded, sizeof d.rounded);
    assert_memory_equal(&d.least, &e->least, sizeof d.least);
    assert_true(d.tol == e->tol && d.kept == e->kept && d.margin == e->margin);
    assert_true(d.null_space == e->null_space && d.unknowns == e->unknowns);
    assert_true(d.sweep_rate > 0 && d.sweep_rate < 1 && d.rate_settled);
    assert_true(d.sweep_rate == e->sweep_rate);
    assert_true(d.backward == e->backward || (isnan(d.backward) && isnan(e->backward)));
    assert_true(d.weak == e->weak && d.residual_version == DLS_RESIDUAL_VERSION);
    assert_string_equal(d.existence, "a solution exists");
    assert_string_equal(d.motion, e->motion);
    assert_string_equal(d.motion_why, e->motion_why);
    assert_string_equal(d.provenance, "a test");
    dls_arena_free(&a);
}

static void bad_certificates_are_named(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_certified c;
    struct dls_certificate d;
    bool there;
    const char *path = write_certified(&p, &c, &a);
    const struct {
        const char *name;
        int count, value;
    } spoilt[] = {
        {"certificate/format", 1, 9},     {"certificate/status", 3, 0},
        {"certificate/status", 4, 7},     {"certificate/weakly_active", 1, 4},
        {"certificate/null_space", 1, 6}, {"certificate/r_rest", 2, 0},
        {"certificate/sweep_rate", 1, 1},
    };
    for (size_t k = 0; k < sizeof spoilt / sizeof *spoilt; k++) {
        struct dls_error err = {""};
        const int x[] = {spoilt[k].value, spoilt[k].value, spoilt[k].value,
                         spoilt[k].value};
        path = write_certified(&p, &c, &a);
        hid_t file = support_h5_open(path, false);
        support_h5_ints(file, spoilt[k].name, x, spoilt[k].count);
        H5Fclose(file);
        assert_int_equal(dls_certificate_read(&d, &there, path, &p, &a, &err),
                         DLS_EINVAL);
        if (!strstr(err.text, spoilt[k].name) || !strstr(err.text, "certified.hdf5"))
            fail_msg("%s: %s", spoilt[k].name, err.text);
    }
    path = write_certified(&p, &c, &a);
    hid_t file = support_h5_open(path, false);
    support_h5_remove(file, "certificate/sweep_rate");
    support_h5_remove(file, "certificate/backward");
    support_h5_remove(file, "certificate/motion");
    H5Fclose(file);
    assert_int_equal(dls_certificate_read(&d, &there, path, &p, &a, NULL), DLS_OK);
    assert_true(there && isnan(d.sweep_rate) && isnan(d.backward) && !d.motion);
    file = support_h5_open(path, false);
    support_h5_remove(file, "certificate");
    H5Fclose(file);
    assert_int_equal(dls_certificate_read(&d, &there, path, &p, &a, NULL), DLS_OK);
    assert_false(there);
    dls_arena_free(&a);
}

// A file cut anywhere is no certificate, and no crash.
static void cut_files_are_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_certified c;
    const char *path = write_certified(&p, &c, &a);
    char *cut = dls_text(&a, "%s/cut.hdf5", support_folder()), *bytes;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    bytes = DLS_NEW(&a, char, size);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    for (size_t length = 0; length < size; length += size / 40) {
        struct dls_certificate d;
        struct dls_error err = {""};
        bool there;
        file = fopen(cut, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, length, file), length);
        fclose(file);
        enum dls_status status = dls_certificate_read(&d, &there, cut, &p, &a, &err);
        assert_true(status == DLS_EIO || status == DLS_EINVAL);
        assert_non_null(strstr(err.text, "cut.hdf5"));
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_come_back),
        cmocka_unit_test(bad_certificates_are_named),
        cmocka_unit_test(cut_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
