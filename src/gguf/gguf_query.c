/* Looks up entries by index or key and values by type; messages name file and key. */
#include <inferno/gguf.h>
#include <stdbool.h>

#include <inttypes.h>
#include <stdio.h>

#include "bytes.h"
#include "gguf_priv.h"

uint64_t ifn_gguf_n_kv(const ifn_gguf *self)
{
    return self->n_entries;
}

const ifn_gguf_kv *ifn_gguf_kv_at(const ifn_gguf *self, uint64_t index)
{
    return index < self->n_entries ? &self->entries[index] : NULL;
}

uint64_t ifn_gguf_n_tensors(const ifn_gguf *self)
{
    return self->n_tensors;
}

const ifn_gguf_tensor *ifn_gguf_tensor_at(const ifn_gguf *self, uint64_t index)
{
    return index < self->n_tensors ? &self->tensors[index] : NULL;
}

const ifn_gguf_kv *ifn_gguf_first_nested_array(const ifn_gguf *self)
{
    for (size_t i = 0; i < self->n_entries; i++)
        if (self->entries[i].type == IFN_GGUF_ARRAY &&
            self->entries[i].element_type == IFN_GGUF_ARRAY)
            return &self->entries[i];
    return NULL;
}

static ifn_status wrong_type(const ifn_gguf *self, const char *key, const ifn_gguf_kv *entry,
                             const char *expected, ifn_error *err)
{
    const char *label = ifn_path_label(self->path);
    if (!entry)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: found nothing, expected %s", label, key,
                        expected);
    const bool is_array = entry->type == IFN_GGUF_ARRAY;
    return ifn_fail_at(err, IFN_ERR_FORMAT, entry->offset, "%s: %s: found %s%s, expected %s", label,
                       key, is_array ? "array of " : "",
                       ifn_gguf_type_name(is_array ? entry->element_type : entry->type), expected);
}

ifn_status ifn_gguf_get_uint(const ifn_gguf *self, const char *key, uint64_t max, uint64_t *out,
                             ifn_error *err)
{
    const ifn_gguf_kv *entry = ifn_gguf_find(self, key);
    if (!entry || !ifn_gguf_is_integer(entry->type))
        return wrong_type(self, key, entry, "an unsigned integer", err);
    const uint64_t value = ifn_gguf_element_uint(entry, 0);
    const int negative = ifn_gguf_is_signed(entry->type) && ifn_gguf_element_int(entry, 0) < 0;
    if (negative)
        return ifn_fail_at(err, IFN_ERR_FORMAT, entry->offset,
                           "%s: %s: found %" PRId64 ", expected 0 to %" PRIu64,
                           ifn_path_label(self->path), key, ifn_gguf_element_int(entry, 0), max);
    if (value > max)
        return ifn_fail_at(err, IFN_ERR_FORMAT, entry->offset,
                           "%s: %s: found %" PRIu64 ", expected 0 to %" PRIu64,
                           ifn_path_label(self->path), key, value, max);
    *out = value;
    return IFN_OK;
}

ifn_status ifn_gguf_get_float(const ifn_gguf *self, const char *key, double *out, ifn_error *err)
{
    const ifn_gguf_kv *entry = ifn_gguf_find(self, key);
    if (!entry || (entry->type != IFN_GGUF_FLOAT32 && entry->type != IFN_GGUF_FLOAT64))
        return wrong_type(self, key, entry, "f32 or f64", err);
    *out = ifn_gguf_element_float(entry, 0);
    return IFN_OK;
}

ifn_status ifn_gguf_get_bool(const ifn_gguf *self, const char *key, int *out, ifn_error *err)
{
    const ifn_gguf_kv *entry = ifn_gguf_find(self, key);
    if (!entry || entry->type != IFN_GGUF_BOOL)
        return wrong_type(self, key, entry, "bool", err);
    *out = ifn_gguf_element_uint(entry, 0) != 0;
    return IFN_OK;
}

ifn_status ifn_gguf_get_string(const ifn_gguf *self, const char *key, ifn_string *out,
                               ifn_error *err)
{
    const ifn_gguf_kv *entry = ifn_gguf_find(self, key);
    uint64_t cursor = 0;
    if (!entry || entry->type != IFN_GGUF_STRING)
        return wrong_type(self, key, entry, "string", err);
    *out = ifn_gguf_next_string(self, entry, &cursor);
    return IFN_OK;
}

ifn_status ifn_gguf_get_array(const ifn_gguf *self, const char *key, ifn_gguf_type element_type,
                              const ifn_gguf_kv **out, ifn_error *err)
{
    char expected[32];
    const ifn_gguf_kv *entry = ifn_gguf_find(self, key);
    if (!entry || entry->type != IFN_GGUF_ARRAY || entry->element_type != element_type) {
        snprintf(expected, sizeof expected, "array of %s", ifn_gguf_type_name(element_type));
        return wrong_type(self, key, entry, expected, err);
    }
    *out = entry;
    return IFN_OK;
}

static const uint8_t *element(const ifn_gguf_kv *entry, uint64_t index)
{
    return (const uint8_t *)entry->data + index * ifn_gguf_value_bytes(entry->element_type);
}

uint64_t ifn_gguf_element_uint(const ifn_gguf_kv *entry, uint64_t index)
{
    const uint8_t *p = element(entry, index);
    switch (entry->element_type) {
    case IFN_GGUF_BOOL:
    case IFN_GGUF_UINT8:
        return *p;
    case IFN_GGUF_UINT16:
        return ifn_load_u16le(p);
    case IFN_GGUF_UINT32:
        return ifn_load_u32le(p);
    case IFN_GGUF_UINT64:
        return ifn_load_u64le(p);
    default:
        return ifn_gguf_is_signed(entry->element_type)
                   ? (uint64_t)ifn_gguf_element_int(entry, index)
                   : 0;
    }
}

int64_t ifn_gguf_element_int(const ifn_gguf_kv *entry, uint64_t index)
{
    const uint8_t *p = element(entry, index);
    switch (entry->element_type) {
    case IFN_GGUF_INT8:
        return (int8_t)*p;
    case IFN_GGUF_INT16:
        return (int16_t)ifn_load_u16le(p);
    case IFN_GGUF_INT32:
        return (int32_t)ifn_load_u32le(p);
    case IFN_GGUF_INT64:
        return (int64_t)ifn_load_u64le(p);
    default:
        return (int64_t)ifn_gguf_element_uint(entry, index);
    }
}

double ifn_gguf_element_float(const ifn_gguf_kv *entry, uint64_t index)
{
    const uint8_t *p = element(entry, index);
    if (entry->element_type == IFN_GGUF_FLOAT32)
        return (double)ifn_load_f32le(p);
    if (entry->element_type == IFN_GGUF_FLOAT64)
        return ifn_load_f64le(p);
    if (ifn_gguf_is_signed(entry->element_type))
        return (double)ifn_gguf_element_int(entry, index);
    return (double)ifn_gguf_element_uint(entry, index);
}

/* Parsing has checked every length, so it is enough to keep the cursor inside the value. */
ifn_string ifn_gguf_next_string(const ifn_gguf *self, const ifn_gguf_kv *entry, uint64_t *cursor)
{
    (void)self;
    if (entry->element_type != IFN_GGUF_STRING || *cursor >= entry->bytes)
        return (ifn_string){"", 0};
    const uint8_t *p = (const uint8_t *)entry->data + *cursor;
    const uint64_t bytes = entry->length_bytes == 4 ? ifn_load_u32le(p) : ifn_load_u64le(p);
    *cursor += entry->length_bytes + bytes;
    return (ifn_string){(const char *)p + entry->length_bytes, (size_t)bytes};
}
