#include "tensors.h"

#include "open_model.h"

TEST(every_architecture_finds_its_tensors)
{
    tiny_model m = tiny_default("llama");
    m.rope_freqs = 1;
    opened o = open_model(&m);
    const ifn_layer *l = ifn_model_layer(o.model, 1);
    assert_string_equal(l->attn_q->name, "blk.1.attn_q.weight");
    assert_string_equal(l->ffn_down->name, "blk.1.ffn_down.weight");
    assert_null(l->attn_q_bias);
    assert_null(l->attn_q_norm);
    assert_non_null(ifn_model_tensors_of(o.model)->rope_freqs);
    close_model(&o);

    m = tiny_default("qwen2");
    o = open_model(&m);
    assert_string_equal(ifn_model_layer(o.model, 0)->attn_v_bias->name, "blk.0.attn_v.bias");
    close_model(&o);

    m = tiny_default("qwen3");
    o = open_model(&m);
    assert_string_equal(ifn_model_layer(o.model, 0)->attn_k_norm->name, "blk.0.attn_k_norm.weight");
    close_model(&o);
}

TEST(tied_embeddings_are_the_output)
{
    tiny_model m = tiny_default("qwen3");
    m.tied = 1;
    opened o = open_model(&m);
    assert_ptr_equal(ifn_model_tensors_of(o.model)->output,
                     ifn_model_tensors_of(o.model)->token_embd);
    close_model(&o);
}

TEST(a_missing_tensor_is_refused_by_name)
{
    static const char *const globals[] = {"token_embd.weight", "output_norm.weight"};
    tiny_model m = tiny_default("qwen3");
    for (size_t i = 0; i < N_OF(globals); i++) {
        m.without = globals[i];
        assert_refused(&m, IFN_ERR_FORMAT, globals[i], "no such tensor");
    }
#define X(field, text, role, first, second, need)                                                  \
    m = tiny_default(need == NEED_BIAS ? "qwen2" : need == NEED_QK_NORM ? "qwen3" : "llama");      \
    m.without = "blk.1." text;                                                                     \
    assert_refused(&m, IFN_ERR_FORMAT, m.without, "no such tensor");
    IFN_LAYER_TENSORS(X)
#undef X
}

TEST(a_wrong_shape_is_refused_with_both_shapes)
{
    tiny_model m = tiny_default("qwen3");
    m.misshaped = "blk.1.attn_k.weight";
    assert_refused(&m, IFN_ERR_FORMAT, "blk.1.attn_k.weight", "[33, 64], expected [32, 64]");
    m.misshaped = "blk.0.ffn_norm.weight";
    assert_refused(&m, IFN_ERR_FORMAT, "blk.0.ffn_norm.weight", "[65], expected [64]");
    m.misshaped = "output.weight";
    assert_refused(&m, IFN_ERR_FORMAT, "output.weight", "[62, 64], expected [61, 64]");
    m.misshaped = "output_norm.weight";
    assert_refused(&m, IFN_ERR_FORMAT, "output_norm.weight", "[65], expected [64]");
    m = tiny_default("llama");
    m.rope_freqs = 1;
    m.misshaped = "rope_freqs.weight";
    assert_refused(&m, IFN_ERR_FORMAT, "rope_freqs.weight", "[9], expected [8]");
    m = tiny_default("llama");
    m.uint_key = "embedding_length";
    m.uint_value = 32;
    assert_refused(&m, IFN_ERR_FORMAT, "token_embd.weight", "[61, 64], expected [61, 32]");
}

TEST(a_norm_that_is_not_f32_is_refused)
{
    tiny_model m = tiny_default("qwen3");
    m.as_f16 = "blk.0.attn_norm.weight";
    assert_refused(&m, IFN_ERR_UNSUPPORTED, "blk.0.attn_norm.weight", "F16, expected F32");
}

TEST(a_tensor_nobody_reads_is_refused)
{
    static const char *const extra[] = {"blk.0.attn_sinks.weight",
                                        "blk.2.attn_q.weight",
                                        "blk.0.attn_q_norm.weight",
                                        "v.patch_embd",
                                        "blk.x.ffn_up",
                                        "blk.-1.attn_q.weight"};
    for (size_t i = 0; i < N_OF(extra); i++) {
        tiny_model m = tiny_default("llama");
        m.extra = extra[i];
        assert_refused(&m, IFN_ERR_UNSUPPORTED, extra[i], "not a tensor of a llama model");
    }
    static const char *const derived[] = {"blk.0.attn_rot_embd.weight",
                                          "blk.1.attn_rotary_emb.inv_freq"};
    for (size_t i = 0; i < N_OF(derived); i++) {
        tiny_model m = tiny_default("llama");
        m.extra = derived[i];
        opened o = open_model(&m);
        close_model(&o);
    }
}
