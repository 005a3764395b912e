/*
 * Writes GGUF version 3 files, for tests and for tools that make models.
 *
 * Stability: stable.
 */
#ifndef INFERNO_GGUF_WRITER_H
#define INFERNO_GGUF_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/dtype.h>
#include <inferno/export.h>
#include <inferno/gguf.h>
#include <inferno/status.h>

IFN_EXTERN_C_BEGIN

typedef struct ifn_gguf_writer ifn_gguf_writer;

/**
 * Order of calls: open, any number of put_* and declare_tensor, then write_data once for each
 * declared tensor in the order of declaration (in any number of pieces), then finish.
 * The file appears under `path` only when finish succeeds: until then the bytes go to a temporary
 * name beside it, which close removes. `path` "-" is standard output; an existing device or pipe is
 * written directly. A file or a link of that name is replaced, with the mode that any new file
 * gets.
 *
 * `alignment` is a power of two, usually 32; the writer stores any other as general.alignment. Putting
 * that key again, as copying the entries of another file does, is fine if the value agrees.
 *
 * Errors  IFN_ERR_ARGUMENT: misuse, which leaves the writer as it was. IFN_ERR_IO: cannot be
 *         written; the writer can then only be closed.
 */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_open(const char *path, uint32_t alignment,
                                                      const ifn_allocator *alloc,
                                                      ifn_gguf_writer **out, ifn_error *err);
/* The name of the temporary file until finish, so that a signal handler can remove it; NULL if the bytes
 * go straight to `path`. Borrowed until finish or close. */
IFN_API const char *ifn_gguf_writer_temporary(const ifn_gguf_writer *self);
IFN_API void ifn_gguf_writer_close(ifn_gguf_writer *self); /* NULL is fine; unfinished: discards */

IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_uint(ifn_gguf_writer *self, const char *key,
                                                          ifn_gguf_type type, uint64_t value,
                                                          ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_float(ifn_gguf_writer *self, const char *key,
                                                           float value, ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_bool(ifn_gguf_writer *self, const char *key,
                                                          int value, ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_string(ifn_gguf_writer *self, const char *key,
                                                            const char *data, size_t bytes,
                                                            ifn_error *err);
/* Scalars only; `data` as C holds them, count * size bytes. */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_array(ifn_gguf_writer *self, const char *key,
                                                           ifn_gguf_type element_type,
                                                           const void *data, uint64_t count,
                                                           ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_strings(ifn_gguf_writer *self, const char *key,
                                                             const ifn_string *strings,
                                                             uint64_t count, ifn_error *err);
/* Copies an entry of another file as it is. */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_put_kv(ifn_gguf_writer *self,
                                                        const ifn_gguf_kv *kv, ifn_error *err);

/* shape is row-major as in ifn_tensor. */
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_declare_tensor(ifn_gguf_writer *self,
                                                                const char *name, ifn_dtype dtype,
                                                                int32_t n_dims,
                                                                const int64_t *shape,
                                                                ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_write_data(ifn_gguf_writer *self, const void *data,
                                                            size_t bytes, ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_gguf_writer_finish(ifn_gguf_writer *self, ifn_error *err);

IFN_EXTERN_C_END

#endif
