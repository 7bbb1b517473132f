// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/terminal/cli.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/terminal/output.h"

int dls_complain(const char *format, ...)
{
    char text[4096]; // longer sentences are cut
    va_list args;
    fflush(stdout);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fputs("delassus: ", stderr);
    dls_print_text(stderr, text);
    fputc('\n', stderr);
    return DLS_EXIT_BAD_USE;
}

const struct dls_command *dls_command_find(const char *name)
{
    for (const struct dls_command *const *c = dls_commands; *c; c++)
        if (!strcmp((*c)->name, name)) return *c;
    return NULL;
}

char *dls_option_default(const struct dls_option *row, char text[64])
{
    double room[1]; // holds the one value, at offset zero
    struct dls_option alone[2] = {*row, {0}};
    alone[0].at = 0;
    dls_option_defaults(alone, room);
    return dls_option_value(alone, room, text);
}

struct dls_nearest dls_nearest_start(const char *word)
{
    int length = (int)strlen(word);
    return (struct dls_nearest){word, NULL, length < 3 ? 2 : length < 6 ? 3 : 4};
}

static int smaller(int a, int b) { return a < b ? a : b; }

// Insertions, deletions, replacements and swaps of neighbours that turn a into b
// (optimal string alignment), by three rolling rows.
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int rows[3][LONGEST + 1], la = (int)strlen(a), lb = (int)strlen(b);
    if (la > LONGEST || lb > LONGEST) return LONGEST;
    for (int j = 0; j <= lb; j++) rows[0][j] = j;
    for (int i = 1; i <= la; i++) {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3],
            *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            int change = before[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = smaller(change, 1 + smaller(before[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], earlier[j - 2] + 1);
        }
    }
    return rows[la % 3][lb];
}

// Small letters alone, without dashes: "Brick_Wall-2D" is "brickwall2d".
static void bare(const char *word, char text[64])
{
    size_t length = 0;
    for (; *word && length < 63; word++)
        if (*word != '-' && *word != '_') text[length++] = (char)tolower(*word);
    text[length] = 0;
}

void dls_nearest_try(struct dls_nearest *near, const char *candidate)
{
    char word[64], other[64];
    bare(near->word, word);
    bare(candidate, other);
    int distance = edit_distance(word, other);
    // "brickwall" is in "brick-wall-2d", "NSGS" in "siconos-nsgs": one step away.
    if (strlen(word) >= 3 && strstr(other, word)) distance = smaller(distance, 1);
    if (distance >= near->distance) return;
    near->distance = distance;
    near->best = candidate;
}

char *dls_nearest_hint(const struct dls_nearest *near, char text[96])
{
    text[0] = 0;
    if (near->best) snprintf(text, 96, " (did you mean '%.60s'?)", near->best);
    return text;
}

// "max-time" and the option "max_time" are the same name.
static bool same_name(const char *flag, size_t length, const char *name)
{
    for (size_t k = 0; k < length; k++)
        if (name[k] != flag[k] && !(name[k] == '_' && flag[k] == '-')) return false;
    return !name[length];
}

static const struct dls_flag *find_flag(const struct dls_command *c, const char *word,
                                        size_t length)
{
    for (const struct dls_flag *f = c->flags; f && f->name; f++)
        if (same_name(word, length, f->name)) return f;
    return NULL;
}

static const struct dls_option *find_option(const struct dls_command *c,
                                            const char *word, size_t length)
{
    for (const struct dls_option *o = c->options; o && o->name; o++)
        if (same_name(word, length, o->name)) return o;
    return NULL;
}

static bool unknown_flag(const struct dls_command *c, const char *word, size_t length)
{
    char name[64], hint[96], dashed[16][64];
    int count = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_flag *f = c->flags; f && f->name; f++)
        dls_nearest_try(&near, f->name);
    for (const struct dls_option *o = c->options; o && o->name && count < 16; o++) {
        char *flag = dashed[count++];
        snprintf(flag, 64, "%s", o->name);
        for (char *p = flag; *p; p++) *p = *p == '_' ? '-' : *p;
        dls_nearest_try(&near, flag);
    }
    dls_complain("%s has no flag '--%s'%s; see 'delassus %s --help'", c->name, name,
                 dls_nearest_hint(&near, hint), c->name);
    return false;
}

// Takes the flag words[at] and its value; returns how many words were used, 0 on error.
static int take_flag(struct dls_args *args, int count, char *const words[], int at)
{
    const struct dls_command *c = args->command;
    bool dashed = words[at][1] == '-'; // else a flag of one letter
    const char *word = words[at] + (dashed ? 2 : 1), *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : strlen(word);
    const struct dls_flag *flag = find_flag(c, word, length);
    const struct dls_option *option = flag ? NULL : find_option(c, word, length);
    if (!flag && !option) return unknown_flag(c, word, length);
    bool needs_value = option || flag->value;
    int used = 1;
    if (value) value++;
    if (value && !needs_value)
        return dls_complain("--%s takes no value", flag->name), 0;
    if (!value && needs_value) {
        if (at + 1 >= count) return dls_complain("%s needs a value", words[at]), 0;
        value = words[at + 1];
        used = 2;
    }
    if (flag) {
        args->given[args->flags++] = (struct dls_given){flag, value};
        return used;
    }
    struct dls_error err;
    char owner[80];
    snprintf(owner, sizeof owner, "--%.*s", (int)length, word);
    if (dls_option_set(c->options, args->options, option->name, value, owner, &err)) {
        char range[64];
        return dls_complain("%s takes %s, not '%s' (%s)", owner,
                            dls_option_range(option, range), value, option->help),
               0;
    }
    return used;
}

// "-o", where the command has such a flag.
static bool is_letter_flag(const struct dls_command *c, const char *word)
{
    return word[0] == '-' && word[1] && !word[2] && find_flag(c, word + 1, 1);
}

bool dls_args_parse(struct dls_args *args, const struct dls_command *command, int count,
                    char *const words[], struct dls_arena *arena)
{
    *args = (struct dls_args){.command = command, .arena = arena};
    args->names = DLS_NEW(arena, const char *, count);
    args->given = DLS_NEW(arena, struct dls_given, count);
    args->options = dls_alloc(arena, 1, command->options_size);
    if (arena->failed) return dls_complain("out of memory"), false;
    dls_option_defaults(command->options, args->options);
    bool flags = true;
    for (int k = 0, used; k < count; k += used) {
        used = 1;
        if (flags && !strcmp(words[k], "--"))
            flags = false;
        else if (flags && !strncmp(words[k], "--", 2))
            used = take_flag(args, count, words, k);
        else if (flags && is_letter_flag(command, words[k]))
            used = take_flag(args, count, words, k);
        else if (flags && words[k][0] == '-' && words[k][1])
            return dls_complain("%s has no flag '%s'; see 'delassus %s --help'",
                                command->name, words[k], command->name),
                   false;
        else
            args->names[args->count++] = words[k];
        if (!used) return false;
    }
    if (args->count >= command->least
        && (command->most < 0 || args->count <= command->most))
        return true;
    bool missing = args->count < command->least;
    const char *extra = missing ? "" : args->names[command->most];
    dls_complain("%s arguments%s%s%s; usage: delassus %s %s",
                 missing ? "missing" : "too many", missing ? "" : ": '", extra,
                 missing ? "" : "'", command->name, command->usage);
    return false;
}

bool dls_args_has(const struct dls_args *args, const char *flag)
{
    for (int k = 0; k < args->flags; k++)
        if (!strcmp(args->given[k].flag->name, flag)) return true;
    return false;
}

const char *dls_args_text(const struct dls_args *args, const char *flag)
{
    const char *last = NULL, *next;
    for (int at = 0; (next = dls_args_next(args, flag, &at));) last = next;
    return last;
}

const char *dls_args_next(const struct dls_args *args, const char *flag, int *at)
{
    while (*at < args->flags) {
        const struct dls_given *g = &args->given[(*at)++];
        if (!strcmp(g->flag->name, flag)) return g->value;
    }
    return NULL;
}
