// SPDX-License-Identifier: Apache-2.0
// A house of cards in space: tents of two leaning cards, floors of horizontal ones.
//
// Level k = 0 ... `levels` - 1 from the table has `levels` - k tents side by side. The cards
// of a tent lean by `lean` from the vertical and touch each other at the top; a floor card
// lies on the tops of two neighbouring tents, and a tent of the next level stands on its
// middle. With the length l, the thickness t and s, c the sine and cosine of the lean, and
// x from the middle of a tent, z from what it stands on, the edges of a card are at
//
//     foot (-+ l s, 0),   inner top edge (0, l c): touches its partner along x,
//     outer top edge (-+ t c, l c + t s): carries a floor.
//
// Each edge carries contacts at its two ends: 6 a tent, 4 a floor.
//
//     contacts = 3 levels (levels + 1) + 2 levels (levels - 1)
//
// A tent alone: the table carries each card's weight, and the moments about its foot make
// the thrust at the top (tan lean - t / l) / 2 of that weight. So it stands exactly where
// mu is at least that much; the thrust of higher houses grows downwards with their load.
//
// Contacts are few and each is needed: nothing is determined by averaging over many, and
// mechanisms of several cards at once are almost free. Bodies are numbered by levels, the
// tents of a level first, then the floors on them; contacts by bodies. Cost: linear.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

#include <math.h>

struct card_options {
    int levels;
    double length, depth, thickness, lean, density, accel;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(card_options, levels, 3, 1, 300, "number of levels"),
    DLS_REAL(card_options, length, 0.088, 1e-6, 1e6, "length of a card, m"),
    DLS_REAL(card_options, depth, 0.063, 1e-6, 1e6, "width of a card, along y"),
    DLS_REAL(card_options, thickness, 0.003, 1e-6, 1e6, "thickness of a card"),
    DLS_REAL(card_options, lean, 25, 5, 60, "from the vertical, degrees"),
    DLS_REAL(card_options, density, 600, 1e-9, 1e9, "density"),
    DLS_REAL(card_options, accel, 0, -1e3, 1e3, "of the table along x, in g"),
    DLS_ROWS_LAW(card_options, 0.5),
    DLS_ROWS_STEP(card_options),
    {0},
};

struct house {
    const struct card_options *o;
    double s, c;  // sine and cosine of the lean
    double pitch; // between the middles of tents
    struct dls_build b;
};

static int tents_of(const struct house *h, int level) { return h->o->levels - level; }

// Two cards a tent, one floor between two tents.
static int first_of(const struct house *h, int level)
{
    int n = h->o->levels;
    return 3 * (n * level - level * (level - 1) / 2) - level;
}
static int floor_of(const struct house *h, int level, int k)
{
    return first_of(h, level) + 2 * tents_of(h, level) + k;
}

// Where the middle of a tent stands, on the table or on a floor.
static dls_vec3 tent_at(const struct house *h, int level, int k)
{
    const struct card_options *o = h->o;
    double rise = o->length * h->c + o->thickness * (h->s + 1);
    return (dls_vec3){h->pitch * (k + 0.5 * level), 0, level * rise};
}

// Contacts at both ends of an edge through `at`, which is parallel to y.
static void touch_edge(struct house *h, int body, int other, dls_vec3 at, dls_vec3 n)
{
    for (int end = -1; end <= 1; end += 2) {
        dls_vec3 point = {at.x, 0.5 * end * h->o->depth, at.z};
        dls_build_touch(&h->b,
                        (struct dls_touch){
                            .body = body,
                            .other = other,
                            .point = point,
                            .n = n,
                            .law = {.mu = h->o->mu, .e_n = h->o->e_n, .e_t = h->o->e_t},
                        });
    }
}

static int add_card(struct house *h, dls_vec3 edges, dls_vec3 at)
{
    struct dls_body card = dls_body_box(h->o->density, edges, at);
    card.force.x = -h->o->accel * card.mass * h->o->gravity;
    return dls_build_body(&h->b, card);
}

static void add_tent(struct house *h, int level, int k)
{
    const struct card_options *o = h->o;
    const dls_vec3 up = {0, 0, 1}, along = {1, 0, 0};
    dls_vec3 foot = tent_at(h, level, k), top = foot;
    int card = 0, below = level ? floor_of(h, level - 1, k) : -1;
    for (int side = -1; side <= 1;
         side += 2) { // left card, leaning to the right; right
        double out = 0.5 * (o->length * h->s + o->thickness * h->c);
        dls_vec3 at = {foot.x + side * out, 0,
                       foot.z + 0.5 * (o->length * h->c + o->thickness * h->s)};
        card = add_card(h, (dls_vec3){o->thickness, o->depth, o->length}, at);
        dls_vec3 *axis = h->b.body[card].axis;
        axis[0] = (dls_vec3){h->c, 0, side * h->s};
        axis[1] = (dls_vec3){0, 1, 0};
        axis[2] = (dls_vec3){-side * h->s, 0, h->c};
        dls_vec3 stand = {foot.x + side * o->length * h->s, 0, foot.z};
        touch_edge(h, card, below, stand, up);
    }
    top.z += o->length * h->c;
    touch_edge(h, card, card - 1, top, along);
}

// The floor between the tents k and k + 1: on the right edge of one, the left of the other.
static void add_floor(struct house *h, int level, int k)
{
    const struct card_options *o = h->o;
    dls_vec3 left = tent_at(h, level, k), right = tent_at(h, level, k + 1), at = left;
    double under = left.z + o->length * h->c + o->thickness * h->s;
    at.x = 0.5 * (left.x + right.x);
    at.z = under + 0.5 * o->thickness;
    int card = add_card(h, (dls_vec3){h->pitch, o->depth, o->thickness}, at);
    left.x += o->thickness * h->c;
    right.x -= o->thickness * h->c;
    left.z = right.z = under;
    touch_edge(h, card, first_of(h, level) + 2 * k + 1, left, (dls_vec3){0, 0, 1});
    touch_edge(h, card, first_of(h, level) + 2 * k + 2, right, (dls_vec3){0, 0, 1});
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    const struct card_options *o = opt;
    int n = o->levels, contacts = 3 * n * (n + 1) + 2 * n * (n - 1);
    double lean = o->lean * acos(-1) / 180;
    struct house h = {.o = o, .s = sin(lean), .c = cos(lean)};
    h.pitch = 2 * o->length * h.s + 2 * o->thickness; // feet of neighbours do not touch
    if (o->thickness * h.c >= o->length * h.s)
        return dls_fail(err, DLS_EINVAL,
                        "card-house: cards of thickness %g do not lean by %g degrees",
                        o->thickness, o->lean);
    if (!dls_build_open(&h.b, 3, first_of(&h, n), contacts, a)) return DLS_ENOMEM;
    h.b.gravity = o->gravity;
    h.b.step = o->step;
    for (int level = 0; level < n; level++) {
        for (int k = 0; k < tents_of(&h, level); k++) add_tent(&h, level, k);
        for (int k = 0; k + 1 < tents_of(&h, level); k++) add_floor(&h, level, k);
    }
    struct dls_origin origin = {
        "card-house", options, opt,
        "A house of cards: tents and floors, under its weight."};
    return dls_build_close(&h.b, p, &origin, a);
}

const struct dls_generator dls_generator_card_house = {
    .name = "card-house",
    .brief = "a house of cards in space: few contacts, each of them needed",
    .options = options,
    .options_size = sizeof(struct card_options),
    .make = make,
};
