// SPDX-License-Identifier: Apache-2.0
// What the program prints: numbers for people, JSON and CSV for programs.
#ifndef DLS_BENCHMARKS_TERMINAL_OUTPUT_H
#define DLS_BENCHMARKS_TERMINAL_OUTPUT_H

#include "base/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

// One named value of a result; the same cells make a JSON object and a CSV line.
enum dls_cell_kind { DLS_CELL_TEXT, DLS_CELL_REAL, DLS_CELL_COUNT, DLS_CELL_TRUTH };

struct dls_cell {
    const char *name;
    enum dls_cell_kind kind;
    const char *text; // NULL: unknown
    double real;      // not finite: unknown
    long count;       // also a truth: 0 or 1
};

static inline struct dls_cell dls_cell_text(const char *name, const char *text)
{
    return (struct dls_cell){.name = name, .kind = DLS_CELL_TEXT, .text = text};
}
static inline struct dls_cell dls_cell_real(const char *name, double real)
{
    return (struct dls_cell){.name = name, .kind = DLS_CELL_REAL, .real = real};
}
static inline struct dls_cell dls_cell_count(const char *name, long count)
{
    return (struct dls_cell){.name = name, .kind = DLS_CELL_COUNT, .count = count};
}
static inline struct dls_cell dls_cell_truth(const char *name, bool truth)
{
    return (struct dls_cell){.name = name, .kind = DLS_CELL_TRUTH, .count = truth};
}

// Cells under way, in the order in which a result file shows them.
struct dls_cells {
    struct dls_cell *all;
    int count, room;
};
static inline void dls_cells_add(struct dls_cells *s, struct dls_cell cell)
{
    assert(s->count < s->room);
    s->all[s->count++] = cell;
}
static inline void dls_cells_text(struct dls_cells *s, const char *name,
                                  const char *value)
{
    dls_cells_add(s, dls_cell_text(name, value));
}
static inline void dls_cells_real(struct dls_cells *s, const char *name, double value)
{
    dls_cells_add(s, dls_cell_real(name, value));
}
static inline void dls_cells_count(struct dls_cells *s, const char *name, long value)
{
    dls_cells_add(s, dls_cell_count(name, value));
}

// Others' text, letter by letter: takes one character off *text into `visible` (returned;
// "" at the end). Control characters, letters that turn the direction of writing and bytes
// that are no UTF-8 come out as \x1b or \u202e: seen, and without power over a terminal.
char *dls_text_next(const char **text, char visible[8]);
// Prints the whole text so.
void dls_print_text(FILE *, const char *);
// The whole text so: itself where there is nothing to be made visible; NULL where memory
// runs out, or for NULL.
const char *dls_text_visible(const char *text, struct dls_arena *);
// printf for lines that hold names of files: all but their line breaks is made visible.
void dls_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// One object on one line, and one line of names or values. What is unknown is `null` in
// JSON and empty in CSV. Reals keep all their digits. What has power over a terminal is
// written as \u001b in JSON, where bytes that are not UTF-8 become U+FFFD, and made visible
// in CSV. A text that a spreadsheet would take for a formula (=, +, -, @ or a tab
// in front, and no number) has a ' in front of it in CSV; the reader of sheets takes it off.
void dls_print_json(FILE *, const struct dls_cell *, int count);
bool dls_csv_guards(const char *text); // whether it gets a ' in front
void dls_print_csv_names(FILE *, const struct dls_cell *, int count);
void dls_print_csv(FILE *, const struct dls_cell *, int count);

// "1.2e-09", "-" where unknown; "1.23 ms"; "1.23 MB". All return `text`.
char *dls_format_real(double, char text[16]);
char *dls_format_time(double seconds, char text[16]);
char *dls_format_bytes(double bytes, char text[16]);
// "1e-4", "2.5e-8"; returns `text`.
char *dls_format_tolerance(double, char text[32]);

// Colours, empty unless `out` is a terminal and NO_COLOR is not set.
struct dls_colours {
    const char *bold, *dim, *good, *warn, *bad, *off;
};
struct dls_colours dls_colours_of(FILE *out);

#endif
