#include "pretokenize.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fail_alloc.h"
#include "patience.h"
#include "test.h"

typedef struct words {
    char text[512]; /* each word in brackets */
    size_t n, bytes;
} words;

static ifn_status note(void *cookie, const uint8_t *word, size_t bytes, ifn_error *err)
{
    (void)err;
    words *w = cookie;
    assert_true(w->bytes + bytes + 3 < sizeof w->text);
    w->text[w->bytes++] = '[';
    memcpy(w->text + w->bytes, word, bytes);
    w->bytes += bytes;
    w->text[w->bytes++] = ']';
    w->text[w->bytes] = '\0';
    w->n++;
    return IFN_OK;
}

static void expect_words_of(const char *rule, const char *text, size_t bytes, const char *expected,
                            size_t n_expected)
{
    ifn_pretokenizer pre;
    ifn_error err;
    words w = {.n = 0};
    const ifn_pre_rule *found = ifn_pre_rule_find(rule, strlen(rule));
    assert_non_null(found);
    assert_ok(ifn_pretokenizer_open(&pre, found, ifn_default_allocator(), &err), err);
    assert_ok(ifn_pretokenize(&pre, (const uint8_t *)text, bytes, note, &w, &err), err);
    assert_that(w.bytes == n_expected && memcmp(w.text, expected, w.bytes) == 0,
                "%s: '%s' became %s, expected %s", rule, text, w.text, expected);
    ifn_pretokenizer_close(&pre);
}

static void expect_words(const char *rule, const char *text, const char *expected)
{
    expect_words_of(rule, text, strlen(text), expected, strlen(expected));
}

/* The results are worked out by hand from the published expressions. */
TEST(gpt2_keeps_runs_of_digits_and_small_contractions)
{
    expect_words("gpt-2", "", "");
    expect_words("gpt-2", "Hello world's 12345!", "[Hello][ world]['s][ 12345][!]");
    expect_words("gpt-2", "IT'S", "[IT]['][S]");
    expect_words("gpt-2", "a   b", "[a][  ][ b]");
    expect_words("gpt-2", "a\n\nb", "[a][\n][\n][b]");
    expect_words("gpt-2", "end  ", "[end][  ]");
    expect_words("gpt-2", "\xe4\xb8\xad 1\xc2\xbd", "[\xe4\xb8\xad][ 1\xc2\xbd]");
}

TEST(qwen2_takes_digits_one_by_one)
{
    expect_words("qwen2", "IT'S 123", "[IT]['S][ ][1][2][3]");
    expect_words("qwen2", "(abc) \n x", "[(abc][)][ \n][ x]");
    expect_words("qwen2", "!!\r\n\na", "[!!\r\n\n][a]");
}

TEST(llama3_takes_three_digits_at_a_time)
{
    expect_words("llama-bpe", "12345678 x", "[123][456][78][ x]");
    expect_words("llama-bpe", "I'll", "[I]['ll]");
    assert_true(ifn_pre_rule_find("llama3", 6) == ifn_pre_rule_find("llama-bpe", 9));
    assert_true(ifn_pre_rule_find("llama3", 6)->ignores_merges);
    assert_true(ifn_pre_rule_find("llama3", 6)->adds_bos);
    assert_false(ifn_pre_rule_find("smaug-bpe", 9)->ignores_merges);
}

TEST(smollm_takes_digits_out_first)
{
    expect_words("smollm", "ab 12  x", "[ab][ ][1][2][ ][ x]");
    expect_words("smollm", "  1", "[  ][1]"); /* no text follows the spaces in their piece */
    expect_words("gpt-2", "  1", "[ ][ 1]");
}

TEST(default_takes_punctuation_out_first)
{
    expect_words("default", "a,b 12345", "[a][,][b][ ][123][45]");
    expect_words("default", "x $+|y", "[x][ ][$+|][y]");
    expect_words("default", "a`b", "[a][`][b]");
    expect_words("falcon", " `", "[ ][`]");
    expect_words("default", " `", "[ `]");
}

TEST(a_stray_byte_is_a_word_and_ends_the_text_on_both_sides)
{
    expect_words("gpt-2", "ab\xff\xfe  \x80 c", "[ab][\xff][\xfe][  ][\x80][ c]");
    expect_words("qwen2", "\xe2\x82", "[\xe2][\x82]");
    expect_words("qwen2", "\xed\xa0\x80", "[\xed][\xa0][\x80]");
    expect_words_of("gpt-2", "a\0b", 3, "[a][\0][b]", 9);
}

TEST(only_known_names_have_a_rule)
{
    assert_null(ifn_pre_rule_find("qwen", 4));
    assert_null(ifn_pre_rule_find("qwen22", 6));
    assert_null(ifn_pre_rule_find("", 0));
    assert_null(ifn_pre_rule_at(1000));
    for (size_t i = 0; ifn_pre_rule_at(i); i++)
        for (const char *const *name = ifn_pre_rule_at(i)->names; *name; name++)
            assert_true(ifn_pre_rule_find(*name, strlen(*name)) == ifn_pre_rule_at(i));
}

static ifn_status refuse(void *cookie, const uint8_t *word, size_t bytes, ifn_error *err)
{
    (void)word, (void)bytes;
    ++*(int *)cookie;
    return ifn_fail(err, IFN_ERR_IO, "no more");
}

TEST(a_receiver_that_fails_stops_it)
{
    ifn_pretokenizer pre;
    ifn_error err;
    int n = 0;
    assert_ok(
        ifn_pretokenizer_open(&pre, ifn_pre_rule_find("smollm", 6), ifn_default_allocator(), &err),
        err);
    assert_int_equal(ifn_pretokenize(&pre, (const uint8_t *)"a 1 b", 5, refuse, &n, &err),
                     IFN_ERR_IO);
    assert_int_equal(n, 1);
    n = 0;
    assert_int_equal(ifn_pretokenize(&pre, (const uint8_t *)"\xff", 1, refuse, &n, &err),
                     IFN_ERR_IO);
    assert_int_equal(n, 1);
    ifn_pretokenizer_close(&pre);
}

TEST(without_memory_opening_fails_and_nothing_leaks)
{
    for (long n = 0;; n++) {
        fail_alloc heap;
        ifn_pretokenizer pre;
        ifn_error err = {IFN_OK, 0, ""};
        fail_alloc_init(&heap, n);
        const ifn_status status =
            ifn_pretokenizer_open(&pre, ifn_pre_rule_find("default", 7), &heap.allocator, &err);
        if (status == IFN_OK)
            ifn_pretokenizer_close(&pre);
        assert_int_equal(heap.live_blocks, 0);
        if (heap.n_calls <= n)
            break;
        assert_int_equal(status, IFN_ERR_NOMEM);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
    }
}

static ifn_status add_up(void *cookie, const uint8_t *word, size_t bytes, ifn_error *err)
{
    (void)word, (void)err;
    *(size_t *)cookie += bytes;
    return IFN_OK;
}

/* If a step looked at the rest of the text again, this would take hours. */
TEST(a_megabyte_of_anything_is_cut_in_seconds)
{
    enum { N = 1000000 };
    static const char *const units[] = {"a", " ", "\n", "9", "'", "\xff", " \n", "  a", "\r\n "};
    char *text = malloc(N);
    assert_non_null(text);
    const time_t start = time(NULL);
    for (size_t u = 0; u < N_OF(units); u++) {
        for (size_t i = 0; i < N; i++)
            text[i] = units[u][i % strlen(units[u])];
        for (size_t r = 0; ifn_pre_rule_at(r); r++) {
            ifn_pretokenizer pre;
            ifn_error err;
            size_t bytes = 0;
            assert_ok(
                ifn_pretokenizer_open(&pre, ifn_pre_rule_at(r), ifn_default_allocator(), &err),
                err);
            assert_ok(ifn_pretokenize(&pre, (const uint8_t *)text, N, add_up, &bytes, &err), err);
            assert_int_equal(bytes, N);
            ifn_pretokenizer_close(&pre);
        }
    }
    assert_true(difftime(time(NULL), start) < patience_times(120));
    free(text);
}
