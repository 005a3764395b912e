#include "amount.h"

#include "test.h"

TEST(bytes_are_in_the_largest_unit_there_is_one_of)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } rows[] = {{0, "0 B"},
                {1023, "1023 B"},
                {1024, "1.00 KiB"},
                {76800, "75.0 KiB"},
                {1024 * 1024 - 1, "1.00 MiB"},
                {UINT64_C(637534208), "608 MiB"},
                {UINT64_C(1) << 50, "1.00 PiB"}};
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_string_equal(amount_bytes(rows[i].bytes).text, rows[i].text);
}

TEST(counts_are_in_thousands_of_thousands)
{
    assert_string_equal(amount_count(999).text, "999");
    assert_string_equal(amount_count(596049920).text, "596 M");
    assert_string_equal(amount_count(1235000000).text, "1.24 G");
    assert_string_equal(amount_count(99960).text, "100 k");
}
