#include "gguf_priv.h"

#include <string.h>

#include "image.h"
#include "test.h"

static ifn_gguf_cursor over(const image *bytes)
{
    return (ifn_gguf_cursor){.data = bytes->data,
                             .bytes = bytes->bytes,
                             .length_bytes = bytes->version == 1 ? 4 : 8,
                             .label = "image.gguf",
                             .where = {"some.key", 8}};
}

TEST(taking_more_than_there_is_fails_and_takes_nothing)
{
    image bytes = {NULL, 0, 3, 0};
    image_zeros(&bytes, 7);
    ifn_gguf_cursor c = over(&bytes);
    ifn_error err;
    const uint8_t *p;
    uint64_t eight;
    uint32_t four;
    assert_int_equal(ifn_gguf_take_u64(&c, "a number", &eight, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, "image.gguf: some.key: truncated: found 7 bytes at byte 0, "
                                  "expected a number of 8");
    assert_int_equal(ifn_gguf_take(&c, UINT64_MAX, "all", &p, NULL), IFN_ERR_FORMAT);
    assert_int_equal(c.at, 0);
    assert_int_equal(ifn_gguf_take_u32(&c, "a number", &four, NULL), IFN_OK);
    assert_int_equal(ifn_gguf_take_u32(&c, "a number", &four, &err), IFN_ERR_FORMAT);
    assert_int_equal(err.offset, 4);
    assert_int_equal(ifn_gguf_take(&c, 3, "the rest", &p, NULL), IFN_OK);
    assert_int_equal(ifn_gguf_take(&c, 0, "nothing", &p, NULL), IFN_OK);
    image_free(&bytes);
}

TEST(lengths_are_as_wide_as_the_version_has_them)
{
    for (uint32_t version = 1; version <= 3; version++) {
        image bytes = {NULL, 0, version, 0};
        image_string(&bytes, "hello");
        ifn_gguf_cursor c = over(&bytes);
        ifn_string s;
        assert_int_equal(ifn_gguf_take_string(&c, "a string", &s, NULL), IFN_OK);
        assert_int_equal(s.bytes, 5);
        assert_memory_equal(s.data, "hello", 5);
        assert_int_equal(c.at, version == 1 ? 9 : 13);
        image_free(&bytes);
    }
}

TEST(a_string_one_byte_too_long_is_refused)
{
    image bytes = {NULL, 0, 3, 0};
    image_length(&bytes, 5);
    image_put(&bytes, "four", 4);
    ifn_gguf_cursor c = over(&bytes);
    ifn_string s;
    assert_int_equal(ifn_gguf_take_string(&c, "a string", &s, NULL), IFN_ERR_FORMAT);
    image_free(&bytes);
}

TEST(values_whose_bytes_wrap_are_refused)
{
    image bytes = {NULL, 0, 3, 0};
    image_zeros(&bytes, 64);
    static const uint64_t counts[] = {UINT64_MAX, (UINT64_MAX >> 3) + 2, 9};
    for (size_t i = 0; i < N_OF(counts); i++) {
        ifn_gguf_cursor c = over(&bytes);
        assert_int_equal(ifn_gguf_skip_values(&c, IFN_GGUF_UINT64, counts[i], 8, NULL),
                         IFN_ERR_FORMAT);
    }
    ifn_gguf_cursor c = over(&bytes);
    assert_int_equal(ifn_gguf_skip_values(&c, IFN_GGUF_UINT64, 8, 8, NULL), IFN_OK);
    image_free(&bytes);
}

TEST(a_bool_is_nothing_but_0_and_1)
{
    image bytes = {NULL, 0, 3, 0};
    image_put(&bytes, "\0\1\2", 3);
    ifn_gguf_cursor c = over(&bytes);
    ifn_error err;
    assert_int_equal(ifn_gguf_skip_values(&c, IFN_GGUF_BOOL, 2, 8, NULL), IFN_OK);
    c.at = 0;
    assert_int_equal(ifn_gguf_skip_values(&c, IFN_GGUF_BOOL, 3, 8, &err), IFN_ERR_FORMAT);
    assert_int_equal(err.offset, 2);
    assert_non_null(strstr(err.text, "bool: found 2"));
    image_free(&bytes);
}

/* Skips an array of one u8 that is nested in `levels` arrays of one element. */
static ifn_status skip_nested(int levels)
{
    image bytes = {NULL, 0, 3, 0};
    for (int i = 0; i < levels; i++) {
        image_u32(&bytes, i + 1 < levels ? IFN_GGUF_ARRAY : IFN_GGUF_UINT8);
        image_length(&bytes, 1);
    }
    image_put(&bytes, "x", 1);
    ifn_gguf_cursor c = over(&bytes);
    const ifn_status status = ifn_gguf_skip_values(&c, IFN_GGUF_ARRAY, 1, IFN_GGUF_MAX_DEPTH, NULL);
    assert_true(status != IFN_OK || c.at == c.bytes);
    image_free(&bytes);
    return status;
}

TEST(nesting_ends_at_a_fixed_depth)
{
    for (int levels = 1; levels <= IFN_GGUF_MAX_DEPTH; levels++)
        assert_int_equal(skip_nested(levels), IFN_OK);
    assert_int_equal(skip_nested(IFN_GGUF_MAX_DEPTH + 1), IFN_ERR_FORMAT);
    assert_int_equal(skip_nested(100000), IFN_ERR_FORMAT);
}

TEST(no_value_type_beyond_the_last_is_taken)
{
    image bytes = {NULL, 0, 3, 0};
    image_u32(&bytes, 13);
    ifn_gguf_cursor c = over(&bytes);
    ifn_error err;
    ifn_gguf_type type;
    assert_int_equal(ifn_gguf_take_type(&c, &type, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, "image.gguf: some.key: value type: found 13, expected 0 to 12");
    assert_int_equal(err.offset, 0);
    image_free(&bytes);
}
