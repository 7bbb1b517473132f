// SPDX-License-Identifier: Apache-2.0
// A solver that misbehaves on purpose, for the tests of campaigns. It is part of the
// program tests/delassus_hostile only.
#define _POSIX_C_SOURCE 200809L // nanosleep, pause

#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum deed { CRASH, HANG, LIE, EAT, NOT_A_NUMBER, LEAVE, LATE, CHATTER };

struct hostile_options {
    int deed;
};

static const struct dls_option hostile_table[] = {
    DLS_CHOICE(hostile_options, deed, 0, "crash|hang|lie|eat|nan|leave|late|chatter",
               "what it does in its first step"),
    {0},
};

struct hostile {
    const struct dls_delassus *form;
    enum deed deed;
    int steps;
};

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    struct hostile *h = *self = DLS_NEW(a, struct hostile, 1);
    if (!h) return DLS_ENOMEM;
    h->form = form;
    h->deed = (enum deed)((const struct hostile_options *)opt)->deed;
    return DLS_OK;
}

// Takes memory and uses it, never gives it back, pauses so that it can be seen.
static void eat(void)
{
    enum { BITE = 8 << 20 };
    for (;;) {
        char *bite = malloc(BITE);
        if (bite) memset(bite, 1, BITE);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

// The answer r_N = -q_N / W_NN of one frictionless contact to six digits, then the end.
static void nearly_solve(const struct hostile *h, double *z)
{
    if (h->steps > 1) raise(SIGSEGV);
    z[0] = -h->form->q[0] / dls_bsr_diagonal(h->form->W, 0)[0] * (1 + 1e-6);
}

static enum dls_status step(void *self, double *z, struct dls_work *work)
{
    struct hostile *h = self;
    h->steps++;
    switch (h->deed) {
    case CRASH:
        raise(SIGSEGV);
        break;
    case HANG: // deaf to the deadline
        for (;;) pause();
    case LIE: // claims success wherever it can
        work->judged = 0;
        snprintf(work->note, sizeof work->note, "converged,\n\"perfectly\"");
        return DLS_FINISHED;
    case EAT:
        eat();
        break;
    case NOT_A_NUMBER:
        z[0] = NAN;
        break;
    case LEAVE: // as libraries do that call exit
        fprintf(stderr, "matrix is not what I like\n");
        exit(0);
    case LATE:
        nearly_solve(h, z);
        break;
    case CHATTER: // more than a pipe holds
        for (int k = 0; k < 20000; k++) printf("iteration %d\n", k);
        return DLS_FINISHED;
    }
    return DLS_OK;
}

extern const struct dls_solver dls_solver_hostile;
const struct dls_solver dls_solver_hostile = {
    .name = "hostile",
    .brief = "peer: misbehaves",
    .use = "Tests of campaigns.",
    .fails = "Always.",
    .cite = "Moreau2004",
    .takes = &dls_formulation_delassus,
    .options = hostile_table,
    .options_size = sizeof(struct hostile_options),
    .create = create,
    .step = step,
};
