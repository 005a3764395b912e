/* Declarations that the files of src/gguf share. */
#ifndef IFN_GGUF_PRIV_H
#define IFN_GGUF_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf.h>

#include "file_map.h"

#define IFN_GGUF_DEFAULT_ALIGNMENT 32
#define IFN_GGUF_ALIGNMENT_KEY     "general.alignment"

/* GGML limits names to 63 bytes, so every copy with its NUL fits in 64. */
#define IFN_GGUF_NAME_BYTES 64

/* The limit for arrays inside arrays: deeper ones are refused, so that a file cannot exhaust the stack. */
#define IFN_GGUF_MAX_DEPTH 8

struct ifn_gguf {
    const ifn_allocator *alloc;
    ifn_file_map map; /* empty when the bytes are the caller's */
    const uint8_t *data;
    uint64_t bytes;
    char *path; /* owned */
    size_t path_bytes;
    uint32_t version;
    uint64_t alignment, data_offset;
    size_t n_entries, n_tensors;
    ifn_gguf_kv *entries;               /* owned, as in the file */
    size_t *key_order;                  /* owned: indices into entries, sorted by key */
    ifn_gguf_tensor *tensors;           /* owned, as in the file */
    size_t *name_order;                 /* owned: indices into tensors, sorted by name */
    char (*names)[IFN_GGUF_NAME_BYTES]; /* owned: the file's names are not terminated */
};

/* gguf_parse.c: fills the members of ifn_gguf after `path` from data and bytes; close releases what it allocated. */
ifn_status ifn_gguf_parse(ifn_gguf *self, ifn_error *err);

/* gguf_cursor.c: reads forward and never past the end. */
typedef struct ifn_gguf_cursor {
    const uint8_t *data;
    uint64_t bytes, at;    /* at <= bytes */
    uint32_t length_bytes; /* bytes of a count or a string length: 4 in version 1, 8 later */
    const char *label;     /* the file's name for messages */
    ifn_string where;      /* the entry being read, for messages; may be empty */
} ifn_gguf_cursor;

ifn_status ifn_gguf_fail(const ifn_gguf_cursor *c, ifn_error *err, uint64_t offset,
                         const char *format, ...) IFN_PRINTF(4, 5);
ifn_status ifn_gguf_take(ifn_gguf_cursor *c, uint64_t bytes, const char *what, const uint8_t **out,
                         ifn_error *err);
ifn_status ifn_gguf_take_u32(ifn_gguf_cursor *c, const char *what, uint32_t *out, ifn_error *err);
ifn_status ifn_gguf_take_u64(ifn_gguf_cursor *c, const char *what, uint64_t *out, ifn_error *err);
/* Reads a count or a dimension: 32 bits in version 1, 64 bits later. */
ifn_status ifn_gguf_take_length(ifn_gguf_cursor *c, const char *what, uint64_t *out,
                                ifn_error *err);
ifn_status ifn_gguf_take_string(ifn_gguf_cursor *c, const char *what, ifn_string *out,
                                ifn_error *err);
ifn_status ifn_gguf_take_type(ifn_gguf_cursor *c, ifn_gguf_type *out, ifn_error *err);
/* Skips `count` values and checks each; arrays may be nested `depth` deep. */
ifn_status ifn_gguf_skip_values(ifn_gguf_cursor *c, ifn_gguf_type type, uint64_t count, int depth,
                                ifn_error *err);

/* gguf_types.c */
typedef struct ifn_gguf_tensor_type {
    const char *name;
    int64_t block_elements;
    uint64_t block_bytes;
    bool known; /* true: the library can read it, as `dtype` */
    ifn_dtype dtype;
} ifn_gguf_tensor_type;

/* Finds a tensor type by its number in the file; false if there is none or it has been withdrawn. */
bool ifn_gguf_find_tensor_type(uint32_t number, ifn_gguf_tensor_type *out);
bool ifn_gguf_is_value_type(uint32_t number);
/* Bytes of one value; 0 for strings, arrays and unknown types. */
uint32_t ifn_gguf_value_bytes(ifn_gguf_type type);
bool ifn_gguf_is_integer(ifn_gguf_type type);
bool ifn_gguf_is_signed(ifn_gguf_type type);
/* Bytes of a tensor whose rows have `cols` elements; false if they do not fit blocks or 64 bits. */
bool ifn_gguf_tensor_bytes(const ifn_gguf_tensor_type *type, int64_t cols, int64_t rows,
                           uint64_t *out);

/* gguf_index.c: sorts tables by name in O(n log n), whatever the names are. */
typedef ifn_string ifn_gguf_namer(const void *table, size_t i);
typedef bool ifn_gguf_less(const void *table, size_t a, size_t b);

/* Makes order[0 .. n) the indices 0 .. n - 1, ascending by less. In place, no allocation. */
void ifn_gguf_sort(size_t *order, size_t n, ifn_gguf_less *less, const void *table);
void ifn_gguf_sort_names(size_t *order, size_t n, ifn_gguf_namer *namer, const void *table);
/* On names in order: the index of an entry that repeats an earlier one, or n. */
size_t ifn_gguf_find_repeated(const size_t *order, size_t n, ifn_gguf_namer *namer,
                              const void *table);
/* On names in order: the index of the entry with this name, or n. */
size_t ifn_gguf_find_name(const size_t *order, size_t n, ifn_gguf_namer *namer, const void *table,
                          const char *name);

#ifdef __clang_analyzer__ /* as with ifn_fail: shows the analyser that the status is never IFN_OK */
#define ifn_gguf_fail(c, err, ...) ((void)(ifn_gguf_fail)(c, err, __VA_ARGS__), IFN_ERR_FORMAT)
#endif

#endif
