#include "road.h"

#include <string.h>

static const ifn_token prompt[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
enum { N_PROMPT = 20, N_VOCAB = 61 };

/* numerics 12, R3: the prefill of T tokens equals T decodes and any other chunks, bit for bit on scalar. */
static void assert_chunking_does_not_matter(const tiny_model *m, ifn_context_params p)
{
    static const int64_t chunks[] = {1, 2, 3, 7, 19, 20, 64};
    float first[N_VOCAB], other[N_VOCAB];
    for (size_t i = 0; i < N_OF(chunks); i++) {
        p.max_rows = chunks[i];
        road r = road_open(m, &p);
        road_eval(&r, prompt, N_PROMPT);
        road_logits(&r, i == 0 ? first : other);
        road_close(&r);
        assert_that(i == 0 || memcmp(first, other, sizeof first) == 0,
                    "%s: chunks of %lld give other bits", m->arch, (long long)chunks[i]);
    }
}

TEST(chunking_does_not_matter)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t i = 0; i < N_OF(archs); i++) {
        const tiny_model m = tiny_default(archs[i]);
        assert_chunking_does_not_matter(&m, road_params());
    }
}

TEST(chunking_does_not_matter_in_any_mode)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_BF16, IFN_DTYPE_Q8_0, IFN_DTYPE_Q5_1,
                                       IFN_DTYPE_Q3_K, IFN_DTYPE_Q6_K};
    static const ifn_kv kinds[] = {IFN_KV_OFF, IFN_KV_F32, IFN_KV_F16, IFN_KV_Q8_0, IFN_KV_F32};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const tiny_model m = tiny_wide("qwen3", dtypes[i]);
        ifn_context_params p = road_params();
        p.activations = IFN_ACTIVATIONS_AUTO;
        p.kv = kinds[i];
        assert_chunking_does_not_matter(&m, p);
    }
}

/* The cache holds the same bits as recomputing gives. */
TEST(the_cache_changes_no_bit)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t i = 0; i < N_OF(archs); i++) {
        const tiny_model m = tiny_default(archs[i]);
        ifn_context_params p = road_params();
        ifn_token with[16], without[16];
        road r = road_open(&m, &p);
        road_generate(&r, prompt, 5, with, 16);
        road_close(&r);
        p.kv = IFN_KV_OFF;
        r = road_open(&m, &p);
        road_generate(&r, prompt, 5, without, 16);
        road_close(&r);
        assert_memory_equal(with, without, sizeof with);
    }
}

/* q and v are quantized and k is not, so linear and linear_q8 read the same input. */
TEST(a_group_of_mixed_types_is_read_by_both_linears)
{
    tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    m.kv_dtype = IFN_DTYPE_F16;
    ifn_context_params p = road_params();
    p.activations = IFN_ACTIVATIONS_Q8;
    assert_chunking_does_not_matter(&m, p);

    /* f32 activations may differ from this only by the rounding of the activations to 8 bits. */
    float q8[N_VOCAB], f32[N_VOCAB];
    road r = road_open(&m, &p);
    road_eval(&r, prompt, N_PROMPT);
    road_logits(&r, q8);
    road_close(&r);
    p.activations = IFN_ACTIVATIONS_F32;
    r = road_open(&m, &p);
    road_eval(&r, prompt, N_PROMPT);
    road_logits(&r, f32);
    road_close(&r);
    double dot = 0, qq = 0, ff = 0;
    for (int i = 0; i < N_VOCAB; i++) {
        dot += (double)q8[i] * (double)f32[i];
        qq += (double)q8[i] * (double)q8[i];
        ff += (double)f32[i] * (double)f32[i];
    }
    assert_true(memcmp(q8, f32, sizeof q8) != 0);
    assert_true(dot * dot > 0.98 * qq * ff);
}

/* The sequence crosses key blocks of 256 positions, in chunks that lie across their borders. */
TEST(long_sequences_cross_key_blocks)
{
    const tiny_model m = tiny_default("qwen3");
    ifn_context_params p = road_params();
    p.max_pos = 0; /* 600, the model's own length */
    static ifn_token ids[530];
    for (int i = 0; i < 530; i++)
        ids[i] = (i * 7 + i / 61) % N_VOCAB;
    float logits[3][N_VOCAB];
    static const int64_t chunks[] = {512, 100, 1};
    for (size_t i = 0; i < N_OF(chunks); i++) {
        p.max_rows = chunks[i];
        road r = road_open(&m, &p);
        road_eval(&r, ids, 530);
        road_logits(&r, logits[i]);
        road_close(&r);
        assert_memory_equal(logits[0], logits[i], sizeof logits[0]);
    }
}
