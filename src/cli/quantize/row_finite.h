/* Checks that weights are finite. Errors name file, tensor, row and element. */
#ifndef IFN_CLI_ROW_FINITE_H
#define IFN_CLI_ROW_FINITE_H

#include <stdint.h>

#include <inferno/status.h>

typedef struct row_place {
    const char *file; /* NULL: the rows do not come from a file */
    const char *tensor;
    int64_t row;
} row_place;

/* Returns the index of the first of values [cols] that is NaN or infinite; -1: there is none. */
int64_t row_first_not_finite(const float *values, int64_t cols);

/* Fails with IFN_ERR_FORMAT: names the value at a place, and why it is refused. */
ifn_status row_fail(const row_place *at, int64_t element, float value, const char *why,
                    ifn_error *err);

/* Errors  IFN_ERR_FORMAT naming the first value that is not finite */
ifn_status row_check_finite(const row_place *at, const float *values, int64_t cols, ifn_error *err);

#endif
