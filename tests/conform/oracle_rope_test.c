#include <math.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"
#include "fuzz.h"

static const int64_t positions[] = {0, 1, 2, 7, 4095, 4096, 32767, 131071, 1 << 20};

static int64_t choose_pos(fuzz *f)
{
    return fuzz_pick_of(f, positions, N_OF(positions));
}

TEST(honest_ropes_of_rows_pass)
{
    fuzz f;
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

TEST(honest_ropes_of_one_row_pass)
{
    fuzz f;
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

/* Two pairs: the first is rotated by a quarter turn, the second not at all. */
TEST(a_quarter_turn)
{
    const conform_declared strict = {0};
    for (int64_t pairing = 0; pairing < 2; pairing++) {
        fuzz f;
        const int64_t dims[] = {1, 1, 4, 0, pairing};
        fuzz_open(&f, IFN_OP_APPLY_ROPE);
        f.c = (conform_case){.op = IFN_OP_APPLY_ROPE, .tier = TIER_T1, .family = FAMILY_NORMAL};
        memcpy(f.c.dim, dims, sizeof dims);
        assert_true(fuzz_begin(&f));
        memcpy(fuzz_floats(&f, "x"), (float[]){2, 3, 5, INFINITY}, 16);
        memcpy(fuzz_floats(&f, "table"), (float[]){0, 1, 1, 0}, 16);
        f.module->truth(&f.c, &f.l, f.data, &strict, &f.pool, f.truth);
        const conform_truth *t = &f.truth[conform_tensor_index(&f.l, "out")];
        /* half-split pairs (2, 5) and (3, inf); interleaved (2, 3) and (5, inf) */
        assert_true(t->want[0] == (pairing ? -3 : -5));
        assert_true(t->want[pairing ? 1 : 2] == 2);
        assert_true(isnan(t->want[pairing ? 2 : 1])); /* 0 * inf */
        assert_true(isinf(t->want[3]));
        const double bound = (conform_gamma(2) * (pairing ? 3 : 5) + 3 * SMIN) * CONFORM_WIDEN;
        assert_true(fabs(t->bound[0] - bound) <= bound * 1e-12);
        fuzz_end(&f);
        ifn_backend_close(f.backend);
        conform_pool_fini(&f.pool);
    }
}

static void choose_rows(fuzz *f)
{
    const int64_t dims[] = {2, 2, 64, 4095, (int64_t)(f->n % 2)};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void honestly(fuzz *f)
{
    fuzz_run(f);
}

static void with_the_other_pairing(fuzz *f)
{
    f->call.args.apply_rope.pairing ^= 1;
    fuzz_run(f);
}

static void turning_backwards(fuzz *f)
{
    float *table = fuzz_floats(f, "table");
    for (int i = 0; i < 2 * 64; i++)
        table[i] = i % 64 < 32 ? table[i] : -table[i];
    fuzz_run(f);
}

static void by_a_table_in_bf16(fuzz *f)
{
    float *table = fuzz_floats(f, "table");
    for (int i = 0; i < 2 * 64; i++)
        table[i] = (float)conform_bf16_value(conform_bf16_nearest((double)table[i]));
    fuzz_run(f);
}

static void by_the_first_row_only(fuzz *f)
{
    float *table = fuzz_floats(f, "table");
    memcpy(table + 64, table, 64 * sizeof *table);
    fuzz_run(f);
}

TEST(planted_faults_are_caught)
{
    void (*const faults[])(fuzz *) = {with_the_other_pairing, turning_backwards, by_a_table_in_bf16,
                                      by_the_first_row_only};
    assert_int_equal(
        fuzz_caught(IFN_OP_APPLY_ROPE, TIER_T1, FAMILY_NORMAL, 20, choose_rows, honestly), 0);
    for (size_t i = 0; i < N_OF(faults); i++)
        assert_int_equal(
            fuzz_caught(IFN_OP_APPLY_ROPE, TIER_T1, FAMILY_NORMAL, 20, choose_rows, faults[i]),
            100);
}
