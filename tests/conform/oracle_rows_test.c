#include <string.h>

#include "fuzz.h"

static const ifn_dtype dtypes[] = {IFN_DTYPE_F32,  IFN_DTYPE_F16,   IFN_DTYPE_BF16, IFN_DTYPE_Q8_0,
                                   IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1,  IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1,
                                   IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K,  IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K,
                                   IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_32F};

static int64_t cols_for(fuzz *f, ifn_dtype dtype)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    return block == 1 ? fuzz_size(f, 0, 70) : block * fuzz_size(f, 0, 3);
}

static void honest_copies_in_pass(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_COPY_IN);
    while (fuzz_next(&f, 200)) {
        f.c.dim[0] = fuzz_size(&f, 0, 200);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_decoders_pass(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_DEQUANTIZE_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.dtype = dtypes[fuzz_size(&f, 0, 13)];
        f.c.dim[0] = fuzz_size(&f, 0, 3);
        f.c.dim[1] = cols_for(&f, f.c.dtype);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_gathers_pass(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_GATHER_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.dtype = dtypes[fuzz_size(&f, 0, 12)];
        f.c.dim[0] = fuzz_size(&f, 0, 5);
        f.c.dim[1] = fuzz_size(&f, 0, 7);
        f.c.dim[2] = cols_for(&f, f.c.dtype);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_quantizers_pass(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_QUANTIZE_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.out_dtype = dtypes[fuzz_size(&f, 0, 13)];
        f.c.dim[0] = fuzz_size(&f, 0, 3);
        f.c.dim[1] = cols_for(&f, f.c.out_dtype);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_stores_pass(void **state)
{
    static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_KV_STORE);
    while (fuzz_next(&f, 1000)) {
        f.c.dtype = caches[fuzz_size(&f, 0, 2)];
        const int64_t head_dim =
            f.c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(&f, 0, 3) : fuzz_size(&f, 0, 40);
        const int64_t dims[] = {fuzz_size(&f, 0, 4), fuzz_size(&f, 0, 5), fuzz_size(&f, 0, 3),
                                fuzz_size(&f, 0, 3), head_dim};
        memcpy(f.c.dim, dims, sizeof dims);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(honest_copies_in_pass),  RUN(honest_decoders_pass), RUN(honest_gathers_pass),
        RUN(honest_quantizers_pass), RUN(honest_stores_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
