// SPDX-License-Identifier: Apache-2.0
// Cholesky's factorisation with diagonal pivots,
//
//     G(p, p) = L L^T,      L L^T gamma(p) = b(p)
//
// Its pivots are the squares of those that a QR of the columns with pivoting has, so that a
// rank tolerance t there is t^2 here, and must be well above the root of round-off.
//
// Cost: k^3 / 3 operations. The products with a new column cost 2 m k where a QR of all
// columns costs 2 m k^2.
#include "solvers/kernel/gram.h"

#include "base/contract.h"

#include <math.h>

enum { LANES = 8 };

double dls_gram_dot(int n, const double *x, const double *y)
{
    double part[LANES] = {0}, sum = 0;
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++) part[l] += x[i + l] * y[i + l];
    for (int i = whole; i < n; i++) sum += x[i] * y[i];
    for (int l = 0; l < LANES; l++) sum += part[l];
    return sum;
}

struct factors {
    double L[DLS_GRAM_MOST][DLS_GRAM_MOST]; // rows in the order of the columns of F
    double rest[DLS_GRAM_MOST]; // squares of what columns add to those before them
    int pivot[DLS_GRAM_MOST], rank;
};

// The column that adds most to those before, or -1 where all add too little.
static int choose(const struct factors *s, int k, double least)
{
    int best = -1;
    double most = least;
    for (int c = 0; c < k; c++)
        if (s->rest[c] > most) best = c, most = s->rest[c];
    return best;
}

static void factor(struct factors *s, int k, const double *G, int stride, double least)
{
    double longest = 0;
    for (int c = 0; c < k; c++) longest = fmax(longest, s->rest[c] = G[c * stride + c]);
    for (s->rank = 0; s->rank < k; s->rank++) {
        int j = s->rank, p = choose(s, k, least * least * longest);
        if (p < 0) return;
        double root = sqrt(s->rest[p]);
        s->pivot[j] = p;
        for (int c = 0; c < k; c++) {
            double sum = G[c * stride + p];
            for (int l = 0; l < j; l++) sum -= s->L[c][l] * s->L[p][l];
            s->L[c][j] = c == p ? root : sum / root;
            s->rest[c] -= s->L[c][j] * s->L[c][j];
        }
        s->rest[p] = 0;
    }
}

void dls_gram_solve(int k, const double *G, int stride, const double *b, double least,
                    double *gamma)
{
    DLS_ASSERT(k <= DLS_GRAM_MOST && stride >= k);
    struct factors s;
    double y[DLS_GRAM_MOST];
    factor(&s, k, G, stride, least);
    for (int c = 0; c < k; c++) gamma[c] = 0;
    for (int j = 0; j < s.rank; j++) {
        const double *row = s.L[s.pivot[j]];
        y[j] = b[s.pivot[j]];
        for (int l = 0; l < j; l++) y[j] -= row[l] * y[l];
        y[j] /= row[j];
    }
    for (int j = s.rank - 1; j >= 0; j--) {
        for (int l = j + 1; l < s.rank; l++) y[j] -= s.L[s.pivot[l]][j] * y[l];
        y[j] /= s.L[s.pivot[j]][j];
        gamma[s.pivot[j]] = y[j];
    }
}
