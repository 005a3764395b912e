#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "test.h"

void image_put(image *self, const void *data, size_t bytes)
{
    if (self->room < self->bytes + bytes + 1) {
        self->room = 2 * (self->bytes + bytes + 1);
        self->data = realloc(self->data, self->room);
        if (!self->data)
            abort();
    }
    if (bytes)
        memcpy(self->data + self->bytes, data, bytes);
    self->bytes += bytes;
}

void image_zeros(image *self, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        image_put(self, "", 1);
}

void image_pad(image *self, size_t to)
{
    while (self->bytes % to != 0)
        image_zeros(self, 1);
}

void image_u64(image *self, uint64_t v)
{
    image_u32(self, (uint32_t)v);
    image_u32(self, (uint32_t)(v >> 32));
}

void image_u32(image *self, uint32_t v)
{
    const uint8_t le[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    image_put(self, le, sizeof le);
}

void image_length(image *self, uint64_t v)
{
    if (self->version == 1)
        image_u32(self, (uint32_t)v);
    else
        image_u64(self, v);
}

void image_string(image *self, const char *text)
{
    image_length(self, strlen(text));
    image_put(self, text, strlen(text));
}

image image_new(uint32_t version, uint64_t n_tensors, uint64_t n_entries)
{
    image self = {NULL, 0, version, 0};
    image_put(&self, "GGUF", 4);
    image_u32(&self, version);
    image_length(&self, n_tensors);
    image_length(&self, n_entries);
    return self;
}

void image_free(image *self)
{
    free(self->data);
    *self = (image){NULL, 0, 0, 0};
}

void image_key(image *self, const char *key, uint32_t type)
{
    image_string(self, key);
    image_u32(self, type);
}

void image_kv_u32(image *self, const char *key, uint32_t value)
{
    image_key(self, key, IFN_GGUF_UINT32);
    image_u32(self, value);
}

void image_tensor(image *self, const char *name, uint32_t n_dims, const uint64_t *dims,
                  uint32_t type, uint64_t offset)
{
    image_string(self, name);
    image_u32(self, n_dims);
    for (uint32_t i = 0; i < n_dims; i++)
        image_length(self, dims[i]);
    image_u32(self, type);
    image_u64(self, offset);
}

/* The block that image_open has opened; the tests open one at a time. */
static guard opened;

ifn_status image_open(const image *self, ifn_gguf **out, ifn_error *err)
{
    opened = guard_at_end(self->bytes);
    if (self->bytes)
        memcpy(opened.data, self->data, self->bytes);
    guard_read_only(&opened);
    const ifn_status status =
        ifn_gguf_open_memory("image.gguf", opened.data, self->bytes, NULL, out, err);
    if (status != 0)
        guard_free(&opened);
    return status;
}

void image_close(ifn_gguf *gguf)
{
    ifn_gguf_close(gguf);
    guard_free(&opened);
}

ifn_error image_try(const image *self)
{
    ifn_gguf *gguf;
    ifn_error err = {.status = IFN_OK};
    if (image_open(self, &gguf, &err) == IFN_OK)
        image_close(gguf);
    else
        assert_null(gguf);
    return err;
}
