#include "cache_file.h"

#include <string.h>

#include "alloc_priv.h"
#include "bytes.h"
#include "checked.h"
#include "file_sink.h"
#include "hash64.h"

#define PAGE UINT64_C(4096)

enum {
    VERSION = 1,
    MAGIC_BYTES = 8,
    AT_VERSION = 8,
    AT_COUNT = 12,
    AT_BYTES = 16,
    AT_STAMP = 24,
    FIXED_BYTES = 56,
    AT_LAYOUT = IFN_CACHE_NAME_BYTES,
    AT_NUMBERS = IFN_CACHE_NAME_BYTES + IFN_LAYOUT_BYTES,
    ENTRY_BYTES = AT_NUMBERS + 4 * 8,
    HASH_BYTES = 8
};

static const char magic[MAGIC_BYTES] = {'I', 'F', 'N', 'C', 'A', 'C', 'H', 'E'};

static uint64_t head_bytes(uint64_t n)
{
    return FIXED_BYTES + n * ENTRY_BYTES + HASH_BYTES;
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static const uint8_t *bytes_of(const ifn_cache_file *self)
{
    return self->map.data;
}

static ifn_status check_head(const ifn_cache_file *self, const char *path, ifn_error *err)
{
    const uint8_t *const p = bytes_of(self);
    const uint64_t bytes = self->map.bytes;
    if (self->is_foreign)
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%s: is no cache of prepared weights, and left as it is", path);
    if (bytes < head_bytes(0))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: has %llu bytes, expected %llu at least", path,
                        (unsigned long long)bytes, (unsigned long long)head_bytes(0));
    if (ifn_load_u32le(p + AT_VERSION) != VERSION)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: has version %u, expected %d", path,
                        (unsigned)ifn_load_u32le(p + AT_VERSION), VERSION);
    if (ifn_load_u64le(p + AT_BYTES) != bytes || head_bytes(self->n) > bytes)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: has %llu bytes, expected %llu", path,
                        (unsigned long long)bytes,
                        (unsigned long long)ifn_load_u64le(p + AT_BYTES));
    const uint64_t hashed = head_bytes(self->n) - HASH_BYTES;
    if (ifn_hash64(p, hashed, 0) != ifn_load_u64le(p + hashed))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: its table has changed since it was written",
                        path);
    return IFN_OK;
}

static ifn_status check_entries(const ifn_cache_file *self, const char *path, ifn_error *err)
{
    for (size_t i = 0; i < self->n; i++) {
        const ifn_cache_entry e = ifn_cache_file_entry(self, i);
        uint64_t end;
        if (e.name[sizeof e.name - 1] || e.layout[sizeof e.layout - 1] || e.offset % PAGE ||
            !ifn_add_u64(e.offset, e.bytes, &end) || end > self->map.bytes)
            return ifn_fail(err, IFN_ERR_FORMAT, "%s: entry %zu does not fit into its %zu bytes",
                            path, i, self->map.bytes);
    }
    return IFN_OK;
}

/* Kernels may read past the tensor that ends a cache file or a model's file: the map's zeros must suffice for it. */
_Static_assert((int)IFN_FILE_MAP_MORE >= (int)IFN_MAX_OVERREAD, "what max_overread may be");

ifn_status ifn_cache_file_open(const char *path, ifn_cache_file *out, ifn_error *err)
{
    *out = (ifn_cache_file){.n = 0};
    IFN_TRY(ifn_file_map_open(path, &out->map, err));
    const uint8_t *const p = out->map.data;
    out->is_foreign = out->map.bytes < MAGIC_BYTES || memcmp(p, magic, MAGIC_BYTES) != 0;
    if (out->map.bytes >= FIXED_BYTES && !out->is_foreign) {
        out->n = ifn_load_u32le(p + AT_COUNT);
        out->model = (ifn_file_stamp){
            ifn_load_u64le(p + AT_STAMP), ifn_load_u64le(p + AT_STAMP + 8),
            (int64_t)ifn_load_u64le(p + AT_STAMP + 16), (int64_t)ifn_load_u64le(p + AT_STAMP + 24)};
    }
    IFN_TRY(check_head(out, path, err));
    return check_entries(out, path, err);
}

void ifn_cache_file_close(ifn_cache_file *self)
{
    ifn_file_map_close(&self->map);
    *self = (ifn_cache_file){.n = 0};
}

ifn_cache_entry ifn_cache_file_entry(const ifn_cache_file *self, size_t i)
{
    const uint8_t *const p = bytes_of(self) + FIXED_BYTES + i * ENTRY_BYTES;
    ifn_cache_entry e = {.weight = ifn_load_u64le(p + AT_NUMBERS),
                         .offset = ifn_load_u64le(p + AT_NUMBERS + 8),
                         .bytes = ifn_load_u64le(p + AT_NUMBERS + 16),
                         .image = ifn_load_u64le(p + AT_NUMBERS + 24)};
    memcpy(e.name, p, sizeof e.name);
    memcpy(e.layout, p + AT_LAYOUT, sizeof e.layout);
    return e;
}

const void *ifn_cache_file_image(const ifn_cache_file *self, const ifn_cache_entry *entry)
{
    return bytes_of(self) + entry->offset;
}

static void put_entry(const ifn_cache_entry *e, uint8_t *p)
{
    memcpy(p, e->name, sizeof e->name);
    memcpy(p + AT_LAYOUT, e->layout, sizeof e->layout);
    ifn_store_u64le(p + AT_NUMBERS, e->weight);
    ifn_store_u64le(p + AT_NUMBERS + 8, e->offset);
    ifn_store_u64le(p + AT_NUMBERS + 16, e->bytes);
    ifn_store_u64le(p + AT_NUMBERS + 24, e->image);
}

static void put_head(const ifn_file_stamp *model, const ifn_cache_item *items, size_t n,
                     uint64_t bytes, uint8_t *p)
{
    memcpy(p, magic, sizeof magic);
    ifn_store_u32le(p + AT_VERSION, VERSION);
    ifn_store_u32le(p + AT_COUNT, (uint32_t)n);
    ifn_store_u64le(p + AT_BYTES, bytes);
    ifn_store_u64le(p + AT_STAMP, model->bytes);
    ifn_store_u64le(p + AT_STAMP + 8, model->inode);
    ifn_store_u64le(p + AT_STAMP + 16, (uint64_t)model->modified);
    ifn_store_u64le(p + AT_STAMP + 24, (uint64_t)model->changed);
    for (size_t i = 0; i < n; i++)
        put_entry(&items[i].entry, p + FIXED_BYTES + i * ENTRY_BYTES);
    const uint64_t hashed = head_bytes(n) - HASH_BYTES;
    ifn_store_u64le(p + hashed, ifn_hash64(p, hashed, 0));
}

/* Sets each image's offset and hash. Returns the bytes of the file. */
static uint64_t place(ifn_cache_item *items, size_t n)
{
    uint64_t end = head_bytes(n);
    for (size_t i = 0; i < n; i++) {
        ifn_cache_entry *const e = &items[i].entry;
        e->offset = whole_pages(end);
        e->image = ifn_hash64(items[i].image, e->bytes, 0);
        end = e->offset + e->bytes;
    }
    return end;
}

static ifn_status write_all(ifn_file_sink *sink, const uint8_t *head, const ifn_cache_item *items,
                            size_t n, ifn_error *err)
{
    uint64_t at = head_bytes(n);
    IFN_TRY(ifn_file_sink_write(sink, head, at, err));
    for (size_t i = 0; i < n; i++) {
        const ifn_cache_entry *const e = &items[i].entry;
        IFN_TRY(ifn_file_sink_zeros(sink, e->offset - at, err));
        IFN_TRY(ifn_file_sink_write(sink, items[i].image, e->bytes, err));
        at = e->offset + e->bytes;
    }
    return ifn_file_sink_finish(sink, err);
}

static void tell(const ifn_cache_target *target, const char *temporary)
{
    if (target->writes)
        target->writes(target->cookie, temporary);
}

ifn_status ifn_cache_file_write(const ifn_cache_target *target, ifn_cache_item *items, size_t n,
                                const ifn_allocator *alloc, ifn_error *err)
{
    const uint64_t bytes = place(items, n);
    uint8_t *const head = ifn_alloc_zeroed(alloc, head_bytes(n), 1);
    if (!head)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for the table of a cache",
                        ifn_path_label(target->path));
    put_head(target->model, items, n, bytes, head);
    ifn_file_sink sink;
    ifn_status status = ifn_file_sink_init(&sink, target->path, alloc, err);
    tell(target, sink.temporary);
    if (status == IFN_OK)
        status = write_all(&sink, head, items, n, err);
    ifn_file_sink_fini(&sink);
    tell(target, NULL);
    ifn_free_array(alloc, head, head_bytes(n), 1);
    return status;
}
