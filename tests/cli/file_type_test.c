#include "file_type.h"

#include <string.h>

#include "test.h"

static const file_type *parsed(const char *name)
{
    const file_type *type;
    ifn_error err;
    assert_ok(file_type_parse("TYPE", name, &type, &err), err);
    return type;
}

TEST(names_are_those_of_the_field_in_any_case)
{
    assert_string_equal(parsed("q4_k_m")->name, "Q4_K_M");
    assert_int_equal(parsed("Q4_K_S")->dtype, IFN_DTYPE_Q4_K);
    assert_int_equal(parsed("q3_k_l")->dtype, IFN_DTYPE_Q3_K);
    assert_int_equal(parsed("bf16")->dtype, IFN_DTYPE_BF16);
}

TEST(a_k_type_without_a_letter_is_its_m)
{
    static const char *const pairs[][2] = {
        {"Q3_K", "Q3_K_M"}, {"Q4_K", "Q4_K_M"}, {"Q5_K", "Q5_K_M"}};
    for (size_t i = 0; i < N_OF(pairs); i++) {
        assert_int_equal(parsed(pairs[i][0])->number, parsed(pairs[i][1])->number);
        assert_int_equal(parsed(pairs[i][0])->dtype, parsed(pairs[i][1])->dtype);
    }
}

TEST(other_names_are_refused_with_the_list)
{
    /* Q2_K_S needs an importance matrix; no file holds Q8_32F. */
    static const char *const names[] = {"Q9", "", "Q2_K_S", "Q8_32F", "Q4_K_M "};
    const file_type *type;
    ifn_error err;
    for (size_t i = 0; i < N_OF(names); i++)
        assert_int_equal(file_type_parse("TYPE", names[i], &type, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(file_type_parse("--type", "Q9", &type, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(
        err.text, "--type: found 'Q9', expected one of F32 F16 BF16 Q8_0 Q4_0 Q4_1 Q5_0 Q5_1 Q2_K "
                  "Q3_K_S Q3_K_M Q3_K_L Q3_K Q4_K_S Q4_K_M Q4_K Q5_K_S Q5_K_M Q5_K Q6_K");
}

TEST(the_usage_text_names_all_of_them)
{
    assert_non_null(strstr(FILE_TYPE_USAGE, "TYPE: F32 F16 "));
    assert_non_null(strstr(FILE_TYPE_USAGE, " Q6_K\n"));
}
