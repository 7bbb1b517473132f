// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/campaign/record.h"

#include <math.h>

const char *dls_measure_name(enum dls_measure measure)
{
    static const char *const names[] = {"natural", "merit", "both", "correction"};
    return names[measure];
}

bool dls_record_is_doubtful(const struct dls_record *r)
{
    double tol = r->settings->tol;
    double one = r->stats->measures.natural, other = r->stats->measures.merit;
    return (one <= tol && other > 100 * tol) || (other <= tol && one > 100 * tol);
}

static void text(struct dls_cells *s, const char *name, const char *value)
{
    dls_cells_add(s, dls_cell_text(name, value));
}
static void real(struct dls_cells *s, const char *name, double value)
{
    dls_cells_add(s, dls_cell_real(name, value));
}
static void count(struct dls_cells *s, const char *name, long value)
{
    dls_cells_add(s, dls_cell_count(name, value));
}

static void add_question(struct dls_cells *s, const struct dls_record *r)
{
    text(s, "problem", r->name);
    text(s, "file", r->file);
    count(s, "contacts", r->problem->contacts);
    count(s, "d", r->problem->d);
    count(s, "n", r->problem->n);
    count(s, "joints", r->problem->joints);
    text(s, "solver", r->spec->label);
    text(s, "options", r->spec->changed);
    real(s, "tol", r->settings->tol);
    text(s, "measure", dls_measure_name(r->settings->measure));
    real(s, "max_time", r->settings->max_time);
    count(s, "max_iter", r->settings->max_iter);
    count(s, "seed", (long)r->settings->seed);
    count(s, "threads", r->problem->threads);
}

void dls_record_answer(struct dls_cells *s, const struct dls_stats *t)
{
    count(s, "iterations", t->iterations);
    real(s, "natural", t->measures.natural);
    real(s, "merit", t->measures.merit);
    real(s, "bipotential", t->measures.bipotential);
    real(s, "own", t->own);
    text(s, "relaxes", t->relaxes);
    real(s, "penetration", t->measures.penetration);
    real(s, "cone_excess", t->measures.cone_excess);
    real(s, "signorini", t->measures.signorini);
    real(s, "angle", t->measures.angle);
    real(s, "momentum", t->measures.momentum);
    real(s, "dissipation", -t->energy.work);
    real(s, "free_work", t->energy.free_work);
    real(s, "energy_defect", t->energy.defect);
    count(s, "open", t->measures.open);
    count(s, "stick", t->measures.stick);
    count(s, "slip", t->measures.slip);
}

void dls_record_effort(struct dls_cells *s, const struct dls_stats *t)
{
    real(s, "build_time", t->build_time);
    real(s, "create_time", t->create_time);
    real(s, "solve_time", t->solve_time);
    real(s, "check_time", t->check_time);
    count(s, "bytes", (long)t->bytes);
    count(s, "products", t->work.products);
    count(s, "local_solves", t->work.local_solves);
    count(s, "factorisations", t->work.factorisations);
    count(s, "ambiguous", t->work.ambiguous);
    text(s, "note", t->work.note);
}

int dls_record_cells(const struct dls_record *r,
                     struct dls_cell cells[DLS_RECORD_CELLS])
{
    struct dls_cells sheet = {cells, 0, DLS_RECORD_CELLS};
    add_question(&sheet, r);
    text(&sheet, "status", dls_status_name(r->stats->status));
    dls_record_answer(&sheet, r->stats);
    dls_record_effort(&sheet, r->stats);
    real(&sheet, "claimed", r->stats->work.claimed > 0 ? r->stats->work.claimed : NAN);
    text(&sheet, "message", r->stats->message);
    count(&sheet, "residual_version", DLS_RESIDUAL_VERSION);
    text(&sheet, "version", DLS_VERSION);
    return sheet.count;
}
