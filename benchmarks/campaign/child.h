// SPDX-License-Identifier: Apache-2.0
// The child's side of a campaign; see child.c.
#ifndef DLS_BENCHMARKS_CAMPAIGN_CHILD_H
#define DLS_BENCHMARKS_CAMPAIGN_CHILD_H

#include "benchmarks/campaign/message.h"
#include "benchmarks/terminal/cli.h"

// Not in dls_commands: nobody types it.
extern const struct dls_command dls_command_child;

#endif
