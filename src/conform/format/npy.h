/* Reads and writes matrices as .npy files (numpy's format 1.0 and 2.0): little-endian, in C order. */
#ifndef CONFORM_NPY_H
#define CONFORM_NPY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inferno/status.h>

enum { NPY_MAX_DIMS = 4 };

/* The matrix that a file holds, or must hold. */
typedef struct npy_matrix {
    const char *descr; /* "<f4", "<f8", "<i4", "|u1"; static */
    int64_t rows, cols;
    int n_shape; /* dimensions of the file's shape, which has as many elements; 0: it is (rows, cols) */
    int64_t shape[NPY_MAX_DIMS];
} npy_matrix;

/* The bytes of the whole matrix without gaps. */
size_t npy_bytes(const npy_matrix *m);

/* Writes a matrix whose rows are `stride_bytes` apart in `data`; the file has no gaps. */
void npy_put(const npy_matrix *m, const void *data, size_t stride_bytes, FILE *out);

/*
 * Reads npy_bytes(expected) bytes into `out`.
 * Errors  IFN_ERR_IO: it cannot be read; IFN_ERR_FORMAT: it is no such file, or another matrix
 */
IFN_NODISCARD ifn_status npy_read(const char *path, const npy_matrix *expected, void *out,
                                  ifn_error *err);

#endif
