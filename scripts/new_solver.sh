#!/bin/bash
# new_solver.sh NAME: writes solvers/NAME.c, a solver that compiles and passes conformance:
# a damped projected Jacobi iteration, to be replaced by yours.
set -eu
name=${1:-}
if ! [[ $name =~ ^[a-z][a-z0-9_-]*$ ]]; then
    echo "new-solver: NAME=foo, lower-case letters, digits, '-' and '_'" >&2; exit 2
fi
symbol=${name//-/_} shown=${name//_/-} file=solvers/${name//-/_}.c
if [ -e "$file" ]; then echo "new-solver: $file exists" >&2; exit 2; fi
sed -e "s/@SYMBOL@/$symbol/g" -e "s/@NAME@/$shown/g" >"$file" <<'EOF'
// SPDX-License-Identifier: Apache-2.0
// One line that says what @NAME@ is.
//
//     r_c <- P_K(r_c - rho u~_c / l_c),   u = W r + q,   u~ = u + mu |u_T| e_N
//
// Notation: c = contact, l_c = mean of the diagonal of W_cc.
// Method [DeSaxce1998]: 1. one product gives u; 2. every contact takes a projected step.
// Cost: one pass over W per step.
// Fails: converges for small rho only where W is nearly diagonal.
#include "solvers/solver.h"

#include "formulations/judge/cone.h"
#include "formulations/delassus.h"

struct @SYMBOL@_options {
    double rho;
};

static const struct dls_option @SYMBOL@_options[] = {
    DLS_REAL(@SYMBOL@_options, rho, 0.5, 0, 10, "length of a step"),
    {0},
};

struct @SYMBOL@ {
    const struct dls_delassus *form;
    double rho, *u, *l;
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct @SYMBOL@_options *o = opt;
    if (f->problem->rolling) return dls_fail(err, DLS_UNSUPPORTED, "rolling rows");
    struct @SYMBOL@ *self = *out = DLS_NEW(a, struct @SYMBOL@, 1);
    double *u = DLS_NEW(a, double, f->m), *l = DLS_NEW(a, double, f->contacts);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct @SYMBOL@){.form = f, .rho = o->rho, .u = u, .l = l};
    for (int c = 0; c < f->contacts; c++) {
        const double *W_cc = dls_bsr_diagonal(f->W, c);
        for (int i = 0; i < f->d; i++) l[c] += W_cc[i * (f->d + 1)] / f->d;
    }
    return DLS_OK;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct @SYMBOL@ *self = data;
    const struct dls_delassus *f = self->form;
    dls_bsr_multiply(f->W, r, f->q, self->u); // u = W r + q
    for (int c = 0; c < f->contacts; c++) {
        struct dls_cone K = dls_cone_make(f->d, false, f->mu[c], 0);
        double *r_c = r + c * f->d, *u_c = self->u + c * f->d;
        u_c[0] += dls_cone_shift(&K, u_c); // u~_c
        for (int i = 0; i < f->d; i++) r_c[i] -= self->rho * u_c[i] / self->l[c];
        dls_cone_project(&K, r_c, r_c); // P_K(r_c - rho u~_c / l_c)
    }
    work->products++;
    return DLS_OK;
}

const struct dls_solver dls_solver_@SYMBOL@ = {
    .name = "@NAME@",
    .brief = "one line for the list of solvers",
    .use = "Where it is the right choice.",
    .fails = "Where it is not.",
    .cite = "DeSaxce1998",
    .takes = &dls_formulation_delassus,
    .options = @SYMBOL@_options,
    .options_size = sizeof(struct @SYMBOL@_options),
    .create = create,
    .step = step,
};
EOF
if command -v clang-format >/dev/null; then clang-format -i "$file"; fi # names differ in length
echo "wrote $file; next: \`make format\`, \`make test T=conformance SOLVER=$shown\`, \`make bench SOLVER=$shown,pgs\`"
