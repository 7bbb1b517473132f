// SPDX-License-Identifier: Apache-2.0
// The page of a film: one HTML file with style, script and data inside.
//
// Numbers that are few stand in a JSON object, all text in a list that the script reads
// as text, and arrays as base64 of little-endian integers:
//   positions  16 bits over the bounding box of the run, 65535 = not there
//   turns      16 bits, of bodies whose rotation is seen: angle / pi, or quaternions
//   speeds     8 bits of sqrt(speed / largest)
//   forces     8 bits of sqrt(r_N / 98 % quantile), so that one impact does not hide
//              the rest; below 1/510 a line could not be seen, and is left out
// 3000 disks in 200 frames take 5 MB, and the contacts of a dense packing as much again.
#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "benchmarks/film/base64.h"
#include "benchmarks/film/film.h"
#include "benchmarks/film/film_shapes.h"
#include "benchmarks/report/html.h"
#include "benchmarks/report/svg.h"

enum { ABSENT = 65535, FULL = 65534, NO_SHAPE = 65535 };

// What all frames share.
struct range {
    double low[3], high[3], speed, force;
};

static void widen(struct range *r, const float *x, double by)
{
    for (int i = 0; i < 3; i++) {
        if (!isfinite(x[i])) continue;
        r->low[i] = fmin(r->low[i], x[i] - by);
        r->high[i] = fmax(r->high[i], x[i] + by);
    }
}

static bool is_silent(const struct dls_film *f, int body)
{
    return f->rigid && (dls_rigid_made(f->rigid, body).held & DLS_SILENT);
}

static double radius_of(const struct dls_film *f, int body)
{
    return f->rigid ? dls_rigid_made(f->rigid, body).shape->bound : 0;
}

static struct range range_of(const struct dls_film *f, struct dls_spread *forces)
{
    struct range r = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, 0};
    for (int k = 0; k < f->frames; k++) {
        const struct dls_film_frame *frame = &f->frame[k];
        for (int b = 0; b < frame->bodies; b++) {
            if (is_silent(f, b)) continue;
            widen(&r, frame->at + 3 * b, radius_of(f, b));
            r.speed = fmax(r.speed, frame->speed[b]);
        }
        for (int c = 0; c < frame->contacts; c++)
            if (frame->contact[c].force > 0)
                dls_spread_add(forces, frame->contact[c].force);
    }
    r.force = forces->count ? dls_spread_quantile(forces, 0.98) : 0;
    for (int i = 0; i < 3; i++) {
        bool flat = i == 2 && f->dim == 2, some = r.low[i] < r.high[i];
        if (flat || !(r.low[i] <= r.high[i])) r.low[i] = r.high[i] = 0;
        if (!flat && !some) r.low[i] -= 0.5, r.high[i] += 0.5;
    }
    return r;
}

// --- motion --------------------------------------------------------------------------

static void put_place(struct dls_base64 *b, const struct range *r, int dim,
                      const float *x)
{
    for (int i = 0; i < dim; i++) {
        double share = (x[i] - r->low[i]) / (r->high[i] - r->low[i]);
        dls_base64_put(b, (uint32_t)lround(FULL * fmax(0, fmin(share, 1))),
                       2); // NaN: 0
    }
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

static void put_turn(struct dls_base64 *b, const struct dls_film *f, const float *turn)
{
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < (f->dim == 2 ? 1 : 4); i++) {
        double x = f->dim == 2 ? remainder(turn[i], 2 * pi) / pi : turn[i];
        dls_base64_put(b, (uint32_t)lround(32767 * fmax(-1, fmin(x, 1))), 2);
    }
}

static void write_motion(FILE *out, const struct dls_film *f, const struct range *r)
{
    struct dls_base64 b = dls_base64_open(out, "positions");
    for (int k = 0; k < f->frames; k++)
        for (int body = 0; body < f->bodies; body++) {
            if (!isnan(f->frame[k].at[3 * body]))
                put_place(&b, r, f->dim, f->frame[k].at + 3 * body);
            else
                for (int i = 0; i < f->dim; i++) dls_base64_put(&b, ABSENT, 2);
        }
    dls_base64_close(&b);
    b = dls_base64_open(out, "turns");
    for (int k = 0; k < f->frames; k++)
        for (int body = 0; body < f->bodies; body++)
            if (turns(f, body)) put_turn(&b, f, f->frame[k].turn + 4 * body);
    dls_base64_close(&b);
    b = dls_base64_open(out, "speeds");
    for (int k = 0; k < f->frames; k++)
        for (int body = 0; body < f->bodies; body++)
            dls_base64_put(&b, root_byte(f->frame[k].speed[body], r->speed), 1);
    dls_base64_close(&b);
    b = dls_base64_open(out, "drives");
    for (int k = 0; k < f->frames; k++)
        for (int i = 0; i < 12 * f->moving; i++)
            dls_base64_float(&b, f->frame[k].drive[i]);
    dls_base64_close(&b);
}

// Contacts that can be seen, between two bodies (pair) or with an obstacle.
static bool is_seen(const struct dls_film *f, const struct dls_film_contact *c,
                    const struct range *r, bool pair)
{
    bool between = c->other >= 0 && !is_silent(f, c->other);
    return between == pair && root_byte(c->force, r->force) > 0;
}

static void write_contacts(FILE *out, const struct dls_film *f, const struct range *r,
                           bool pair)
{
    struct dls_base64 b = dls_base64_open(out, pair ? "pairs" : "pushes");
    for (int k = 0; k < f->frames; k++)
        for (int c = 0; c < f->frame[k].contacts; c++) {
            const struct dls_film_contact *contact = &f->frame[k].contact[c];
            if (!is_seen(f, contact, r, pair)) continue;
            dls_base64_put(&b, (uint32_t)contact->body, 4);
            if (pair) dls_base64_put(&b, (uint32_t)contact->other, 4);
        }
    dls_base64_close(&b);
    b = dls_base64_open(out, pair ? "pair-force" : "push-force");
    for (int k = 0; k < f->frames; k++)
        for (int c = 0; c < f->frame[k].contacts; c++)
            if (is_seen(f, &f->frame[k].contact[c], r, pair))
                dls_base64_put(&b, root_byte(f->frame[k].contact[c].force, r->force),
                               1);
    dls_base64_close(&b);
    if (pair) return;
    b = dls_base64_open(out, "pushed");
    for (int k = 0; k < f->frames; k++)
        for (int c = 0; c < f->frame[k].contacts; c++)
            if (is_seen(f, &f->frame[k].contact[c], r, false))
                put_place(&b, r, f->dim, f->frame[k].contact[c].point);
    dls_base64_close(&b);
}

// How many there are before each frame, and in all.
static void write_counts(FILE *out, const struct dls_film *f, const struct range *r,
                         bool pair)
{
    long count = 0;
    fprintf(out, ",\"%s\":[0", pair ? "pairs" : "pushes");
    for (int k = 0; k < f->frames; k++) {
        for (int c = 0; c < f->frame[k].contacts; c++)
            count += is_seen(f, &f->frame[k].contact[c], r, pair);
        fprintf(out, ",%ld", count);
    }
    fputs("]", out);
}

// --- bodies and obstacles -----------------------------------------------------------

static void write_bodies(FILE *out, const struct dls_film *f,
                         const struct dls_film_shapes *s)
{
    struct dls_base64 b = dls_base64_open(out, "radii");
    for (int k = 0; k < f->bodies; k++) dls_base64_float(&b, (float)radius_of(f, k));
    dls_base64_close(&b);
    b = dls_base64_open(out, "kinds");
    for (int k = 0; k < f->bodies; k++)
        dls_base64_put(&b,
                       is_silent(f, k) ? NO_SHAPE
                       : f->rigid      ? (uint32_t)(s->of_body[k] + 1)
                                       : 0,
                       2);
    dls_base64_close(&b);
    b = dls_base64_open(out, "tags");
    for (int k = 0; k < f->bodies; k++)
        dls_base64_put(&b, f->rigid ? (uint32_t)dls_rigid_made(f->rigid, k).tag : 0, 2);
    dls_base64_close(&b);
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

static void write_numbers(FILE *out, const struct dls_film *f, const struct range *r,
                          const struct dls_film_shapes *s)
{
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
    write_counts(out, f, r, true);
    write_counts(out, f, r, false);
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
    fprintf(out,
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
            "<label><input type='checkbox' id='forces'> contact forces</label></div>\n"
            "<p class='note'>%s Widest line: a normal force of %.3g or more. Numbers "
            "above the "
            "curves belong to the dashed line; a click goes there.</p>\n"
            "<div class='charts' id='charts'></div>\n",
            f->dim == 3 ? "Drag turns, shift-drag moves, the wheel or two fingers zoom."
                        : "Drag moves, the wheel or two fingers zoom.",
            r->force);
}

static void write_page(FILE *out, const struct dls_film *f,
                       const struct dls_film_shapes *s, struct dls_spread *forces)
{
    struct range r = range_of(f, forces);
    write_head(out, f, &r);
    fputs("<ul id='names' hidden>", out);
    for (int k = 0; k < f->curves + f->charts; k++) {
        fputs("<li>", out);
        dls_xml_text(out,
                     k < f->curves ? f->curve[k].name : f->chart[k - f->curves].title);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
    write_numbers(out, f, &r, s);
    write_motion(out, f, &r);
    write_bodies(out, f, s);
    write_contacts(out, f, &r, true);
    write_contacts(out, f, &r, false);
    fprintf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", dls_asset_run_js);
}

enum dls_status dls_film_write(const struct dls_film *f, const char *path,
                               struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(f->arena);
    struct dls_film_shapes s;
    struct dls_file to;
    struct dls_spread *forces = DLS_NEW(&scratch, struct dls_spread, 1);
    bool ready = dls_film_shapes(&s, f, &scratch);
    bool good = ready && forces && dls_file_begin(&to, path);
    if (good) {
        write_page(to.out, f, &s, forces);
        good = dls_file_end(&to, true);
    }
    enum dls_status status = DLS_OK;
    if (scratch.failed)
        status = dls_fail(err, DLS_ENOMEM, "out of memory");
    else if (!good)
        status = dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
    dls_arena_free(&scratch);
    return status;
}
