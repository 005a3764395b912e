/* True if the system has an OpenCL platform to test on. */
#ifndef IFN_OPENCL_HERE_H
#define IFN_OPENCL_HERE_H

#include <stdbool.h>
#include <stdio.h>

#include <inferno/backend.h>

static inline bool opencl_is_here(void)
{
    ifn_backend *b;
    ifn_error err = {0};
    if (ifn_backend_open("opencl", NULL, &b, &err) == IFN_OK)
        ifn_backend_close(b);
    else
        (void)fprintf(stderr, "not run: %s\n", err.text);
    return b != NULL;
}

#endif
