#include "op_case.h"

TEST(every_byte_comes_back)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_OUT, seed);
        const size_t bytes = (size_t)op_size(&c, 300);
        unsigned char data[300];
        for (size_t i = 0; i < bytes; i++)
            data[i] = (unsigned char)op_below(&c, 256);
        const void *x = op_input(&c, data, bytes);
        void *host = op_output(&c, bytes);
        c.args.copy_out = IFN_ARGS(copy_out, .host = host, .x = x, .bytes = bytes);
        op_shape(&c, "bytes %zu", bytes);
        while (op_next(&c))
            op_expect_bytes(&c, "host", host, data, bytes);
    }
}
