#include "spm.h"

#include <math.h>
#include <string.h>

#include "draw.h"
#include "test.h"
#include "tiny_gguf.h"

#define SP "\xe2\x96\x81"

typedef struct fixture {
    tiny_gguf file;
    ifn_vocab vocab;
    ifn_spm spm;
} fixture;

static ifn_status open_spm(fixture *f, const tiny_vocab *vocab, ifn_token unknown, ifn_error *err)
{
    const ifn_gguf *gguf = tiny_make(&f->file, vocab);
    assert_ok(ifn_vocab_open(&f->vocab, gguf, ifn_default_allocator(), NULL, err), *err);
    return ifn_spm_open(&f->spm, gguf, &f->vocab, unknown, err);
}

static void close_spm(fixture *f)
{
    ifn_spm_close(&f->spm);
    ifn_vocab_close(&f->vocab);
    tiny_end(&f->file);
}

static void expect_text(const fixture *f, const char *text, bool prefix, const ifn_token *ids,
                        size_t n)
{
    ifn_tokens out = {.alloc = ifn_default_allocator()};
    ifn_error err;
    assert_ok(ifn_spm_encode(&f->spm, (const uint8_t *)text, strlen(text), prefix, &out, &err),
              err);
    assert_that(out.n == n, "'%s': %zu ids, expected %zu", text, out.n, n);
    for (size_t i = 0; i < n; i++)
        assert_that(out.ids[i] == ids[i], "'%s': id %zu is %d, expected %d", text, i,
                    (int)out.ids[i], (int)ids[i]);
    ifn_tokens_free(&out);
}
#define EXPECT_TEXT(f, text, prefix, ...)                                                          \
    expect_text(f, text, prefix, (const ifn_token[]){__VA_ARGS__},                                 \
                sizeof((const ifn_token[]){__VA_ARGS__}) / sizeof(ifn_token))

enum { UNK, BOS, END, SPACE, A, B, C, AB, BC, SPACE_A };

static const char *const tokens[] = {"<unk>", "<s>", "</s>", SP,     "a", "b",
                                     "c",     "ab",  "bc",   SP "a", NULL};
static const int32_t types[] = {2, 3, 3, 1, 1, 1, 1, 1, 1, 1};

TEST(the_highest_score_goes_first)
{
    const float ab_first[] = {0, 0, 0, -9, -9, -9, -9, -1, -2, -3};
    const float bc_first[] = {0, 0, 0, -9, -9, -9, -9, -2, -1.5f, -3};
    fixture f;
    ifn_error err;
    assert_ok(open_spm(&f, &(tiny_vocab){.tokens = tokens, .types = types, .scores = ab_first}, UNK,
                       &err),
              err);
    EXPECT_TEXT(&f, "abc", false, AB, C);
    EXPECT_TEXT(&f, "abc", true, SPACE, AB, C);
    EXPECT_TEXT(&f, "a a", true, SPACE_A, SPACE_A);
    expect_text(&f, "", false, NULL, 0);
    close_spm(&f);
    assert_ok(open_spm(&f, &(tiny_vocab){.tokens = tokens, .types = types, .scores = bc_first}, UNK,
                       &err),
              err);
    EXPECT_TEXT(&f, "abc", false, A, BC);
    EXPECT_TEXT(&f, "abc", true, SPACE_A, BC);
    close_spm(&f);
}

/* Scores of either sign, zeros of either sign and infinities have one common order. */
TEST(of_equal_scores_the_leftmost_goes_first)
{
    const struct {
        float ab, bc;
        int ab_wins;
    } cases[] = {
        {-1, -1, 1},      {0.0f, -0.0f, 1},  {-0.0f, 0.0f, 1}, {1, -1, 1},
        {-1, 1, 0},       {2, 3, 0},         {3, 2, 1},        {-INFINITY, -1, 0},
        {1, INFINITY, 0}, {1e-40f, 0.0f, 1}, {0, 1e-40f, 0},   {-1e-40f, 0, 0},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        const float scores[] = {0, 0, 0, -9, -9, -9, -9, cases[i].ab, cases[i].bc, -3};
        fixture f;
        ifn_error err;
        assert_ok(open_spm(&f, &(tiny_vocab){.tokens = tokens, .types = types, .scores = scores},
                           UNK, &err),
                  err);
        if (cases[i].ab_wins)
            EXPECT_TEXT(&f, "abc", false, AB, C);
        else
            EXPECT_TEXT(&f, "abc", false, A, BC);
        close_spm(&f);
    }
}

/* Merges by the definition, with repeated search: slow and plain. Symbol i is text[start[i] .. start[i + 1]). */
static size_t merge_slowly(const fixture *f, const char *text, size_t *start, size_t n,
                           const float *scores)
{
    for (;;) {
        ifn_token best = IFN_TOKEN_NONE;
        size_t at = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            const ifn_token id =
                ifn_vocab_find(&f->vocab, text + start[i], start[i + 2] - start[i], IFN_TYPES_TEXT);
            if (id >= 0 && (best < 0 || scores[id] > scores[best])) {
                best = id;
                at = i;
            }
        }
        if (best == IFN_TOKEN_NONE)
            return n;
        memmove(start + at + 1, start + at + 2, (n - at - 1) * sizeof *start);
        n--;
    }
}

TEST(the_heap_does_what_the_definition_says)
{
    enum { LENGTH = 30 };
    const char *const spelled[] = {"a",  "b",   "c",   "d",    "ab",   "bc",   "cd",  "da",
                                   "aa", "abc", "cda", "bcda", "abab", "abaa", "bbb", NULL};
    const float scores[] = {-9, -9, -9, -9, -1, -2, -8, -3, -1, -7, -4, -5, -6, -6, 0};
    fixture f;
    ifn_error err;
    uint64_t random = 1;
    assert_ok(open_spm(&f, &(tiny_vocab){.tokens = spelled, .scores = scores}, UNK, &err), err);
    for (int round = 0; round < 2000; round++) {
        char text[LENGTH + 1] = {0};
        size_t start[LENGTH + 1];
        ifn_token ids[LENGTH];
        for (size_t i = 0; i < LENGTH; i++)
            text[i] = (char)('a' + draw_below(&random, 4));
        for (size_t i = 0; i <= LENGTH; i++)
            start[i] = i;
        const size_t n = merge_slowly(&f, text, start, LENGTH, scores);
        for (size_t i = 0; i < n; i++)
            ids[i] =
                ifn_vocab_find(&f.vocab, text + start[i], start[i + 1] - start[i], IFN_TYPES_TEXT);
        expect_text(&f, text, false, ids, n);
    }
    close_spm(&f);
}

static const float flat[] = {0, 0, 0, -9, -9, -9, -9, -1, -2, -3};

TEST(what_has_no_entry_falls_back_to_its_bytes)
{
    fixture f;
    ifn_error err;
    enum { BYTES = 10 };
    assert_ok(open_spm(&f,
                       &(tiny_vocab){.model = "llama",
                                     .tokens = tokens,
                                     .types = types,
                                     .scores = flat,
                                     .with_bytes = 1},
                       UNK, &err),
              err);
    EXPECT_TEXT(&f, "az", false, A, BYTES + 'z');
    EXPECT_TEXT(&f, "\xc3\xa9\n", false, BYTES + 0xc3, BYTES + 0xa9, BYTES + '\n');
    EXPECT_TEXT(&f, "a\xff\xe2\x96", false, A, BYTES + 0xff, BYTES + 0xe2, BYTES + 0x96);
    EXPECT_TEXT(&f, "\xe2 a", false, BYTES + 0xe2, SPACE_A);
    close_spm(&f);
}

TEST(without_byte_tokens_a_run_is_one_unknown)
{
    fixture f;
    ifn_error err;
    const tiny_vocab vocab = {.tokens = tokens, .types = types, .scores = flat};
    assert_ok(open_spm(&f, &vocab, UNK, &err), err);
    EXPECT_TEXT(&f, "az", false, A, UNK);
    EXPECT_TEXT(&f,
                "zz\xc3\xa9"
                "a\xff",
                false, UNK, A, UNK);
    EXPECT_TEXT(&f, "z z", true, SPACE, UNK, SPACE, UNK);
    close_spm(&f);
    assert_ok(open_spm(&f, &vocab, IFN_TOKEN_NONE, &err), err);
    EXPECT_TEXT(&f, "az", false, A);
    close_spm(&f);
}

TEST(text_does_not_become_a_control_token)
{
    const char *const spelled[] = {"<unk>", "<s>", "</s>", "<", "s", ">", "<s", "/", NULL};
    const int32_t kinds[] = {2, 3, 3, 1, 1, 1, 1, 1};
    const float scores[] = {0, 0, 0, -1, -1, -1, -1, -1};
    fixture f;
    ifn_error err;
    assert_ok(
        open_spm(&f, &(tiny_vocab){.tokens = spelled, .types = kinds, .scores = scores}, UNK, &err),
        err);
    EXPECT_TEXT(&f, "<s>", false, 6, 5);
    close_spm(&f);
}

/* If an entry has a space after a letter, the text must not be cut there. */
TEST(entries_with_a_space_inside_are_found)
{
    const char *const spelled[] = {"<unk>", SP, "a", "b", "a" SP, "a" SP "b", SP SP, NULL};
    const int32_t kinds[] = {2, 1, 1, 1, 1, 1, 1};
    const float scores[] = {0, -9, -9, -9, -1, -2, -3};
    fixture f;
    ifn_error err;
    assert_ok(
        open_spm(&f, &(tiny_vocab){.tokens = spelled, .types = kinds, .scores = scores}, UNK, &err),
        err);
    assert_false(f.spm.cuts_at_spaces);
    EXPECT_TEXT(&f, "a b", false, 5);
    EXPECT_TEXT(&f, "b  a", false, 3, 6, 2);
    close_spm(&f);
    assert_ok(
        open_spm(&f, &(tiny_vocab){.tokens = tokens, .types = types, .scores = flat}, UNK, &err),
        err);
    assert_true(f.spm.cuts_at_spaces);
    close_spm(&f);
}

/* In a file without scores all pairs of the vocabulary are equally good. */
TEST(without_scores_the_leftmost_pair_goes_first)
{
    const float equal[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const float *const both[] = {NULL, equal};
    for (int i = 0; i < 2; i++) {
        fixture f;
        ifn_error err;
        assert_ok(open_spm(&f, &(tiny_vocab){.tokens = tokens, .types = types, .scores = both[i]},
                           UNK, &err),
                  err);
        EXPECT_TEXT(&f, "abc", false, AB, C);
        EXPECT_TEXT(&f, "bcab", false, BC, AB);
        EXPECT_TEXT(&f, "abc", true, SPACE_A, BC);
        close_spm(&f);
    }
}

static void expect_refused(const tiny_vocab *vocab, const char *found)
{
    fixture f;
    ifn_error err;
    assert_int_equal(open_spm(&f, vocab, UNK, &err), IFN_ERR_FORMAT);
    assert_that(strstr(err.text, "tokenizer.ggml.scores") && strstr(err.text, found),
                "'%s' lacks the key or '%s'", err.text, found);
    close_spm(&f);
}

TEST(wrong_scores_are_refused_by_key)
{
    const float with_nan[] = {0, 0, 0, 0, NAN, 0, 0, 0, 0, 0};
    expect_refused(&(tiny_vocab){.tokens = tokens, .scores = with_nan}, "element 4: found NaN");

    tiny_gguf file;
    ifn_vocab vocab;
    ifn_spm spm;
    ifn_error err;
    tiny_begin(&file);
    tiny_put_vocab(&file, &(tiny_vocab){.tokens = tokens});
    tiny_array(&file, "tokenizer.ggml.scores", IFN_GGUF_FLOAT32, flat, 9);
    const ifn_gguf *gguf = tiny_open(&file);
    assert_ok(ifn_vocab_open(&vocab, gguf, ifn_default_allocator(), NULL, &err), err);
    assert_int_equal(ifn_spm_open(&spm, gguf, &vocab, UNK, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "found 9 scores, expected 10"));
    ifn_vocab_close(&vocab);
    tiny_end(&file);
}
