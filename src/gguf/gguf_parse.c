/*
 * The grammar of a GGUF file, all numbers little endian:
 *
 *   file    = magic version n_tensors n_entries entry* tensor* pad data
 *   magic   = "GGUF"                    version = u32: 1, 2 or 3
 *   entry      = key:string type:u32 value
 *   value   = scalar | string | array   as IFN_GGUF_VALUE_TYPES says; bool is 0 or 1
 *   array   = type:u32 count value*     arrays of arrays are read through, and then refused
 *   string  = count byte*
 *   tensor  = name:string n_dims:u32 dim* type:u32 offset:u64
 *   count, dim, n_tensors, n_entries = u32 in version 1, u64 later
 *
 * pad goes up to the next multiple of the alignment, and is missing if there is no tensor. Dims are
 * listed fastest first; n_dims 0 is a single number. An offset counts from the start of the data and
 * is a multiple of the alignment. Data of two tensors must not overlap; any order and gaps are allowed.
 * Bytes after the last tensor are ignored.
 *
 * A table is allocated only after its count has been checked against the bytes that are left, so no
 * file can make the parser allocate more than a small multiple of the file's size.
 */
#include "gguf_priv.h"

#include <inttypes.h>
#include <string.h>

#include "alloc_priv.h"
#include "bytes.h"
#include "checked.h"

/* True if the version is 1, 2 or 3 in big-endian byte order. */
static bool looks_swapped(uint32_t version)
{
    return version != 0 && (version & 0xffffff) == 0 && version >> 24 <= 3;
}

static ifn_status parse_magic(ifn_gguf *self, ifn_gguf_cursor *c, ifn_error *err)
{
    const uint8_t *magic;
    IFN_TRY(ifn_gguf_take(c, 4, "the magic", &magic, err));
    if (memcmp(magic, "GGUF", 4) != 0)
        return ifn_gguf_fail(c, err, 0, "magic: found %02x %02x %02x %02x, expected GGUF", magic[0],
                             magic[1], magic[2], magic[3]);
    IFN_TRY(ifn_gguf_take_u32(c, "a version", &self->version, err));
    if (looks_swapped(self->version))
        return ifn_fail_at(err, IFN_ERR_UNSUPPORTED, 4,
                           "%s: found a big-endian file, expected a little-endian one", c->label);
    if (self->version < 1 || self->version > 3)
        return ifn_fail_at(err, IFN_ERR_UNSUPPORTED, 4,
                           "%s: version: found %" PRIu32 ", expected 1, 2 or 3", c->label,
                           self->version);
    c->length_bytes = self->version == 1 ? 4 : 8;
    return IFN_OK;
}

/* Refuses a count whose entries, at their smallest, would not fit into the rest of the file. */
static ifn_status check_count(const ifn_gguf_cursor *c, uint64_t count, uint64_t entry_bytes,
                              const char *what, ifn_error *err)
{
    const uint64_t most = (c->bytes - c->at) / entry_bytes;
    if (count > most)
        return ifn_gguf_fail(c, err, c->at,
                             "%s: found %" PRIu64 ", expected at most %" PRIu64
                             " in a file of %" PRIu64 " bytes",
                             what, count, most, c->bytes);
    return IFN_OK;
}

static ifn_status no_memory(const ifn_gguf_cursor *c, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", c->label);
}

static ifn_status parse_entry(ifn_gguf_cursor *c, ifn_gguf_kv *entry, ifn_error *err)
{
    const uint64_t start = c->at;
    c->where = (ifn_string){NULL, 0};
    IFN_TRY(ifn_gguf_take_string(c, "a key", &entry->key, err));
    if (entry->key.bytes == 0)
        return ifn_gguf_fail(c, err, start, "key: found an empty one at byte %" PRIu64, start);
    c->where = entry->key;
    IFN_TRY(ifn_gguf_take_type(c, &entry->type, err));
    entry->element_type = entry->type;
    entry->count = 1;
    if (entry->type == IFN_GGUF_ARRAY) {
        IFN_TRY(ifn_gguf_take_type(c, &entry->element_type, err));
        IFN_TRY(ifn_gguf_take_length(c, "an array count", &entry->count, err));
    }
    entry->data = c->data + c->at;
    entry->offset = c->at;
    entry->length_bytes = c->length_bytes;
    IFN_TRY(ifn_gguf_skip_values(c, entry->element_type, entry->count, IFN_GGUF_MAX_DEPTH, err));
    entry->bytes = c->at - entry->offset;
    return IFN_OK;
}

static ifn_string key_of(const void *table, size_t i)
{
    return ((const ifn_gguf_kv *)table)[i].key;
}

static ifn_status parse_entries(ifn_gguf *self, ifn_gguf_cursor *c, uint64_t n, ifn_error *err)
{
    /* the smallest entry: a key of one byte and a value of one byte */
    IFN_TRY(check_count(c, n, c->length_bytes + 1 + 4 + 1, "n_entries", err));
    self->n_entries = (size_t)n;
    self->entries = ifn_alloc_zeroed(self->alloc, self->n_entries, sizeof *self->entries);
    self->key_order = ifn_alloc_array(self->alloc, self->n_entries, sizeof *self->key_order);
    if (!self->entries || !self->key_order)
        return no_memory(c, err);
    for (size_t i = 0; i < self->n_entries; i++)
        IFN_TRY(parse_entry(c, &self->entries[i], err));
    ifn_gguf_sort_names(self->key_order, self->n_entries, key_of, self->entries);
    const size_t twice =
        ifn_gguf_find_repeated(self->key_order, self->n_entries, key_of, self->entries);
    c->where = (ifn_string){NULL, 0};
    if (twice < self->n_entries) {
        c->where = self->entries[twice].key;
        return ifn_gguf_fail(c, err, self->entries[twice].offset,
                             "key: found twice, expected once");
    }
    return IFN_OK;
}

const ifn_gguf_kv *ifn_gguf_find(const ifn_gguf *self, const char *key)
{
    const size_t i =
        ifn_gguf_find_name(self->key_order, self->n_entries, key_of, self->entries, key);
    return i < self->n_entries ? &self->entries[i] : NULL;
}

/* Reads the alignment: a u32 and a power of two, as other GGUF loaders require. */
static ifn_status parse_alignment(ifn_gguf *self, ifn_gguf_cursor *c, ifn_error *err)
{
    const ifn_gguf_kv *entry = ifn_gguf_find(self, IFN_GGUF_ALIGNMENT_KEY);
    self->alignment = IFN_GGUF_DEFAULT_ALIGNMENT;
    if (!entry)
        return IFN_OK;
    if (entry->type != IFN_GGUF_UINT32)
        return ifn_gguf_fail(c, err, entry->offset,
                             IFN_GGUF_ALIGNMENT_KEY ": found %s, expected u32",
                             ifn_gguf_type_name(entry->type));
    self->alignment = ifn_load_u32le(entry->data);
    if (self->alignment == 0 || (self->alignment & (self->alignment - 1)) != 0)
        return ifn_gguf_fail(c, err, entry->offset,
                             IFN_GGUF_ALIGNMENT_KEY ": found %" PRIu64 ", expected a power of two",
                             self->alignment);
    return IFN_OK;
}

/* Reads a tensor's name into `slot`. Messages quote this copy, as it is terminated. */
static ifn_status parse_name(ifn_gguf_cursor *c, char slot[IFN_GGUF_NAME_BYTES], ifn_error *err)
{
    const uint64_t start = c->at;
    ifn_string name;
    c->where = (ifn_string){NULL, 0};
    IFN_TRY(ifn_gguf_take_string(c, "a tensor name", &name, err));
    if (name.bytes >= IFN_GGUF_NAME_BYTES)
        return ifn_gguf_fail(c, err, start, "tensor name: found %zu bytes, expected at most %d",
                             name.bytes, IFN_GGUF_NAME_BYTES - 1);
    c->where = name;
    if (name.bytes && memchr(name.data, '\0', name.bytes))
        return ifn_gguf_fail(c, err, start, "tensor name: found a NUL inside it");
    memset(slot, 0, IFN_GGUF_NAME_BYTES);
    if (name.bytes)
        memcpy(slot, name.data, name.bytes);
    return IFN_OK;
}

/* Reads the dims: the file lists the fastest first, a view lists it last. */
static ifn_status parse_dims(ifn_gguf_cursor *c, ifn_tensor *view, ifn_error *err)
{
    uint32_t n_dims;
    IFN_TRY(ifn_gguf_take_u32(c, "n_dims", &n_dims, err));
    if (n_dims > IFN_MAX_DIMS)
        return ifn_gguf_fail(c, err, c->at - sizeof n_dims,
                             "n_dims: found %" PRIu32 ", expected at most %d", n_dims,
                             IFN_MAX_DIMS);
    view->n_dims = n_dims == 0 ? 1 : (int32_t)n_dims;
    view->shape[0] = 1;
    for (uint32_t i = n_dims; i-- > 0;) {
        uint64_t dim;
        IFN_TRY(ifn_gguf_take_length(c, "a dimension", &dim, err));
        if (dim > INT64_MAX)
            return ifn_gguf_fail(c, err, c->at - c->length_bytes,
                                 "dimension: found %" PRIu64 ", expected at most %" PRId64, dim,
                                 INT64_MAX);
        view->shape[i] = (int64_t)dim;
    }
    return IFN_OK;
}

static ifn_status measure(const ifn_gguf_cursor *c, ifn_gguf_tensor *t,
                          const ifn_gguf_tensor_type *type, ifn_error *err)
{
    const int64_t cols = t->view.shape[t->view.n_dims - 1];
    int64_t rows = 1, elements;
    for (int32_t i = 0; i + 1 < t->view.n_dims; i++)
        if (!ifn_mul_i64(rows, t->view.shape[i], &rows))
            return ifn_gguf_fail(c, err, c->at, "shape: more elements than 64 bits count");
    if (cols % type->block_elements != 0)
        return ifn_gguf_fail(c, err, c->at,
                             "row length: found %" PRId64 ", expected a multiple of %" PRId64
                             " for %s",
                             cols, type->block_elements, type->name);
    if (!ifn_mul_i64(rows, cols, &elements) || !ifn_gguf_tensor_bytes(type, cols, rows, &t->bytes))
        return ifn_gguf_fail(c, err, c->at, "shape: more bytes than 64 bits count");
    return IFN_OK;
}

/* Leaves the offset relative to the data, as stored; place_tensor makes it relative to the file. */
static ifn_status parse_tensor(ifn_gguf_cursor *c, ifn_gguf_tensor *t,
                               char slot[IFN_GGUF_NAME_BYTES], ifn_error *err)
{
    ifn_gguf_tensor_type type;
    IFN_TRY(parse_name(c, slot, err));
    t->view.name = slot;
    IFN_TRY(parse_dims(c, &t->view, err));
    IFN_TRY(ifn_gguf_take_u32(c, "a tensor type", &t->gguf_type, err));
    if (!ifn_gguf_find_tensor_type(t->gguf_type, &type))
        return ifn_gguf_fail(c, err, c->at - sizeof t->gguf_type,
                             "tensor type: found %" PRIu32 ", which is unknown or withdrawn",
                             t->gguf_type);
    t->known = type.known;
    t->type_name = type.name;
    t->view.dtype = type.dtype;
    IFN_TRY(measure(c, t, &type, err));
    return ifn_gguf_take_u64(c, "a tensor offset", &t->offset, err);
}

static ifn_string tensor_name_of(const void *table, size_t i)
{
    const char *name = ((const ifn_gguf_tensor *)table)[i].view.name;
    return (ifn_string){name, strlen(name)};
}

static ifn_status parse_tensors(ifn_gguf *self, ifn_gguf_cursor *c, uint64_t n, ifn_error *err)
{
    /* the smallest tensor entry: an empty name and no dimension */
    IFN_TRY(check_count(c, n, c->length_bytes + 4 + 4 + 8, "n_tensors", err));
    self->n_tensors = (size_t)n;
    self->tensors = ifn_alloc_zeroed(self->alloc, self->n_tensors, sizeof *self->tensors);
    self->name_order = ifn_alloc_array(self->alloc, self->n_tensors, sizeof *self->name_order);
    self->names = ifn_alloc_array(self->alloc, self->n_tensors, sizeof *self->names);
    if (!self->tensors || !self->name_order || !self->names)
        return no_memory(c, err);
    for (size_t i = 0; i < self->n_tensors; i++)
        IFN_TRY(parse_tensor(c, &self->tensors[i], self->names[i], err));
    return IFN_OK;
}

const ifn_gguf_tensor *ifn_gguf_find_tensor(const ifn_gguf *self, const char *name)
{
    const size_t i =
        ifn_gguf_find_name(self->name_order, self->n_tensors, tensor_name_of, self->tensors, name);
    return i < self->n_tensors ? &self->tensors[i] : NULL;
}

static ifn_status place_tensor(const ifn_gguf *self, ifn_gguf_cursor *c, ifn_gguf_tensor *t,
                               ifn_error *err)
{
    uint64_t begin, end;
    c->where = (ifn_string){t->view.name, strlen(t->view.name)};
    if (t->offset % self->alignment != 0)
        return ifn_gguf_fail(c, err, IFN_NO_OFFSET,
                             "offset: found %" PRIu64 ", expected a multiple of %" PRIu64,
                             t->offset, self->alignment);
    if (!ifn_add_u64(self->data_offset, t->offset, &begin) || !ifn_add_u64(begin, t->bytes, &end) ||
        end > self->bytes)
        return ifn_gguf_fail(c, err, self->bytes,
                             "data: found %" PRIu64 " bytes from data offset %" PRIu64
                             ", expected them inside the file of %" PRIu64,
                             t->bytes, t->offset, self->bytes);
    t->offset = begin;
    t->view.data = self->data + begin;
    return IFN_OK;
}

static bool offset_less(const void *table, size_t a, size_t b)
{
    const ifn_gguf_tensor *t = table;
    return t[a].offset < t[b].offset;
}

/* Refuses tensors whose data overlap. `order` is scratch for n_tensors indices. */
static ifn_status check_overlap(const ifn_gguf *self, size_t *order, ifn_gguf_cursor *c,
                                ifn_error *err)
{
    const ifn_gguf_tensor *before = NULL;
    ifn_gguf_sort(order, self->n_tensors, offset_less, self->tensors);
    for (size_t i = 0; i < self->n_tensors; i++) {
        const ifn_gguf_tensor *t = &self->tensors[order[i]];
        if (t->bytes == 0)
            continue;
        c->where = (ifn_string){t->view.name, strlen(t->view.name)};
        if (before && t->offset < before->offset + before->bytes)
            return ifn_gguf_fail(c, err, t->offset, "data overlaps that of %s", before->view.name);
        before = t;
    }
    return IFN_OK;
}

static ifn_status place_tensors(ifn_gguf *self, ifn_gguf_cursor *c, ifn_error *err)
{
    const uint64_t beyond = c->at % self->alignment;
    /* a file without tensors ends with its metadata, without padding */
    const uint64_t pad = self->n_tensors > 0 && beyond > 0 ? self->alignment - beyond : 0;
    if (!ifn_add_u64(c->at, pad, &self->data_offset))
        return ifn_gguf_fail(c, err, c->at, "data: begins past the end of every possible file");
    for (size_t i = 0; i < self->n_tensors; i++)
        IFN_TRY(place_tensor(self, c, &self->tensors[i], err));
    IFN_TRY(check_overlap(self, self->name_order, c, err));
    ifn_gguf_sort_names(self->name_order, self->n_tensors, tensor_name_of, self->tensors);
    const size_t twice =
        ifn_gguf_find_repeated(self->name_order, self->n_tensors, tensor_name_of, self->tensors);
    if (twice < self->n_tensors)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: tensor name found twice, expected once",
                        c->label, self->names[twice]);
    return IFN_OK;
}

ifn_status ifn_gguf_parse(ifn_gguf *self, ifn_error *err)
{
    ifn_gguf_cursor c = {
        .data = self->data, .bytes = self->bytes, .label = ifn_path_label(self->path)};
    uint64_t n_tensors, n_entries;
    IFN_TRY(parse_magic(self, &c, err));
    IFN_TRY(ifn_gguf_take_length(&c, "n_tensors", &n_tensors, err));
    IFN_TRY(ifn_gguf_take_length(&c, "n_entries", &n_entries, err));
    /* checked before the metadata is read, so that an absurd header is refused at once */
    IFN_TRY(check_count(&c, n_tensors, c.length_bytes + 4 + 4 + 8, "n_tensors", err));
    IFN_TRY(parse_entries(self, &c, n_entries, err));
    IFN_TRY(parse_alignment(self, &c, err));
    IFN_TRY(parse_tensors(self, &c, n_tensors, err));
    return place_tensors(self, &c, err);
}
