// SPDX-License-Identifier: Apache-2.0
// W = sum over bodies b of H_b M_b^-1 H_b^T, and each term acts on the contacts of b alone:
//
//     x.W x = sum_b x_b.W_b x_b <= sum_b l_b |x_b|^2 = sum_a (l_b1 + l_b2) |x_a|^2,
//
// l_b the largest eigenvalue of W_b, which is that of S_b = M_b^-1 (H_b^T H_b), as small as
// the body's velocities are few. It is bounded by |T^8|_F^(1/8) of the symmetric matrix T
// with the eigenvalues of S: at most 6^(1/16) = 1.12 times too large.
//
// Cost: some hundred operations a contact and body, no eigenvalue, no W.
// Notation: S_b = M_b^-1 A, A = H_b^T H_b; |T^8|_F^2 = tr T^16 = tr S^16.
#include "formulations/parts/contact_bound.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 64 }; // velocities of a body: what inertia.c takes as one

// C = A B, all k x k.
static void multiply(int k, const double *A, const double *B, double *C)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += A[i * k + l] * B[l * k + j];
            C[i * k + j] = sum;
        }
}

// (tr S^16)^(1/16) of a matrix whose eigenvalues are not negative; `other` is work.
static double largest(int k, double *S, double *other)
{
    double size = 0, trace = 0;
    for (int i = 0; i < k; i++) size += S[i * (k + 1)];
    if (!(size > 0)) return 0;
    for (int i = 0; i < k * k; i++) S[i] /= size; // no power overflows
    for (int power = 1; power < 16; power *= 2) {
        multiply(k, S, S, other);
        double *swap = S;
        S = other, other = swap;
    }
    for (int i = 0; i < k; i++) trace += S[i * (k + 1)];
    return size * pow(trace, 1.0 / 16);
}

// A_b += h h^T for the part of a row of H that belongs to body b.
static void add_row(const struct dls_inertia *in, const struct dls_csr *H, int row,
                    const size_t *at, double *A)
{
    for (int k = H->p[row]; k < H->p[row + 1]; k++)
        for (int l = H->p[row]; l < H->p[row + 1]; l++) {
            int b = in->body_of[H->j[k]], first = in->start[b];
            int size = in->start[b + 1] - first;
            if (in->body_of[H->j[l]] != b) continue;
            A[at[b] + (size_t)((H->j[k] - first) * size + H->j[l] - first)] +=
                H->x[k] * H->x[l];
        }
}

// l_b from A_b, whose rows become those of A M^-1 (the eigenvalues of M^-1 A).
static double body_bound(const struct dls_inertia *in, int b, double *A, double *work)
{
    int k = in->start[b + 1] - in->start[b];
    for (int i = 0; i < k; i++) dls_inertia_solve_body(in, b, A + i * k);
    return largest(k, A, work);
}

// D_a = sum of l_b over the bodies of contact a.
static double contact_sum(const struct dls_problem *p, const struct dls_inertia *in,
                          int contact, const double *l)
{
    const struct dls_csr *H = p->H;
    int from = H->p[contact * p->d], to = H->p[(contact + 1) * p->d];
    double sum = 0;
    for (int k = from; k < to; k++) { // few: every body once, at its first entry
        int b = in->body_of[H->j[k]], first = from;
        while (in->body_of[H->j[first]] != b) first++;
        if (first == k) sum += l[b];
    }
    return sum;
}

bool dls_contact_bound(const struct dls_problem *p, const struct dls_inertia *in,
                       double *D, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t *at = DLS_NEW(&scratch, size_t, in->bodies + 1);
    double *l = DLS_NEW(&scratch, double, in->bodies);
    double *work = DLS_NEW(&scratch, double, LARGEST *LARGEST);
    if (scratch.failed) return dls_arena_free(&scratch), false;
    for (int b = 0; b < in->bodies; b++) {
        size_t size = (size_t)(in->start[b + 1] - in->start[b]);
        at[b + 1] = at[b] + size * size;
    }
    double *A = DLS_NEW(&scratch, double, at[in->bodies]);
    for (int row = 0; A && row < p->m; row++) add_row(in, p->H, row, at, A);
    for (int b = 0; A && b < in->bodies; b++) l[b] = body_bound(in, b, A + at[b], work);
    for (int k = 0; A && k < p->contacts; k++) D[k] = contact_sum(p, in, k, l);
    dls_arena_free(&scratch);
    return A;
}
