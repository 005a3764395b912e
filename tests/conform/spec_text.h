/* A small spec, changed in one place, written to a file and read. */
#ifndef SPEC_TEXT_H
#define SPEC_TEXT_H

#include "spec.h"

/* The spec as it is: legal. */
extern const char *const spec_text;

/* The one occurrence of `old` becomes `new`; then the file is read. Aborts if there is no `old`. */
ifn_status spec_read_changed(const char *old, const char *new, spec_op **out, ifn_error *err);

/* That of an op in the tree with the same change; the caller frees it. */
spec_op *spec_of_tree(ifn_op op, const char *old, const char *new);

/* The change must be refused with IFN_ERR_FORMAT and a message that ends "<place> <words>", as in
 * "3:10: 'x' is no op, expected one as matmul". */
void assert_refused(const char *old, const char *new, const char *message);

/* The change must be accepted; the caller frees the spec. */
spec_op *assert_read(const char *old, const char *new);

#endif
