#include "bpe.h"

#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "fail_alloc.h"
#include "test.h"
#include "tiny_gguf.h"

typedef struct fixture {
    tiny_gguf file;
    const ifn_gguf *gguf;
    ifn_vocab vocab;
    ifn_bpe bpe;
} fixture;

static ifn_status open_bpe(fixture *f, const tiny_vocab *vocab, ifn_token unknown, bool ignores,
                           ifn_error *err)
{
    f->gguf = tiny_make(&f->file, vocab);
    assert_ok(ifn_vocab_open(&f->vocab, f->gguf, ifn_default_allocator(), NULL, err), *err);
    return ifn_bpe_open(&f->bpe, f->gguf, &f->vocab, unknown, ignores, NULL, err);
}

static void close_bpe(fixture *f)
{
    ifn_bpe_close(&f->bpe);
    ifn_vocab_close(&f->vocab);
    tiny_end(&f->file);
}

static void expect_word(const fixture *f, const char *word, const ifn_token *ids, size_t n)
{
    ifn_tokens out = {.alloc = ifn_default_allocator()};
    ifn_bpe_work work;
    ifn_error err;
    ifn_bpe_work_init(&work, &f->bpe, &out);
    assert_ok(ifn_bpe_encode(&work, (const uint8_t *)word, strlen(word), &err), err);
    assert_that(out.n == n, "'%s': %zu ids, expected %zu", word, out.n, n);
    for (size_t i = 0; i < n; i++)
        assert_that(out.ids[i] == ids[i], "'%s': id %zu is %d, expected %d", word, i,
                    (int)out.ids[i], (int)ids[i]);
    ifn_bpe_work_fini(&work);
    ifn_tokens_free(&out);
}
#define EXPECT_WORD(f, word, ...)                                                                  \
    expect_word(f, word, (const ifn_token[]){__VA_ARGS__},                                         \
                sizeof((const ifn_token[]){__VA_ARGS__}) / sizeof(ifn_token))

/* 0..3: a b c d; 4 ab, 5 bc, 6 abc, 7 cd, 8 aa, 9 aaaa, 10 da, 11 cda */
static const char *const letters[] = {"a",  "b",  "c",    "d",  "ab",  "bc", "abc",
                                      "cd", "aa", "aaaa", "da", "cda", NULL};

TEST(the_first_merge_of_the_list_goes_first)
{
    const char *const merges[] = {"b c", "a b", "c d", "a bc", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    EXPECT_WORD(&f, "a", 0);
    EXPECT_WORD(&f, "abd", 4, 3);
    EXPECT_WORD(&f, "abc", 6);     /* b+c, then a+bc */
    EXPECT_WORD(&f, "abcd", 6, 3); /* not ab+cd */
    EXPECT_WORD(&f, "cdab", 7, 4);
    close_bpe(&f);
}

TEST(of_equal_pairs_the_leftmost_goes_first)
{
    const char *const merges[] = {"a a", "aa aa", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    EXPECT_WORD(&f, "aaa", 8, 0);
    EXPECT_WORD(&f, "aaaaa", 9, 0);
    EXPECT_WORD(&f, "aaaaaaaa", 9, 9);
    close_bpe(&f);
}

/* "a b" is a candidate until b is merged; afterwards abc is followed by a b, but by no a. */
TEST(a_candidate_is_not_merged_when_its_left_is_gone)
{
    const char *const merges[] = {"b c", "a bc", "a b", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    EXPECT_WORD(&f, "abcb", 6, 1);
    EXPECT_WORD(&f, "abcab", 6, 4);
    close_bpe(&f);
}

/* "b c" is a candidate until "a b" takes the b. The c must stay untouched, or "c da" would be lost. */
TEST(a_symbol_that_was_merged_takes_no_further_part)
{
    const char *const merges[] = {"a b", "b c", "d a", "c da", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    EXPECT_WORD(&f, "abcda", 4, 11);
    close_bpe(&f);
}

TEST(of_two_merges_of_a_pair_the_first_counts)
{
    const char *const merges[] = {"a b", "b c", "a b", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    EXPECT_WORD(&f, "abc", 4, 2);
    close_bpe(&f);
}

/* The parts of these merges never occur, as in some real files: one warning covers all of them. */
TEST(merges_that_can_never_apply_are_ignored)
{
    const char *const merges[] = {"a b", "xy z", "a bcd", "b c", NULL};
    fixture f;
    ifn_error err;
    ifn_warnings warnings = {0};
    const tiny_vocab vocab = {.tokens = letters, .merges = merges};
    assert_ok(open_bpe(&f, &vocab, IFN_TOKEN_NONE, false, &err), err);
    EXPECT_WORD(&f, "abd", 4, 3);
    EXPECT_WORD(&f, "bd", 1, 3);
    ifn_bpe_close(&f.bpe);
    assert_ok(ifn_bpe_open(&f.bpe, f.gguf, &f.vocab, IFN_TOKEN_NONE, false, &warnings, &err), err);
    assert_int_equal(warnings.n, 1);
    assert_string_equal(warnings.lines[0].text,
                        "tokenizer.ggml.merges: 2 of 4 can never apply, a part is no token: the "
                        "first is element 1");
    close_bpe(&f);
}

TEST(a_byte_without_a_token_is_unknown_or_nothing)
{
    const char *const merges[] = {"a b", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, 3, false, &err),
              err);
    EXPECT_WORD(&f, "axb", 0, 3, 1);
    EXPECT_WORD(&f, "xyab", 3, 3, 4);
    close_bpe(&f);
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    EXPECT_WORD(&f, "axb", 0, 1);
    expect_word(&f, "xyz", NULL, 0);
    close_bpe(&f);
}

TEST(a_whole_word_may_be_kept_together)
{
    const char *const tokens[] = {"a",
                                  "b",
                                  "\xc4\xa0",
                                  "\xc4\xa0"
                                  "ab",
                                  "<|x|>",
                                  NULL};
    const int32_t types[] = {1, 1, 1, 1, IFN_TOKEN_CONTROL};
    const char *const merges[] = {"ab ab", NULL};
    const tiny_vocab vocab = {.tokens = tokens, .types = types, .merges = merges};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &vocab, IFN_TOKEN_NONE, true, &err), err);
    EXPECT_WORD(&f, " ab", 3);
    EXPECT_WORD(&f, " aba", 2, 0, 1, 0);
    expect_word(&f, "<|x|>", NULL, 0); /* text never becomes a control token by accident */
    close_bpe(&f);
    assert_ok(open_bpe(&f, &vocab, IFN_TOKEN_NONE, false, &err), err);
    EXPECT_WORD(&f, " ab", 2, 0, 1);
    close_bpe(&f);
}

/* Merges by the definition, with repeated search: slow and plain. */
static size_t merge_slowly(ifn_token *ids, size_t n, const ifn_bpe *bpe)
{
    for (;;) {
        size_t best_rank = bpe->n_rules, at = 0;
        for (size_t i = 0; i + 1 < n; i++)
            for (size_t r = 0; r < best_rank; r++)
                if (bpe->rules[r].left == ids[i] && bpe->rules[r].right == ids[i + 1]) {
                    best_rank = r;
                    at = i;
                }
        if (best_rank == bpe->n_rules)
            return n;
        ids[at] = bpe->rules[best_rank].merged;
        memmove(ids + at + 1, ids + at + 2, (n - at - 2) * sizeof *ids);
        n--;
    }
}

TEST(the_heap_does_what_the_definition_says)
{
    const char *const merges[] = {"a b", "b c", "a a", "c d", "a bc", "ab c", "aa aa", "d a", NULL};
    fixture f;
    ifn_error err;
    assert_ok(open_bpe(&f, &(tiny_vocab){.tokens = letters, .merges = merges}, IFN_TOKEN_NONE,
                       false, &err),
              err);
    uint64_t random = 7;
    for (int round = 0; round < 2000; round++) {
        char word[41] = {0};
        ifn_token ids[40];
        const size_t n = 1 + (size_t)draw_below(&random, 40);
        for (size_t i = 0; i < n; i++) {
            ids[i] = (ifn_token)draw_below(&random, 4);
            word[i] = (char)('a' + ids[i]);
        }
        const size_t n_ids = merge_slowly(ids, n, &f.bpe);
        expect_word(&f, word, ids, n_ids);
    }
    close_bpe(&f);
}

static void expect_refused(const tiny_vocab *vocab, const char *found)
{
    fixture f;
    ifn_error err;
    assert_int_equal(open_bpe(&f, vocab, IFN_TOKEN_NONE, false, &err), IFN_ERR_FORMAT);
    assert_that(strstr(err.text, "tokenizer.ggml.merges") && strstr(err.text, found),
                "'%s' lacks the key or '%s'", err.text, found);
    close_bpe(&f);
}

TEST(wrong_merges_are_refused_by_key)
{
    /* the last three: three parts; a result, and a character, that is no token */
    static const char *const wrong[] = {"ab",    "",    " ",   "a ",  " a",        "ab ",
                                        "a b c", "b d", "a x", "x y", "\xc3\xa9 a"};
    expect_refused(&(tiny_vocab){.tokens = letters}, "found nothing");
    for (size_t i = 0; i < N_OF(wrong); i++) {
        const char *const merges[] = {"a b", wrong[i], NULL};
        expect_refused(&(tiny_vocab){.tokens = letters, .merges = merges}, "element 1");
    }
}

TEST(merges_that_are_no_strings_are_refused)
{
    const int32_t numbers[] = {1, 2};
    tiny_gguf file;
    ifn_vocab vocab;
    ifn_bpe bpe;
    ifn_error err;
    tiny_begin(&file);
    tiny_put_vocab(&file, &(tiny_vocab){.tokens = letters});
    tiny_array(&file, "tokenizer.ggml.merges", IFN_GGUF_INT32, numbers, 2);
    const ifn_gguf *gguf = tiny_open(&file);
    assert_ok(ifn_vocab_open(&vocab, gguf, ifn_default_allocator(), NULL, &err), err);
    assert_int_equal(ifn_bpe_open(&bpe, gguf, &vocab, IFN_TOKEN_NONE, false, NULL, &err),
                     IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "tokenizer.ggml.merges"));
    ifn_vocab_close(&vocab);
    tiny_end(&file);
}
