/* A wrapper that passes all ops to its inner backend, and fills the memory it allocates with NaN. */
#ifndef CONFORM_POISONED_H
#define CONFORM_POISONED_H

#include <inferno/backend.h>

/**
 * A value that a run forgets to write is then NaN in every dtype and in every run. Borrows `inner`; close the wrapper
 * with ifn_backend_close before `inner`.
 * Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_poisoned_open(ifn_backend *inner, ifn_backend **out,
                                               ifn_error *err);

#endif
