// SPDX-License-Identifier: Apache-2.0
// Whether the chunks of a dataset hold what the dataset promises.
#ifndef DLS_FORMULATIONS_FILES_HDF5_CHUNKS_H
#define DLS_FORMULATIONS_FILES_HDF5_CHUNKS_H

#include "base/status.h"

#include <hdf5.h>

// Whether every chunk of a chunked dataset, taken through its filters, has as many bytes as
// a chunk must have: DLS_EIO where not, DLS_ENOMEM where that cannot be found out. HDF5
// 1.10 does not look and reads behind the end of a shorter one. Known are one dimension and
// the filters shuffle and deflate; anything else is DLS_EIO.
enum dls_status dls_hdf5_chunks_check(hid_t set, double file_bytes);

#endif
