#include <stdlib.h>

#include "all_specs.h"
#include "reach.h"
#include "test.h"

static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};

static conform_reach needs_of(ifn_op op, conform_profile profile)
{
    conform_reach reach = {0};
    conform_reach_need(&reach, specs[op], profile);
    return reach;
}

static int64_t needed(conform_reach *r, reach_key key, reach_kind kind, int list, int at)
{
    return reach_row_of(&r->needed, key)->at[reach_class(kind, list, at)];
}

/* A class that does not depend on dtype, form or output is promised of the op; each octave from 0 up to its limit
 * once. */
static void smoke_promises_each_octave_once(void **state)
{
    (void)state;
    conform_reach r = needs_of(IFN_OP_ARGMAX_WITH_PROB, PROFILE_SMOKE);
    assert_int_equal(r.needed.n, 1);
    assert_int_equal(needed(&r, any, REACH_OCTAVES, 0, 0), 0); /* an empty row has no maximum */
    assert_int_equal(needed(&r, any, REACH_OCTAVES, 0, 1), 1);
    assert_int_equal(needed(&r, any, REACH_OCTAVES, 0, 19), 1); /* 262 144 */
    assert_int_equal(needed(&r, any, REACH_OCTAVES, 0, 20), 0);
    conform_reach_close(&r);
}

/* A row of Q4_K is whole blocks of 256 elements, so there are none of 1 to 255. */
static void ci_promises_more_of_each_dtype_and_nothing_impossible(void **state)
{
    (void)state;
    conform_reach r = needs_of(IFN_OP_LINEAR, PROFILE_CI);
    const reach_key q4_k = {IFN_DTYPE_Q4_K, REACH_ANY_FORM, REACH_ANY_DTYPE};
    const reach_key f32 = {IFN_DTYPE_F32, REACH_ANY_FORM, REACH_ANY_DTYPE};
    const reach_key prepared = {IFN_DTYPE_Q4_K, 1, IFN_DTYPE_F32};
    assert_int_equal(needed(&r, q4_k, REACH_OCTAVES, 2, 0), 8);
    for (int octave = 1; octave < 9; octave++) {
        assert_int_equal(needed(&r, q4_k, REACH_OCTAVES, 2, octave), 0);
        assert_int_equal(needed(&r, f32, REACH_OCTAVES, 2, octave), 8);
    }
    for (int octave = 9; octave < 18; octave++) { /* up to 65 536 */
        assert_int_equal(needed(&r, q4_k, REACH_OCTAVES, 2, octave), 8);
        assert_int_equal(needed(&r, prepared, REACH_OCTAVES, 2, octave), 1);
    }
    assert_int_equal(needed(&r, q4_k, REACH_OCTAVES, 2, 18), 0);
    conform_reach_close(&r);
}

static void what_is_written_is_promised_of_each_of_its_dtypes(void **state)
{
    (void)state;
    conform_reach r = needs_of(IFN_OP_QUANTIZE_ROWS, PROFILE_SMOKE);
    const reach_key q4_k = {IFN_DTYPE_F32, REACH_ANY_FORM, IFN_DTYPE_Q4_K};
    assert_int_equal(needed(&r, q4_k, REACH_OCTAVES, 1, 9), 1);
    assert_int_equal(needed(&r, q4_k, REACH_OCTAVES, 1, 8), 0);
    conform_reach_close(&r);
}

/* Sizes that depend on each other are found: a column that begins at 256 needs a wide row. */
static void sizes_that_hang_together_are_possible(void **state)
{
    (void)state;
    conform_reach r = needs_of(IFN_OP_COPY_2D_FROM_COLS, PROFILE_CI);
    assert_int_equal(needed(&r, any, REACH_OCTAVES, 3, 9), 8);
    conform_reach_close(&r);
}

static void regimes_and_relations_are_those_of_the_op(void **state)
{
    (void)state;
    static const struct {
        ifn_op op;
        const char *relations; /* '1': the op has this relation */
    } cases[] = {
        {IFN_OP_MATMUL, "11101001100"},       {IFN_OP_ADD, "11101011100"},
        {IFN_OP_ATTENTION, "11011101111"},    {IFN_OP_KV_STORE, "11011001001"},
        {IFN_OP_COPY_IN, "10001001000"},      {IFN_OP_APPLY_ROPE, "11111011100"},
        {IFN_OP_COPY_OUT, "10001001000"},     {IFN_OP_LINEAR, "11101101100"},
        {IFN_OP_TRANSPOSE_2D, "11001001000"},
    };
    for (size_t k = 0; k < N_OF(cases); k++) {
        conform_reach r = needs_of(cases[k].op, PROFILE_SMOKE);
        for (int i = 0; i < CONFORM_INVARIANCES; i++)
            assert_that(needed(&r, any, REACH_RELATIONS, i, 0) == cases[k].relations[i] - '0',
                        "%s: R%d", ifn_op_name(cases[k].op), i);
        conform_reach_close(&r);
    }
    conform_reach r = needs_of(IFN_OP_SWIGLU, PROFILE_CI);
    const reach_key coded = {IFN_DTYPE_F32, 0, IFN_DTYPE_Q8_32F};
    const reach_key plain = {IFN_DTYPE_F32, 0, IFN_DTYPE_F32};
    assert_int_equal(needed(&r, plain, REACH_RELATIONS, 6, 0), 8);
    assert_int_equal(needed(&r, coded, REACH_RELATIONS, 6, 0), 0); /* in place only as f32 */
    conform_reach_close(&r);
    r = needs_of(IFN_OP_ADD, PROFILE_SMOKE);
    const int tiny = TIER_T1 * FAMILY_COUNT + FAMILY_TINY,
              lattice = TIER_T0 * FAMILY_COUNT + FAMILY_LATTICE;
    assert_int_equal(needed(&r, any, REACH_REGIMES, tiny, 0), 1);
    assert_int_equal(needed(&r, any, REACH_REGIMES, lattice, 0), 0); /* the op has no sums */
    assert_int_equal(needed(&r, any, REACH_REGIMES, TIER_GOLDEN * FAMILY_COUNT + FAMILY_WRITTEN, 0),
                     4);
    conform_reach_close(&r);
}

static void ci_promises_pairs_of_residues(void **state)
{
    (void)state;
    conform_reach smoke = needs_of(IFN_OP_MATMUL, PROFILE_SMOKE),
                  ci = needs_of(IFN_OP_MATMUL, PROFILE_CI);
    for (int at = 0; at < REACH_N_RESIDUES * REACH_N_RESIDUES; at++) {
        assert_int_equal(needed(&smoke, any, REACH_RESIDUES, 0, at), 0);
        assert_int_equal(needed(&ci, any, REACH_RESIDUES, 0, at), 1);
    }
    conform_reach_close(&smoke);
    conform_reach_close(&ci);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(smoke_promises_each_octave_once),
        RUN(ci_promises_more_of_each_dtype_and_nothing_impossible),
        RUN(what_is_written_is_promised_of_each_of_its_dtypes),
        RUN(sizes_that_hang_together_are_possible),
        RUN(regimes_and_relations_are_those_of_the_op),
        RUN(ci_promises_pairs_of_residues),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
