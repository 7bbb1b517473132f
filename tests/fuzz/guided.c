// SPDX-License-Identifier: Apache-2.0
// The targets of the fuzzer for libFuzzer, which follows the branches that inputs take and
// keeps those that reach new ones. DLS_FUZZ_TARGET names the target, DLS_FUZZ_CORPUS the
// folder that its good inputs are put into first. HDF5 is not compiled for it: texts and
// checkpoints gain most.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static const struct fuzz_target *target;
static struct fuzz_input input;
static char file[64]; // in memory, rewritten for each input

static void put_seeds(const char *folder)
{
    char path[512];
    for (int k = 0; target->seed(k, &input); k++) {
        snprintf(path, sizeof path, "%s/seed-%d", folder, k);
        FILE *out = fopen(path, "wb");
        if (!out || fwrite(input.bytes, 1, input.size, out) != input.size) abort();
        fclose(out);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *name = getenv("DLS_FUZZ_TARGET"), *folder = getenv("DLS_FUZZ_CORPUS");
    for (target = fuzz_targets; target->name; target++)
        if (name && !strcmp(target->name, name)) break;
    if (!target->name) {
        fprintf(stderr, "fuzz: no target '%s'\n", name ? name : "");
        exit(2);
    }
    snprintf(file, sizeof file, "/dev/shm/delassus-guided-%ld", (long)getpid());
    if (folder) put_seeds(folder);
    return 0;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
    if (size > FUZZ_ROOM) return 0;
    input.size = size;
    memcpy(input.bytes, bytes, size);
    target->run(&input, file);
    return 0;
}
