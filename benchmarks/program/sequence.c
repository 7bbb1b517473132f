// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/program/sequence.h"

#include "formulations/files/snapshot.h"

#include "base/clock.h"

#include "benchmarks/program/race.h"
#include "benchmarks/terminal/cli.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/reading.h"

// One file, in memory of its own.
static enum dls_status solve_file(struct dls_race *race, const char *path, long step,
                                  const struct dls_campaign *c, struct dls_error *err)
{
    struct dls_arena memory = {0};
    struct dls_problem p;
    enum dls_status status =
        dls_read_snapshot(&p, path, (enum dls_dat_kind)c->kind, &memory, err);
    if (!status) p.threads = c->terms.threads;
    if (!status && !p.identity)
        status = dls_fail(err, DLS_EINVAL,
                          "%.150s: no identities of contacts, which 'run --record' "
                          "writes",
                          path);
    uint64_t *id = status ? NULL : DLS_NEW(&memory, uint64_t, p.contacts);
    if (!status && !id) status = dls_fail(err, DLS_ENOMEM, "out of memory");
    for (int k = 0; id && k < p.contacts; k++)
        id[k] = dls_identity_join(p.identity + 2 * k);
    if (!status)
        status = dls_race_step(race, &p, (struct dls_names){id, sizeof *id}, step, err);
    dls_arena_free(&memory);
    return status;
}

int dls_bench_sequence(const struct dls_campaign *c, const char *csv, bool cold)
{
    struct dls_error err = {"out of memory"};
    struct dls_race race = {
        .specs = &c->specs,
        .settings = dls_settings_default(),
        .own = true,
        .cold = cold,
        .csv_path = csv,
        .arena = c->arena,
    };
    if (c->terms.clock == DLS_CLOCK_CPU) dls_clock_count_work();
    race.settings.tol = c->tols[c->tolerances - 1];
    race.settings.measure = c->terms.measure;
    race.settings.max_time = c->terms.max_time;
    race.settings.seed = (uint64_t)c->terms.seed;
    race.settings.cancel = &dls_cancelled;
    enum dls_status status = dls_race_open(&race, &err);
    for (int k = 0; k < c->suite.count && !status; k++)
        status = solve_file(&race, c->suite.files[k], k + 1, c, &err);
    if (!status || status == DLS_STOPPED) dls_race_summary(&race, stdout);
    bool solved = !status && dls_race_solved(&race);
    enum dls_status closed = dls_race_close(&race, &err);
    if ((status && status != DLS_STOPPED) || closed)
        return dls_complain("%s", err.text);
    return solved ? DLS_EXIT_GOOD : DLS_EXIT_FAILED;
}
