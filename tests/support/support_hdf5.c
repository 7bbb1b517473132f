// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_hdf5.h"

#include <string.h>

#include "tests/support/support.h"

hid_t support_h5_open(const char *path, bool create)
{
    hid_t file = create ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                        : H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

void support_h5_remove(hid_t file, const char *name)
{
    H5E_BEGIN_TRY { H5Ldelete(file, name, H5P_DEFAULT); }
    H5E_END_TRY;
}

static void put_in_space(hid_t file, const char *name, const hid_t types[2],
                         hid_t space, const void *x)
{
    support_h5_remove(file, name);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set =
        H5Dcreate2(file, name, types[0], space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    if (x) assert_true(H5Dwrite(set, types[1], H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    H5Dclose(set);
    H5Pclose(links);
}

void support_h5_put(hid_t file, const char *name, hid_t stored, hid_t memory,
                    const void *x, int count)
{
    hsize_t length = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &length, NULL);
    put_in_space(file, name, (hid_t[]){stored, memory}, space, x);
    H5Sclose(space);
}

void support_h5_ints(hid_t file, const char *name, const int *x, int count)
{
    support_h5_put(file, name, H5T_STD_I32LE, H5T_NATIVE_INT, x, count);
}

void support_h5_reals(hid_t file, const char *name, const double *x, int count)
{
    support_h5_put(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, x, count);
}

void support_h5_text(hid_t file, const char *name, const char *text, bool variable)
{
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, variable ? H5T_VARIABLE : strlen(text) + 1);
    put_in_space(file, name, (hid_t[]){type, type}, space,
                 variable ? (const void *)&text : text);
    H5Tclose(type);
    H5Sclose(space);
}
