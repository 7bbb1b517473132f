// SPDX-License-Identifier: Apache-2.0
// Bodies that come and go.
//
// All bodies that may ever be there are made before the run; their number in that order
// is their identity, by which contacts are known from step to step. The bodies that are
// there stand in arrays without holes, ascending by number:
//
//     number   2   3   7  11
//     place    0   1   2   3      of q, v, M, shapes, contacts of a step
//
// so that a step costs what the present bodies cost, identities of contacts ascend as
// they are found, and the state does not depend on who came first. A body that comes
// with the largest number is appended; in between, and where one goes, the places
// behind it are moved. Energy that they bring or take is booked (ledger.h). Lists of
// neighbours know balls by their places alone: they are good as long as those are.
#include "problems/mechanics/population.h"

#include "problems/mechanics/rigid_parts.h"

#include "base/contract.h"

#include <assert.h>
#include <string.h>

// All bodies, there or not; `population` is first: the system has its address.
struct dls_register {
    struct dls_population population;
    int count, start;
    int *start_number; // who they are; NULL: the first
    struct dls_body *body;
    struct dls_shape *shape;
    double *angle;
    unsigned char *held;
    const int *tag; // of all, or NULL
    int *tag_here;  // of those that are there
    dls_population_rule *rule;
    const void *data;
    void *first_state; // of the rule, before the first step
};

static struct dls_register *register_of(const struct dls_rigid *r)
{
    return (struct dls_register *)r->system.population;
}

int dls_rigid_all(const struct dls_rigid *r)
{
    return r->system.population ? register_of(r)->count : r->bodies;
}

struct dls_made dls_rigid_made(const struct dls_rigid *r, int number)
{
    const struct dls_register *all = register_of(r);
    const int *tag = all ? all->tag : r->tag;
    return (struct dls_made){
        .shape = all ? &all->shape[number] : &r->shape[number],
        .held = all ? all->held[number] : r->held[number],
        .tag = tag ? tag[number] : 0,
    };
}

// The first place with a number of at least this one.
static int place_of(const struct dls_rigid *r, int number)
{
    const int *all = r->system.population->number;
    int end = r->bodies;
    if (end && all[end - 1] < number) return end; // as for those that come
    return dls_sorted_from(all, 0, end, number);
}

int dls_rigid_find(const struct dls_rigid *r, int number)
{
    if (!r->system.population) return number < r->bodies ? number : -1;
    int at = place_of(r, number);
    return at < r->bodies && r->system.population->number[at] == number ? at : -1;
}

static void resize(struct dls_rigid *r, int bodies)
{
    const struct dls_population *p = r->system.population;
    r->bodies = r->system.bodies = bodies;
    r->system.n = p->velocities * bodies;
    r->system.nq = p->positions * bodies;
}

// What stands at `place` is the body of that number.
static void fill(struct dls_rigid *r, int place, int number)
{
    struct dls_register *all = register_of(r);
    all->population.number[place] = number;
    r->body[place] = all->body[number];
    r->shape[place] = all->shape[number];
    r->angle[place] = all->angle[number];
    r->held[place] = all->held[number];
    if (all->tag) all->tag_here[place] = all->tag[number];
}

static void shift(void *array, size_t size, int from, int to, int count)
{
    char *x = array;
    if (count > 0)
        memmove(x + (size_t)to * size, x + (size_t)from * size, (size_t)count * size);
}

// Moves all that stands at `from` and behind it to `to` and behind that.
static void shift_all(struct dls_rigid *r, struct dls_present *p, int from, int to)
{
    struct dls_register *all = register_of(r);
    int count = r->bodies - from;
    size_t positions = (size_t)all->population.positions;
    size_t dof = (size_t)all->population.velocities;
    shift(all->population.number, sizeof(int), from, to, count);
    shift(r->body, sizeof *r->body, from, to, count);
    shift(r->shape, sizeof *r->shape, from, to, count);
    shift(r->angle, sizeof *r->angle, from, to, count);
    shift(r->held, sizeof *r->held, from, to, count);
    shift(all->tag_here, sizeof(int), from, to, all->tag ? count : 0);
    shift(p->q, positions * sizeof *p->q, from, to, count);
    shift(p->v, dof * sizeof *p->v, from, to, count);
}

void dls_rigid_enter(struct dls_rigid *r, struct dls_present *p, int number,
                     dls_vec3 at, dls_vec3 v)
{
    DLS_ASSERT(number >= 0 && number < register_of(r)->count);
    int place = place_of(r, number);
    if (dls_rigid_find(r, number) >= 0) return;
    shift_all(r, p, place, place + 1);
    fill(r, place, number);
    resize(r, r->bodies + 1);
    r->body[place].at = at;
    r->body[place].v = v;
    r->body[place].spin = (dls_vec3){0};
    dls_rigid_state_of(r, place, p->q, p->v);
    p->changed = p->changed < place ? p->changed : place;
}

void dls_rigid_leave(struct dls_rigid *r, struct dls_present *p, int number)
{
    int place = dls_rigid_find(r, number);
    if (place < 0) return;
    shift_all(r, p, place + 1, place);
    resize(r, r->bodies - 1);
    p->changed = p->changed < place ? p->changed : place;
}

// --- what the run calls ----------------------------------------------------------------

static void change(const struct dls_system *system, struct dls_present *p)
{
    struct dls_rigid *r = system->self;
    struct dls_register *all = register_of(r);
    all->rule(r, p, all->data, all->population.state);
}

static void mass(const struct dls_system *system, int body, double *m)
{
    dls_rigid_mass(system->self, body, m);
}

static bool set(const struct dls_system *system, int bodies, const int *number)
{
    struct dls_rigid *r = system->self;
    struct dls_register *all = register_of(r);
    if (bodies < 0 || bodies > all->count) return false;
    for (int k = 0; number && k < bodies; k++)
        if (number[k] >= all->count || number[k] <= (k ? number[k - 1] : -1))
            return false;
    for (int k = 0; k < bodies; k++) fill(r, k, number ? number[k] : k);
    resize(r, bodies);
    return true;
}

static void start(const struct dls_system *system)
{
    struct dls_register *all = register_of(system->self);
    set(system, all->start, all->start_number);
    if (all->population.state_size)
        memcpy(all->population.state, all->first_state, all->population.state_size);
}

bool dls_rigid_populate(struct dls_rigid *r, int first, dls_population_rule *rule,
                        const void *data, void *state, size_t state_size)
{
    assert(first <= r->bodies && !r->springs && !r->joints);
    for (int k = 0; k < r->obstacles; k++) assert(r->carrier[k] < 0);
    struct dls_arena *a = r->arena;
    size_t count = (size_t)r->bodies;
    struct dls_register *all = DLS_NEW(a, struct dls_register, 1);
    if (!all) return false;
    *all = (struct dls_register){
        .population =
            {
                .room = r->bodies,
                .velocities = dls_rigid_dof(r),
                .positions = r->dim == 2 ? 3 : 7,
                .number = DLS_NEW(a, int, count),
                .state = state,
                .state_size = state_size,
                .start = start,
                .change = change,
                .set = set,
                .mass = mass,
            },
        .count = r->bodies,
        .start = first,
        .body = dls_copy(a, r->body, count, sizeof *r->body),
        .shape = dls_copy(a, r->shape, count, sizeof *r->shape),
        .angle = dls_copy(a, r->angle, count, sizeof *r->angle),
        .held = dls_copy(a, r->held, count, sizeof *r->held),
        .tag = r->tag,
        .tag_here = r->tag ? DLS_NEW(a, int, count) : NULL,
        .rule = rule,
        .data = data,
        .first_state = dls_copy(a, state, state_size, 1),
    };
    if (a->failed) return false;
    if (r->tag) r->tag = all->tag_here;
    r->system.population = &all->population;
    start(&r->system);
    return true;
}

bool dls_rigid_there(struct dls_rigid *r, int count, const int *number)
{
    struct dls_register *all = register_of(r);
    all->start_number = dls_copy(r->arena, number, (size_t)count, sizeof *number);
    if (r->arena->failed) return false;
    all->start = count;
    start(&r->system);
    return true;
}
