/* Changes a small spec in one place, writes it to a file and reads it. */
#ifndef SPEC_TEXT_H
#define SPEC_TEXT_H

#include "spec.h"

/* The unchanged spec, which is legal. */
extern const char *const spec_text;

/* Replaces the only occurrence of `old` by `new`, then reads the file. Aborts if there is no `old`. */
ifn_status spec_read_changed(const char *old, const char *new, spec_op **out, ifn_error *err);

/* The spec of an op in the source tree with such a change; the caller frees it. */
spec_op *spec_of_tree(ifn_op op, const char *old, const char *new);

/* The change must be refused with IFN_ERR_FORMAT and a message that ends "<place> <words>", as in
 * "3:10: 'x' is no op, expected one as matmul". */
void assert_refused(const char *old, const char *new, const char *message);

/* The change must be accepted; the caller frees the spec. */
spec_op *assert_read(const char *old, const char *new);

#endif
