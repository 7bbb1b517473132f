// SPDX-License-Identifier: Apache-2.0
// `delassus info`: what is in a snapshot, as far as it can be told without solving it.
#include "formulations/velocities/velocities.h"

#include "base/clock.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#include "benchmarks/campaign/spectrum.h"
#include "benchmarks/program/certificate_text.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/reading.h"

struct info_options {
    double max_time;
    int rank_size, kind;
};

static const struct dls_option info_table[] = {
    DLS_INT(info_options, rank_size, 2000, 0, 40000,
            "most rows of W for which its rank is computed"),
    DLS_REAL(info_options, max_time, 10, 0, INFINITY, "seconds for --existence"),
    DLS_KIND(info_options),
    {0},
};

struct facts {
    const char *file, *name, *form;
    const struct dls_problem *p;
    double mu_least, mu_most, density, blocks, W_asymmetry, M_asymmetry;
    int bodies; // that the pattern of W tells of, 0 where it does not
    double l_least, l_most, q_norm;
    bool ranked;
    struct dls_spectrum spectrum;
    const char *known; // which fields of /delassus are there, and which answers
    bool certified;
    struct dls_certificate certificate;
    bool looked; // for existence
    struct dls_existence existence;
};

// The names of what the file knows beyond FCLIB, one behind the other.
static const char *list_known(const struct dls_problem *p, struct dls_arena *a)
{
    const struct {
        const char *name;
        bool there;
    } fields[] = {
        {"v-", p->v_minus},
        {"u-", p->u_minus},
        {"w_ob", p->w_ob},
        {"e_n", p->e_n},
        {"e_t", p->e_t},
        {"hF", p->hF},
        {"gap", p->gap},
        {"position", p->position},
        {"bodies", p->body_start},
        {"body_pair", p->body_pair},
        {"time", !isnan(p->time)},
        {"step", !isnan(p->step)},
        {"provenance", p->provenance},
        {"solution", p->solution_r},
        {"guess", p->guess_r},
    };
    const char *text = "";
    for (size_t k = 0; k < sizeof fields / sizeof *fields && text; k++)
        if (fields[k].there)
            text = dls_text(a, "%s%s%s", text, *text ? " " : "", fields[k].name);
    return text;
}

static enum dls_status gather(struct facts *f, int rank_size, struct dls_arena *a,
                              struct dls_error *err)
{
    const struct dls_problem *p = f->p;
    struct dls_delassus form;
    f->form = dls_problem_is_global(p) ? "global" : "local";
    f->known = list_known(p, a);
    f->mu_least = f->mu_most = f->density = f->blocks = f->M_asymmetry = NAN;
    for (int k = 0; k < p->contacts; k++) {
        f->mu_least = fmin(f->mu_least, p->mu[k]);
        f->mu_most = fmax(f->mu_most, p->mu[k]);
    }
    if (p->M) f->M_asymmetry = dls_csr_asymmetry(p->M, a);
    enum dls_status status = dls_delassus_build(&form, p, a, err);
    if (status) return status;
    struct dls_csr *W = p->W && !p->joints ? p->W : dls_bsr_to_csr(form.W, a);
    if (!W) return dls_fail(err, DLS_ENOMEM, "out of memory");
    f->W_asymmetry = dls_csr_asymmetry(W, a);
    if (p->contacts) f->blocks = (double)form.W->p[p->contacts] / p->contacts;
    if (dls_velocities_density(&form, &f->bodies, &f->density))
        return dls_fail(err, DLS_ENOMEM, "out of memory");
    f->q_norm = dls_norm(p->m, form.q);
    dls_spectrum_scales(form.W, &f->l_least, &f->l_most);
    f->ranked = p->m <= rank_size && !dls_spectrum_compute(&f->spectrum, W, a);
    return a->failed ? dls_fail(err, DLS_ENOMEM, "out of memory") : DLS_OK;
}

static void print_json(const struct facts *f)
{
    const struct dls_problem *p = f->p;
    const struct dls_certificate *c = f->certified ? &f->certificate : NULL;
    const struct dls_cell cells[] = {
        dls_cell_text("problem", f->name),
        dls_cell_text("file", f->file),
        dls_cell_text("form", f->form),
        dls_cell_count("contacts", p->contacts),
        dls_cell_count("d", p->d),
        dls_cell_truth("rolling", p->rolling),
        dls_cell_count("m", p->m),
        dls_cell_count("n", p->n),
        dls_cell_count("joints", p->joints),
        dls_cell_count("bodies", p->bodies),
        dls_cell_real("mu_min", f->mu_least),
        dls_cell_real("mu_max", f->mu_most),
        dls_cell_real("density", f->density),
        dls_cell_real("blocks_per_row", f->blocks),
        dls_cell_real("rank_def", f->ranked ? f->spectrum.rank_deficiency : NAN),
        dls_cell_real("negative", f->ranked ? f->spectrum.negative : NAN),
        dls_cell_real("cond", f->ranked ? f->spectrum.condition : NAN),
        dls_cell_real("asymmetry_W", f->W_asymmetry),
        dls_cell_real("asymmetry_M", f->M_asymmetry),
        dls_cell_real("l_min", f->l_least),
        dls_cell_real("l_max", f->l_most),
        dls_cell_real("norm_q", f->q_norm),
        dls_cell_text("existence",
                      f->looked ? dls_existence_text(f->existence.verdict) : NULL),
        dls_cell_real("margin", f->looked ? f->existence.margin : NAN),
        dls_cell_real("certified_natural", c ? c->refined.natural : NAN),
        dls_cell_real("certified_merit", c ? c->refined.merit : NAN),
        dls_cell_real("null_space", c && c->null_space >= 0 ? c->null_space : NAN),
        dls_cell_real("sweep_rate", c ? c->sweep_rate : NAN),
        dls_cell_text("motion", c ? c->motion : NULL),
        dls_cell_text("certificate", c ? c->provenance : NULL),
        dls_cell_text("knows", f->known),
        dls_cell_real("time", p->time),
        dls_cell_real("step", p->step),
        dls_cell_text("title", p->title),
        dls_cell_text("description", p->description),
        dls_cell_text("math_info", p->math_info),
        dls_cell_text("provenance", p->provenance),
    };
    dls_print_json(stdout, cells, sizeof cells / sizeof *cells);
}

// A text from the file on one line.
static void print_text(const char *name, const char *text)
{
    if (!text || !*text) return;
    printf("  %-12s ", name);
    dls_print_text(stdout, text);
    putchar('\n');
}

static void print_sizes(const struct dls_problem *p)
{
    char sizes[64];
    printf("  sizes        %s (m = %d, d = %d)", dls_format_contacts(p, sizes), p->m,
           p->d);
    if (dls_problem_is_global(p)) printf(", %d velocities (n)", p->n);
    if (p->joints) printf(", %d joint rows", p->joints);
    if (p->bodies) printf(", %d bodies", p->bodies);
    putchar('\n');
}

static void print_rank(const struct facts *f)
{
    char condition[16];
    const struct dls_spectrum *s = &f->spectrum;
    int m = f->p->m, lack = s->rank_deficiency;
    if (!f->ranked) {
        printf("  rank of W    not computed (see --rank-size)\n");
        return;
    }
    if (!m) return;
    printf("  rank of W    %d of %d (deficient by %d), condition%s %s\n", m - lack, m,
           lack, lack ? " of the nonzero part" : "",
           dls_format_real(s->condition, condition));
    if (s->negative)
        printf("  %-12s %d of the deficient directions have a negative eigenvalue\n",
               "", s->negative);
}

static void print_certificate(const struct facts *f)
{
    const struct dls_certificate *c = &f->certificate;
    print_text("certificate", c->provenance);
    print_text("existence", f->looked ? NULL : c->existence);
    dls_certificate_print(stdout, c, f->p, f->p->solution_r, NULL, NULL);
}

static void print_human(const struct facts *f)
{
    struct dls_colours c = dls_colours_of(stdout);
    const struct dls_problem *p = f->p;
    char one[16], two[16], three[16];
    fputs(c.bold, stdout);
    dls_print_text(stdout, f->file);
    printf("%s: %s problem\n", c.off, f->form);
    print_text("title", p->title);
    print_text("description", p->description);
    print_text("math_info", p->math_info);
    print_text("provenance", p->provenance);
    print_sizes(p);
    if (p->contacts)
        printf(f->mu_least < f->mu_most ? "  friction     mu %g ... %g\n"
                                        : "  friction     mu %g\n",
               f->mu_least, f->mu_most);
    if (f->bodies)
        printf("  density      m/n = %.3g, bodies seen in W: %d\n", f->density,
               f->bodies);
    else if (!isnan(f->density))
        printf("  density      m/n = %.3g\n", f->density);
    if (!isnan(f->blocks)) printf("  blocks of W  %.3g a row\n", f->blocks);
    print_rank(f);
    printf("  asymmetry    W %s", dls_format_real(f->W_asymmetry, one));
    if (p->M) printf(", M %s", dls_format_real(f->M_asymmetry, two));
    putchar('\n');
    if (p->contacts)
        printf("  scaling      largest eigenvalue of W_aa %s ... %s, |q| = %s\n",
               dls_format_real(f->l_least, one), dls_format_real(f->l_most, two),
               dls_format_real(f->q_norm, three));
    printf("  also knows   %s\n", *f->known ? f->known : "nothing beyond the problem");
    if (f->looked) dls_existence_print(stdout, &f->existence);
    if (f->certified) print_certificate(f);
}

// Reads the certificate, if there is one, and looks for existence where asked to.
static enum dls_status gather_more(struct facts *f, const struct dls_args *args,
                                   struct dls_arena *a, struct dls_error *err)
{
    const struct info_options *o = args->options;
    size_t length = strlen(f->file);
    bool text = length > 4 && !strcmp(f->file + length - 4, ".dat");
    struct dls_work work = {.deadline = dls_clock() + o->max_time};
    enum dls_status status = DLS_OK;
    if (!text && f->p->solution_r)
        status =
            dls_certificate_read(&f->certificate, &f->certified, f->file, f->p, a, err);
    f->looked = dls_args_has(args, "existence");
    if (status || !f->looked) return status;
    return dls_existence_check(&f->existence, f->p, &work, a, err);
}

static bool inform(const struct dls_args *args, const char *file)
{
    const struct info_options *o = args->options;
    struct dls_arena arena = {0};
    struct dls_error err = {"out of memory"};
    struct dls_problem problem;
    struct facts facts = {.file = file, .p = &problem};
    enum dls_status status =
        dls_read_snapshot(&problem, file, (enum dls_dat_kind)o->kind, &arena, &err);
    if (status)
        dls_complain("%s", err.text);
    else if ((status = gather(&facts, o->rank_size, &arena, &err)))
        dls_complain("%s: %s", file, err.text);
    else if ((status = gather_more(&facts, args, &arena, &err)))
        dls_complain("%s", err.text);
    else {
        facts.name = dls_file_stem(file, &arena);
        if (dls_args_has(args, "json"))
            print_json(&facts);
        else
            print_human(&facts);
    }
    fflush(stdout);
    dls_arena_free(&arena);
    return !status;
}

static int run(const struct dls_args *args)
{
    bool good = true;
    for (int k = 0; k < args->count; k++) good &= inform(args, args->names[k]);
    return good ? DLS_EXIT_GOOD : DLS_EXIT_BAD_USE;
}

static const struct dls_flag info_flags[] = {
    {"json", NULL, "one JSON object per line"},
    {"existence", NULL, "find out whether a solution exists"},
    {0},
};

const struct dls_command dls_command_info = {
    .name = "info",
    .usage = "FILE... [--existence] [--json] [--rank-size N]",
    .brief = "what is in a snapshot: sizes, density, rank, friction, scaling",
    .details =
        "The rank counts eigenvalues of (W + W^T) / 2 above 1e-10 of the largest.\n"
        "\n"
        "--existence: if some velocity v gives H v + w strictly inside the dual cones, "
        "a\n"
        "solution exists; if some y >= 0 has H_N^T y = 0 and w_N.y < 0, there is "
        "none;\n"
        "otherwise existence is not guaranteed. What is claimed was verified. Nothing "
        "is\n"
        "said of plain LCPs, whose matrix need not come from bodies.",
    .flags = info_flags,
    .options = info_table,
    .options_size = sizeof(struct info_options),
    .least = 1,
    .most = -1,
    .run = run,
};
