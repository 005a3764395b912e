#include <inferno/tokenizer.h>

#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "tiny_gguf.h"
#include "utf8.h"

#define SP "\xe2\x96\x81"

static void expect_text(const ifn_tokenizer *t, const ifn_token *ids, size_t n, uint32_t flags,
                        const char *expected, size_t n_expected)
{
    size_t bytes;
    char *text = decode(t, ids, n, flags, &bytes);
    assert_that(bytes == n_expected && memcmp(text, expected, bytes) == 0,
                "found '%.*s', expected '%s'", (int)bytes, text, expected);
    free(text);
}
#define EXPECT_TEXT(t, flags, expected, ...)                                                       \
    expect_text(t, (const ifn_token[]){__VA_ARGS__},                                               \
                sizeof((const ifn_token[]){__VA_ARGS__}) / sizeof(ifn_token), flags, expected,     \
                sizeof(expected) - 1)

enum { B_END, B_THINK, B_PAD, B_SPACE_HE, B_RAW, B_BYTES };
static const char *const b_tokens[] = {
    "<|im_end|>", "<think>", "[PAD]", "\xc4\xa0he", "\xe4\xb8\xad \xc3\xa9", NULL};
static const int32_t b_types[] = {3, 4, 5, 1, 1};
static const char *const no_merges[] = {NULL};
static const tiny_vocab byte_level = {.model = "gpt2",
                                      .pre = "gpt-2",
                                      .tokens = b_tokens,
                                      .with_bytes = 1,
                                      .types = b_types,
                                      .merges = no_merges};

enum { S_UNK, S_BOS, S_USER, S_SPACE, S_SPACE_A, S_A_SPACE_A, S_SPACES, S_BYTES };
static const char *const s_tokens[] = {"<unk>", "<s>",         "<u>" SP, SP,
                                       SP "a",  "a" SP SP "a", SP SP,    NULL};
static const int32_t s_types[] = {2, 3, 4, 1, 1, 1, 1};
static const float s_scores[] = {0, 0, 0, 0, 0, 0, 0};
static const tiny_vocab pieces = {
    .model = "llama", .tokens = s_tokens, .with_bytes = 1, .types = s_types, .scores = s_scores};

TEST(byte_level_entries_become_their_bytes)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    EXPECT_TEXT(t, 0, " he", B_SPACE_HE);
    EXPECT_TEXT(t, 0, "\0\n\xff", B_BYTES, B_BYTES + '\n', B_BYTES + 0xff);
    EXPECT_TEXT(t, 0, "\xc3\xa9", B_BYTES + 0xc3, B_BYTES + 0xa9);
    EXPECT_TEXT(t, 0, "\xe4\xb8\xad \xc3\xa9", B_RAW); /* no map spells it: as it is */
    expect_text(t, NULL, 0, 0, "", 0);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(control_tokens_show_only_on_request)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    EXPECT_TEXT(t, 0, " he<think>", B_SPACE_HE, B_END, B_THINK, B_PAD);
    EXPECT_TEXT(t, IFN_DETOKENIZE_SHOW_SPECIAL, " he<|im_end|>", B_SPACE_HE, B_END, B_PAD);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(sentencepiece_entries_have_spaces_but_not_the_first)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &pieces);
    EXPECT_TEXT(t, 0, "a a", S_SPACE_A, S_SPACE_A);
    EXPECT_TEXT(t, 0, "a a", S_BOS, S_SPACE_A, S_SPACE_A);
    EXPECT_TEXT(t, 0, " a", S_SPACES, S_BYTES + 'a');
    EXPECT_TEXT(t, 0, " a", S_SPACE, S_SPACE_A);
    EXPECT_TEXT(t, 0, "a  a a", S_A_SPACE_A, S_SPACE_A);
    EXPECT_TEXT(t, 0, "\xff a", S_BYTES + 0xff, S_SPACE_A);
    EXPECT_TEXT(t, 0, " a", S_BYTES + ' ', S_BYTES + 'a'); /* a byte is not a prefix */
    EXPECT_TEXT(t, 0, "a", S_UNK, S_SPACE_A);
    EXPECT_TEXT(t, 0, "<u>" SP " a", S_USER, S_SPACE_A);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(a_continued_text_keeps_its_first_space)
{
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(&file, &pieces);
    EXPECT_TEXT(t, IFN_DETOKENIZE_CONTINUE, " a", S_SPACE_A);
    EXPECT_TEXT(t, IFN_DETOKENIZE_SHOW_SPECIAL, "<s> a<unk>", S_BOS, S_SPACE_A, S_UNK);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

typedef struct calls {
    size_t n, bytes;
    char text[64];
    ifn_status answer;
} calls;

static ifn_status note(void *cookie, const char *data, size_t bytes)
{
    calls *c = cookie;
    assert_true(bytes > 0);
    assert_true(c->bytes + bytes <= sizeof c->text);
    memcpy(c->text + c->bytes, data, bytes);
    c->bytes += bytes;
    c->n++;
    return c->answer;
}

/* Pushes one byte; returns how many bytes came out. */
static size_t push_byte(ifn_detokenizer *d, int byte, calls *c)
{
    ifn_error err;
    const size_t before = c->bytes;
    assert_ok(ifn_detokenizer_push(d, B_BYTES + byte, note, c, &err), err);
    return c->bytes - before;
}

TEST(half_a_character_waits_for_the_other_half)
{
    tiny_gguf file;
    calls c = {.n = 0};
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    ifn_detokenizer_init(&d, t, 0);
    assert_int_equal(push_byte(&d, 0xf0, &c), 0);
    assert_int_equal(push_byte(&d, 0x9f, &c), 0);
    assert_int_equal(push_byte(&d, 0x98, &c), 0);
    assert_int_equal(push_byte(&d, 0x80, &c), 4);
    assert_int_equal(push_byte(&d, 'a', &c), 1);
    assert_int_equal(push_byte(&d, 0xc3, &c), 0);
    assert_int_equal(push_byte(&d, 0xc3, &c), 1); /* now the first is known to be stray */
    assert_int_equal(push_byte(&d, 'b', &c), 2);
    assert_int_equal(push_byte(&d, 0xed, &c), 0);
    assert_int_equal(push_byte(&d, 0xa0, &c), 2); /* no character begins like this */
    assert_int_equal(push_byte(&d, 0xff, &c), 1);
    assert_int_equal(push_byte(&d, 0xe2, &c), 0);
    assert_int_equal(ifn_detokenizer_flush(&d, note, &c, NULL), IFN_OK);
    static const char all[] = "\xf0\x9f\x98\x80"
                              "a\xc3\xc3"
                              "b\xed\xa0\xff\xe2";
    assert_int_equal(c.bytes, sizeof all - 1);
    assert_memory_equal(c.text, all, sizeof all - 1);
    const size_t n = c.n;
    assert_int_equal(ifn_detokenizer_flush(&d, note, &c, NULL), IFN_OK);
    assert_int_equal(c.n, n);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

/* Checks as a receiver does: well-formed text stays well-formed in every single call. */
static ifn_status expect_whole_characters(void *cookie, const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes;) {
        const size_t length = ifn_utf8_char((const uint8_t *)data + i, bytes - i);
        assert_true(length > 0);
        i += length;
    }
    *(size_t *)cookie += bytes;
    return IFN_OK;
}

TEST(a_long_entry_is_handed_out_in_whole_characters)
{
    enum { N = 1000 };
    char *entry = malloc(3 * N + 2);
    assert_non_null(entry);
    entry[0] = 'x'; /* no boundary is then at a power of two */
    for (size_t i = 0; i < N; i++)
        memcpy(entry + 1 + 3 * i, "\xe4\xb8\xad", 3);
    entry[3 * N + 1] = '\0';
    const char *const tokens[] = {entry, NULL};
    const int32_t types[] = {IFN_TOKEN_USER_DEFINED};
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(
        &file,
        &(tiny_vocab){.model = "gpt2", .tokens = tokens, .types = types, .merges = no_merges});
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err;
    size_t bytes = 0;
    ifn_detokenizer_init(&d, t, 0);
    assert_ok(ifn_detokenizer_push(&d, 0, expect_whole_characters, &bytes, &err), err);
    assert_int_equal(bytes, 3 * N + 1);
    ifn_tokenizer_close(t);
    tiny_end(&file);
    free(entry);
}

TEST(an_id_out_of_range_is_refused)
{
    tiny_gguf file;
    calls c = {.n = 0};
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    ifn_detokenizer_init(&d, t, 0);
    assert_int_equal(ifn_detokenizer_push(&d, -1, note, &c, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "found -1, expected 0 to 260"));
    assert_int_equal(ifn_detokenizer_push(&d, B_BYTES + 256, note, &c, NULL), IFN_ERR_ARGUMENT);
    assert_int_equal(c.n, 0);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(a_detokenizer_without_its_size_is_refused)
{
    tiny_gguf file;
    calls c = {.n = 0};
    ifn_detokenizer d = {0};
    ifn_error err;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    ifn_detokenizer_init(&d, t, 0);
    assert_null(d.tokenizer);
    assert_int_equal(ifn_detokenizer_push(&d, B_SPACE_HE, note, &c, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "ifn_detokenizer: bytes 0, expected its size, which its _INIT "
                                  "begins with");
    assert_int_equal(ifn_detokenizer_flush(&d, note, &c, NULL), IFN_ERR_ARGUMENT);
    assert_int_equal(c.n, 0);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

TEST(a_receiver_that_fails_is_reported)
{
    tiny_gguf file;
    calls c = {.answer = IFN_ERR_IO};
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err;
    ifn_tokenizer *t = tiny_tokenizer(&file, &byte_level);
    ifn_detokenizer_init(&d, t, 0);
    assert_int_equal(ifn_detokenizer_push(&d, B_SPACE_HE, note, &c, &err), IFN_ERR_IO);
    assert_int_equal(err.status, IFN_ERR_IO);
    assert_int_equal(c.n, 1);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}

/* An entry spelled like a byte names one only if its type is BYTE. */
TEST(only_byte_entries_name_bytes)
{
    const char *const tokens[] = {"<0x41>", "<0x41>", "<0x4>", "<0xGG>", "<0x4a>", "<0x4A>!", NULL};
    const int32_t types[] = {6, 1, 6, 6, 6, 6};
    const float scores[] = {0, 0, 0, 0, 0, 0};
    tiny_gguf file;
    ifn_tokenizer *t = tiny_tokenizer(
        &file, &(tiny_vocab){.model = "llama", .tokens = tokens, .types = types, .scores = scores});
    EXPECT_TEXT(t, 0, "A<0x41><0x4><0xGG><0x4a><0x4A>!", 0, 1, 2, 3, 4, 5);
    ifn_tokenizer_close(t);
    tiny_end(&file);
}
