// SPDX-License-Identifier: Apache-2.0
// Whether the chunks of a dataset hold what the dataset promises.
#ifndef DLS_FORMULATIONS_FILES_HDF5_CHUNKS_H
#define DLS_FORMULATIONS_FILES_HDF5_CHUNKS_H

#include "base/status.h"

#include <hdf5.h>

// Looks whether every chunk of a chunked dataset, taken through its filters, has as many
// bytes as a chunk must have: HDF5 1.10 does not look, and reads behind the end of a chunk
// that is too short. DLS_EIO where one is too short; DLS_ENOMEM where memory runs out. Only
// datasets of one dimension with the filters shuffle and deflate are known; any other is
// DLS_EIO.
enum dls_status dls_hdf5_chunks_check(hid_t set, double file_bytes);

#endif
