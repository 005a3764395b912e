#include "arena.h"

#include "alloc_priv.h"
#include "checked.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif

#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n)   ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define POISON(p, n)   ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

/* Bytes left between two objects, so that the first byte past one is never the first byte of the next. */
#define GAP IFN_ALIGN

void ifn_arena_init(ifn_arena *self, void *base, size_t bytes)
{
    *self = (ifn_arena){.base = base, .bytes = base ? bytes : 0};
    if (base)
        POISON(base, bytes);
}

void *ifn_arena_take(ifn_arena *self, size_t count, size_t size)
{
    size_t bytes, end;
    if (self->failed || count == 0)
        return NULL;
    if (!ifn_mul_size(count, size, &bytes) || !ifn_round_up_size(bytes, IFN_ALIGN, &end) ||
        !ifn_add_size(end, GAP, &end) || !ifn_add_size(self->used, end, &end) ||
        (self->base && end > self->bytes)) {
        self->failed = true;
        return NULL;
    }
    unsigned char *p = self->base ? self->base + self->used : NULL;
    self->used = end;
    if (p)
        UNPOISON(p, bytes);
    return p;
}

void ifn_arena_fini(ifn_arena *self)
{
    if (self->base)
        UNPOISON(self->base, self->bytes);
}
