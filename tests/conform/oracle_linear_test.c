#include <string.h>

#include "fuzz.h"

static void choose(fuzz *f)
{
    static const ifn_dtype dtypes[] = {
        IFN_DTYPE_F32,  IFN_DTYPE_F16,  IFN_DTYPE_BF16, IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0,
        IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1, IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K,
        IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K, IFN_DTYPE_Q6_K};
    const int is_q8 = f->c.op == IFN_OP_LINEAR_Q8;
    f->c.dtype = dtypes[is_q8 ? 3 + fuzz_size(f, 0, 9) : fuzz_size(f, 0, 12)];
    const int64_t block = ifn_dtype_block_elements(f->c.dtype);
    const int64_t k =
        block == 1 ? fuzz_size(f, 0, 300) : block * fuzz_size(f, 0, block == 32 ? 12 : 3);
    const int64_t dims[] = {fuzz_size(f, 0, 3),          fuzz_size(f, 0, 5),    k,
                            FUZZ_PICK(f, 1, 1, 1, 2, 4), FUZZ_PICK(f, 0, 0, 3), fuzz_size(f, 0, 1)};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void run(ifn_op op)
{
    fuzz f;
    fuzz_open(&f, op);
    while (fuzz_next(&f, 2000)) {
        choose(&f);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_linear_passes(void **state)
{
    (void)state;
    run(IFN_OP_LINEAR);
}

static void honest_linear_q8_passes(void **state)
{
    (void)state;
    run(IFN_OP_LINEAR_Q8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(honest_linear_passes),
        RUN(honest_linear_q8_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
