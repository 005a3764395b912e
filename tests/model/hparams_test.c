#include "hparams.h"

#include <math.h>

#include "open_model.h"

TEST(numbers_come_from_the_metadata)
{
    tiny_model m = tiny_default("qwen3");
    m.float_key = "rope.freq_base";
    m.float_value = 1e6f;
    opened o = open_model(&m);
    const ifn_hparams *h = ifn_model_hparams(o.model);
    assert_string_equal(h->arch, "qwen3");
    assert_int_equal(h->n_vocab, 61);
    assert_int_equal(h->n_ctx_train, 600);
    assert_int_equal(h->n_embd, 64);
    assert_int_equal(h->n_ff, 96);
    assert_int_equal(h->n_layers, 2);
    assert_int_equal(h->n_heads, 4);
    assert_int_equal(h->n_kv_heads, 2);
    assert_int_equal(h->head_dim, 16);
    assert_true(h->rms_eps == 1e-6f);
    assert_true(h->rope_theta == 1e6);
    close_model(&o);
}

TEST(what_is_absent_has_the_fields_defaults)
{
    tiny_model m = tiny_default("llama");
    m.without = "attention.key_length";
    opened o = open_model(&m);
    assert_int_equal(ifn_model_hparams(o.model)->head_dim, 16);
    assert_true(ifn_model_hparams(o.model)->rope_theta == 10000.0);
    close_model(&o);
    m.n_kv_heads = 4;
    m.without = "attention.head_count_kv";
    o = open_model(&m);
    assert_int_equal(ifn_model_hparams(o.model)->n_kv_heads, 4);
    close_model(&o);
}

TEST(a_missing_number_is_refused_by_key)
{
    static const char *const keys[] = {"context_length",       "embedding_length",
                                       "feed_forward_length",  "block_count",
                                       "attention.head_count", "attention.layer_norm_rms_epsilon"};
    for (size_t i = 0; i < N_OF(keys); i++) {
        tiny_model m = tiny_default("qwen3");
        m.without = keys[i];
        assert_refused(&m, IFN_ERR_FORMAT, keys[i], "model.gguf");
    }
    tiny_model m = tiny_default("qwen3");
    m.without = "general.architecture";
    assert_refused(&m, IFN_ERR_FORMAT, "general.architecture", "model.gguf");
}

TEST(a_number_out_of_range_is_refused_by_key)
{
    static const struct {
        const char *key;
        uint32_t value;
        const char *why;
    } bad[] = {
        {"block_count", 0, "found 0"},
        {"block_count", 4000000, "tensors"},
        {"embedding_length", 0, "found 0"},
        {"attention.head_count", 0, "found 0"},
        {"attention.head_count", 1u << 31, "2147483648"},
        {"attention.head_count_kv", 3, "divisor"},
        {"attention.key_length", 0, "found 0"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        tiny_model m = tiny_default("qwen3");
        m.uint_key = bad[i].key;
        m.uint_value = bad[i].value;
        assert_refused(&m, IFN_ERR_FORMAT, bad[i].key, bad[i].why);
    }
}

TEST(heads_must_divide_the_embedding)
{
    tiny_model m = tiny_default("llama");
    m.without = "attention.key_length";
    m.uint_key = "attention.head_count";
    m.uint_value = 6;
    assert_refused(&m, IFN_ERR_FORMAT, "llama.attention.head_count: found 6",
                   "expected a divisor of embedding_length 64");
}

/* The code only compares it with other sizes, and never multiplies it. */
TEST(a_context_may_be_longer_than_any_extent)
{
    tiny_model m = tiny_default("llama");
    m.uint_key = "context_length";
    m.uint_value = 4000000000u;
    opened o = open_model(&m);
    assert_int_equal(ifn_model_hparams(o.model)->n_ctx_train, 4000000000);
    close_model(&o);
}

TEST(what_is_not_implemented_is_refused_by_name)
{
    tiny_model m = tiny_default("qwen3");
    m.uint_key = "attention.value_length";
    m.uint_value = 8;
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "value_length", "expected 16");
    m.uint_key = "rope.dimension_count";
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "rope.dimension_count", "found 8");
    m.uint_key = "expert_count";
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "expert_count", "experts");
    static const char *const types[] = {"linear", "yarn", "longrope"};
    for (size_t i = 0; i < N_OF(types); i++) {
        m = tiny_default("llama");
        m.string_key = "rope.scaling.type";
        m.string_value = types[i];
        assert_refused(&m, IFN_ERR_UNSUPPORTED, "rope.scaling.type", types[i]);
    }
    m = tiny_default("llama");
    m.float_key = "rope.scale_linear";
    m.float_value = 2.0f;
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "rope.scale_linear", "found 2");
    m = tiny_default("mamba");
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "general.architecture", "llama qwen2 qwen3");
    m = tiny_default("a-name-that-goes-on-for-longer-than-forty-letters");
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "'a-name-that-goes-on-for-longer-than-fort'",
                   "llama qwen2 qwen3");
    m = tiny_default("llama");
    m.string_key = "rope.scaling.type";
    m.string_value = "a-name-that-goes-on-for-longer-than-forty-letters";
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "'a-name-that-goes-on-for-longer-than-fort'",
                   "expected none");
}

TEST(no_scaling_is_no_reason_to_refuse)
{
    tiny_model m = tiny_default("llama");
    m.string_key = "rope.scaling.type";
    m.string_value = "none";
    opened o = open_model(&m);
    close_model(&o);
    m = tiny_default("llama");
    m.float_key = "rope.scale_linear";
    m.float_value = 1.0f;
    o = open_model(&m);
    close_model(&o);
}

TEST(no_experts_are_no_reason_to_refuse)
{
    tiny_model m = tiny_default("llama");
    m.uint_key = "expert_count";
    m.uint_value = 0;
    opened o = open_model(&m);
    close_model(&o);
}

TEST(an_odd_head_cannot_rotate)
{
    tiny_model m = tiny_default("qwen3");
    m.head_dim = 15;
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "key_length", "even");
}

TEST(a_number_of_the_wrong_type_is_refused)
{
    static const char *const numbers[] = {"block_count",          "attention.head_count_kv",
                                          "attention.key_length", "attention.value_length",
                                          "rope.dimension_count", "rope.scale_linear",
                                          "rope.freq_base",       "expert_count"};
    for (size_t i = 0; i < N_OF(numbers); i++) {
        tiny_model m = tiny_default("qwen3");
        m.string_key = numbers[i];
        m.string_value = "2";
        assert_refused(&m, IFN_ERR_FORMAT, numbers[i], "string");
    }
    tiny_model m = tiny_default("qwen3");
    m.uint_key = "rope.scaling.type";
    m.uint_value = 1;
    assert_refused(&m, IFN_ERR_FORMAT, "rope.scaling.type", "u32");
}

TEST(what_cannot_scale_is_refused)
{
    static const struct {
        const char *key;
        float value;
        const char *found;
    } bad[] = {
        {"attention.layer_norm_rms_epsilon", -1.0f, "found -1"},
        {"attention.layer_norm_rms_epsilon", NAN, "found nan"},
        {"rope.freq_base", INFINITY, "found inf"},
        {"rope.freq_base", 0.0f, "found 0"},
        {"rope.scale_linear", -2.0f, "found -2"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        tiny_model m = tiny_default("qwen3");
        m.float_key = bad[i].key;
        m.float_value = bad[i].value;
        assert_refused(&m, IFN_ERR_FORMAT, bad[i].key, bad[i].found);
    }
    tiny_model m = tiny_default("qwen3");
    m.float_key = "attention.layer_norm_rms_epsilon";
    m.float_value = 0.0f; /* adds nothing to a mean square: allowed */
    opened o = open_model(&m);
    assert_true(ifn_model_hparams(o.model)->rms_eps == 0.0f);
    close_model(&o);
}
