/* How long a test waits before it gives up. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include <stdlib.h>

/* The usual limit times INFERNO_TEST_PATIENCE, which a build sets to more than 1 for emulators and the like. */
static inline double patience_times(double usual)
{
    const char *const times = getenv("INFERNO_TEST_PATIENCE");
    const double factor = times ? strtod(times, NULL) : 1;
    return factor > 1 ? usual * factor : usual;
}

#endif
