#include <inferno/gguf_writer.h>

#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "paths.h"
#include "sample.h"
#include "test.h"

static ifn_gguf_writer *w;

static int open_writer(void **state)
{
    (void)state;
    return ifn_gguf_writer_open(temp_path("entries.gguf"), 64, NULL, &w, NULL) != IFN_OK;
}

static int close_writer(void **state)
{
    (void)state;
    ifn_gguf_writer_close(w);
    return 0;
}

static ifn_gguf *finish_and_open(void)
{
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    assert_ok(ifn_gguf_open(temp_path("entries.gguf"), NULL, &gguf, &err), err);
    return gguf;
}

static void assert_misuse(ifn_status status, const ifn_error *err, const char *why)
{
    assert_int_equal(status, IFN_ERR_ARGUMENT);
    assert_that(strstr(err->text, why) != NULL, "'%s' does not say '%s'", err->text, why);
}

static void integers_must_fit_their_type(void **state)
{
    (void)state;
    static const struct {
        ifn_gguf_type type;
        uint64_t largest;
    } cases[] = {
        {IFN_GGUF_UINT8, UINT8_MAX},   {IFN_GGUF_INT8, INT8_MAX},     {IFN_GGUF_UINT16, UINT16_MAX},
        {IFN_GGUF_INT16, INT16_MAX},   {IFN_GGUF_UINT32, UINT32_MAX}, {IFN_GGUF_INT32, INT32_MAX},
        {IFN_GGUF_UINT64, UINT64_MAX}, {IFN_GGUF_INT64, INT64_MAX},
    };
    ifn_error e;
    for (size_t i = 0; i < N_OF(cases); i++) {
        const char *key = ifn_gguf_type_name(cases[i].type);
        assert_ok(ifn_gguf_writer_put_uint(w, key, cases[i].type, cases[i].largest, &e), e);
        if (cases[i].largest < UINT64_MAX)
            assert_misuse(ifn_gguf_writer_put_uint(w, "x", cases[i].type, cases[i].largest + 1, &e),
                          &e, "does not fit");
    }
    static const ifn_gguf_type none[] = {IFN_GGUF_FLOAT32, IFN_GGUF_BOOL, IFN_GGUF_STRING,
                                         IFN_GGUF_ARRAY, (ifn_gguf_type)13};
    for (size_t i = 0; i < N_OF(none); i++)
        assert_misuse(ifn_gguf_writer_put_uint(w, "x", none[i], 1, &e), &e, "no integer");
    ifn_gguf *gguf = finish_and_open();
    for (size_t i = 0; i < N_OF(cases); i++) {
        uint64_t value;
        assert_ok(
            ifn_gguf_get_uint(gguf, ifn_gguf_type_name(cases[i].type), UINT64_MAX, &value, &e), e);
        assert_true(value == cases[i].largest);
    }
    ifn_gguf_close(gguf);
}

static void arrays_hold_scalars_as_the_file_has_them(void **state)
{
    (void)state;
    const int16_t numbers[] = {-2, 3, 300};
    const double doubles[] = {0.25, -1e300};
    ifn_error e;
    assert_ok(ifn_gguf_writer_put_array(w, "i16", IFN_GGUF_INT16, numbers, 3, &e), e);
    assert_ok(ifn_gguf_writer_put_array(w, "f64", IFN_GGUF_FLOAT64, doubles, 2, &e), e);
    assert_misuse(ifn_gguf_writer_put_array(w, "s", IFN_GGUF_STRING, numbers, 1, &e), &e,
                  "no scalars");
    assert_misuse(ifn_gguf_writer_put_array(w, "b", IFN_GGUF_BOOL, "\0\1\2", 3, &e), &e,
                  "neither 0 nor 1");
    ifn_gguf *gguf = finish_and_open();
    const ifn_gguf_kv *entry = ifn_gguf_find(gguf, "i16");
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(ifn_gguf_element_int(entry, i), numbers[i]);
    assert_true(ifn_gguf_element_float(ifn_gguf_find(gguf, "f64"), 1) == -1e300);
    assert_null(ifn_gguf_find(gguf, "b"));
    ifn_gguf_close(gguf);
}

static void an_impossible_count_is_out_of_memory(void **state)
{
    (void)state;
    ifn_error e;
    const ifn_string endless[] = {{"", SIZE_MAX - 4}, {"", 8}};
    assert_int_equal(ifn_gguf_writer_put_array(w, "a", IFN_GGUF_UINT64, "", UINT64_MAX, &e),
                     IFN_ERR_NOMEM);
    assert_int_equal(ifn_gguf_writer_put_array(w, "a", IFN_GGUF_UINT8, "", UINT64_MAX, &e),
                     IFN_ERR_NOMEM);
    assert_int_equal(ifn_gguf_writer_put_strings(w, "a", endless, 2, &e), IFN_ERR_NOMEM);
    assert_int_equal(ifn_gguf_writer_put_string(w, "a", "", SIZE_MAX, &e), IFN_ERR_NOMEM);
    ifn_gguf *gguf = finish_and_open();
    assert_int_equal(ifn_gguf_n_kv(gguf), 1);
    ifn_gguf_close(gguf);
}

static void the_alignment_is_opens_to_say(void **state)
{
    (void)state;
    ifn_error e;
    const char *key = "general.alignment";
    assert_misuse(ifn_gguf_writer_put_uint(w, key, IFN_GGUF_UINT32, 32, &e), &e,
                  "found 32, expected 64 as given to open");
    assert_misuse(ifn_gguf_writer_put_string(w, key, "64", 2, &e), &e, "is no integer");
    assert_ok(ifn_gguf_writer_put_uint(w, key, IFN_GGUF_UINT32, 64, &e), e);
    ifn_gguf *gguf = finish_and_open();
    assert_int_equal(ifn_gguf_n_kv(gguf), 1);
    assert_int_equal(ifn_gguf_alignment(gguf), 64);
    ifn_gguf_close(gguf);
}

static void a_key_is_not_empty(void **state)
{
    (void)state;
    ifn_error e;
    assert_misuse(ifn_gguf_writer_put_bool(w, "", 1, &e), &e, "the key is empty");
}

static void assert_same_kv(const ifn_gguf_kv *a, const ifn_gguf_kv *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->element_type, b->element_type);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->key.bytes, b->key.bytes);
    assert_memory_equal(a->key.data, b->key.data, a->key.bytes);
    assert_memory_equal(a->data, b->data, a->bytes);
}

static void every_entry_of_another_file_is_copied_as_it_is(void **state)
{
    (void)state;
    ifn_gguf *from;
    ifn_error e;
    sample_write(temp_path("from.gguf"), 64);
    assert_ok(ifn_gguf_open(temp_path("from.gguf"), NULL, &from, &e), e);
    for (uint64_t i = 0; i < ifn_gguf_n_kv(from); i++)
        assert_ok(ifn_gguf_writer_put_kv(w, ifn_gguf_kv_at(from, i), &e), e);
    ifn_gguf *to = finish_and_open();
    assert_int_equal(ifn_gguf_n_kv(to), ifn_gguf_n_kv(from));
    for (uint64_t i = 0; i < ifn_gguf_n_kv(from); i++)
        assert_same_kv(ifn_gguf_kv_at(from, i), ifn_gguf_kv_at(to, i));
    ifn_gguf_close(to);
    ifn_gguf_close(from);
}

static image version_1(int nested)
{
    image bytes = image_new(1, 0, 3);
    image_kv_u32(&bytes, "n", 7);
    image_key(&bytes, "s", IFN_GGUF_STRING);
    image_string(&bytes, "text");
    image_key(&bytes, "a", IFN_GGUF_ARRAY);
    image_u32(&bytes, nested ? IFN_GGUF_ARRAY : IFN_GGUF_STRING);
    image_length(&bytes, nested ? 0 : 2);
    if (!nested) {
        image_string(&bytes, "x");
        image_string(&bytes, "yz");
    }
    return bytes;
}

static void strings_of_version_1_get_longer_lengths(void **state)
{
    (void)state;
    image bytes = version_1(0);
    ifn_gguf *from;
    ifn_error e;
    ifn_string s;
    const ifn_gguf_kv *entry;
    uint64_t cursor = 0;
    assert_ok(image_open(&bytes, &from, &e), e);
    for (uint64_t i = 0; i < 3; i++)
        assert_ok(ifn_gguf_writer_put_kv(w, ifn_gguf_kv_at(from, i), &e), e);
    image_close(from);
    image_free(&bytes);
    ifn_gguf *to = finish_and_open();
    assert_int_equal(ifn_gguf_element_uint(ifn_gguf_find(to, "n"), 0), 7);
    assert_ok(ifn_gguf_get_string(to, "s", &s, &e), e);
    assert_memory_equal(s.data, "text", 4);
    assert_ok(ifn_gguf_get_array(to, "a", IFN_GGUF_STRING, &entry, &e), e);
    assert_memory_equal(ifn_gguf_next_string(to, entry, &cursor).data, "x", 1);
    assert_memory_equal(ifn_gguf_next_string(to, entry, &cursor).data, "yz", 2);
    ifn_gguf_close(to);
}

static void many_strings_of_version_1_have_room_for_their_lengths(void **state)
{
    (void)state;
    enum { N = 10000 };
    image bytes = image_new(1, 0, 1);
    image_key(&bytes, "a", IFN_GGUF_ARRAY);
    image_u32(&bytes, IFN_GGUF_STRING);
    image_length(&bytes, N);
    for (int i = 0; i < N; i++)
        image_string(&bytes, i % 2 ? "x" : "");
    ifn_gguf *from;
    ifn_error e;
    uint64_t cursor = 0;
    assert_ok(image_open(&bytes, &from, &e), e);
    assert_ok(ifn_gguf_writer_put_kv(w, ifn_gguf_find(from, "a"), &e), e);
    image_close(from);
    image_free(&bytes);
    ifn_gguf *to = finish_and_open();
    const ifn_gguf_kv *entry = ifn_gguf_find(to, "a");
    assert_int_equal(entry->count, N);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(ifn_gguf_next_string(to, entry, &cursor).bytes, i % 2);
    assert_int_equal(cursor, entry->bytes);
    ifn_gguf_close(to);
}

static void arrays_of_arrays_of_version_1_are_not_copied(void **state)
{
    (void)state;
    image bytes = version_1(1);
    ifn_gguf *from;
    ifn_error e;
    assert_ok(image_open(&bytes, &from, &e), e);
    assert_misuse(ifn_gguf_writer_put_kv(w, ifn_gguf_find(from, "a"), &e), &e, "array of arrays");
    image_close(from);
    image_free(&bytes);
}

static void an_entry_that_contradicts_itself_is_refused(void **state)
{
    (void)state;
    static const uint8_t data[16] = {2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'};
    const ifn_gguf_kv good = {.key = {"k", 1},
                              .type = IFN_GGUF_ARRAY,
                              .element_type = IFN_GGUF_STRING,
                              .count = 1,
                              .data = data,
                              .bytes = 10,
                              .length_bytes = 8};
    ifn_gguf_kv bad[6];
    ifn_error e;
    for (size_t i = 0; i < N_OF(bad); i++)
        bad[i] = good;
    bad[0].bytes = 9;
    bad[1].bytes = 11;
    bad[2].count = 2;
    bad[3].length_bytes = 0;
    bad[4].element_type = (ifn_gguf_type)13;
    bad[5].type = IFN_GGUF_UINT8;
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_misuse(ifn_gguf_writer_put_kv(w, &bad[i], &e), &e, "contradicts itself");
    assert_ok(ifn_gguf_writer_put_kv(w, &good, &e), e);
}

#define RUN_OPEN(name) cmocka_unit_test_setup_teardown(name, open_writer, close_writer)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_OPEN(integers_must_fit_their_type),
        RUN_OPEN(arrays_hold_scalars_as_the_file_has_them),
        RUN_OPEN(an_impossible_count_is_out_of_memory),
        RUN_OPEN(the_alignment_is_opens_to_say),
        RUN_OPEN(a_key_is_not_empty),
        RUN_OPEN(every_entry_of_another_file_is_copied_as_it_is),
        RUN_OPEN(strings_of_version_1_get_longer_lengths),
        RUN_OPEN(many_strings_of_version_1_have_room_for_their_lengths),
        RUN_OPEN(arrays_of_arrays_of_version_1_are_not_copied),
        RUN_OPEN(an_entry_that_contradicts_itself_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
