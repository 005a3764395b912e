/* The name of a file without its directory. */
#ifndef IFN_PROGRAM_BASE_NAME_H
#define IFN_PROGRAM_BASE_NAME_H

#include <string.h>

/* The last part of a path, borrowed from it. */
static inline const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
