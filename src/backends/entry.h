/* The entry table, which every call passes before it reaches a backend's own function: the backend below
 * runs calls that this one does not know or refuses. */
#ifndef IFN_ENTRY_H
#define IFN_ENTRY_H

#include <inferno/backend.h>

#include "node.h"

/*
 * Fills self->entry, which each call goes through.
 *
 * An argument struct that is shorter than the one the backend was built with is filled up with zeros; a
 * longer one that sets nothing more is cut: so a wrapper that copies a struct of its own size hands on a
 * valid one. A call that sets more goes to the base of a leaf, or to the inner backend of a wrapper, on the
 * first lane that the wrapper would have used; if there is no base, or refusals are kept, the call is refused
 * with IFN_ERR_UNSUPPORTED.
 *
 * If a leaf falls back, its base runs the calls that the leaf's function answers with IFN_ERR_UNSUPPORTED,
 * having written nothing. Handles that the leaf made of weights mean nothing to its base and are left out,
 * so the base reads the raw weights.
 */
void ifn_fill_entry(node *self);

/* Explains the last call that was refused before any backend saw it: fills err, forgets the call and returns 1, or
 * returns 0. */
int ifn_explain_refusal(node *self, ifn_error *err);

#endif
