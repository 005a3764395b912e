/* Remembers digests of what calls have written, to detect memory that changes before another call reads it. */
#ifndef CONFORM_MEMORY_WATCH_H
#define CONFORM_MEMORY_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/ops.h>

enum { WATCH_PLACES = 256 };

typedef struct memory_written {
    const unsigned char *begin;
    size_t bytes;
    uint64_t digest;
    ifn_op op; /* the op and the number of the call that wrote it */
    int64_t call;
} memory_written;

/* All zero is empty. */
typedef struct memory_watch {
    memory_written place[WATCH_PLACES];
    int n;
} memory_watch;

/* Notes that a call has written `bytes` bytes at `data`. With WATCH_PLACES entries the oldest is dropped. */
void conform_watch_written(memory_watch *self, const void *data, size_t bytes, ifn_op op,
                           int64_t call);

/* Returns an entry that overlaps these bytes and has changed since it was written; NULL: there is none. */
const memory_written *conform_watch_changed(const memory_watch *self, const void *data,
                                            size_t bytes);

#endif
