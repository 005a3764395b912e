#include "row_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Returns a word whose sign bit is set if the exponent of the value is all ones (NaN or infinity). */
static uint32_t exponent_carry(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7f800000u) + 0x00800000u;
}

/* Returns true if any value is not finite. Tests AT_ONCE values at a time, so that the compiler can vectorize it. */
static bool has_not_finite(const float *values, int64_t n)
{
    enum { AT_ONCE = 16 };
    uint32_t found[AT_ONCE] = {0};
    for (; n >= AT_ONCE; n -= AT_ONCE, values += AT_ONCE)
        for (int j = 0; j < AT_ONCE; j++)
            found[j] |= exponent_carry(values[j]);
    uint32_t any = 0;
    for (int64_t j = 0; j < n; j++)
        any |= exponent_carry(values[j]);
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
