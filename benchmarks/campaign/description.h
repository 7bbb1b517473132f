// SPDX-License-Identifier: Apache-2.0
// The file campaign.json: what was asked, when and where.
#ifndef DLS_BENCHMARKS_CAMPAIGN_DESCRIPTION_H
#define DLS_BENCHMARKS_CAMPAIGN_DESCRIPTION_H

#include "benchmarks/campaign/campaign.h"

// Writes FOLDER/campaign.json; `ended` is NULL while the campaign runs.
enum dls_status dls_description_write(const struct dls_campaign *, const char *folder,
                                      const char *ended, struct dls_error *);

#endif
