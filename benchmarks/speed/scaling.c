// SPDX-License-Identifier: Apache-2.0
// Time and memory of a solver against the number of contacts.
//
//     scaling [--families wall,pyramid,packing] [--solver auto] [--csv FILE] [...]
//
// Structures of three families (scaling_family.c) grow by sqrt(10) in contacts up to the
// largest. Each is made and solved in a process of its own, so that its peak of resident
// memory is its own; what a process without a problem holds is taken off before the fit.
// At the end, for each family, the exponents of
//
//     time = build + create + solve ~ contacts^a,      memory ~ contacts^b
//
// by least squares in logarithms over the sizes that converged: where a family fails
// early, the exponent tells only of the range that is printed with it. Times are those that
// processors worked, so that other work on the machine changes little. Rows are printed
// and written when they are known; an interrupted run keeps them.
#include "benchmarks/speed/scaling.h"

#include "solvers/solver.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/process.h"
#include "benchmarks/terminal/output.h"

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_BAD_USE = 2 };

struct scaling_options {
    double min_contacts, max_contacts, tol, max_time, max_memory;
};

static const struct dls_option table[] = {
    DLS_REAL(scaling_options, min_contacts, 300, 10, 1e6, "least contacts"),
    DLS_REAL(scaling_options, max_contacts, 1e5, 10, 1e6, "most contacts, about"),
    DLS_REAL(scaling_options, tol, 1e-8, 0, 1, "natural residual to reach"),
    DLS_REAL(scaling_options, max_time, 60, 0, 1e6, "seconds for each size"),
    DLS_REAL(scaling_options, max_memory, 8000, 0, 1e9,
             "MB for each size; 0 = no limit"),
    {0},
};

struct study {
    struct scaling_options opt;
    const char *families, *solver, *csv, *svg, *from;
    FILE *rows;  // the CSV file, or NULL
    double idle; // resident bytes of a process without a problem
    int failed;  // sizes that did not converge
};

static int complain(const char *subject, const char *text)
{
    fprintf(stderr, "scaling: %s%s%s\n", subject, *subject ? ": " : "", text);
    return EXIT_BAD_USE;
}

// --- one size --------------------------------------------------------------------------

struct size {
    enum dls_family family;
    struct dls_process process; // ended
    const struct dls_message *row;
    const char *status;
    double seconds, peak;
};

// Runs this program again as a child with the given words and waits for its end.
static bool run_child(const struct study *s, struct dls_process *p, char *const argv[])
{
    // A step may be slow to look at the clock, and waiting for a processor is not counted.
    double limit = 20 * (1.5 * s->opt.max_time + 5);
    if (!dls_process_start(p, argv, limit, 1e6 * s->opt.max_memory)) return false;
    while (p->ending == DLS_RUNNING) dls_process_watch(p, 1);
    return true;
}

static const char *status_of(const struct dls_process *p)
{
    if (p->ending == DLS_OUT_OF_MEMORY) return "out_of_memory";
    if (p->ending == DLS_KILLED) return "killed";
    if (p->signal || !p->told[0]) return "crashed";
    return dls_status_name(p->rows[0].stats.status);
}

static bool measure(const struct study *s, struct size *z, double contacts)
{
    char wanted[32], tol[32], max_time[32], family[32], solver[64];
    snprintf(wanted, sizeof wanted, "%.0f", contacts);
    snprintf(tol, sizeof tol, "%.17g", s->opt.tol);
    snprintf(max_time, sizeof max_time, "%.17g", s->opt.max_time);
    snprintf(family, sizeof family, "%s", dls_family_names[z->family]);
    snprintf(solver, sizeof solver, "%s", s->solver);
    char *const argv[] = {"scaling", "--child", family,   wanted,
                          solver,    tol,       max_time, NULL};
    if (!run_child(s, &z->process, argv)) return false;
    z->row = &z->process.rows[0];
    z->status = status_of(&z->process);
    z->seconds =
        z->process.ending == DLS_ENDED && z->process.told[0] ? z->row->time : NAN;
    z->peak = z->process.peak;
    return true;
}

static bool converged(const struct size *z)
{
    return z->process.ending == DLS_ENDED && z->process.told[0]
           && z->row->stats.status == DLS_OK;
}

static double natural(const struct size *z)
{
    return z->process.told[0] ? z->row->stats.measures.natural : NAN;
}

// --- rows ------------------------------------------------------------------------------

static void print_head(const struct study *s)
{
    char tol[32], peak[16];
    printf("%s to %s, %g s for each size; a process without a problem holds %s\n\n",
           s->solver, dls_format_tolerance(s->opt.tol, tol), s->opt.max_time,
           dls_format_bytes(s->idle, peak));
    printf("%-8s %9s %6s %9s %-13s %9s %9s %9s %9s %9s %6s  %s\n", "family", "contacts",
           "m/n", "residual", "status", "generate", "build", "solve", "arena", "peak",
           "slip", "methods");
    fflush(stdout);
}

static void print_row(const struct size *z)
{
    const struct dls_problem_facts *f = &z->process.facts;
    const struct dls_stats *stats = &z->row->stats;
    char text[6][16];
    printf("%-8s %9d %6.2f %9s %-13s %9s %9s %9s %9s %9s %5.0f%%  %s\n",
           dls_family_names[z->family], f->contacts, f->n ? (double)f->m / f->n : NAN,
           dls_format_real(natural(z), text[0]), z->status,
           dls_format_time(f->seconds, text[1]),
           dls_format_time(stats->build_time + stats->create_time, text[2]),
           dls_format_time(stats->solve_time, text[3]),
           dls_format_bytes((double)stats->bytes, text[4]),
           dls_format_bytes(z->peak, text[5]),
           100.0 * stats->measures.slip / (f->contacts ? f->contacts : 1),
           stats->work.note);
    fflush(stdout);
}

static void write_row(const struct study *s, const struct size *z, bool names)
{
    const struct dls_problem_facts *f = &z->process.facts;
    const struct dls_stats *stats = &z->row->stats;
    const struct dls_cell cells[] = {
        dls_cell_text("family", dls_family_names[z->family]),
        dls_cell_count("contacts", f->contacts),
        dls_cell_count("m", f->m),
        dls_cell_count("n", f->n),
        dls_cell_real("density", f->n ? (double)f->m / f->n : NAN),
        dls_cell_text("solver", s->solver),
        dls_cell_real("tol", s->opt.tol),
        dls_cell_real("max_time", s->opt.max_time),
        dls_cell_text("status", z->status),
        dls_cell_real("natural", natural(z)),
        dls_cell_real("merit", z->process.told[0] ? stats->measures.merit : NAN),
        dls_cell_real("generate_time", f->seconds),
        dls_cell_real("build_time", stats->build_time),
        dls_cell_real("create_time", stats->create_time),
        dls_cell_real("solve_time", stats->solve_time),
        dls_cell_real("check_time", stats->check_time),
        dls_cell_real("time", z->seconds),
        dls_cell_count("bytes", (long)stats->bytes),
        dls_cell_real("peak_memory", z->peak),
        dls_cell_real("idle_memory", s->idle),
        dls_cell_count("open", stats->measures.open),
        dls_cell_count("stick", stats->measures.stick),
        dls_cell_count("slip", stats->measures.slip),
        dls_cell_count("factorisations", stats->work.factorisations),
        dls_cell_text("note", stats->work.note),
    };
    int count = sizeof cells / sizeof *cells;
    if (names)
        dls_print_csv_names(s->rows, cells, count);
    else
        dls_print_csv(s->rows, cells, count);
}

// --- the study -------------------------------------------------------------------------

// Sizes from the largest down by sqrt(10), returned ascending.
static int choose_sizes(const struct scaling_options *o, double sizes[])
{
    int count = 0;
    for (double c = o->max_contacts; c > 0.99 * o->min_contacts; c /= sqrt(10))
        if (count < DLS_SCALING_SIZES) sizes[count++] = c;
    for (int k = 0; k < count / 2; k++) {
        double swap = sizes[k];
        sizes[k] = sizes[count - 1 - k];
        sizes[count - 1 - k] = swap;
    }
    return count;
}

static bool run_family(struct study *s, struct dls_scaling *to)
{
    double sizes[DLS_SCALING_SIZES];
    int count = choose_sizes(&s->opt, sizes);
    for (int k = 0; k < count; k++) {
        struct size z = {.family = to->family};
        if (!measure(s, &z, sizes[k])) return false;
        print_row(&z);
        if (s->rows) write_row(s, &z, false);
        s->failed += !converged(&z);
        to->contacts[k] = z.process.facts.contacts;
        to->seconds[k] = converged(&z) ? z.seconds : NAN;
        to->bytes[k] = converged(&z) ? z.peak - s->idle : NAN;
    }
    to->sizes = count;
    return true;
}

static void print_fit(const char *what, const struct dls_scaling *s, const double *y)
{
    struct dls_power_law law = dls_power_law_fit(s->contacts, y, s->sizes);
    const char *family = dls_family_names[s->family];
    if (!isfinite(law.exponent))
        printf("%-8s %-6s no exponent: %d of %d sizes converged\n", family, what,
               law.points, s->sizes);
    else
        printf("%-8s %-6s ~ contacts^%.2f over %d of %d sizes, %.0f to %.0f contacts\n",
               family, what, law.exponent, law.points, s->sizes, law.lo, law.hi);
}

static bool draw(const char *path, const struct dls_scaling *all, int count, bool bytes)
{
    struct dls_file to;
    if (!dls_file_begin(&to, path)) return false;
    dls_scaling_draw(to.out, all, count, bytes);
    return dls_file_end(&to, true);
}

// Time into FILE.svg and memory into FILE-memory.svg.
static int draw_both(const char *path, const struct dls_scaling *all, int count)
{
    char memory[4096];
    size_t length = strlen(path), end = length > 4 ? length - 4 : length;
    if (strcmp(path + end, ".svg")) end = length;
    snprintf(memory, sizeof memory, "%.*s-memory%s", (int)end, path, path + end);
    if (!draw(path, all, count, false)) return complain(path, strerror(errno));
    if (!draw(memory, all, count, true)) return complain(memory, strerror(errno));
    return EXIT_GOOD;
}

static int conclude(const struct study *s, const struct dls_scaling *all, int count)
{
    putchar('\n');
    for (int k = 0; k < count; k++) {
        print_fit("time", &all[k], all[k].seconds);
        print_fit("memory", &all[k], all[k].bytes);
    }
    if (s->rows && fclose(s->rows)) return complain(s->csv, strerror(errno));
    int code = s->svg ? draw_both(s->svg, all, count) : EXIT_GOOD;
    return code ? code : s->failed ? EXIT_FAILED : EXIT_GOOD;
}

static int run(struct study *s, struct dls_scaling *all, int count)
{
    struct size none = {.row = &none.process.rows[0], .status = ""};
    char *const idle[] = {"scaling", "--child", NULL};
    if (s->csv && !(s->rows = fopen(s->csv, "w")))
        return complain(s->csv, strerror(errno));
    if (s->rows) write_row(s, &none, true);
    if (!run_child(s, &none.process, idle)) return complain("fork", strerror(errno));
    s->idle = none.process.peak;
    print_head(s);
    for (int k = 0; k < count; k++)
        if (!run_family(s, &all[k])) return complain("fork", strerror(errno));
    return conclude(s, all, count);
}

// Exponents and figures of rows that are there.
static int repeat(struct study *s, struct dls_scaling *all)
{
    struct dls_arena arena = {0};
    struct dls_error err;
    int count;
    enum dls_status status = dls_scaling_read(all, &count, s->from, &arena, &err);
    int code = status ? complain("", err.text) : conclude(s, all, count);
    dls_arena_free(&arena);
    return code;
}

// --- the command line ------------------------------------------------------------------

static void help(void)
{
    char value[64], flag[64];
    struct scaling_options defaults;
    dls_option_defaults(table, &defaults);
    puts("usage: scaling [flags]: time and memory of a solver against contacts\n\n"
         "  --families LIST     of wall, pyramid, packing (all)\n"
         "  --solver NAME       (auto)\n"
         "  --csv FILE          write the rows\n"
         "  --svg FILE          draw time in FILE.svg and memory in FILE-memory.svg\n"
         "  --from FILE         no runs: the rows that --csv wrote before");
    for (const struct dls_option *row = table; row->name; row++) {
        snprintf(flag, sizeof flag, "%s X", row->name);
        for (char *c = flag; *c; c++) *c = *c == '_' ? '-' : *c;
        printf("  --%-17s %s (%s)\n", flag, row->help,
               dls_option_value(row, &defaults, value));
    }
    puts("\nExit 0: all sizes converged; 1: some did not; 2: bad use.");
}

// Takes one flag and its value; false after a sentence.
static bool take(struct study *s, const char *flag, const char *value)
{
    struct {
        const char *name, **to;
    } texts[] = {{"--families", &s->families},
                 {"--solver", &s->solver},
                 {"--csv", &s->csv},
                 {"--svg", &s->svg},
                 {"--from", &s->from}};
    char name[64];
    struct dls_error err;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (strcmp(flag, texts[k].name)) continue;
        if (!value) return complain(flag, "needs a value"), false;
        *texts[k].to = value;
        return true;
    }
    snprintf(name, sizeof name, "%s", strncmp(flag, "--", 2) ? "" : flag + 2);
    for (char *c = name; *c; c++) *c = *c == '-' ? '_' : *c;
    if (!dls_option_find(table, name))
        return complain(flag, "no such flag; see --help"), false;
    if (!value) return complain(flag, "needs a value"), false;
    if (dls_option_set(table, &s->opt, name, value, "scaling", &err))
        return fprintf(stderr, "%s\n", err.text), false;
    return true;
}

// The families named, each once, in the order given; 0 after a sentence.
static int choose_families(const char *list, struct dls_scaling all[DLS_FAMILIES])
{
    int count = 0;
    for (const char *word = list; word;
         word = strchr(word, ','), word += word != NULL) {
        size_t length = strcspn(word, ",");
        int family = 0;
        while (family < DLS_FAMILIES
               && (strlen(dls_family_names[family]) != length
                   || strncmp(word, dls_family_names[family], length)))
            family++;
        bool bad = family == DLS_FAMILIES;
        for (int k = 0; k < count; k++) bad |= (int)all[k].family == family;
        if (bad) return complain(list, "takes wall, pyramid, packing, each once"), 0;
        all[count++].family = (enum dls_family)family;
    }
    return count;
}

int main(int argc, char **argv)
{
    struct study s = {.families = "wall,pyramid,packing", .solver = "auto"};
    struct dls_scaling all[DLS_FAMILIES] = {0};
    if (argc > 1 && !strcmp(argv[1], "--child"))
        return dls_scaling_child(argc - 2, argv + 2);
    dls_option_defaults(table, &s.opt);
    for (int k = 1; k < argc; k += 2) {
        if (!strcmp(argv[k], "--help")) return help(), EXIT_GOOD;
        if (!take(&s, argv[k], argv[k + 1])) return EXIT_BAD_USE;
    }
    if (!dls_solver_find(s.solver))
        return complain(s.solver, "no such solver; see 'delassus list solvers'");
    if (s.opt.max_contacts < s.opt.min_contacts)
        return complain("--max-contacts", "is below --min-contacts");
    if (s.from) return repeat(&s, all);
    int count = choose_families(s.families, all);
    return count ? run(&s, all, count) : EXIT_BAD_USE;
}
