// SPDX-License-Identifier: Apache-2.0
// A program in any language as a solver. Lines go to and fro; arrays go through files in a
// folder of the run (docs/protocol.md has the whole of it):
//
//     we say                        it answers
//     delassus 1                    [name N] [brief B] [takes F] [reads E] [one-call]
//                                   [option NAME DEFAULT LEAST MOST HELP]... hello
//     set NAME VALUE
//     load SNAPSHOT IMPULSES        ready
//     go TOL SECONDS                [claim ERROR] [note N] [iterations K] more | done
//     quit
//
// Whatever it has to refuse it refuses by `unsupported SENTENCE`, in place of hello, ready
// or done. From `go` until `more` or `done` the clock runs; starting and loading are idle
// time. IMPULSES holds the doubles of r, the start before and the answer after `go`.
#define _GNU_SOURCE // mkdtemp

#include "solvers/outside/outside.h"
#include "solvers/outside/program.h"

#include "formulations/delassus.h"
#include "formulations/files/snapshot.h"
#include "formulations/identity.h"

#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS = 16, ARGUMENTS = 8 };

static const double start_seconds = 60; // to say hello, and to load
static const double late_seconds = 1; // that an answer may come after the time allowed

// What a program is; the context of its solver.
struct guest {
    struct dls_solver solver;
    struct dls_option options[OPTIONS + 1];
    int option_count;
    char *argv[ARGUMENTS + 1];
    const char *reads;  // ending of the snapshot it wants
    const char *cannot; // why it does not work here, or NULL
    struct dls_arena *arena;
};

// One run of it.
struct visit {
    const struct guest *guest;
    struct dls_program program;
    const struct dls_problem *problem; // as it is handed over
    struct dls_problem local;          // W, q, mu, where it wants them
    int m;
    double idle;
    bool done;
    char folder[64], snapshot[96], impulses[96];
};

// --- what it is ------------------------------------------------------------------------

static bool add_option(struct guest *g, const char *text)
{
    char name[64];
    double def, lo, hi;
    int at = 0;
    if (g->option_count == OPTIONS
        || sscanf(text, "%63s %lf %lf %lf %n", name, &def, &lo, &hi, &at) < 4 || !at
        || !(lo <= def && def <= hi))
        return false;
    int k = g->option_count++;
    g->options[k] = (struct dls_option){
        .name = dls_text(g->arena, "%s", name),
        .help = dls_text(g->arena, "%s", text[at] ? text + at : "of the program"),
        .type = DLS_TYPE_REAL,
        .at = (size_t)k * sizeof(double),
        .def = def,
        .lo = lo,
        .hi = hi,
    };
    return true;
}

// What follows the word in a line, or NULL where the line begins otherwise.
static const char *after(const char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) || (line[length] && line[length] != ' '))
        return NULL;
    return line + length + (line[length] == ' ');
}

// One line of what a program tells of itself; false where it makes no sense.
static bool learn(struct guest *g, const char *line)
{
    const char *rest;
    struct dls_solver *s = &g->solver;
    if ((rest = after(line, "name"))) {
        for (const char *p = rest; *p; p++)
            if (!isalnum((unsigned char)*p) && !strchr("-_", *p)) return false;
        return *rest && (s->name = dls_text(g->arena, "%s", rest));
    }
    if ((rest = after(line, "brief")))
        return (s->brief = dls_text(g->arena, "%s", rest));
    if ((rest = after(line, "cite"))) return (s->cite = dls_text(g->arena, "%s", rest));
    if ((rest = after(line, "version")))
        return (s->version = dls_text(g->arena, "%s", rest));
    if ((rest = after(line, "takes"))) {
        s->takes = strcmp(rest, "delassus") ? &dls_formulation_problem
                                            : &dls_formulation_delassus;
        return !strcmp(rest, "delassus") || !strcmp(rest, "problem");
    }
    if ((rest = after(line, "reads"))) {
        g->reads = dls_text(g->arena, "%s", rest);
        return !strcmp(rest, "hdf5") || !strcmp(rest, "mtx") || !strcmp(rest, "dat");
    }
    if (after(line, "one-call")) return s->one_call = true;
    if ((rest = after(line, "option"))) return add_option(g, rest);
    return false;
}

// Starts the program and hears what it is; `to_learn` is NULL where that is known.
static enum dls_status greet(struct dls_program *p, const struct guest *g,
                             struct guest *to_learn, struct dls_error *err)
{
    char line[DLS_LINE], words[64] = "says nothing";
    const char *rest, *path = g->argv[0];
    enum dls_status status = dls_program_start(p, g->argv, err);
    if (status) return status;
    dls_program_say(p, "delassus 1");
    double deadline = dls_clock() + start_seconds;
    enum dls_hearing hearing;
    while ((hearing = dls_program_hear(p, line, deadline, NULL)) == DLS_HEARD_LINE) {
        if (after(line, "hello")) return DLS_OK;
        if ((rest = after(line, "unsupported"))) {
            if (to_learn) to_learn->cannot = dls_text(g->arena, "%s", rest);
            return to_learn ? DLS_OK : dls_fail(err, DLS_UNSUPPORTED, "%.240s", rest);
        }
        if (to_learn && !learn(to_learn, line)) break;
    }
    dls_program_end(p, words);
    if (hearing == DLS_HEARD_LINE)
        return dls_fail(err, DLS_EINVAL, "%.80s: '%.80s' is not of the protocol", path,
                        line);
    return dls_fail(err, DLS_EINVAL, "%.80s: %s before it said hello", path,
                    hearing == DLS_HEARD_NOTHING ? "silent for a minute" : words);
}

// --- a run -----------------------------------------------------------------------------

// Writes the problem and the room for impulses into a fresh folder.
static enum dls_status hand_over(struct visit *v, struct dls_error *err)
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(v->folder, sizeof v->folder, "%s/delassus-XXXXXX",
                          base && *base ? base : "/tmp");
    if (length >= (int)sizeof v->folder)
        snprintf(v->folder, sizeof v->folder, "/tmp/delassus-XXXXXX");
    if (!mkdtemp(v->folder)) {
        enum dls_status status =
            dls_fail(err, DLS_EIO, "%s: %s", v->folder, strerror(errno));
        v->folder[0] = 0;
        return status;
    }
    snprintf(v->snapshot, sizeof v->snapshot, "%s/problem.%s", v->folder,
             v->guest->reads);
    snprintf(v->impulses, sizeof v->impulses, "%s/impulses", v->folder);
    return dls_snapshot_write(v->problem, v->snapshot, NULL, err);
}

static enum dls_status load(struct visit *v, const double *values,
                            struct dls_error *err)
{
    char line[DLS_LINE], words[64] = "was silent for a minute";
    struct dls_program *p = &v->program;
    const char *rest;
    for (int k = 0; k < v->guest->option_count; k++)
        if (values[k] != v->guest->options[k].def)
            dls_program_say(p, "set %s %.17g", v->guest->options[k].name, values[k]);
    dls_program_say(p, "load %s %s", v->snapshot, v->impulses);
    enum dls_hearing hearing =
        dls_program_hear(p, line, dls_clock() + start_seconds, NULL);
    if (hearing == DLS_HEARD_LINE && after(line, "ready")) return DLS_OK;
    if (hearing == DLS_HEARD_LINE && (rest = after(line, "unsupported")))
        return dls_fail(err, DLS_UNSUPPORTED, "%.240s", rest);
    if (hearing == DLS_HEARD_LINE)
        return dls_fail(err, DLS_EIO, "it said '%.200s' instead of ready", line);
    dls_program_end(p, words);
    return dls_fail(err, DLS_EIO, "it %s while it loaded the snapshot", words);
}

// The problem as the program wants it: as it is, or W, q and mu.
static enum dls_status shape(struct visit *v, const void *form, struct dls_arena *a)
{
    if (v->guest->solver.takes == &dls_formulation_problem) {
        v->problem = form;
        v->m = v->problem->m;
        return DLS_OK;
    }
    const struct dls_delassus *f = form;
    v->local = (struct dls_problem){
        .contacts = f->contacts,
        .d = f->d,
        .rolling = f->problem->rolling,
        .m = f->m,
        .mu = (double *)f->mu, // written to a file only, as the others
        .mu_r = f->problem->mu_r,
        .W = dls_bsr_to_csr(f->W, a),
        .q = (double *)f->q,
        .time = f->problem->time,
        .step = f->problem->step,
        .title = f->problem->title,
    };
    v->problem = &v->local;
    v->m = f->m;
    return v->local.W ? DLS_OK : DLS_ENOMEM;
}

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct guest *g = *self;
    if (g->cannot) return dls_fail(err, DLS_UNSUPPORTED, "%.240s", g->cannot);
    double start = dls_clock();
    struct visit *v = DLS_NEW(a, struct visit, 1);
    if (!v) return DLS_ENOMEM;
    v->guest = g;
    *self = v;
    enum dls_status status = shape(v, form, a);
    if (!status) status = hand_over(v, err);
    if (!status) status = greet(&v->program, g, NULL, err);
    if (!status) status = load(v, opt, err);
    v->idle = dls_clock() - start;
    return status;
}

static double idle(const void *self) { return ((const struct visit *)self)->idle; }

static bool write_impulses(const struct visit *v, const double *r)
{
    FILE *file = fopen(v->impulses, "wb");
    if (!file) return false;
    size_t written = fwrite(r, sizeof *r, (size_t)v->m, file);
    return !fclose(file) && written == (size_t)v->m;
}

// The answer, where the file has the right length.
static enum dls_status read_impulses(const struct visit *v, double *r, char note[80])
{
    FILE *file = fopen(v->impulses, "rb");
    double one_more;
    size_t got = file ? fread(r, sizeof *r, (size_t)v->m, file) : 0;
    bool right = got == (size_t)v->m && !fread(&one_more, 1, 1, file);
    if (file) fclose(file);
    if (right) return DLS_OK;
    snprintf(note, 80, "it wrote %s %d impulses",
             got < (size_t)v->m ? "less than" : "more than", v->m);
    return DLS_EIO;
}

// "solved", "failed", or its own error; the words stand for an error that is just small
// enough, and for one without bound.
static void note_claim(struct dls_work *work, const char *text)
{
    char *end;
    double error = strtod(text, &end);
    if (end != text && error >= 0)
        work->claimed = fmax(error, 1e-300); // 0 would be no say
    else
        work->claimed = strcmp(text, "solved") ? INFINITY : work->tol;
}

// Hears until the program is through.
static enum dls_status follow(struct visit *v, struct dls_work *work)
{
    char line[DLS_LINE], words[64] = "";
    const char *rest;
    enum dls_hearing hearing;
    while ((hearing = dls_program_hear(&v->program, line, work->deadline + late_seconds,
                                       work->cancel))
           == DLS_HEARD_LINE) {
        if (after(line, "done")) return DLS_FINISHED;
        if (after(line, "more")) return DLS_OK;
        if ((rest = after(line, "unsupported"))) {
            snprintf(work->note, sizeof work->note, "%.79s", rest);
            return DLS_UNSUPPORTED;
        }
        if ((rest = after(line, "claim")))
            note_claim(work, rest);
        else if ((rest = after(line, "note")))
            snprintf(work->note, sizeof work->note, "%.79s", rest);
        else if ((rest = after(line, "iterations")))
            work->products += strtol(rest, NULL, 10);
        else
            return snprintf(work->note, sizeof work->note,
                            "'%.40s' is not of the protocol", line),
                   DLS_EIO;
    }
    v->done = true;
    dls_program_end(&v->program, words);
    if (hearing == DLS_HEARD_NOTHING) {
        snprintf(work->note, sizeof work->note, "no answer in the time allowed");
        return work->cancel && *work->cancel ? DLS_STOPPED : DLS_MAX_TIME;
    }
    snprintf(work->note, sizeof work->note, "the program %s", words);
    return DLS_EIO;
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    struct visit *v = self;
    if (v->done) return DLS_FINISHED;
    if (!write_impulses(v, z)) {
        snprintf(work->note, sizeof work->note, "%s: %.30s", "impulses",
                 strerror(errno));
        return DLS_EIO;
    }
    dls_program_say(&v->program, "go %.17g %.17g", work->tol,
                    work->deadline - dls_clock());
    enum dls_status status = follow(v, work);
    if (status != DLS_OK && status != DLS_FINISHED) return status;
    enum dls_status reading = read_impulses(v, z, work->note);
    return reading ? reading : status;
}

static void destroy(void *self)
{
    struct visit *v = self;
    char words[64], pattern[96];
    glob_t found = {0};
    dls_program_end(&v->program, words);
    if (!v->folder[0]) return;
    snprintf(pattern, sizeof pattern, "%s/*", v->folder);
    if (!glob(pattern, 0, NULL, &found))
        for (size_t k = 0; k < found.gl_pathc; k++) unlink(found.gl_pathv[k]);
    globfree(&found);
    rmdir(v->folder);
}

// --- the solver ------------------------------------------------------------------------

// "gauss" of "/home/me/gauss.py", for programs that do not tell their name.
static const char *stem(const char *path, struct dls_arena *a)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return dls_text(a, "%.*s", (int)strcspn(name, "."), name);
}

enum dls_status dls_outside_program(const struct dls_solver **out,
                                    const char *const *argv, struct dls_arena *a,
                                    struct dls_error *err)
{
    char words[64];
    struct dls_program program = {0};
    struct guest *g = DLS_NEW(a, struct guest, 1);
    int count = 0;
    if (!g) return dls_fail(err, DLS_ENOMEM, "out of memory");
    for (; argv[count] && count < ARGUMENTS; count++)
        g->argv[count] = dls_text(a, "%s", argv[count]);
    g->arena = a;
    g->reads = "hdf5";
    g->solver = (struct dls_solver){
        .name = stem(argv[count - 1], a),
        .brief = "a program outside of the library",
        .cite = "",
        .use = "See its own documentation.",
        .fails = "See its own documentation.",
        .takes = &dls_formulation_problem,
        .options = g->options,
        .allocates = true,
        .context = g,
        .create = create,
        .step = step,
        .idle = idle,
        .destroy = destroy,
    };
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    enum dls_status status = greet(&program, g, g, err);
    dls_program_end(&program, words);
    g->solver.options_size = (size_t)g->option_count * sizeof(double);
    *out = &g->solver;
    return status;
}
