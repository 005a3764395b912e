/* What the models of a run are asked: modes, prompts, and how many tokens a large model gets. */
#include "e2e_prompts.h"

#include <string.h>

#include "e2e_model.h"

TEST(modes_follow_from_weights_and_heads)
{
    conform_truth_mode modes[E2E_MAX_MODES];
    tiny_truth f32 = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    assert_int_equal(e2e_modes_of(f32.model, modes), 3);
    assert_int_equal(modes[2].cache, IFN_DTYPE_Q8_0);
    tiny_truth_close(&f32);
    tiny_truth q4 = tiny_truth_open("llama", IFN_DTYPE_Q4_K, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    assert_int_equal(e2e_modes_of(q4.model, modes), 6);
    assert_int_equal(modes[3].activations, IFN_ACTIVATIONS_Q8);
    tiny_truth_close(&q4);
    /* rows of 16 are no whole blocks of a q8_0 cache */
    const tiny_model m = tiny_default("qwen2");
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    assert_int_equal(e2e_modes_of(r.model, modes), 2);
    road_close(&r);
}

TEST(a_longer_profile_does_more_and_a_larger_model_gets_less)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const e2e_effort smoke = e2e_effort_of(PROFILE_SMOKE, t.model, 1);
    const e2e_effort nightly = e2e_effort_of(PROFILE_NIGHTLY, t.model, 1);
    assert_int_equal(smoke.n_texts + smoke.n_random, 2);
    assert_true(smoke.with_free && smoke.n_prompt == 8 && smoke.n_new == 8);
    assert_int_equal(smoke.n_random_ids, 28);
    assert_true(nightly.n_prompt > IFN_ATTENTION_BLOCK);
    /* many backends cost as much time as a larger model */
    const e2e_effort shared = e2e_effort_of(PROFILE_SMOKE, t.model, 100000);
    assert_true(shared.n_prompt == 4 && shared.n_new == 4 && !shared.with_free);
    assert_int_equal(shared.n_texts + shared.n_random, 1);
    tiny_truth_close(&t);
}

static tiny_truth open_with_context(int64_t n_ctx)
{
    tiny_truth t;
    ifn_error err = {0};
    tiny_model m = tiny_wide("llama", IFN_DTYPE_F32);
    m.uint_key = "context_length";
    m.uint_value = (uint32_t)n_ctx;
    tiny_write(&m, temp_path("context.gguf"));
    assert_ok(ifn_gguf_open(temp_path("context.gguf"), NULL, &t.gguf, &err), err);
    assert_ok(ifn_model_open(t.gguf, NULL, &t.model, &err), err);
    return t;
}

/* A long prompt ends with the context, or where the profile's time ends; then it is told why. */
TEST(the_long_prompt_is_as_long_as_can_be_afforded)
{
    tiny_truth t = open_with_context(4096);
    assert_int_equal(e2e_effort_of(PROFILE_SMOKE, t.model, 1).n_long, 300);
    const e2e_effort ci = e2e_effort_of(PROFILE_CI, t.model, 1);
    assert_int_equal(ci.n_long, 2100);
    assert_null(ci.why_shorter);
    const e2e_effort many = e2e_effort_of(PROFILE_CI, t.model, 100);
    assert_true(many.n_long >= 64 && many.n_long < 2100);
    assert_string_equal(many.why_shorter, "so large a model");
    assert_int_equal(e2e_effort_of(PROFILE_SMOKE, t.model, 1000000).n_long, 0);
    ifn_model_close(t.model);
    ifn_gguf_close(t.gguf);
    t = open_with_context(100);
    const e2e_effort shorter = e2e_effort_of(PROFILE_SMOKE, t.model, 1);
    assert_int_equal(shorter.n_long, 100);
    assert_string_equal(shorter.why_shorter, "the model's context");
    ifn_model_close(t.model);
    ifn_gguf_close(t.gguf);
}

/* A model file without a tokenizer gets random ids, the same each time. */
TEST(a_model_without_a_tokenizer_has_random_prompts)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const e2e_effort effort = {.n_texts = 2, .n_random = 2, .n_random_ids = 6, .n_new = 3};
    e2e_prompts a, b, other;
    ifn_error err = {0};
    assert_ok(e2e_prompts_open(&a, t.model, &effort, source_path("spec"), 1, &err), err);
    assert_ok(e2e_prompts_open(&b, t.model, &effort, source_path("spec"), 1, &err), err);
    assert_ok(e2e_prompts_open(&other, t.model, &effort, source_path("spec"), 2, &err), err);
    assert_int_equal(a.n, 2);
    assert_string_equal(a.list[1].name, "random-2");
    assert_int_equal(a.list[0].n, 6);
    assert_int_equal(a.list[0].n_new, 3);
    assert_memory_equal(a.list[0].ids, b.list[0].ids, 6 * sizeof(ifn_token));
    assert_memory_not_equal(a.list[0].ids, a.list[1].ids, 6 * sizeof(ifn_token));
    assert_memory_not_equal(a.list[0].ids, other.list[0].ids, 6 * sizeof(ifn_token));
    for (int i = 0; i < 6; i++)
        assert_true(a.list[0].ids[i] >= 0 && a.list[0].ids[i] < t.truth.n_vocab);
    e2e_prompts_close(&a);
    e2e_prompts_close(&b);
    e2e_prompts_close(&other);
    tiny_truth_close(&t);
}

TEST(the_shipped_model_is_asked_the_texts_of_its_golden_files)
{
    static const ifn_token once[] = {1116, 1430, 258,
                                     473}; /* spec/generate/once-upon-a-time.yaml */
    const e2e_effort effort = {
        .n_texts = 7, .n_random = 1, .n_prompt = 300, .n_random_ids = 8, .n_new = 1};
    ifn_gguf *gguf;
    ifn_model *model;
    e2e_prompts p;
    ifn_error err = {0};
    assert_ok(ifn_gguf_open(source_path("fixtures/gguf/little-world-f16.gguf"), NULL, &gguf, &err),
              err);
    assert_ok(ifn_model_open(gguf, NULL, &model, &err), err);
    assert_ok(e2e_prompts_open(&p, model, &effort, source_path("spec"), 1, &err), err);
    assert_int_equal(p.n, 8);
    assert_int_equal(p.list[0].n, 4);
    assert_memory_equal(p.list[0].ids, once, sizeof once);
    assert_true(p.list[6].n > IFN_ATTENTION_BLOCK);
    e2e_prompts_close(&p);
    assert_int_equal(e2e_prompts_open(&p, model, &effort, temp_path("none"), 1, &err), IFN_ERR_IO);
    e2e_prompts_close(&p);
    ifn_model_close(model);
    ifn_gguf_close(gguf);
}
