/* Buffers that end, or begin, at a protected page: an access one byte too far crashes. */
#ifndef IFN_GUARD_H
#define IFN_GUARD_H

#include <stddef.h>

typedef struct guard {
    void *data; /* `bytes` bytes */
    size_t bytes;
    void *map;
    size_t map_bytes;
} guard;

/* A buffer whose last byte lies right before a protected page. Filled with 0xa5. */
guard guard_at_end(size_t bytes);
/* A buffer whose first byte lies right after a protected page. */
guard guard_at_start(size_t bytes);
/* Makes the whole buffer readable only; the page around it as well. */
void guard_read_only(guard *self);
/* Fills the buffer with 0xa5 again. */
void guard_fill(guard *self);
void guard_free(guard *self);

#endif
