#include <string.h>

#include "fuzz.h"

static const int64_t positions[] = {0, 1, 2, 7, 4095, 4096, 32767, 131071, 1 << 20};

static int64_t choose_pos(fuzz *f)
{
    return fuzz_pick_of(f, positions, N_OF(positions));
}

static void honest_ropes_of_rows_pass(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_APPLY_ROPE);
    while (fuzz_next(&f, 1000)) {
        const int64_t dims[] = {fuzz_size(&f, 0, 4), fuzz_size(&f, 0, 3), 2 * fuzz_size(&f, 0, 33),
                                choose_pos(&f), fuzz_size(&f, 0, 1)};
        memcpy(f.c.dim, dims, sizeof dims);
        f.c.alias = (int32_t)fuzz_size(&f, 0, 1);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static void honest_ropes_of_one_row_pass(void **state)
{
    fuzz f;
    (void)state;
    fuzz_open(&f, IFN_OP_APPLY_ROPE_SINGLE_ROW);
    while (fuzz_next(&f, 1000)) {
        const int64_t dims[] = {fuzz_size(&f, 0, 3), 2 * fuzz_size(&f, 0, 33), choose_pos(&f),
                                fuzz_size(&f, 0, 1)};
        memcpy(f.c.dim, dims, sizeof dims);
        f.c.alias = (int32_t)fuzz_size(&f, 0, 1);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(honest_ropes_of_rows_pass),
        RUN(honest_ropes_of_one_row_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
