/* Checks that a cache file is intact and was made from this model's weights, by the hashes of both. */
#ifndef IFN_CACHE_CHECK_H
#define IFN_CACHE_CHECK_H

#include <inferno/model.h>

#include "cache_file.h"

typedef struct ifn_cache_check {
    const ifn_cache_file *file;
    const char *path;
    const ifn_model *model;
    const ifn_cache_item *items; /* [file->n]: the weights from which the images were prepared */
    int32_t n_threads;
} ifn_cache_check;

/* Hashes the bytes of a weight in the model's file, then gives back the memory of those pages. */
uint64_t ifn_cache_hash_weight(const ifn_model *model, const ifn_tensor *w);

/* True if the model's file still has the stamp recorded in the cache: then its weights need not be hashed. */
bool ifn_cache_is_of_stamp(const ifn_cache_file *file, const ifn_model *model);

/**
 * Hashes every image, and unless the stamp matches every weight too, on n_threads threads.
 * Errors  IFN_ERR_FORMAT, naming the first entry whose hash differs; IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status ifn_cache_check_run(const ifn_cache_check *self,
                                             const ifn_allocator *alloc, ifn_error *err);

#endif
