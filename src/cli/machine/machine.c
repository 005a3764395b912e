#include "machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

/* Reads the first line of a sysfs file of cache `i` of the first processor. Returns 0 if there is none. */
static int read_line(int i, const char *name, char *out, int bytes)
{
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, name);
    FILE *const f = fopen(path, "re");
    if (!f)
        return 0;
    const bool is_read = fgets(out, bytes, f) != NULL;
    fclose(f);
    return is_read;
}

/* Parses a size such as "32768K". */
static uint64_t size_in(const char *text)
{
    char *end;
    const uint64_t n = strtoull(text, &end, 10);
    return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

machine_caches machine_find_caches(void)
{
    enum { MOST = sizeof((machine_caches *)0)->at / sizeof *((machine_caches *)0)->at };
    machine_caches all = {0};
    char level[8], type[16], size[24];
    for (int i = 0; all.n < MOST && read_line(i, "level", level, sizeof level); i++) {
        if (!read_line(i, "type", type, sizeof type) || strncmp(type, "Instruction", 11) == 0 ||
            !read_line(i, "size", size, sizeof size))
            continue;
        struct machine_cache *const cache = &all.at[all.n];
        snprintf(cache->name, sizeof cache->name, "L%.1s", level);
        cache->bytes = size_in(size);
        all.n += cache->bytes > (all.n ? all.at[all.n - 1].bytes : 0);
    }
    return all;
}

const char *machine_memory_of(const machine_caches *self, uint64_t bytes, int n_threads)
{
    for (int i = 0; i < self->n; i++) {
        const bool is_shared = i > 0 && i == self->n - 1;
        if (bytes / (uint64_t)(is_shared ? 1 : n_threads) <= self->at[i].bytes)
            return self->at[i].name;
    }
    return "memory";
}
