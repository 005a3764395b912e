#include "shipped.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* <prefix>/bin/program -> <prefix>; 0 where that cannot be told. */
static int find_prefix(char *out, size_t bytes)
{
    const ssize_t n = readlink("/proc/self/exe", out, bytes - 1);
    if (n <= 0)
        return 0;
    out[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(out, '/');
        if (!slash)
            return 0;
        *slash = '\0';
    }
    return 1;
}

ifn_status shipped_path(const char *what, const char *name, char out[SHIPPED_PATH_BYTES],
                        ifn_error *err)
{
    char prefix[SHIPPED_PATH_BYTES];
    if (!find_prefix(prefix, sizeof prefix))
        return ifn_fail(err, IFN_ERR_IO, "%s: the system does not say where this program lies",
                        what);
    const int length = snprintf(out, SHIPPED_PATH_BYTES, "%s/share/inferno/%s", prefix, name);
    if (length < 0 || length >= SHIPPED_PATH_BYTES)
        return ifn_fail(err, IFN_ERR_IO, "%s: the path is longer than %d bytes", what,
                        SHIPPED_PATH_BYTES - 1);
    if (access(out, R_OK) != 0)
        return ifn_fail(err, IFN_ERR_IO, "%s: %s cannot be read", what, out);
    return IFN_OK;
}
