/*
 * Handles that come from a file of images, or go into one.
 *
 * In a first pass over the weights each backend names the layouts that it would prepare (expect). Where the
 * file has just these, in this order, and all of it is what it says (find), a second pass adopts its
 * images; else that prepares (add), and all images are written at the end (keep).
 */
#ifndef IFN_WEIGHTS_CACHE_H
#define IFN_WEIGHTS_CACHE_H

#include "cache_file.h"
#include "weights_priv.h"

/* Of how->cache. Errors  IFN_ERR_NOMEM */
IFN_NODISCARD ifn_status ifn_weights_cache_open(const ifn_weights *weights,
                                                const ifn_weights_params *how,
                                                ifn_weights_cache **out, ifn_error *err);
void ifn_weights_cache_close(ifn_weights_cache *self); /* after the handles; NULL is fine */

/* Whether `who` prepares this weight for these uses in a layout that it names. */
bool ifn_weights_cache_knows(const ifn_backend *who, const ifn_tensor *w, uint32_t uses);

/* A weight that it knows. Errors  IFN_ERR_NOMEM */
IFN_NODISCARD ifn_status ifn_weights_cache_expect(ifn_weights_cache *self, const ifn_backend *who,
                                                  const ifn_tensor *w, uint32_t uses,
                                                  ifn_error *err);

/* All has been expected: reads the file. Why it cannot be used is a note. True: its images are for the
 * taking. */
bool ifn_weights_cache_find(ifn_weights_cache *self, const ifn_weights *weights);

/* The handle of the next weight that was expected, from the file. */
IFN_NODISCARD ifn_status ifn_weights_cache_adopt(ifn_weights_cache *self, ifn_backend *who,
                                                 const ifn_tensor *w, uint32_t uses,
                                                 ifn_packed *out, ifn_error *err);

/* The next weight that was expected was prepared. */
void ifn_weights_cache_add(ifn_weights_cache *self, ifn_backend *who, const ifn_packed *packed);

/* All has been prepared: writes the file. Failure is a note. */
void ifn_weights_cache_keep(ifn_weights_cache *self);

#endif
