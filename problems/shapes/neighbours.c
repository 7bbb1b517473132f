// SPDX-License-Identifier: Apache-2.0
// Neighbour lists with a skin [Verlet1967]: the grid is asked again only when something has
// gone far enough.
//
// The list holds all pairs with |x_i - x_j| <= r_i + r_j + reach + skin at the time it was
// made. Later, let x', r', reach' be what is asked for and g_i = |x_i' - x_i| + r_i' - r_i.
// A pair that must be found has
//
//     |x_i - x_j| <= |x_i' - x_j'| + |x_i' - x_i| + |x_j' - x_j|
//                 <= r_i + r_j + reach' + g_i + g_j,
//
// so it is in the list as long as  2 max g + (reach' - reach) <= skin, which is what is
// tested. The answer does not depend on when the list was made, since whoever reads it
// looks at each pair again: a run that is resumed finds the same contacts.
//
// A skin of 0.3 mean radii makes the list some 40 % longer than needed for a dense packing
// and lasts for as many steps as the fastest item needs to cross 0.15 of a radius. To look
// at a pair takes a few nanoseconds, to make the list some 200 an item: a longer list is
// cheaper than a more frequent one as soon as things move. Lists for a reach of more than a radius are made anew each time, without skin.
#include "problems/shapes/neighbours.h"

#include <math.h>
#include <string.h>

static const double skin_share = 0.3; // of the mean radius

static bool still_good(const struct dls_neighbours *l, int count,
                       const struct dls_bound *now, double reach)
{
    if (!l->builds || count != l->count) return false;
    if (l->skin == 0 && reach != l->reach) return false; // far too long a list
    // What g may be; a thousandth of the skin is kept for rounding.
    double spare = 0.5 * (0.999 * l->skin - (reach - l->reach));
    if (!(spare >= 0)) return false;
    for (int k = 0; k < count; k++) {
        dls_vec3 step = dls_vec3_sub(now[k].at, l->made[k].at);
        double left = spare - (now[k].radius - l->made[k].radius);
        if (!(left >= 0 && dls_vec3_dot(step, step) <= left * left)) return false;
    }
    return true;
}

static double mean_radius(int count, const struct dls_bound *now)
{
    double sum = 0;
    for (int k = 0; k < count; k++) sum += now[k].radius;
    return count ? sum / count : 0;
}

// Keeps the balls and the pairs in arrays that grow by half when they are too small.
static bool keep(struct dls_neighbours *l, int count, const struct dls_bound *now,
                 const struct dls_nears *found)
{
    if (count > l->room) {
        l->room = count + count / 2;
        l->made = DLS_RAW(l->arena, struct dls_bound, l->room);
    }
    if (found->count > l->near.room) {
        l->near.room = found->count + found->count / 2;
        l->near.all = DLS_RAW(l->arena, struct dls_near, l->near.room);
    }
    if (l->arena->failed) return false;
    if (count) memcpy(l->made, now, (size_t)count * sizeof *now);
    l->near.count = found->count;
    if (found->count)
        memcpy(l->near.all, found->all, (size_t)found->count * sizeof *found->all);
    l->count = count;
    l->builds++;
    return true;
}

bool dls_neighbours_update(struct dls_neighbours *l, int dim, int count, int movable,
                           const struct dls_bound *now, double reach)
{
    if (movable == l->movable && still_good(l, count, now, reach)) return true;
    struct dls_arena scratch = dls_arena_scratch(l->arena);
    struct dls_nears found;
    double radius = mean_radius(count, now);
    l->movable = movable;
    l->reach = fmax(reach, 0);
    l->skin = l->reach < radius ? skin_share * radius : 0;
    dls_grid_pairs(&found, dim, count, movable, now, l->reach + l->skin, &scratch);
    bool good = !scratch.failed && keep(l, count, now, &found);
    dls_arena_free(&scratch);
    return good;
}
