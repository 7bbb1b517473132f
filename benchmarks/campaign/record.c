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

static void add_question(struct dls_cells *s, const struct dls_record *r)
{
    dls_cells_text(s, "problem", r->name);
    dls_cells_text(s, "file", r->file);
    dls_cells_count(s, "contacts", r->problem->contacts);
    dls_cells_count(s, "d", r->problem->d);
    dls_cells_count(s, "n", r->problem->n);
    dls_cells_count(s, "joints", r->problem->joints);
    dls_cells_text(s, "solver", r->spec->label);
    dls_cells_text(s, "options", r->spec->changed);
    dls_cells_real(s, "tol", r->settings->tol);
    dls_cells_text(s, "measure", dls_measure_name(r->settings->measure));
    dls_cells_real(s, "max_time", r->settings->max_time);
    dls_cells_count(s, "max_iter", r->settings->max_iter);
    dls_cells_count(s, "seed", (long)r->settings->seed);
    dls_cells_count(s, "threads", r->problem->threads);
}

void dls_record_answer(struct dls_cells *s, const struct dls_stats *t)
{
    dls_cells_count(s, "iterations", t->iterations);
    dls_cells_real(s, "natural", t->measures.natural);
    dls_cells_real(s, "merit", t->measures.merit);
    dls_cells_real(s, "bipotential", t->measures.bipotential);
    dls_cells_real(s, "own", t->own);
    dls_cells_text(s, "relaxes", t->relaxes);
    dls_cells_real(s, "penetration", t->measures.penetration);
    dls_cells_real(s, "cone_excess", t->measures.cone_excess);
    dls_cells_real(s, "signorini", t->measures.signorini);
    dls_cells_real(s, "angle", t->measures.angle);
    dls_cells_real(s, "momentum", t->measures.momentum);
    dls_cells_real(s, "dissipation", -t->energy.work);
    dls_cells_real(s, "free_work", t->energy.free_work);
    dls_cells_real(s, "energy_defect", t->energy.defect);
    dls_cells_count(s, "open", t->measures.open);
    dls_cells_count(s, "stick", t->measures.stick);
    dls_cells_count(s, "slip", t->measures.slip);
}

void dls_record_effort(struct dls_cells *s, const struct dls_stats *t)
{
    dls_cells_real(s, "build_time", t->build_time);
    dls_cells_real(s, "create_time", t->create_time);
    dls_cells_real(s, "solve_time", t->solve_time);
    dls_cells_real(s, "check_time", t->check_time);
    dls_cells_count(s, "bytes", (long)t->bytes);
    dls_cells_count(s, "products", t->work.products);
    dls_cells_count(s, "local_solves", t->work.local_solves);
    dls_cells_count(s, "factorisations", t->work.factorisations);
    dls_cells_count(s, "ambiguous", t->work.ambiguous);
    dls_cells_text(s, "note", t->work.note);
}

int dls_record_cells(const struct dls_record *r,
                     struct dls_cell cells[DLS_RECORD_CELLS])
{
    struct dls_cells sheet = {cells, 0, DLS_RECORD_CELLS};
    add_question(&sheet, r);
    dls_cells_text(&sheet, "status", dls_status_name(r->stats->status));
    dls_record_answer(&sheet, r->stats);
    dls_record_effort(&sheet, r->stats);
    dls_cells_real(&sheet, "claimed",
                   r->stats->work.claimed > 0 ? r->stats->work.claimed : NAN);
    dls_cells_text(&sheet, "message", r->stats->message);
    dls_cells_count(&sheet, "residual_version", DLS_RESIDUAL_VERSION);
    dls_cells_text(&sheet, "version", DLS_VERSION);
    return sheet.count;
}
