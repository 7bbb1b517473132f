// SPDX-License-Identifier: Apache-2.0
// A state of a run for ParaView: legacy ASCII poly data.
//
// Points are the centres of bodies (part = 0), the contacts (part = 1) and the corners
// of polygons, polyhedra and cylinder blocks (part = 2), whose faces are polygons of the
// file and are seen as they are. Balls: a sphere glyph scaled by `radius` (a diameter of
// 1 has the scale factor 2). Chains of forces: a glyph or tube of `force`. Each point has
//   body (its number), tag, shape (0 ball, 1 polygon, 2 cylinder, 3 polyhedron), radius,
//   orientation (unit quaternion, real part first), velocity,
//   normal and tangential force on the body of a contact, and `force`, their sum.
#include "benchmarks/film/film_vtk.h"

#include "problems/mechanics/rigid.h"

#include <math.h>
#include <string.h>

enum { SIDES = 24 }; // of a cylinder block, here

// What a file has of one state.
struct scene {
    FILE *out;
    const struct dls_sim *sim;
    const struct dls_rigid *rigid; // NULL: bodies are points
    int bodies, contacts, corners, points;
};

static dls_vec3 centre(const struct scene *s, int body)
{
    const struct dls_system *system = s->sim->system;
    const double *q = s->sim->q;
    if (system->place) return system->place(system, q, body);
    return (dls_vec3){q[0], system->nq > 1 ? q[1] : 0, 0};
}

static int corners_of(const struct scene *s, int body)
{
    if (!s->rigid) return 0;
    const struct dls_shape *shape = &s->rigid->shape[body];
    return shape->kind == DLS_SHAPE_CYLINDER ? 2 * SIDES : shape->corners;
}

static dls_vec3 corner(const struct scene *s, int body, int k)
{
    const struct dls_shape *shape = &s->rigid->shape[body];
    struct dls_pose pose = dls_rigid_pose(s->rigid, s->sim->q, body);
    double a = 2 * 3.14159265358979323846 * (k % SIDES) / SIDES;
    dls_vec3 rim = {shape->radius * cos(a), shape->radius * sin(a),
                    k < SIDES ? -shape->half.z : shape->half.z};
    bool cylinder = shape->kind == DLS_SHAPE_CYLINDER;
    return dls_pose_place(&pose, cylinder ? rim : dls_shape_corner(shape, k));
}

static struct scene scene_of(FILE *out, const struct dls_sim *sim)
{
    struct scene s = {.out = out, .sim = sim, .rigid = dls_rigid_of(sim->system)};
    s.bodies = s.rigid ? s.rigid->bodies : sim->system->bodies;
    if (!s.rigid && s.bodies < 1) s.bodies = 1;
    s.contacts = sim->last.problem.contacts;
    for (int k = 0; k < s.bodies; k++) s.corners += corners_of(&s, k);
    s.points = s.bodies + s.contacts + s.corners;
    return s;
}

static void print_vector(FILE *out, dls_vec3 x)
{
    fprintf(out, "%.9g %.9g %.9g\n", x.x, x.y, x.z);
}

static void print_points(const struct scene *s)
{
    fprintf(s->out, "POINTS %d double\n", s->points);
    for (int k = 0; k < s->bodies; k++) print_vector(s->out, centre(s, k));
    for (int k = 0; k < s->contacts; k++)
        print_vector(s->out, s->sim->last.contact[k].point);
    for (int b = 0; b < s->bodies; b++)
        for (int k = 0; k < corners_of(s, b); k++)
            print_vector(s->out, corner(s, b, k));
    int vertices = s->bodies + s->contacts;
    fprintf(s->out, "VERTICES %d %d\n", vertices, 2 * vertices);
    for (int k = 0; k < vertices; k++) fprintf(s->out, "1 %d\n", k);
}

// The corners of face f of a shape, into `to`; returns how many, 0 behind the last.
static int face_of(const struct dls_shape *s, int f, int to[DLS_CORNERS])
{
    if (s->kind == DLS_SHAPE_CYLINDER) {
        int next = (f + 1) % SIDES, side[] = {f, next, SIDES + next, SIDES + f};
        if (f < SIDES) return memcpy(to, side, sizeof side), 4;
        for (int k = 0; f < SIDES + 2 && k < SIDES; k++)
            to[k] = f == SIDES ? SIDES - 1 - k : SIDES + k;
        return f < SIDES + 2 ? SIDES : 0;
    }
    if (!s->hull) {
        for (int k = 0; !f && k < s->corners; k++) to[k] = k;
        return f ? 0 : s->corners;
    }
    if (f >= s->hull->faces) return 0;
    for (int k = 0; k < s->hull->face[f].count; k++) to[k] = s->hull->face[f].corner[k];
    return s->hull->face[f].count;
}

// The polygons of all faces; without `out` they are only counted.
static void faces(const struct scene *s, FILE *out, int *count, int *numbers)
{
    int first = s->bodies + s->contacts, at[DLS_CORNERS];
    *count = *numbers = 0;
    for (int b = 0; s->rigid && b < s->bodies; first += corners_of(s, b++)) {
        const struct dls_shape *shape = &s->rigid->shape[b];
        if (shape->kind == DLS_SHAPE_BALL) continue;
        for (int f = 0, n; (n = face_of(shape, f, at)) > 0; f++) {
            *count += 1;
            *numbers += n + 1;
            if (!out) continue;
            fprintf(out, "%d", n);
            for (int k = 0; k < n; k++) fprintf(out, " %d", first + at[k]);
            fputc('\n', out);
        }
    }
}

static void print_faces(const struct scene *s)
{
    int count, numbers;
    faces(s, NULL, &count, &numbers);
    if (!count) return;
    fprintf(s->out, "POLYGONS %d %d\n", count, numbers);
    faces(s, s->out, &count, &numbers);
}

// --- what each point has --------------------------------------------------------------

// The numbers of a field for a body and a contact; corners have those of their body.
struct field {
    const char *name;
    int size;
    void (*body)(const struct scene *, int body, double *);
    void (*contact)(const struct scene *, int contact, double *);
};

static void body_number(const struct scene *s, int k, double *x)
{
    x[0] = s->rigid ? dls_rigid_number(s->rigid, k) : k;
}
static void contact_body(const struct scene *s, int k, double *x)
{
    body_number(s, s->sim->last.contact[k].body, x);
}
static void tag(const struct scene *s, int k, double *x)
{
    x[0] = s->rigid && s->rigid->tag ? s->rigid->tag[k] : 0;
}
static void shape(const struct scene *s, int k, double *x)
{
    x[0] = s->rigid ? s->rigid->shape[k].kind : 0;
}
static void radius(const struct scene *s, int k, double *x)
{
    x[0] = s->rigid ? s->rigid->shape[k].radius : 0;
}
static void orientation(const struct scene *s, int k, double *x)
{
    x[0] = 1;
    if (!s->rigid) return;
    const double *q = s->sim->q + k * (s->rigid->dim == 2 ? 3 : 7);
    if (s->rigid->dim == 2)
        x[0] = cos(0.5 * q[2]), x[3] = sin(0.5 * q[2]);
    else
        memcpy(x, q + 3, 4 * sizeof *x);
}
static void velocity(const struct scene *s, int k, double *x)
{
    if (!s->rigid) return;
    int dim = s->rigid->dim;
    memcpy(x, s->sim->v + k * (dim == 2 ? 3 : 6), (size_t)dim * sizeof *x);
}

// Forces of a contact on its body: r / h along n, and along t and n x t.
static void forces(const struct scene *s, int k, double *x, bool normal,
                   bool tangential)
{
    const struct dls_step *step = &s->sim->last;
    const struct dls_contact *c = &step->contact[k];
    int d = step->problem.d, tangents = step->problem.rolling ? (d - 1) / 2 : d - 1;
    const double *r = step->r + k * d;
    dls_vec3 f = dls_vec3_scale(normal ? r[0] : 0, c->n);
    dls_vec3 t[2] = {c->t, dls_vec3_cross(c->n, c->t)};
    for (int i = 0; tangential && i < tangents; i++)
        f = dls_vec3_add(f, dls_vec3_scale(r[1 + i], t[i]));
    x[0] = f.x / s->sim->h, x[1] = f.y / s->sim->h, x[2] = f.z / s->sim->h;
}
static void force(const struct scene *s, int k, double *x)
{
    forces(s, k, x, true, true);
}
static void normal(const struct scene *s, int k, double *x)
{
    forces(s, k, x, true, false);
}
static void tangential(const struct scene *s, int k, double *x)
{
    forces(s, k, x, false, true);
}

static void print_field(const struct scene *s, const struct field *f)
{
    fprintf(s->out, "%s %d %d double\n", f->name, f->size, s->points);
    for (int part = 0; part < 3; part++)
        for (int k = 0; k < (part == 1 ? s->contacts : s->bodies); k++) {
            double x[4] = {0};
            if (part != 1 && f->body) f->body(s, k, x);
            if (part == 1 && f->contact) f->contact(s, k, x);
            for (int copy = part == 2 ? corners_of(s, k) : 1; copy > 0; copy--)
                for (int i = 0; i < f->size; i++)
                    fprintf(s->out, "%.9g%c", x[i], i + 1 < f->size ? ' ' : '\n');
        }
}

void dls_film_vtk(FILE *out, const struct dls_sim *sim)
{
    static const struct field fields[] = {
        {"body", 1, body_number, contact_body},
        {"shape", 1, shape, NULL},
        {"tag", 1, tag, NULL},
        {"radius", 1, radius, NULL},
        {"orientation", 4, orientation, NULL},
        {"velocity", 3, velocity, NULL},
        {"force", 3, NULL, force},
        {"normal", 3, NULL, normal},
        {"tangential", 3, NULL, tangential},
    };
    enum { FIELDS = sizeof fields / sizeof *fields };
    struct scene s = scene_of(out, sim);
    fprintf(out, "# vtk DataFile Version 3.0\nt = %.17g\nASCII\nDATASET POLYDATA\n",
            sim->t);
    print_points(&s);
    print_faces(&s);
    fprintf(out, "POINT_DATA %d\nSCALARS part int 1\nLOOKUP_TABLE default\n", s.points);
    for (int k = 0; k < s.points; k++)
        fprintf(out, "%d\n", (k >= s.bodies) + (k >= s.bodies + s.contacts));
    fprintf(out, "FIELD FieldData %d\n", FIELDS);
    for (int k = 0; k < FIELDS; k++) print_field(&s, &fields[k]);
}
