// SPDX-License-Identifier: Apache-2.0
// Delta debugging [ZellerHildebrandt2002] on contacts: a run of them is left out; where the
// failure stays it is left out for good. Runs of half the contacts first, then of a
// quarter, ... of one, and again of one until nothing more can be spared.
//
// A contact that is left out is a contact that was never found: its rows of H, w and
// whatever else is known of it go, the bodies stay.
#include "benchmarks/stress/shrink.h"

#include "base/clock.h"

#include <assert.h>
#include <string.h>

// The entries of a vector whose contact is kept, `width` for each.
static double *keep_real(const double *x, const bool *keep, int contacts, int width,
                         struct dls_arena *a)
{
    double *y = x ? DLS_NEW(a, double, (size_t)contacts *(size_t)width) : NULL;
    int at = 0;
    for (int c = 0; y && c < contacts; c++)
        if (keep[c]) {
            memcpy(y + at, x + c * width, (size_t)width * sizeof *y);
            at += width;
        }
    return y;
}

static struct dls_csr *keep_rows(const struct dls_csr *H, const bool *keep, int d,
                                 int rows, struct dls_arena *a)
{
    struct dls_csr *K = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, (size_t)rows + 1), *j = DLS_NEW(a, int, dls_csr_count(H));
    double *x = DLS_NEW(a, double, dls_csr_count(H));
    int row = 0;
    if (a->failed) return NULL;
    for (int i = 0; i < H->rows; i++) {
        if (!keep[i / d]) continue;
        int count = H->p[i + 1] - H->p[i];
        memcpy(j + p[row], H->j + H->p[i], (size_t)count * sizeof *j);
        memcpy(x + p[row], H->x + H->p[i], (size_t)count * sizeof *x);
        p[row + 1] = p[row] + count;
        row++;
    }
    *K = (struct dls_csr){.rows = rows, .cols = H->cols, .p = p, .j = j, .x = x};
    return K;
}

// The problem with the contacts that are kept.
static enum dls_status select(struct dls_problem *s, const struct dls_problem *p,
                              const bool *keep, struct dls_arena *a)
{
    int kept = 0, nc = p->contacts, d = p->d;
    for (int c = 0; c < nc; c++) kept += keep[c];
    *s = *p;
    s->contacts = kept;
    s->m = kept * d;
    s->H = keep_rows(p->H, keep, d, s->m, a);
    s->mu = keep_real(p->mu, keep, nc, 1, a);
    s->mu_r = keep_real(p->mu_r, keep, nc, 1, a);
    s->w = keep_real(p->w, keep, nc, d, a);
    s->u_minus = keep_real(p->u_minus, keep, nc, d, a);
    s->w_ob = keep_real(p->w_ob, keep, nc, d, a);
    s->e_n = keep_real(p->e_n, keep, nc, 1, a);
    s->e_t = keep_real(p->e_t, keep, nc, 1, a);
    s->gap = keep_real(p->gap, keep, nc, 1, a);
    s->position = keep_real(p->position, keep, nc, 3, a);
    s->solution_r = s->guess_r = NULL;
    s->body_pair = p->body_pair ? DLS_NEW(a, int, 2 * (size_t)nc) : NULL;
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0, at = 0; p->body_pair && c < nc; c++)
        if (keep[c]) {
            s->body_pair[at++] = p->body_pair[2 * c];
            s->body_pair[at++] = p->body_pair[2 * c + 1];
        }
    return DLS_OK;
}

// Whether it fails with these contacts alone.
static enum dls_status try(const struct dls_problem *p, const bool *keep,
                           dls_failure *fails, void *data, bool *still,
                           struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_problem s;
    enum dls_status status = select(&s, p, keep, &scratch);
    *still = status == DLS_OK && s.contacts > 0 && fails(&s, data);
    dls_arena_free(&scratch);
    return status;
}

enum dls_status dls_shrink(struct dls_problem *small, const struct dls_problem *p,
                           dls_failure *fails, void *data, double seconds,
                           struct dls_arena *a)
{
    assert(dls_problem_is_global(p));
    size_t nc = (size_t)p->contacts;
    double end = dls_clock() + seconds;
    enum dls_status status = DLS_OK;
    bool *keep = DLS_NEW(a, bool, nc), *less = DLS_NEW(a, bool, nc), again = true;
    if (a->failed) return DLS_ENOMEM;
    memset(keep, true, nc);
    for (size_t run = nc / 2; run > 0 && again; run = run > 1 ? run / 2 : 1) {
        again = run > 1;
        for (size_t at = 0; at < nc && !status && dls_clock() < end; at += run) {
            size_t length = at + run < nc ? run : nc - at;
            bool still;
            memcpy(less, keep, nc);
            memset(less + at, false, length);
            if (!memcmp(less, keep, nc)) continue; // gone already
            status = try(p, less, fails, data, &still, a);
            if (status || !still) continue;
            memcpy(keep, less, nc);
            again = true;
        }
        if (dls_clock() >= end) break;
    }
    return status ? status : select(small, p, keep, a);
}
