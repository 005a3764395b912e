/* Buffers that end, or begin, at a protected page, so that an access one byte too far always crashes. */
#ifndef IFN_GUARD_H
#define IFN_GUARD_H

#include <stddef.h>

typedef struct guard {
    void *data; /* `bytes` bytes */
    size_t bytes;
    void *map;
    size_t map_bytes;
} guard;

/* The last byte of data is the last before a protected page. Filled with 0xa5. */
guard guard_at_end(size_t bytes);
/* The first byte of data is the first after a protected page. */
guard guard_at_start(size_t bytes);
/* Makes all pages of the buffer read-only. */
void guard_read_only(guard *self);
/* Fills the buffer with 0xa5, as it was initially. */
void guard_fill(guard *self);
void guard_free(guard *self);

#endif
