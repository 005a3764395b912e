/* For how long a test waits for what does not come. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include <stdlib.h>

/* So many times the usual limit: 1, or what the build was told of emulators and the like. */
static inline double patience_times(double usual)
{
    const char *const times = getenv("INFERNO_TEST_PATIENCE");
    const double factor = times ? strtod(times, NULL) : 1;
    return factor > 1 ? usual * factor : usual;
}

#endif
