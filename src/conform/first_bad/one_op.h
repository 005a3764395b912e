/* Writes a failing call as a file of cases, which `inferno conform --case FILE` runs alone. */
#ifndef CONFORM_ONE_OP_H
#define CONFORM_ONE_OP_H

#include <stdbool.h>

#include "call_judge.h"

typedef struct one_op {
    char case_id[CONFORM_ID_BYTES];
    int64_t file_bytes;
    bool is_repeated; /* alone it fails on the backend and passes on scalar */
} one_op;

/**
 * Writes the smallest part of the call that still fails alone: the wrong element, elements around it, its row, or the
 * whole call. If none of them fails alone, writes the largest one that fits into a file of a few megabytes. Must be
 * called while the tensors are as they were when the call returned.
 *
 * name  of the case, in the file
 * Errors  IFN_ERR_IO, IFN_ERR_NOMEM; IFN_ERR_UNSUPPORTED: even a row of the call is too large
 */
IFN_NODISCARD ifn_status conform_one_op_write(const call_judge *judge, const call_finding *finding,
                                              const ifn_call *args, const call_keep *keep,
                                              const char *name, const char *path, one_op *out,
                                              ifn_error *err);

#endif
