/* The default allocator, with its requests counted: an op makes none (spec/backend.yaml). */
#ifndef CONFORM_COUNTED_ALLOC_H
#define CONFORM_COUNTED_ALLOC_H

#include <stdint.h>

#include <inferno/alloc.h>

/* What a backend that is judged is opened with. */
const ifn_allocator *conform_counted_allocator(void);

/* So many in this process, by all backends that were opened with it. */
int64_t conform_counted_requests(void);

#endif
