// SPDX-License-Identifier: Apache-2.0
// The measures of this folder that are numbers of one step.
#include "problems/observe/observer.h"

#include "problems/observe/clausius.h"
#include "problems/observe/field.h"
#include "problems/observe/fraction.h"
#include "problems/observe/ground.h"
#include "problems/observe/pressure.h"
#include "problems/observe/since.h"
#include "problems/observe/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_reading_add(struct dls_readings *to, const char *name, double value)
{
    if (to->count == DLS_READINGS) return;
    struct dls_reading *r = &to->all[to->count++];
    snprintf(r->name, sizeof r->name, "%s", name);
    r->value = value;
}

static bool read_stress(const struct dls_observed *o, int number,
                        struct dls_readings *to, struct dls_arena *a)
{
    (void)number, (void)a;
    static const char axes[] = "xyz";
    char name[32];
    dls_tensor inside = dls_internal_moment(o, NULL, NULL);
    dls_tensor outside = dls_external_moment(o, NULL, NULL);
    double defect = 0;
    for (int i = 0; i < o->dim; i++)
        for (int j = 0; j < o->dim; j++) {
            snprintf(name, sizeof name, "moment_%c%c", axes[i], axes[j]);
            dls_reading_add(to, name, inside.x[i][j]);
            defect = fmax(defect, fabs(inside.x[i][j] - outside.x[i][j]));
        }
    dls_reading_add(to, "moment_defect", defect);
    return true;
}

static bool read_fabric(const struct dls_observed *o, int number,
                        struct dls_readings *to, struct dls_arena *a)
{
    (void)number, (void)a;
    dls_tensor F = dls_fabric(o);
    dls_reading_add(to, "fabric_anisotropy", dls_fabric_anisotropy(&F, o->dim));
    if (o->dim == 2)
        dls_reading_add(to, "fabric_angle", dls_tensor_principal(&F, 2).angle);
    return true;
}

static bool read_coordination(const struct dls_observed *o, int number,
                              struct dls_readings *to, struct dls_arena *a)
{
    (void)number;
    struct dls_coordination z;
    if (!dls_coordination(&z, o, 2, a)) return false;
    dls_reading_add(to, "coordination", z.all);
    dls_reading_add(to, "coordination_backbone", z.backbone);
    dls_reading_add(to, "rattlers", z.rattlers);
    return true;
}

static bool read_forces(const struct dls_observed *o, int number,
                        struct dls_readings *to, struct dls_arena *a)
{
    (void)number;
    int count, below = 0;
    double mean = 0, *f = dls_force_distribution(o, &count, a);
    if (!f) return false;
    while (below < count && f[below] < 1) below++;
    for (int c = 0; c < o->forces; c++) mean += fmax(0, o->force[c].normal) / o->forces;
    dls_reading_add(to, "force_mean", mean);
    dls_reading_add(to, "force_below_mean", count ? (double)below / count : 0);
    dls_reading_add(to, "force_largest", count ? f[count - 1] : 0); // in means
    return true;
}

static bool read_fraction(const struct dls_observed *o, int number,
                          struct dls_readings *to, struct dls_arena *a)
{
    (void)number, (void)a;
    struct dls_region around = dls_region_around(o);
    dls_reading_add(to, "solid_fraction", dls_solid_fraction(o, &around));
    return true;
}

static bool read_obstacle(const struct dls_observed *o, int number,
                          struct dls_readings *to, struct dls_arena *a)
{
    (void)a;
    char name[32];
    dls_vec3 f = dls_obstacle_force(o, number, number + 1);
    double value[] = {f.x, f.y, f.z};
    for (int i = 0; i < o->dim; i++) {
        snprintf(name, sizeof name, "obstacle%d_%c", number, "xyz"[i]);
        dls_reading_add(to, name, value[i]);
    }
    return true;
}

static bool read_track(const struct dls_observed *o, int number,
                       struct dls_readings *to, struct dls_arena *a)
{
    (void)a;
    char name[32];
    dls_vec3 x = {NAN, NAN, NAN}; // while it is not there
    for (int k = 0; k < o->grains; k++)
        if (o->grain[k].number == number) x = o->grain[k].pose.at;
    double value[] = {x.x, x.y, x.z};
    for (int i = 0; i < o->dim; i++) {
        snprintf(name, sizeof name, "grain%d_%c", number, "xyz"[i]);
        dls_reading_add(to, name, value[i]);
    }
    return true;
}

static bool read_rank(const struct dls_observed *o, int number, struct dls_readings *to,
                      struct dls_arena *a)
{
    char name[32];
    double rank = NAN; // while it is not there
    dls_vec3 *at = DLS_NEW(a, dls_vec3, o->grains);
    if (!at) return false;
    for (int k = 0; k < o->grains; k++) {
        dls_vec3 x = o->grain[k].pose.at;
        at[k] = (dls_vec3){0, o->dim == 2 ? x.y : x.z, 0};
    }
    for (int k = 0; k < o->grains; k++)
        if (o->grain[k].number == number) rank = dls_rank(o->grains, at, k);
    snprintf(name, sizeof name, "grain%d_rank", number);
    dls_reading_add(to, name, rank);
    return true;
}

static bool read_work(const struct dls_observed *o, int number, struct dls_readings *to,
                      struct dls_arena *a)
{
    (void)number, (void)a;
    double sum = 0, most = -INFINITY;
    int pulls = 0;
    for (int c = 0; c < o->forces; c++) {
        sum += o->force[c].work;
        most = fmax(most, o->force[c].work);
        pulls += o->force[c].normal < 0;
    }
    dls_reading_add(to, "contact_work", sum);
    dls_reading_add(to, "contact_work_most", o->forces ? most : 0);
    dls_reading_add(to, "pulling_contacts", pulls);
    return true;
}

static bool read_clausius(const struct dls_observed *o, int number,
                          struct dls_readings *to, struct dls_arena *a)
{
    (void)number, (void)a;
    struct dls_clausius c = dls_clausius_of(o);
    dls_reading_add(to, "approached", c.approached);
    dls_reading_add(to, "clausius_worst", c.worst);
    dls_reading_add(to, "clausius_grain", c.at < 0 ? -1 : o->force[c.at].grain);
    dls_reading_add(to, "clausius_other", c.at < 0 ? -1 : o->force[c.at].other);
    dls_reading_add(to, "clausius_sum", c.sum);
    dls_reading_add(to, "pulling", c.pulls);
    return true;
}

static bool read_ground(const struct dls_observed *o, int number,
                        struct dls_readings *to, struct dls_arena *a)
{
    char name[32];
    double *p = DLS_NEW(a, double, number);
    if (!p) return false;
    double beyond = dls_ground_annuli(o, number, dls_ground_annulus(o), p);
    for (int k = 0; k < number; k++) {
        snprintf(name, sizeof name, "ground_p%d", k + 1);
        dls_reading_add(to, name, p[k]);
    }
    dls_reading_add(to, "ground_beyond", beyond);
    return true;
}

static bool read_slice(const struct dls_observed *o, int number,
                       struct dls_readings *to, struct dls_arena *a)
{
    (void)a;
    struct dls_slice s = dls_slice_of(o, 0.01 * number * dls_ground_reach(o));
    dls_reading_add(to, "slice_lift", s.lift);
    dls_reading_add(to, "slice_reaction", s.reaction);
    dls_reading_add(to, "slice_weight", s.weight);
    return true;
}

const struct dls_observer dls_observers[] = {
    {"stress", "internal moment of all grains, and its defect against the outside",
     false, read_stress},
    {"fabric", "anisotropy of contact normals, and in the plane their main direction",
     false, read_fabric},
    {"coordination", "contacts a grain, with and without rattlers", false,
     read_coordination},
    {"forces", "mean normal force, share below the mean, largest in means", false,
     read_forces},
    {"fraction", "solid part of the box around all grains", false, read_fraction},
    {"obstacle", "force of obstacle K on the grains, K from 0", true, read_obstacle},
    {"ground", "pressure in K annuli about the axis, 3 mean diameters wide", true,
     read_ground},
    {"slice", "weight within K % of the heap's reach, and what carries it", true,
     read_slice},
    {"track", "place of grain K, K from 0", true, read_track},
    {"rank", "share of the grains whose centres are lower than that of grain K", true,
     read_rank},
    {"work", "work of contacts in the step: sum, largest of one contact, pulling ones",
     false, read_work},
    {"clausius",
     "r . u_bar of approached contacts: largest share of |r| |q|, its pair, sum; pulls",
     false, read_clausius},
    {0},
};

// The measure of that name into the list; returns whether it takes a number, -1 where
// there is none.
static int find(struct dls_observing *to, const char *word, size_t length)
{
    const struct dls_observer *o = dls_observers;
    const struct dls_since *s = dls_since_measures;
    while (o->name && (strncmp(o->name, word, length) || o->name[length])) o++;
    while (s->name && (strncmp(s->name, word, length) || s->name[length])) s++;
    to->all[to->count] = o->name ? o : NULL;
    to->since[to->count] = o->name ? NULL : s;
    return o->name ? o->takes_number : s->name ? s->takes_number : -1;
}

static enum dls_status parse_one(struct dls_observing *to, const char *word,
                                 struct dls_error *err)
{
    size_t length = strcspn(word, "=");
    if (to->count == DLS_OBSERVERS)
        return dls_fail(err, DLS_EINVAL, "--observe takes at most %d measures",
                        DLS_OBSERVERS);
    int takes_number = find(to, word, length);
    if (takes_number < 0)
        return dls_fail(err, DLS_EINVAL, "--observe: no measure '%.60s'", word);
    char *end = NULL;
    long number = word[length] ? strtol(word + length + 1, &end, 10) : 0;
    bool good = takes_number
                    ? word[length] && end != word + length + 1 && !*end && number >= 0
                    : !word[length];
    if (!good || number > 1000000000)
        return dls_fail(err, DLS_EINVAL, "--observe: '%.60s' is not of the form %.*s%s",
                        word, (int)length, word, takes_number ? "=K" : "");
    to->number[to->count++] = (int)number;
    return DLS_OK;
}

enum dls_status dls_observing_parse(struct dls_observing *to, const char *text,
                                    struct dls_error *err)
{
    char word[64];
    enum dls_status status = DLS_OK;
    *to = (struct dls_observing){0};
    while (!status) {
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        status = parse_one(to, word, err);
        text += length;
        if (!*text++) break;
    }
    return status;
}

enum dls_status dls_observing_start(struct dls_observing *with,
                                    const struct dls_sim *sim, struct dls_arena *a)
{
    for (int k = 0; k < with->count; k++) {
        const struct dls_since *s = with->since[k];
        if (!s) continue;
        with->size[k] = s->size(sim);
        with->kept[k] = DLS_NEW(a, double, with->size[k]);
        if (with->kept[k] && s->start) s->start(sim, with->kept[k]);
    }
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

enum dls_status dls_observing_add(const struct dls_observing *with,
                                  const struct dls_sim *sim, struct dls_arena *a)
{
    bool wanted = false;
    for (int k = 0; k < with->count; k++)
        wanted |= with->since[k] && with->since[k]->add;
    if (!wanted) return DLS_OK;
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_observed o;
    enum dls_status status = dls_observe(&o, sim, &scratch);
    for (int k = 0; k < with->count && !status; k++)
        if (with->since[k] && with->since[k]->add)
            with->since[k]->add(&o, with->number[k], with->kept[k]);
    dls_arena_free(&scratch);
    return status;
}

static bool read_one(const struct dls_observing *with, int k,
                     const struct dls_observed *o, struct dls_readings *to,
                     struct dls_arena *a)
{
    return with->all[k]
               ? with->all[k]->read(o, with->number[k], to, a)
               : with->since[k]->read(o, with->number[k], with->kept[k], to, a);
}

enum dls_status dls_observing_read(const struct dls_observing *with,
                                   const struct dls_sim *sim, struct dls_readings *to,
                                   struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_observed o;
    to->count = 0;
    enum dls_status status = dls_observe(&o, sim, &scratch);
    for (int k = 0; k < with->count && !status; k++)
        if (!read_one(with, k, &o, to, &scratch)) status = DLS_ENOMEM;
    dls_arena_free(&scratch);
    return status;
}
