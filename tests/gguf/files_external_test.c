/* Real files of versions 1, 2 and 3 open quickly, and need little memory. */
#include <inferno/gguf.h>

#include <time.h>

#include "fail_alloc.h"
#include "paths.h"
#include "test.h"

static const struct {
    const char *path;
    uint32_t version;
    uint64_t n_tensors;
    uint64_t n_tokens;
} files[] = {
    {"tokenizers/gguf/ggml-vocab-llama.v1.gguf", 1, 0, 32000},
    {"tokenizers/gguf/ggml-vocab-falcon.v2.gguf", 2, 0, 65024},
    {"tokenizers/gguf/ggml-vocab-gpt-2.gguf", 3, 0, 50257},
    {"tokenizers/gguf/ggml-vocab-llama-spm.gguf", 3, 0, 32000},
    {"tokenizers/gguf/llama3-vocab.gguf", 3, 0, 128256},
    {"tokenizers/gguf/qwen2-vocab.gguf", 3, 0, 151936},
    {"tokenizers/gguf/qwen3-vocab.gguf", 3, 0, 151936},
    {"tokenizers/tiny/tiny-byte_level.gguf", 3, 0, 380},
    {"tokenizers/tiny/tiny-split_qwen2.gguf", 3, 0, 400},
    {"models/stories260K.gguf", 3, 48, 512},
    {"models/stories260K-f16.gguf", 3, 48, 512},
    {"models/stories260K-bf16.gguf", 3, 48, 512},
    {"models/stories260K-q8_0.gguf", 3, 48, 512},
    {"models/stories260K-q4_0.gguf", 3, 48, 512},
    {"models/stories260K-q5_1.gguf", 3, 48, 512},
    {"models/llama-2-tiny-random.gguf", 3, 12, 32000},
    {"models/hf-oracle/ferrl-tiny_llama-f32.gguf", 3, 21, 32},
    {"models/hf-oracle/ferrl-tiny_qwen3-f32.gguf", 3, 24, 32},
    {"models/hf-oracle/neural-api-tiny_qwen2-f32.gguf", 3, 27, 12},
    {"models/kquant/synthetic-qwen2-q5_k.gguf", 3, 27, 96},
    {"models/kquant/synthetic-qwen3-q4_k.gguf", 3, 24, 96},
};

static void assert_tokens(const ifn_gguf *gguf, uint64_t expected)
{
    const ifn_gguf_kv *tokens;
    ifn_error err;
    uint64_t cursor = 0;
    assert_ok(ifn_gguf_get_array(gguf, "tokenizer.ggml.tokens", IFN_GGUF_STRING, &tokens, &err),
              err);
    assert_int_equal(tokens->count, expected);
    for (uint64_t i = 0; i < tokens->count; i++)
        (void)ifn_gguf_next_string(gguf, tokens, &cursor);
    assert_int_equal(cursor, tokens->bytes);
}

static void every_real_file_opens(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(files); i++) {
        fail_alloc counting;
        ifn_gguf *gguf;
        ifn_error err;
        fail_alloc_init(&counting, -1);
        assert_ok(ifn_gguf_open(external_path(files[i].path), &counting.allocator, &gguf, &err),
                  err);
        assert_int_equal(ifn_gguf_version(gguf), files[i].version);
        assert_int_equal(ifn_gguf_n_tensors(gguf), files[i].n_tensors);
        assert_int_equal(ifn_gguf_alignment(gguf), 32);
        assert_null(ifn_gguf_first_nested_array(gguf));
        assert_tokens(gguf, files[i].n_tokens);
        /* Tables of entries, never of what arrays hold. */
        assert_true(counting.peak_bytes < 32 * 1024);
        ifn_gguf_close(gguf);
        assert_int_equal(counting.live_blocks, 0);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void the_largest_vocabulary_opens_in_milliseconds(void **state)
{
    (void)state;
    const char *path = external_path("tokenizers/gguf/qwen3-vocab.gguf");
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        ifn_gguf *gguf;
        const double start = seconds();
        assert_int_equal(ifn_gguf_open(path, NULL, &gguf, NULL), IFN_OK);
        const double took = seconds() - start;
        best = took < best ? took : best;
        ifn_gguf_close(gguf);
    }
    print_message("opened in %.2f ms\n", best * 1e3);
    /* 300000 strings take 10 ms unoptimized; a sanitizer or Valgrind may take longer. */
    assert_true(best < 1.0);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(every_real_file_opens),
        RUN(the_largest_vocabulary_opens_in_milliseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
