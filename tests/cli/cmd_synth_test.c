#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "test.h"

TEST(every_architecture_runs)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t i = 0; i < N_OF(archs); i++) {
        json *d = assert_json("inferno", "inspect", small_model(archs[i]), "--json");
        assert_int_equal(json_get(d, "runs")->type, JSON_TRUE);
        json_free(d);
        program p = assert_runs("inferno", "generate", small_model(archs[i]), "-p", "a", "-n", "2");
        program_free(&p);
    }
}

static program synthesize(const char *seed)
{
    return assert_runs("inferno", "synth", "qwen3", "-", "--type", "Q4_K", "--seed", seed,
                       "--vocab_size", "258", "--block_count", "1", "--feed_forward_length", "256");
}

TEST(the_same_seed_gives_the_same_file)
{
    program a = synthesize("5"), b = synthesize("5"), c = synthesize("6");
    assert_true(a.out_bytes > 200000);
    assert_int_equal(a.out_bytes, b.out_bytes);
    assert_memory_equal(a.out, b.out, a.out_bytes);
    assert_int_equal(a.out_bytes, c.out_bytes);
    assert_memory_not_equal(a.out, c.out, a.out_bytes);
    program_free(&a);
    program_free(&b);
    program_free(&c);
}

TEST(types_that_do_not_fit_fall_back)
{
    const char *path = temp_path("fallback.gguf");
    program p =
        assert_runs("inferno", "synth", "llama", path, "--type", "Q4_K", "--embedding_length=64",
                    "--attention.key_length", "16", "--feed_forward_length", "256");
    program_free(&p);
    json *d = assert_json("inferno", "inspect", path, "--json");
    const json *tensors = json_get(d, "tensors");
    for (size_t i = 0; i < tensors->n; i++) {
        const char *name = json_get(&tensors->items[i], "name")->string;
        const char *type = json_get(&tensors->items[i], "type")->string;
        if (strstr(name, "attn_q.weight")) /* rows of 64 */
            assert_string_equal(type, "Q5_0");
        if (strcmp(name, "blk.0.ffn_down.weight") == 0) /* rows of 256 */
            assert_string_equal(type, "Q4_K");
        if (strcmp(name, "output.weight") == 0)
            assert_string_equal(type, "Q8_0");
        if (strstr(name, "norm"))
            assert_string_equal(type, "F32");
    }
    assert_int_equal(json_get(d, "runs")->type, JSON_TRUE);
    json_free(d);
}

TEST(the_tokenizer_knows_every_byte)
{
    char bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    write_file(temp_path("bytes"), bytes, sizeof bytes);
    json *d = assert_json("inferno", "tokenize", small_model("qwen3"), "-f", temp_path("bytes"),
                          "--json");
    const json *ids = json_get(d, "ids");
    assert_int_equal(ids->n, 256);
    for (size_t i = 0; i < 256; i++)
        assert_int_equal(json_int(&ids->items[i]), i);
    json_free(d);
}

TEST(wrong_usage_is_refused_and_leaves_no_file)
{
    const char *path = temp_path("never.gguf");
    assert_refused(2, "ARCH: found 'gpt', expected llama, qwen2 or qwen3", "inferno", "synth",
                   "gpt", path);
    assert_refused(2, "--type: found 'Q9', expected one of F32", "inferno", "synth", "llama", path,
                   "--type", "Q9");
    assert_refused(2, "--colour: no key of a shape", "inferno", "synth", "llama", path, "--colour",
                   "1");
    assert_refused(2, "--colour: needs a value", "inferno", "synth", "llama", path, "--colour");
    assert_refused(2, "block_count: found '0'", "inferno", "synth", "llama", path, "--block_count",
                   "0");
    assert_int_equal(access(path, F_OK), -1);
    assert_refused(1, "/dev/full: no space left on the device", "inferno", "synth", "llama",
                   "/dev/full");
}
