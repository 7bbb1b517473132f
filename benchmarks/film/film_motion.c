// SPDX-License-Identifier: Apache-2.0
// The arrays of a page that change from frame to frame, in the units of film_page.c.
#include <math.h>

#include "benchmarks/film/film_parts.h"

enum { ABSENT = 65535, FULL = 16383, ORIGIN = 24575, MOST = 65534 };

// A coordinate in steps of the frame of the picture; NaN goes to its lower end.
static uint32_t place_of(const struct dls_film_range *r, int axis, float x)
{
    double share = (x - r->low[axis]) / (r->high[axis] - r->low[axis]);
    double steps = isnan(share) ? 0 : FULL * share;
    return (uint32_t)lround(fmax(0, fmin(ORIGIN + steps, MOST)));
}

static uint32_t root_byte(double value, double most)
{
    return most > 0 ? (uint32_t)lround(255 * sqrt(fmax(0, fmin(value / most, 1)))) : 0;
}

// Whether a body's rotation is seen: all in the plane, all but balls in space.
static bool turns(const struct dls_film *f, int body)
{
    if (!f->rigid || f->dim == 2) return f->rigid;
    return dls_rigid_made(f->rigid, body).shape->kind != DLS_SHAPE_BALL;
}

static uint32_t turn_of(const struct dls_film *f, float turn)
{
    const double pi = 3.14159265358979323846;
    double x = f->dim == 2 ? remainder(turn, 2 * pi) / pi : turn;
    if (isnan(x)) return 0;
    return (uint32_t)lround(32767 * fmax(-1, fmin(x, 1))) & 0xffff;
}

// One number of each body in a frame.
typedef uint32_t body_number(const struct dls_film_page *,
                             const struct dls_film_frame *, int body, int i);

static uint32_t position(const struct dls_film_page *p,
                         const struct dls_film_frame *frame, int body, int i)
{
    const float *at = frame->at + 3 * body;
    return isnan(at[0]) ? ABSENT : place_of(&p->range, i, at[i]);
}

static uint32_t turn(const struct dls_film_page *p, const struct dls_film_frame *frame,
                     int body, int i)
{
    return turn_of(p->film, frame->turn[4 * body + i]);
}

static uint32_t speed(const struct dls_film_page *p, const struct dls_film_frame *frame,
                      int body, int i)
{
    (void)i;
    return root_byte(frame->speed[body], p->range.speed);
}

// Changes of `numbers` numbers a body since the frame before, number after number.
static void write_changes(struct dls_film_page *p, const char *id, body_number *of,
                          int numbers, int bytes)
{
    const struct dls_film *f = p->film;
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->frames; k++)
        for (int i = 0; i < numbers; i++) {
            int count = 0;
            for (int body = 0; body < f->bodies; body++) {
                if (of == turn && !turns(f, body)) continue;
                uint32_t before = k ? of(p, &f->frame[k - 1], body, i) : 0;
                uint32_t now = of(p, &f->frame[k], body, i);
                p->value[count++] = dls_packed_change(before, now, 8 * bytes);
            }
            dls_packed_planes(&b, p->value, count, bytes);
        }
    dls_film_close(p, &b, id);
}

void dls_film_write_motion(struct dls_film_page *p)
{
    const struct dls_film *f = p->film;
    write_changes(p, "positions", position, f->dim, 2);
    write_changes(p, "turns", turn, f->dim == 2 ? 1 : 4, 2);
    write_changes(p, "speeds", speed, 1, 1);
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->frames; k++)
        for (int i = 0; i < 12 * f->moving; i++)
            dls_packed_float(&b, f->frame[k].drive[i]);
    dls_film_close(p, &b, "drives");
}

// Contacts that can be seen, between two bodies (pair) or with an obstacle.
static bool is_seen(const struct dls_film_page *p, const struct dls_film_contact *c,
                    bool pair)
{
    bool between = c->other >= 0 && !dls_film_silent(p->film, c->other);
    return between == pair && c->force > 0.01 * p->range.force;
}

// The numbers of the seen contacts of a frame into p->value; returns how many there are.
typedef uint32_t contact_number(const struct dls_film_page *,
                                const struct dls_film_contact *,
                                const struct dls_film_contact *before, int i);
static int gather(struct dls_film_page *p, const struct dls_film_frame *frame,
                  bool pair, contact_number *of, int i)
{
    const struct dls_film_contact none = {0}, *before = &none;
    int count = 0;
    for (int c = 0; c < frame->contacts; c++) {
        if (!is_seen(p, &frame->contact[c], pair)) continue;
        p->value[count++] = of(p, &frame->contact[c], before, i);
        before = &frame->contact[c];
    }
    return count;
}

static uint32_t body_since(const struct dls_film_page *p,
                           const struct dls_film_contact *c,
                           const struct dls_film_contact *before, int i)
{
    (void)p;
    uint32_t from = (uint32_t)(i ? c->body : before->body);
    return dls_packed_change(from, (uint32_t)(i ? c->other : c->body), 32);
}

static uint32_t force(const struct dls_film_page *p, const struct dls_film_contact *c,
                      const struct dls_film_contact *before, int i)
{
    (void)before, (void)i;
    return root_byte(c->force, p->range.force);
}

static uint32_t point(const struct dls_film_page *p, const struct dls_film_contact *c,
                      const struct dls_film_contact *before, int i)
{
    (void)before;
    return place_of(&p->range, i, c->point[i]);
}

static void write_gathered(struct dls_film_page *p, const char *id, bool pair,
                           contact_number *of, int numbers, int bytes)
{
    const struct dls_film *f = p->film;
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->frames; k++)
        for (int i = 0; i < numbers; i++) {
            int count = gather(p, &f->frame[k], pair, of, i);
            dls_packed_planes(&b, p->value, count, bytes);
        }
    dls_film_close(p, &b, id);
}

void dls_film_write_contacts(struct dls_film_page *p)
{
    write_gathered(p, "pairs", true, body_since, 2, 4);
    write_gathered(p, "pair-force", true, force, 1, 1);
    write_gathered(p, "pushes", false, body_since, 1, 4);
    write_gathered(p, "push-force", false, force, 1, 1);
    write_gathered(p, "pushed", false, point, p->film->dim, 2);
}

void dls_film_write_counts(const struct dls_film_page *p, bool pair)
{
    FILE *out = p->out;
    const struct dls_film *f = p->film;
    long count = 0;
    fprintf(out, ",\"%s\":[0", pair ? "pairs" : "pushes");
    for (int k = 0; k < f->frames; k++) {
        for (int c = 0; c < f->frame[k].contacts; c++)
            count += is_seen(p, &f->frame[k].contact[c], pair);
        fprintf(out, ",%ld", count);
    }
    fputs("]", out);
}
