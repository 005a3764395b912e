#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"

/* One block with rows of 256, which fit every type. The embedding is longer than one conversion step. */
#define SHAPE                                                                                      \
    "--seed", "9", "--vocab_size", "600", "--block_count", "1", "--feed_forward_length", "256"

static const char *wide_model(const char *arch)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s-%s.gguf", temp_path("wide"), arch);
    if (access(path, R_OK) != 0) {
        program p = assert_runs("inferno", "synth", arch, path, SHAPE);
        program_free(&p);
    }
    return path;
}

static const char *type_of(const json *inspected, const char *tensor)
{
    const json *tensors = json_get(inspected, "tensors");
    for (size_t i = 0; i < tensors->n; i++)
        if (strcmp(json_get(&tensors->items[i], "name")->string, tensor) == 0)
            return json_get(&tensors->items[i], "type")->string;
    return "?";
}

static int64_t number_of(const json *inspected, const char *key)
{
    const json *entries = json_get(inspected, "metadata");
    for (size_t i = 0; i < entries->n; i++)
        if (strcmp(json_get(&entries->items[i], "key")->string, key) == 0)
            return json_int(json_get(&entries->items[i], "value"));
    return -1;
}

static json *quantized(const char *from, const char *type, const char *pure)
{
    const char *to = temp_path("quantized.gguf");
    program p = pure ? assert_runs("inferno", "quantize", from, to, type, "--force", pure)
                     : assert_runs("inferno", "quantize", from, to, type, "--force");
    assert_non_null(strstr(p.out, " bits per weight) -> "));
    program_free(&p);
    return assert_json("inferno", "inspect", to, "--json");
}

TEST(every_type_gives_a_model_that_runs)
{
    static const char *const types[] = {"F32",  "F16",  "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0",
                                        "Q5_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"};
    for (size_t i = 0; i < N_OF(types); i++) {
        json *d = quantized(wide_model("llama"), types[i], NULL);
        assert_string_equal(type_of(d, "blk.0.ffn_up.weight"), types[i]);
        assert_string_equal(type_of(d, "token_embd.weight"), types[i]);
        assert_string_equal(type_of(d, "blk.0.ffn_norm.weight"), "F32");
        assert_string_equal(type_of(d, "output.weight"),
                            types[i][0] == 'Q' && strcmp(types[i], "Q8_0") != 0 ? "Q6_K"
                                                                                : types[i]);
        assert_int_equal(json_get(d, "runs")->type, JSON_TRUE);
        json_free(d);
        program p =
            assert_runs("inferno", "generate", temp_path("quantized.gguf"), "-p", "a", "-n", "2");
        program_free(&p);
    }
}

TEST(a_tied_embedding_is_the_output_matrix)
{
    json *d = quantized(wide_model("qwen3"), "q4_0", NULL);
    assert_string_equal(type_of(d, "token_embd.weight"), "Q6_K");
    assert_string_equal(type_of(d, "blk.0.attn_q.weight"), "Q4_0");
    json_free(d);
}

/* The layers that a mix raises depend on the number of layers, and on how many heads share a key. */
TEST(a_mix_goes_by_the_layers_and_heads_of_the_file)
{
    const char *from = temp_path("layers.gguf");
    program p =
        assert_runs("inferno", "synth", "llama", from, "--vocab_size", "258", "--block_count", "4",
                    "--feed_forward_length", "256", "--attention.head_count_kv", "1");
    program_free(&p);
    json *d = quantized(from, "q4_k_m", NULL);
    assert_string_equal(type_of(d, "blk.0.attn_v.weight"), "Q4_K");
    assert_string_equal(type_of(d, "blk.1.ffn_down.weight"), "Q4_K");
    assert_string_equal(type_of(d, "blk.2.attn_v.weight"), "Q6_K");
    assert_string_equal(type_of(d, "blk.3.ffn_down.weight"), "Q6_K");
    json_free(d);
    d = quantized(from, "q2_k", NULL);
    assert_string_equal(type_of(d, "blk.0.attn_v.weight"), "Q4_K"); /* four heads share one */
    assert_string_equal(type_of(d, "blk.0.attn_output.weight"), "Q3_K");
    json_free(d);
    d = quantized(from, "Q4_K_M", "--pure");
    assert_string_equal(type_of(d, "blk.3.attn_v.weight"), "Q4_K");
    assert_string_equal(type_of(d, "output.weight"), "Q4_K");
    json_free(d);
}

TEST(eighty_layers_with_shared_keys_are_a_70b_model)
{
    static const struct {
        const char *arch, *attn_v;
    } cases[] = {{"llama", "Q5_1"}, {"qwen2", "Q5_1"}, {"qwen3", "Q5_0"}};
    const char *from = temp_path("deep.gguf"), *to = temp_path("quantized.gguf");
    for (size_t i = 0; i < N_OF(cases); i++) {
        program p = assert_runs("inferno", "synth", cases[i].arch, from, "--force", "--vocab_size",
                                "258", "--block_count", "80", "--embedding_length", "32",
                                "--feed_forward_length", "32", "--attention.key_length", "8");
        program q = assert_runs("inferno", "quantize", from, to, "Q4_K_S", "--quiet", "--force");
        json *d = assert_json("inferno", "inspect", to, "--json");
        /* Rows of 32: what would be Q4_K becomes Q5_0, and Q5_K becomes Q5_1. */
        assert_string_equal(type_of(d, "blk.79.attn_v.weight"), cases[i].attn_v);
        assert_string_equal(type_of(d, "blk.79.attn_k.weight"), "Q5_0");
        json_free(d);
        program_free(&p);
        program_free(&q);
    }
}

TEST(pure_says_which_rows_fit_no_block)
{
    program p = program_run("inferno", "quantize", small_model("llama"),
                            temp_path("quantized.gguf"), "Q4_K", "--pure", "--force");
    assert_int_equal(p.status, 0);
    static const char *const lines[] = {
        "inferno: token_embd.weight: rows of 64 do not fit the blocks of Q4_K, 256: written as "
        "Q5_0\n",
        "inferno: blk.0.attn_v.weight: rows of 64 do not fit the blocks of Q4_K, 256: written as "
        "Q5_0\n"};
    for (size_t i = 0; i < N_OF(lines); i++)
        assert_non_null(strstr(p.err, lines[i]));
    assert_null(strstr(p.err, "norm"));
    program_free(&p);
    p = assert_runs("inferno", "quantize", small_model("llama"), temp_path("quantized.gguf"),
                    "--force", "Q4_K", "--pure", "--quiet");
    program_free(&p);
}

TEST(the_file_says_what_it_is)
{
    json *d = quantized(wide_model("llama"), "Q4_K", NULL);
    assert_int_equal(number_of(d, "general.file_type"), 15);
    assert_int_equal(number_of(d, "general.quantization_version"), 2);
    assert_int_equal(number_of(d, "llama.block_count"), 1);
    json_free(d);
}

TEST(quantizing_equals_making_the_model_in_that_type)
{
    const char *to = temp_path("quantized.gguf"), *direct = temp_path("direct.gguf");
    program p = assert_runs("inferno", "quantize", wide_model("llama"), to, "Q5_K", "--force");
    program q = assert_runs("inferno", "synth", "llama", direct, "--type", "Q5_K", SHAPE);
    program_free(&p);
    program_free(&q);
    program a = assert_runs("inferno", "logits", to, "--ids", "1,2,3", "--all", "--out", "-");
    program b = assert_runs("inferno", "logits", direct, "--ids", "1,2,3", "--all", "--out", "-");
    assert_true(a.out_bytes > 0);
    assert_int_equal(a.out_bytes, b.out_bytes);
    assert_memory_equal(a.out, b.out, a.out_bytes);
    program_free(&a);
    program_free(&b);
}

TEST(the_number_of_threads_changes_no_bit)
{
    static const char *const types[] = {"F16", "Q8_0", "Q4_0", "Q2_K", "Q3_K", "Q4_K_M", "Q6_K"};
    static const char *const threads[] = {"2", "3", "8"};
    const char *one = temp_path("one-thread.gguf"), *several = temp_path("threads.gguf");
    for (size_t i = 0; i < N_OF(types); i++) {
        program p = assert_runs("inferno", "quantize", wide_model("llama"), one, types[i], "-t",
                                "1", "--force");
        size_t n_one, n_several;
        char *a = read_file(one, &n_one);
        program_free(&p);
        for (size_t t = 0; t < N_OF(threads); t++) {
            p = assert_runs("inferno", "quantize", wide_model("llama"), several, types[i],
                            "--threads", threads[t], "--force");
            char *b = read_file(several, &n_several);
            assert_int_equal(n_one, n_several);
            assert_memory_equal(a, b, n_one);
            free(b);
            program_free(&p);
        }
        free(a);
    }
}

TEST(a_type_it_already_has_changes_no_bit)
{
    const char *once = temp_path("once.gguf"), *twice = temp_path("twice.gguf");
    program p = assert_runs("inferno", "quantize", wide_model("llama"), once, "Q4_K");
    program q = assert_runs("inferno", "quantize", once, twice, "Q4_K");
    size_t n_once, n_twice;
    char *a = read_file(once, &n_once), *b = read_file(twice, &n_twice);
    assert_int_equal(n_once, n_twice);
    assert_memory_equal(a, b, n_once);
    free(a);
    free(b);
    program_free(&p);
    program_free(&q);
}

TEST(weights_that_are_no_numbers_are_refused_by_name)
{
    static const struct {
        const char *tensor, *wanted;
    } rows[] = {{"blk.0.ffn_down.weight",
                 "nan.gguf: blk.0.ffn_down.weight: row 255: found nan at element 255, expected"},
                {"blk.0.attn_norm.weight",
                 "nan.gguf: blk.0.attn_norm.weight: row 0: found nan at element 255, expected"}};
    for (size_t i = 0; i < N_OF(rows); i++) {
        rewrite_model(wide_model("llama"), temp_path("nan.gguf"),
                      &(rewrite){.poison_tensor = rows[i].tensor});
        assert_refused(1, rows[i].wanted, "inferno", "quantize", temp_path("nan.gguf"),
                       temp_path("never.gguf"), "Q4_K");
        assert_int_equal(access(temp_path("never.gguf"), F_OK), -1);
    }
}

TEST(wrong_usage_is_refused)
{
    const char *model = wide_model("llama");
    assert_refused(2, "TYPE: found 'Q9', expected one of F32", "inferno", "quantize", model,
                   temp_path("never.gguf"), "Q9");
    assert_refused(2, "-t: found '0', expected a number in 1 .. 64", "inferno", "quantize", model,
                   temp_path("never.gguf"), "F16", "-t", "0");
    assert_refused(2, "too few arguments", "inferno", "quantize", model);
    assert_refused(2, "expected IN.gguf OUT.gguf TYPE, or --dry-run", "inferno", "quantize", model,
                   temp_path("never.gguf"));
    assert_refused(2, "none.gguf", "inferno", "quantize", temp_path("none.gguf"),
                   temp_path("never.gguf"), "F16");
}

/* The input is not overwritten under any of its names, and another existing file only with --force. */
TEST(nothing_is_replaced_unasked)
{
    char in[1024], linked[1024], out[1024];
    snprintf(in, sizeof in, "%s", temp_path("own.gguf"));
    snprintf(linked, sizeof linked, "%s", temp_path("linked.gguf"));
    snprintf(out, sizeof out, "%s", temp_path("there.gguf"));
    program p = assert_runs("inferno", "synth", "llama", in, SHAPE);
    program_free(&p);
    assert_int_equal(link(in, linked), 0);
    assert_refused(2, "own.gguf: is the input itself", "inferno", "quantize", in, in, "F16",
                   "--force");
    assert_refused(2, "linked.gguf: is the input itself", "inferno", "quantize", in, linked, "F16",
                   "--force");
    write_file(out, "mine", 4);
    assert_refused(2, "there.gguf: exists already; --force replaces it", "inferno", "quantize", in,
                   out, "F16");
    assert_refused(2, "there.gguf: exists already; --force replaces it", "inferno", "synth",
                   "llama", out, SHAPE);
    char *still = read_file(out, NULL);
    assert_string_equal(still, "mine");
    free(still);
    p = assert_runs("inferno", "quantize", in, out, "F16", "--force");
    program_free(&p);
}

TEST(a_result_that_cannot_be_written_is_no_success)
{
    const char *model = small_model("qwen3");
    assert_refused(1, "no/where", "inferno", "quantize", model, temp_path("no/where"), "F16");
    assert_int_equal(symlink("/dev/full", temp_path("full")), 0);
    assert_refused(1, "no space left on the device", "inferno", "quantize", model,
                   temp_path("full"), "F16");
}

/* A limit as `ulimit -f` sets it; child processes inherit it. */
TEST(a_limit_of_file_sizes_ends_it_with_a_message)
{
    const char *model = wide_model("llama");
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {.rlim_cur = 200000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    program p = program_run("inferno", "quantize", model, temp_path("limited.gguf"), "F16");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "limited.gguf: the file grows too large\n"));
    assert_int_equal(names_in(temp_path(""), "limited.gguf"), 0);
    program_free(&p);
}

TEST(what_was_chosen_is_told)
{
    program p = assert_runs("inferno", "quantize", small_model("llama"), temp_path("told.gguf"),
                            "Q8_0", "--force");
    assert_non_null(strstr(p.out, "types: F32 "));
    assert_non_null(strstr(p.out, " Q8_0 "));
    assert_non_null(strstr(p.out, "KiB (32.00 bits per weight) -> "));
    assert_non_null(strstr(p.out, " s\n"));
    program_free(&p);
    p = assert_runs("inferno", "quantize", small_model("llama"), temp_path("told.gguf"), "Q8_0",
                    "--force", "--quiet");
    assert_string_equal(p.out, "");
    program_free(&p);
}

TEST(a_dry_run_writes_nothing)
{
    const char *const out = temp_path("dry.gguf");
    program p = assert_runs("inferno", "quantize", small_model("llama"), out, "Q4_0", "--dry-run",
                            "--pure");
    assert_non_null(strstr(p.out, "  F32    -> Q4_0 "));
    assert_non_null(strstr(p.out, " blk.0.attn_q.weight\n"));
    assert_non_null(strstr(p.out, "; nothing was written\n"));
    program_free(&p);
    assert_int_not_equal(access(out, F_OK), 0);
    p = assert_runs("inferno", "quantize", small_model("llama"), "Q4_0", "--dry-run", "--pure");
    program_free(&p);
}

/* Writes an importance matrix in llama.cpp's format before GGUF: one tensor of `n` columns, of which the first
 * matters. */
static const char *write_imatrix(const char *tensor, int32_t n)
{
    const char *const path = temp_path("matrix.dat");
    const int32_t head[] = {1, (int32_t)strlen(tensor)}, counts[] = {1, n};
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    fwrite(head, sizeof head, 1, f);
    fwrite(tensor, strlen(tensor), 1, f);
    fwrite(counts, sizeof counts, 1, f);
    for (int32_t i = 0; i < n; i++) {
        const float value = i % 32 == 0 ? 1000.0f : 0.001f;
        fwrite(&value, sizeof value, 1, f);
    }
    assert_int_equal(fclose(f), 0);
    return path;
}

/* Compares the largest difference from the original, and its row, within the columns that matter. */
TEST(columns_that_matter_come_out_better)
{
    static const char *const types[] = {"Q4_0", "Q5_1"};
    const char *const matrix = write_imatrix("blk.1.attn_q.weight", 64);
    for (size_t i = 0; i < N_OF(types); i++) {
        const char *const plain = temp_path("plain.gguf"), *const weighted = temp_path("w.gguf");
        program p = assert_runs("inferno", "quantize", small_model("llama"), plain, types[i],
                                "--force", "--pure");
        program_free(&p);
        p = assert_runs("inferno", "quantize", small_model("llama"), weighted, types[i], "--force",
                        "--pure", "--imatrix", matrix);
        assert_non_null(strstr(p.out, "weighted by the importance matrix: 1 of "));
        program_free(&p);
        p = program_run("inferno", "inspect", plain, "--diff", weighted);
        assert_non_null(strstr(p.out, "  blk.1.attn_q.weight: "));
        assert_null(strstr(p.out, "  blk.1.attn_k.weight: "));
        assert_non_null(strstr(p.out, "quantize.imatrix.file: only in the second file"));
        assert_non_null(strstr(p.out, "quantize.imatrix.entries_count: only in the second file: "
                                      "(u32) = 1\n"));
        program_free(&p);
    }
}

TEST(a_matrix_that_does_not_fit_is_refused_before_anything_is_written)
{
    const char *const out = temp_path("unfit.gguf");
    assert_refused(1, "blk.1.attn_q.weight: found 63 values, expected 64, one for each column",
                   "inferno", "quantize", small_model("llama"), out, "Q4_0", "--imatrix",
                   write_imatrix("blk.1.attn_q.weight", 63));
    assert_int_not_equal(access(out, F_OK), 0);
    assert_refused(2, "none.dat", "inferno", "quantize", small_model("llama"), out, "Q4_0",
                   "--imatrix", temp_path("none.dat"));
    program p = program_run("inferno", "quantize", small_model("llama"), out, "Q4_0", "--imatrix",
                            write_imatrix("nothing", 3));
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.err, "says nothing of any tensor whose scales are searched"));
    program_free(&p);
}
