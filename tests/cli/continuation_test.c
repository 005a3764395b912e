#include "continuation.h"

#include <string.h>

#include "test.h"
#include "tiny_gguf.h"

static const char *const no_tokens[] = {NULL};
static const tiny_vocab vocab = {
    .model = "gpt2", .pre = "qwen2", .tokens = no_tokens, .with_bytes = 1, .merges = no_tokens};

/* Pushes a text byte by byte; `shown` gets what the continuation shows. */
static void run(const char *given, const arg_list *stop, text *shown, continuation *c)
{
    tiny_gguf file = {0};
    ifn_tokenizer *const tokenizer = tiny_tokenizer(&file, &vocab);
    ifn_tokens ids;
    ifn_error err = {0};
    *c = (continuation){.stop = stop, .show = text_sink, .cookie = shown};
    continuation_begin(c, tokenizer);
    assert_ok(ifn_tokenize(tokenizer, given, strlen(given), 0, &ids, &err), err);
    for (size_t i = 0; i < ids.n; i++)
        assert_ok(continuation_push(c, ids.ids[i], &err), err);
    assert_ok(continuation_end(c, &err), err);
    ifn_tokens_free(&ids);
    ifn_tokenizer_close(tokenizer);
    tiny_end(&file);
}

static void assert_shows(const char *given, const arg_list *stop, const char *expected,
                         bool is_stopped)
{
    text shown = {0};
    continuation c;
    run(given, stop, &shown, &c);
    assert_string_equal(shown.data, expected);
    assert_int_equal(c.text.bytes, strlen(expected));
    assert_memory_equal(c.text.data, expected, c.text.bytes);
    assert_int_equal(c.is_stopped, is_stopped);
    continuation_free(&c);
    text_free(&shown);
}

TEST(without_stop_words_all_is_shown)
{
    static const arg_list none = {.n = 0};
    assert_shows("One day, \xc3\xa4pfel.", &none, "One day, \xc3\xa4pfel.", false);
}

TEST(a_stop_word_and_what_follows_are_not_shown)
{
    static const arg_list words = {.items = {"the end", "\n\n"}, .n = 2};
    assert_shows("so it was the end of it", &words, "so it was ", true);
    assert_shows("one\n\ntwo", &words, "one", true);
}

TEST(what_only_began_like_a_stop_word_is_shown_at_the_end)
{
    static const arg_list words = {.items = {"the end"}, .n = 1};
    assert_shows("so it was the en", &words, "so it was the en", false);
}

TEST(it_can_be_begun_again)
{
    static const arg_list words = {.items = {"b"}, .n = 1};
    text shown = {0};
    continuation c;
    run("abc", &words, &shown, &c);
    assert_true(c.is_stopped);
    continuation_begin(&c, NULL);
    assert_false(c.is_stopped);
    assert_int_equal(c.text.bytes, 0);
    continuation_free(&c);
    text_free(&shown);
}
