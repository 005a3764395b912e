/*
 * An importance matrix as llama.cpp's llama-imatrix writes it: for each column of each tensor, the mean square of the
 * activations that the column was multiplied with, which says how much the column matters.
 *
 *   GGUF     "<tensor>.in_sum2" F32 [matrices, columns] and "<tensor>.counts" F32 [matrices, 1]; the mean is
 *            their quotient, 1 where the count is 0. imatrix.chunk_count, imatrix.datasets
 *   older    int32 entries; of each int32 bytes of the name, the name, int32 calls, int32 n, n F32: the
 *            mean times the calls. Then, maybe, int32 chunks, and int32 bytes of a name of the texts, and it
 */
#ifndef IFN_CLI_IMATRIX_H
#define IFN_CLI_IMATRIX_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

typedef struct imatrix_entry {
    char *name; /* of the tensor */
    float *values;
    size_t n; /* columns of all matrices, one matrix after the other */
} imatrix_entry;

/* All zero: no matrix. */
typedef struct imatrix {
    imatrix_entry *entries; /* owned, in the order of the file */
    size_t n;
    char dataset[256]; /* name of the texts it was made from; "": not stated */
    int64_t n_chunks;
} imatrix;

/* Errors  IFN_ERR_IO; IFN_ERR_FORMAT naming entry and value: no such file, lengths beyond its end,
 *         numbers that are negative or not finite */
ifn_status imatrix_open(imatrix *self, const char *path, ifn_error *err);
void imatrix_close(imatrix *self);

/* Returns the entry of a tensor; NULL: there is none. */
const imatrix_entry *imatrix_find(const imatrix *self, const char *tensor);

#endif
