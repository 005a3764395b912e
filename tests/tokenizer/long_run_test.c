/* Texts that must take n log n steps where a simple algorithm takes n * n. */
#include <inferno/tokenizer.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "patience.h"
#include "test.h"
#include "tiny_gguf.h"

#define SP "\xe2\x96\x81"

/* A run in one word that merges all the way down: quadratic work would take an hour. */
static void expect_long_run(const tiny_vocab *vocab, ifn_token last)
{
    enum { N = 1 << 20 };
    tiny_gguf file;
    ifn_tokens ids;
    ifn_error err;
    size_t bytes;
    char *text = malloc(N);
    assert_non_null(text);
    memset(text, 'a', N);
    ifn_tokenizer *t = tiny_tokenizer(&file, vocab);
    const time_t start = time(NULL);
    assert_ok(ifn_tokenize(t, text, N, 0, &ids, &err), err);
    assert_true(difftime(time(NULL), start) < patience_times(60));
    assert_true(ids.n > 0);
    assert_int_equal(ids.ids[ids.n - 1], last);
    char *back = decode(t, ids.ids, ids.n, 0, &bytes);
    assert_int_equal(bytes, N);
    assert_memory_equal(back, text, N);
    free(back);
    ifn_tokens_free(&ids);
    ifn_tokenizer_close(t);
    tiny_end(&file);
    free(text);
}

TEST(a_megabyte_of_one_letter_takes_seconds)
{
    const char *const tokens[] = {"aa", "aaaa", "aaaaaaaa", NULL};
    const char *const merges[] = {"a a", "aa aa", "aaaa aaaa", NULL};
    const char *const spelled[] = {"<unk>", "<s>", SP, "a", "aa", "aaaa", "aaaaaaaa", NULL};
    const int32_t kinds[] = {2, 3, 1, 1, 1, 1, 1};
    const float scores[] = {0, 0, -9, -9, -1, -2, -3};
    const char *const users[] = {"a", "aa", "aaa", NULL};
    const int32_t types[] = {4, 4, 4};
    expect_long_run(
        &(tiny_vocab){
            .model = "gpt2", .pre = "qwen2", .tokens = tokens, .with_bytes = 1, .merges = merges},
        2);
    expect_long_run(
        &(tiny_vocab){.model = "llama", .tokens = spelled, .types = kinds, .scores = scores}, 6);
    expect_long_run(&(tiny_vocab){.model = "gpt2",
                                  .tokens = users,
                                  .with_bytes = 1,
                                  .types = types,
                                  .merges = (const char *const[]){NULL}},
                    0);
}
