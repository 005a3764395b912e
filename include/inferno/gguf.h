/*
 * GGUF files, versions 1, 2 and 3, little endian: a checked, read-only view of a mapped file.
 *
 * Stability: stable. What the library fills in (ifn_gguf_kv, ifn_gguf_tensor) grows at the end;
 * ifn_string does not grow.
 */
#ifndef INFERNO_GGUF_H
#define INFERNO_GGUF_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/dtype.h>
#include <inferno/export.h>
#include <inferno/status.h>
#include <inferno/tensor.h>

IFN_EXTERN_C_BEGIN

typedef struct ifn_gguf ifn_gguf; /* immutable once open; threads may share it */

/* clang-format off */
/* X(NAME, number in the file, bytes of one value or 0, name that people read) */
#define IFN_GGUF_VALUE_TYPES(X)     \
    X(UINT8,    0, 1, "u8")         \
    X(INT8,     1, 1, "i8")         \
    X(UINT16,   2, 2, "u16")        \
    X(INT16,    3, 2, "i16")        \
    X(UINT32,   4, 4, "u32")        \
    X(INT32,    5, 4, "i32")        \
    X(FLOAT32,  6, 4, "f32")        \
    X(BOOL,     7, 1, "bool")       \
    X(STRING,   8, 0, "string")     \
    X(ARRAY,    9, 0, "array")      \
    X(UINT64,  10, 8, "u64")        \
    X(INT64,   11, 8, "i64")        \
    X(FLOAT64, 12, 8, "f64")
/* clang-format on */

enum {
#define X(NAME, number, bytes, text) IFN_GGUF_##NAME = number,
    IFN_GGUF_VALUE_TYPES(X)
#undef X
};

typedef int32_t ifn_gguf_type;

/* Bytes inside the file: not terminated, may hold NUL; borrowed until the gguf closes. */
typedef struct ifn_string {
    const char *data;
    size_t bytes;
} ifn_string;

/**
 * One metadata entry. For arrays `element_type` and `count` say what is inside; `data` points at
 * the value (of an array: its first element) in the file, at any alignment.
 */
typedef struct ifn_gguf_kv {
    ifn_string key;
    ifn_gguf_type type;
    ifn_gguf_type element_type; /* of arrays; `type` otherwise */
    uint64_t count;             /* arrays: elements; 1 otherwise */
    const void *data;
    uint64_t offset;       /* of data in the file */
    uint64_t bytes;        /* of data, to the end of the value */
    uint32_t length_bytes; /* 4 in version 1 files, 8 later */
} ifn_gguf_kv;

/**
 * One tensor entry as the file has it. `gguf_type` may be a type that this library does not implement;
 * then `known` is 0, `view.dtype` is meaningless, and everything else still holds.
 */
typedef struct ifn_gguf_tensor {
    ifn_tensor view;
    uint32_t gguf_type;
    int known;
    const char *type_name; /* static: "Q4_K", "IQ2_XS" */
    uint64_t offset;       /* of the data in the file */
    uint64_t bytes;        /* of the data */
} ifn_gguf_tensor;

/**
 * Maps and checks a file. Every count, length, type and offset is checked against the file before
 * it is used; nothing is copied and no allocation is larger than a constant times the file.
 *
 * The file must not change while it is open. If another program truncates it, the system raises SIGBUS in
 * the thread that reads beyond the new end; the library installs no handler for that.
 *
 * Errors  IFN_ERR_IO: missing, a directory, unreadable. IFN_ERR_FORMAT: malformed, with
 * err->offset. IFN_ERR_UNSUPPORTED: another version, a big-endian file.
 */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_open(const char *path, const ifn_allocator *alloc,
                                               ifn_gguf **out, ifn_error *err);

/* The same on bytes in memory, borrowed until close. `name` appears in messages; it is copied. */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_open_memory(const char *name, const void *data,
                                                      size_t bytes, const ifn_allocator *alloc,
                                                      ifn_gguf **out, ifn_error *err);

IFN_API void ifn_gguf_close(ifn_gguf *self); /* NULL is fine */

/**
 * Lets the system drop the pages of tensor data that will hardly be read again, as it was packed or copied.
 * Mapped data of ifn_gguf_open then takes no memory until it is read, which costs a read of the file. Memory
 * of ifn_gguf_open_memory stays as it is.
 */
IFN_API void ifn_gguf_drop(const ifn_gguf *self, const void *data, size_t bytes);

IFN_API const char *ifn_gguf_path(const ifn_gguf *self);
IFN_API uint32_t ifn_gguf_version(const ifn_gguf *self);
IFN_API uint64_t ifn_gguf_alignment(const ifn_gguf *self);
IFN_API uint64_t ifn_gguf_file_bytes(const ifn_gguf *self);
IFN_API uint64_t ifn_gguf_data_offset(const ifn_gguf *self);

IFN_API uint64_t ifn_gguf_n_kv(const ifn_gguf *self);
IFN_API const ifn_gguf_kv *ifn_gguf_kv_at(const ifn_gguf *self, uint64_t index); /* or NULL */
IFN_API const ifn_gguf_kv *ifn_gguf_find(const ifn_gguf *self, const char *key); /* or NULL */

IFN_API uint64_t ifn_gguf_n_tensors(const ifn_gguf *self);
IFN_API const ifn_gguf_tensor *ifn_gguf_tensor_at(const ifn_gguf *self, uint64_t index);
IFN_API const ifn_gguf_tensor *ifn_gguf_find_tensor(const ifn_gguf *self, const char *name);

/**
 * Typed getters. Each fails with IFN_ERR_FORMAT and a message that names file and key, what was
 * found and what was expected. A missing key is an error too; call ifn_gguf_find first if it may
 * be absent. get_uint takes any integer type whose value is in [0, max]; get_float any float type.
 */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_get_uint(const ifn_gguf *self, const char *key,
                                                   uint64_t max, uint64_t *out, ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_get_float(const ifn_gguf *self, const char *key,
                                                    double *out, ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_get_bool(const ifn_gguf *self, const char *key, int *out,
                                                   ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_get_string(const ifn_gguf *self, const char *key,
                                                     ifn_string *out, ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_get_array(const ifn_gguf *self, const char *key,
                                                    ifn_gguf_type element_type,
                                                    const ifn_gguf_kv **out, ifn_error *err);

/* One number of a scalar or an array, sign-extended or converted; 0 if the entry has no such number
 * (a float as an integer, a string). The caller must keep index < count. */
IFN_API uint64_t ifn_gguf_element_uint(const ifn_gguf_kv *entry, uint64_t index);
IFN_API int64_t ifn_gguf_element_int(const ifn_gguf_kv *entry, uint64_t index);
IFN_API double ifn_gguf_element_float(const ifn_gguf_kv *entry, uint64_t index);

/**
 * Iterates over the strings of a string or a string array in order: start with *cursor = 0, call it count
 * times. After the last one, and for every other type, it returns an empty string.
 * (Strings have no index in the file; a caller that needs random access builds its own table.)
 */
IFN_API ifn_string ifn_gguf_next_string(const ifn_gguf *self, const ifn_gguf_kv *entry,
                                        uint64_t *cursor);

/* The first key whose value is an array of arrays, or NULL. The format allows them, but no known loader
 * accepts them; inspect and ifn_model_open refuse such a file. */
IFN_API const ifn_gguf_kv *ifn_gguf_first_nested_array(const ifn_gguf *self);

IFN_API const char *ifn_gguf_type_name(ifn_gguf_type type); /* "u32"; "?" for no type. Static. */

IFN_EXTERN_C_END

#endif
