// SPDX-License-Identifier: Apache-2.0
// A hemispherical dome of dry stones in rings, under its weight.
//
// Stone (i, k) fills r0 < r < r1, theta_i+1 < theta < theta_i (from the vertical) and one
// S-th of the circle; rings of odd number are turned by half a stone, so that stones bond
// over the joints below. The rings go from the springing, theta = 90 degrees, to the eye, an
// opening of half-angle `eye` around the crown. Joints: a ring lies on the cone below it,
// where each stone meets two others (one obstacle at the springing); within a ring
// neighbours meet in the plane of a meridian. Every joint carries contacts at its four
// corners:
//
//     contacts = 4 S + 8 S (rings - 1) + 4 S rings
//
// A stone symmetric about phi = 0 has, with R_k = int r^k dr and the density rho,
//
//     m = rho R_2 int sin theta dtheta  int dphi,      m c = rho R_3 (int sin^2 theta int cos
//     phi, 0, int sin theta cos theta int 1),          J = int rho x x^T,
//
// and inertia tr(J) - J about its centre c; the principal axes are y and two in the plane
// of its meridian.
//
// Hoops under tension do not exist without mortar: the lower rings push outwards, held by
// friction between rings alone. The springing may spread: its surface moves outwards at the
// given speed. Bodies are numbered by rings from the springing, contacts by bodies, the
// joint below first. Cost: linear.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

#include <math.h>

struct dome_options {
    int rings, stones;
    double radius, thickness, eye, density, spread, accel;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(dome_options, rings, 6, 1, 1000, "rings"),
    DLS_INT(dome_options, stones, 12, 3, 1000, "stones in a ring"),
    DLS_REAL(dome_options, radius, 5, 1e-6, 1e6, "of the middle surface, m"),
    DLS_REAL(dome_options, thickness, 0.12, 1e-3, 1, "of the shell, over the radius"),
    DLS_REAL(dome_options, eye, 10, 0.1, 80, "half-angle of the opening, degrees"),
    DLS_REAL(dome_options, density, 2000, 1e-9, 1e9, "density"),
    DLS_REAL(dome_options, spread, 0, -10, 10, "speed of the springing, outwards"),
    DLS_REAL(dome_options, accel, 0, -1e3, 1e3, "of the ground along x, in g"),
    DLS_ROWS_LAW(dome_options, 0.6),
    DLS_ROWS_STEP(dome_options),
    {0},
};

static const double pi = 3.14159265358979323846;

// The angle from the vertical under ring i; i = rings: the eye.
static double theta_of(const struct dome_options *o, int i)
{
    return pi / 2 - (pi / 2 - o->eye * pi / 180) * i / o->rings;
}
// The azimuth of the joint before stone k of ring i, in whole or half stones.
static double phi_of(const struct dome_options *o, int i, double k)
{
    return 2 * pi * (k + 0.5 * (i % 2)) / o->stones;
}
static int stone_of(const struct dome_options *o, int i, int k)
{
    return i * o->stones + (k + o->stones) % o->stones;
}

static dls_vec3 at_angles(double r, double theta, double phi)
{
    return (dls_vec3){r * sin(theta) * cos(phi), r * sin(theta) * sin(phi),
                      r * cos(theta)};
}

// int r^k dr over the thickness.
static double radial(const struct dome_options *o, int k)
{
    double half = 0.5 * o->thickness;
    double low = o->radius * (1 - half), high = o->radius * (1 + half);
    return (pow(high, k + 1) - pow(low, k + 1)) / (k + 1);
}

// Mass, centre and principal axes of a stone of ring i, in the plane y = 0.
static struct dls_body make_stone(const struct dome_options *o, int i)
{
    double a = theta_of(o, i + 1), b = theta_of(o, i), turn = 2 * pi / o->stones;
    double s1 = cos(a) - cos(b);                                   // int sin
    double s2 = 0.5 * (b - a) - 0.25 * (sin(2 * b) - sin(2 * a));  // int sin^2
    double c3 = (pow(cos(a), 3) - pow(cos(b), 3)) / 3;             // int sin cos^2
    double s3 = s1 - c3;                                           // int sin^3
    double sc = 0.5 * (sin(b) * sin(b) - sin(a) * sin(a));         // int sin cos
    double ssc = (pow(sin(b), 3) - pow(sin(a), 3)) / 3;            // int sin^2 cos
    double cosine = 2 * sin(0.5 * turn);                           // int cos phi
    double even = 0.5 * turn + 0.5 * sin(turn), odd = turn - even; // cos^2, sin^2
    double R3 = o->density * radial(o, 3), R4 = o->density * radial(o, 4);
    double m = o->density * radial(o, 2) * s1 * turn;
    double x = R3 * s2 * cosine / m, z = R3 * sc * turn / m;
    double xx = R4 * s3 * even - m * x * x, yy = R4 * s3 * odd;
    double zz = R4 * c3 * turn - m * z * z, xz = R4 * ssc * cosine - m * x * z;
    double alpha = 0.5 * atan2(2 * xz, xx - zz), c = cos(alpha), s = sin(alpha);
    double first = c * c * xx + 2 * s * c * xz + s * s * zz; // J along (c, 0, s)
    double third = xx + zz - first;
    return (struct dls_body){
        .mass = m,
        .inertia = {yy + third, first + third, first + yy},
        .at = {x, 0, z},
        .axis = {{c, 0, s}, {0, 1, 0}, {-s, 0, c}},
    };
}

static dls_vec3 turned(dls_vec3 x, double phi)
{
    return (dls_vec3){x.x * cos(phi) - x.y * sin(phi), x.x * sin(phi) + x.y * cos(phi),
                      x.z};
}

static void add_stone(struct dls_build *b, const struct dome_options *o,
                      const struct dls_body *like, int i, int k)
{
    double phi = phi_of(o, i, k + 0.5);
    struct dls_body stone = *like;
    stone.at = turned(stone.at, phi);
    for (int j = 0; j < 3; j++) stone.axis[j] = turned(stone.axis[j], phi);
    stone.force.x = -o->accel * stone.mass * o->gravity;
    dls_build_body(b, stone);
}

// A joint at its four corners: on a cone (theta fixed) or in a meridian (phi fixed).
struct joint {
    int body, other;
    double theta[2], phi[2];
};

static void add_joint(struct dls_build *b, const struct dome_options *o, struct joint j)
{
    bool cone = j.theta[0] == j.theta[1];
    for (int k = 0; k < 4; k++) {
        int end = k % 2;
        double theta = j.theta[end], phi = j.phi[end];
        double r = o->radius * (1 + (k / 2 ? 0.5 : -0.5) * o->thickness);
        dls_vec3 upwards = {-cos(theta) * cos(phi), -cos(theta) * sin(phi), sin(theta)};
        dls_vec3 onwards = {-sin(phi), cos(phi), 0};
        dls_vec3 outwards = {cos(phi), sin(phi), 0};
        dls_build_touch(
            b, (struct dls_touch){
                   .body = j.body,
                   .other = j.other,
                   .point = at_angles(r, theta, phi),
                   .n = cone ? upwards : onwards,
                   .surface = dls_vec3_scale(j.other < 0 ? o->spread : 0, outwards),
                   .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
               });
    }
}

static void add_joints(struct dls_build *b, const struct dome_options *o, int i, int k)
{
    double low = theta_of(o, i), high = theta_of(o, i + 1);
    double from = phi_of(o, i, k), half = pi / o->stones;
    int stone = stone_of(o, i, k);
    if (!i)
        add_joint(b, o, (struct joint){stone, -1, {low, low}, {from, from + 2 * half}});
    for (int part = 0; part < 2 && i; part++) { // two stones of the ring below
        // A ring that is turned has its stone k over k and k + 1, the others over k - 1, k.
        int below = stone_of(o, i - 1, k + part - (i % 2 == 0));
        double phi = from + part * half;
        add_joint(b, o, (struct joint){stone, below, {low, low}, {phi, phi + half}});
    }
    int before = stone_of(o, i, k - 1);
    add_joint(b, o, (struct joint){stone, before, {low, high}, {from, from}});
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct dome_options *o = opt;
    struct dls_build b;
    int contacts = 4 * o->stones * (1 + 2 * (o->rings - 1) + o->rings);
    if (!dls_build_open(&b, 3, o->rings * o->stones, contacts, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int i = 0; i < o->rings; i++) {
        struct dls_body like = make_stone(o, i);
        for (int k = 0; k < o->stones; k++) add_stone(&b, o, &like, i, k);
    }
    for (int i = 0; i < o->rings; i++)
        for (int k = 0; k < o->stones; k++) add_joints(&b, o, i, k);
    struct dls_origin origin = {"dome", options, opt,
                                "A dome of dry stones in rings, under its weight."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_dome = {
    .name = "dome",
    .brief = "a hemispherical dome of stones in bonded rings",
    .options = options,
    .options_size = sizeof(struct dome_options),
    .make = make,
};
