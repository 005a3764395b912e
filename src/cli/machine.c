#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

uint64_t machine_memory_bytes(void)
{
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        return (uint64_t)pages * (uint64_t)page;
#endif
    return 0;
}

uint64_t machine_peak_rss_bytes(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts KiB */
}

/* <prefix>/bin/program -> <prefix>/share/inferno/<model>; empty where that cannot be told. */
static void installed_path(char *out, size_t bytes)
{
    char self[4096];
    out[0] = '\0';
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return;
    self[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
    const int length = snprintf(out, bytes, "%s/share/inferno/" INFERNO_SHIPPED_NAME, self);
    if (length < 0 || (size_t)length >= bytes)
        out[0] = '\0';
}

ifn_status machine_shipped_model(char *out, size_t bytes, ifn_error *err)
{
    static const char built[] = INFERNO_SHIPPED_MODEL;
    installed_path(out, bytes);
    if (out[0] != '\0' && access(out, R_OK) == 0)
        return IFN_OK;
    if (sizeof built <= bytes && access(built, R_OK) == 0) {
        memcpy(out, built, sizeof built);
        return IFN_OK;
    }
    return ifn_fail(err, IFN_ERR_IO,
                    "no MODEL given, and the one of the project is neither %s nor %s", built,
                    out[0] != '\0' ? out : "installed");
}
