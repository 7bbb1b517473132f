// SPDX-License-Identifier: Apache-2.0
// Recursive descent over JSON; only leaves are kept. Cost: one pass.
#include "benchmarks/campaign/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, NAME_ROOM = 256 };

struct reader {
    const char *at;
    struct dls_arena *arena;
    struct dls_facts *facts;
    int room, depth;
    char name[NAME_ROOM]; // path of the value under way
};

static void skip_space(struct reader *r) { r->at += strspn(r->at, " \t\r\n"); }

static bool take(struct reader *r, char c)
{
    skip_space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

// The character after a backslash; \u takes four digits (surrogates become '?').
static char *take_escape(struct reader *r, char *to)
{
    static const char from[] = "nrtbf", into[] = "\n\r\t\b\f";
    char c = *r->at;
    if (!c) return to;
    r->at++;
    if (c == 'u') {
        char digits[5] = {0};
        size_t got = strspn(r->at, "0123456789abcdefABCDEF");
        memcpy(digits, r->at, got < 4 ? got : 4);
        r->at += got < 4 ? got : 4;
        unsigned code = (unsigned)strtoul(digits, NULL, 16);
        return put_utf8(to, code < 1 || (code >= 0xD800 && code < 0xE000) ? '?' : code);
    }
    const char *known = strchr(from, c);
    *to++ = known ? into[known - from] : c;
    return to;
}

// A string without its quotes, or NULL.
static char *take_string(struct reader *r)
{
    if (!take(r, '"')) return NULL;
    char *text = dls_alloc(r->arena, strlen(r->at) + 1, 1), *to = text;
    while (text && *r->at && *r->at != '"')
        if (*r->at == '\\')
            r->at++, to = take_escape(r, to);
        else
            *to++ = *r->at++;
    return text && take(r, '"') ? text : NULL;
}

static bool keep(struct reader *r, const char *value)
{
    struct dls_facts *f = r->facts;
    if (f->count == r->room) {
        struct dls_fact *more = DLS_NEW(r->arena, struct dls_fact, 2 * r->room + 16);
        if (!more) return false;
        if (f->count) memcpy(more, f->fact, (size_t)f->count * sizeof *more);
        f->fact = more;
        r->room = 2 * r->room + 16;
    }
    struct dls_fact *last = f->count ? &f->fact[f->count - 1] : NULL;
    if (last && !strcmp(last->name, r->name)) { // the next value of an array
        last->value = dls_text(r->arena, "%s, %s", last->value, value);
        return last->value;
    }
    f->fact[f->count] = (struct dls_fact){dls_text(r->arena, "%s", r->name), value};
    return f->fact[f->count++].name;
}

static bool take_value(struct reader *r);

static bool take_member(struct reader *r)
{
    char *key = take_string(r);
    size_t length = strlen(r->name);
    if (!key || !take(r, ':')) return false;
    snprintf(r->name + length, NAME_ROOM - length, "%s%s", length ? "." : "", key);
    bool good = take_value(r);
    r->name[length] = 0;
    return good;
}

static bool take_members(struct reader *r, char close, bool (*member)(struct reader *))
{
    if (take(r, close)) return true;
    do
        if (!member(r)) return false;
    while (take(r, ','));
    return take(r, close);
}

static bool take_value(struct reader *r)
{
    skip_space(r);
    if (r->depth >= DEEPEST) return false;
    r->depth++;
    bool good;
    if (*r->at == '"') {
        const char *text = take_string(r);
        good = text && keep(r, text);
    } else if (take(r, '{')) {
        good = take_members(r, '}', take_member);
    } else if (take(r, '[')) {
        good = take_members(r, ']', take_value);
    } else { // a number or true, false, null
        int length = (int)strcspn(r->at, " \t\r\n,]}");
        const char *text = dls_text(r->arena, "%.*s", length, r->at);
        r->at += length;
        good = length && text && keep(r, text);
    }
    r->depth--;
    return good;
}

bool dls_json_flatten(struct dls_facts *facts, const char *text, struct dls_arena *a)
{
    *facts = (struct dls_facts){0};
    struct reader r = {.at = text, .arena = a, .facts = facts};
    bool good = take_value(&r);
    skip_space(&r);
    return good && !*r.at && !a->failed;
}

bool dls_json_read(struct dls_facts *facts, const char *path, struct dls_arena *a)
{
    FILE *file = fopen(path, "rb");
    *facts = (struct dls_facts){0};
    if (!file) return false;
    long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    rewind(file);
    char *text = size >= 0 ? DLS_NEW(a, char, size + 1) : NULL; // zero-ended
    size_t got = text ? fread(text, 1, (size_t)size, file) : 0;
    fclose(file);
    return text && got == (size_t)size && dls_json_flatten(facts, text, a);
}

const char *dls_facts_find(const struct dls_facts *facts, const char *name)
{
    for (int k = 0; k < facts->count; k++)
        if (!strcmp(facts->fact[k].name, name)) return facts->fact[k].value;
    return NULL;
}
