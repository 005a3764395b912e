/* The metadata half of the writer. It refuses whatever gguf_parse.c would refuse to read. */
#include <inttypes.h>

#include "checked.h"
#include "gguf_writer_priv.h"

static bool is_alignment(ifn_string key)
{
    return key.bytes == strlen(IFN_GGUF_ALIGNMENT_KEY) &&
           memcmp(key.data, IFN_GGUF_ALIGNMENT_KEY, key.bytes) == 0;
}

/* The alignment is given to open. Copying the entries of another file may set it again: it must be the same. */
static ifn_status repeat_alignment(const ifn_gguf_writer *self, uint64_t value, ifn_error *err)
{
    if (value == self->alignment)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_ARGUMENT,
                    IFN_GGUF_ALIGNMENT_KEY ": found %" PRIu64 ", expected %" PRIu32
                                           " as given to open",
                    value, self->alignment);
}

/* Writes key and types of an entry, and makes room for the entry->bytes bytes of its value. */
static ifn_status begin(ifn_gguf_writer *self, const ifn_gguf_kv *entry, ifn_error *err)
{
    const size_t most_header = 8 + 4 + 4 + 8;
    size_t bytes;
    IFN_TRY(ifn_gguf_writer_expect(self, IFN_GGUF_DECLARING, err));
    if (entry->key.bytes == 0)
        return ifn_gguf_writer_misuse(err, "gguf writer", "the key is empty");
    if (is_alignment(entry->key))
        return ifn_gguf_writer_misuse(err, IFN_GGUF_ALIGNMENT_KEY, "is no integer");
    if (entry->bytes > SIZE_MAX || !ifn_add_size(entry->key.bytes, most_header, &bytes) ||
        !ifn_add_size(bytes, (size_t)entry->bytes, &bytes) ||
        !ifn_gguf_list_reserve(self->alloc, &self->entries, bytes) ||
        !ifn_gguf_list_reserve(self->alloc, &self->keys, sizeof(ifn_gguf_span)))
        return ifn_gguf_writer_no_memory(err);
    const ifn_gguf_span at = {self->entries.used + 8, entry->key.bytes};
    ifn_gguf_put_bytes(&self->keys, &at, sizeof at);
    ifn_gguf_put_string(&self->entries, entry->key.data, entry->key.bytes);
    ifn_gguf_put_u32(&self->entries, (uint32_t)entry->type);
    if (entry->type == IFN_GGUF_ARRAY) {
        ifn_gguf_put_u32(&self->entries, (uint32_t)entry->element_type);
        ifn_gguf_put_u64(&self->entries, entry->count);
    }
    self->n_entries++;
    return IFN_OK;
}

static ifn_gguf_kv scalar(const char *key, ifn_gguf_type type, uint64_t bytes)
{
    return (ifn_gguf_kv){
        .key = {key, strlen(key)}, .type = type, .element_type = type, .count = 1, .bytes = bytes};
}

static ifn_gguf_kv array(const char *key, ifn_gguf_type type, uint64_t count, uint64_t bytes)
{
    return (ifn_gguf_kv){.key = {key, strlen(key)},
                         .type = IFN_GGUF_ARRAY,
                         .element_type = type,
                         .count = count,
                         .bytes = bytes};
}

/* Appends the low `bytes` bytes of a number, little endian. */
static void put_number(ifn_gguf_list *l, uint64_t value, uint32_t bytes)
{
    uint8_t raw[8];
    ifn_store_u64le(raw, value);
    ifn_gguf_put_bytes(l, raw, bytes);
}

/* The largest value of an integer type. */
static uint64_t largest(ifn_gguf_type type)
{
    const uint32_t bits = 8 * ifn_gguf_value_bytes(type);
    return UINT64_MAX >> (64 - bits + ifn_gguf_is_signed(type));
}

ifn_status ifn_gguf_writer_put_uint(ifn_gguf_writer *self, const char *key, ifn_gguf_type type,
                                    uint64_t value, ifn_error *err)
{
    const ifn_gguf_kv entry = scalar(key, type, ifn_gguf_value_bytes(type));
    if (!ifn_gguf_is_integer(type))
        return ifn_gguf_writer_misuse(err, key, "the type is no integer");
    if (value > largest(type))
        return ifn_gguf_writer_misuse(err, key, "the value does not fit the type");
    if (is_alignment(entry.key))
        return repeat_alignment(self, value, err);
    IFN_TRY(begin(self, &entry, err));
    put_number(&self->entries, value, (uint32_t)entry.bytes);
    return IFN_OK;
}

ifn_status ifn_gguf_writer_put_float(ifn_gguf_writer *self, const char *key, float value,
                                     ifn_error *err)
{
    const ifn_gguf_kv entry = scalar(key, IFN_GGUF_FLOAT32, sizeof value);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    IFN_TRY(begin(self, &entry, err));
    ifn_gguf_put_u32(&self->entries, bits);
    return IFN_OK;
}

ifn_status ifn_gguf_writer_put_bool(ifn_gguf_writer *self, const char *key, int value,
                                    ifn_error *err)
{
    const ifn_gguf_kv entry = scalar(key, IFN_GGUF_BOOL, 1);
    IFN_TRY(begin(self, &entry, err));
    put_number(&self->entries, value != 0, 1);
    return IFN_OK;
}

/* Computes the bytes of strings with their lengths before them; false on overflow. */
static bool strings_bytes(const ifn_string *strings, uint64_t count, uint64_t *out)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < count; i++)
        if (!ifn_add_u64(total, 8, &total) || !ifn_add_u64(total, strings[i].bytes, &total))
            return false;
    *out = total;
    return true;
}

ifn_status ifn_gguf_writer_put_string(ifn_gguf_writer *self, const char *key, const char *data,
                                      size_t bytes, ifn_error *err)
{
    ifn_gguf_kv entry = scalar(key, IFN_GGUF_STRING, 0);
    if (!strings_bytes(&(ifn_string){data, bytes}, 1, &entry.bytes))
        return ifn_gguf_writer_no_memory(err);
    IFN_TRY(begin(self, &entry, err));
    ifn_gguf_put_string(&self->entries, data, bytes);
    return IFN_OK;
}

ifn_status ifn_gguf_writer_put_strings(ifn_gguf_writer *self, const char *key,
                                       const ifn_string *strings, uint64_t count, ifn_error *err)
{
    ifn_gguf_kv entry = array(key, IFN_GGUF_STRING, count, 0);
    if (!strings_bytes(strings, count, &entry.bytes))
        return ifn_gguf_writer_no_memory(err);
    IFN_TRY(begin(self, &entry, err));
    for (uint64_t i = 0; i < count; i++)
        ifn_gguf_put_string(&self->entries, strings[i].data, strings[i].bytes);
    return IFN_OK;
}

static uint64_t load_native(const uint8_t *p, uint32_t bytes)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1:
        return *p;
    case 2:
        memcpy(&two, p, sizeof two);
        return two;
    case 4:
        memcpy(&four, p, sizeof four);
        return four;
    default:
        memcpy(&eight, p, sizeof eight);
        return eight;
    }
}

ifn_status ifn_gguf_writer_put_array(ifn_gguf_writer *self, const char *key,
                                     ifn_gguf_type element_type, const void *data, uint64_t count,
                                     ifn_error *err)
{
    const uint32_t size = ifn_gguf_value_bytes(element_type);
    const uint8_t *p = data;
    ifn_gguf_kv entry = array(key, element_type, count, 0);
    if (size == 0)
        return ifn_gguf_writer_misuse(err, key, "the elements are no scalars");
    if (!ifn_mul_u64(count, size, &entry.bytes))
        return ifn_gguf_writer_no_memory(err);
    for (uint64_t i = 0; element_type == IFN_GGUF_BOOL && i < count; i++)
        if (p[i] > 1)
            return ifn_gguf_writer_misuse(err, key, "a bool is neither 0 nor 1");
    IFN_TRY(begin(self, &entry, err));
    for (uint64_t i = 0; i < count; i++)
        put_number(&self->entries, load_native(p + i * size, size), size);
    return IFN_OK;
}

/* Puts strings of a version 1 file, whose 4-byte lengths become the 8-byte lengths of version 3. */
static ifn_status put_narrow_strings(ifn_gguf_writer *self, const ifn_gguf_kv *entry,
                                     ifn_error *err)
{
    ifn_gguf_kv wide = *entry;
    uint64_t cursor = 0;
    wide.bytes = entry->bytes + 4 * entry->count;
    IFN_TRY(begin(self, &wide, err));
    for (uint64_t i = 0; i < entry->count; i++) {
        const ifn_string s = ifn_gguf_next_string(NULL, entry, &cursor);
        ifn_gguf_put_string(&self->entries, s.data, s.bytes);
    }
    return IFN_OK;
}

/* True if the entry passes the reader's checks. The caller may have made it up, so it is not trusted. */
static bool is_sound(const ifn_gguf_kv *entry)
{
    const bool is_array = entry->type == IFN_GGUF_ARRAY;
    ifn_gguf_cursor c = {.data = entry->data,
                         .bytes = entry->bytes,
                         .length_bytes = entry->length_bytes,
                         .label = "",
                         .where = {NULL, 0}};
    return ifn_gguf_is_value_type((uint32_t)entry->type) &&
           ifn_gguf_is_value_type((uint32_t)entry->element_type) &&
           (is_array || (entry->element_type == entry->type && entry->count == 1)) &&
           (entry->length_bytes == 4 || entry->length_bytes == 8) &&
           ifn_gguf_skip_values(&c, entry->element_type, entry->count, IFN_GGUF_MAX_DEPTH, NULL) ==
               IFN_OK &&
           c.at == c.bytes;
}

ifn_status ifn_gguf_writer_put_kv(ifn_gguf_writer *self, const ifn_gguf_kv *entry, ifn_error *err)
{
    if (!is_sound(entry))
        return ifn_gguf_writer_misuse(err, "gguf writer", "the entry contradicts itself");
    if (is_alignment(entry->key) && ifn_gguf_is_integer(entry->type))
        return repeat_alignment(self, ifn_gguf_element_uint(entry, 0), err);
    if (entry->length_bytes == 4 && entry->element_type == IFN_GGUF_STRING)
        return put_narrow_strings(self, entry, err);
    if (entry->length_bytes == 4 && entry->element_type == IFN_GGUF_ARRAY)
        return ifn_gguf_writer_misuse(err, "gguf writer", "an array of arrays of a version 1 file");
    IFN_TRY(begin(self, entry, err));
    ifn_gguf_put_bytes(&self->entries, entry->data, (size_t)entry->bytes);
    return IFN_OK;
}
