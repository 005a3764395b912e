/*
 * How much of their bounds the worst errors of cases use: a histogram by powers of two. A case is
 * counted once, by its largest error / bound.
 */
#ifndef CONFORM_HEADROOM_H
#define CONFORM_HEADROOM_H

#include <stddef.h>

enum {
    HEADROOM_EXACT,           /* no error at all */
    HEADROOM_LAST_WITHIN = 9, /* (1/2, 1]: the last one that is allowed */
    HEADROOM_BINS = 16
};

/* The bin of an error / bound, 0 or more. */
int headroom_bin(double ratio);

/* The largest error / bound of a bin; of the last one INFINITY. */
double headroom_most(int bin);

/* "exact", "up to 2^-8", "2^-3 to 2^-2", "beyond 2^20" */
const char *headroom_name(int bin, char *room, size_t bytes);

#endif
