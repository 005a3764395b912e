#include "row_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Whether some are not: looks at exponents, many at a time, and not at each one by itself. */
static bool has_not_finite(const float *values, int64_t n)
{
    enum { AT_ONCE = 16 };
    uint32_t found[AT_ONCE] = {0}, bits[AT_ONCE];
    for (int64_t i = 0; i < n; i += AT_ONCE) {
        const int64_t left = n - i;
        memset(bits, 0, sizeof bits);
        memcpy(bits, values + i, left < AT_ONCE ? (size_t)left * sizeof *bits : sizeof bits);
        for (int j = 0; j < AT_ONCE; j++)
            found[j] |= (bits[j] & 0x7f800000u) + 0x00800000u; /* carries into the sign */
    }
    uint32_t any = 0;
    for (int j = 0; j < AT_ONCE; j++)
        any |= found[j];
    return any >> 31 != 0;
}

int64_t row_first_not_finite(const float *values, int64_t cols)
{
    if (!has_not_finite(values, cols))
        return -1;
    int64_t i = 0;
    while (isfinite(values[i]))
        i++;
    return i;
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
