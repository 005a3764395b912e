#include <string.h>

#include "fuzz.h"

static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};

/* Mostly few keys; now and then around the edges of a block of 256. */
static void choose(fuzz *f)
{
    f->c.dtype = caches[fuzz_size(f, 0, 2)];
    const int64_t first_pos =
        f->n % 8 ? fuzz_size(f, 0, 40) : FUZZ_PICK(f, 253, 254, 255, 256, 510, 511, 512);
    const int64_t head_dim =
        f->c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(f, 0, 2) : fuzz_size(f, 0, 40);
    const int64_t dims[] = {fuzz_size(f, 0, 4),
                            first_pos,
                            fuzz_size(f, 0, 3),
                            FUZZ_PICK(f, 1, 1, 2, 3),
                            FUZZ_PICK(f, 1, 2, 3, 4, 7, 8),
                            head_dim};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void honest_attention_passes(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_ATTENTION);
    while (fuzz_next(&f, 800)) {
        choose(&f);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(honest_attention_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
