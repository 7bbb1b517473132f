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
// Ranges: film_range.c. Motion and contacts: film_motion.c. Bodies: film_bodies.c.
// Curves: film_curves.c.
#include "base/file.h"

#include <errno.h>
#include <string.h>

#include "benchmarks/film/film_parts.h"
#include "benchmarks/report/html.h"
#include "benchmarks/report/svg.h"

static void write_numbers(const struct dls_film_page *p)
{
    FILE *out = p->out;
    const struct dls_film *f = p->film;
    const struct dls_film_range *r = &p->range;
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
        dls_film_write_obstacle(out, f, s, k);
    fputs("]", out);
    dls_film_write_counts(p, true);
    dls_film_write_counts(p, false);
    dls_film_write_curves(out, f);
    fputs("}</script>\n", out);
}

static void write_head(FILE *out, const struct dls_film *f,
                       const struct dls_film_range *r)
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
static bool write_page(struct dls_film_page *p)
{
    const struct dls_film *f = p->film;
    FILE *out = p->out;
    int contacts = most_contacts(f);
    p->value = DLS_RAW(p->arena, uint32_t, f->bodies > contacts ? f->bodies : contacts);
    if (!p->value || !dls_film_find_range(p)) return false;
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
    dls_film_write_motion(p);
    dls_film_write_bodies(p);
    dls_film_write_contacts(p);
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
        struct dls_film_page page = {to.out, f, &s, {.speed = 0}, NULL, &scratch, true};
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
