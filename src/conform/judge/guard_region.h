/* A guard region: pages of memory between protected pages, which catch an access that runs past either end. */
#ifndef CONFORM_GUARD_REGION_H
#define CONFORM_GUARD_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* The least number of protected bytes on either side. */
enum { GUARD_PROTECTED = 1 << 16 };

typedef struct guard_region {
    unsigned char *map, *body;
    size_t map_bytes, body_bytes;
    size_t dirty_bytes; /* bytes at its end that its user has made dirty; 0 in a new one */
    bool is_read_only;
    bool is_kept; /* guard_region_close keeps its pages for a later region */
} guard_region;

/* True if the system can protect pages. If not, canaries still notice a write near a tensor, and nothing notices a
 * read. */
bool guard_protects(void);

/* Maps readable and writable memory of at least body_bytes between protected pages. It holds zeros, or the content of a
 * region that was closed. Returns 0 without memory; *r is no region then. */
int guard_region_open(guard_region *r, size_t body_bytes);
/* Unmaps the region, or protects its pages and keeps them: touching them afterwards raises a signal until another
 * region gets them. Works on any mapping. */
void guard_region_close(guard_region *r);

/* Protected bytes on either side of a region, whole pages. */
size_t guard_outside(void);

/* Reserves pages without any access, which cost no memory in any mode of overcommit. Returns NULL without address
 * space. */
void *guard_map_nothing(size_t bytes);

#endif
