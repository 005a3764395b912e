#include "vocab.h"

#include <stdio.h>
#include <string.h>

#include "fail_alloc.h"
#include "test.h"
#include "tiny_gguf.h"

static ifn_token find(const ifn_vocab *vocab, const char *text, unsigned types)
{
    return ifn_vocab_find(vocab, text, strlen(text), types);
}

TEST(a_spelling_is_found_by_its_type)
{
    const char *const tokens[] = {"<s>", "a", "ab", "<0x0A>", "a", "", "<unk>", NULL};
    const int32_t types[] = {IFN_TOKEN_CONTROL,     IFN_TOKEN_NORMAL, IFN_TOKEN_NORMAL,
                             IFN_TOKEN_BYTE,        IFN_TOKEN_NORMAL, IFN_TOKEN_NORMAL,
                             IFN_TOKEN_USER_DEFINED};
    tiny_gguf file;
    ifn_vocab vocab;
    ifn_error err;
    assert_ok(ifn_vocab_open(&vocab,
                             tiny_make(&file, &(tiny_vocab){.tokens = tokens, .types = types}),
                             ifn_default_allocator(), NULL, &err),
              err);
    assert_int_equal(vocab.n, 7);
    assert_int_equal(vocab.longest, 6);
    assert_int_equal(find(&vocab, "ab", IFN_TYPES_TEXT), 2);
    assert_int_equal(find(&vocab, "a", IFN_TYPES_ANY), 1); /* the first of two */
    assert_int_equal(find(&vocab, "<s>", IFN_TYPES_TEXT), IFN_TOKEN_NONE);
    assert_int_equal(find(&vocab, "<s>", IFN_TYPES_CONTROL), 0);
    assert_int_equal(find(&vocab, "<unk>", IFN_TYPES_USER_DEFINED), 6);
    assert_int_equal(find(&vocab, "b", IFN_TYPES_ANY), IFN_TOKEN_NONE);
    assert_int_equal(find(&vocab, "", IFN_TYPES_ANY), IFN_TOKEN_NONE);
    assert_int_equal(find(&vocab, "longer than any entry", IFN_TYPES_ANY), IFN_TOKEN_NONE);
    assert_int_equal(ifn_vocab_find_byte(&vocab, '\n'), 3);
    assert_int_equal(ifn_vocab_find_byte(&vocab, 'a'), IFN_TOKEN_NONE);
    ifn_vocab_close(&vocab);
    tiny_end(&file);
}

TEST(equal_spellings_of_two_types_are_two_entries)
{
    const char *const tokens[] = {"x", "x", NULL};
    const int32_t types[] = {IFN_TOKEN_CONTROL, IFN_TOKEN_NORMAL};
    tiny_gguf file;
    ifn_vocab vocab;
    assert_int_equal(
        ifn_vocab_open(&vocab, tiny_make(&file, &(tiny_vocab){.tokens = tokens, .types = types}),
                       ifn_default_allocator(), NULL, NULL),
        IFN_OK);
    assert_int_equal(find(&vocab, "x", IFN_TYPES_CONTROL), 0);
    assert_int_equal(find(&vocab, "x", IFN_TYPES_TEXT), 1);
    ifn_vocab_close(&vocab);
    tiny_end(&file);
}

TEST(types_that_there_are_not_are_refused)
{
    const char *const tokens[] = {"x", "y", "z", NULL};
    static const int32_t odd[][3] = {{1, 7, 1}, {1, 1, -1}, {99, 1, 1}};
    static const char *const found[] = {"token 1: found type 7, expected 1 .. 6",
                                        "token 2: found type -1", "token 0: found type 99"};
    for (size_t i = 0; i < N_OF(odd); i++) {
        tiny_gguf file;
        ifn_vocab vocab;
        ifn_error err;
        const tiny_vocab v = {.tokens = tokens, .types = odd[i]};
        assert_int_equal(
            ifn_vocab_open(&vocab, tiny_make(&file, &v), ifn_default_allocator(), NULL, &err),
            IFN_ERR_FORMAT);
        assert_that(strstr(err.text, found[i]), "'%s' lacks '%s'", err.text, found[i]);
        tiny_end(&file);
    }
}

TEST(without_types_all_is_normal_and_undefined_ones_are_unused)
{
    const char *const tokens[] = {"x", "y", "z", NULL};
    const int32_t odd[] = {0, 0, 5};
    ifn_warnings warnings = {0};
    tiny_gguf file;
    ifn_vocab vocab;
    assert_int_equal(ifn_vocab_open(&vocab, tiny_make(&file, &(tiny_vocab){.tokens = tokens}),
                                    ifn_default_allocator(), NULL, NULL),
                     IFN_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(vocab.type[i], IFN_TOKEN_NORMAL);
    ifn_vocab_close(&vocab);
    tiny_end(&file);
    assert_int_equal(ifn_vocab_open(&vocab,
                                    tiny_make(&file, &(tiny_vocab){.tokens = tokens, .types = odd}),
                                    ifn_default_allocator(), &warnings, NULL),
                     IFN_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(vocab.type[i], IFN_TOKEN_UNUSED);
    assert_int_equal(warnings.n, 1);
    assert_string_equal(warnings.lines[0].text, "tokenizer.ggml.token_type: 2 of 3 tokens have "
                                                "type 0, undefined; taken as unused");
    ifn_vocab_close(&vocab);
    tiny_end(&file);
}

/* Only every second spelling is in the table, which has many collisions. */
TEST(a_thousand_spellings_are_told_apart)
{
    enum { N = 1000 };
    static char texts[2 * N][8];
    static const char *tokens[N + 1];
    for (int i = 0; i < 2 * N; i++)
        snprintf(texts[i], sizeof texts[i], "t%d", i);
    for (int i = 0; i < N; i++)
        tokens[i] = texts[2 * i];
    tiny_gguf file;
    ifn_vocab vocab;
    assert_int_equal(ifn_vocab_open(&vocab, tiny_make(&file, &(tiny_vocab){.tokens = tokens}),
                                    ifn_default_allocator(), NULL, NULL),
                     IFN_OK);
    for (int i = 0; i < 2 * N; i++)
        assert_int_equal(find(&vocab, texts[i], IFN_TYPES_ANY), i % 2 ? IFN_TOKEN_NONE : i / 2);
    ifn_vocab_close(&vocab);
    tiny_end(&file);
}

static void expect_refused(tiny_gguf *file, const char *key, const char *found)
{
    fail_alloc heap;
    fail_alloc_init(&heap, -1);
    ifn_vocab vocab;
    ifn_error err;
    assert_int_equal(ifn_vocab_open(&vocab, tiny_open(file), &heap.allocator, NULL, &err),
                     IFN_ERR_FORMAT);
    assert_that(strstr(err.text, key) && strstr(err.text, found), "'%s' lacks '%s' or '%s'",
                err.text, key, found);
    assert_null(vocab.spelling);
    assert_int_equal(heap.live_blocks, 0);
    tiny_end(file);
}

TEST(what_is_wrong_is_refused_by_key)
{
    const char *const tokens[] = {"a", "b", NULL}, *const none[] = {NULL};
    const int32_t one[] = {1, 1};
    const uint8_t small[] = {1, 1};
    tiny_gguf file;
    tiny_begin(&file);
    expect_refused(&file, "tokenizer.ggml.tokens", "nothing");
    tiny_begin(&file);
    tiny_strings(&file, "tokenizer.ggml.tokens", none);
    expect_refused(&file, "tokenizer.ggml.tokens", "found 0");
    tiny_begin(&file);
    tiny_array(&file, "tokenizer.ggml.tokens", IFN_GGUF_INT32, one, 2);
    expect_refused(&file, "tokenizer.ggml.tokens", "i32");
    tiny_begin(&file);
    tiny_strings(&file, "tokenizer.ggml.tokens", tokens);
    tiny_array(&file, "tokenizer.ggml.token_type", IFN_GGUF_INT32, one, 1);
    expect_refused(&file, "tokenizer.ggml.token_type", "found 1 types, expected 2");
    tiny_begin(&file);
    tiny_strings(&file, "tokenizer.ggml.tokens", tokens);
    tiny_array(&file, "tokenizer.ggml.token_type", IFN_GGUF_UINT8, small, 2);
    expect_refused(&file, "tokenizer.ggml.token_type", "u8");
}
