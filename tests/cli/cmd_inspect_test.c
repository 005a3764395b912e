#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"

static void assert_shows(const program *p, const char *text)
{
    assert_that(strstr(p->out, text) != NULL, "no '%s' in: %s", text, p->out);
}

TEST(a_good_file_is_described_and_runs)
{
    program p = assert_runs("inferno", "inspect", small_model("llama"));
    assert_shows(&p, "format: GGUF version 3, alignment 32, ");
    assert_shows(&p, "  general.architecture (string) = \"llama\"\n");
    assert_shows(&p, "  llama.context_length (u32) = 512\n");
    assert_shows(&p, "  tokenizer.ggml.add_bos_token (bool) = true\n");
    assert_shows(&p, "  tokenizer.ggml.token_type = [300 i32] 1, 1, 1, 1, ...\n");
    assert_shows(&p, "  tokenizer.ggml.tokens = [300 strings] ");
    assert_shows(&p, "  F32    [300, 64]  76800 bytes at ");
    assert_shows(&p, "\nruns: yes\n");
    program_free(&p);
}

TEST(json_says_the_same)
{
    json *d = assert_json("inferno", "inspect", small_model("llama"), "--json");
    assert_int_equal(json_int(json_get(d, "version")), 3);
    assert_int_equal(json_int(json_get(d, "alignment")), 32);
    assert_int_equal(json_get(d, "runs")->type, JSON_TRUE);
    assert_int_equal(json_get(d, "problems")->n, 0);
    const json *tensors = json_get(d, "tensors");
    int64_t parameters = 0, bytes = 0;
    for (size_t i = 0; i < tensors->n; i++) {
        const json *shape = json_get(&tensors->items[i], "shape");
        int64_t n = 1;
        for (size_t j = 0; j < shape->n; j++)
            n *= json_int(&shape->items[j]);
        parameters += n;
        bytes += json_int(json_get(&tensors->items[i], "bytes"));
    }
    assert_int_equal(json_int(json_get(d, "parameters")), parameters);
    assert_int_equal(bytes, 4 * parameters);
    assert_int_equal(json_get(d, "sizes")->n, 1);
    json_free(d);
}

TEST(what_keeps_a_file_from_running_is_told)
{
    rewrite_model(small_model("llama"), temp_path("arch.gguf"),
                  &(rewrite){.string_key = "general.architecture", .string_value = "abacus"});
    program p = assert_runs("inferno", "inspect", temp_path("arch.gguf"));
    assert_shows(&p, "\nwould not run:\n");
    assert_shows(&p, "'abacus'");
    program_free(&p);
    rewrite_model(small_model("llama"), temp_path("both.gguf"),
                  &(rewrite){.string_key = "tokenizer.ggml.model",
                             .string_value = "abacus",
                             .without_key = "llama.block_count"});
    json *d = assert_json("inferno", "inspect", temp_path("both.gguf"), "--json");
    assert_int_equal(json_get(d, "runs")->type, JSON_FALSE);
    assert_int_equal(json_get(d, "problems")->n, 2);
    json_free(d);
}

TEST(text_in_a_file_cannot_control_the_terminal)
{
    rewrite_model(small_model("llama"), temp_path("red.gguf"),
                  &(rewrite){.string_key = "general.name", .string_value = "\x1b[31mred\n"});
    program p = assert_runs("inferno", "inspect", temp_path("red.gguf"));
    assert_shows(&p, "general.name (string) = \"\\x1b[31mred\\n\"\n");
    assert_null(strchr(p.out, '\x1b'));
    program_free(&p);
}

TEST(malformed_files_are_refused)
{
    size_t bytes;
    char *data = read_file(small_model("llama"), &bytes);
    write_file(temp_path("cut.gguf"), data, bytes - 1);
    free(data);
    write_file(temp_path("empty.gguf"), "", 0);
    assert_refused(1, "cut.gguf", "inferno", "inspect", temp_path("cut.gguf"));
    assert_refused(1, "empty.gguf", "inferno", "inspect", temp_path("empty.gguf"));
    assert_refused(2, "is a directory", "inferno", "inspect", temp_path(""));
    assert_refused(2, "none.gguf", "inferno", "inspect", temp_path("none.gguf"));
}

TEST(weights_are_looked_at_where_that_is_wanted)
{
    program p = assert_runs("inferno", "inspect", "--check", small_model("llama"));
    assert_shows(&p, "tensors checked, all values finite\nruns: yes\n");
    program_free(&p);
    rewrite_model(small_model("llama"), temp_path("nan.gguf"),
                  &(rewrite){.poison_tensor = "blk.1.ffn_up.weight"});
    p = assert_runs("inferno", "inspect", temp_path("nan.gguf"));
    assert_null(strstr(p.out, "weights:"));
    program_free(&p);
    p = program_run("inferno", "inspect", temp_path("nan.gguf"), "--check");
    assert_int_equal(p.status, 1);
    assert_shows(&p, "  blk.1.ffn_up.weight: row 95, element 63 is nan; not finite are 1 values in "
                     "1 rows\n");
    assert_non_null(strstr(p.err, "nan.gguf: 1 of "));
    assert_non_null(strstr(p.err, " tensors are not all right, the first blk.1.ffn_up.weight\n"));
    program_free(&p);
}

TEST(json_has_the_weights_that_are_not_finite)
{
    const char *end;
    rewrite_model(small_model("llama"), temp_path("nan.gguf"),
                  &(rewrite){.poison_tensor = "output.weight"});
    program p = program_run("inferno", "inspect", temp_path("nan.gguf"), "--check", "--json");
    assert_int_equal(p.status, 1);
    json *const d = json_parse(p.out, &end);
    const json *const check = json_get(d, "check"), *const bad = json_get(check, "not_finite");
    assert_int_equal(json_int(json_get(check, "tensors")), json_get(d, "tensors")->n);
    assert_int_equal(json_get(check, "not_decoded")->n, 0);
    assert_int_equal(bad->n, 1);
    assert_string_equal(json_get(&bad->items[0], "tensor")->string, "output.weight");
    assert_int_equal(json_int(json_get(&bad->items[0], "row")), 299);
    assert_int_equal(json_int(json_get(&bad->items[0], "element")), 63);
    assert_string_equal(json_get(&bad->items[0], "value")->string, "nan");
    assert_int_equal(json_int(json_get(&bad->items[0], "values")), 1);
    json_free(d);
    program_free(&p);
}
