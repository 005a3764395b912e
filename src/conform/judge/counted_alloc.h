/* The default allocator, with its requests counted: an op makes none (spec/backend.yaml). */
#ifndef CONFORM_COUNTED_ALLOC_H
#define CONFORM_COUNTED_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>

/* What a backend that is judged is opened with. */
const ifn_allocator *conform_counted_allocator(void);

/* True if a block was given back with another size than it was asked for, which are those of the latest, since it was
 * last asked. */
bool conform_counted_mismatch(size_t *asked, size_t *given);

/* So many in this process, by all backends that were opened with it. */
int64_t conform_counted_requests(void);

#endif
