/* Buffers that end, or begin, at a protected page: one byte too far is a crash, not a guess. */
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
/* Makes the whole buffer readable only; the page around it as well. */
void guard_read_only(guard *self);
/* With 0xa5 again, as it was at first. */
void guard_fill(guard *self);
void guard_free(guard *self);

#endif
