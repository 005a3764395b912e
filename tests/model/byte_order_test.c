/* A machine that would misread the floats of a model refuses it in one line; any other machine opens it. */
#include "open_model.h"

TEST(a_model_opens_on_a_little_endian_machine_alone)
{
    const tiny_model m = tiny_default("qwen3");
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        opened o = open_model(&m);
        close_model(&o);
    } else {
        assert_refused(&m, IFN_ERR_UNSUPPORTED, "model.gguf",
                       ": found a big-endian machine, expected a little-endian one");
    }
}
