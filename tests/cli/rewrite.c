#include "rewrite.h"

#include <inferno/gguf.h>
#include <inferno/gguf_writer.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(ifn_status status, const ifn_error *err)
{
    if (status != IFN_OK) {
        fprintf(stderr, "rewrite: %s\n", err->text);
        abort();
    }
}

static int is_key(const ifn_gguf_kv *entry, const char *key)
{
    return key && strlen(key) == entry->key.bytes &&
           memcmp(key, entry->key.data, entry->key.bytes) == 0;
}

static void put_shorter(ifn_gguf_writer *w, const ifn_gguf *gguf, const ifn_gguf_kv *entry,
                        const char *key)
{
    ifn_error err;
    uint64_t cursor = 0;
    ifn_string *strings = calloc(entry->count, sizeof *strings);
    if (!strings)
        abort();
    for (uint64_t i = 0; i + 1 < entry->count; i++)
        strings[i] = ifn_gguf_next_string(gguf, entry, &cursor);
    must(ifn_gguf_writer_put_strings(w, key, strings, entry->count - 1, &err), &err);
    free(strings);
}

static void copy_metadata(ifn_gguf_writer *w, const ifn_gguf *gguf, const rewrite *how)
{
    ifn_error err;
    for (uint64_t i = 0; i < ifn_gguf_n_kv(gguf); i++) {
        const ifn_gguf_kv *entry = ifn_gguf_kv_at(gguf, i);
        if (is_key(entry, how->string_key) || is_key(entry, how->uint_key) ||
            is_key(entry, how->without_key))
            continue;
        if (is_key(entry, how->drop_last_of))
            put_shorter(w, gguf, entry, how->drop_last_of);
        else
            must(ifn_gguf_writer_put_kv(w, entry, &err), &err);
    }
    if (how->string_key)
        must(ifn_gguf_writer_put_string(w, how->string_key, how->string_value,
                                        strlen(how->string_value), &err),
             &err);
    if (how->uint_key)
        must(ifn_gguf_writer_put_uint(w, how->uint_key, IFN_GGUF_UINT32, how->uint_value, &err),
             &err);
}

static void copy_tensor(ifn_gguf_writer *w, const ifn_gguf_tensor *tensor, const rewrite *how)
{
    ifn_error err;
    unsigned char *data = malloc(tensor->bytes);
    if (!data)
        abort();
    memcpy(data, tensor->view.data, tensor->bytes);
    if (how->poison_tensor && strcmp(tensor->view.name, how->poison_tensor) == 0) {
        const float nan = NAN;
        memcpy(data + tensor->bytes - sizeof nan, &nan, sizeof nan);
    }
    must(ifn_gguf_writer_write_data(w, data, tensor->bytes, &err), &err);
    free(data);
}

void rewrite_model(const char *from, const char *to, const rewrite *how)
{
    ifn_error err;
    ifn_gguf *gguf;
    ifn_gguf_writer *w;
    must(ifn_gguf_open(from, NULL, &gguf, &err), &err);
    must(ifn_gguf_writer_open(to, (uint32_t)ifn_gguf_alignment(gguf), NULL, &w, &err), &err);
    copy_metadata(w, gguf, how);
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_tensor *view = &ifn_gguf_tensor_at(gguf, i)->view;
        must(ifn_gguf_writer_declare_tensor(w, view->name, view->dtype, view->n_dims, view->shape,
                                            &err),
             &err);
    }
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++)
        copy_tensor(w, ifn_gguf_tensor_at(gguf, i), how);
    must(ifn_gguf_writer_finish(w, &err), &err);
    ifn_gguf_writer_close(w);
    ifn_gguf_close(gguf);
}
