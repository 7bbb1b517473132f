// SPDX-License-Identifier: Apache-2.0
// The header for authors of simulations: rigid bodies, shapes and obstacles, systems of
// your own, and the loop over time steps, each solved by any solver of delassus.h.
//
// examples/disks_in_a_box.c is a complete one.
#ifndef DELASSUS_SIMULATION_H
#define DELASSUS_SIMULATION_H

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"
#include "problems/mechanics/system.h"
#include "problems/shapes/detect.h"
#include "problems/shapes/shape.h"

#include "base/vec3.h"

#include "delassus.h"

#endif
