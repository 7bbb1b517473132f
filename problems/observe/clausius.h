// SPDX-License-Identifier: Apache-2.0
// Whether contacts dissipate, each of them: the inequality of Clausius and Duhem; see
// clausius.c.
#ifndef DLS_PROBLEMS_OBSERVE_CLAUSIUS_H
#define DLS_PROBLEMS_OBSERVE_CLAUSIUS_H

#include "problems/observe/observed.h"

// Of one step. Without contacts all is 0 and `at` is -1.
struct dls_clausius {
    int approached; // contacts with u_N^- <= 0: of others the inequality says nothing
    double worst;   // largest r . u_bar of one of these, over |r| and the free velocity
    int at;         // the contact that has it
    double sum;     // r . u_bar over all of these
    int pulls;      // contacts with r_N < 0
};
struct dls_clausius dls_clausius_of(const struct dls_observed *);

#endif
