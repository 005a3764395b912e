/* Finds the first number of a result that is not finite. */
#ifndef IFN_CHECK_SCAN_H
#define IFN_CHECK_SCAN_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "op_operands.h"

/* A place in an operand, counted from the first element that the call touches: a part may begin later. */
typedef struct check_place {
    int64_t row, element;
    bool is_nan; /* else an infinity */
} check_place;

/* 1 if the operand has an address and elements of a dtype. */
int ifn_check_can_scan(const ifn_operand *o);

/* Where the operands of a call lie, except weights, which are always in host memory. */
typedef struct check_source {
    ifn_backend *device; /* in its buffers; NULL: in host memory */
    const ifn_call *args;
} check_source;

/* Finds the first NaN or infinity. Returns 1 and sets *out, or 0. */
int ifn_check_scan(const ifn_operand *o, const check_source *source, check_place *out);

#endif
