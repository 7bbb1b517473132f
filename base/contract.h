// SPDX-License-Identifier: Apache-2.0
// Contracts between functions: data are checked once at the border, and inside a broken
// promise is an error of the program. Checked in debug builds, free in others.
#ifndef DLS_BASE_CONTRACT_H
#define DLS_BASE_CONTRACT_H

#include <assert.h>

#ifdef DLS_CHECKED
#define DLS_ASSERT(condition) assert(condition)
#else
#define DLS_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif
