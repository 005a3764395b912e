/* gather_rows: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_GATHER_ROWS_H
#define INFERNO_OPS_GATHER_ROWS_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/tensor.h>

/**
 * gather_rows: out[i,:] = decode(table[ids[i],:])
 *
 * out     [n, cols] f32, cols = table->shape[1]; no overlap
 * table   [table_rows, cols], any storage dtype but Q8_32F
 * packed  a handle this backend made for this op, or NULL: read the table
 * ids     [n], those of the part in [0, table_rows); others are not looked at
 *
 * Split   rows of out
 * Errors  IFN_ERR_SHAPE if the table is no matrix of whole rows of such a dtype
 *         IFN_ERR_ARGUMENT if an id of the part is out of range
 */
typedef struct ifn_gather_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const ifn_tensor *table;
    const void *packed;
    const int32_t *ids;
    int64_t n;
} ifn_gather_rows_args;

/* clang-format off */
#define IFN_SIGNATURE_gather_rows                                                   \
    EXTENT(n, 0)                                                                    \
    WEIGHT(table, 1) PACKED(packed, 1)                                              \
    IN(ids, I32, PART(n))                                                           \
    OUT(out, F32, APART, PART(n), COLS_OF(table))
/* clang-format on */

#define IFN_COST_gather_rows EACH(0, 0)

#endif
