// SPDX-License-Identifier: Apache-2.0
// Mass and inertia of polygons and cylinder blocks.
//
// A polygon is the sum of the triangles (0, a, b) over its sides, of area A = a x b / 2:
//
//     m = rho sum A,   centre = sum A (a + b) / 3 / sum A,
//     I_z = rho sum A (a.a + a.b + b.b) / 6
//
// A cylinder block: m = rho pi R^2 L, I_z = m R^2 / 2, I_x = I_y = m (3 R^2 + L^2) / 12.
#include "problems/mechanics/shape_mass.h"

#include <math.h>

dls_vec3 dls_polygon_centre(int corners, dls_vec3 *corner)
{
    dls_vec3 sum = {0}, origin = corner[0]; // about a corner: less cancellation
    double area = 0;
    for (int k = 0; k < corners; k++) {
        dls_vec3 a = dls_vec3_sub(corner[k], origin);
        dls_vec3 b = dls_vec3_sub(corner[(k + 1) % corners], origin);
        double twice = dls_vec3_cross(a, b).z;
        sum = dls_vec3_add(sum, dls_vec3_scale(twice / 3, dls_vec3_add(a, b)));
        area += twice;
    }
    dls_vec3 centre = dls_vec3_add(origin, dls_vec3_scale(1 / area, sum));
    for (int k = 0; k < corners; k++) corner[k] = dls_vec3_sub(corner[k], centre);
    return centre;
}

struct dls_body dls_body_polygon(double rho, const struct dls_shape *s, dls_vec3 at)
{
    struct dls_body body = {.at = at};
    for (int k = 0; k < s->corners; k++) {
        dls_vec3 a = dls_shape_corner(s, k);
        dls_vec3 b = dls_shape_corner(s, (k + 1) % s->corners);
        double mass = 0.5 * rho * dls_vec3_cross(a, b).z;
        double square = dls_vec3_dot(a, a) + dls_vec3_dot(a, b) + dls_vec3_dot(b, b);
        body.mass += mass;
        body.inertia.z += mass * square / 6;
    }
    return body;
}

struct dls_body dls_body_cylinder(double rho, const struct dls_shape *s, dls_vec3 at)
{
    double R = s->radius, L = 2 * s->half.z, mass = rho * acos(-1) * R * R * L;
    double across = mass * (3 * R * R + L * L) / 12;
    return (struct dls_body){
        .mass = mass, .inertia = {across, across, 0.5 * mass * R * R}, .at = at};
}
