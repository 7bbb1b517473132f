// SPDX-License-Identifier: Apache-2.0
// fuzz --seconds S [--seed N] [--target NAME] [--findings DIR] [--replay FILE]
//
// Readers must survive any input: bytes of HDF5 files, fields of them one by one, texts,
// checkpoints, results of campaigns, options. Each target starts from good inputs; every
// input is one of them, changed a little. A child runs them one after the other, each put
// into shared memory first, so that the one that kills or hangs the child is known. It is
// then shrunk (blocks are taken away, from large to small, while the child still dies)
// and saved as DIR/TARGET-NUMBER.bin; --replay runs such a file in this process.
// Hangs and crashes inside HDF5 are counted and told, but are no findings: the program meets
// them in a child process (benchmarks/terminal/reading.c).
// Ends with `N inputs, N findings`; exit 1 where there was a finding.
#define _GNU_SOURCE // MAP_ANONYMOUS, dladdr
#include "tests/fuzz/fuzz.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 5 };        // seconds for one input in the sanitizer build
enum { BATCH = 2000 };        // inputs of one child
enum { SHRINK_SECONDS = 20 }; // for one finding
enum { MOST_FINDINGS = 20 };  // of a run: more say nothing new

struct shared {
    struct fuzz_input input;
    long done;
    bool in_library; // the child died inside HDF5
};

static struct shared *shared;
static char file[64]; // in memory, rewritten for each input

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The k-th input of a target: the same for the same seed.
static void make_input(const struct fuzz_target *t, uint64_t seed, long k)
{
    static struct fuzz_input in;
    struct dls_rng g = dls_rng_seed(seed * 1000003 + (uint64_t)k);
    int seeds = 0;
    while (t->seed(seeds, &in)) seeds++;
    t->seed(dls_rng_below(&g, seeds), &in);
    fuzz_mutate(&in, t->words, &g);
    memcpy(&shared->input, &in, sizeof in.size + in.size + 16);
}

// A file that promises 10^12 entries must not end the child: malloc may say no.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

// Who was at work when the child died: the innermost caller that is HDF5's or ours, behind
// this function, who asked for it (both ours) and what asked for that (not ours).
static void find_culprit(void)
{
    enum { DEPTH = 64 };
    void *callers[DEPTH];
    Dl_info self, of;
    bool begun = false, left = false;
    int count = backtrace(callers, DEPTH);
    if (!dladdr(&shared, &self)) return;
    for (int k = 0; k < count; k++) {
        if (!dladdr(callers[k], &of) || !of.dli_fname) continue;
        bool ours = of.dli_fbase == self.dli_fbase;
        shared->in_library = strstr(of.dli_fname, "libhdf5");
        if (shared->in_library || (left && ours)) return;
        left |= begun && !ours;
        begun |= ours;
    }
}

// Called by the address sanitizer before it ends the process.
void __asan_on_error(void);
void __asan_on_error(void) { find_culprit(); }

static void on_crash(int signal)
{
    find_culprit();
    _exit(128 + signal);
}

// The output of what is tested would only be in the way; a dying child may speak.
static void keep_quiet(void)
{
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 1);
    dup2(nothing, 2);
}

static int in_child(const struct fuzz_target *t,
                    void (*work)(const struct fuzz_target *, const void *),
                    const void *data)
{
    pid_t child = fork();
    if (child == 0) {
        keep_quiet();
        shared->in_library = false;
        signal(SIGSEGV, on_crash);
        signal(SIGBUS, on_crash);
        work(t, data);
        _exit(0);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

struct batch {
    uint64_t seed;
    long from, count;
    double until;
};

static void run_batch(const struct fuzz_target *t, const void *data)
{
    const struct batch *b = data;
    for (long k = b->from; k < b->from + b->count && now() < b->until; k++) {
        make_input(t, b->seed, k);
        alarm(PATIENCE);
        t->run(&shared->input, file);
        shared->done++;
    }
}

static void run_one(const struct fuzz_target *t, const void *data)
{
    (void)data;
    alarm(PATIENCE);
    t->run(&shared->input, file);
}

// Takes blocks away from the input in shared memory while the child still dies.
static void shrink(const struct fuzz_target *t)
{
    static struct fuzz_input best;
    double until = now() + SHRINK_SECONDS;
    best = shared->input;
    for (size_t block = best.size / 2; block; block /= 2)
        for (size_t at = 0; at + block <= best.size && now() < until;) {
            shared->input = best;
            memmove(shared->input.bytes + at, best.bytes + at + block,
                    best.size - at - block);
            shared->input.size -= block;
            if (in_child(t, run_one, NULL))
                best = shared->input;
            else
                at += block;
        }
    shared->input = best;
}

static void save(const struct fuzz_target *t, const char *folder, long number)
{
    char path[512];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s-%ld.bin", folder, t->name, number);
    FILE *out = fopen(path, "wb");
    if (!out) return;
    fwrite(shared->input.bytes, 1, shared->input.size, out);
    fclose(out);
    printf("  %s: an input of %zu bytes, saved as %s\n", t->name, shared->input.size,
           path);
}

struct asked {
    double seconds;
    uint64_t seed;
    const char *target, *findings, *replay;
};

struct tally {
    long inputs, findings, hangs, crashes; // the last two of HDF5
};

static long count_of(const struct tally *t)
{
    return shared->done + t->findings + t->hangs + t->crashes;
}

static void fuzz(const struct fuzz_target *t, const struct asked *asked, double seconds,
                 struct tally *total)
{
    struct tally mine = {0};
    double start = now(), until = start + seconds;
    shared->done = 0;
    while (now() < until && mine.findings < MOST_FINDINGS) {
        struct batch b = {asked->seed, count_of(&mine), BATCH, until};
        int status = in_child(t, run_batch, &b);
        if (!status) continue;
        bool hang = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        if (t->library_fails && (hang || shared->in_library)) {
            *(hang ? &mine.hangs : &mine.crashes) += 1;
            continue;
        }
        shrink(t);
        save(t, asked->findings, mine.findings++);
    }
    mine.inputs = count_of(&mine);
    printf("%-14s %9ld inputs in %5.1f s, %ld findings", t->name, mine.inputs,
           now() - start, mine.findings);
    if (mine.hangs) printf(", %ld hangs of HDF5", mine.hangs);
    if (mine.crashes) printf(", %ld crashes of HDF5", mine.crashes);
    printf("  %s\n", t->brief);
    fflush(stdout);
    total->inputs += mine.inputs;
    total->findings += mine.findings;
}

static int replay(const struct fuzz_target *t, const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) return fprintf(stderr, "fuzz: %s cannot be read\n", path), 2;
    shared->input.size = fread(shared->input.bytes, 1, FUZZ_ROOM, in);
    fclose(in);
    t->run(&shared->input, file);
    printf("%s: survived\n", path);
    return 0;
}

static bool parse(struct asked *asked, int argc, char **argv)
{
    for (int k = 1; k + 1 < argc; k += 2) {
        const char *name = argv[k], *value = argv[k + 1];
        if (!strcmp(name, "--seconds"))
            asked->seconds = atof(value);
        else if (!strcmp(name, "--seed"))
            asked->seed = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--target"))
            asked->target = value;
        else if (!strcmp(name, "--findings"))
            asked->findings = value;
        else if (!strcmp(name, "--replay"))
            asked->replay = value;
        else
            return false;
    }
    return argc % 2 == 1 && asked->seconds > 0 && (!asked->replay || asked->target);
}

int main(int argc, char **argv)
{
    struct asked asked = {.seconds = 10, .seed = 1, .findings = "build/findings"};
    if (!parse(&asked, argc, argv)) {
        fputs("fuzz --seconds S [--seed N] [--target NAME [--replay FILE]] "
              "[--findings DIR]\n",
              stderr);
        return 2;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    snprintf(file, sizeof file, "/dev/shm/delassus-fuzz-%ld", (long)getpid());
    struct tally total = {0};
    int slices = 0, code = 0;
    for (const struct fuzz_target *t = fuzz_targets; t->name; t++)
        if (!asked.target || !strcmp(asked.target, t->name)) slices += t->slices;
    for (const struct fuzz_target *t = fuzz_targets; t->name; t++) {
        if (asked.target && strcmp(asked.target, t->name)) continue;
        if (asked.replay)
            code = replay(t, asked.replay);
        else
            fuzz(t, &asked, asked.seconds * t->slices / slices, &total);
    }
    char name[80];
    for (const char *const *e = (const char *const[]){".hdf5", ".dat", "", NULL}; *e;
         e++) {
        snprintf(name, sizeof name, "%s%s", file, *e);
        remove(name);
    }
    if (!slices) return fprintf(stderr, "fuzz: no target '%s'\n", asked.target), 2;
    if (!asked.replay)
        printf("%ld inputs, %ld findings\n", total.inputs, total.findings);
    return code ? code : total.findings > 0;
}
