#include "row_finite.h"

#include <inttypes.h>
#include <math.h>

int64_t row_first_not_finite(const float *values, int64_t cols)
{
    for (int64_t i = 0; i < cols; i++)
        if (!isfinite(values[i]))
            return i;
    return -1;
}

ifn_status row_fail(const row_place *at, int64_t element, float value, const char *why,
                    ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%s%s%s: row %" PRId64 ": found %g at element %" PRId64 ", %s",
                    at->file ? at->file : "", at->file ? ": " : "", at->tensor, at->row,
                    (double)value, element, why);
}

ifn_status row_check_finite(const row_place *at, const float *values, int64_t cols, ifn_error *err)
{
    const int64_t i = row_first_not_finite(values, cols);
    return i < 0 ? IFN_OK : row_fail(at, i, values[i], "expected finite weights", err);
}
