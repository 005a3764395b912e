/* What calls have written, to see whether it is still there when another reads it. */
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
    ifn_op op; /* who wrote it */
    int64_t call;
} memory_written;

/* All zero is empty. */
typedef struct memory_watch {
    memory_written place[WATCH_PLACES];
    int n;
} memory_watch;

/* This call has written so many bytes. Where there is no room left, the oldest is forgotten. */
void conform_watch_written(memory_watch *self, const void *data, size_t bytes, ifn_op op,
                           int64_t call);

/* Whoever wrote here last, if what it wrote has changed since; else NULL. */
const memory_written *conform_watch_changed(const memory_watch *self, const void *data,
                                            size_t bytes);

#endif
