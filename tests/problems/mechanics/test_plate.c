// SPDX-License-Identifier: Apache-2.0
// The elastic rectangle: M and K against what rigid motions and uniform strains ask for.
#include "problems/mechanics/ledger.h"
#include "problems/mechanics/plate.h"

#include <math.h>

#include "tests/support/support.h"

static struct dls_plate open_plate(struct dls_arena *a)
{
    struct dls_plate p = {.across = 5,
                          .up = 3,
                          .width = 2,
                          .height = 0.7,
                          .young = 3,
                          .poisson = 0.25,
                          .density = 1.5};
    assert_int_equal(dls_plate_open(&p, a), DLS_OK);
    p.system.self = NULL; // it moves with the copy; set again by the caller
    return p;
}

// q of the displacement field u_x = a + b x + c y, u_y = d + e x + f y.
static void field(const struct dls_plate *p, const double c[6], double *q)
{
    for (int k = 0; k < p->system.n / 2; k++) {
        q[2 * k] = c[0] + c[1] * p->x[k] + c[2] * p->y[k];
        q[2 * k + 1] = c[3] + c[4] * p->x[k] + c[5] * p->y[k];
    }
}

static void mass_of_rigid_motions(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_plate p = open_plate(&a);
    p.system.self = &p;
    struct dls_csr *M = dls_system_mass(&p.system, NULL, &a);
    double *v = DLS_NEW(&a, double, p.system.n), mass = 1.5 * 2 * 0.7;
    field(&p, (const double[6]){1, 0, 0, 0, 0, 0}, v);
    assert_close(2 * dls_kinetic_energy(M, v), mass, 1e-12);
    // Turning about (0, height / 2): I = m (w^2 + h^2) / 12, exact with a consistent M.
    field(&p, (const double[6]){0.35, 0, -1, 0, 1, 0}, v);
    assert_close(2 * dls_kinetic_energy(M, v), mass * (4 + 0.49) / 12, 1e-12);
    dls_arena_free(&a);
}

static void stiffness_of_uniform_strains(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_plate p = open_plate(&a);
    p.system.self = &p;
    double *q = DLS_NEW(&a, double, p.system.n), area = 2 * 0.7;
    double lame = 3 * 0.25 / (1.25 * 0.5), shear = 3 / 2.5;
    field(&p, (const double[6]){0.3, 0, -1, 2, 1, 0}, q); // rigid
    assert_close(p.system.potential(&p.system, 0, q), 0, 1e-13);
    field(&p, (const double[6]){0, 0.1, 0, 0, 0, -0.2}, q); // e_xx, e_yy
    double energy = 0.5 * lame * 0.01 + shear * (0.01 + 0.04);
    assert_close(p.system.potential(&p.system, 0, q), energy * area, 1e-13);
    field(&p, (const double[6]){0, 0, 0.1, 0, 0.2, 0}, q); // 2 e_xy = 0.3
    assert_close(p.system.potential(&p.system, 0, q), 0.5 * shear * 0.09 * area, 1e-13);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_of_rigid_motions),
        cmocka_unit_test(stiffness_of_uniform_strains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
