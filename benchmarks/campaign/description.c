// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "benchmarks/campaign/description.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/folder.h"
#include "benchmarks/campaign/record.h"
#include "benchmarks/terminal/commands.h"

static const char *join(const char *const *words, int count, const char *between,
                        struct dls_arena *a)
{
    const char *text = "";
    for (int k = 0; k < count && text; k++)
        text = dls_text(a, "%s%s%s", text, k ? between : "", words[k]);
    return text;
}

static const char *list_solvers(const struct dls_campaign *c)
{
    const char **labels = DLS_NEW(c->arena, const char *, c->specs.count);
    for (int k = 0; labels && k < c->specs.count; k++)
        labels[k] = dls_solver_label(c->specs.all[k].solver->name,
                                     c->specs.all[k].changed, c->arena);
    return c->arena->failed ? NULL : join(labels, c->specs.count, ",", c->arena);
}

static const char *list_tolerances(const struct dls_campaign *c)
{
    const char *text = "";
    char tol[32];
    for (int k = 0; k < c->tolerances && text; k++)
        text = dls_text(c->arena, "%s%s%s", text, k ? "," : "",
                        dls_format_tolerance(c->tols[k], tol));
    return text;
}

static void print_description(FILE *out, const struct dls_campaign *c,
                              const char *ended)
{
    const struct dls_terms *t = &c->terms;
    const struct dls_cell cells[] = {
        dls_cell_text("suite", join(c->suite_words, c->suite_count, " ", c->arena)),
        dls_cell_count("files", c->suite.count),
        dls_cell_text("solvers", list_solvers(c)),
        dls_cell_text("tolerances", list_tolerances(c)),
        dls_cell_text("measure", dls_measure_name(t->measure)),
        dls_cell_truth("separate", c->separate),
        dls_cell_real("max_time", t->max_time),
        dls_cell_real("max_memory", t->max_memory),
        dls_cell_count("repeat", c->repeat),
        dls_cell_count("jobs", c->jobs),
        dls_cell_count("threads", t->threads),
        dls_cell_text("clock", dls_clock_names[t->clock]),
        dls_cell_text("start", dls_start_names[t->start]),
        dls_cell_count("seed", t->seed),
        dls_cell_count("shards", c->shards),
        dls_cell_count("residual_version", DLS_RESIDUAL_VERSION),
        dls_cell_text("version", DLS_VERSION),
        dls_cell_text("commit", dls_build_commit),
        dls_cell_text("compiler", dls_build_compiler),
        dls_cell_text("libraries", t->environment.libraries),
        dls_cell_text("machine", t->environment.machine),
        dls_cell_text("cpu", t->environment.cpu),
        dls_cell_text("started", c->started),
        dls_cell_text("ended", ended),
    };
    dls_print_json(out, cells, sizeof cells / sizeof *cells);
}

enum dls_status dls_description_write(const struct dls_campaign *c, const char *folder,
                                      const char *ended, struct dls_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return dls_fail(err, DLS_ENOMEM, "out of memory");
    print_description(out, c, ended);
    bool good =
        !fclose(out) && dls_folder_write(folder, "campaign.json", text, size, c->arena);
    free(text);
    if (good) return DLS_OK;
    return dls_fail(err, DLS_EIO, "%s/campaign.json: %s", folder, strerror(errno));
}
