/*
 * A model's weights in the layouts of one backend chain: prepared once, shared by contexts.
 *
 * Stability: stable. Structs that callers fill in grow at the end and hold their own size; ifn_progress
 * does not grow.
 */
#ifndef INFERNO_WEIGHTS_H
#define INFERNO_WEIGHTS_H

#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/backend.h>
#include <inferno/export.h>
#include <inferno/model.h>
#include <inferno/status.h>

IFN_EXTERN_C_BEGIN

typedef struct ifn_weights ifn_weights; /* immutable once open; counts its references */

/* Progress callback of a long operation. Weights count bytes of the file, after each call of a backend's
 * prepare. NULL wherever a function takes one: no callback. */
typedef struct ifn_progress {
    void (*step)(void *cookie, int64_t done, int64_t total);
    void *cookie;
} ifn_progress;

/**
 * `uses` (IFN_USE_*, backend.h) says through which ops later graphs will read the weights;
 * ifn_context_open refuses a graph that needs more. `model` and `backend` are borrowed until the last
 * reference is gone. The object begins with one reference.
 */
IFN_API IFN_NODISCARD ifn_status ifn_weights_open(const ifn_model *model, ifn_backend *backend,
                                                  uint32_t uses, const ifn_progress *progress,
                                                  const ifn_allocator *alloc, ifn_weights **out,
                                                  ifn_error *err);

/* How weights are opened. All zeros except `bytes` and `uses` is the same as ifn_weights_open. */
typedef struct ifn_weights_params {
    uint32_t bytes; /* of this struct: IFN_WEIGHTS_PARAMS_INIT */
    uint32_t uses;  /* IFN_USE_*, as above */
    int32_t raw;    /* 1: nothing is prepared; ops read the file's bytes, with less memory and more
                    * time. The primitive graph has its copies all the same. */
    uint64_t max_bytes;           /* of prepared weights and f32 copies; 0: no limit */
    const ifn_progress *progress; /* NULL: no callback */
    /* A file that keeps prepared weights for the next opening; NULL: none. See below. */
    const char *cache;
    /* Gets a line of text for each reason why the cache was not used, or was not made; NULL: no callback. */
    void (*note)(void *cookie, const char *text);
    /* Called with the temporary name of a cache that is being written, and with NULL once it has its
     * final name or is gone, so that a signal handler can remove it. NULL: not called. */
    void (*writes)(void *cookie, const char *temporary);
    void *cookie; /* of note and writes */
} ifn_weights_params;

#define IFN_WEIGHTS_PARAMS_INIT IFN_SIZED_INIT(ifn_weights_params)

/**
 * The same with limits. Errors  IFN_ERR_NOMEM also if the weights exceed max_bytes, which is noticed
 * when they do, not before
 *
 * With a cache. If the file `cache` has these weights in the layouts that the backends name (layout,
 * backend.h), the library maps it, read only, until the last reference is gone, and prepares none of them;
 * processes share its pages, and the weights in the model's file need not be read. Mapped weights do not
 * count in ifn_weights_bytes. Otherwise the library prepares the weights and writes the file, under another
 * name which it renames when the file is complete. It leaves a file that is no cache alone; a cache that
 * cannot be made is a note, no error. Weights prepared in layouts without a name are not kept.
 *
 * The library uses nothing of the file before it has verified all of it: for each weight the file has a hash
 * of the weight's bytes in the model's file and one of its image. Each opening hashes the images, which
 * reads all of the file, with as many threads as the chain has. It hashes the model's bytes only if the
 * size, inode or times of the model's file differ from those when the cache was made, or if the model's file
 * had been changed right before; that costs reading them. The hashes (XXH64) detect accidents; they do not
 * protect against someone who can write to the folder.
 *
 * The cache file must not change while it is in use; a new cache replaces it by name, as a new file.
 */
IFN_API IFN_NODISCARD ifn_status ifn_weights_open_with(const ifn_model *model, ifn_backend *backend,
                                                       const ifn_weights_params *params,
                                                       const ifn_allocator *alloc,
                                                       ifn_weights **out, ifn_error *err);
IFN_API ifn_weights *ifn_weights_ref(ifn_weights *self);
IFN_API void
ifn_weights_unref(ifn_weights *self); /* NULL is fine; the last releases every handle */

/* Bytes of weights this object holds in addition to the file: prepared handles and f32 copies, on a device also
 * copies of norms and biases. */
IFN_API uint64_t ifn_weights_bytes(const ifn_weights *self);

/* How many handles backends have made of the model's weights, and how many others came from the cache. */
IFN_API int64_t ifn_weights_prepared(const ifn_weights *self);
IFN_API int64_t ifn_weights_adopted(const ifn_weights *self);

IFN_EXTERN_C_END

#endif
