/* A model with numbers that are not finite ends every command that runs it, and the message names the cause. */
#include <string.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"

/* Makes the last value of a tensor's last row NaN: that spoils one logit, or every position after it. */
static const char *poisoned(const char *tensor)
{
    const char *const path = temp_path("poisoned.gguf");
    rewrite_model(small_model("llama"), path, &(rewrite){.poison_tensor = tensor});
    return path;
}

TEST(generation_names_position_op_and_weight)
{
    const char *const model = poisoned("blk.1.ffn_up.weight");
    static const char *const wants[] = {"position 2: logit 0 is nan",
                                        "first: linear at blk.1.gate on scalar",
                                        "blk.1.ffn_up.weight is nan at row 95, element 63 already"};
    for (size_t i = 0; i < N_OF(wants); i++)
        assert_refused(1, wants[i], "inferno", "generate", model, "--ids", "5,6,7", "-n", "3",
                       "--backend", "scalar");
}

/* The last of 300 logits is NaN, all others are finite. */
TEST(one_logit_is_enough)
{
    const char *const model = poisoned("output.weight");
    assert_refused(1, "position 0: logit 299 is nan; first: linear at logits on scalar", "inferno",
                   "generate", model, "--ids", "5", "-n", "3", "--backend", "scalar");
    assert_refused(1, "position 0: logit 299 is nan", "inferno", "generate", model, "--ids", "5",
                   "-n", "3", "--backend", "simd", "--temp", "1", "--seed", "1");
}

TEST(other_commands_do_as_well)
{
    const char *const model = poisoned("blk.0.attn_v.weight");
    assert_refused(1, "blk.0.attn_v.weight is nan", "inferno", "logits", model, "--ids", "5,6",
                   "--backend", "scalar");
    assert_refused(1, "position 0: logit 0 is nan", "inferno", "logits", model, "--ids", "5,6",
                   "--all", "--backend", "scalar");
    assert_refused(1, "first: dequantize_rows at weights on scalar", "inferno", "logits", model,
                   "--ids", "5,6", "--graph", "primitive", "--backend", "scalar");
    /* the head of its table is already printed */
    program p = program_run("inferno", "bench", model, "-p", "4", "-n", "4", "--backend", "scalar");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "blk.0.attn_v.weight is nan"));
    program_free(&p);
}

/* The prompt is already printed. */
TEST(model_generate_ends_after_the_prompt)
{
    static const char end[] = "eos token id: 256\n\n";
    const char *const model = poisoned("blk.0.attn_v.weight");
    program p = program_run("model-generate", "--backend", "scalar", model, "a", "3");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "blk.0.attn_v.weight is nan"));
    assert_int_equal(strncmp(p.out, "backend: scalar\nkv cache: off\nprompt: \"a\"\n", 42), 0);
    assert_true(p.out_bytes > sizeof end);
    assert_string_equal(p.out + p.out_bytes - strlen(end), end);
    program_free(&p);
}

TEST(a_threaded_backend_is_looked_at_as_it_is)
{
    const char *const model = poisoned("blk.1.ffn_down.weight");
    assert_refused(1, "blk.1.ffn_down.weight is nan", "inferno", "generate", model, "--ids", "5",
                   "-n", "1", "--backend", "parallel:scalar");
    assert_refused(1, "blk.1.ffn_down.weight is nan", "inferno", "generate", model, "--ids", "5",
                   "-n", "1", "--backend", "check:scalar");
}
