#include "amount.h"

#include <inttypes.h>
#include <stdio.h>

/* Formats n in the largest unit in which it rounds to at least 1. */
static amount in_units(uint64_t n, double step, const char *const *units, int n_units)
{
    amount out;
    double value = (double)n;
    int unit = 0;
    while (unit + 1 < n_units && value >= step - 0.5) {
        value /= step;
        unit++;
    }
    if (unit == 0)
        snprintf(out.text, sizeof out.text, "%" PRIu64 "%s", n, units[0]);
    else
        snprintf(out.text, sizeof out.text, "%.*f%s",
                 value < 9.995   ? 2
                 : value < 99.95 ? 1
                                 : 0,
                 value, units[unit]);
    return out;
}

amount amount_bytes(uint64_t bytes)
{
    static const char *const units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
    return in_units(bytes, 1024.0, units, 6);
}

amount amount_count(uint64_t n)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    return in_units(n, 1000.0, units, 5);
}
