// SPDX-License-Identifier: Apache-2.0
// The child's side of a campaign; see child.c.
#ifndef DLS_BENCHMARKS_CAMPAIGN_CHILD_H
#define DLS_BENCHMARKS_CAMPAIGN_CHILD_H

#include "benchmarks/campaign/message.h"
#include "benchmarks/terminal/cli.h"

// Not in dls_commands: nobody types it.
extern const struct dls_command dls_command_child;

// "1e-4,1e-8" into descending, different, positive numbers. False where it is not.
bool dls_tolerances_parse(const char *text, double tols[DLS_TOLERANCES], int *count);

#endif
