#include "headroom.h"

#include <math.h>
#include <stdio.h>

/* log2 of each bin's largest ratio. Bins above a ratio of 1 are wider, as all cases in them fail anyway. */
static const int exponents[HEADROOM_BINS - 1] = {-1074, -8, -7, -6, -5, -4, -3, -2,
                                                 -1,    0,  1,  4,  10, 20, 40};

double headroom_most(int bin)
{
    if (bin == HEADROOM_EXACT)
        return 0;
    return bin < HEADROOM_BINS - 1 ? ldexp(1, exponents[bin]) : (double)INFINITY;
}

int headroom_bin(double ratio)
{
    int bin = HEADROOM_EXACT;
    while (bin < HEADROOM_BINS - 1 && !(ratio <= headroom_most(bin)))
        bin++;
    return bin;
}

const char *headroom_name(int bin, char *room, size_t bytes)
{
    if (bin == HEADROOM_EXACT)
        snprintf(room, bytes, "exact");
    else if (bin == 1)
        snprintf(room, bytes, "up to 2^%d", exponents[bin]);
    else if (bin < HEADROOM_BINS - 1)
        snprintf(room, bytes, "2^%d to 2^%d", exponents[bin - 1], exponents[bin]);
    else
        snprintf(room, bytes, "beyond 2^%d", exponents[bin - 1]);
    return room;
}
