#include "ids.h"

#include <string.h>

#include "memory_file.h"
#include "test.h"

static void assert_parsed(const char *list, const ifn_token *expected, size_t n)
{
    ifn_tokens ids = {0};
    ifn_error err = {0};
    assert_ok(ids_parse(list, &ids, &err), err);
    assert_int_equal(ids.n, n);
    assert_memory_equal(ids.ids, expected, n * sizeof *expected);
    ifn_tokens_free(&ids);
}

TEST(lists_are_read_as_typed_and_as_printed)
{
    static const ifn_token three[] = {1, 20, INT32_MAX};
    assert_parsed("1,20,2147483647", three, 3);
    assert_parsed("[1, 20, 2147483647]\n", three, 3);
    assert_parsed("  1 20\t2147483647 ", three, 3);
    assert_parsed("1", three, 1);
}

TEST(what_is_no_id_is_rejected)
{
    static const char *const bad[] = {
        "",     "[]",   "a",    "1,b", "1,-2", "2147483648", "99999999999999", "1.5",
        "1,2x", "1,,2", "1,2,", ",1",  "[1,2", "1]",         "[1]2",           "[[1]]"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_tokens ids = {0};
        ifn_error err = {0};
        assert_that(ids_parse(bad[i], &ids, &err) == IFN_ERR_ARGUMENT, "accepted '%s'", bad[i]);
        ifn_tokens_free(&ids);
    }
}

TEST(the_id_to_blame_is_named)
{
    ifn_tokens ids = {0};
    ifn_error err = {0};
    assert_ok(ids_parse("3,300,5", &ids, &err), err);
    assert_ok(ids_check(&ids, 301, &err), err);
    assert_int_equal(ids_check(&ids, 300, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "id 300 at index 1: the vocabulary ends at 299");
    ifn_tokens_free(&ids);
}

TEST(lists_are_printed_with_brackets)
{
    static const ifn_token ids[] = {12522, 5193};
    memory_file f;
    memory_file_open(&f);
    ids_print(f.file, ids, 2);
    ids_print(f.file, NULL, 0);
    memory_file_close(&f);
    assert_string_equal(f.data, "[12522, 5193][]");
    free(f.data);
}
