/* What a call meets before the function of a backend: what that does not know, or refuses, is done
 * by the one below it. */
#ifndef IFN_ENTRY_H
#define IFN_ENTRY_H

#include <inferno/backend.h>

#include "node.h"

/*
 * Fills self->entry, which each call goes through.
 *
 * A call that is shorter than what the backend was built with is completed by zeros, and a longer one
 * that sets nothing more is cut: who copies a struct of its own size hands on no wrong one. One that sets
 * more than that goes to the base of a leaf, and inside of a wrapper, on the lane that the wrapper
 * would have used first; where there is no base, or refusals are kept, it is refused with
 * IFN_ERR_UNSUPPORTED.
 *
 * Of a leaf that falls back, what its function answers IFN_ERR_UNSUPPORTED to, having written
 * nothing, is run by its base. Handles that the leaf made of weights mean nothing to its base and
 * are left out: that reads the raw weights.
 */
void ifn_fill_entry(node *self);

/* Of the last call that was shown to nobody: fills err and forgets it, or returns 0. */
int ifn_explain_refusal(node *self, ifn_error *err);

#endif
