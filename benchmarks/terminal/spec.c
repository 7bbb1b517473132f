// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/terminal/spec.h"

#include <ctype.h>
#include <string.h>

#include "benchmarks/terminal/cli.h"
#include "benchmarks/terminal/outsider.h"

// Splits "name=value" into two texts; false where there is no '=' or no name.
static bool split_setting(const char *setting, char name[64], const char **value)
{
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting || equals - setting >= 64) return false;
    snprintf(name, 64, "%.*s", (int)(equals - setting), setting);
    *value = equals + 1;
    return true;
}

static enum dls_status no_option(const struct dls_option *first,
                                 const struct dls_option *second, const char *name,
                                 const char *owner, struct dls_error *err)
{
    char hint[96];
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_option *row = first; row && row->name; row++)
        dls_nearest_try(&near, row->name);
    for (const struct dls_option *row = second; row && row->name; row++)
        dls_nearest_try(&near, row->name);
    return dls_fail(err, DLS_EINVAL, "%s has no option '%s'%s; see 'delassus help %s'",
                    owner, name, dls_nearest_hint(&near, hint), owner);
}

enum dls_status dls_setting_apply(const struct dls_option *table, void *opt,
                                  const char *setting, const char *owner,
                                  struct dls_error *err)
{
    char name[64];
    const char *value;
    if (!split_setting(setting, name, &value))
        return dls_fail(err, DLS_EINVAL, "'%s' is not of the form option=value",
                        setting);
    if (!dls_option_find(table, name)) return no_option(table, NULL, name, owner, err);
    return dls_option_set(table, opt, name, value, owner, err);
}

// An option of the solver, else of its formulation. The structs are ours: the cast
// takes back the const that the run sees.
static enum dls_status apply(const struct dls_spec *spec, const char *setting,
                             struct dls_error *err)
{
    const struct dls_solver *s = spec->solver;
    char name[64];
    const char *value;
    if (!split_setting(setting, name, &value))
        return dls_fail(err, DLS_EINVAL, "%s: '%s' is not of the form option=value",
                        s->name, setting);
    if (dls_option_find(s->options, name))
        return dls_option_set(s->options, (void *)spec->options.solver, name, value,
                              s->name, err);
    if (dls_option_find(s->takes->options, name))
        return dls_option_set(s->takes->options, (void *)spec->options.formulation,
                              name, value, s->name, err);
    return no_option(s->options, s->takes->options, name, s->name, err);
}

static enum dls_status unknown_solver(const char *name, struct dls_error *err)
{
    char hint[96];
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++)
        dls_nearest_try(&near, (*s)->name);
    return dls_fail(err, DLS_EINVAL, "no solver '%s'%s; see 'delassus list solvers'",
                    name, dls_nearest_hint(&near, hint));
}

static const char *file_name(const char *label, struct dls_arena *a)
{
    char *text = dls_text(a, "%s", label);
    for (char *p = text; p && *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("._=+-", *p)) *p = '_';
    return text;
}

static enum dls_status add(struct dls_specs *specs, const struct dls_solver *solver,
                           const char *label, struct dls_arena *a,
                           struct dls_error *err)
{
    for (int k = 0; k < specs->count; k++)
        if (!strcmp(specs->all[k].label, label))
            return dls_fail(err, DLS_EINVAL, "solver '%s' is asked for twice", label);
    void *own = dls_alloc(a, 1, solver->options_size);
    void *form = dls_alloc(a, 1, solver->takes->options_size);
    struct dls_spec spec = {
        .solver = solver,
        .source = solver->name,
        .options = {own, form},
        .label = dls_text(a, "%s", label),
        .file = file_name(label, a),
    };
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    dls_option_defaults(solver->options, own);
    dls_option_defaults(solver->takes->options, form);
    specs->all[specs->count++] = spec;
    return DLS_OK;
}

// Cuts the text at its next `mark` and returns what stood before; *rest goes on.
static char *cut(char **rest, char mark)
{
    char *word = *rest, *end = strchr(word, mark);
    *rest = end ? end + 1 : NULL;
    if (end) *end = 0;
    return word;
}

static enum dls_status parse_one(struct dls_specs *specs, char *text,
                                 struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = DLS_OK;
    if (!*text)
        return dls_fail(err, DLS_EINVAL,
                        "a comma too many in the list of solvers, or none in it");
    if (!strcmp(text, "all")) {
        for (const struct dls_solver *const *s = dls_solvers; *s && !status; s++)
            status = add(specs, *s, (*s)->name, a, err);
        return status;
    }
    const char *label = dls_text(a, "%s", text);
    if (!label) return dls_fail(err, DLS_ENOMEM, "out of memory");
    char *rest = text;
    const char *name = cut(&rest, ':');
    const struct dls_solver *solver = dls_solver_find(name);
    if (!solver && dls_missing_find(name)) {
        specs->left_out[specs->missing++] = dls_missing_find(name);
        return DLS_OK;
    }
    if (strchr(name, '/'))
        status = dls_outsider_open(&solver, name, a, err);
    else if (!solver)
        status = unknown_solver(name, err);
    if (!status) status = add(specs, solver, label, a, err);
    if (!status) specs->all[specs->count - 1].source = dls_text(a, "%s", name);
    while (rest && !status)
        status = apply(&specs->all[specs->count - 1], cut(&rest, ':'), err);
    return status;
}

// Names what is missing from the build: in one line each where others run, else as the
// error.
static enum dls_status tell_left_out(const struct dls_specs *specs,
                                     struct dls_error *err)
{
    static const char sentence[] = "solver '%s' is not in this build: %s";
    for (int k = 0; k < specs->missing; k++) {
        const struct dls_missing *s = specs->left_out[k];
        if (!specs->count) return dls_fail(err, DLS_EINVAL, sentence, s->name, s->how);
        dls_complain(sentence, s->name, s->how);
    }
    return DLS_OK;
}

enum dls_status dls_specs_parse(struct dls_specs *specs, const char *text,
                                struct dls_arena *a, struct dls_error *err)
{
    int most = 1, solvers = 0;
    while (dls_solvers[solvers]) solvers++;
    for (const char *p = text; *p; p++) most += *p == ',';
    char *rest = dls_text(a, "%s", text);
    *specs = (struct dls_specs){
        .all = DLS_NEW(a, struct dls_spec, most + solvers),
        .left_out = DLS_NEW(a, const struct dls_missing *, most),
    };
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    enum dls_status status = DLS_OK;
    while (rest && !status) status = parse_one(specs, cut(&rest, ','), a, err);
    return status ? status : tell_left_out(specs, err);
}

enum dls_status dls_specs_set(struct dls_specs *specs, const char *setting,
                              struct dls_error *err)
{
    size_t length = strcspn(setting, ".=");
    if (setting[length] != '.')
        return dls_fail(err, DLS_EINVAL,
                        "--set takes solver.option=value (such as pgs.omega=1.2), "
                        "not '%s'",
                        setting);
    int matches = 0;
    for (int k = 0; k < specs->count; k++) {
        const struct dls_spec *spec = &specs->all[k];
        const char *names[] = {spec->solver->name, spec->solver->takes->name};
        bool match = false;
        for (int i = 0; i < 2; i++)
            match |= strlen(names[i]) == length && !strncmp(setting, names[i], length);
        if (!match) continue;
        matches++;
        enum dls_status status = apply(spec, setting + length + 1, err);
        if (status) return status;
    }
    if (matches) return DLS_OK;
    return dls_fail(err, DLS_EINVAL, "--set %s: '%.*s' is not among the solvers to run",
                    setting, (int)length, setting);
}

// Appends the options of one table that differ from their defaults.
static const char *append_changed(const char *text, const struct dls_option *table,
                                  const void *opt, struct dls_arena *a)
{
    char value[64], standard[64];
    for (const struct dls_option *row = table; row && row->name && text; row++) {
        dls_option_value(row, opt, value);
        if (strcmp(value, dls_option_default(row, standard)))
            text = dls_text(a, "%s%s%s=%s", text, *text ? " " : "", row->name, value);
    }
    return text;
}

enum dls_status dls_specs_finish(struct dls_specs *specs, struct dls_arena *a)
{
    for (int k = 0; k < specs->count; k++) {
        struct dls_spec *spec = &specs->all[k];
        const struct dls_solver *s = spec->solver;
        spec->changed = append_changed("", s->options, spec->options.solver, a);
        spec->changed = append_changed(spec->changed, s->takes->options,
                                       spec->options.formulation, a);
    }
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

bool dls_solver_is_peer(const struct dls_solver *s)
{
    return !strncmp(s->brief, "peer:", 5);
}
