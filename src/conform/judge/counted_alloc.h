/* The default allocator, counting its requests: an op must make none (spec/backend.yaml). */
#ifndef CONFORM_COUNTED_ALLOC_H
#define CONFORM_COUNTED_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>

/* The allocator that the backend under test is opened with. */
const ifn_allocator *conform_counted_allocator(void);

/* True if, since the last question, a block was freed with another size than it was allocated with. *asked and *given
 * are the two sizes of the latest such block. */
bool conform_counted_mismatch(size_t *asked, size_t *given);

/* Requests so far in this process, by all backends that were opened with this allocator. */
int64_t conform_counted_requests(void);

#endif
