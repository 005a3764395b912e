/* Any bytes as a GGUF file: refused, or opened and read to the last byte. */
#include <inferno/gguf.h>

#include "fuzz_input.h"
#include "walk.h"

int fuzz_one(const uint8_t *data, size_t bytes)
{
    ifn_gguf *gguf;
    ifn_error err = {.status = IFN_OK, .text = ""};
    uint64_t sum;
    const ifn_status status = ifn_gguf_open_memory("fuzz", data, bytes, NULL, &gguf, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT(status != IFN_OK || walk_everything(gguf, &sum));
    ifn_gguf_close(gguf);
    return status == IFN_OK;
}
