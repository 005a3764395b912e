#include "fail_malloc.h"

#include <stddef.h>

int (*fail_malloc_decides)(void);

#define WRAP(name, arguments, ...)                                                                 \
    void *__real_##name arguments;                                                                 \
    void *__wrap_##name arguments;                                                                 \
    void *__wrap_##name arguments                                                                  \
    {                                                                                              \
        return fail_malloc_decides && fail_malloc_decides() ? NULL : __real_##name(__VA_ARGS__);   \
    }
WRAP(malloc, (size_t bytes), bytes)
WRAP(calloc, (size_t n, size_t bytes), n, bytes)
WRAP(realloc, (void *old, size_t bytes), old, bytes)
WRAP(aligned_alloc, (size_t align, size_t bytes), align, bytes)
