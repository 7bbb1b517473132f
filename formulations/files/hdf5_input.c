// SPDX-License-Identifier: Apache-2.0
// HDF5 input with sticky errors; see hdf5_input.h.
//
// A damaged header may announce any number of entries. Stored as they are, N entries of
// s bytes need a file of N s bytes; deflate packs at most 1032 bytes into one. What
// exceeds that bound is refused before memory is asked for.
#include "formulations/files/hdf5_input.h"

#include "formulations/files/hdf5_chunks.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEFLATE_LIMIT = 1032 };

enum dls_status dls_hdf5_open(struct dls_hdf5 *in, const char *path,
                              struct dls_arena *a, struct dls_error *err)
{
    *in = (struct dls_hdf5){.file = H5I_INVALID_HID, .arena = a, .err = err};
    H5Eget_auto2(H5E_DEFAULT, &in->report, &in->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    FILE *plain = fopen(path, "rb"); // for the reason, which HDF5 keeps to itself
    if (!plain)
        return in->status =
                   dls_fail(err, DLS_EIO, "cannot be opened: %s", strerror(errno));
    fclose(plain);
    in->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t bytes = 0;
    if (in->file < 0 || H5Fget_filesize(in->file, &bytes) < 0)
        return in->status = dls_fail(err, DLS_EIO, "not an HDF5 file, or cut short");
    in->bytes = (double)bytes;
    return DLS_OK;
}

void dls_hdf5_close(struct dls_hdf5 *in)
{
    if (in->file >= 0) H5Fclose(in->file);
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, in->report, in->report_data);
}

void dls_hdf5_fail(struct dls_hdf5 *in, enum dls_status status, const char *name,
                   const char *format, ...)
{
    if (in->status) return;
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    in->status = dls_fail(in->err, status, "%s: %s", name, what);
}

bool dls_hdf5_has(struct dls_hdf5 *in, const char *name)
{
    char prefix[128];
    if (in->status || strlen(name) >= sizeof prefix) return false;
    for (const char *end = name; *end;) { // each group on the way must exist, too
        end += strcspn(end + 1, "/") + 1;
        snprintf(prefix, sizeof prefix, "%.*s", (int)(end - name), name);
        if (H5Lexists(in->file, prefix, H5P_DEFAULT) <= 0) return false;
        H5L_info_t link;
        if (H5Lget_info(in->file, prefix, &link, H5P_DEFAULT) >= 0
            && link.type == H5L_TYPE_HARD)
            continue;
        dls_hdf5_fail(in, DLS_EINVAL, prefix, "is a link; links are not followed");
        return false;
    }
    return true;
}

// Whether the numbers lie in the file itself. A virtual dataset may refer to itself, one
// with external storage reads whatever file it names.
static bool is_stored_here(hid_t set)
{
    hid_t list = H5Dget_create_plist(set);
    bool here = list >= 0 && H5Pget_layout(list) != H5D_VIRTUAL
                && H5Pget_external_count(list) == 0;
    if (list >= 0) H5Pclose(list);
    return here;
}

static herr_t is_memory(unsigned depth, const H5E_error2_t *error, void *found)
{
    (void)depth;
    *(bool *)found |= error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
    return 0;
}

// After a call that failed: the library ran out of memory, or the file is damaged.
static void fail_reading(struct dls_hdf5 *in, const char *name, const char *damage)
{
    bool memory = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, is_memory, &memory);
    dls_hdf5_fail(in, memory ? DLS_ENOMEM : DLS_EIO, name, "%s",
                  memory ? "out of memory" : damage);
}

static hid_t open_dataset(struct dls_hdf5 *in, const char *name)
{
    if (in->status) return H5I_INVALID_HID;
    if (!dls_hdf5_has(in, name)) {
        dls_hdf5_fail(in, DLS_EINVAL, name, "missing");
        return H5I_INVALID_HID;
    }
    hid_t set = H5Dopen2(in->file, name, H5P_DEFAULT);
    if (set < 0) {
        fail_reading(in, name, "damaged, or not a dataset");
    } else if (!is_stored_here(set)) {
        dls_hdf5_fail(in, DLS_EINVAL, name, "its numbers lie outside of the file");
        H5Dclose(set);
        set = H5I_INVALID_HID;
    }
    return set;
}

static H5D_layout_t layout_of(hid_t set)
{
    hid_t list = H5Dget_create_plist(set);
    H5D_layout_t layout = list < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(list);
    if (list >= 0) H5Pclose(list);
    return layout;
}

// Whether fewer bytes are stored than the dataset has: HDF5 would read on behind them. A
// contiguous dataset without any was never written and reads as zeros.
static bool is_short(hid_t set, H5D_layout_t layout, double bytes)
{
    double stored = (double)H5Dget_storage_size(set);
    return (layout == H5D_COMPACT && stored < bytes)
           || (layout == H5D_CONTIGUOUS && stored > 0 && stored < bytes);
}

// The number of entries, or -1 with a sentence where that cannot be true.
static int entries_of(struct dls_hdf5 *in, const char *name, hid_t set, size_t size)
{
    hid_t space = H5Dget_space(set);
    hssize_t points = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    H5D_layout_t layout = layout_of(set);
    bool chunked = layout == H5D_CHUNKED;
    if (space >= 0) H5Sclose(space);
    double bound = in->bytes * (chunked ? DEFLATE_LIMIT : 1);
    if (points < 0) {
        dls_hdf5_fail(in, DLS_EIO, name, "damaged");
        return -1;
    }
    if (points > INT_MAX || (double)points * (double)size > bound) {
        dls_hdf5_fail(in, DLS_EINVAL, name, "%.0f entries do not fit into the file",
                      (double)points);
        return -1;
    }
    enum dls_status status =
        is_short(set, layout, (double)points * (double)size) ? DLS_EIO : DLS_OK;
    if (chunked) status = dls_hdf5_chunks_check(set, in->bytes);
    if (status) {
        dls_hdf5_fail(in, status, name, "%s",
                      status == DLS_ENOMEM ? "out of memory" : "damaged");
        return -1;
    }
    return (int)points;
}

// A damaged type may place its bits outside of itself, which HDF5's conversion follows:
// only whole-byte integers and the floating-point numbers of IEEE 754 are read.
static bool is_plain(hid_t type, bool whole)
{
    size_t size = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_INTEGER)
        return (size == 1 || size == 2 || size == 4 || size == 8)
               && H5Tget_precision(type) == 8 * size && H5Tget_offset(type) == 0;
    return !whole && H5Tget_class(type) == H5T_FLOAT
           && (H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0
               || H5Tequal(type, H5T_IEEE_F32LE) > 0
               || H5Tequal(type, H5T_IEEE_F32BE) > 0);
}

static void *read_numbers(struct dls_hdf5 *in, const char *name, bool whole, int *count)
{
    hid_t set = open_dataset(in, name);
    *count = 0;
    if (set < 0) return NULL;
    hid_t type = H5Dget_type(set);
    bool plain = type >= 0 && is_plain(type, whole);
    size_t stored = type < 0 ? 0 : H5Tget_size(type);
    if (type >= 0) H5Tclose(type);
    void *data = NULL;
    if (!plain) {
        dls_hdf5_fail(in, DLS_EINVAL, name, "does not hold %s",
                      whole ? "integers" : "numbers");
    } else if ((*count = entries_of(in, name, set, stored)) >= 0) {
        data = whole ? (void *)DLS_NEW(in->arena, int, *count)
                     : (void *)DLS_NEW(in->arena, double, *count);
        hid_t memory = whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
        if (!data)
            dls_hdf5_fail(in, DLS_ENOMEM, name, "out of memory for %d entries", *count);
        else if (*count
                 && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
            fail_reading(in, name, "damaged");
    }
    H5Dclose(set);
    return in->status ? NULL : data;
}

double *dls_hdf5_reals(struct dls_hdf5 *in, const char *name, int *count)
{
    return read_numbers(in, name, false, count);
}

int *dls_hdf5_ints(struct dls_hdf5 *in, const char *name, int *count)
{
    return read_numbers(in, name, true, count);
}

double dls_hdf5_real(struct dls_hdf5 *in, const char *name)
{
    struct dls_arena *arena = in->arena, scratch = dls_arena_scratch(arena);
    in->arena = &scratch;
    int count;
    const double *x = dls_hdf5_reals(in, name, &count);
    double value = x && count == 1 ? *x : 0;
    if (x && count != 1)
        dls_hdf5_fail(in, DLS_EINVAL, name, "%d entries instead of one", count);
    dls_arena_free(&scratch);
    in->arena = arena;
    return value;
}

int dls_hdf5_int(struct dls_hdf5 *in, const char *name)
{
    double x = dls_hdf5_real(in, name);
    if (x >= INT_MIN && x <= INT_MAX && x == floor(x)) return (int)x;
    dls_hdf5_fail(in, DLS_EINVAL, name, "%g is not a whole number in range", x);
    return 0;
}

// Whether the bytes are UTF-8 (sequences of the right shape; overlong ones pass).
static bool is_utf8(const unsigned char *s)
{
    for (; *s; s++) {
        int more = *s < 0x80    ? 0
                   : *s >= 0xf0 ? 3
                   : *s >= 0xe0 ? 2
                   : *s >= 0xc0 ? 1
                                : -1;
        if (more < 0 || *s >= 0xf8) return false;
        for (; more; more--)
            if ((*++s & 0xc0) != 0x80) return false;
    }
    return true;
}

// A printable copy: control bytes become '?', Latin-1 becomes UTF-8.
static char *printable(const char *text, struct dls_arena *a)
{
    const unsigned char *s = (const unsigned char *)text;
    bool latin1 = !is_utf8(s);
    char *copy = DLS_NEW(a, char, 2 * strlen(text) + 1), *to = copy;
    for (; copy && *s; s++) {
        bool control = (*s < 0x20 && *s != '\n' && *s != '\t') || *s == 0x7f;
        if (control || (latin1 && *s >= 0x80 && *s < 0xa0)) {
            *to++ = '?';
        } else if (latin1 && *s >= 0x80) {
            *to++ = (char)(0xc0 | *s >> 6);
            *to++ = (char)(0x80 | (*s & 0x3f));
        } else {
            *to++ = (char)*s;
        }
    }
    return copy;
}

static char *read_fixed(struct dls_hdf5 *in, hid_t set, hid_t type)
{
    size_t size = H5Tget_size(type);
    if ((double)size > in->bytes || is_short(set, layout_of(set), (double)size))
        return NULL;
    struct dls_arena scratch = dls_arena_scratch(in->arena);
    char *raw = DLS_NEW(&scratch, char, size + 1);
    char *text = NULL;
    if (raw && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0)
        text = printable(raw, in->arena);
    dls_arena_free(&scratch);
    return text;
}

static char *read_variable(struct dls_hdf5 *in, hid_t set, hid_t type, hid_t space)
{
    char *raw = NULL, *text = NULL;
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw) < 0) return NULL;
    if (raw) text = printable(raw, in->arena);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &raw);
    return text;
}

char *dls_hdf5_text(struct dls_hdf5 *in, const char *name)
{
    if (!dls_hdf5_has(in, name)) return NULL;
    hid_t set = H5Dopen2(in->file, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    bool here = is_stored_here(set);
    hid_t type = H5Dget_type(set);
    hid_t space = here ? H5Dget_space(set) : H5I_INVALID_HID;
    char *text = NULL;
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING
        && H5Sget_simple_extent_npoints(space) == 1)
        text = H5Tis_variable_str(type) > 0 ? read_variable(in, set, type, space)
                                            : read_fixed(in, set, type);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
    return text;
}
