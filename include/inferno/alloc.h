/*
 * The allocator hook: every allocation of the library goes through one of these.
 *
 * Stability: stable, and part of the plugin ABI. ifn_allocator does not grow.
 */
#ifndef INFERNO_ALLOC_H
#define INFERNO_ALLOC_H

#include <stddef.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/**
 * Three functions and a cookie. Wherever the library takes `const ifn_allocator *`, NULL means
 * ifn_default_allocator(), and the pointed-to struct must outlive every object made with it.
 *
 * alloc   returns `bytes` bytes aligned to `align` (a power of two), or NULL; `bytes` is never 0
 * resize  like realloc: keeps min(old_bytes, bytes) bytes, or returns NULL and leaves `p` alone;
 *         `p` may be NULL, then old_bytes is 0
 * free    `p` may be NULL; `bytes` is the size it was allocated or last resized with
 */
typedef struct ifn_allocator {
    void *(*alloc)(void *cookie, size_t bytes, size_t align);
    void *(*resize)(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align);
    void (*free)(void *cookie, void *p, size_t bytes);
    void *cookie;
} ifn_allocator;

/* The C library's heap. Static. */
IFN_API const ifn_allocator *ifn_default_allocator(void);

IFN_EXTERN_C_END

#endif
