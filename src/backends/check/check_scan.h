/* Where in a result a number is not finite. */
#ifndef IFN_CHECK_SCAN_H
#define IFN_CHECK_SCAN_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "op_operands.h"

/* Counted in what the call touches: all of the operand, unless it is a part. */
typedef struct check_place {
    int64_t row, element;
    bool is_nan; /* else an infinity */
} check_place;

/* 1 if the operand holds floats that lie where it says. */
int ifn_check_can_scan(const ifn_operand *o);

/* Where the operands of a call lie that are no weights. */
typedef struct check_source {
    ifn_backend *device; /* in its buffers; NULL: in memory of the host */
    const ifn_call *args;
} check_source;

/* Finds the first NaN or infinity. Returns 1 and sets *out, or 0. */
int ifn_check_scan(const ifn_operand *o, const check_source *source, check_place *out);

#endif
