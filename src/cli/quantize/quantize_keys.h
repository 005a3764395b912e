/* Writes the keys of a quantized file: those of the input except for keys that the new weights make wrong, the file
 * type, and facts about the importance matrix. */
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
