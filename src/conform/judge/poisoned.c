#include "poisoned.h"

#include <string.h>

#include <inferno/alloc.h>

static void *alloc_poisoned(void *cookie, size_t bytes, size_t align)
{
    (void)cookie;
    void *const p = ifn_default_allocator()->alloc(NULL, bytes, align);
    return p ? memset(p, 0xff, bytes) : NULL;
}

static void *resize_poisoned(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    (void)cookie;
    unsigned char *const grown = ifn_default_allocator()->resize(NULL, p, old_bytes, bytes, align);
    if (grown && bytes > old_bytes)
        memset(grown + old_bytes, 0xff, bytes - old_bytes);
    return grown;
}

static void free_poisoned(void *cookie, void *p, size_t bytes)
{
    (void)cookie;
    ifn_default_allocator()->free(NULL, p, bytes);
}

static const ifn_allocator *poisoned_buffers(const ifn_backend *backend)
{
    static const ifn_allocator poisoned = {alloc_poisoned, resize_poisoned, free_poisoned, NULL};
    (void)backend;
    return &poisoned;
}

static void pass_all_through(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table;
    (void)env;
}

static const ifn_backend_desc poison = {
    IFN_BACKEND_STAMP,        .flags = IFN_BACKEND_WRAPPER,
    .name = "poison",         .summary = "memory full of NaN",
    .fill = pass_all_through, .buffers = poisoned_buffers,
};

ifn_status conform_poisoned_open(ifn_backend *inner, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = ifn_backend_n_lanes(inner));
    return ifn_backend_open_desc(&poison, inner, NULL, &options, out, err);
}
