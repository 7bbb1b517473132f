// SPDX-License-Identifier: Apache-2.0
// Contracts between functions. Data from outside are checked once, at the border of the
// library. What a function inside asks of its arguments is asserted: a broken contract is an
// error of the program. Debug builds check it, others do not spend time on it.
#ifndef DLS_BASE_CONTRACT_H
#define DLS_BASE_CONTRACT_H

#include <assert.h>

#ifdef DLS_CHECKED
#define DLS_ASSERT(condition) assert(condition)
#else
#define DLS_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif
