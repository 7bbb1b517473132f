// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the examples of FIPS 180-4 and against sha256sum.
#define _POSIX_C_SOURCE 200809L // popen

#include "base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

static void test_published(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hash;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char text[DLS_SHA256_TEXT];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct dls_sha256 s = dls_sha256_start();
        dls_sha256_add(&s, known[k].text, strlen(known[k].text));
        assert_string_equal(dls_sha256_end(&s, text), known[k].hash);
    }
}

// Lengths around the block of 64 bytes, given in pieces.
static void test_sha256sum(void **state)
{
    (void)state;
    if (system("sha256sum --version >/dev/null 2>&1")) skip();
    char path[512], command[600], text[DLS_SHA256_TEXT], theirs[DLS_SHA256_TEXT];
    snprintf(path, sizeof path, "%s/bytes", support_folder());
    snprintf(command, sizeof command, "sha256sum <'%s'", path);
    for (int length = 50; length < 135; length += 7) {
        struct dls_sha256 s = dls_sha256_start();
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        for (int k = 0; k < length; k++) {
            unsigned char byte = (unsigned char)(37 * k);
            dls_sha256_add(&s, &byte, 1);
            fputc(byte, out);
        }
        assert_int_equal(fclose(out), 0);
        FILE *in = popen(command, "r");
        assert_non_null(fgets(theirs, sizeof theirs, in));
        pclose(in);
        assert_string_equal(dls_sha256_end(&s, text), theirs);
        assert_true(dls_sha256_file(path, text));
        assert_string_equal(text, theirs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_sha256sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
