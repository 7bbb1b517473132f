// SPDX-License-Identifier: Apache-2.0
#include "tests/support/generated.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

_Alignas(16) char generated_options[1024];

void generated_defaults(const struct dls_generator *g)
{
    assert_true(g->options_size <= sizeof generated_options);
    memset(generated_options, 0, sizeof generated_options);
    dls_option_defaults(g->options, generated_options);
}

struct dls_problem generated(const char *name, const char *settings,
                             struct dls_arena *a)
{
    const struct dls_generator *g = dls_generator_find(name);
    struct dls_error err = {""};
    struct dls_problem p;
    assert_non_null(g);
    generated_defaults(g);
    support_options(g->options, generated_options, settings);
    assert_int_equal(g->make(&p, generated_options, a, &err), DLS_OK);
    return p;
}

double *generated_v(const struct dls_problem *p, const double *r, struct dls_arena *a)
{
    double *v = DLS_NEW(a, double, p->n);
    for (int i = 0; i < p->n; i++) v[i] = p->f[i];
    for (int i = 0; i < p->m; i++)
        for (int k = p->H->p[i]; k < p->H->p[i + 1]; k++)
            v[p->H->j[k]] += p->H->x[k] * r[i];
    for (int i = 0; i < p->n; i++) v[i] /= p->M->x[i];
    return v;
}

double generated_row(const struct dls_csr *A, int i, const double *x, double c)
{
    for (int k = A->p[i]; k < A->p[i + 1]; k++) c += A->x[k] * x[A->j[k]];
    return c;
}

double *generated_u(const struct dls_problem *p, const double *r, struct dls_arena *a)
{
    double *u = DLS_NEW(a, double, p->m), *v = p->M ? generated_v(p, r, a) : NULL;
    for (int i = 0; i < p->m; i++)
        u[i] =
            v ? generated_row(p->H, i, v, p->w[i]) : generated_row(p->W, i, r, p->q[i]);
    return u;
}

double generated_W(const struct dls_problem *p, int i, int k)
{
    const struct dls_csr *H = p->H;
    double sum = 0;
    for (int s = H->p[i]; s < H->p[i + 1]; s++)
        for (int t = H->p[k]; t < H->p[k + 1]; t++)
            if (H->j[s] == H->j[t]) sum += H->x[s] * H->x[t] / p->M->x[H->j[s]];
    return sum;
}
