// SPDX-License-Identifier: Apache-2.0
// Deposition: grain k comes at time (k - first) / rate, its centre at random within
// `width` of the vertical axis, uniformly over the segment (plane) or the disk (space).
//
// Laid down: lowered along its vertical to the first grain or obstacle that it touches,
// where it starts at rest [Moreau2004, 10.1]. Dropped: released `above` over the top of
// the heap with a downward velocity [MoreauJean1996, 6]. What falls still is no part of
// the heap (grains faster downward than half of `speed`): nobody is laid on it, or else
// a tower grows in the air. Where another grain is in the way, a new place is drawn;
// after some draws in vain it waits for the next step.
//
// Cost: linear in grains and obstacles for each grain that comes.
#include "problems/preparation/deposit.h"

#include "problems/preparation/place.h"

#include <math.h>

enum { DRAWS = 20 }; // a place is free with a chance of a half or more: 1e-6 of waiting

static const double pi = 3.14159265358979323846;

static dls_vec3 draw(const struct dls_deposit *d, int dim, struct dls_rng *g)
{
    if (dim == 2) return (dls_vec3){d->width * dls_rng_range(g, -1, 1), 0, 0};
    double radius = d->width * sqrt(dls_rng_real(g)), turn = 2 * pi * dls_rng_real(g);
    return (dls_vec3){radius * cos(turn), radius * sin(turn), 0};
}

// Adds a ball to those that stand there, unless it is farther than `reach` from the
// vertical axis.
static void stand(struct dls_standing *s, dls_vec3 at, double radius, double reach)
{
    double across = s->dim == 2 ? at.x * at.x : at.x * at.x + at.y * at.y;
    double far = reach + radius;
    if (across > far * far) return;
    s->at[s->count] = at;
    s->radius[s->count++] = radius;
}

// All balls that stand or lie within `reach` of the axis: grains and fixed ones; without
// those that fall faster than `fall`.
static struct dls_standing standing(const struct dls_rigid *r,
                                    const struct dls_present *p, double reach,
                                    double fall, struct dls_arena *a)
{
    int room = r->bodies + r->obstacles, dof = r->dim == 2 ? 3 : 6;
    struct dls_standing s = {r->dim, 0, DLS_RAW(a, dls_vec3, room),
                             DLS_RAW(a, double, room)};
    for (int k = 0; !a->failed && k < r->bodies; k++)
        if (!(-p->v[k * dof + r->dim - 1] > fall))
            stand(&s, dls_rigid_pose(r, p->q, k).at, r->shape[k].radius, reach);
    for (int k = 0; !a->failed && k < r->obstacles; k++)
        if (r->obstacle[k].kind == DLS_OBSTACLE_SHAPE)
            stand(&s, r->obstacle[k].pose.at, r->obstacle[k].shape.radius, reach);
    return s;
}

static double *upward(int dim, dls_vec3 *x) { return dim == 2 ? &x->y : &x->z; }

static double top_of(const struct dls_standing *s)
{
    double top = 0;
    for (int k = 0; k < s->count; k++) {
        dls_vec3 at = s->at[k];
        top = fmax(top, *upward(s->dim, &at) + s->radius[k]);
    }
    return top;
}

static bool is_free(const struct dls_standing *s, dls_vec3 at, double radius)
{
    for (int k = 0; k < s->count; k++) {
        dls_vec3 across = dls_vec3_sub(at, s->at[k]);
        double far = radius + s->radius[k];
        if (dls_vec3_dot(across, across) < far * far) return false;
    }
    return true;
}

// Planes hold up a ball that meets nobody else.
static double on_planes(const struct dls_rigid *r, dls_vec3 at, double radius)
{
    double height = -INFINITY;
    *upward(r->dim, &at) = 0;
    for (int k = 0; k < r->obstacles; k++) {
        const struct dls_obstacle *o = &r->obstacle[k];
        dls_vec3 n = o->n;
        double up = *upward(r->dim, &n);
        if (o->kind != DLS_OBSTACLE_PLANE || up <= 0) continue;
        double gap = dls_vec3_dot(o->n, dls_vec3_sub(at, o->point)) - radius;
        height = fmax(height, -gap / up);
    }
    return height;
}

// Where the next grain starts; false: nowhere for now.
static bool find_place(const struct dls_rigid *r, const struct dls_present *p,
                       const struct dls_deposit *d, struct dls_deposit_state *s,
                       struct dls_arena *a, dls_vec3 *at)
{
    double radius = dls_rigid_made(r, s->next).shape->radius;
    double reach = d->width + radius; // who is farther out cannot touch it
    struct dls_standing all = standing(r, p, reach, INFINITY, a);
    struct dls_standing heap =
        standing(r, p, d->lowered ? reach : INFINITY, 0.5 * d->speed, a);
    if (a->failed) return false;
    double top = d->lowered ? 0 : top_of(&heap);
    for (int k = 0; k < DRAWS; k++) {
        *at = draw(d, r->dim, &s->rng);
        double *up = upward(r->dim, at);
        if (d->lowered) {
            *up = fmax(dls_lower(&heap, *at, radius), on_planes(r, *at, radius));
            if (isfinite(*up) && *up >= dls_lower(&all, *at, radius)) return true;
        } else {
            *up = top + d->above + radius;
            if (is_free(&all, *at, radius)) return true;
        }
        s->refused++;
    }
    return false;
}

void dls_deposit_rule(struct dls_rigid *r, struct dls_present *p, const void *data,
                      void *state)
{
    const struct dls_deposit *d = data;
    struct dls_deposit_state *s = state;
    dls_vec3 at, v = {0};
    int positions = r->dim == 2 ? 3 : 7;
    for (int k = r->bodies - 1; k >= 0; k--)
        if (p->q[k * positions + r->dim - 1] < d->bottom)
            dls_rigid_leave(r, p, dls_rigid_number(r, k));
    if (!d->lowered) *upward(r->dim, &v) = -d->speed;
    while (s->next < dls_rigid_all(r) && p->t * d->rate >= s->next - d->first) {
        struct dls_arena scratch = dls_arena_scratch(r->pool);
        bool found = find_place(r, p, d, s, &scratch, &at);
        dls_arena_free(&scratch);
        if (!found) return;
        dls_rigid_enter(r, p, s->next++, at, v);
    }
}

bool dls_deposit_begin(struct dls_rigid *r, const struct dls_deposit *d,
                       struct dls_deposit_state *s, int seed)
{
    *s = (struct dls_deposit_state){dls_rng_seed((uint64_t)seed), d->first, 0};
    return dls_rigid_populate(r, d->first, dls_deposit_rule, d, s, sizeof *s);
}
