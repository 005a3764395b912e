#include "synth.h"

#include <string.h>

#include "test.h"

static synth_model parse(const char *text)
{
    synth_model m = {0};
    ifn_error err = {0};
    assert_ok(synth_parse(&m, text, &err), err);
    return m;
}

TEST(presets_have_the_shapes_of_their_models)
{
    const synth_model small = parse("qwen3:0.6b"), larger = parse("llama:1.7b");
    assert_string_equal(small.arch->name, "qwen3");
    assert_int_equal(small.shape.embedding_length, 1024);
    assert_int_equal(small.shape.vocab_size, 151936);
    assert_true(synth_is_llama(&larger));
    assert_int_equal(larger.shape.feed_forward_length, 6144);
    assert_int_equal(parse("qwen2").shape.embedding_length,
                     parse("qwen2:tiny").shape.embedding_length);
}

TEST(unknown_names_are_refused)
{
    static const char *const bad[] = {"",       "gpt2",       "qwen", "qwen33",
                                      "qwen3:", "qwen3:0.6B", ":tiny"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        synth_model m;
        ifn_error err = {0};
        assert_that(synth_parse(&m, bad[i], &err) == IFN_ERR_ARGUMENT, "accepted '%s'", bad[i]);
    }
}

TEST(keys_change_the_shape)
{
    ifn_error err = {0};
    synth_model m = parse("qwen3");
    assert_ok(synth_set(&m, "attention.head_count", "8", &err), err);
    assert_ok(synth_set(&m, "rope.freq_base", "5e5", &err), err);
    assert_int_equal(m.shape.head_count, 8);
    assert_true(m.shape.rope_freq_base == 5e5);
    assert_int_equal(synth_set(&m, "block_count", "0", &err), IFN_ERR_ARGUMENT);
    assert_int_equal(synth_set(&m, "rope.freq_base", "-1", &err), IFN_ERR_ARGUMENT);
    assert_int_equal(synth_set(&m, "rope.freq_base", "nan", &err), IFN_ERR_ARGUMENT);
    assert_int_equal(synth_set(&m, "colour", "1", &err), IFN_ERR_ARGUMENT);
}

TEST(shapes_that_no_model_can_have_are_refused)
{
    static const char *const bad[][2] = {
        {"vocab_size", "257"}, {"attention.head_count", "5"}, {"attention.key_length", "63"}};
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_error err = {0};
        synth_model m = parse("llama");
        assert_ok(synth_check(&m, &err), err);
        assert_ok(synth_set(&m, bad[i][0], bad[i][1], &err), err);
        assert_int_equal(synth_check(&m, &err), IFN_ERR_ARGUMENT);
        assert_non_null(strstr(err.text, bad[i][0]));
    }
}
