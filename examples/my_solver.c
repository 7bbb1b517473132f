// SPDX-License-Identifier: Apache-2.0
// A solver out of tree: projected Jacobi, damped.
//
//     r_a <- P_K(r_a - omega u~_a / l_a),   u = W r + q,   u~ = u + mu |u_T| e_N
//
// with l_a = trace of W_aa. The driver judges after each step and stops the run.
//   cc -shared -fPIC my_solver.c $(pkg-config --cflags delassus) -o my_solver.so
//   delassus solve FILE --solver ./my_solver.so:omega=0.3,pgs
// The file is loaded by its path, and its one symbol is `dls_solver`.
#include <delassus_solver.h>

struct my_options {
    double omega;
};

static const struct dls_option my_options[] = {
    DLS_REAL(my_options, omega, 0.5, 0, 10, "length of a step"),
    {0},
};

struct mine {
    const struct dls_delassus *form;
    double omega, *u;
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct my_options *o = opt;
    if (f->problem->rolling) return dls_fail(err, DLS_UNSUPPORTED, "rolling rows");
    struct mine *self = *out = DLS_NEW(a, struct mine, 1);
    double *u = DLS_NEW(a, double, f->m);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct mine){.form = f, .omega = o->omega, .u = u};
    return DLS_OK;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct mine *self = data;
    const struct dls_delassus *f = self->form;
    dls_bsr_multiply(f->W, r, f->q, self->u); // u = W r + q
    for (int c = 0; c < f->contacts; c++) {
        struct dls_cone K = dls_cone_make(f->d, false, f->mu[c], 0);
        const double *W_cc = dls_bsr_diagonal(f->W, c);
        double *r_c = r + c * f->d, *u_c = self->u + c * f->d, l = 0;
        for (int i = 0; i < f->d; i++) l += W_cc[i * (f->d + 1)];
        u_c[0] += dls_cone_shift(&K, u_c); // u~
        for (int i = 0; i < f->d; i++) r_c[i] -= self->omega / l * u_c[i];
        dls_cone_project(&K, r_c, r_c);
    }
    work->products++;
    return DLS_OK;
}

const struct dls_solver dls_solver = {
    .name = "my-solver",
    .brief = "projected Jacobi, an example",
    .cite = "DeSaxce1998",
    .use = "To start from when you write your own.",
    .fails = "It needs many steps wherever contacts depend on each other.",
    .takes = &dls_formulation_delassus,
    .options = my_options,
    .options_size = sizeof(struct my_options),
    .create = create,
    .step = step,
};
