#include "tensor_types.h"

#include <string.h>

#include "test.h"

static ifn_dtype type_in(const char *name, int64_t cols, ifn_dtype wanted, int pure, int has_output)
{
    const type_rules rules = {.wanted = wanted, .pure = pure, .has_output = has_output};
    return type_of_matrix(&rules, name, cols);
}

static ifn_dtype type_at(int64_t cols, ifn_dtype wanted)
{
    return type_in("blk.0.ffn_up.weight", cols, wanted, 0, 1);
}

static void only_matrices_of_weights_may_change(void **state)
{
    (void)state;
    assert_true(type_may_change("blk.0.attn_q.weight", 2));
    assert_true(type_may_change("blk.0.ffn_gate_exps.weight", 3));
    assert_false(type_may_change("blk.0.attn_norm.weight", 1));
    assert_false(type_may_change("blk.0.attn_q.bias", 1));
    assert_false(type_may_change("blk.0.attn_q_norm.weight", 2));
    assert_false(type_may_change("blk.0.table", 2));
}

static void a_matrix_gets_the_type_asked_for_if_its_rows_fit(void **state)
{
    (void)state;
    for (int i = 0; i < IFN_DTYPE_COUNT; i++)
        assert_int_equal(type_at(512, (ifn_dtype)i), i);
}

static void rows_that_do_not_fit_fall_back(void **state)
{
    (void)state;
    static const ifn_dtype to[][2] = {
        {IFN_DTYPE_Q2_K, IFN_DTYPE_Q4_0}, {IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_0},
        {IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_0}, {IFN_DTYPE_Q5_K, IFN_DTYPE_Q5_1},
        {IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_0}, {IFN_DTYPE_Q8_0, IFN_DTYPE_Q8_0},
    };
    for (size_t i = 0; i < N_OF(to); i++) {
        assert_int_equal(type_at(96, to[i][0]), to[i][1]);
        assert_int_equal(type_at(172, to[i][0]), IFN_DTYPE_F16);
    }
    assert_int_equal(type_at(172, IFN_DTYPE_Q4_0), IFN_DTYPE_F16);
    assert_int_equal(type_at(172, IFN_DTYPE_BF16), IFN_DTYPE_BF16);
}

static void the_output_matrix_is_kept_better(void **state)
{
    (void)state;
    assert_int_equal(type_in("output.weight", 256, IFN_DTYPE_Q4_0, 0, 1), IFN_DTYPE_Q6_K);
    assert_int_equal(type_in("output.weight", 256, IFN_DTYPE_Q8_0, 0, 1), IFN_DTYPE_Q8_0);
    assert_int_equal(type_in("output.weight", 256, IFN_DTYPE_F16, 0, 1), IFN_DTYPE_F16);
    assert_int_equal(type_in("output.weight", 64, IFN_DTYPE_Q4_0, 0, 1), IFN_DTYPE_Q8_0);
    assert_int_equal(type_in("output.weight", 64, IFN_DTYPE_Q4_K, 0, 1), IFN_DTYPE_Q8_0);
    assert_int_equal(type_in("output.weight", 172, IFN_DTYPE_Q4_K, 0, 1), IFN_DTYPE_F16);
    assert_int_equal(type_in("token_embd.weight", 256, IFN_DTYPE_Q4_0, 0, 0), IFN_DTYPE_Q6_K);
    assert_int_equal(type_in("token_embd.weight", 256, IFN_DTYPE_Q4_0, 0, 1), IFN_DTYPE_Q4_0);
}

static void pure_makes_no_exception(void **state)
{
    (void)state;
    assert_int_equal(type_in("output.weight", 256, IFN_DTYPE_Q4_0, 1, 1), IFN_DTYPE_Q4_0);
    assert_int_equal(type_in("output.weight", 64, IFN_DTYPE_Q4_K, 1, 1), IFN_DTYPE_Q5_0);
}

static void types_are_read_by_name_and_others_refused_with_the_list(void **state)
{
    (void)state;
    ifn_dtype dtype;
    ifn_error err = {0};
    assert_ok(type_parse("TYPE", "q4_k", &dtype, &err), err);
    assert_int_equal(dtype, IFN_DTYPE_Q4_K);
    assert_int_equal(type_parse("TYPE", "Q8_32F", &dtype, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(type_parse("TYPE", "Q9", &dtype, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "TYPE: 'Q9', expected one of F32 F16 BF16 Q8_0 Q4_0 Q4_1 Q5_0 "
                                  "Q5_1 Q2_K Q3_K Q4_K Q5_K Q6_K");
}

static void file_types_have_the_numbers_of_the_field(void **state)
{
    (void)state;
    assert_int_equal(type_file_number(IFN_DTYPE_F32), 0);
    assert_int_equal(type_file_number(IFN_DTYPE_F16), 1);
    assert_int_equal(type_file_number(IFN_DTYPE_Q8_0), 7);
    assert_int_equal(type_file_number(IFN_DTYPE_Q4_K), 14);
    assert_int_equal(type_file_number(IFN_DTYPE_Q6_K), 18);
    assert_int_equal(type_file_number(IFN_DTYPE_BF16), 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(only_matrices_of_weights_may_change),
        RUN(a_matrix_gets_the_type_asked_for_if_its_rows_fit),
        RUN(rows_that_do_not_fit_fall_back),
        RUN(the_output_matrix_is_kept_better),
        RUN(pure_makes_no_exception),
        RUN(types_are_read_by_name_and_others_refused_with_the_list),
        RUN(file_types_have_the_numbers_of_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
