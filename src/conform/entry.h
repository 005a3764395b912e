/* The golden and refuse entries of a spec, brought into a case. */
#ifndef CONFORM_ENTRY_H
#define CONFORM_ENTRY_H

#include "slot.h"

/* Finds the sizes for which the tensors of a GOLDEN entry fit. Returns 1, or 0 and a message. */
int conform_entry_dims(const conform_module *m, const spec_op *spec, const spec_entry *entry,
                       conform_case *c, ifn_error *err);

/* The entry's inputs over the generated ones; sizes and scalars that a REFUSE entry changes. */
IFN_NODISCARD ifn_status conform_entry_inputs(conform_slot *s, const spec_op *spec, ifn_error *err);

/* The entry's results in place of the oracle's. */
IFN_NODISCARD ifn_status conform_entry_truth(conform_slot *s, ifn_error *err);

#endif
