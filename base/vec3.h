// SPDX-License-Identifier: Apache-2.0
// Vectors of space, passed by value.
#ifndef DLS_BASE_VEC3_H
#define DLS_BASE_VEC3_H

#include <math.h>

typedef struct {
    double x, y, z;
} dls_vec3;

static inline dls_vec3 dls_vec3_add(dls_vec3 a, dls_vec3 b)
{
    return (dls_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline dls_vec3 dls_vec3_sub(dls_vec3 a, dls_vec3 b)
{
    return (dls_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline dls_vec3 dls_vec3_scale(double s, dls_vec3 a)
{
    return (dls_vec3){s * a.x, s * a.y, s * a.z};
}
static inline double dls_vec3_dot(dls_vec3 a, dls_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline dls_vec3 dls_vec3_cross(dls_vec3 a, dls_vec3 b)
{
    return (dls_vec3){
        a.y * b.z - a.z * b.y,
        a.z * b.x - a.x * b.z,
        a.x * b.y - a.y * b.x,
    };
}
static inline double dls_vec3_norm(dls_vec3 a) { return sqrt(dls_vec3_dot(a, a)); }

#endif
