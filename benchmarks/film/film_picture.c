// SPDX-License-Identifier: Apache-2.0
// One state of a run as an SVG picture for papers: bodies, and a line along each contact
// whose width is the normal force. In space the picture is a parallel projection from
// the direction from which the page of a run looks at first; bodies are painted from
// the back to the front.
#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/film/film.h"

enum { WIDTH = 800, MARGIN = 10 };                        // pixels
static const double yaw = 0.6, pitch = 0.3, thickest = 8; // radians, pixels

struct picture {
    const struct dls_sim *sim;
    const struct dls_rigid *rigid;
    double low[2], high[2], scale;
    FILE *out;
};

// Right, up and ahead of the eye; depth grows away from it.
static dls_vec3 turned(const struct picture *p, dls_vec3 x)
{
    double cy = cos(yaw), sy = sin(yaw), cp = cos(pitch), sp = sin(pitch);
    if (p->rigid->dim == 2) return (dls_vec3){x.x, x.y, 0};
    return (dls_vec3){
        sy * x.x - cy * x.y,
        cy * sp * x.x + sy * sp * x.y + cp * x.z,
        cy * cp * x.x + sy * cp * x.y - sp * x.z,
    };
}

static dls_vec3 pixel(const struct picture *p, dls_vec3 x)
{
    dls_vec3 t = turned(p, x);
    return (dls_vec3){MARGIN + p->scale * (t.x - p->low[0]),
                      MARGIN + p->scale * (p->high[1] - t.y), t.z};
}

static bool is_seen(const struct picture *p, int body)
{
    return !(p->rigid->held[body] & DLS_SILENT);
}

static void frame(struct picture *p)
{
    for (int i = 0; i < 2; i++) p->low[i] = INFINITY, p->high[i] = -INFINITY;
    for (int k = 0; k < p->rigid->bodies; k++) {
        if (!is_seen(p, k)) continue;
        dls_vec3 t = turned(p, dls_rigid_pose(p->rigid, p->sim->q, k).at);
        double bound = p->rigid->shape[k].bound, at[2] = {t.x, t.y};
        for (int i = 0; i < 2; i++) {
            p->low[i] = fmin(p->low[i], at[i] - bound);
            p->high[i] = fmax(p->high[i], at[i] + bound);
        }
    }
    double wide = p->high[0] - p->low[0];
    p->scale = (WIDTH - 2 * MARGIN) / (wide > 0 ? wide : 1);
}

static void draw_corners(const struct picture *p, const struct dls_solid *s, int count,
                         const unsigned char *corner)
{
    fputs("<polygon points='", p->out);
    for (int k = 0; k < count; k++) {
        dls_vec3 x = pixel(p, s->x[corner ? corner[k] : k]);
        fprintf(p->out, "%s%.2f,%.2f", k ? " " : "", x.x, x.y);
    }
    fputs("'/>\n", p->out);
}

// A cylinder block: the sides and the end that face the eye, as of a prism.
static void draw_cylinder(const struct picture *p, const struct dls_shape *s,
                          const struct dls_pose *pose, dls_vec3 eye)
{
    enum { SIDES = 32 };
    dls_vec3 x[2][SIDES];
    for (int k = 0; k < 2 * SIDES; k++) {
        double a = 2 * 3.14159265358979323846 * (k % SIDES) / SIDES;
        dls_vec3 local = {s->radius * cos(a), s->radius * sin(a),
                          k < SIDES ? -s->half.z : s->half.z};
        x[k / SIDES][k % SIDES] = pixel(p, dls_pose_place(pose, local));
    }
    for (int k = 0; k < SIDES; k++) {
        int next = (k + 1) % SIDES;
        dls_vec3 a = x[0][k], b = x[0][next], c = x[1][next], d = x[1][k];
        // Counterclockwise from outside: pixels run downwards, so this faces the eye.
        if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) >= 0) continue;
        fprintf(p->out,
                "<polygon stroke='none' points='%.2f,%.2f %.2f,%.2f %.2f,%.2f "
                "%.2f,%.2f'/>\n",
                a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y);
    }
    int near = dls_vec3_dot(pose->axis[2], eye) < 0; // the upper end
    fputs("<polygon points='", p->out);
    for (int k = 0; k < SIDES; k++)
        fprintf(p->out, "%s%.2f,%.2f", k ? " " : "", x[near][k].x, x[near][k].y);
    fputs("'/>\n", p->out);
}

static void draw_body(const struct picture *p, int k)
{
    const struct dls_shape *s = &p->rigid->shape[k];
    struct dls_pose pose = dls_rigid_pose(p->rigid, p->sim->q, k);
    dls_vec3 x = pixel(p, pose.at),
             eye = {cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), -sin(pitch)};
    struct dls_solid solid;
    dls_vec3 room[DLS_SOLID_ROOM];
    if (s->kind == DLS_SHAPE_BALL) {
        fprintf(p->out, "<circle cx='%.2f' cy='%.2f' r='%.2f'/>\n", x.x, x.y,
                p->scale * s->radius);
        return;
    }
    if (s->kind == DLS_SHAPE_CYLINDER) {
        draw_cylinder(p, s, &pose, eye);
        return;
    }
    dls_solid_place(&solid, s, &pose, room);
    if (!s->hull) draw_corners(p, &solid, solid.corners, NULL);
    for (int f = 0; s->hull && f < solid.faces; f++)
        if (dls_vec3_dot(solid.n[f], eye) < 0) // towards the eye
            draw_corners(p, &solid, s->hull->face[f].count, s->hull->face[f].corner);
}

struct item {
    int body;
    double depth;
};

static int farthest_first(const void *a, const void *b)
{
    double x = ((const struct item *)a)->depth, y = ((const struct item *)b)->depth;
    return (x < y) - (x > y);
}

static bool draw_bodies(const struct picture *p, struct dls_arena *a)
{
    int count = 0;
    struct item *item = DLS_NEW(a, struct item, p->rigid->bodies);
    if (!item) return false;
    for (int k = 0; k < p->rigid->bodies; k++)
        if (is_seen(p, k))
            item[count++] = (struct item){
                k, turned(p, dls_rigid_pose(p->rigid, p->sim->q, k).at).z};
    qsort(item, (size_t)count, sizeof *item, farthest_first);
    fputs("<g fill='#d7e3ee' stroke='#2f5d8a' stroke-width='.6' "
          "stroke-linejoin='round'>\n",
          p->out);
    for (int k = 0; k < count; k++) draw_body(p, item[k].body);
    fputs("</g>\n", p->out);
    return true;
}

static void draw_forces(const struct picture *p)
{
    const struct dls_step *s = &p->sim->last;
    int contacts = p->sim->steps ? s->problem.contacts : 0, d = s->problem.d;
    double most = 0;
    for (int k = 0; k < contacts; k++) most = fmax(most, s->r[k * d]);
    fputs("<g stroke='#c24b00' stroke-linecap='round' opacity='.85'>\n", p->out);
    for (int k = 0; k < contacts; k++) {
        const struct dls_contact *c = &s->contact[k];
        double width = most > 0 ? thickest * s->r[k * d] / most : 0;
        if (width < 0.05) continue; // pixels
        bool pair = c->other >= 0 && is_seen(p, c->other);
        dls_vec3 a = pixel(p, dls_rigid_pose(p->rigid, p->sim->q, c->body).at);
        dls_vec3 b = pixel(p, pair ? dls_rigid_pose(p->rigid, p->sim->q, c->other).at
                                   : c->point);
        fprintf(p->out,
                "<line x1='%.2f' y1='%.2f' x2='%.2f' y2='%.2f' "
                "stroke-width='%.2f'/>\n",
                a.x, a.y, b.x, b.y, width);
    }
    fputs("</g>\n", p->out);
}

static bool draw(struct picture *p, struct dls_arena *a)
{
    frame(p);
    double high = p->scale * (p->high[1] - p->low[1]) + 2 * MARGIN;
    fprintf(p->out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %.0f' width='%d' "
            "height='%.0f'>\n<title>t = %.9g</title>\n",
            WIDTH, high, WIDTH, high, p->sim->t);
    bool good = draw_bodies(p, a);
    draw_forces(p);
    fputs("</svg>\n", p->out);
    return good && !ferror(p->out);
}

enum dls_status dls_film_picture(const struct dls_sim *sim, const char *path,
                                 struct dls_error *err)
{
    struct dls_arena scratch = {0};
    struct picture p = {.sim = sim, .rigid = dls_rigid_of(sim->system)};
    if (!p.rigid)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "--svg: this example is not made of rigid bodies");
    struct dls_file to;
    bool good = dls_file_begin(&to, path);
    if (good) {
        p.out = to.out;
        good = dls_file_end(&to, draw(&p, &scratch));
    }
    dls_arena_free(&scratch);
    if (good) return DLS_OK;
    return dls_fail(err, DLS_EIO, "%.180s: %s", path, strerror(errno));
}
