/* A case whose inputs are values, not functions of its seed: as an entry, and in a file of cases.
 */
#ifndef CONFORM_WRITTEN_CASE_H
#define CONFORM_WRITTEN_CASE_H

#include <stdio.h>

#include "slot.h"

/* The inputs of a slot. NULL: a tensor has more than `most` values, an entry cannot hold that many,
 * or memory ran out. The caller frees it with conform_written_free. */
spec_entry *conform_written_of(const conform_slot *s, const char *name, int64_t most);
spec_entry *conform_written_copy(const spec_entry *entry);
void conform_written_free(spec_entry *entry); /* NULL is fine */

/* One item of the list "cases" (spec/schema.yaml): the id, the name, and for a GOLDEN case its
 * inputs and what the oracle says of the outputs, unless that is long. Inputs that are long are
 * bytes, whatever they hold. */
void conform_written_put(const conform_slot *s, const char *name, FILE *out);

/* Its inputs alone, on one line: "a: [[1, 2]], ids: [[3]]", what --values takes. */
void conform_written_put_inputs(const conform_slot *s, FILE *out);

#endif
