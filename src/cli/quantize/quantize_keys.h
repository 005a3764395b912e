/* The keys of a file that quantize writes: those of the input but for what the new weights make untrue,
 * the type of the file, and the importance matrix. */
#ifndef IFN_CLI_QUANTIZE_KEYS_H
#define IFN_CLI_QUANTIZE_KEYS_H

#include <inferno/gguf.h>
#include <inferno/gguf_writer.h>

#include "file_type.h"
#include "imatrix.h"

/* `from`: the path of the importance matrix; NULL: there is none. */
IFN_NODISCARD ifn_status quantize_put_keys(const ifn_gguf *in, const file_type *wanted,
                                           const imatrix *importance, const char *from,
                                           ifn_gguf_writer *out, ifn_error *err);

#endif
