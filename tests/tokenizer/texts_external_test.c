/* A whole novel with real vocabularies: the ids, the text decoded from them, and the time. */
#include <inferno/clock.h>
#include <inferno/tokenizer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#include "json.h"
#include "paths.h"
#include "sha256.h"
#include "test.h"
#include "tiny_gguf.h"

/* A generous limit, which sanitizers and a busy machine meet; quadratic work would take hours. */
enum { MOST_SECONDS = 60, RUN_BYTES = 1000000 };

static const char *vocab_of(const char *name)
{
    static const char *const known[][2] = {
        {"gpt-2", "tokenizers/gguf/ggml-vocab-gpt-2.gguf"},
        {"llama2-spm", "tokenizers/gguf/ggml-vocab-llama-spm.gguf"},
        {"llama3", "tokenizers/gguf/llama3-vocab.gguf"},
        {"qwen2", "tokenizers/gguf/qwen2-vocab.gguf"},
    };
    for (size_t i = 0; i < N_OF(known); i++)
        if (strcmp(known[i][0], name) == 0)
            return external_path(known[i][1]);
    fail_msg("no vocabulary is called '%s'", name);
    return NULL;
}

static double seconds_since(uint64_t start)
{
    return (double)(ifn_clock_ns() - start) * 1e-9;
}

static int is_true(const json *value)
{
    return value->type == JSON_TRUE;
}

static void expect_edge(const json *expected, const ifn_token *ids)
{
    for (size_t i = 0; i < expected->n; i++)
        assert_int_equal(ids[i], json_int(&expected->items[i]));
}

static void expect_digest(const ifn_tokens *ids, const char *expected)
{
    char digest[65];
    uint8_t *bytes = malloc(ids->n * 4 + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < ids->n; i++)
        ifn_store_u32le(bytes + 4 * i, (uint32_t)ids->ids[i]);
    sha256_hex(bytes, ids->n * 4, digest);
    assert_string_equal(digest, expected);
    free(bytes);
}

static void expect_ids_of(const ifn_tokens *ids, const json *expected)
{
    const json *first = json_get(expected, "first"), *last = json_get(expected, "last");
    assert_int_equal(ids->n, json_int(json_get(expected, "n_tokens")));
    expect_edge(first, ids->ids);
    expect_edge(last, ids->ids + ids->n - last->n);
    expect_digest(ids, json_get(expected, "sha256_ids_le_i32")->string);
}

static void expect_back(const ifn_tokenizer *t, const ifn_tokens *ids, const char *text, size_t n)
{
    size_t bytes;
    char *back = decode(t, ids->ids, ids->n, 0, &bytes);
    assert_int_equal(bytes, n);
    assert_int_equal(memcmp(back, text, n), 0);
    free(back);
}

static double encode(const ifn_tokenizer *t, const char *text, size_t bytes, uint32_t flags,
                     ifn_tokens *ids)
{
    ifn_error err;
    const uint64_t start = ifn_clock_ns();
    assert_ok(ifn_tokenize(t, text, bytes, flags, ids, &err), err);
    const double seconds = seconds_since(start);
    assert_that(seconds < MOST_SECONDS, "%zu bytes took %.1f s", bytes, seconds);
    return seconds;
}

static double encode_run(const ifn_tokenizer *t, char letter)
{
    char *text = malloc(RUN_BYTES);
    assert_non_null(text);
    memset(text, letter, RUN_BYTES);
    ifn_tokens ids;
    const double seconds = encode(t, text, RUN_BYTES, 0, &ids);
    expect_back(t, &ids, text, RUN_BYTES);
    ifn_tokens_free(&ids);
    free(text);
    return seconds;
}

static void check_text(const json *expected)
{
    char path[256];
    const char *name = json_get(expected, "vocab")->string;
    ifn_gguf *gguf;
    ifn_tokenizer *t;
    ifn_tokens ids;
    ifn_error err;
    size_t bytes;
    uint32_t flags = is_true(json_get(expected, "add_bos")) ? 0 : IFN_TOKENIZE_NO_BOS;
    flags |= is_true(json_get(expected, "parse_special")) ? 0 : IFN_TOKENIZE_NO_SPECIAL;
    snprintf(path, sizeof path, "texts/%s", json_get(expected, "file")->string);
    char *text = read_file(external_path(path), &bytes);
    assert_non_null(text);
    assert_ok(ifn_gguf_open(vocab_of(name), NULL, &gguf, &err), err);
    assert_ok(ifn_tokenizer_open(gguf, NULL, &t, &err), err);
    const double seconds = encode(t, text, bytes, flags, &ids);
    expect_ids_of(&ids, expected);
    expect_back(t, &ids, text, bytes);
    print_message("%-10s %zu bytes in %.2f s: %.1f MB/s; 1 MB of 'a' %.2f s, of spaces %.2f s\n",
                  name, bytes, seconds, (double)bytes * 1e-6 / seconds, encode_run(t, 'a'),
                  encode_run(t, ' '));
    ifn_tokens_free(&ids);
    ifn_tokenizer_close(t);
    ifn_gguf_close(gguf);
    free(text);
}

static void every_whole_text_has_its_published_ids(void **state)
{
    (void)state;
    size_t bytes;
    char *file = read_file(external_path("texts/expected.json"), &bytes);
    assert_non_null(file);
    json *expected = json_parse(file, NULL);
    assert_true(expected->n > 0);
    for (size_t i = 0; i < expected->n; i++)
        check_text(&expected->items[i]);
    json_free(expected);
    free(file);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(every_whole_text_has_its_published_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
