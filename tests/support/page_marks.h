/* Properties of a mapping of this process, from the system. */
#ifndef IFN_PAGE_MARKS_H
#define IFN_PAGE_MARKS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Whether the mapping that holds p is marked for huge pages; -1 where the system does not say. */
static inline int is_marked_huge(const void *p)
{
    FILE *const maps = fopen("/proc/self/smaps", "r");
    if (!maps)
        return -1;
    char line[512];
    int is_here = 0, marked = -1;
    while (marked < 0 && fgets(line, sizeof line, maps)) {
        unsigned long long begin, end;
        if (sscanf(line, "%llx-%llx ", &begin, &end) == 2)
            is_here = begin <= (uintptr_t)p && (uintptr_t)p < end;
        else if (is_here && strncmp(line, "VmFlags:", 8) == 0)
            marked = strstr(line, " hg") != NULL;
    }
    fclose(maps);
    return marked;
}

/* How many bytes of the mapping that holds p lie in huge pages; -1 where the system does not say. */
static inline long long bytes_in_huge_pages(const void *p)
{
    FILE *const maps = fopen("/proc/self/smaps", "r");
    if (!maps)
        return -1;
    char line[512];
    int is_here = 0, is_said = 0;
    long long kib = -1;
    while (!is_said && fgets(line, sizeof line, maps)) {
        unsigned long long begin, end;
        if (sscanf(line, "%llx-%llx ", &begin, &end) == 2)
            is_here = begin <= (uintptr_t)p && (uintptr_t)p < end;
        else if (is_here)
            is_said = sscanf(line, "AnonHugePages: %lld", &kib) == 1;
    }
    fclose(maps);
    return is_said ? kib * 1024 : -1;
}

#endif
