/*
 * A model's weights as one backend chain wants them: prepared once, shared by contexts.
 *
 * Stability: stable. Structs of callers grow at the end and say how long they are; ifn_progress
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

/* Hears how far a long operation is, weights in bytes of the file after each call of a backend's
 * prepare; NULL wherever one is taken means nobody listens. */
typedef struct ifn_progress {
    void (*step)(void *cookie, int64_t done, int64_t total);
    void *cookie;
} ifn_progress;

/**
 * `uses` (IFN_USE_*, backend.h) says through which ops the graphs to come will read weights; a
 * context whose graph needs more is refused. `model` and `backend` are borrowed until the last
 * reference is gone. Created with one reference.
 */
IFN_API IFN_NODISCARD ifn_status ifn_weights_open(const ifn_model *model, ifn_backend *backend,
                                                  uint32_t uses, const ifn_progress *progress,
                                                  const ifn_allocator *alloc, ifn_weights **out,
                                                  ifn_error *err);

/* How weights are opened. All zero but `bytes` and `uses` is what ifn_weights_open does. */
typedef struct ifn_weights_params {
    uint32_t bytes; /* of this struct: IFN_WEIGHTS_PARAMS_INIT */
    uint32_t uses;  /* IFN_USE_*, as above */
    int32_t raw;    /* 1: nothing is prepared; ops read the file's bytes, in less memory and more
                    * time. The primitive graph has its copies all the same. */
    uint64_t max_bytes;           /* of prepared weights and f32 copies; 0: no limit */
    const ifn_progress *progress; /* NULL: nobody listens */
    /* A file where what backends prepare is kept, and where it is next time; NULL: none. See below. */
    const char *cache;
    /* Hears, in one line each, why the cache was not used, or was not made; NULL: nobody does. */
    void (*note)(void *cookie, const char *text);
    /* Called with the temporary name of a cache that is being written, and with NULL once it has its
     * final name or is gone: a handler of signals can remove it. NULL: not called. */
    void (*writes)(void *cookie, const char *temporary);
    void *cookie; /* of note and writes */
} ifn_weights_params;

#define IFN_WEIGHTS_PARAMS_INIT IFN_SIZED_INIT(ifn_weights_params)

/**
 * The same with limits. Errors  IFN_ERR_NOMEM also where the weights come to more than max_bytes,
 * which is noticed when they do, not before
 *
 * With a cache. Where the file `cache` has these weights in the layouts that the backends name (layout,
 * backend.h), it is mapped, read only, until the last reference is gone, and nothing of these is
 * prepared; processes share its pages, and those of the model's file need not be read. They are not in
 * ifn_weights_bytes. Else weights are prepared, and the file is made: under another name, to be renamed
 * when it is complete. A file that is no cache is left alone, and a cache that cannot be made is a note,
 * no error. What is prepared in layouts without a name is not kept.
 *
 * Nothing of the file is used before all of it was found to be what was written: of each weight it has
 * a hash of its bytes in the model's file and one of its image. At each opening the images are hashed, which
 * reads all of the file, by as many threads as the chain has. The model's bytes are hashed only where
 * the size, inode or times of its file are not those it had when the cache was made, or where it had been
 * changed right before; that costs reading them. The hashes (XXH64) find accidents; they do not keep
 * out who can write to the folder.
 *
 * The cache must stay as it is while it is used; a new one takes its name, not its place.
 */
IFN_API IFN_NODISCARD ifn_status ifn_weights_open_with(const ifn_model *model, ifn_backend *backend,
                                                       const ifn_weights_params *params,
                                                       const ifn_allocator *alloc,
                                                       ifn_weights **out, ifn_error *err);
IFN_API ifn_weights *ifn_weights_ref(ifn_weights *self);
IFN_API void
ifn_weights_unref(ifn_weights *self); /* NULL is fine; the last releases every handle */

/* Bytes of weights this object holds beside the file: prepared handles and f32 copies, on a device those of
 * norms and biases, too. */
IFN_API uint64_t ifn_weights_bytes(const ifn_weights *self);

/* Handles that backends have made of the model's weights, and those that came from the cache. */
IFN_API int64_t ifn_weights_prepared(const ifn_weights *self);
IFN_API int64_t ifn_weights_adopted(const ifn_weights *self);

IFN_EXTERN_C_END

#endif
