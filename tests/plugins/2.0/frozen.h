/* What the plugin of ABI 2.0 tells its test, beside its descriptor. Plain types: plugin and test
 * are built with different headers. */
#ifndef FROZEN_H
#define FROZEN_H

#include <stdint.h>

#define FROZEN_API __attribute__((visibility("default")))

typedef struct frozen_argument {
    const char *name; /* NULL ends the list */
    uint32_t offset;
} frozen_argument;

/* Calls of each op that it was shown. */
extern FROZEN_API int64_t frozen_calls[];

/* The arguments of an op; NULL for one that 2.0 does not have. */
FROZEN_API const frozen_argument *frozen_arguments(int32_t op);

#endif
