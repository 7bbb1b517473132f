// SPDX-License-Identifier: Apache-2.0
// The tolerances of a campaign.
#ifndef DLS_BENCHMARKS_CAMPAIGN_TOLERANCES_H
#define DLS_BENCHMARKS_CAMPAIGN_TOLERANCES_H

#include "benchmarks/campaign/message.h"

// "1e-4,1e-8" into descending, different, positive numbers. False where it is not.
bool dls_tolerances_parse(const char *text, double tols[DLS_TOLERANCES], int *count);

#endif
