/* A backend around another: its ops, and memory full of NaN in place of what was there before. */
#ifndef CONFORM_POISONED_H
#define CONFORM_POISONED_H

#include <inferno/backend.h>

/**
 * What a run forgets to write is then no number, whatever the dtype, in every run alike. Borrows
 * `inner`; to be closed by ifn_backend_close before it.
 * Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_poisoned_open(ifn_backend *inner, ifn_backend **out,
                                               ifn_error *err);

#endif
