// SPDX-License-Identifier: Apache-2.0
// The inequality of Clausius and Duhem [DalPontDimnet2008, (10), (11)]:
//
//     r_a . u_bar_a <= 0  at each contact with u_N^- <= 0,   hence  sum_a r_a . u_bar_a <= 0,
//
// u_bar = (u^- + u^+) / 2. Where u_N^- > 0 the pair was separating already, u_bar = 0 is
// not admissible, and nothing follows.
//
// A solver leaves an error e |q| in u_bar, q the free local velocities and e its
// tolerance; then r . u_bar may come out as much as |r| e |q| above zero. So the work of a
// contact is divided by |r| |q|: what is compared with a tolerance has no unit.
#include "problems/observe/clausius.h"

struct dls_clausius dls_clausius_of(const struct dls_observed *o)
{
    struct dls_clausius c = {.at = -1};
    for (int k = 0; k < o->forces; k++) {
        const struct dls_force *f = &o->force[k];
        c.pulls += f->normal < 0;
        if (f->approach > 0) continue;
        double size = dls_vec3_norm(f->f) * o->h * o->free_speed;
        double share = size > 0 ? f->work / size : 0;
        if (!c.approached++ || share > c.worst) c.worst = share, c.at = k;
        c.sum += f->work;
    }
    return c;
}
