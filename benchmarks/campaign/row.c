// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/row.h"

#include <math.h>
#include <string.h>

#include "benchmarks/campaign/record.h"
#include "benchmarks/terminal/commands.h"

// --- how it ended ----------------------------------------------------------------------

bool dls_status_is_passing(const char *status)
{
    return !strcmp(status, "lost") || !strcmp(status, "io");
}

const char *dls_row_status(const struct dls_row *row, char message[DLS_ROW_MESSAGE])
{
    const struct dls_process *p = row->process;
    const struct dls_stats *stats = &p->rows[row->tol_number].stats;
    char end[DLS_ROW_MESSAGE];
    bool told = p->told[row->tol_number];
    const char *bad = dls_process_misfortune(p, told, end);
    if (!bad) // all is well
        snprintf(message, DLS_ROW_MESSAGE, "%s", stats->message);
    else if (told) // the verdict was there before
        snprintf(message, DLS_ROW_MESSAGE, "%s afterwards: %.400s", bad, end);
    else
        snprintf(message, DLS_ROW_MESSAGE, "%s%.480s",
                 p->facts.d ? "" : "before the file was read: ", end);
    int error = p->rows[row->tol_number].history_error;
    if (error)
        snprintf(message + strlen(message), DLS_ROW_MESSAGE - strlen(message),
                 "%sits history was not written: %s", *message ? "; " : "",
                 strerror(error));
    return told ? dls_status_name(stats->status) : bad;
}

// --- the cells -------------------------------------------------------------------------

static void add_problem(struct dls_cells *s, const struct dls_row *r)
{
    const struct dls_problem_facts *f = &r->process->facts;
    int first = s->count;
    dls_cells_text(s, "problem", r->problem);
    dls_cells_text(s, "file", r->file);
    dls_cells_count(s, "contacts", f->contacts);
    dls_cells_count(s, "d", f->d);
    dls_cells_count(s, "m", f->m);
    dls_cells_count(s, "n", f->n);
    dls_cells_count(s, "joints", f->joints);
    dls_cells_add(s, dls_cell_truth("rolling", f->rolling));
    dls_cells_count(s, "bodies", f->bodies);
    dls_cells_real(s, "density", f->density);
    dls_cells_real(s, "rank_def", f->rank_def);
    dls_cells_real(s, "mu_min", f->mu_min);
    dls_cells_real(s, "mu_max", f->mu_max);
    for (int k = first + 2; k < s->count && !f->d; k++)
        s->all[k] = dls_cell_text(s->all[k].name, NULL); // the file was not read
}

static void add_question(struct dls_cells *s, const struct dls_row *r)
{
    const struct dls_terms *t = r->terms;
    dls_cells_text(s, "solver", r->solver ? r->solver->name : NULL);
    dls_cells_text(s, "options", r->options);
    dls_cells_real(s, "tol", r->tol);
    dls_cells_text(s, "measure", dls_measure_name(t->measure));
    dls_cells_real(s, "max_time", t->max_time);
    dls_cells_real(s, "max_memory", t->max_memory);
    dls_cells_count(s, "seed", t->seed);
    dls_cells_text(s, "start", dls_start_names[t->start]);
    dls_cells_count(s, "threads", t->threads);
    dls_cells_text(s, "clock", dls_clock_names[t->clock]);
    dls_cells_add(s,
                  dls_cell_truth("peer", r->solver && dls_solver_is_peer(r->solver)));
    dls_cells_text(s, "cite", r->solver ? r->solver->cite : NULL);
}

static void add_answer(struct dls_cells *s, const struct dls_row *r,
                       struct dls_message *m, char message[DLS_ROW_MESSAGE])
{
    bool answered =
        r->process->told[r->tol_number] && isfinite(m->stats.measures.natural);
    dls_cells_text(s, "status", dls_row_status(r, message));
    dls_cells_text(s, "message", message);
    int first = s->count;
    m->stats.relaxes = m->relaxes;
    dls_record_answer(s, &m->stats);
    bool known = isfinite(m->stats.energy.work);
    dls_cells_real(s, "positive", known ? m->stats.energy.positive : NAN);
    dls_cells_real(s, "time", m->time);
    dls_cells_real(s, "time_median", m->median);
    dls_cells_real(s, "time_most", m->most);
    dls_cells_count(s, "repeats", m->repeats);
    dls_cells_count(s, "run_iterations", m->run_iterations);
    dls_cells_add(s, m->says ? dls_cell_truth("claimed", m->claims)
                             : dls_cell_text("claimed", NULL));
    dls_cells_real(s, "claim_natural", m->claims ? m->claim_natural : NAN);
    dls_cells_real(s, "claim_merit", m->claims ? m->claim_merit : NAN);
    dls_record_effort(s, &m->stats);
    dls_cells_real(s, "peak_memory", r->process->peak);
    for (int k = first; k < s->count - 1 && !answered; k++)
        s->all[k] = dls_cell_text(s->all[k].name, NULL); // nothing was judged
    dls_cells_text(s, "history",
                   r->process->runs && !m->history_error ? r->history : NULL);
}

// The share of the processors' time that went to other guests during the run; unknown
// where the run was too short for the 10 ms ticks of the system to tell.
static double stolen(const struct dls_load *before, const struct dls_load *after)
{
    enum { TICKS = 20 };
    double time = after->time - before->time;
    return time >= TICKS ? (after->stolen - before->stolen) / time : NAN;
}

static void add_provenance(struct dls_cells *s, const struct dls_row *r)
{
    const struct dls_environment *e = &r->terms->environment;
    dls_cells_count(s, "residual_version", DLS_RESIDUAL_VERSION);
    dls_cells_text(s, "version", DLS_VERSION);
    dls_cells_text(s, "commit", dls_build_commit);
    dls_cells_text(s, "build", r->build);
    dls_cells_text(s, "data", r->data);
    dls_cells_text(s, "compiler", dls_build_compiler);
    dls_cells_text(s, "libraries", e->libraries);
    dls_cells_text(s, "package", r->solver ? r->solver->version : NULL);
    dls_cells_text(s, "machine", e->machine);
    dls_cells_text(s, "cpu", e->cpu);
    dls_cells_text(s, "started", r->started);
    dls_cells_real(s, "load", r->before.average);
    dls_cells_real(s, "steal", stolen(&r->before, &r->after));
    dls_cells_real(s, "mhz", r->before.mhz);
}

// A row is a line: no cell may break it.
static void flatten(char *words)
{
    for (; *words; words++)
        if ((unsigned char)*words < 0x20) *words = ' ';
}

int dls_row_cells(const struct dls_row *row, struct dls_cell cells[DLS_ROW_CELLS],
                  struct dls_row_texts *texts)
{
    static const struct dls_terms no_terms;
    static const struct dls_process no_process;
    const struct dls_row empty = {.terms = &no_terms, .process = &no_process};
    if (!row) row = &empty;
    struct dls_cells s = {cells, 0, DLS_ROW_CELLS};
    texts->told = row->process->rows[row->tol_number];
    add_problem(&s, row);
    add_question(&s, row);
    add_answer(&s, row, &texts->told, texts->message);
    add_provenance(&s, row);
    flatten(texts->message);
    flatten(texts->told.stats.work.note);
    return s.count;
}
