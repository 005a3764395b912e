/* A failing call as a file of cases that `inferno conform --case FILE` runs alone. */
#ifndef CONFORM_ONE_OP_H
#define CONFORM_ONE_OP_H

#include <stdbool.h>

#include "call_judge.h"

typedef struct one_op {
    char case_id[CONFORM_ID_BYTES];
    int64_t file_bytes;
    bool is_repeated; /* 1: alone it fails on the backend and passes on scalar */
} one_op;

/**
 * Writes the smallest part of the call that still fails alone: the wrong element, what lies around
 * it, its row, the whole. If none of them does, the largest that fits into a file of a few
 * megabytes. To be asked while the tensors of the call are what they were when it returned.
 *
 * name  of the case, in the file
 * Errors  IFN_ERR_IO, IFN_ERR_NOMEM; IFN_ERR_UNSUPPORTED: even a row of the call is too large
 */
IFN_NODISCARD ifn_status conform_one_op_write(const call_judge *judge, const call_finding *finding,
                                              const ifn_call *args, const call_keep *keep,
                                              const char *name, const char *path, one_op *out,
                                              ifn_error *err);

#endif
