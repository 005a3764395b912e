#include "json_writer.h"

#include <math.h>
#include <string.h>

#include "json.h"
#include "memory_file.h"
#include "test.h"

static void assert_written(memory_file *f, const char *expected)
{
    memory_file_close(f);
    assert_string_equal(f->data, expected);
    free(f->data);
}

TEST(containers_nest_and_commas_stand_between)
{
    memory_file f;
    memory_file_open(&f);
    json_writer w = {.out = f.file};
    json_begin_object(&w);
    json_key(&w, "empty");
    json_begin_array(&w);
    json_end_array(&w);
    json_key(&w, "list");
    json_begin_array(&w);
    json_put_int(&w, -1);
    json_begin_object(&w);
    json_end_object(&w);
    json_put_bool(&w, 1);
    json_end_array(&w);
    json_key(&w, "none");
    json_put_string(&w, NULL);
    json_end_object(&w);
    json_finish(&w);
    assert_written(&f, "{\"empty\": [], \"list\": [-1, {}, true], \"none\": null}\n");
}

TEST(strings_are_escaped)
{
    memory_file f;
    memory_file_open(&f);
    json_writer w = {.out = f.file};
    static const char bytes[] = "a\"b\\c\n\t\r\b\f\x01\x7f\0z\xc3\xa9";
    json_put_bytes(&w, bytes, sizeof bytes - 1);
    assert_written(&f, "\"a\\\"b\\\\c\\n\\t\\r\\b\\f\\u0001\\u007f\\u0000z\xc3\xa9\"");
}

TEST(bytes_that_are_no_utf8_become_the_replacement_character)
{
    memory_file f;
    memory_file_open(&f);
    json_writer w = {.out = f.file};
    json_put_string(&w, "\xff|\xf0\x9f|\xed\xa0\x80|\xc0\xaf");
    assert_written(&f, "\"\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|"
                       "\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(numbers_read_back_as_they_were)
{
    static const double doubles[] = {0, -0.5, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125};
    static const float floats[] = {0.1f, 1.0f / 3, 3.4e38f, 1e-45f, 16777217.0f};
    memory_file f;
    memory_file_open(&f);
    json_writer w = {.out = f.file};
    json_begin_array(&w);
    for (size_t i = 0; i < N_OF(doubles); i++)
        json_put_double(&w, doubles[i]);
    for (size_t i = 0; i < N_OF(floats); i++)
        json_put_float(&w, floats[i]);
    json_put_int(&w, INT64_MIN);
    json_put_uint(&w, UINT64_MAX);
    json_end_array(&w);
    memory_file_close(&f);
    json *read = json_parse(f.data, NULL);
    for (size_t i = 0; i < N_OF(doubles); i++)
        assert_true(read->items[i].number == doubles[i]);
    for (size_t i = 0; i < N_OF(floats); i++)
        assert_true((float)read->items[N_OF(doubles) + i].number == floats[i]);
    assert_non_null(strstr(f.data, "-9223372036854775808, 18446744073709551615]"));
    assert_true(strncmp(f.data, "[0, -0.5, 0.1, 0.333", 20) == 0);
    json_free(read);
    free(f.data);
}

TEST(what_json_has_no_number_for_is_null)
{
    memory_file f;
    memory_file_open(&f);
    json_writer w = {.out = f.file};
    json_begin_array(&w);
    json_put_double(&w, (double)NAN);
    json_put_double(&w, (double)INFINITY);
    json_put_float(&w, -INFINITY);
    json_end_array(&w);
    assert_written(&f, "[null, null, null]");
}
