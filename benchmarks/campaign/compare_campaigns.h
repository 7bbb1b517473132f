// SPDX-License-Identifier: Apache-2.0
#ifndef DLS_BENCHMARKS_CAMPAIGN_COMPARE_CAMPAIGNS_H
#define DLS_BENCHMARKS_CAMPAIGN_COMPARE_CAMPAIGNS_H

#include "benchmarks/terminal/cli.h"

// True for a folder.
bool dls_is_campaign(const char *path);

// Compares the campaigns in the folders args->names[0] and [1]. Fails (exit 1) where B
// lost a problem that A solved or, with slower > 0, where a solver's mean time grew by
// more than that factor.
int dls_compare_campaigns(const struct dls_args *, double slower);

#endif
