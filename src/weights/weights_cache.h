/*
 * Reads packed weights from a cache file, or writes them to one.
 *
 * In a first pass over the weights each backend names the layouts that it would prepare (expect). If the
 * file has exactly these, in this order, and its hashes are right (find), the second pass adopts its
 * images. Otherwise the second pass prepares them (add), and all images are written at the end (keep).
 */
#ifndef IFN_WEIGHTS_CACHE_H
#define IFN_WEIGHTS_CACHE_H

#include "cache_file.h"
#include "weights_priv.h"

/* Opens a cache for the path how->cache; reads no file yet. Errors  IFN_ERR_NOMEM */
IFN_NODISCARD ifn_status ifn_weights_cache_open(const ifn_weights *weights,
                                                const ifn_weights_params *how,
                                                ifn_weights_cache **out, ifn_error *err);
void ifn_weights_cache_close(ifn_weights_cache *self); /* after the handles; NULL is fine */

/* True if `who` names the layout in which it prepares this weight for these uses; only then is it cached. */
bool ifn_weights_cache_knows(const ifn_backend *who, const ifn_tensor *w, uint32_t uses);

/* Appends a weight, for which ifn_weights_cache_knows is true, to the expected ones. Errors  IFN_ERR_NOMEM */
IFN_NODISCARD ifn_status ifn_weights_cache_expect(ifn_weights_cache *self, const ifn_backend *who,
                                                  const ifn_tensor *w, uint32_t uses,
                                                  ifn_error *err);

/* Call after the first pass: opens and checks the file. True if its images can be adopted; otherwise a note
 * says why not, unless there is no such file yet. */
bool ifn_weights_cache_find(ifn_weights_cache *self, const ifn_weights *weights);

/* Lets `who` adopt the image of the next expected weight. */
IFN_NODISCARD ifn_status ifn_weights_cache_adopt(ifn_weights_cache *self, ifn_backend *who,
                                                 const ifn_tensor *w, uint32_t uses,
                                                 ifn_packed *out, ifn_error *err);

/* Records what `who` has prepared for the next expected weight. */
void ifn_weights_cache_add(ifn_weights_cache *self, ifn_backend *who, const ifn_packed *packed);

/* Call after the second pass: writes the file, if it is to be written. Failure only gives a note. */
void ifn_weights_cache_keep(ifn_weights_cache *self);

#endif
