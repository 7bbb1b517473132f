// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // fileno, stpcpy, vasprintf

#include "benchmarks/terminal/output.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Length of the well-formed UTF-8 sequence at s, 0 where there is none [RFC 3629].
static int sequence_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (int k = 1; k < length; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return length > 1 && (overlong || beyond) ? 0 : length;
}

// The code of the well-formed sequence of that length.
static unsigned code_of(const unsigned char *s, int length)
{
    unsigned code = length == 1 ? s[0] : s[0] & (0xff >> (length + 1));
    for (int k = 1; k < length; k++) code = code << 6 | (s[k] & 0x3f);
    return code;
}

// Control characters (C0, DEL, C1), line separators, and what turns the direction.
static bool is_unseen(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c
           || (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e)
           || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

char *dls_text_next(const char **text, char visible[8])
{
    const unsigned char *s = (const unsigned char *)*text;
    visible[0] = 0;
    if (!*s) return visible;
    int length = sequence_length(s);
    unsigned code = length ? code_of(s, length) : s[0];
    if (length && !is_unseen(code))
        memcpy(visible, s, (size_t)length), visible[length] = 0;
    else
        snprintf(visible, 8, code < 0x100 ? "\\x%02x" : "\\u%04x", code & 0xffff);
    *text += length ? length : 1;
    return visible;
}

void dls_print_text(FILE *out, const char *text)
{
    char visible[8];
    while (*text) fputs(dls_text_next(&text, visible), out);
}

const char *dls_text_visible(const char *text, struct dls_arena *a)
{
    char visible[8];
    size_t size = 0;
    for (const char *at = text; at && *at;) size += strlen(dls_text_next(&at, visible));
    if (!text || size == strlen(text)) return text; // each that is not seen grows
    char *all = DLS_NEW(a, char, size + 1), *to = all;
    while (all && *text) to = stpcpy(to, dls_text_next(&text, visible));
    return all;
}

void dls_say(const char *format, ...)
{
    va_list list;
    char *text = NULL;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) return;
    for (char *line = text, *stop; *line; line = stop) {
        stop = line + strcspn(line, "\n");
        bool more = *stop;
        *stop = 0;
        dls_print_text(stdout, line);
        if (more) putchar('\n'), stop++;
    }
    free(text);
}

static void print_json_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', out);
    while (*s) {
        int length = sequence_length(s);
        if (!length)
            fputs("\\ufffd", out), length = 1;
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (is_unseen(code_of(s, length)))
            fprintf(out, "\\u%04x", code_of(s, length));
        else
            fwrite(s, 1, (size_t)length, out);
        s += length;
    }
    fputc('"', out);
}

static bool is_known(const struct dls_cell *c)
{
    return c->kind == DLS_CELL_TEXT   ? c->text != NULL
           : c->kind == DLS_CELL_REAL ? isfinite(c->real)
                                      : true;
}

// The shortest of 15 to 17 digits that reads back to the same number.
static void print_real(FILE *out, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    fputs(text, out);
}

static void print_bare(FILE *out, const struct dls_cell *c)
{
    if (c->kind == DLS_CELL_REAL) print_real(out, c->real);
    if (c->kind == DLS_CELL_COUNT) fprintf(out, "%ld", c->count);
    if (c->kind == DLS_CELL_TRUTH) fputs(c->count ? "true" : "false", out);
}

void dls_print_json(FILE *out, const struct dls_cell *cells, int count)
{
    fputc('{', out);
    for (int k = 0; k < count; k++) {
        fprintf(out, "%s\"%s\": ", k ? ", " : "", cells[k].name);
        if (!is_known(&cells[k]))
            fputs("null", out);
        else if (cells[k].kind == DLS_CELL_TEXT)
            print_json_text(out, cells[k].text);
        else
            print_bare(out, &cells[k]);
    }
    fputs("}\n", out);
    fflush(out);
}

bool dls_csv_guards(const char *text)
{
    char *end;
    const char *from = *text == '\'' ? text + 1 : text; // already one in front
    if (!*from || !strchr("=+-@\t", *from)) return false;
    if (from != text) return true;
    strtod(text, &end);
    return end == text || *end;
}

static void print_csv_text(FILE *out, const char *text)
{
    char visible[8];
    bool quote = strpbrk(text, ",\"") != NULL;
    if (quote) fputc('"', out);
    if (dls_csv_guards(text)) fputc('\'', out);
    while (*text) {
        if (*text == '"') fputc('"', out);
        fputs(dls_text_next(&text, visible), out);
    }
    if (quote) fputc('"', out);
}

void dls_print_csv_names(FILE *out, const struct dls_cell *cells, int count)
{
    for (int k = 0; k < count; k++) fprintf(out, "%s%s", k ? "," : "", cells[k].name);
    fputc('\n', out);
    fflush(out);
}

void dls_print_csv(FILE *out, const struct dls_cell *cells, int count)
{
    for (int k = 0; k < count; k++) {
        if (k) fputc(',', out);
        if (!is_known(&cells[k])) continue;
        if (cells[k].kind == DLS_CELL_TEXT)
            print_csv_text(out, cells[k].text);
        else
            print_bare(out, &cells[k]);
    }
    fputc('\n', out);
    fflush(out);
}

char *dls_format_real(double x, char text[16])
{
    if (isnan(x))
        strcpy(text, "-");
    else if (x == 0)
        strcpy(text, "0");
    else
        snprintf(text, 16, "%.1e", x);
    return text;
}

// x in the first unit of which it holds less than 1000;
static char *format_unit(double x, const char *const *units, char text[16])
{
    if (isnan(x)) return strcpy(text, "-");
    for (; units[1] && x >= 999.5; units++) x /= 1000;
    snprintf(text, 16, "%.*f %s", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, *units);
    return text;
}

char *dls_format_time(double seconds, char text[16])
{
    static const char *const units[] = {"us", "ms", "s", NULL};
    return format_unit(seconds * 1e6, units, text);
}

char *dls_format_bytes(double bytes, char text[16])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", NULL};
    return format_unit(bytes, units, text);
}

char *dls_format_tolerance(double tol, char text[32])
{
    for (int digits = 0; digits <= 16; digits++) {
        snprintf(text, 32, "%.*e", digits, tol);
        if (strtod(text, NULL) == tol) break;
    }
    char *e = strchr(text, 'e'); // "1e-04" without the zero
    if (e && e[2] == '0' && e[3]) memmove(e + 2, e + 3, strlen(e + 3) + 1);
    return text;
}

struct dls_colours dls_colours_of(FILE *out)
{
    const char *forbidden = getenv("NO_COLOR");
    if ((forbidden && *forbidden) || !isatty(fileno(out)))
        return (struct dls_colours){"", "", "", "", "", ""};
    return (struct dls_colours){"\033[1m",  "\033[2m",  "\033[32m",
                                "\033[33m", "\033[31m", "\033[0m"};
}
