#include "imatrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/gguf.h>

#include "text.h"

static ifn_status no_memory(const char *path, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for an importance matrix", path);
}

/* Appends an entry with a name and room for n values. */
static ifn_status add(imatrix *self, const char *path, const char *name, size_t name_bytes,
                      size_t n, imatrix_entry **out, ifn_error *err)
{
    imatrix_entry *const grown = realloc(self->entries, (self->n + 1) * sizeof *grown);
    if (!grown)
        return no_memory(path, err);
    self->entries = grown;
    imatrix_entry *const e = &grown[self->n];
    *e = (imatrix_entry){
        .name = calloc(name_bytes + 1, 1), .values = malloc(n * sizeof(float) + 1), .n = n};
    self->n++;
    if (!e->name || !e->values)
        return no_memory(path, err);
    memcpy(e->name, name, name_bytes);
    *out = e;
    return IFN_OK;
}

static ifn_status check_values(const imatrix_entry *e, const char *path, ifn_error *err)
{
    for (size_t i = 0; i < e->n; i++)
        if (!(e->values[i] >= 0.0f) || isinf(e->values[i]))
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s: %.80s: found %g for column %zu, expected a number from 0 on", path,
                            e->name, (double)e->values[i], i);
    return IFN_OK;
}

static float float_at(const void *data, size_t i)
{
    float value;
    memcpy(&value, (const char *)data + i * sizeof value, sizeof value);
    return value;
}

/* --- GGUF --- */

/* Adds the entry of a tensor: divides the sums of each matrix by its count. */
static ifn_status add_sums(imatrix *self, const char *path, const ifn_gguf_tensor *sums,
                           const ifn_gguf_tensor *counts, size_t name_bytes, ifn_error *err)
{
    const char *const name = sums->view.name;
    const size_t n = (size_t)(sums->bytes / sizeof(float)),
                 n_counts = counts ? (size_t)(counts->bytes / sizeof(float)) : 0;
    imatrix_entry *e = NULL;
    if (!counts || !sums->known || !counts->known || sums->view.dtype != IFN_DTYPE_F32 ||
        counts->view.dtype != IFN_DTYPE_F32 || n_counts == 0 || n % n_counts != 0)
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%s: %.80s: found no F32 counts that fit, expected one for each matrix",
                        path, name);
    IFN_TRY(add(self, path, name, name_bytes, n, &e, err));
    for (size_t i = 0; i < n; i++) {
        const float count = float_at(counts->view.data, i / (n / n_counts));
        e->values[i] = count > 0.0f ? float_at(sums->view.data, i) / count : 1.0f;
    }
    return check_values(e, path, err);
}

static ifn_status read_facts(imatrix *self, const ifn_gguf *gguf, ifn_error *err)
{
    const ifn_gguf_kv *const sets = ifn_gguf_find(gguf, "imatrix.datasets");
    if (ifn_gguf_find(gguf, "imatrix.chunk_count")) {
        uint64_t n;
        IFN_TRY(ifn_gguf_get_uint(gguf, "imatrix.chunk_count", INT32_MAX, &n, err));
        self->n_chunks = (int64_t)n;
    }
    if (sets && sets->element_type == IFN_GGUF_STRING && sets->count > 0) {
        uint64_t cursor = 0;
        const ifn_string first = ifn_gguf_next_string(gguf, sets, &cursor);
        const size_t bytes =
            first.bytes < sizeof self->dataset - 1 ? first.bytes : sizeof self->dataset - 1;
        memcpy(self->dataset, first.data, bytes);
    }
    return IFN_OK;
}

static ifn_status read_gguf(imatrix *self, const char *path, const ifn_gguf *gguf, ifn_error *err)
{
    static const char ending[] = ".in_sum2";
    IFN_TRY(read_facts(self, gguf, err));
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_gguf_tensor *const t = ifn_gguf_tensor_at(gguf, i);
        const size_t bytes = strlen(t->view.name);
        char counts[256];
        if (bytes < sizeof ending || strcmp(t->view.name + bytes - strlen(ending), ending) != 0)
            continue;
        const size_t name_bytes = bytes - strlen(ending);
        snprintf(counts, sizeof counts, "%.*s.counts", (int)name_bytes, t->view.name);
        IFN_TRY(add_sums(self, path, t, ifn_gguf_find_tensor(gguf, counts), name_bytes, err));
    }
    return IFN_OK;
}

/* --- the older format of llama.cpp --- */

typedef struct bytes_left {
    const char *path, *start, *at;
    size_t n;
} bytes_left;

static ifn_status take_int(bytes_left *b, const char *what, int32_t least, int32_t *out,
                           ifn_error *err)
{
    unsigned char raw[4];
    if (b->n < sizeof raw)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: found its end at byte %zu, expected %s", b->path,
                        (size_t)(b->at - b->start), what);
    memcpy(raw, b->at, sizeof raw);
    *out = (int32_t)((uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 |
                     (uint32_t)raw[3] << 24);
    if (*out < least)
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%s: byte %zu: found %" PRId32 " for %s, expected %" PRId32 " or more",
                        b->path, (size_t)(b->at - b->start), *out, what, least);
    b->at += sizeof raw;
    b->n -= sizeof raw;
    return IFN_OK;
}

static ifn_status take_bytes(bytes_left *b, const char *what, size_t bytes, const char **out,
                             ifn_error *err)
{
    if (b->n < bytes)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: byte %zu: found %zu bytes, expected %zu of %s",
                        b->path, (size_t)(b->at - b->start), b->n, bytes, what);
    *out = b->at;
    b->at += bytes;
    b->n -= bytes;
    return IFN_OK;
}

static ifn_status take_entry(imatrix *self, bytes_left *b, ifn_error *err)
{
    int32_t name_bytes = 0, calls = 0, n = 0;
    const char *name = NULL, *values = NULL;
    imatrix_entry *e = NULL;
    IFN_TRY(take_int(b, "the length of a name", 1, &name_bytes, err));
    IFN_TRY(take_bytes(b, "a name", (size_t)name_bytes, &name, err));
    IFN_TRY(take_int(b, "a number of calls", 0, &calls, err));
    IFN_TRY(take_int(b, "a number of values", 1, &n, err));
    IFN_TRY(take_bytes(b, "values", (size_t)n * sizeof(float), &values, err));
    IFN_TRY(add(self, b->path, name, (size_t)name_bytes, (size_t)n, &e, err));
    for (int32_t i = 0; i < n; i++)
        e->values[i] = float_at(values, (size_t)i) / (float)(calls > 0 ? calls : 1);
    return check_values(e, b->path, err);
}

static ifn_status take_end(imatrix *self, bytes_left *b, ifn_error *err)
{
    int32_t n_chunks = 0, bytes = 0;
    const char *name = NULL;
    if (b->n == 0)
        return IFN_OK;
    IFN_TRY(take_int(b, "a number of chunks", 0, &n_chunks, err));
    self->n_chunks = n_chunks;
    if (b->n == 0)
        return IFN_OK;
    IFN_TRY(take_int(b, "the length of a name", 0, &bytes, err));
    IFN_TRY(take_bytes(b, "the name of a text", (size_t)bytes, &name, err));
    snprintf(self->dataset, sizeof self->dataset, "%.*s", (int)bytes, name);
    return b->n == 0 ? IFN_OK
                     : ifn_fail(err, IFN_ERR_FORMAT, "%s: found %zu bytes more, expected its end",
                                b->path, b->n);
}

static ifn_status read_legacy(imatrix *self, bytes_left b, ifn_error *err)
{
    int32_t n = 0;
    IFN_TRY(take_int(&b, "a number of entries", 1, &n, err));
    for (int32_t i = 0; i < n; i++)
        IFN_TRY(take_entry(self, &b, err));
    return take_end(self, &b, err);
}

static ifn_status read_any(imatrix *self, const char *path, const text *file, ifn_error *err)
{
    if (file->bytes < 4 || memcmp(file->data, "GGUF", 4) != 0)
        return read_legacy(self, (bytes_left){path, file->data, file->data, file->bytes}, err);
    ifn_gguf *gguf;
    IFN_TRY(ifn_gguf_open_memory(path, file->data, file->bytes, NULL, &gguf, err));
    const ifn_status status = read_gguf(self, path, gguf, err);
    ifn_gguf_close(gguf);
    return status;
}

ifn_status imatrix_open(imatrix *self, const char *path, ifn_error *err)
{
    text file = {0};
    *self = (imatrix){0};
    ifn_status status = text_read(&file, path, err);
    if (status == IFN_OK)
        status = read_any(self, path, &file, err);
    if (status == IFN_OK && self->n == 0)
        status = ifn_fail(err, IFN_ERR_FORMAT,
                          "%s: found no tensors, expected an importance matrix", path);
    text_free(&file);
    return status;
}

void imatrix_close(imatrix *self)
{
    for (size_t i = 0; i < self->n; i++) {
        free(self->entries[i].name);
        free(self->entries[i].values);
    }
    free(self->entries);
    *self = (imatrix){0};
}

const imatrix_entry *imatrix_find(const imatrix *self, const char *tensor)
{
    for (size_t i = 0; i < self->n; i++)
        if (strcmp(self->entries[i].name, tensor) == 0)
            return &self->entries[i];
    return NULL;
}
