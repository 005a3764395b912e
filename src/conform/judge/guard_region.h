/* Pages of memory between protected ones. */
#ifndef CONFORM_GUARD_REGION_H
#define CONFORM_GUARD_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of protected pages at least on either side: what runs away meets them. */
enum { GUARD_PROTECTED = 1 << 16 };

typedef struct guard_region {
    unsigned char *map, *body;
    size_t map_bytes, body_bytes;
    size_t dirty_bytes; /* at its end, counted by whoever makes them dirty; 0 in a new one */
    bool is_read_only;
    bool is_kept; /* by guard_region_close, for a region to come */
} guard_region;

/* Whether the system protects pages. Where it does not, canaries notice what is written near a tensor, and nothing
 * notices what is read. */
bool guard_protects(void);

/* Readable and writable memory of at least body_bytes between protected pages: zeros, or what was
 * in a region that has been closed. Returns 0 without memory; then there is no region. */
int guard_region_open(guard_region *r, size_t body_bytes);
/* Whoever touches its memory afterwards ends by it, until it is another's. May be called for any
 * mapping. */
void guard_region_close(guard_region *r);

/* Bytes of them on either side: whole pages. */
size_t guard_outside(void);

/* Pages that nobody may touch, which cost nothing in any mode of overcommitment. NULL: there are
 * not so many. */
void *guard_map_nothing(size_t bytes);

#endif
