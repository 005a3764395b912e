#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

TEST(dtypes_are_lists_of_storage_types)
{
    spec_op *spec = assert_read("split:", "dtypes: [F32, q6_k]\nout_dtypes: [F32, Q8_32F]\nsplit:");
    assert_int_equal(spec->n_dtypes, 2);
    assert_int_equal(spec->dtypes[1], IFN_DTYPE_Q6_K);
    assert_int_equal(spec->n_out_dtypes, 2);
    assert_int_equal(spec->out_dtypes[1], IFN_DTYPE_Q8_32F);
    spec_op_free(spec);
    assert_refused(
        "split:", "dtypes: [F31]\nsplit:", "8:10: 'F31' is no dtype, expected one as F32 or Q4_K");
    spec = assert_read("split:", "dtypes: [stored, Q8_32F]\nout_dtypes: [stored blocks]\nsplit:");
    assert_int_equal(spec->n_dtypes, IFN_DTYPE_COUNT);
    for (int i = 0; i < spec->n_dtypes; i++)
        assert_int_equal(spec->dtypes[i], i);
    assert_int_equal(spec->n_out_dtypes, 10);
    assert_int_equal(spec->out_dtypes[0], IFN_DTYPE_Q8_0);
    assert_int_equal(spec->out_dtypes[9], IFN_DTYPE_Q6_K);
    spec_op_free(spec);
    spec =
        assert_read("split:", "dtypes: [blocks of 256]\nout_dtypes: [F16, blocks of 32]\nsplit:");
    assert_int_equal(spec->n_dtypes, 5);
    assert_int_equal(spec->dtypes[0], IFN_DTYPE_Q2_K);
    assert_int_equal(spec->dtypes[4], IFN_DTYPE_Q6_K);
    assert_int_equal(spec->n_out_dtypes, 6); /* Q8_32F, a block format of 32, is in no file */
    assert_int_equal(spec->out_dtypes[1], IFN_DTYPE_Q8_0);
    assert_int_equal(spec->out_dtypes[5], IFN_DTYPE_Q5_1);
    spec_op_free(spec);
    assert_refused(
        "split:", "dtypes: [stored, stored]\nsplit:", "8:18: too many dtypes, expected at most 16");
    assert_refused("split:", "out_dtypes: F32\nsplit:", "8:13: a single value, expected a list");
}

TEST(a_call_is_cut_along_two_dimensions_at_most)
{
    static const struct {
        const char *text;
        ifn_cut first, second;
    } cases[] = {
        {"[]", IFN_CUT_NONE, IFN_CUT_NONE},
        {"[rows, columns]", IFN_CUT_ROWS, IFN_CUT_COLS},
        {"[features, rows]", IFN_CUT_FEATURES, IFN_CUT_ROWS},
        {"[heads, key blocks]", IFN_CUT_HEADS, IFN_CUT_KEY_BLOCKS},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        spec_op *spec = assert_read("[elements]", cases[i].text);
        assert_int_equal(spec->split[0], cases[i].first);
        assert_int_equal(spec->split[1], cases[i].second);
        spec_op_free(spec);
    }
    assert_refused("[elements]", "[layers]",
                   "8:9: 'layers', expected elements, rows, columns, features, heads or key "
                   "blocks");
    assert_refused("[elements]", "[rows, rows, rows]",
                   "8:21: entry 3 of a list, expected at most 2");
}

#define CONTRACT "{class: E, bound: numerics 6}"

TEST(a_contract_has_a_class_and_a_bound)
{
    spec_op *spec = assert_read(
        CONTRACT, "{class: B, depth: n, quality: [Q2_K, Q3_K], special: [NaN in gives NaN out]}");
    assert_int_equal(spec->contract_class, 'B');
    assert_null(spec->bound);
    assert_int_equal(spec->n_quality, 2);
    assert_int_equal(spec->quality[0], IFN_DTYPE_Q2_K);
    spec_op_free(spec);
    assert_refused(CONTRACT, "{class: X}", "9:19: 'X', expected B, E or U (numerics 3)");
    assert_refused(CONTRACT, "{class: EE}", "9:19: 'EE', expected B, E or U (numerics 3)");
    assert_refused(CONTRACT, "{class: E}", "9:11: no key 'bound', expected one for class E");
    assert_refused(CONTRACT, "{bound: numerics 6}", "9:11: no key 'class', expected one");
    assert_refused(CONTRACT, "{class: B, tolerance: 1}",
                   "9:22: unknown key 'tolerance', expected bound, depth, quality, special");
}
