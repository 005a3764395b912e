#include "poisoned.h"

#include <stdlib.h>
#include <string.h>

#include <inferno/alloc.h>

/* Where the poisoned memory comes from. */
typedef struct source {
    ifn_allocator poisoned;
    const ifn_allocator *buffers;
    ifn_backend *device; /* NULL: memory of the host */
} source;

static int poison(const source *self, unsigned char *p, size_t bytes)
{
    unsigned char pattern[1 << 12];
    if (!self->device) {
        memset(p, 0xff, bytes);
        return 1;
    }
    memset(pattern, 0xff, sizeof pattern);
    for (size_t at = 0; at < bytes; at += sizeof pattern) {
        const size_t n = bytes - at < sizeof pattern ? bytes - at : sizeof pattern;
        if (ifn_copy_in(self->device,
                        &IFN_ARGS(copy_in, .out = p + at, .host = pattern, .bytes = n)) != IFN_OK)
            return 0;
    }
    return ifn_backend_synchronize(self->device, IFN_ALL_LANES) == IFN_OK;
}

static void *alloc_poisoned(void *cookie, size_t bytes, size_t align)
{
    const source *const self = cookie;
    void *const p = self->buffers->alloc(self->buffers->cookie, bytes, align);
    if (!p || poison(self, p, bytes))
        return p;
    self->buffers->free(self->buffers->cookie, p, bytes);
    return NULL;
}

static void *resize_poisoned(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    const source *const self = cookie;
    unsigned char *const grown =
        self->buffers->resize(self->buffers->cookie, p, old_bytes, bytes, align);
    if (grown && bytes > old_bytes)
        (void)poison(self, grown + old_bytes, bytes - old_bytes);
    return grown;
}

static void free_poisoned(void *cookie, void *p, size_t bytes)
{
    const source *const self = cookie;
    self->buffers->free(self->buffers->cookie, p, bytes);
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    source *const self = calloc(1, sizeof *self);
    (void)env;
    *state = self;
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "backend 'poison': out of memory");
    self->poisoned = (ifn_allocator){alloc_poisoned, resize_poisoned, free_poisoned, self};
    self->buffers = ifn_default_allocator();
    return IFN_OK;
}

static void close_state(void *state)
{
    free(state);
}

/* The inner backends are open by now, so this finds out whether they are a device. */
static const ifn_allocator *poisoned_buffers(const ifn_backend *backend)
{
    source *const self = backend->state;
    if (!ifn_backend_is_device(backend->inner))
        return &self->poisoned;
    self->buffers = backend->inner->buffers;
    self->device = ifn_backend_implementer(backend->inner, IFN_OP_COPY_IN);
    return &self->poisoned;
}

static void pass_all_through(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table;
    (void)env;
}

static const ifn_backend_desc poison_desc = {
    IFN_BACKEND_STAMP,        .flags = IFN_BACKEND_WRAPPER,
    .name = "poison",         .summary = "memory full of NaN",
    .fill = pass_all_through, .buffers = poisoned_buffers,
    .open = open_state,       .close = close_state,
};

ifn_status conform_poisoned_open(ifn_backend *inner, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = ifn_backend_n_lanes(inner));
    return ifn_backend_open_desc(&poison_desc, inner, NULL, &options, out, err);
}
