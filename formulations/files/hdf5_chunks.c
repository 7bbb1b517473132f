// SPDX-License-Identifier: Apache-2.0
// Each stored chunk is fetched as it lies in the file and inflated, only to count its bytes:
// some percent of the time that reading the numbers takes.
#include "formulations/files/hdf5_chunks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

struct chunks {
    hid_t set;
    hsize_t entries, chunk; // of the dataset and of a chunk
    size_t bytes;           // of a whole chunk
    int filters;
    H5Z_filter_t filter[2]; // in the order of writing
};

static bool know_filters(struct chunks *c, hid_t list)
{
    c->filters = H5Pget_nfilters(list);
    if (c->filters < 0 || c->filters > 2) return false;
    for (int k = 0; k < c->filters; k++) {
        unsigned flags, config;
        size_t values = 0;
        c->filter[k] =
            H5Pget_filter2(list, (unsigned)k, &flags, &values, NULL, 0, NULL, &config);
        if (c->filter[k] != H5Z_FILTER_SHUFFLE && c->filter[k] != H5Z_FILTER_DEFLATE)
            return false;
    }
    return c->filters < 2 || c->filter[0] != c->filter[1];
}

static bool describe(struct chunks *c, hid_t set)
{
    hid_t list = H5Dget_create_plist(set), space = H5Dget_space(set);
    hid_t type = H5Dget_type(set);
    bool known = list >= 0 && space >= 0 && type >= 0;
    known = known && H5Sget_simple_extent_ndims(space) == 1
            && H5Pget_chunk(list, 1, &c->chunk) == 1 && c->chunk > 0
            && H5Sget_simple_extent_dims(space, &c->entries, NULL) == 1
            && know_filters(c, list);
    c->set = set;
    c->bytes = known ? c->chunk * H5Tget_size(type) : 0;
    if (list >= 0) H5Pclose(list);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return known;
}

// The bytes that come out of a deflated stream, or one more than `most`.
static size_t inflated(const unsigned char *from, size_t count, size_t most)
{
    unsigned char window[16384];
    size_t total = 0;
    int state = Z_OK;
    z_stream z = {.next_in = (unsigned char *)from, .avail_in = (uInt)count};
    if (inflateInit(&z) != Z_OK) return most + 1;
    while (state == Z_OK && total <= most) { // each round takes in or gives out bytes
        z.next_out = window;
        z.avail_out = sizeof window;
        state = inflate(&z, Z_NO_FLUSH);
        total += sizeof window - z.avail_out;
    }
    inflateEnd(&z);
    return state == Z_STREAM_END ? total : most + 1;
}

// The chunk that begins at an entry; one that was never written holds zeros.
static enum dls_status check(const struct chunks *c, hsize_t at, double file_bytes)
{
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(c->set, &at, &skipped, &address, &size) < 0)
        return DLS_EIO;
    if (address == HADDR_UNDEF) return DLS_OK;
    if ((double)size > file_bytes) return DLS_EIO;
    bool deflated = false;
    for (int k = 0; k < c->filters; k++)
        deflated |= c->filter[k] == H5Z_FILTER_DEFLATE && !(skipped >> k & 1);
    if (!deflated) return size == c->bytes ? DLS_OK : DLS_EIO;
    unsigned char *stored = malloc((size_t)size + 1);
    uint32_t mask;
    if (!stored) return DLS_ENOMEM;
    bool good = H5Dread_chunk(c->set, H5P_DEFAULT, &at, &mask, stored) >= 0
                && inflated(stored, (size_t)size, c->bytes) == c->bytes;
    free(stored);
    return good ? DLS_OK : DLS_EIO;
}

enum dls_status dls_hdf5_chunks_check(hid_t set, double file_bytes)
{
    struct chunks c;
    enum dls_status status = describe(&c, set) ? DLS_OK : DLS_EIO;
    // More chunks than the file has bytes are not written by anybody.
    if (!status && (double)c.entries / (double)c.chunk > file_bytes) status = DLS_EIO;
    for (hsize_t at = 0; !status && at < c.entries; at += c.chunk)
        status = check(&c, at, file_bytes);
    return status;
}
