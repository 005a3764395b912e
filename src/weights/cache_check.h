/* Whether a cache holds what it says, of the weights of this model: all that is hashed is hashed here. */
#ifndef IFN_CACHE_CHECK_H
#define IFN_CACHE_CHECK_H

#include <inferno/model.h>

#include "cache_file.h"

typedef struct ifn_cache_check {
    const ifn_cache_file *file;
    const char *path;
    const ifn_model *model;
    const ifn_cache_item *items; /* [file->n]: the weights that the images are of */
    int32_t n_threads;
} ifn_cache_check;

/* Of the bytes of a weight, which then take no memory of the model's file any more. */
uint64_t ifn_cache_hash_weight(const ifn_model *model, const ifn_tensor *w);

/* Whether the model's file has the stamp that the cache was made with, so that nobody need hash it. */
bool ifn_cache_is_of_stamp(const ifn_cache_file *file, const ifn_model *model);

/**
 * Hashes every image, and every weight where the stamp says nothing, on so many threads.
 * Errors  IFN_ERR_FORMAT, for the first that is not what it was; IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status ifn_cache_check_run(const ifn_cache_check *self,
                                             const ifn_allocator *alloc, ifn_error *err);

#endif
