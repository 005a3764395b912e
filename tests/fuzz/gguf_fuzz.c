/* Any bytes: opened or refused, and whatever opens is read to its last byte. */
#include "fuzz_input.h"

#include <stdlib.h>

#include <inferno/gguf.h>

#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    ifn_gguf *gguf;
    ifn_error err = {.status = IFN_OK, .text = ""};
    uint64_t sum;
    const ifn_status status = ifn_gguf_open_memory("fuzz", data, bytes, NULL, &gguf, &err);
    if (status != err.status || (status != IFN_OK && !*err.text))
        abort();
    if (status == IFN_OK && !walk_everything(gguf, &sum))
        abort();
    ifn_gguf_close(gguf);
    return 0;
}
