/* Checks every published text and its ids with the real vocabularies. */
#include <inferno/tokenizer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "paths.h"
#include "test.h"
#include "tiny_gguf.h"

static const struct source {
    const char *vectors, *vocab;
} sources[] = {
    {"gpt-2", "tokenizers/gguf/ggml-vocab-gpt-2.gguf"},
    {"llama2-spm", "tokenizers/gguf/ggml-vocab-llama-spm.gguf"},
    {"llama2-spm", "tokenizers/gguf/ggml-vocab-llama.v1.gguf"},
    {"llama2-spm", "models/llama-2-tiny-random.gguf"},
    {"llama3", "tokenizers/gguf/llama3-vocab.gguf"},
    {"qwen2", "tokenizers/gguf/qwen2-vocab.gguf"},
    {"qwen2", "tokenizers/gguf/qwen3-vocab.gguf"},
    {"stories260K-spm", "models/stories260K.gguf"},
    {"tiny-byte_level", "tokenizers/tiny/tiny-byte_level.gguf"},
    {"tiny-split_qwen2", "tokenizers/tiny/tiny-split_qwen2.gguf"},
};

static int is_true(const json *value)
{
    return value && value->type == JSON_TRUE;
}

static int same_ids(const ifn_tokens *got, const json *expected)
{
    if (got->n != expected->n)
        return 0;
    for (size_t i = 0; i < got->n; i++)
        if (got->ids[i] != json_int(&expected->items[i]))
            return 0;
    return 1;
}

static void print_ids(const ifn_tokens *got, const json *expected)
{
    print_error("  found   ");
    for (size_t i = 0; i < got->n; i++)
        print_error(" %d", (int)got->ids[i]);
    print_error("\n  expected");
    for (size_t i = 0; i < expected->n; i++)
        print_error(" %d", (int)json_int(&expected->items[i]));
    print_error("\n");
}

/* Returns 1 if the ids decode to the text. SentencePiece turns U+2581 into a space, but no vector contains it. */
static int decodes_to(const ifn_tokenizer *tokenizer, const ifn_tokens *ids, const json *text)
{
    size_t bytes;
    char *back = decode(tokenizer, ids->ids, ids->n, 0, &bytes);
    const int same = bytes == text->bytes && memcmp(back, text->string, bytes) == 0;
    free(back);
    return same;
}

/* Returns 1 if the vector holds. */
static int check_vector(const ifn_tokenizer *tokenizer, const json *vector)
{
    const json *text = json_get(vector, "text"), *ids = json_get(vector, "ids");
    uint32_t flags = is_true(json_get(vector, "parse_special")) ? 0 : IFN_TOKENIZE_NO_SPECIAL;
    if (!is_true(json_get(vector, "add_bos")))
        flags |= IFN_TOKENIZE_NO_BOS;
    ifn_tokens got;
    ifn_error err;
    assert_ok(ifn_tokenize(tokenizer, text->string, text->bytes, flags, &got, &err), err);
    const int same = same_ids(&got, ids);
    const int back = (flags & IFN_TOKENIZE_NO_SPECIAL) == 0 || decodes_to(tokenizer, &got, text);
    if (!same || !back) {
        print_error("'%s'%s\n", text->string, same ? " does not come back from its ids" : "");
        print_ids(&got, ids);
    }
    ifn_tokens_free(&got);
    return same && back;
}

static size_t check_lines(const ifn_tokenizer *tokenizer, const char *lines, size_t *n)
{
    size_t n_failed = 0;
    while (*lines) {
        json *vector = json_parse(lines, &lines);
        n_failed += !check_vector(tokenizer, vector);
        ++*n;
        json_free(vector);
        lines += strspn(lines, "\r\n");
    }
    return n_failed;
}

static void check_source(const struct source *source)
{
    char name[128];
    ifn_gguf *gguf;
    ifn_tokenizer *tokenizer;
    ifn_error err;
    size_t bytes, n = 0;
    snprintf(name, sizeof name, "vectors/%s.jsonl", source->vectors);
    char *lines = read_file(external_path(name), &bytes);
    assert_non_null(lines);
    assert_ok(ifn_gguf_open(external_path(source->vocab), NULL, &gguf, &err), err);
    assert_ok(ifn_tokenizer_open(gguf, NULL, &tokenizer, &err), err);
    const size_t n_failed = check_lines(tokenizer, lines, &n);
    print_message("%s: %zu of %zu vectors hold\n", source->vocab, n - n_failed, n);
    assert_true(n > 0);
    assert_int_equal(n_failed, 0);
    ifn_tokenizer_close(tokenizer);
    ifn_gguf_close(gguf);
    free(lines);
}

static void every_vector_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(sources); i++)
        check_source(&sources[i]);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(every_vector_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
