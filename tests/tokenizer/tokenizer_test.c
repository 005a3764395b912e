#include <inferno/tokenizer.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "fail_alloc.h"
#include "pretokenize.h"
#include "test.h"
#include "tiny_gguf.h"

#define KEY(name) "tokenizer.ggml." name
#define SP        "\xe2\x96\x81"
#define G         "\xc4\xa0" /* a space in byte-level vocabularies */

/* Byte-level: the ids 0..6 are named; byte b has id 7 + b. */
enum { B_END, B_START, B_THINK, B_HE, B_LLO, B_SPACE_HE, B_LO, B_BYTES };
static const char *const b_tokens[] = {"<|im_end|>", "<|im_start|>", "<think>", "he",
                                       "llo",        G "he",         "lo",      NULL};
static const int32_t b_types[] = {3, 3, 4, 1, 1, 1, 1};
static const char *const b_merges[] = {"h e", "l o", "l lo", G " he", NULL};
static const tiny_vocab byte_level = {.model = "gpt2",
                                      .pre = "qwen2",
                                      .tokens = b_tokens,
                                      .with_bytes = 1,
                                      .types = b_types,
                                      .merges = b_merges};

/* SentencePiece: the ids 0..9 are named; byte b has id 10 + b. */
enum { S_UNK, S_BOS, S_EOS, S_THINK, S_SPACE, S_A, S_B, S_SPACE_A, S_AB, S_SPACES, S_BYTES };
static const char *const s_tokens[] = {"<unk>", "<s>",  "</s>", "<think>", SP,  "a",
                                       "b",     SP "a", "ab",   SP SP,     NULL};
static const int32_t s_types[] = {2, 3, 3, 4, 1, 1, 1, 1, 1, 1};
static const float s_scores[] = {0, 0, 0, 0, -9, -9, -9, -1, -2, -3};
static const tiny_vocab pieces = {
    .model = "llama", .tokens = s_tokens, .with_bytes = 1, .types = s_types, .scores = s_scores};

TEST(byte_level_text_becomes_ids)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    assert_int_equal(ifn_tokenizer_n_vocab(t), B_BYTES + 256);
    expect_ids(t, "", 0, 0, NULL, 0);
    EXPECT_IDS(t, "hello hey", 0, B_HE, B_LLO, B_SPACE_HE, B_BYTES + 'y');
    EXPECT_IDS(t, "a\0\xff", 0, B_BYTES + 'a', B_BYTES, B_BYTES + 0xff);
    EXPECT_IDS(t, "he<think>he<|im_end|>he", 0, B_HE, B_THINK, B_HE, B_END, B_HE);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(text_that_spells_a_control_token_may_stay_text)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    ifn_tokens ids;
    EXPECT_IDS(t, "<|im_end|>", 0, B_END);
    EXPECT_IDS(t, "<think>", IFN_TOKENIZE_NO_SPECIAL, B_THINK);
    assert_int_equal(ifn_tokenize(t, "<|im_end|>", 10, IFN_TOKENIZE_NO_SPECIAL, &ids, NULL),
                     IFN_OK);
    assert_int_equal(ids.n, 10);
    for (size_t i = 0; i < ids.n; i++)
        assert_int_equal(ids.ids[i], B_BYTES + "<|im_end|>"[i]);
    ifn_tokens_free(&ids);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(sentencepiece_puts_a_space_in_front_and_after_special_tokens)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &pieces);
    EXPECT_IDS(t, "", 0, S_BOS);
    EXPECT_IDS(t, "ab", 0, S_BOS, S_SPACE_A, S_B);
    EXPECT_IDS(t, " ab", IFN_TOKENIZE_NO_BOS, S_SPACE, S_SPACE_A, S_B);
    EXPECT_IDS(t, "a</s>b", IFN_TOKENIZE_NO_BOS, S_SPACE_A, S_EOS, S_SPACE, S_B);
    EXPECT_IDS(t, "</s>", 0, S_BOS, S_EOS);
    EXPECT_IDS(t, "<think>a", IFN_TOKENIZE_NO_BOS | IFN_TOKENIZE_NO_SPECIAL, S_THINK, S_SPACE_A);
    EXPECT_IDS(t, "bab", IFN_TOKENIZE_NO_BOS, S_SPACE, S_B, S_AB);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(bos_and_eos_are_added_as_the_metadata_asks)
{
    tiny_gguf file;
    ifn_tokenizer *t;
    ifn_error err;
    tiny_begin(&file);
    tiny_put_vocab(&file, &byte_level);
    tiny_u32(&file, KEY("bos_token_id"), B_START);
    tiny_u32(&file, KEY("eos_token_id"), B_END);
    tiny_bool(&file, KEY("add_bos_token"), 1);
    tiny_bool(&file, KEY("add_eos_token"), 1);
    assert_ok(ifn_tokenizer_open(tiny_open(&file), NULL, &t, &err), err);
    assert_int_equal(ifn_tokenizer_bos(t), B_START);
    assert_int_equal(ifn_tokenizer_eos(t), B_END);
    EXPECT_IDS(t, "he", 0, B_START, B_HE, B_END);
    EXPECT_IDS(t, "he", IFN_TOKENIZE_NO_BOS, B_HE, B_END);
    EXPECT_IDS(t, "he", IFN_TOKENIZE_NO_EOS, B_START, B_HE);
    EXPECT_IDS(t, "", 0, B_START, B_END);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(a_space_prefix_may_be_switched_off)
{
    tiny_gguf file;
    ifn_tokenizer *t;
    ifn_error err;
    tiny_begin(&file);
    tiny_put_vocab(&file, &pieces);
    tiny_bool(&file, KEY("add_space_prefix"), 0);
    assert_ok(ifn_tokenizer_open(tiny_open(&file), NULL, &t, &err), err);
    EXPECT_IDS(t, "ab", IFN_TOKENIZE_NO_BOS, S_AB);
    expect_round_trip(t, " a", 2);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(generation_ends_where_the_vocabulary_says)
{
    const char *const tokens[] = {"a",         "<|eot_id|>", "<|im_end|>", "<|endoftext|>",
                                  "</s>",      "<eos>",      "<|eom_id|>", "<end_of_turn>",
                                  "<|other|>", "turn",       "message",    "<|end|>",
                                  NULL};
    const int32_t types[] = {1, 3, 3, 1, 3, 4, 3, 3, 3, 1, 1, 3};
    const int ends[] = {0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1};
    const char *const merges[] = {NULL};
    tiny_gguf file;
    ifn_tokenizer *t;
    ifn_error err;
    tiny_begin(&file);
    tiny_put_vocab(
        &file, &(tiny_vocab){.model = "gpt2", .tokens = tokens, .types = types, .merges = merges});
    tiny_u32(&file, KEY("eos_token_id"), 4);
    tiny_u32(&file, KEY("eot_token_id"), 9);
    tiny_u32(&file, KEY("eom_token_id"), 10);
    assert_ok(ifn_tokenizer_open(tiny_open(&file), NULL, &t, &err), err);
    for (ifn_token id = 0; id < 12; id++)
        assert_that(ifn_tokenizer_is_end(t, id) == ends[id], "'%s'", tokens[id]);
    assert_int_equal(ifn_tokenizer_is_end(t, IFN_TOKEN_NONE), 0);
    assert_int_equal(ifn_tokenizer_is_end(t, 12), 0);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(entries_can_be_looked_at)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    const ifn_string spelling = ifn_tokenizer_spelling(t, B_SPACE_HE);
    assert_int_equal(spelling.bytes, 4);
    assert_memory_equal(spelling.data, G "he", 4);
    assert_int_equal(ifn_tokenizer_type(t, B_THINK), IFN_TOKEN_USER_DEFINED);
    assert_int_equal(ifn_tokenizer_type(t, B_END), IFN_TOKEN_CONTROL);
    assert_int_equal(ifn_tokenizer_spelling(t, -1).bytes, 0);
    assert_int_equal(ifn_tokenizer_spelling(t, B_BYTES + 256).bytes, 0);
    assert_int_equal(ifn_tokenizer_type(t, B_BYTES + 256), IFN_TOKEN_UNUSED);
    assert_int_equal(ifn_tokenizer_bos(t), IFN_TOKEN_NONE);
    assert_int_equal(ifn_tokenizer_eos(t), IFN_TOKEN_NONE);
    ifn_tokenizer_close(t);
    ifn_tokenizer_close(NULL);
    tiny_end(&file);
}

/* Parts that the expressions treat differently: letters, spaces of every kind, digits, incomplete characters. */
static const char *const parts[] = {
    "he",   "hello", " ",        "  ",       "\n",           "\r\n",     "'s", "'LL",    "12",
    "\xff", "\xc3",  "\xe2\x82", "\xe4\xb8", "\xe3\x80\x80", "\xc3\xa9", "!?", "<think>"};
/* SentencePiece adds a space after a special token, so decoding does not give such a text again. */
enum { N_PARTS = N_OF(parts), N_PLAIN_PARTS = N_PARTS - 1, N_RANDOM = 4 };

static size_t random_text(uint64_t *random, uint32_t n_parts, char *out, size_t n)
{
    size_t bytes = 0;
    while (bytes + 8 < n && draw_below(random, 32) != 0) {
        const int64_t pick = draw_below(random, n_parts + N_RANDOM);
        if (pick >= n_parts) {
            out[bytes++] = (char)draw(random);
            continue;
        }
        memcpy(out + bytes, parts[pick], strlen(parts[pick]));
        bytes += strlen(parts[pick]);
    }
    return bytes;
}

TEST(every_byte_string_comes_back_under_every_rule)
{
    uint64_t random = 11;
    for (size_t r = 0; ifn_pre_rule_at(r); r++) {
        tiny_vocab vocab = byte_level;
        tiny_gguf file;
        char text[256];
        vocab.pre = ifn_pre_rule_at(r)->names[0];
        ifn_tokenizer *t = tiny_tokenizer(&file, &vocab);
        for (int first = 0; first < 256; first++) {
            const char two[2] = {(char)first, (char)(first * 7)};
            expect_round_trip(t, two, 1);
            expect_round_trip(t, two, 2);
        }
        for (int i = 0; i < 500; i++)
            expect_round_trip(t, text, random_text(&random, N_PARTS, text, sizeof text));
        ifn_tokenizer_close(t);
        tiny_end(&file);
    }
}

TEST(byte_fallback_brings_every_byte_string_back)
{
    tiny_gguf file;
    char text[256];
    uint64_t random = 5;
    ifn_tokenizer *t = tiny_tokenizer(&file, &pieces);
    for (int i = 0; i < 1000; i++)
        expect_round_trip(t, text, random_text(&random, N_PLAIN_PARTS, text, sizeof text));
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(a_text_past_the_limit_is_refused)
{
    tiny_gguf file;
    ifn_tokens ids;
    ifn_error err;
    ifn_tokenizer *t = tiny_tokenizer(&file, &pieces);
    const size_t too_many = ((size_t)1 << 29) + 1; /* refused before the text is looked at */
    assert_int_equal(ifn_tokenize(t, "a", too_many, 0, &ids, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "expected at most 536870912"));
    assert_int_equal(ids.n, 0);
    ifn_tokens_free(&ids);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

static ifn_status open_and_encode(const ifn_gguf *gguf, fail_alloc *heap, ifn_error *err)
{
    ifn_tokenizer *t;
    ifn_tokens ids;
    ifn_status status = ifn_tokenizer_open(gguf, &heap->allocator, &t, err);
    if (status != IFN_OK) {
        assert_null(t);
        return status;
    }
    status = ifn_tokenize(t, "hello <think> ab \xff", 18, 0, &ids, err);
    if (status != IFN_OK)
        assert_true(ids.n == 0 && ids.ids == NULL);
    ifn_tokens_free(&ids);
    ifn_tokenizer_close(t);
    return status;
}

TEST(without_memory_at_any_point_it_fails_cleanly)
{
    tiny_vocab llama3 = byte_level;
    llama3.pre = "llama-bpe";
    const tiny_vocab *const vocabs[] = {&byte_level, &llama3, &pieces};
    for (size_t i = 0; i < N_OF(vocabs); i++) {
        tiny_gguf file;
        const ifn_gguf *gguf = tiny_make(&file, vocabs[i]);
        long n = 0;
        for (bool done = false; !done; n++) {
            fail_alloc heap;
            ifn_error err = {IFN_OK, 0, ""};
            fail_alloc_init(&heap, n);
            const ifn_status status = open_and_encode(gguf, &heap, &err);
            done = heap.n_calls <= n;
            assert_int_equal(heap.live_blocks, 0);
            assert_int_equal(heap.live_bytes, 0);
            assert_int_equal(status, done ? IFN_OK : IFN_ERR_NOMEM);
            assert_int_equal(err.status, status);
        }
        assert_true(n > 10);
        tiny_end(&file);
    }
}

static void *encode_often(void *tokenizer)
{
    for (int i = 0; i < 200; i++) {
        ifn_tokens ids;
        if (ifn_tokenize(tokenizer, "hello he he", 11, 0, &ids, NULL) != IFN_OK || ids.n != 4)
            return tokenizer;
        ifn_tokens_free(&ids);
    }
    return NULL;
}

TEST(threads_share_a_tokenizer)
{
    tiny_gguf file;
    pthread_t threads[4];
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    for (size_t i = 0; i < N_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, encode_often, t), 0);
    for (size_t i = 0; i < N_OF(threads); i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    ifn_tokenizer_close(t);
    tiny_end(&file);
}
