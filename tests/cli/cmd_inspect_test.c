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
    assert_shows(&p, "  F32    [300, 64]          75.0 KiB  32.00 bits  at ");
    assert_shows(&p, "rows and columns (a row lies in one piece; GGUF writes the columns first)");
    assert_shows(&p, ", 32.00 bits per weight\n");
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
    assert_true(json_get(d, "bits_per_weight")->number == 32.0);
    assert_true(json_get(&tensors->items[0], "bits_per_weight")->number == 32.0);
    assert_null(json_get(&tensors->items[0], "stats"));
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

TEST(tensors_are_those_that_fit)
{
    json *d = assert_json("inferno", "inspect", small_model("llama"), "--json", "--tensors",
                          "blk.1.ffn_*");
    const json *const tensors = json_get(d, "tensors");
    assert_int_equal(tensors->n, 4); /* gate, up, down and norm */
    int64_t parameters = 0;
    for (size_t i = 0; i < tensors->n; i++) {
        const json *const shape = json_get(&tensors->items[i], "shape");
        assert_int_equal(strncmp(json_get(&tensors->items[i], "name")->string, "blk.1.ffn_", 10),
                         0);
        parameters += json_int(&shape->items[0]) * (shape->n > 1 ? json_int(&shape->items[1]) : 1);
    }
    assert_int_equal(json_int(json_get(d, "parameters")), parameters);
    json_free(d);
    assert_refused(2, "--tensors: found 'x*', expected what a tensor is called in ", "inferno",
                   "inspect", small_model("llama"), "--tensors", "x*");
}

TEST(tensors_have_statistics_where_these_are_wanted)
{
    json *d = assert_json("inferno", "inspect", small_model("llama"), "--json", "--stats",
                          "--tensors", "output_norm.weight");
    const json *const tensor = &json_get(d, "tensors")->items[0], *const stats =
                                                                      json_get(tensor, "stats");
    const double least = json_get(stats, "min")->number, most = json_get(stats, "max")->number,
                 mean = json_get(stats, "mean")->number, rms = json_get(stats, "rms")->number;
    assert_true(least <= mean && mean <= most);
    assert_true(rms * rms >= mean * mean * 0.999999 && rms > 0);
    assert_int_equal(json_int(json_get(stats, "nan")), 0);
    json_free(d);
    rewrite_model(small_model("llama"), temp_path("nan.gguf"),
                  &(rewrite){.poison_tensor = "blk.1.ffn_up.weight"});
    program p = assert_runs("inferno", "inspect", temp_path("nan.gguf"), "--stats", "--tensors",
                            "blk.1.ffn_up.weight");
    assert_shows(&p, "\n           min ");
    assert_shows(&p, ", zeros 0, NaN 1\n");
    program_free(&p);
}

static program diff(const char *a, const char *b)
{
    return program_run("inferno", "inspect", a, "--diff", b);
}

TEST(a_file_does_not_differ_from_itself)
{
    program p =
        assert_runs("inferno", "inspect", small_model("llama"), "--diff", small_model("llama"));
    assert_shows(&p, " keys are the same, 0 not\n");
    assert_shows(&p, " are the same, 0 not\n");
    program_free(&p);
}

TEST(differences_of_two_files_are_told)
{
    const char *const other = temp_path("other.gguf");
    rewrite_model(small_model("llama"), other,
                  &(rewrite){.string_key = "general.name",
                             .string_value = "another",
                             .poison_tensor = "blk.1.ffn_up.weight"});
    program p = diff(small_model("llama"), other);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "");
    assert_shows(&p, " -> (string) = \"another\"\n");
    assert_shows(&p, "  blk.1.ffn_up.weight: F32 [96, 64], 1 values differ, most by nan in row 95, "
                     "element 63; rms nan of ");
    program_free(&p);
    program q = assert_runs("inferno", "quantize", small_model("llama"), temp_path("q8.gguf"),
                            "Q8_0", "--quiet", "--force");
    program_free(&q);
    p = program_run("inferno", "inspect", small_model("llama"), "--diff", temp_path("q8.gguf"),
                    "--tensors", "*ffn_up*", "--json");
    assert_int_equal(p.status, 1);
    json *const d = json_parse(p.out, NULL);
    const json *const tensors = json_get(d, "tensors");
    assert_int_equal(json_get(d, "same")->type, JSON_FALSE);
    assert_true(tensors->n >= 2);
    for (size_t i = 0; i < tensors->n; i++) {
        const json *const t = &tensors->items[i];
        assert_string_equal(json_get(json_get(t, "second"), "type")->string, "Q8_0");
        /* a step is the largest value over 127: an error is half a step plus the rounding of f16 */
        const double rms = json_get(t, "rms")->number, of = json_get(t, "rms_of_first")->number;
        assert_true(0 < rms && rms < 0.02 * of);
        assert_true(json_get(t, "largest")->number >= rms);
    }
    json_free(d);
    program_free(&p);
    assert_refused(2, "none.gguf", "inferno", "inspect", small_model("llama"), "--diff",
                   temp_path("none.gguf"));
}

/* GGUF version 3 without tensors, with one key: an array of one array of no u32. */
TEST(an_array_of_arrays_is_refused_in_either_file)
{
    static const char file[] = "GGUF\3\0\0\0"
                               "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                               "\6\0\0\0\0\0\0\0nested"
                               "\11\0\0\0\11\0\0\0\1\0\0\0\0\0\0\0"
                               "\4\0\0\0\0\0\0\0\0\0\0\0";
    const char *const nested = temp_path("nested.gguf");
    write_file(nested, file, sizeof file - 1);
    assert_refused(1, "key 'nested': an array of arrays", "inferno", "inspect", nested);
    assert_refused(1, "key 'nested': an array of arrays", "inferno", "inspect",
                   small_model("llama"), "--diff", nested);
}

TEST(what_only_one_file_has_is_told)
{
    const char *const less = temp_path("less.gguf");
    rewrite_model(small_model("llama"), less, &(rewrite){.without_key = "llama.block_count"});
    program p = diff(small_model("llama"), less);
    assert_shows(&p, "  llama.block_count: only in the first file: (u32) = ");
    program_free(&p);
    p = diff(less, small_model("llama"));
    assert_shows(&p, "  llama.block_count: only in the second file: (u32) = ");
    program_free(&p);
    p = diff(small_model("qwen3"), small_model("llama"));
    assert_int_equal(p.status, 1);
    assert_shows(&p, "attn_q_norm.weight: only in the first file: F32 [");
    program_free(&p);
}
