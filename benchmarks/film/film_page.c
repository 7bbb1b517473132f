// SPDX-License-Identifier: Apache-2.0
// The page of a film: one HTML file with style, script and data inside.
//
// Numbers that are few stand in a JSON object, all text in a list that the script reads
// as text, and arrays compressed (packed.c), positions, turns and speeds as changes since
// the frame before:
//   positions  1/16383 of the frame of the picture, which is a 13th of a pixel; 16 bits,
//              so that the frame reaches 3/2 of itself to both sides; 65535 = not there
//   turns      16 bits, of bodies whose rotation is seen: angle / pi, or quaternions
//   speeds     8 bits of sqrt(speed / largest)
//   contacts   number of the body since the contact before, and of the other since it
//   forces     8 bits of sqrt(r_N / 98 % quantile), so that one impact does not hide
//              the rest; below 1 % of that a line could not be seen, and is left out
//
// The frame of the picture is where the bodies are, less those few that fly off: in each
// frame of time the 2 % farthest to each side are left out, and 0.3 of what is left is
// added on both sides as far as there are bodies.
#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/film/film.h"
#include "benchmarks/film/film_shapes.h"
#include "benchmarks/film/packed.h"
#include "benchmarks/report/html.h"
#include "benchmarks/report/svg.h"

enum { ABSENT = 65535, FULL = 16383, ORIGIN = 24575, MOST = 65534, NO_SHAPE = 65535 };

// What all frames share.
struct range {
    double low[3], high[3], speed, force;
};

// Everything that the writers need; `value` has room for the numbers of a frame.
struct page {
    FILE *out;
    const struct dls_film *film;
    const struct dls_film_shapes *shapes;
    struct range range;
    uint32_t *value;
    struct dls_arena *arena;
    bool good;
};

static bool is_silent(const struct dls_film *f, int body)
{
    return f->rigid && (dls_rigid_made(f->rigid, body).held & DLS_SILENT);
}

static double radius_of(const struct dls_film *f, int body)
{
    return f->rigid ? dls_rigid_made(f->rigid, body).shape->bound : 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The range of one coordinate in one frame of time: `all` in the first pair, without the
// few farthest in the second.
static void frame_range(const struct dls_film *f, const struct dls_film_frame *frame,
                        int axis, double *work, double range[4])
{
    int count = 0;
    double lowest = INFINITY, highest = -INFINITY, largest = 0;
    for (int b = 0; b < frame->bodies; b++) {
        double x = frame->at[3 * b + axis], by = radius_of(f, b);
        if (is_silent(f, b) || !isfinite(x)) continue;
        lowest = fmin(lowest, x - by);
        highest = fmax(highest, x + by);
        largest = fmax(largest, by);
        work[count++] = x;
    }
    range[0] = range[2] = lowest;
    range[1] = range[3] = highest;
    int few = count / 50;
    if (!few) return;
    qsort(work, (size_t)count, sizeof *work, by_value);
    range[2] = fmax(lowest, work[few] - largest);
    range[3] = fmin(highest, work[count - 1 - few] + largest);
}

static void find_box(struct range *r, const struct dls_film *f, double *work)
{
    for (int i = 0; i < 3; i++) {
        double all[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY}, one[4];
        for (int k = 0; k < f->frames; k++) {
            frame_range(f, &f->frame[k], i, work, one);
            for (int e = 0; e < 4; e++)
                all[e] = e % 2 ? fmax(all[e], one[e]) : fmin(all[e], one[e]);
        }
        double margin = 0.3 * (all[3] - all[2]);
        r->low[i] = fmax(all[0], all[2] - margin);
        r->high[i] = fmin(all[1], all[3] + margin);
        bool flat = i == 2 && f->dim == 2, some = r->low[i] < r->high[i];
        if (flat || !(r->low[i] <= r->high[i])) r->low[i] = r->high[i] = 0;
        if (!flat && !some) r->low[i] -= 0.5, r->high[i] += 0.5;
    }
}

// False when memory runs out.
static bool find_range(struct page *p)
{
    const struct dls_film *f = p->film;
    struct range *r = &p->range;
    struct dls_spread *forces = DLS_NEW(p->arena, struct dls_spread, 1);
    double *work = DLS_RAW(p->arena, double, f->bodies);
    if (p->arena->failed) return false;
    find_box(r, f, work);
    for (int k = 0; k < f->frames; k++) {
        const struct dls_film_frame *frame = &f->frame[k];
        for (int b = 0; b < frame->bodies; b++)
            if (!is_silent(f, b)) r->speed = fmax(r->speed, frame->speed[b]);
        for (int c = 0; c < frame->contacts; c++)
            if (frame->contact[c].force > 0)
                dls_spread_add(forces, frame->contact[c].force);
    }
    r->force = forces->count ? dls_spread_quantile(forces, 0.98) : 0;
    return true;
}

// --- motion --------------------------------------------------------------------------

static void close_array(struct page *p, struct dls_packed *b, const char *id)
{
    p->good = dls_packed_close(b, p->out, id) && p->good;
}

// A coordinate in steps of the frame of the picture; NaN goes to its lower end.
static uint32_t place_of(const struct range *r, int axis, float x)
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
typedef uint32_t body_number(const struct page *, const struct dls_film_frame *,
                             int body, int i);

static uint32_t position(const struct page *p, const struct dls_film_frame *frame,
                         int body, int i)
{
    const float *at = frame->at + 3 * body;
    return isnan(at[0]) ? ABSENT : place_of(&p->range, i, at[i]);
}

static uint32_t turn(const struct page *p, const struct dls_film_frame *frame, int body,
                     int i)
{
    return turn_of(p->film, frame->turn[4 * body + i]);
}

static uint32_t speed(const struct page *p, const struct dls_film_frame *frame,
                      int body, int i)
{
    (void)i;
    return root_byte(frame->speed[body], p->range.speed);
}

// Changes of `numbers` numbers a body since the frame before, number after number.
static void write_changes(struct page *p, const char *id, body_number *of, int numbers,
                          int bytes)
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
    close_array(p, &b, id);
}

static void write_motion(struct page *p)
{
    const struct dls_film *f = p->film;
    write_changes(p, "positions", position, f->dim, 2);
    write_changes(p, "turns", turn, f->dim == 2 ? 1 : 4, 2);
    write_changes(p, "speeds", speed, 1, 1);
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->frames; k++)
        for (int i = 0; i < 12 * f->moving; i++)
            dls_packed_float(&b, f->frame[k].drive[i]);
    close_array(p, &b, "drives");
}

// Contacts that can be seen, between two bodies (pair) or with an obstacle.
static bool is_seen(const struct page *p, const struct dls_film_contact *c, bool pair)
{
    bool between = c->other >= 0 && !is_silent(p->film, c->other);
    return between == pair && c->force > 0.01 * p->range.force;
}

// The numbers of the seen contacts of a frame into p->value; returns how many there are.
typedef uint32_t contact_number(const struct page *, const struct dls_film_contact *,
                                const struct dls_film_contact *before, int i);
static int gather(struct page *p, const struct dls_film_frame *frame, bool pair,
                  contact_number *of, int i)
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

static uint32_t body_since(const struct page *p, const struct dls_film_contact *c,
                           const struct dls_film_contact *before, int i)
{
    (void)p;
    uint32_t from = (uint32_t)(i ? c->body : before->body);
    return dls_packed_change(from, (uint32_t)(i ? c->other : c->body), 32);
}

static uint32_t force(const struct page *p, const struct dls_film_contact *c,
                      const struct dls_film_contact *before, int i)
{
    (void)before, (void)i;
    return root_byte(c->force, p->range.force);
}

static uint32_t point(const struct page *p, const struct dls_film_contact *c,
                      const struct dls_film_contact *before, int i)
{
    (void)before;
    return place_of(&p->range, i, c->point[i]);
}

static void write_gathered(struct page *p, const char *id, bool pair,
                           contact_number *of, int numbers, int bytes)
{
    const struct dls_film *f = p->film;
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->frames; k++)
        for (int i = 0; i < numbers; i++) {
            int count = gather(p, &f->frame[k], pair, of, i);
            dls_packed_planes(&b, p->value, count, bytes);
        }
    close_array(p, &b, id);
}

static void write_contacts(struct page *p)
{
    write_gathered(p, "pairs", true, body_since, 2, 4);
    write_gathered(p, "pair-force", true, force, 1, 1);
    write_gathered(p, "pushes", false, body_since, 1, 4);
    write_gathered(p, "push-force", false, force, 1, 1);
    write_gathered(p, "pushed", false, point, p->film->dim, 2);
}

// How many there are before each frame, and in all.
static void write_counts(const struct page *p, bool pair)
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

// --- bodies and obstacles -----------------------------------------------------------

static void write_bodies(struct page *p)
{
    const struct dls_film *f = p->film;
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->bodies; k++) dls_packed_float(&b, (float)radius_of(f, k));
    close_array(p, &b, "radii");
    b = dls_packed_open(p->arena);
    for (int k = 0; k < f->bodies; k++)
        dls_packed_put(&b,
                       is_silent(f, k) ? NO_SHAPE
                       : f->rigid      ? (uint32_t)(p->shapes->of_body[k] + 1)
                                       : 0,
                       2);
    close_array(p, &b, "kinds");
    b = dls_packed_open(p->arena);
    for (int k = 0; k < f->bodies; k++)
        dls_packed_put(&b, f->rigid ? (uint32_t)dls_rigid_made(f->rigid, k).tag : 0, 2);
    close_array(p, &b, "tags");
}

static void write_obstacle(FILE *out, const struct dls_film *f,
                           const struct dls_film_shapes *s, int k)
{
    static const char *const kinds[] = {"plane", "wall", "container", "shape"};
    const struct dls_obstacle *o = &f->rigid->obstacle[k];
    fprintf(out, "%s{\"kind\":\"%s\",\"radius\":%.6g,\"point\":", k ? "," : "",
            kinds[o->kind], o->radius);
    dls_film_point(out, o->point);
    fputs(",\"n\":", out);
    dls_film_point(out, o->n);
    fputs(",\"end\":", out);
    dls_film_point(out, o->end);
    if (f->mover[k] >= 0) fprintf(out, ",\"moving\":%d", f->mover[k]);
    if (o->kind == DLS_OBSTACLE_SHAPE) {
        fprintf(out, ",\"shape\":%d,\"at\":", s->of_obstacle[k]);
        dls_film_point(out, o->pose.at);
        fputs(",\"axes\":[", out);
        for (int i = 0; i < 3; i++) {
            if (i) fputc(',', out);
            dls_film_point(out, o->pose.axis[i]);
        }
        fputc(']', out);
    }
    fputc('}', out);
}

// --- curves --------------------------------------------------------------------------

static bool is_flat(const struct dls_film *f, int curve)
{
    for (int k = 0; k < f->samples; k++)
        if (f->curve[curve].value[k] != 0) return false;
    return true;
}

// The curves of a chart, flat ones but the first left out; titles follow the names of
// the curves.
static void write_chart(FILE *out, const struct dls_film *f, int chart)
{
    const struct dls_film_chart *c = &f->chart[chart];
    fprintf(out, "%s{\"title\":%d,\"log\":%s,\"lines\":[%d", chart ? "," : "",
            f->curves + chart, c->log ? "true" : "false", c->first);
    for (int k = c->first + 1; k < c->first + c->count; k++)
        if (!is_flat(f, k)) fprintf(out, ",%d", k);
    fputs("]}", out);
}

static void write_curves(FILE *out, const struct dls_film *f)
{
    fputs(",\"curves\":[", out);
    for (int k = 0; k < f->curves; k++) {
        fputs(k ? ",[" : "[", out);
        for (int i = 0; i < f->samples; i++) {
            if (i) fputc(',', out);
            if (isfinite(f->curve[k].value[i]))
                fprintf(out, "%.6g", f->curve[k].value[i]);
            else
                fputs("null", out);
        }
        fputs("]", out);
    }
    fputs("],\"charts\":[", out);
    for (int k = 0; k < f->charts; k++) write_chart(out, f, k);
    fputs("]", out);
}

// --- all -----------------------------------------------------------------------------

static void write_numbers(const struct page *p)
{
    FILE *out = p->out;
    const struct dls_film *f = p->film;
    const struct range *r = &p->range;
    const struct dls_film_shapes *s = p->shapes;
    fprintf(out,
            "<script type='application/json' id='data'>{\"dim\":%d,\"bodies\":%d,"
            "\"frames\":%d,\"moving\":%d,\"speed\":%.6g,\"force\":%.6g,"
            "\"box\":[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g],\"t\":[",
            f->dim, f->bodies, f->frames, f->moving, r->speed, r->force, r->low[0],
            r->low[1], r->low[2], r->high[0], r->high[1], r->high[2]);
    for (int k = 0; k < f->frames; k++)
        fprintf(out, "%s%.9g", k ? "," : "", f->frame[k].t);
    fputs("],\"shapes\":[", out);
    for (int k = 0; k < s->count; k++) {
        if (k) fputc(',', out);
        dls_film_shape(out, s->all[k], f->dim);
    }
    fputs("],\"obstacles\":[", out);
    for (int k = 0; f->rigid && k < f->rigid->obstacles; k++)
        write_obstacle(out, f, s, k);
    fputs("]", out);
    write_counts(p, true);
    write_counts(p, false);
    write_curves(out, f);
    fputs("}</script>\n", out);
}

static void write_head(FILE *out, const struct dls_film *f, const struct range *r)
{
    dls_html_open(out, f->title, 0);
    fprintf(out, "<style>\n%s</style>\n<h1>", dls_asset_run_css);
    dls_xml_text(out, f->title);
    fputs("</h1>\n<p class='about'>", out);
    dls_xml_text(out, f->about);
    fprintf(
        out,
        "</p>\n<div class='stage'><canvas id='canvas' aria-label='the bodies'>"
        "</canvas><div class='scale' id='scale'>0<i id='ramp'></i>"
        "<span id='scale-most'></span></div>"
        "<p id='about-body' hidden></p></div>\n<div class='player'>"
        "<button id='play'>Play</button>"
        "<input type='range' id='slider' min='0' value='0' aria-label='frame'>"
        "<output id='time'></output>"
        "<label>colour <select id='colour'>"
        "<option value='speed'>speed</option>"
        "<option value='displacement'>displacement</option>"
        "<option value='tag'>tag</option><option value='plain'>plain</option>"
        "</select></label>"
        "<label><input type='checkbox' id='forces'> contact forces</label>"
        "<label>arrows <select id='ways'><option value=''>none</option>"
        "<option value='way'>displacement</option>"
        "<option value='affine'>less affine part</option>"
        "</select></label>"
        "<button id='from' class='small' title='where displacements begin; once more: "
        "the first frame'>from here</button><output id='ways-scale'></output></div>\n"
        "<p class='note'>%s Widest line: a normal force of %.3g or more. Numbers "
        "above the "
        "curves belong to the dashed line; a click goes there.</p>\n"
        "<div class='charts' id='charts'></div>\n",
        f->dim == 3 ? "Drag turns, shift-drag moves, the wheel or two fingers zoom."
                    : "Drag moves, the wheel or two fingers zoom.",
        r->force);
}

static int most_contacts(const struct dls_film *f)
{
    int most = 0;
    for (int k = 0; k < f->frames; k++)
        most = f->frame[k].contacts > most ? f->frame[k].contacts : most;
    return most;
}

// False when memory runs out or an array cannot be compressed.
static bool write_page(struct page *p)
{
    const struct dls_film *f = p->film;
    FILE *out = p->out;
    int contacts = most_contacts(f);
    p->value = DLS_RAW(p->arena, uint32_t, f->bodies > contacts ? f->bodies : contacts);
    if (!p->value || !find_range(p)) return false;
    write_head(out, f, &p->range);
    fputs("<ul id='names' hidden>", out);
    for (int k = 0; k < f->curves + f->charts; k++) {
        fputs("<li>", out);
        dls_xml_text(out,
                     k < f->curves ? f->curve[k].name : f->chart[k - f->curves].title);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
    write_numbers(p);
    write_motion(p);
    write_bodies(p);
    write_contacts(p);
    fprintf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", dls_asset_run_js);
    return p->good;
}

enum dls_status dls_film_write(const struct dls_film *f, const char *path,
                               struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(f->arena);
    struct dls_film_shapes s;
    struct dls_file to;
    bool good = dls_film_shapes(&s, f, &scratch) && dls_file_begin(&to, path);
    if (good) {
        struct page page = {to.out, f, &s, {.speed = 0}, NULL, &scratch, true};
        bool written = write_page(&page);
        good = dls_file_end(&to, written) && written;
    }
    enum dls_status status = DLS_OK;
    if (scratch.failed)
        status = dls_fail(err, DLS_ENOMEM, "out of memory");
    else if (!good)
        status = dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    dls_arena_free(&scratch);
    return status;
}
