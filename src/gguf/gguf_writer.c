/*
 * Writes GGUF version 3. Metadata and tensor entries are collected in memory, because the header comes
 * first and holds their counts. Tensor data is written at once, so memory does not depend on its size.
 */
#include <inferno/gguf_writer.h>

#include <inttypes.h>

#include "alloc_priv.h"
#include "checked.h"
#include "gguf_writer_priv.h"
#include "grow.h"

ifn_status ifn_gguf_writer_misuse(ifn_error *err, const char *name, const char *what)
{
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%.64s: %s", name, what);
}

ifn_status ifn_gguf_writer_no_memory(ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_NOMEM, "gguf writer: out of memory");
}

bool ifn_gguf_list_reserve(const ifn_allocator *a, ifn_gguf_list *l, size_t bytes)
{
    size_t needed;
    if (!ifn_add_size(l->used, bytes, &needed))
        return false;
    void *const moved = ifn_grow(a, l->data, &l->room, needed, 1);
    if (!moved)
        return false;
    l->data = moved;
    return true;
}

ifn_status ifn_gguf_writer_expect(const ifn_gguf_writer *self, ifn_gguf_stage last, ifn_error *err)
{
    if (self->stage <= last)
        return IFN_OK;
    if (self->stage == IFN_GGUF_BROKEN)
        return ifn_fail(err, IFN_ERR_IO, "gguf writer: an earlier write failed");
    return ifn_fail(err, IFN_ERR_ARGUMENT, "gguf writer: %s",
                    self->stage == IFN_GGUF_FINISHED ? "called after finish"
                                                     : "metadata and tensors come before all data");
}

static bool pad(uint64_t bytes, uint32_t alignment, uint64_t *out)
{
    return ifn_add_u64(bytes, (alignment - bytes % alignment) % alignment, out);
}

static ifn_status measure(const char *name, ifn_dtype dtype, int32_t n_dims, const int64_t *shape,
                          uint64_t *out, ifn_error *err)
{
    ifn_gguf_tensor_type type;
    int64_t rows = 1, elements;
    if (ifn_dtype_to_gguf(dtype) == IFN_GGUF_TYPE_NONE ||
        !ifn_gguf_find_tensor_type((uint32_t)ifn_dtype_to_gguf(dtype), &type))
        return ifn_gguf_writer_misuse(err, name, "the dtype does not stand in files");
    if (n_dims < 1 || n_dims > IFN_MAX_DIMS)
        return ifn_gguf_writer_misuse(err, name, "n_dims is not 1 to 4");
    for (int32_t i = 0; i + 1 < n_dims; i++)
        if (!ifn_mul_i64(rows, shape[i], &rows))
            return ifn_gguf_writer_misuse(err, name, "the shape is negative or too large");
    if (!ifn_mul_i64(rows, shape[n_dims - 1], &elements) ||
        !ifn_gguf_tensor_bytes(&type, shape[n_dims - 1], rows, out))
        return ifn_gguf_writer_misuse(
            err, name, "the row does not fit the blocks of the dtype, or is too large");
    return IFN_OK;
}

static void put_info(ifn_gguf_writer *self, const char *name, size_t name_bytes, ifn_dtype dtype,
                     int32_t n_dims, const int64_t *shape)
{
    ifn_gguf_put_string(&self->infos, name, name_bytes);
    ifn_gguf_put_u32(&self->infos, (uint32_t)n_dims);
    for (int32_t i = n_dims; i-- > 0;)
        ifn_gguf_put_u64(&self->infos, (uint64_t)shape[i]);
    ifn_gguf_put_u32(&self->infos, (uint32_t)ifn_dtype_to_gguf(dtype));
    ifn_gguf_put_u64(&self->infos, self->data_bytes);
}

ifn_status ifn_gguf_writer_declare_tensor(ifn_gguf_writer *self, const char *name, ifn_dtype dtype,
                                          int32_t n_dims, const int64_t *shape, ifn_error *err)
{
    const size_t name_bytes = strlen(name);
    const size_t most = 8 + IFN_GGUF_NAME_BYTES + 4 + 8 * IFN_MAX_DIMS + 4 + 8;
    uint64_t bytes, padded, data_bytes;
    IFN_TRY(ifn_gguf_writer_expect(self, IFN_GGUF_DECLARING, err));
    if (name_bytes >= IFN_GGUF_NAME_BYTES)
        return ifn_gguf_writer_misuse(err, name, "the name is longer than 63 bytes");
    IFN_TRY(measure(name, dtype, n_dims, shape, &bytes, err));
    if (!pad(bytes, self->alignment, &padded) ||
        !ifn_add_u64(self->data_bytes, padded, &data_bytes))
        return ifn_gguf_writer_misuse(err, name, "the file would be too large");
    if (!ifn_gguf_list_reserve(self->alloc, &self->infos, most) ||
        !ifn_gguf_list_reserve(self->alloc, &self->names, sizeof(ifn_gguf_span)) ||
        !ifn_gguf_list_reserve(self->alloc, &self->sizes, sizeof bytes))
        return ifn_gguf_writer_no_memory(err);
    const ifn_gguf_span at = {self->infos.used + 8, name_bytes};
    ifn_gguf_put_bytes(&self->names, &at, sizeof at);
    ifn_gguf_put_bytes(&self->sizes, &bytes, sizeof bytes);
    put_info(self, name, name_bytes, dtype, n_dims, shape);
    self->data_bytes = data_bytes;
    self->n_tensors++;
    return IFN_OK;
}

typedef struct spelled {
    const ifn_gguf_list *bytes, *spans;
} spelled;

static ifn_string spelling(const void *table, size_t i)
{
    const spelled *s = table;
    ifn_gguf_span at;
    memcpy(&at, s->spans->data + i * sizeof at, sizeof at);
    return (ifn_string){(const char *)s->bytes->data + at.offset, at.bytes};
}

static ifn_status check_unique(const ifn_gguf_writer *self, const ifn_gguf_list *bytes,
                               const ifn_gguf_list *spans, ifn_error *err)
{
    const spelled table = {bytes, spans};
    const size_t n = spans->used / sizeof(ifn_gguf_span);
    size_t *order = ifn_alloc_array(self->alloc, n, sizeof *order);
    if (!order)
        return ifn_gguf_writer_no_memory(err);
    ifn_gguf_sort_names(order, n, spelling, &table);
    const size_t twice = ifn_gguf_find_repeated(order, n, spelling, &table);
    ifn_free_array(self->alloc, order, n, sizeof *order);
    if (twice == n)
        return IFN_OK;
    const ifn_string name = spelling(&table, twice);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%.*s: given twice, expected once",
                    name.bytes < 64 ? (int)name.bytes : 64, name.data);
}

static uint64_t size_of(const ifn_gguf_writer *self, uint64_t tensor)
{
    uint64_t bytes;
    memcpy(&bytes, self->sizes.data + tensor * sizeof bytes, sizeof bytes);
    return bytes;
}

/* Skips tensors of no bytes, for which no data is ever written. */
static void skip_empty(ifn_gguf_writer *self)
{
    self->current_done = 0;
    while (self->current < self->n_tensors && size_of(self, self->current) == 0)
        self->current++;
}

static ifn_status write_list(ifn_gguf_writer *self, const ifn_gguf_list *l, uint64_t *at,
                             ifn_error *err)
{
    *at += l->used;
    return ifn_file_sink_write(&self->sink, l->data, l->used, err);
}

static ifn_status write_header(ifn_gguf_writer *self, ifn_error *err)
{
    uint8_t raw[24 + 8 + sizeof IFN_GGUF_ALIGNMENT_KEY + 8];
    ifn_gguf_list header = {raw, 0, sizeof raw};
    const bool say_alignment = self->alignment != IFN_GGUF_DEFAULT_ALIGNMENT;
    uint64_t at = 0, padded;
    ifn_gguf_put_bytes(&header, "GGUF", 4);
    ifn_gguf_put_u32(&header, 3);
    ifn_gguf_put_u64(&header, self->n_tensors);
    ifn_gguf_put_u64(&header, self->n_entries + say_alignment);
    if (say_alignment) {
        ifn_gguf_put_string(&header, IFN_GGUF_ALIGNMENT_KEY, strlen(IFN_GGUF_ALIGNMENT_KEY));
        ifn_gguf_put_u32(&header, IFN_GGUF_UINT32);
        ifn_gguf_put_u32(&header, self->alignment);
    }
    IFN_TRY(write_list(self, &header, &at, err));
    IFN_TRY(write_list(self, &self->entries, &at, err));
    IFN_TRY(write_list(self, &self->infos, &at, err));
    if (self->n_tensors == 0 || !pad(at, self->alignment, &padded))
        return IFN_OK;
    return ifn_file_sink_zeros(&self->sink, padded - at, err);
}

/* After a failed write the writer refuses all further calls. */
static ifn_status broken_unless(ifn_gguf_writer *self, ifn_status status)
{
    if (status != IFN_OK)
        self->stage = IFN_GGUF_BROKEN;
    return status;
}

static ifn_status begin_data(ifn_gguf_writer *self, ifn_error *err)
{
    if (self->stage == IFN_GGUF_WRITING)
        return IFN_OK;
    IFN_TRY(check_unique(self, &self->entries, &self->keys, err));
    IFN_TRY(check_unique(self, &self->infos, &self->names, err));
    self->stage = IFN_GGUF_WRITING;
    skip_empty(self);
    return broken_unless(self, write_header(self, err));
}

static ifn_status end_tensor(ifn_gguf_writer *self, uint64_t bytes, ifn_error *err)
{
    uint64_t padded = bytes;
    (void)pad(bytes, self->alignment, &padded); /* cannot overflow: checked when it was declared */
    self->current++;
    skip_empty(self);
    return ifn_file_sink_zeros(&self->sink, padded - bytes, err);
}

ifn_status ifn_gguf_writer_write_data(ifn_gguf_writer *self, const void *data, size_t bytes,
                                      ifn_error *err)
{
    IFN_TRY(ifn_gguf_writer_expect(self, IFN_GGUF_WRITING, err));
    IFN_TRY(begin_data(self, err));
    if (bytes == 0)
        return IFN_OK;
    const uint64_t size = self->current < self->n_tensors ? size_of(self, self->current) : 0;
    if (bytes > size - self->current_done)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "gguf writer: tensor %" PRIu64
                        ": found %zu bytes, expected at most %" PRIu64,
                        self->current, bytes, size - self->current_done);
    IFN_TRY(broken_unless(self, ifn_file_sink_write(&self->sink, data, bytes, err)));
    self->current_done += bytes;
    if (self->current_done < size)
        return IFN_OK;
    return broken_unless(self, end_tensor(self, size, err));
}

ifn_status ifn_gguf_writer_finish(ifn_gguf_writer *self, ifn_error *err)
{
    IFN_TRY(ifn_gguf_writer_expect(self, IFN_GGUF_WRITING, err));
    IFN_TRY(begin_data(self, err));
    if (self->current < self->n_tensors)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "gguf writer: tensor %" PRIu64 ": found %" PRIu64
                        " bytes, expected %" PRIu64,
                        self->current, self->current_done, size_of(self, self->current));
    IFN_TRY(broken_unless(self, ifn_file_sink_finish(&self->sink, err)));
    self->stage = IFN_GGUF_FINISHED;
    return IFN_OK;
}

ifn_status ifn_gguf_writer_open(const char *path, uint32_t alignment, const ifn_allocator *alloc,
                                ifn_gguf_writer **out, ifn_error *err)
{
    const ifn_allocator *a = ifn_allocator_or_default(alloc);
    *out = NULL;
    if (alignment == 0 || (alignment & (alignment - 1)) != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "alignment: found %" PRIu32 ", expected a power of two", alignment);
    ifn_gguf_writer *self = ifn_alloc_zeroed(a, 1, sizeof *self);
    if (!self)
        return ifn_gguf_writer_no_memory(err);
    self->alloc = a;
    self->alignment = alignment;
    const ifn_status status = ifn_file_sink_init(&self->sink, path, a, err);
    if (status != IFN_OK) {
        ifn_gguf_writer_close(self);
        return status;
    }
    *out = self;
    return IFN_OK;
}

const char *ifn_gguf_writer_temporary(const ifn_gguf_writer *self)
{
    return self->sink.temporary;
}

static void release(const ifn_allocator *a, ifn_gguf_list *l)
{
    a->free(a->cookie, l->data, l->room);
}

void ifn_gguf_writer_close(ifn_gguf_writer *self)
{
    if (!self)
        return;
    const ifn_allocator *a = self->alloc;
    ifn_file_sink_fini(&self->sink);
    release(a, &self->entries);
    release(a, &self->infos);
    release(a, &self->keys);
    release(a, &self->names);
    release(a, &self->sizes);
    ifn_free_array(a, self, 1, sizeof *self);
}
