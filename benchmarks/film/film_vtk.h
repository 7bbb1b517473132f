// SPDX-License-Identifier: Apache-2.0
// A state of a run for ParaView; see film_vtk.c.
#ifndef DLS_BENCHMARKS_FILM_FILM_VTK_H
#define DLS_BENCHMARKS_FILM_FILM_VTK_H

#include "problems/mechanics/scheme.h"

#include <stdio.h>

void dls_film_vtk(FILE *, const struct dls_sim *);

#endif
