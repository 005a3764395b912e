#include "special.h"

#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "fail_alloc.h"
#include "test.h"
#include "tiny_gguf.h"

typedef struct fixture {
    tiny_gguf file;
    ifn_vocab vocab;
    ifn_special special;
} fixture;

static void open_special(fixture *f, const char *const *tokens, const int32_t *types)
{
    ifn_error err;
    assert_ok(ifn_vocab_open(&f->vocab,
                             tiny_make(&f->file, &(tiny_vocab){.tokens = tokens, .types = types}),
                             ifn_default_allocator(), NULL, &err),
              err);
    assert_ok(ifn_special_open(&f->special, &f->vocab, &err), err);
}

static void close_special(fixture *f)
{
    ifn_special_close(&f->special);
    ifn_vocab_close(&f->vocab);
    tiny_end(&f->file);
}

/* Expects a split, written as text: ordinary text in [], special tokens as <id>. */
static void expect_split(const fixture *f, const char *text, bool all, const char *expected)
{
    char found[512] = "";
    ifn_fragments fragments;
    ifn_error err;
    assert_ok(ifn_special_split(&f->special, text, strlen(text), all, &fragments, &err), err);
    size_t at = 0, n = 0;
    for (size_t i = 0; i < fragments.n; i++) {
        const ifn_fragment *fragment = &fragments.items[i];
        assert_int_equal(fragment->begin, at);
        at += fragment->bytes;
        if (fragment->id < 0)
            n += (size_t)snprintf(found + n, sizeof found - n, "[%.*s]", (int)fragment->bytes,
                                  text + fragment->begin);
        else
            n += (size_t)snprintf(found + n, sizeof found - n, "<%d>", (int)fragment->id);
    }
    assert_int_equal(at, strlen(text));
    assert_string_equal(found, expected);
    ifn_fragments_free(&fragments);
}

enum { N = IFN_TOKEN_NORMAL, C = IFN_TOKEN_CONTROL, U = IFN_TOKEN_USER_DEFINED };

TEST(text_is_split_at_the_tokens_it_spells)
{
    const char *const tokens[] = {"<s>", "plain", "<think>", "<|im_end|>", "", "<unk>", NULL};
    const int32_t types[] = {C, N, U, C, C, IFN_TOKEN_UNKNOWN};
    fixture f;
    open_special(&f, tokens, types);
    expect_split(&f, "", true, "");
    expect_split(&f, "plain text", true, "[plain text]");
    expect_split(&f, "<s>", true, "<0>");
    expect_split(&f, "<s><s>a<|im_end|>", true, "<0><0>[a]<3>");
    expect_split(&f, "a<s", true, "[a<s]");
    expect_split(&f, "x<think><s>y<unk>", true, "[x]<2><0>[y]<5>");
    close_special(&f);
}

TEST(without_all_only_user_defined_tokens_count)
{
    const char *const tokens[] = {"<s>", "<think>", "<unk>", "<u>", "</u>", "</s>", NULL};
    const int32_t types[] = {C, U, IFN_TOKEN_UNKNOWN, U, U, C};
    fixture f;
    open_special(&f, tokens, types);
    expect_split(&f, "x<think><s>y<unk>", false, "[x]<1>[<s>y<unk>]");
    expect_split(&f, "<u><s></u></s>", false, "<3>[<s>]<4>[</s>]"); /* of equal length */
    close_special(&f);
}

TEST(the_longest_is_taken_first_wherever_it_stands)
{
    const char *const tokens[] = {"ab", "abc", "bcdef", "x", "xx", NULL};
    const int32_t types[] = {U, U, U, U, U};
    fixture f;
    open_special(&f, tokens, types);
    expect_split(&f, "abcdef", false, "[a]<2>");
    expect_split(&f, "abcde", false, "<1>[de]");
    expect_split(&f, "abab", false, "<0><0>");
    expect_split(&f, "xxx", false, "<4><3>");
    expect_split(&f, "abcdefabc", false, "[a]<2><1>");
    close_special(&f);
}

TEST(equally_long_tokens_are_taken_from_the_left)
{
    const char *const tokens[] = {"ba", "ab", NULL};
    const int32_t types[] = {U, U};
    fixture f;
    open_special(&f, tokens, types);
    expect_split(&f, "aba", false, "<1>[a]");
    expect_split(&f, "bab", false, "<0>[b]");
    close_special(&f);
}

TEST(bytes_of_any_value_may_be_special)
{
    const char *const tokens[] = {"\xff\xfe", "\xef\xbd\x9c", "\x01", NULL};
    const int32_t types[] = {U, U, U};
    fixture f;
    open_special(&f, tokens, types);
    expect_split(&f, "\xff\xff\xfe\x01\xef\xbd\x9c", false, "[\xff]<0><2><1>");
    close_special(&f);
}

/* Splits by the definition: each token, longest first, at every place of the text that is still free. */
static void split_slowly(const fixture *f, const char *text, size_t bytes, ifn_token *owner)
{
    for (size_t i = 0; i < bytes; i++)
        owner[i] = IFN_TOKEN_NONE;
    for (size_t length = bytes; length > 0; length--)
        for (size_t at = 0; at + length <= bytes; at++)
            for (ifn_token id = 0; id < f->vocab.n; id++) {
                size_t n_free = 0;
                while (n_free < length && owner[at + n_free] == IFN_TOKEN_NONE)
                    n_free++;
                if (n_free < length || f->vocab.spelling[id].bytes != length ||
                    memcmp(f->vocab.spelling[id].data, text + at, length) != 0)
                    continue;
                for (size_t i = 0; i < length; i++)
                    owner[at + i] = id;
            }
}

TEST(the_passes_do_what_the_definition_says)
{
    const char *const tokens[] = {"a", "aa", "aab", "ba", "abab", "bbb", "babba", NULL};
    const int32_t types[] = {U, U, U, U, U, U, U};
    fixture f;
    open_special(&f, tokens, types);
    uint64_t random = 3;
    for (int round = 0; round < 3000; round++) {
        char text[24];
        ifn_token owner[sizeof text];
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = "aabbc"[draw_below(&random, 5)];
        split_slowly(&f, text, sizeof text, owner);
        ifn_fragments fragments;
        assert_int_equal(ifn_special_split(&f.special, text, sizeof text, false, &fragments, NULL),
                         IFN_OK);
        for (size_t i = 0; i < fragments.n; i++)
            for (size_t j = 0; j < fragments.items[i].bytes; j++)
                assert_int_equal(owner[fragments.items[i].begin + j], fragments.items[i].id);
        ifn_fragments_free(&fragments);
    }
    close_special(&f);
}

TEST(without_memory_a_split_fails_and_nothing_leaks)
{
    const char *const tokens[] = {"<s>", "<think>", NULL};
    const int32_t types[] = {C, U};
    tiny_gguf file;
    const ifn_gguf *gguf = tiny_make(&file, &(tiny_vocab){.tokens = tokens, .types = types});
    long n = 0;
    for (bool done = false; !done; n++) {
        fail_alloc heap;
        ifn_vocab vocab;
        ifn_special special;
        ifn_fragments fragments;
        ifn_error err = {IFN_OK, 0, ""};
        fail_alloc_init(&heap, n);
        ifn_status status = ifn_vocab_open(&vocab, gguf, &heap.allocator, NULL, &err);
        if (status == IFN_OK) {
            status = ifn_special_open(&special, &vocab, &err);
            if (status == IFN_OK) {
                status = ifn_special_split(&special, "a<s><think>", 11, true, &fragments, &err);
                ifn_fragments_free(&fragments);
                ifn_special_close(&special);
            }
            ifn_vocab_close(&vocab);
        }
        done = heap.n_calls <= n;
        assert_int_equal(heap.live_blocks, 0);
        assert_int_equal(status, done ? IFN_OK : IFN_ERR_NOMEM);
        assert_int_equal(err.status, status);
    }
    assert_true(n > 5);
    tiny_end(&file);
}
