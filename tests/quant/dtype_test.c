#include <inferno/dtype.h>

#include "test.h"

TEST(names_go_both_ways)
{
    for (int i = 0; i < IFN_DTYPE_COUNT; i++) {
        ifn_dtype found;
        assert_true(ifn_dtype_from_name(ifn_dtype_name((ifn_dtype)i), &found));
        assert_int_equal(found, i);
    }
    ifn_dtype found;
    assert_true(ifn_dtype_from_name("q4_k", &found));
    assert_int_equal(found, IFN_DTYPE_Q4_K);
    assert_false(ifn_dtype_from_name("q4", &found));
    assert_false(ifn_dtype_from_name("q4_kk", &found));
    assert_string_equal(ifn_dtype_name((ifn_dtype)1000), "?");
}

TEST(gguf_numbers_go_both_ways)
{
    ifn_dtype found;
    for (int i = 0; i < IFN_DTYPE_COUNT; i++) {
        const int32_t number = ifn_dtype_to_gguf((ifn_dtype)i);
        if (i == IFN_DTYPE_Q8_32F) {
            assert_int_equal(number, IFN_GGUF_TYPE_NONE);
            continue;
        }
        assert_true(ifn_dtype_from_gguf((uint32_t)number, &found));
        assert_int_equal(found, i);
    }
    assert_false(ifn_dtype_from_gguf(4, &found));
    assert_false(ifn_dtype_from_gguf(UINT32_MAX, &found));
    assert_int_equal(ifn_dtype_to_gguf(IFN_DTYPE_COUNT), IFN_GGUF_TYPE_NONE);
}

TEST(rows_are_whole_blocks)
{
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_F16, 3), 6);
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_Q4_K, 512), 288);
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_Q8_0, 33), 0);
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_Q8_0, 0), 0);
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_F32, -1), 0);
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_F32, INT64_MAX), 0);
    assert_int_equal(ifn_dtype_row_bytes(IFN_DTYPE_COUNT, 32), 0);
    assert_true(ifn_dtype_is_quantized(IFN_DTYPE_Q8_32F));
    assert_false(ifn_dtype_is_quantized(IFN_DTYPE_BF16));
    assert_int_equal(ifn_dtype_block_elements(IFN_DTYPE_COUNT), 0);
    assert_int_equal(ifn_dtype_block_bytes(IFN_DTYPE_Q6_K), 210);
}
