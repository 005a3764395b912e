/* The writer's internals, shared by gguf_writer.c and gguf_writer_entries.c. */
#ifndef IFN_GGUF_WRITER_PRIV_H
#define IFN_GGUF_WRITER_PRIV_H

#include <inferno/gguf_writer.h>

#include <string.h>

#include "bytes.h"
#include "file_sink.h"
#include "gguf_priv.h"

/* A growing array; of bytes, or of items of one kind. */
typedef struct ifn_gguf_list {
    uint8_t *data; /* owned */
    size_t used, room;
} ifn_gguf_list;

/* A name inside a list of bytes, which moves as it grows. */
typedef struct ifn_gguf_span {
    size_t offset, bytes;
} ifn_gguf_span;

typedef enum ifn_gguf_stage {
    IFN_GGUF_DECLARING,
    IFN_GGUF_WRITING,
    IFN_GGUF_FINISHED,
    IFN_GGUF_BROKEN
} ifn_gguf_stage;

struct ifn_gguf_writer {
    const ifn_allocator *alloc;
    ifn_file_sink sink;
    uint32_t alignment;
    ifn_gguf_stage stage;
    ifn_gguf_list entries, infos; /* metadata and tensor entries, as bytes of the file */
    ifn_gguf_list keys, names;    /* spans into entries and infos */
    ifn_gguf_list sizes;          /* uint64_t, bytes of each tensor's data */
    uint64_t n_entries, n_tensors;
    uint64_t data_bytes;            /* data of the tensors declared so far, each padded */
    uint64_t current, current_done; /* the tensor being written, and its bytes written so far */
};

/* Refuses a call unless the writer is in stage `last` or an earlier one. */
ifn_status ifn_gguf_writer_expect(const ifn_gguf_writer *self, ifn_gguf_stage last, ifn_error *err);
ifn_status ifn_gguf_writer_misuse(ifn_error *err, const char *name, const char *what);
ifn_status ifn_gguf_writer_no_memory(ifn_error *err);

/* Makes room for `bytes` more. The puts that follow cannot fail, so an entry is never written in part. */
bool ifn_gguf_list_reserve(const ifn_allocator *a, ifn_gguf_list *l, size_t bytes);

static inline void ifn_gguf_put_bytes(ifn_gguf_list *l, const void *data, size_t bytes)
{
    if (bytes > 0)
        memcpy(l->data + l->used, data, bytes);
    l->used += bytes;
}

static inline void ifn_gguf_put_u32(ifn_gguf_list *l, uint32_t v)
{
    ifn_store_u32le(l->data + l->used, v);
    l->used += sizeof v;
}

static inline void ifn_gguf_put_u64(ifn_gguf_list *l, uint64_t v)
{
    ifn_store_u64le(l->data + l->used, v);
    l->used += sizeof v;
}

static inline void ifn_gguf_put_string(ifn_gguf_list *l, const char *data, size_t bytes)
{
    ifn_gguf_put_u64(l, bytes);
    ifn_gguf_put_bytes(l, data, bytes);
}

#endif
