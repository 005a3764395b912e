/* Zeros of decoded weights: the backend may choose their sign in Q3_K and Q6_K only. */
#include "leaves.h"

static ifn_status positive_dequantize_rows(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const int64_t begin = a->part_end > 0 ? a->part_begin : 0;
    const int64_t end = a->part_end > 0 ? a->part_end : a->rows;
    for (int64_t i = begin * a->cols; status == IFN_OK && i < end * a->cols; i++)
        a->out[i] += 0.0f;
    return status;
}

LEAF(dequantize_rows, positive)

static leaf_statistics judge_zeros(ifn_dtype dtype)
{
    const conform_case c = {.op = IFN_OP_DEQUANTIZE_ROWS,
                            .dtype = dtype,
                            .dim = {3, 512},
                            .tier = TIER_T1,
                            .family = FAMILY_ZEROS};
    return leaf_judge(&positive[0], c, CHECK_VALUE);
}

TEST(a_zero_has_either_sign_where_scales_have_one)
{
    assert_int_equal(judge_zeros(IFN_DTYPE_Q3_K).n_check, 0);
    assert_int_equal(judge_zeros(IFN_DTYPE_Q6_K).n_check, 0);
    assert_true(judge_zeros(IFN_DTYPE_Q6_K).n_passed > 0);
}

TEST(a_zero_of_the_wrong_sign_is_found_elsewhere)
{
    assert_true(judge_zeros(IFN_DTYPE_Q8_0).n_check > 0);
    assert_true(judge_zeros(IFN_DTYPE_Q4_0).n_check > 0);
}
