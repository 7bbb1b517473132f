// SPDX-License-Identifier: Apache-2.0
// The Fischer-Burmeister function of a contact, in the Jordan algebra of the Lorentz cone.
//
//     phi(x, y) = x + y - (x^2 + y^2)^(1/2),
//     x = (a r_N, b r_T),   y = ((u_N + mu |u_T|) / a, u_T / b),   a = mu b
//
// vanishes exactly where x and y are in the Lorentz cone L = { |x_1| <= x_0 } and x.y = 0
// [FukushimaLuoTseng2002]; the scaling by a and b takes K to L and K* to L. Squares and
// roots are those of the product x o y = (x.y, x_0 y_1 + y_0 x_1).
//
// Method. w = x^2 + y^2 has the eigenvalues and idempotents
//
//     w_0 -+ |w_1|,   c_-+ = (1, -+ n) / 2,   n = w_1 / |w_1|,
//
// z = w^(1/2) has the roots s_- <= s_+ in the same frame, and L_z, the product by z, has
// the eigenvalues s_- on c_-, s_+ on c_+ and (s_- + s_+) / 2 across. Hence
//
//     phi_x = I - L_z^-1 L_x
//           = I - c_- p^T - c_+ q^T - 2 / (s_- + s_+) P L_x,
//     p = 2 L_x c_- / s_-,   q = 2 L_x c_+ / s_+,   P across.
//
// The small eigenvalue is computed without cancellation as |x_1 - x_0 n|^2 + |y_1 - y_0 n|^2.
// Where it vanishes, p is taken as the limit along (x, y) + eps (c_-, c_-), which is
// sqrt(2) c_-; at x = y = 0 the limit along (e, e) makes phi_x = phi_y = (1 - 1/sqrt 2) I.
// With mu = 0 or d = 1 the normal row is the scalar function, the others are r_T.
#include "solvers/contact/contact_function.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

#define ROUND_OFF 4e-16 // a root s_- below this times s_+ is a zero

// The spectral decomposition of z.
struct spectrum {
    double minus, plus; // s_-, s_+
    double n[3];        // n[1 ... d - 1], a unit vector
};

// |x_1 - x_0 n|^2
static double off_axis(int d, const double *x, const double *n)
{
    double sum = 0;
    for (int i = 1; i < d; i++) sum += (x[i] - x[0] * n[i]) * (x[i] - x[0] * n[i]);
    return sum;
}

static struct spectrum decompose(int d, const double *x, const double *y)
{
    struct spectrum z = {.n = {0, 1, 0}};
    double w[3] = {0}, w_0 = dls_dot(d, x, x) + dls_dot(d, y, y);
    for (int i = 1; i < d; i++) w[i] = 2 * (x[0] * x[i] + y[0] * y[i]);
    double length = d == 2 ? fabs(w[1]) : dls_norm(d - 1, w + 1);
    for (int i = 1; i < d && length > 0; i++) z.n[i] = w[i] / length;
    z.plus = sqrt(w_0 + length);
    z.minus = sqrt(off_axis(d, x, z.n) + off_axis(d, y, z.n));
    return z;
}

// V = I - L_z^-1 L_x
static void derivative(int d, const struct spectrum *z, const double *x, double *V)
{
    const double *n = z->n, root = sqrt(0.5);
    double along = dls_dot(d - 1, x + 1, n + 1), p[3], q[3],
           across = 2 / (z->minus + z->plus);
    for (int i = 0; i < d; i++) { // 2 L_x c_-+ = (x_0 -+ x_1.n, x_1 -+ x_0 n)
        double x_i = i ? x[i] : along, n_i = i ? n[i] : 1;
        p[i] = (i ? x_i - x[0] * n_i : x[0] - along) / z->minus;
        q[i] = (i ? x_i + x[0] * n_i : x[0] + along) / z->plus;
        if (!(z->minus > ROUND_OFF * z->plus)) p[i] = i ? -root * n_i : root;
    }
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            double minus = i ? -0.5 * n[i] : 0.5, plus = i ? 0.5 * n[i] : 0.5;
            double P_L =
                0; // row i of P L_x: P = I - n n^T on the rows behind the first
            if (i) P_L = l ? x[0] * ((i == l) - n[i] * n[l]) : x[i] - along * n[i];
            V[i * d + l] = (i == l) - minus * p[l] - plus * q[l] - across * P_L;
        }
}

// phi, phi_x and phi_y for d > 1.
static void lorentz(int d, const double *x, const double *y,
                    struct dls_contact_value *v)
{
    struct spectrum z = decompose(d, x, y);
    if (!(z.plus > 0)) {
        memset(v, 0, sizeof *v);
        for (int i = 0; i < d; i++)
            v->F_r[i * d + i] = v->F_u[i * d + i] = 1 - sqrt(0.5);
        return;
    }
    for (int i = 0; i < d; i++) {
        double z_i = i ? 0.5 * (z.plus - z.minus) * z.n[i] : 0.5 * (z.plus + z.minus);
        v->F[i] = x[i] + y[i] - z_i;
    }
    derivative(d, &z, x, v->F_r);
    derivative(d, &z, y, v->F_u);
}

static void frictionless(int d, const double *r, const double *u,
                         struct dls_contact_value *v)
{
    double length = hypot(r[0], u[0]), root = sqrt(0.5);
    memset(v, 0, sizeof *v);
    v->F[0] = r[0] + u[0] - length;
    v->F_r[0] = 1 - (length > 0 ? r[0] / length : root);
    v->F_u[0] = 1 - (length > 0 ? u[0] / length : root);
    for (int i = 1; i < d; i++) {
        v->F[i] = r[i];
        v->F_r[i * d + i] = 1;
    }
}

void dls_contact_fischer_burmeister(int d, double mu, const double *r, const double *u,
                                    struct dls_contact_value *v)
{
    if (d == 1 || mu == 0) {
        frictionless(d, r, u, v);
        return;
    }
    double a = 1, b = 1 / mu, t[2], x[3], y[3];
    dls_contact_slip_direction(d, r, u, t);
    x[0] = a * r[0];
    y[0] = u[0];
    for (int i = 1; i < d; i++) {
        x[i] = b * r[i];
        y[i] = u[i] / b;
        y[0] += mu * u[i] * t[i - 1]; // mu |u_T|
    }
    y[0] /= a;
    lorentz(d, x, y, v);
    for (int i = 0; i < d; i++) // back to the derivatives by r and u
        for (int l = 0; l < d; l++) {
            v->F_r[i * d + l] *= l ? b : a;
            v->F_u[i * d + l] /= l ? b : a;
            if (l) v->F_u[i * d + l] += v->F_u[i * d] * mu * t[l - 1];
        }
}
