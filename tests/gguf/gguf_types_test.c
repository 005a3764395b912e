#include "gguf_priv.h"

#include "test.h"

/* Numbers, elements and bytes per block, as the format's table of types has them. */
static const struct {
    uint32_t number;
    const char *name;
    int64_t elements;
    uint64_t bytes;
    bool known;
} expected[] = {
    {0, "F32", 1, 4, true},          {1, "F16", 1, 2, true},
    {2, "Q4_0", 32, 18, true},       {3, "Q4_1", 32, 20, true},
    {6, "Q5_0", 32, 22, true},       {7, "Q5_1", 32, 24, true},
    {8, "Q8_0", 32, 34, true},       {9, "Q8_1", 32, 36, false},
    {10, "Q2_K", 256, 84, true},     {11, "Q3_K", 256, 110, true},
    {12, "Q4_K", 256, 144, true},    {13, "Q5_K", 256, 176, true},
    {14, "Q6_K", 256, 210, true},    {15, "Q8_K", 256, 292, false},
    {16, "IQ2_XXS", 256, 66, false}, {17, "IQ2_XS", 256, 74, false},
    {18, "IQ3_XXS", 256, 98, false}, {19, "IQ1_S", 256, 50, false},
    {20, "IQ4_NL", 32, 18, false},   {21, "IQ3_S", 256, 110, false},
    {22, "IQ2_S", 256, 82, false},   {23, "IQ4_XS", 256, 136, false},
    {24, "I8", 1, 1, false},         {25, "I16", 1, 2, false},
    {26, "I32", 1, 4, false},        {27, "I64", 1, 8, false},
    {28, "F64", 1, 8, false},        {29, "IQ1_M", 256, 56, false},
    {30, "BF16", 1, 2, true},        {34, "TQ1_0", 256, 54, false},
    {35, "TQ2_0", 256, 66, false},   {39, "MXFP4", 32, 17, false},
    {40, "NVFP4", 64, 36, false},    {41, "Q1_0", 128, 18, false},
    {42, "Q2_0", 64, 18, false},
};

TEST(every_type_of_the_field_has_its_name_and_size)
{
    for (size_t i = 0; i < N_OF(expected); i++) {
        ifn_gguf_tensor_type type;
        assert_true(ifn_gguf_find_tensor_type(expected[i].number, &type));
        assert_string_equal(type.name, expected[i].name);
        assert_int_equal(type.block_elements, expected[i].elements);
        assert_int_equal(type.block_bytes, expected[i].bytes);
        assert_int_equal(type.known, expected[i].known);
        if (type.known)
            assert_int_equal(ifn_dtype_to_gguf(type.dtype), (int)expected[i].number);
    }
}

TEST(every_other_number_is_no_type)
{
    size_t found = 0;
    ifn_gguf_tensor_type type;
    for (uint32_t number = 0; number < 1000; number++)
        found += ifn_gguf_find_tensor_type(number, &type);
    assert_int_equal(found, N_OF(expected));
    /* The dtype of activations has no number in GGUF, and "no number" must not mean 2^32 - 1. */
    assert_false(ifn_gguf_find_tensor_type((uint32_t)IFN_GGUF_TYPE_NONE, &type));
}

TEST(the_bytes_of_a_tensor_are_its_blocks)
{
    ifn_gguf_tensor_type type;
    uint64_t bytes;
    assert_true(ifn_gguf_find_tensor_type(12, &type));
    assert_true(ifn_gguf_tensor_bytes(&type, 512, 3, &bytes));
    assert_int_equal(bytes, 2 * 144 * 3);
    assert_true(ifn_gguf_tensor_bytes(&type, 0, 3, &bytes));
    assert_int_equal(bytes, 0);
    assert_false(ifn_gguf_tensor_bytes(&type, 511, 3, &bytes));
    assert_true(ifn_gguf_find_tensor_type(28, &type));
    assert_false(ifn_gguf_tensor_bytes(&type, INT64_MAX, 1, &bytes));
    assert_false(ifn_gguf_tensor_bytes(&type, INT64_MAX / 8, 3, &bytes));
}

TEST(value_types_have_names_and_sizes)
{
    static const uint32_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    static const char integer[] = "yyyyyynnnnyyn", is_signed[] = "nynynynnnnnyn";
    for (uint32_t i = 0; i < N_OF(bytes); i++) {
        assert_true(ifn_gguf_is_value_type(i));
        assert_int_equal(ifn_gguf_value_bytes((ifn_gguf_type)i), bytes[i]);
        assert_int_equal(ifn_gguf_is_integer((ifn_gguf_type)i), integer[i] == 'y');
        assert_int_equal(ifn_gguf_is_signed((ifn_gguf_type)i), is_signed[i] == 'y');
    }
    assert_false(ifn_gguf_is_value_type(13));
    assert_false(ifn_gguf_is_value_type(UINT32_MAX));
    assert_int_equal(ifn_gguf_value_bytes((ifn_gguf_type)13), 0);
    assert_string_equal(ifn_gguf_type_name(IFN_GGUF_UINT32), "u32");
    assert_string_equal(ifn_gguf_type_name(IFN_GGUF_ARRAY), "array");
    assert_string_equal(ifn_gguf_type_name((ifn_gguf_type)13), "?");
}
