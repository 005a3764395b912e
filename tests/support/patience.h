/* Time limits of tests, for things that may never happen. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include <stdlib.h>

/* The usual limit, times INFERNO_TEST_PATIENCE if that is set and above 1, as for emulators. */
static inline double patience_times(double usual)
{
    const char *const times = getenv("INFERNO_TEST_PATIENCE");
    const double factor = times ? strtod(times, NULL) : 1;
    return factor > 1 ? usual * factor : usual;
}

#endif
