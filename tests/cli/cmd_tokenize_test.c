#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"

static void assert_tokenized(const char *expected, const char *arch, const char *text,
                             const char *flag)
{
    program p = flag ? assert_runs("inferno", "tokenize", small_model(arch), flag, "--", text)
                     : assert_runs("inferno", "tokenize", small_model(arch), "--", text);
    assert_string_equal(p.out, expected);
    program_free(&p);
}

TEST(one_line_of_ids_is_printed)
{
    assert_tokenized("[104, 105]\n", "qwen3", "hi", NULL);
    assert_tokenized("[257, 104, 105]\n", "llama", "hi", NULL);
    assert_tokenized("[]\n", "qwen3", "", NULL);
}

TEST(what_the_metadata_adds_can_be_left_out)
{
    assert_tokenized("[104, 105]\n", "llama", "hi", "--no-bos");
    assert_tokenized("[256]\n", "qwen3", "<|end|>", NULL);
    assert_tokenized("[60, 124, 101, 110, 100, 124, 62]\n", "qwen3", "<|end|>", "--no-special");
}

TEST(a_file_is_taken_byte_for_byte)
{
    const char *model = small_model("qwen3");
    static const char bytes[] = "a\0\xff\n";
    write_file(temp_path("bytes"), bytes, sizeof bytes - 1);
    program p = assert_runs("inferno", "tokenize", model, "-f", temp_path("bytes"));
    assert_string_equal(p.out, "[97, 0, 255, 10]\n");
    const char *const argv[] = {"inferno", "tokenize", model, "-f", "-", NULL};
    program in = program_run_files(argv, temp_path("bytes"), NULL);
    assert_string_equal(in.out, p.out);
    program_free(&p);
    program_free(&in);
}

TEST(json_adds_the_pieces)
{
    json *d = assert_json("inferno", "tokenize", small_model("llama"), "a ", "--json");
    const json *pieces = json_get(d, "pieces");
    assert_int_equal(json_get(d, "ids")->n, 3);
    assert_int_equal(pieces->n, 3);
    assert_string_equal(pieces->items[0].string, "<|begin|>");
    assert_string_equal(pieces->items[1].string, "a");
    assert_string_equal(pieces->items[2].string, "\xc4\xa0");
    json_free(d);
}

TEST(ids_become_exactly_their_text)
{
    program p = assert_runs("inferno", "detokenize", small_model("qwen3"), "[104,", "105,", "10",
                            "0,", "255]");
    assert_int_equal(p.out_bytes, 5);
    assert_memory_equal(p.out, "hi\n\0\xff", 5);
    program_free(&p);
    json *d = assert_json("inferno", "detokenize", small_model("qwen3"), "104,105", "--json");
    assert_string_equal(json_get(d, "text")->string, "hi");
    assert_int_equal(json_get(d, "ids")->n, 2);
    json_free(d);
}

TEST(wrong_usage_is_refused)
{
    const char *model = small_model("qwen3");
    assert_refused(2, "expected either TEXT or -f FILE", "inferno", "tokenize", model);
    assert_refused(2, "expected either TEXT or -f FILE", "inferno", "tokenize", model, "a", "-f",
                   "b");
    assert_refused(2, "too few arguments", "inferno", "tokenize");
    assert_refused(2, "too few arguments", "inferno", "detokenize", model);
    assert_refused(2, "'x'", "inferno", "detokenize", model, "x");
    assert_refused(2, "id 300 at index 1", "inferno", "detokenize", model, "1", "300");
    assert_refused(2, "none.gguf", "inferno", "tokenize", temp_path("none.gguf"), "a");
}

TEST(a_device_is_no_text_and_a_pipe_is_told_of)
{
    const char *model = small_model("llama");
    char fifo[1024];
    snprintf(fifo, sizeof fifo, "%s", temp_path("fifo"));
    assert_refused(2, "/dev/zero: is a device, expected a file, a pipe or -", "inferno", "tokenize",
                   model, "-f", "/dev/zero");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const char *const argv[] = {"inferno", "tokenize", model, "-f", fifo, NULL};
    char err[1024];
    snprintf(err, sizeof err, "%s", temp_path("err"));
    const pid_t pid = program_start(argv, "/dev/null", "/dev/null", err);
    const int in = open(fifo, O_WRONLY);
    assert_int_equal(write(in, "a", 1), 1);
    close(in);
    assert_int_equal(program_wait(pid), 0);
    char *said = read_file(err, NULL);
    assert_non_null(strstr(said, "fifo: is a pipe, reading until its writer closes it\n"));
    free(said);
}

/* The tokenizer's commands warn in one line; inspect prints all warnings. */
TEST(odd_metadata_is_warned_of)
{
    const char *odd = temp_path("odd.gguf");
    rewrite_model(small_model("llama"), odd,
                  &(rewrite){.uint_key = "tokenizer.ggml.eos_token_id", .uint_value = 40});
    program p = program_run("inferno", "tokenize", odd, "a");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.err, "odd.gguf: tokenizer.ggml.eos_token_id: token 40, "));
    assert_ptr_equal(strchr(p.err, '\n'), p.err + p.err_bytes - 1);
    program_free(&p);
    p = assert_runs("inferno", "inspect", odd);
    assert_non_null(strstr(p.out, "warnings:\n  tokenizer.ggml.eos_token_id: token 40, "));
    program_free(&p);
    json *d = assert_json("inferno", "inspect", odd, "--json");
    assert_int_equal(json_get(d, "warnings")->n, 1);
    json_free(d);
    rewrite_model(small_model("llama"), odd,
                  &(rewrite){.uint_key = "tokenizer.ggml.eos_token_id", .uint_value = 9999});
    assert_refused(1, "tokenizer.ggml.eos_token_id: found 9999, expected 0 .. 299", "inferno",
                   "tokenize", odd, "a");
}
