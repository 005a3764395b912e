/* Opens and closes a file; the ifn_gguf owns the mapping and the tables. */
#include <inferno/gguf.h>

#include <string.h>

#include "alloc_priv.h"
#include "gguf_priv.h"

static ifn_status make(const char *path, const ifn_allocator *alloc, ifn_gguf **out, ifn_error *err)
{
    *out = NULL;
    const size_t path_bytes = strlen(path) + 1;
    ifn_gguf *self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    char *copy = ifn_alloc_array(alloc, path_bytes, 1);
    if (!self || !copy) {
        ifn_free_array(alloc, copy, path_bytes, 1);
        ifn_free_array(alloc, self, 1, sizeof *self);
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", ifn_path_label(path));
    }
    memcpy(copy, path, path_bytes);
    self->alloc = alloc;
    self->path = copy;
    self->path_bytes = path_bytes;
    *out = self;
    return IFN_OK;
}

/* Takes ownership of `self`, on failure too. */
static ifn_status parse_or_close(ifn_gguf *self, const void *data, size_t bytes, ifn_gguf **out,
                                 ifn_error *err)
{
    self->data = data;
    self->bytes = bytes;
    const ifn_status status = ifn_gguf_parse(self, err);
    if (status != IFN_OK) {
        ifn_gguf_close(self);
        return status;
    }
    *out = self;
    return IFN_OK;
}

ifn_status ifn_gguf_open(const char *path, const ifn_allocator *alloc, ifn_gguf **out,
                         ifn_error *err)
{
    *out = NULL;
    ifn_gguf *self;
    IFN_TRY(make(path, ifn_allocator_or_default(alloc), &self, err));
    const ifn_status status = ifn_file_map_open(path, &self->map, err);
    if (status != IFN_OK) {
        ifn_gguf_close(self);
        return status;
    }
    return parse_or_close(self, self->map.data, self->map.bytes, out, err);
}

ifn_status ifn_gguf_open_memory(const char *name, const void *data, size_t bytes,
                                const ifn_allocator *alloc, ifn_gguf **out, ifn_error *err)
{
    *out = NULL;
    ifn_gguf *self;
    IFN_TRY(make(name, ifn_allocator_or_default(alloc), &self, err));
    return parse_or_close(self, data, bytes, out, err);
}

void ifn_gguf_close(ifn_gguf *self)
{
    if (!self)
        return;
    const ifn_allocator *a = self->alloc;
    ifn_free_array(a, self->entries, self->n_entries, sizeof *self->entries);
    ifn_free_array(a, self->key_order, self->n_entries, sizeof *self->key_order);
    ifn_free_array(a, self->tensors, self->n_tensors, sizeof *self->tensors);
    ifn_free_array(a, self->name_order, self->n_tensors, sizeof *self->name_order);
    ifn_free_array(a, self->names, self->n_tensors, sizeof *self->names);
    ifn_free_array(a, self->path, self->path_bytes, 1);
    ifn_file_map_close(&self->map);
    ifn_free_array(a, self, 1, sizeof *self);
}

void ifn_gguf_drop(const ifn_gguf *self, const void *data, size_t bytes)
{
    ifn_file_map_drop(&self->map, data, bytes);
}

const char *ifn_gguf_path(const ifn_gguf *self)
{
    return self->path;
}

uint32_t ifn_gguf_version(const ifn_gguf *self)
{
    return self->version;
}

uint64_t ifn_gguf_alignment(const ifn_gguf *self)
{
    return self->alignment;
}

uint64_t ifn_gguf_file_bytes(const ifn_gguf *self)
{
    return self->bytes;
}

uint64_t ifn_gguf_data_offset(const ifn_gguf *self)
{
    return self->data_offset;
}
