// SPDX-License-Identifier: Apache-2.0
// What is fuzzed. A reader either refuses an input with one printable sentence, or what it
// returns is sound: it passes the check of problems, can be judged and solved for a few
// steps.
#include "problems/examples/example.h"
#include "problems/generators/generator.h"
#include "problems/mechanics/checkpoint.h"
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/json.h"
#include "benchmarks/campaign/sheet.h"
#include "benchmarks/terminal/cli.h"
#include "benchmarks/terminal/spec.h"
#include "tests/fuzz/fuzz.h"

// The command line is not fuzzed here; what parses options asks for its commands.
const struct dls_command *const dls_commands[] = {NULL};

static void hold(bool what)
{
    if (!what) abort(); // also without asserts
}

static void store(const struct fuzz_input *in, const char *path)
{
    FILE *out = fopen(path, "wb");
    hold(out && fwrite(in->bytes, 1, in->size, out) == in->size && !fclose(out));
}

static bool load(struct fuzz_input *in, const char *path)
{
    FILE *from = fopen(path, "rb");
    if (!from) return false;
    in->size = fread(in->bytes, 1, FUZZ_ROOM, from);
    fclose(from);
    return in->size < FUZZ_ROOM;
}

static bool printable(const char *text)
{
    while ((unsigned char)*text >= 0x20 && *text != 0x7f) text++;
    return !*text;
}

// A refusal is one line without control characters.
static void sentence(const struct dls_error *err)
{
    hold(err->text[0] && printable(err->text));
}

static void solve(const struct dls_problem *p, const char *solver, struct dls_arena *a)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_stats stats;
    double *r = DLS_NEW(a, double, p->m);
    settings.max_iter = 3;
    settings.max_time = 0.2;
    dls_solve(dls_solver_find(solver), NULL, p, &settings, r, &stats);
}

static void read_snapshot(const char *path)
{
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err = {""};
    if (dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, &err)) {
        sentence(&err);
    } else {
        hold(!dls_problem_check(&p, &err));
        static int sound;
        solve(&p, sound++ % 50 ? "pgs" : "auto", &a); // `auto` takes its time
    }
    dls_arena_free(&a);
}

// --- snapshots -----------------------------------------------------------------------

// Small problems of each kind, written with the ending; kept from the first call on.
static const char *const sources[] = {"stack",          "one-contact",  "rod",
                                      "four-leg-table", "manufactured", NULL};

static bool seed_snapshot(int number, const char *ending, struct fuzz_input *to)
{
    static struct fuzz_input kept[2][8];
    if (number >= 5) return false;
    struct fuzz_input *in = &kept[ending[1] == 'd'][number];
    if (!in->size) {
        char path[64];
        struct dls_arena a = {0};
        struct dls_problem p;
        const struct dls_generator *g = dls_generator_find(sources[number]);
        void *opt = DLS_NEW(&a, char, g->options_size);
        dls_option_defaults(g->options, opt);
        snprintf(path, sizeof path, "/dev/shm/delassus-seed%s", ending);
        hold(!g->make(&p, opt, &a, NULL));
        if (dls_snapshot_write(&p, path, NULL, NULL) || !load(in, path)) {
            in->size = 1; // a kind that this format cannot hold
        }
        remove(path);
        dls_arena_free(&a);
    }
    to->size = in->size;
    memcpy(to->bytes, in->bytes, in->size);
    return true;
}

static bool seed_hdf5(int n, struct fuzz_input *in)
{
    return seed_snapshot(n, ".hdf5", in);
}
static bool seed_dat(int n, struct fuzz_input *in)
{
    return seed_snapshot(n, ".dat", in);
}

static void run_file(const struct fuzz_input *in, const char *file, const char *ending)
{
    char path[80];
    snprintf(path, sizeof path, "%s%s", file, ending);
    store(in, path);
    read_snapshot(path);
}

static void run_hdf5(const struct fuzz_input *in, const char *file)
{
    run_file(in, file, ".hdf5");
}

static void run_dat(const struct fuzz_input *in, const char *file)
{
    run_file(in, file, ".dat");
}

// --- fields of HDF5 files --------------------------------------------------------------

static const char *const fields[] = {
    "fclib_global/M/p",
    "fclib_global/M/i",
    "fclib_global/M/x",
    "fclib_global/M/nz",
    "fclib_global/M/m",
    "fclib_global/H/p",
    "fclib_global/H/i",
    "fclib_global/H/x",
    "fclib_global/H/n",
    "fclib_global/H/nzmax",
    "fclib_global/spacedim",
    "fclib_global/vectors/f",
    "fclib_global/vectors/w",
    "fclib_global/vectors/mu",
    "delassus/v_minus",
    "delassus/e_n",
    "delassus/bodies",
    "delassus/body_pair",
    "delassus/step",
    "delassus/format",
    "solution/r",
    "fclib_global/info/title",
    "delassus/w_ob",
    "delassus/hF",
};
enum { FIELDS = sizeof fields / sizeof *fields };

// One edit takes four bytes: field, what to do, which number, where.
static void edit(hid_t file, const unsigned char *byte)
{
    static const double numbers[] = {0,      -1,    1,     2,      3,   5,
                                     1e-160, 1e160, 1e300, -1e300, NAN, INFINITY,
                                     1e9,    -3e9,  0.5,   7};
    const char *name = fields[byte[0] % FIELDS];
    double x = numbers[byte[2] % 16];
    hsize_t count = (hsize_t)(byte[3] % 40);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (byte[1] % 6 == 0
        && set >= 0) { // one entry, or all of them where `where` is high
        hid_t space = H5Dget_space(set);
        hssize_t entries = H5Sget_simple_extent_npoints(space);
        double *all = calloc((size_t)entries + 1, sizeof *all);
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
        if (entries > 0) all[byte[3] % entries] = x;
        for (hssize_t k = 0; byte[3] > 200 && k < entries; k++) all[k] = x;
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
        free(all);
        H5Sclose(space);
    }
    if (set >= 0) H5Dclose(set);
    if (byte[1] % 6 == 0) return;
    H5Ldelete(file, name, H5P_DEFAULT);
    if (byte[1] % 6 == 1) return;
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (byte[1] % 6 == 2) { // another length or type
        hid_t space = H5Screate_simple(1, &count, NULL);
        hid_t type = byte[2] & 1   ? H5T_STD_I32LE
                     : byte[2] & 2 ? H5T_C_S1
                                   : H5T_IEEE_F32LE;
        hid_t made =
            H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
        if (made >= 0) H5Dclose(made);
        H5Sclose(space);
    } else if (byte[1] % 6 == 3) {
        hid_t group = H5Gcreate2(file, name, links, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) H5Gclose(group);
    } else { // another dataset in its place, by a hard or a soft link
        const char *other = fields[byte[3] % FIELDS];
        if (byte[1] % 6 == 4)
            H5Lcreate_hard(file, other, file, name, links, H5P_DEFAULT);
        else
            H5Lcreate_soft(other, file, name, links, H5P_DEFAULT);
    }
    H5Pclose(links);
}

static bool seed_fields(int number, struct fuzz_input *in)
{
    in->size = (size_t)(4 + 8 * number);
    for (size_t k = 0; k < in->size; k++) in->bytes[k] = (unsigned char)(37 * k + 11);
    return number < 4;
}

static void run_fields(const struct fuzz_input *in, const char *file)
{
    static struct fuzz_input good;
    char path[80];
    if (!good.size) seed_hdf5(3, &good);
    snprintf(path, sizeof path, "%s.hdf5", file);
    store(&good, path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t open = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (size_t k = 0; open >= 0 && k + 4 <= in->size && k < 64; k += 4)
        edit(open, in->bytes + k);
    H5Fclose(open);
    read_snapshot(path);
}

// --- checkpoints -----------------------------------------------------------------------

static bool open_ball(struct dls_sim *sim, struct dls_arena *a)
{
    const struct dls_example *example = dls_example_find("bouncing-ball");
    struct dls_asked asked = {.setup = dls_setup_default("moreau", 1e-3), .scale = 1};
    struct dls_scene scene = {0};
    void *opt = DLS_NEW(a, char, example->options_size);
    dls_option_defaults(example->options, opt);
    asked.options = opt;
    if (example->make(&scene, &asked, a, NULL)) return false;
    return !dls_sim_open(sim, scene.system, &asked.setup, scene.q, scene.v, a);
}

static void write_checkpoint(struct fuzz_input *in)
{
    const char *path = "/dev/shm/delassus-seed-checkpoint";
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_checkpoint c = {.title = "ball"};
    hold(open_ball(&sim, &a) && !dls_sim_step(&sim, NULL));
    hold(!dls_checkpoint_write(&sim, &c, path, NULL) && load(in, path));
    remove(path);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

static bool seed_checkpoint(int number, struct fuzz_input *to)
{
    static struct fuzz_input kept;
    if (number >= 1) return false;
    if (!kept.size) write_checkpoint(&kept);
    to->size = kept.size;
    memcpy(to->bytes, kept.bytes, kept.size);
    return true;
}

static void run_checkpoint(const struct fuzz_input *in, const char *file)
{
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_checkpoint c = {.title = "ball"};
    struct dls_error err = {""};
    store(in, file);
    hold(open_ball(&sim, &a));
    if (dls_checkpoint_read(&sim, &c, file, &err))
        sentence(&err);
    else
        hold(!dls_sim_step(&sim, &err));
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

// --- texts of the harness --------------------------------------------------------------

static bool seed_text(const char *const *texts, int number, struct fuzz_input *in)
{
    if (!texts[number]) return false;
    in->size = strlen(texts[number]);
    memcpy(in->bytes, texts[number], in->size);
    return true;
}

static bool seed_results(int number, struct fuzz_input *in)
{
    static const char *const texts[] = {
        "problem,solver,tol,status\np,a,1e-8,converged\n\"q, r\",\"b "
        "\"\"c\"\"\",1,stalled\n",
        "a,b\n1,2\n\n3,4\n",
        NULL,
    };
    return seed_text(texts, number, in);
}

static void run_results(const struct fuzz_input *in, const char *file)
{
    struct dls_arena a = {0};
    struct dls_sheet sheet;
    struct dls_error err = {""};
    store(in, file);
    if (dls_sheet_read(&sheet, file, &a, &err)) sentence(&err);
    for (int k = 0; k < sheet.rows * sheet.columns; k++)
        hold(printable(sheet.cells[k]));
    dls_arena_free(&a);
}

static bool seed_json(int number, struct fuzz_input *in)
{
    static const char *const texts[] = {
        "{\"suite\": \"a \\\"b\\\" \\u00e9\", \"tols\": [1e-4, 1e-8], \"m\": {\"c\": "
        "2}}",
        "{\"none\": [], \"yes\": true, \"gpu\": null}",
        NULL,
    };
    return seed_text(texts, number, in);
}

static void run_json(const struct fuzz_input *in, const char *file)
{
    (void)file;
    struct dls_arena a = {0};
    struct dls_facts facts;
    char *text = DLS_NEW(&a, char, in->size + 1);
    memcpy(text, in->bytes, in->size);
    dls_json_flatten(&facts, text, &a);
    dls_arena_free(&a);
}

static const char *const option_words[] = {
    "pgs", "newton", "auto", "all", ":",   ",",    "=", "omega=", "order=shuffled",
    "tol", "1e308",  "-1",   "nan", "inf", "0x10", " ", "..",     "%s%n",
    NULL,
};

static bool seed_options(int number, struct fuzz_input *in)
{
    static const char *const texts[] = {
        "pgs:omega=1.2:order=shuffled,newton:function=fb",
        "all",
        "lemke:facets=8,uzawa,osqp",
        NULL,
    };
    return seed_text(texts, number, in);
}

static void run_options(const struct fuzz_input *in, const char *file)
{
    (void)file;
    struct dls_arena a = {0};
    struct dls_specs specs;
    struct dls_error err = {""};
    char *text = DLS_NEW(&a, char, in->size + 1);
    memcpy(text, in->bytes, in->size);
    if (dls_specs_parse(&specs, text, &a, &err))
        hold(err.text[0]);
    else
        dls_specs_set(&specs, text, &err);
    struct dls_setup setup = dls_setup_default("moreau", 1e-3);
    dls_setup_scheme(&setup, text, &a, &err);
    dls_arena_free(&a);
}

static const char *const number_words[] = {
    "-1", "0", "1",  "2147483648", "1e400",     "nan", "inf",
    "-",  ".", "\n", " ",          "999999999", ":",   NULL,
};
static const char *const csv_words[] = {"\"", ",", "\n", "\r\n", "\"\"", NULL};
static const char *const json_words[] = {"{",   "}", "[", "]",   "\"",
                                         "\\u", ":", ",", "1e9", NULL};

const struct fuzz_target fuzz_targets[] = {
    {"hdf5-bytes", "bytes of snapshots", seed_hdf5, NULL, run_hdf5, true, 5},
    {"hdf5-fields", "fields of snapshots: other numbers, lengths, types, links",
     seed_fields, NULL, run_fields, true, 8},
    {"dat", "snapshots as text", seed_dat, number_words, run_dat, false, 3},
    {"checkpoint", "states of runs", seed_checkpoint, NULL, run_checkpoint, false, 1},
    {"results", "results.csv", seed_results, csv_words, run_results, false, 1},
    {"json", "campaign.json", seed_json, json_words, run_json, false, 1},
    {"options", "solvers and schemes with their options", seed_options, option_words,
     run_options, false, 1},
    {0},
};
