/*
 * Histogram of error / bound in powers of two: how much of its bound a case uses. Each case counts once, with its
 * largest error / bound.
 */
#ifndef CONFORM_HEADROOM_H
#define CONFORM_HEADROOM_H

#include <stddef.h>

enum {
    HEADROOM_EXACT,           /* no error at all */
    HEADROOM_LAST_WITHIN = 9, /* (1/2, 1]: the last bin within the bound */
    HEADROOM_BINS = 16
};

/* Returns the bin that holds `ratio` (error / bound, 0 or more). */
int headroom_bin(double ratio);

/* Returns the largest error / bound that belongs to a bin; INFINITY for the last bin. */
double headroom_most(int bin);

/* Writes the range of a bin into `room` and returns `room`: "exact", "up to 2^-8", "2^-3 to 2^-2", "beyond 2^40". */
const char *headroom_name(int bin, char *room, size_t bytes);

#endif
