/* Writes the certificate of one op on one backend as JSON, and reads it back. */
#ifndef CONFORM_REACH_JSON_H
#define CONFORM_REACH_JSON_H

#include "json_writer.h"
#include "reach.h"
#include "spec_doc.h"

void conform_reach_put(const conform_reach *self, ifn_op op, json_writer *out);
/* Reads it back; of two rows with the same key the later one counts. */
IFN_NODISCARD ifn_status conform_reach_read(spec_doc *doc, spec_node *node, ifn_op op,
                                            conform_reach *out);

#endif
