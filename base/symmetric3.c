// SPDX-License-Identifier: Apache-2.0
// The largest eigenvalue of a symmetric 3 x 3 matrix: with c = trace / 3 and
// B = (S - c I) / b, |B|^2 = 6, it is c + 2 b y, 4 y^3 - 3 y = x, x = det B / 2, that is
// y = cos(acos(x) / 3). Near x = -1 the two largest ones are close and that loses half the
// digits; the least one, c - 2 b y with -x in place of x, has all of them there and its
// eigenvector is taken out. NAN for what is not finite or where cubes leave the range of
// numbers.
#include "base/symmetric3.h"

#include "base/vec3.h"

#include <math.h>

// The largest eigenvalue of a symmetric 3 x 3 matrix in the plane across a direction that
// is an eigenvector of it: that of a 2 x 2 matrix.
static double largest_across(const double *S, dls_vec3 z)
{
    dls_vec3 axis = {fabs(z.x) < 0.6, fabs(z.x) >= 0.6, 0}; // not along z
    dls_vec3 x = dls_vec3_cross(axis, z);
    x = dls_vec3_scale(1 / dls_vec3_norm(x), x);
    dls_vec3 y = dls_vec3_cross(z, x), row[3], Sx, Sy;
    for (int i = 0; i < 3; i++)
        row[i] = (dls_vec3){S[3 * i], S[3 * i + 1], S[3 * i + 2]};
    Sx = (dls_vec3){dls_vec3_dot(row[0], x), dls_vec3_dot(row[1], x),
                    dls_vec3_dot(row[2], x)};
    Sy = (dls_vec3){dls_vec3_dot(row[0], y), dls_vec3_dot(row[1], y),
                    dls_vec3_dot(row[2], y)};
    double a = dls_vec3_dot(x, Sx), b = dls_vec3_dot(y, Sy), off = dls_vec3_dot(x, Sy);
    return 0.5 * (a + b + sqrt((a - b) * (a - b) + 4 * off * off));
}

// cos(acos(x) / 3) for -0.98 <= x <= 1: a step of Newton's method on 4 y^3 - 3 y = x from
// y = cos(2/3 acos(s)), s = cos(acos(x) / 2), by Chebyshev's polynomial of degree 8 on
// [0.1, 1], right to 9e-10: the step leaves 9 times the square of that, and rounding.
static inline double third(double x)
{
    double s = sqrt(0.5 + 0.5 * x), s2 = s * s, s4 = s2 * s2;
    double low =
        (0.500000185 + 0.577344824 * s) + s2 * (-0.11104541 + 0.0530273037 * s);
    double high =
        (-0.0311937619 + 0.0183490454 * s) + s2 * (-0.0089889266 + 0.00298212956 * s);
    double y = low + s4 * (high - s4 * 0.000475389663);
    return y - ((4 * y * y - 3) * y - x) / (12 * y * y - 3);
}

// The unit eigenvector of a simple eigenvalue: what is orthogonal to the rows of
// S - lambda I, by the longest of their products.
static dls_vec3 eigenvector(const double *S, double lambda)
{
    dls_vec3 row[3], best = {0, 0, 1};
    double longest = 0;
    for (int i = 0; i < 3; i++)
        row[i] =
            (dls_vec3){S[3 * i] - (i == 0) * lambda, S[3 * i + 1] - (i == 1) * lambda,
                       S[3 * i + 2] - (i == 2) * lambda};
    for (int i = 0; i < 3; i++) {
        dls_vec3 z = dls_vec3_cross(row[i], row[(i + 1) % 3]);
        double square = dls_vec3_dot(z, z);
        if (square > longest) longest = square, best = z;
    }
    return longest > 0 ? dls_vec3_scale(1 / sqrt(longest), best) : best;
}

double dls_symmetric3_largest(const double *S)
{
    const double by_3 = 1.0 / 3, by_6 = 1.0 / 6;
    double c = (S[0] + S[4] + S[8]) * by_3, x = S[0] - c, y = S[4] - c, z = S[8] - c;
    double off = S[1] * S[1] + S[2] * S[2] + S[5] * S[5];
    if (off <= 1e-30 * c * c) return fmax(S[0], fmax(S[4], S[8])); // rounding
    double b = sqrt((x * x + y * y + z * z + 2 * off) * by_6);
    if (!(b > 1e-70 && b < 1e70)) return NAN; // b^4 leaves the range of numbers
    double det = x * (y * z - S[5] * S[5]) - S[1] * (S[1] * z - S[5] * S[2])
                 + S[2] * (S[1] * S[5] - y * S[2]);
    double half = 0.5 * det / (b * b * b);
    if (half > -0.98) return c + 2 * b * third(half < 1 ? half : 1);
    double least = c - 2 * b * third(half > -1 ? -half : 1);
    return largest_across(S, eigenvector(S, least));
}
