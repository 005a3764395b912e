#include <inferno/gguf.h>

#include <string.h>

#include "image.h"
#include "paths.h"
#include "sample.h"
#include "test.h"

static ifn_gguf *gguf;

static int open_sample(void **state)
{
    (void)state;
    const char *path = temp_path("sample.gguf");
    sample_write(path, 32);
    return ifn_gguf_open(path, NULL, &gguf, NULL) != IFN_OK;
}

static int close_sample(void **state)
{
    (void)state;
    ifn_gguf_close(gguf);
    return 0;
}

static void entries_are_found_by_index_and_by_name(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < ifn_gguf_n_kv(gguf); i++) {
        char key[64] = {0};
        const ifn_gguf_kv *entry = ifn_gguf_kv_at(gguf, i);
        memcpy(key, entry->key.data, entry->key.bytes);
        assert_ptr_equal(ifn_gguf_find(gguf, key), entry);
    }
    assert_null(ifn_gguf_kv_at(gguf, ifn_gguf_n_kv(gguf)));
    assert_null(ifn_gguf_find(gguf, "u"));
    assert_null(ifn_gguf_find(gguf, ""));
    assert_int_equal(ifn_gguf_n_tensors(gguf), SAMPLE_N_TENSORS);
    for (uint64_t i = 0; i < SAMPLE_N_TENSORS; i++) {
        const ifn_gguf_tensor *t = ifn_gguf_tensor_at(gguf, i);
        assert_ptr_equal(ifn_gguf_find_tensor(gguf, t->view.name), t);
    }
    assert_null(ifn_gguf_tensor_at(gguf, SAMPLE_N_TENSORS));
    assert_null(ifn_gguf_find_tensor(gguf, "matri"));
}

static void every_integer_type_gives_an_unsigned_integer(void **state)
{
    (void)state;
    static const char *const keys[] = {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"};
    for (size_t i = 0; i < N_OF(keys); i++) {
        uint64_t value;
        ifn_error err;
        assert_ok(ifn_gguf_get_uint(gguf, keys[i], 107, &value, &err), err);
        assert_int_equal(value, 100 + i);
    }
}

static void assert_fails(ifn_status status, const ifn_error *err, const char *text)
{
    assert_int_equal(status, IFN_ERR_FORMAT);
    assert_int_equal(err->status, IFN_ERR_FORMAT);
    const char *colon = strstr(err->text, ".gguf: ");
    assert_non_null(colon);
    assert_string_equal(colon + 7, text);
}

static void a_getter_says_file_and_key_and_what_it_found(void **state)
{
    (void)state;
    uint64_t u;
    double f;
    int b;
    ifn_string s;
    const ifn_gguf_kv *entry;
    ifn_error e;
    assert_fails(ifn_gguf_get_uint(gguf, "string", 9, &u, &e), &e,
                 "string: found string, expected an unsigned integer");
    assert_fails(ifn_gguf_get_uint(gguf, "f32", 9, &u, &e), &e,
                 "f32: found f32, expected an unsigned integer");
    assert_fails(ifn_gguf_get_uint(gguf, "bool", 9, &u, &e), &e,
                 "bool: found bool, expected an unsigned integer");
    assert_fails(ifn_gguf_get_uint(gguf, "array.u8", 9, &u, &e), &e,
                 "array.u8: found array of u8, expected an unsigned integer");
    assert_fails(ifn_gguf_get_uint(gguf, "no.such.key", 9, &u, &e), &e,
                 "no.such.key: found nothing, expected an unsigned integer");
    assert_fails(ifn_gguf_get_uint(gguf, "u32", 9, &u, &e), &e, "u32: found 104, expected 0 to 9");
    assert_fails(ifn_gguf_get_float(gguf, "u32", &f, &e), &e,
                 "u32: found u32, expected f32 or f64");
    assert_fails(ifn_gguf_get_bool(gguf, "u8", &b, &e), &e, "u8: found u8, expected bool");
    assert_fails(ifn_gguf_get_string(gguf, "nested", &s, &e), &e,
                 "nested: found array of array, expected string");
    assert_fails(ifn_gguf_get_array(gguf, "array.u8", IFN_GGUF_STRING, &entry, &e), &e,
                 "array.u8: found array of u8, expected array of string");
    assert_fails(ifn_gguf_get_array(gguf, "u8", IFN_GGUF_UINT8, &entry, &e), &e,
                 "u8: found u8, expected array of u8");
}

static void floats_bools_strings_and_arrays_come_as_they_are(void **state)
{
    (void)state;
    double f;
    int b = 7;
    ifn_string s;
    const ifn_gguf_kv *entry;
    ifn_error err;
    assert_ok(ifn_gguf_get_float(gguf, "f32", &f, &err), err);
    assert_true(f == 0.5);
    assert_ok(ifn_gguf_get_float(gguf, "f64", &f, &err), err);
    assert_true(f == 1.5);
    assert_ok(ifn_gguf_get_bool(gguf, "bool", &b, &err), err);
    assert_int_equal(b, 1);
    assert_ok(ifn_gguf_get_string(gguf, "string", &s, &err), err);
    assert_int_equal(s.bytes, 4);
    assert_memory_equal(s.data, "text", 4);
    assert_ok(ifn_gguf_get_string(gguf, "string.empty", &s, &err), err);
    assert_int_equal(s.bytes, 0);
    assert_ok(ifn_gguf_get_array(gguf, "array.u32", IFN_GGUF_UINT32, &entry, &err), err);
    assert_int_equal(entry->count, 2);
    assert_int_equal(ifn_gguf_element_uint(entry, 1), 0x01010101);
}

static void strings_of_an_array_are_walked_in_order(void **state)
{
    (void)state;
    static const ifn_string expected[] = {{"one", 3}, {"", 0}, {"three\0!", 7}};
    const ifn_gguf_kv *entry;
    ifn_error err;
    uint64_t cursor = 0;
    assert_ok(ifn_gguf_get_array(gguf, "array.string", IFN_GGUF_STRING, &entry, &err), err);
    assert_int_equal(entry->count, 3);
    for (size_t i = 0; i < N_OF(expected); i++) {
        const ifn_string s = ifn_gguf_next_string(gguf, entry, &cursor);
        assert_int_equal(s.bytes, expected[i].bytes);
        assert_memory_equal(s.data, expected[i].data, s.bytes);
    }
    assert_int_equal(cursor, entry->bytes);
    assert_int_equal(ifn_gguf_next_string(gguf, entry, &cursor).bytes, 0);
    cursor = 0;
    assert_int_equal(ifn_gguf_next_string(gguf, ifn_gguf_find(gguf, "u64"), &cursor).bytes, 0);
}

static void the_first_array_of_arrays_is_found(void **state)
{
    (void)state;
    assert_ptr_equal(ifn_gguf_first_nested_array(gguf), ifn_gguf_find(gguf, "nested"));
    image bytes = image_new(3, 0, 1);
    image_kv_u32(&bytes, "k", 1);
    ifn_gguf *other;
    ifn_error err;
    assert_ok(image_open(&bytes, &other, &err), err);
    assert_null(ifn_gguf_first_nested_array(other));
    image_close(other);
    image_free(&bytes);
}

static void tensor_data_is_what_was_written(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SAMPLE_N_TENSORS; i++) {
        const ifn_gguf_tensor *t = ifn_gguf_tensor_at(gguf, i);
        for (uint64_t k = 0; k < t->bytes; k++)
            assert_int_equal(((const uint8_t *)t->view.data)[k], 0x10 + i);
    }
}

/* A value of all ones in every type: the largest unsigned number, and the signed -1. */
static void numbers_are_sign_extended_and_never_out_of_range(void **state)
{
    (void)state;
    static const struct {
        ifn_gguf_type type;
        size_t bytes;
        uint64_t as_uint;
        int64_t as_int;
        double as_float;
    } cases[] = {
        {IFN_GGUF_UINT8, 1, 255, 255, 255.0},
        {IFN_GGUF_INT8, 1, UINT64_MAX, -1, -1.0},
        {IFN_GGUF_UINT16, 2, 65535, 65535, 65535.0},
        {IFN_GGUF_INT16, 2, UINT64_MAX, -1, -1.0},
        {IFN_GGUF_UINT32, 4, UINT32_MAX, UINT32_MAX, 4294967295.0},
        {IFN_GGUF_INT32, 4, UINT64_MAX, -1, -1.0},
        {IFN_GGUF_UINT64, 8, UINT64_MAX, -1, 18446744073709551616.0},
        {IFN_GGUF_INT64, 8, UINT64_MAX, -1, -1.0},
    };
    image bytes = image_new(3, 0, N_OF(cases));
    for (size_t i = 0; i < N_OF(cases); i++) {
        image_key(&bytes, ifn_gguf_type_name(cases[i].type), cases[i].type);
        image_put(&bytes, "\xff\xff\xff\xff\xff\xff\xff\xff", cases[i].bytes);
    }
    ifn_gguf *other;
    ifn_error err;
    assert_ok(image_open(&bytes, &other, &err), err);
    for (size_t i = 0; i < N_OF(cases); i++) {
        const ifn_gguf_kv *entry = ifn_gguf_kv_at(other, i);
        uint64_t value;
        assert_true(ifn_gguf_element_uint(entry, 0) == cases[i].as_uint);
        assert_true(ifn_gguf_element_int(entry, 0) == cases[i].as_int);
        assert_true(ifn_gguf_element_float(entry, 0) == cases[i].as_float);
        const ifn_status status =
            ifn_gguf_get_uint(other, ifn_gguf_type_name(cases[i].type), UINT64_MAX, &value, &err);
        assert_int_equal(status == IFN_OK, cases[i].as_float > 0.0);
        if (status != IFN_OK)
            assert_non_null(strstr(err.text, ": found -1, expected 0 to 18446744073709551615"));
    }
    image_close(other);
    image_free(&bytes);
}

static void a_float_is_no_integer_and_a_string_no_number(void **state)
{
    (void)state;
    assert_int_equal(ifn_gguf_element_uint(ifn_gguf_find(gguf, "f64"), 0), 0);
    assert_int_equal(ifn_gguf_element_int(ifn_gguf_find(gguf, "f32"), 0), 0);
    assert_int_equal(ifn_gguf_element_uint(ifn_gguf_find(gguf, "string"), 0), 0);
    assert_int_equal(ifn_gguf_element_uint(ifn_gguf_find(gguf, "bool"), 0), 1);
}

/* In version 1 the lengths of strings and all counts have 32 bits. */
static void version_1_gives_the_same_values(void **state)
{
    (void)state;
    image bytes = image_new(1, 0, 2);
    image_key(&bytes, "s", IFN_GGUF_STRING);
    image_string(&bytes, "text");
    image_key(&bytes, "a", IFN_GGUF_ARRAY);
    image_u32(&bytes, IFN_GGUF_STRING);
    image_length(&bytes, 2);
    image_string(&bytes, "x");
    image_string(&bytes, "yz");
    ifn_gguf *old;
    ifn_error err;
    ifn_string s;
    const ifn_gguf_kv *entry;
    uint64_t cursor = 0;
    assert_ok(image_open(&bytes, &old, &err), err);
    assert_ok(ifn_gguf_get_string(old, "s", &s, &err), err);
    assert_int_equal(s.bytes, 4);
    assert_ok(ifn_gguf_get_array(old, "a", IFN_GGUF_STRING, &entry, &err), err);
    assert_int_equal(ifn_gguf_next_string(old, entry, &cursor).bytes, 1);
    assert_memory_equal(ifn_gguf_next_string(old, entry, &cursor).data, "yz", 2);
    assert_int_equal(cursor, entry->bytes);
    image_close(old);
    image_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(entries_are_found_by_index_and_by_name),
        RUN(every_integer_type_gives_an_unsigned_integer),
        RUN(a_getter_says_file_and_key_and_what_it_found),
        RUN(floats_bools_strings_and_arrays_come_as_they_are),
        RUN(strings_of_an_array_are_walked_in_order),
        RUN(the_first_array_of_arrays_is_found),
        RUN(tensor_data_is_what_was_written),
        RUN(numbers_are_sign_extended_and_never_out_of_range),
        RUN(a_float_is_no_integer_and_a_string_no_number),
        RUN(version_1_gives_the_same_values),
    };
    return cmocka_run_group_tests(tests, open_sample, close_sample);
}
