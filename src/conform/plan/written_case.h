/* Writes a case with its inputs as values, not as a seed: as a golden entry, and in a file of cases. */
#ifndef CONFORM_WRITTEN_CASE_H
#define CONFORM_WRITTEN_CASE_H

#include <stdio.h>

#include "slot.h"

/* Makes an entry of the inputs of a slot. NULL: a tensor has more than `most` values, an entry cannot hold that many,
 * or memory ran out. The caller frees it with conform_written_free. */
spec_entry *conform_written_of(const conform_slot *s, const char *name, int64_t most);
spec_entry *conform_written_copy(const spec_entry *entry);
void conform_written_free(spec_entry *entry); /* NULL is fine */

/* Writes one item of the list "cases" (spec/schema.yaml): the id, the name, and for a GOLDEN case its inputs and the
 * truth of its outputs, unless that is long. Long inputs are written as bytes, whatever they hold. */
void conform_written_put(const conform_slot *s, const char *name, FILE *out);

/* Writes the inputs alone on one line, in the form that --values takes: "a: [[1, 2]], ids: [[3]]". */
void conform_written_put_inputs(const conform_slot *s, FILE *out);

#endif
