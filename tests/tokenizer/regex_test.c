#include "regex.h"

#include <stdlib.h>
#include <string.h>

#include "fail_alloc.h"
#include "test.h"

static void expect_expanded(const char *pattern, const char *expected)
{
    char out[256];
    const size_t n = ifn_regex_expand(pattern, NULL);
    assert_int_equal(n, strlen(expected));
    assert_int_equal(ifn_regex_expand(pattern, out), n);
    assert_memory_equal(out, expected, n);
}

TEST(space_is_written_out)
{
    expect_expanded("a\\s+b", "a[\\p{Z}\\t-\\r\\x{85}]+b");
    expect_expanded("\\s+(?!\\S)", "[\\p{Z}\\t-\\r\\x{85}]+(?![^\\p{Z}\\t-\\r\\x{85}])");
    expect_expanded("[^\\s\\p{L}]", "[^\\p{Z}\\t-\\r\\x{85}\\p{L}]");
    expect_expanded("[a]\\s", "[a][\\p{Z}\\t-\\r\\x{85}]");
    expect_expanded("[\\]\\s]", "[\\]\\p{Z}\\t-\\r\\x{85}]");
    expect_expanded("\\[\\\\s", "\\[\\\\s");
    expect_expanded("x\\", "x\\");
}

/* A search with a compiled pattern, which counts all memory that it takes. */
typedef struct search {
    fail_alloc heap;
    ifn_regex_context context;
    pcre2_code *code;
    pcre2_match_data *scratch;
} search;

static ifn_status search_open(search *s, const char *pattern, long fail_at, ifn_error *err)
{
    *s = (search){.code = NULL};
    fail_alloc_init(&s->heap, fail_at);
    IFN_TRY(ifn_regex_context_open(&s->context, &s->heap.allocator, err));
    IFN_TRY(ifn_regex_compile(&s->context, pattern, &s->code, err));
    return ifn_regex_scratch(&s->context, &s->scratch, err);
}

static void search_close(search *s)
{
    pcre2_match_data_free(s->scratch);
    pcre2_code_free(s->code);
    ifn_regex_context_close(&s->context);
    assert_int_equal(s->heap.live_blocks, 0);
}

static ifn_status search_find(search *s, const char *text, size_t bytes, size_t from, bool *found,
                              size_t *begin, size_t *end, ifn_error *err)
{
    return ifn_regex_find(&s->context, s->code, s->scratch, (const uint8_t *)text, bytes, from,
                          found, begin, end, err);
}

static int matches(const char *pattern, const char *text)
{
    search s;
    ifn_error err;
    bool found;
    size_t begin, end;
    assert_ok(search_open(&s, pattern, -1, &err), err);
    assert_ok(search_find(&s, text, strlen(text), 0, &found, &begin, &end, &err), err);
    search_close(&s);
    return found && begin == 0 && end == strlen(text);
}

TEST(space_is_white_space_and_nothing_else)
{
    static const char *const spaces[] = {
        "\t",           "\n",           "\v",
        "\f",           "\r",           " ",
        "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80" /* U+1680 */,
        "\xe2\x80\x80", "\xe2\x80\xa8", "\xe2\x80\xa9",
        "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
    static const char *const others[] = {"\xe1\xa0\x8e" /* U+180E */,
                                         "\xe2\x80\x8b" /* U+200B */,
                                         "\xe2\x96\x81",
                                         "\xef\xbb\xbf",
                                         "\x1c",
                                         "a",
                                         "\x08",
                                         "\x0e"};
    for (size_t i = 0; i < N_OF(spaces); i++) {
        assert_that(matches("\\s", spaces[i]) && matches("[\\s]", spaces[i]), "space %zu", i);
        assert_that(!matches("\\S", spaces[i]) && !matches("[^\\s]", spaces[i]), "space %zu", i);
    }
    for (size_t i = 0; i < N_OF(others); i++) {
        assert_that(!matches("\\s", others[i]) && !matches("[\\s]", others[i]), "other %zu", i);
        assert_that(matches("\\S", others[i]) && matches("[^\\s]", others[i]), "other %zu", i);
    }
}

TEST(classes_are_those_of_unicode)
{
    assert_true(matches("\\p{L}+", "\xc3\xa9\xe4\xb8\xad\xf0\x90\x90\x80"));
    assert_true(matches("\\p{N}+", "1\xc2\xbd\xe2\x85\xa3\xe0\xa5\xa7"));
    assert_true(matches("\\w\\d", "\xc3\xa9\xd9\xa1")); /* not only ASCII */
    assert_true(matches("(?i:'S)", "'\xc5\xbf"));       /* the long s folds to s */
    assert_false(matches("\\p{L}", "\xcc\x81"));        /* a combining mark */
}

TEST(a_search_starts_where_it_is_told)
{
    search s;
    ifn_error err;
    bool found;
    size_t begin = 0, end = 0;
    assert_ok(search_open(&s, "b+", -1, &err), err);
    assert_ok(search_find(&s, "bbxbx\0bbb", 9, 1, &found, &begin, &end, &err), err);
    assert_true(found && begin == 1 && end == 2);
    assert_ok(search_find(&s, "bbxbx\0bbb", 9, 4, &found, &begin, &end, &err), err);
    assert_true(found && begin == 6 && end == 9);
    assert_ok(search_find(&s, "bbx", 3, 2, &found, &begin, &end, &err), err);
    assert_false(found);
    search_close(&s);
}

TEST(a_wrong_pattern_is_refused)
{
    search s;
    ifn_error err;
    assert_int_equal(search_open(&s, "(a", -1, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "(a"));
    search_close(&s);
}

/* Nested repeats need a stack that grows with the text. If the machine code's stack is too small, the interpreter
 * takes over, and its stack comes from the hook. */
enum { DEEP = 100000 };

static char *deep_text(void)
{
    char *text = malloc(DEEP);
    assert_non_null(text);
    memset(text, 'a', DEEP);
    return text;
}

TEST(a_deep_search_goes_on_without_machine_code)
{
    search s;
    ifn_error err;
    bool found;
    size_t begin, end;
    char *text = deep_text();
    assert_ok(search_open(&s, "(?:(a)|b)*$", -1, &err), err);
    const size_t before = s.heap.live_bytes;
    assert_ok(search_find(&s, text, DEEP, 0, &found, &begin, &end, &err), err);
    assert_true(found && begin == 0 && end == DEEP);
    assert_true(s.heap.peak_bytes > before + DEEP);
    search_close(&s);
    free(text);
}

TEST(a_deep_search_without_memory_says_so)
{
    search s;
    ifn_error err;
    bool found;
    size_t begin, end;
    char *text = deep_text();
    assert_ok(search_open(&s, "(?:(a)|b)*$", -1, &err), err);
    s.heap.fail_at = s.heap.n_calls;
    s.heap.fail_from = 1;
    assert_int_equal(search_find(&s, text, DEEP, 0, &found, &begin, &end, &err), IFN_ERR_NOMEM);
    assert_int_equal(err.status, IFN_ERR_NOMEM);
    search_close(&s);
    free(text);
}

TEST(what_else_goes_wrong_is_told_in_words)
{
    search s;
    ifn_error err;
    bool found;
    size_t begin, end;
    assert_ok(search_open(&s, "a", -1, &err), err);
    assert_int_equal(search_find(&s, "aa", 2, 3, &found, &begin, &end, &err), IFN_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "bad offset value"));
    search_close(&s);
}

TEST(without_memory_every_step_says_so)
{
    search s;
    ifn_error err;
    long n = 0;
    for (;; n++) {
        err.status = IFN_OK;
        const ifn_status status = search_open(&s, "\\p{L}+|\\s+(?!\\S)", n, &err);
        const bool untouched = s.heap.n_calls <= n;
        search_close(&s);
        if (untouched)
            break;
        assert_int_equal(status, IFN_ERR_NOMEM);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
    }
    assert_true(n >= 4);
}
