#include "zero_map.h"

#include <fcntl.h>
#include <unistd.h>

/* Maps /dev/zero, which is the same as MAP_ANONYMOUS; POSIX.1-2008 does not have that flag. */
void *zero_map(size_t bytes, int protection, int sharing)
{
    const int zero = open("/dev/zero", O_RDWR);
    void *const map = zero < 0 ? MAP_FAILED : mmap(NULL, bytes, protection, sharing, zero, 0);
    if (zero >= 0)
        close(zero);
    return map == MAP_FAILED ? NULL : map;
}
