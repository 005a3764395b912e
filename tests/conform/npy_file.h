/* Writes a matrix to an .npy file. */
#ifndef CONFORM_NPY_FILE_H
#define CONFORM_NPY_FILE_H

#include <stdlib.h>

#include "npy.h"

static inline void write_npy(const char *path, const npy_matrix *m, const void *data,
                             size_t stride_bytes)
{
    FILE *const file = fopen(path, "wb");
    if (!file)
        abort();
    npy_put(m, data, stride_bytes, file);
    if (fclose(file) != 0)
        abort();
}

#endif
