#include <string.h>

#include "fuzz.h"

static void honest_softmax_passes(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_SOFTMAX_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.dim[0] = fuzz_size(&f, 0, 4);
        f.c.dim[1] = fuzz_size(&f, 0, FUZZ_PICK(&f, 5, 40, 300));
        f.c.alias = (int32_t)fuzz_size(&f, 0, 1);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static ifn_dtype choose_out(fuzz *f)
{
    return FUZZ_PICK(f, 0, 1) ? IFN_DTYPE_F32 : IFN_DTYPE_Q8_32F;
}

static int64_t choose_dim(fuzz *f, int64_t low)
{
    return f->c.out_dtype == IFN_DTYPE_F32 ? fuzz_size(f, low, FUZZ_PICK(f, 5, 40, 300))
                                           : 32 * fuzz_size(f, low, 5);
}

static void honest_rms_norm_passes(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_RMS_NORM);
    while (fuzz_next(&f, 2000)) {
        f.c.out_dtype = choose_out(&f);
        const int64_t dims[] = {fuzz_size(&f, 0, 4), choose_dim(&f, 1), fuzz_size(&f, 0, 3),
                                FUZZ_PICK(&f, 0, 5, 6)};
        memcpy(f.c.dim, dims, sizeof dims);
        f.c.alias = (int32_t)fuzz_size(&f, 0, 3);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_swiglu_passes(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_SWIGLU);
    while (fuzz_next(&f, 2000)) {
        f.c.out_dtype = choose_out(&f);
        f.c.dim[0] = fuzz_size(&f, 0, 4);
        f.c.dim[1] = choose_dim(&f, 0);
        f.c.alias = (int32_t)fuzz_size(&f, 0, 2);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(honest_softmax_passes),
        RUN(honest_rms_norm_passes),
        RUN(honest_swiglu_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
