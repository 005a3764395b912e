#include "walk.h"

#include <stdlib.h>
#include <string.h>

static uint64_t sum_bytes(const void *data, uint64_t bytes)
{
    const uint8_t *p = data;
    uint64_t sum = bytes;
    for (uint64_t i = 0; i < bytes; i++)
        sum = sum * 31 + p[i];
    return sum;
}

static uint64_t sum_numbers(const ifn_gguf_kv *entry)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < entry->count; i++) {
        const double f = ifn_gguf_element_float(entry, i);
        sum +=
            ifn_gguf_element_uint(entry, i) + (uint64_t)ifn_gguf_element_int(entry, i) + (f > 0.0);
    }
    return sum;
}

static uint64_t sum_strings(const ifn_gguf *gguf, const ifn_gguf_kv *entry)
{
    uint64_t sum = 0, cursor = 0;
    for (uint64_t i = 0; i < entry->count; i++) {
        const ifn_string s = ifn_gguf_next_string(gguf, entry, &cursor);
        sum += sum_bytes(s.data, s.bytes);
    }
    return sum + cursor;
}

/* A key that contains NUL cannot be looked up, so it counts as found. */
static bool is_found(const ifn_gguf *gguf, const ifn_gguf_kv *entry)
{
    if (memchr(entry->key.data, '\0', entry->key.bytes))
        return true;
    char *key = malloc(entry->key.bytes + 1);
    if (!key)
        abort();
    memcpy(key, entry->key.data, entry->key.bytes);
    key[entry->key.bytes] = '\0';
    const bool found = ifn_gguf_find(gguf, key) == entry;
    free(key);
    return found;
}

static bool walk_entry(const ifn_gguf *gguf, const ifn_gguf_kv *entry, uint64_t *sum)
{
    *sum += sum_bytes(entry->key.data, entry->key.bytes) + sum_bytes(entry->data, entry->bytes);
    if (entry->element_type == IFN_GGUF_STRING)
        *sum += sum_strings(gguf, entry);
    else if (entry->element_type != IFN_GGUF_ARRAY)
        *sum += sum_numbers(entry);
    return is_found(gguf, entry);
}

bool walk_everything(const ifn_gguf *gguf, uint64_t *sum)
{
    bool all_found = true;
    *sum = ifn_gguf_data_offset(gguf) + (ifn_gguf_first_nested_array(gguf) != NULL);
    for (uint64_t i = 0; i < ifn_gguf_n_kv(gguf); i++)
        all_found &= walk_entry(gguf, ifn_gguf_kv_at(gguf, i), sum);
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_gguf_tensor *t = ifn_gguf_tensor_at(gguf, i);
        *sum += sum_bytes(t->view.data, t->bytes) + strlen(t->type_name);
        all_found &= ifn_gguf_find_tensor(gguf, t->view.name) == t;
    }
    return all_found;
}
