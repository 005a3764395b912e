/* For platforms without ELF shared objects: no variables are known. */
#include "writable.h"

void conform_writable_names(const char *path, char *out, size_t bytes)
{
    (void)path;
    (void)bytes;
    out[0] = '\0';
}
