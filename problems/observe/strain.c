// SPDX-License-Identifier: Apache-2.0
// Strains from displacements, by least squares.
//
//     gradient = (sum D (x) X) (sum X (x) X)^-1,  X, D relative to their means,
//     shear = sqrt(((e_xx - e_yy) / 2)^2 + e_xy^2),  e the symmetric part.
//
// A band: all strips of the given width and of directions a degree apart are counted, the
// fullest one is refined: the principal direction of the points in it, again and again
// until the same points are in it.
#include "problems/observe/strain.h"

#include <math.h>

enum { DIRECTIONS = 180, ROUNDS = 20 };

// Sums over the chosen grains.
struct moments {
    int count;
    dls_vec3 x, d;
    double xx[2][2], dx[2][2]; // X (x) X, D (x) X
};

static void add(struct moments *m, dls_vec3 x, dls_vec3 d)
{
    const double X[] = {x.x, x.y}, D[] = {d.x, d.y};
    m->count++;
    m->x = dls_vec3_add(m->x, x);
    m->d = dls_vec3_add(m->d, d);
    for (int i = 0; i < 4; i++) {
        m->xx[i / 2][i % 2] += X[i / 2] * X[i % 2];
        m->dx[i / 2][i % 2] += D[i / 2] * X[i % 2];
    }
}

static bool gradient_of(struct moments *m, double G[2][2])
{
    if (m->count < 3) return false;
    const double X[] = {m->x.x, m->x.y}, D[] = {m->d.x, m->d.y};
    for (int i = 0; i < 4; i++) {
        m->xx[i / 2][i % 2] -= X[i / 2] * X[i % 2] / m->count;
        m->dx[i / 2][i % 2] -= D[i / 2] * X[i % 2] / m->count;
    }
    double det = m->xx[0][0] * m->xx[1][1] - m->xx[0][1] * m->xx[1][0];
    double size = m->xx[0][0] + m->xx[1][1];
    if (!(det > 1e-12 * size * size)) return false; // all on one line
    for (int i = 0; i < 2; i++) {
        G[i][0] = (m->dx[i][0] * m->xx[1][1] - m->dx[i][1] * m->xx[1][0]) / det;
        G[i][1] = (m->dx[i][1] * m->xx[0][0] - m->dx[i][0] * m->xx[0][1]) / det;
    }
    return true;
}

void dls_local_shear(const struct dls_displaced *s, double reach, double *shear)
{
    for (int k = 0; k < s->count; k++) {
        struct moments m = {0};
        double G[2][2];
        for (int j = 0; j < s->count; j++) {
            dls_vec3 x = dls_vec3_sub(s->from[j], s->from[k]);
            dls_vec3 d = dls_vec3_sub(dls_vec3_sub(s->to[j], s->to[k]), x);
            if (dls_vec3_norm(x) <= reach) add(&m, x, d);
        }
        shear[k] = gradient_of(&m, G)
                       ? hypot(0.5 * (G[0][0] - G[1][1]), 0.5 * (G[0][1] + G[1][0]))
                       : NAN;
    }
}

bool dls_affine_fit(const struct dls_displaced *s, struct dls_affine *f)
{
    struct moments m = {0};
    dls_vec3 origin = s->count ? s->from[0] : (dls_vec3){0}; // less cancellation
    for (int k = 0; k < s->count; k++)
        add(&m, dls_vec3_sub(s->from[k], origin), dls_vec3_sub(s->to[k], s->from[k]));
    *f = (struct dls_affine){0};
    if (!gradient_of(&m, f->gradient)) return false;
    f->from = dls_vec3_add(origin, dls_vec3_scale(1.0 / m.count, m.x));
    f->mean = dls_vec3_scale(1.0 / m.count, m.d);
    return true;
}

dls_vec3 dls_affine_at(const struct dls_affine *f, dls_vec3 from)
{
    dls_vec3 x = dls_vec3_sub(from, f->from);
    return (dls_vec3){f->mean.x + f->gradient[0][0] * x.x + f->gradient[0][1] * x.y,
                      f->mean.y + f->gradient[1][0] * x.x + f->gradient[1][1] * x.y, 0};
}

// --- bands ---------------------------------------------------------------------------

struct strip {
    dls_vec3 through, along; // unit
    double width;
};

static bool inside(const struct strip *s, dls_vec3 at)
{
    dls_vec3 x = dls_vec3_sub(at, s->through);
    return fabs(s->along.x * x.y - s->along.y * x.x) <= 0.5 * s->width;
}

static int count_inside(const struct strip *s, int count, const dls_vec3 *at)
{
    int sum = 0;
    for (int k = 0; k < count; k++) sum += inside(s, at[k]);
    return sum;
}

// The fullest of the strips about each point, in all directions.
static struct strip fullest(int count, const dls_vec3 *at, double width)
{
    struct strip best = {0};
    int most = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < DIRECTIONS; i++) {
            double angle = acos(-1) * i / DIRECTIONS;
            struct strip s = {at[k], {cos(angle), sin(angle), 0}, width};
            int in = count_inside(&s, count, at);
            if (in > most) most = in, best = s;
        }
    return best;
}

// Through the centroid of the points inside, along their principal direction; how many.
static int refine(struct strip *s, int count, const dls_vec3 *at)
{
    dls_vec3 mean = {0};
    double xx = 0, yy = 0, xy = 0;
    int in = count_inside(s, count, at);
    for (int k = 0; k < count; k++)
        if (inside(s, at[k]))
            mean = dls_vec3_add(mean, dls_vec3_scale(1.0 / in, at[k]));
    for (int k = 0; k < count; k++) {
        dls_vec3 x = dls_vec3_sub(at[k], mean);
        if (!inside(s, at[k])) continue;
        xx += x.x * x.x, yy += x.y * x.y, xy += x.x * x.y;
    }
    double angle = 0.5 * atan2(2 * xy, xx - yy);
    s->through = mean;
    s->along = (dls_vec3){cos(angle), sin(angle), 0};
    return in;
}

bool dls_band_fit(int count, const dls_vec3 *at, double width, struct dls_band *b)
{
    *b = (struct dls_band){.angle = NAN, .error = NAN};
    if (count < 3) return false;
    struct strip s = fullest(count, at, width);
    for (int k = 0, last = -1; k < ROUNDS && last != b->count; k++) {
        last = b->count;
        b->count = refine(&s, count, at);
    }
    double lo = INFINITY, hi = -INFINITY, degree = acos(-1) / 180;
    for (int k = 0; k < count; k++) {
        double x = dls_vec3_dot(s.along, dls_vec3_sub(at[k], s.through));
        if (inside(&s, at[k])) lo = fmin(lo, x), hi = fmax(hi, x);
    }
    b->through = s.through;
    b->length = hi - lo;
    b->angle = atan2(s.along.y, s.along.x) / degree;
    if (b->angle <= -90) b->angle += 180;
    if (b->angle > 90) b->angle -= 180;
    b->error = atan2(0.5 * width, b->length) / degree;
    return b->count >= 3;
}
