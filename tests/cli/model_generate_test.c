#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"

#define FLOAT "[0-9]+\\.[0-9]{3}"

/* Expects the whole of standard output to match. */
static void assert_form(const program *p, const char *cache, const char *prompt, const char *n)
{
    char pattern[1024];
    regex_t form;
    snprintf(pattern, sizeof pattern,
             "^backend: [a-z:]+\n"
             "kv cache: %s\n"
             "prompt: \"%s\"\n"
             "prompt tokens \\([0-9]+\\): \\[[0-9, ]*\\]\n"
             "eos token id: 256\n"
             "\n"
             "generated tokens \\(%s\\): \\[[0-9, ]*\\]\n"
             "generated text: \".*\"\n"
             "metrics:\n"
             "  time_to_first_token_ms: " FLOAT "\n"
             "  decode_tokens_per_second: " FLOAT "\n"
             "  per_forward_ms: min " FLOAT " max " FLOAT " mean " FLOAT " \\(n=%s\\)\n$",
             cache, prompt, n, n);
    assert_int_equal(regcomp(&form, pattern, REG_EXTENDED | REG_NOSUB), 0);
    const int matched = regexec(&form, p->out, 0, NULL, 0);
    regfree(&form);
    assert_that(matched == 0, "not in the documented form: %s", p->out);
}

/* Returns the line that begins with `label`, without its end; the caller frees it. */
static char *line_of(const program *p, const char *label)
{
    const char *at = strstr(p->out, label);
    assert_non_null(at);
    return strndup(at, strcspn(at, "\n"));
}

TEST(the_output_has_the_documented_form)
{
    const char *model = small_model("qwen3");
    program p = assert_runs("model-generate", "--kv", "basic", model, "abc", "7");
    assert_form(&p, "basic", "abc", "7");
    assert_non_null(strstr(p.out, "prompt tokens (3): [97, 98, 99]\n"));
    program_free(&p);
}

TEST(the_defaults_are_hello_world_and_twenty_tokens)
{
    program p = assert_runs("model-generate", small_model("qwen3"));
    assert_form(&p, "off", "hello world", "20");
    program_free(&p);
}

TEST(no_tokens_is_a_run_without_forwards)
{
    program p = assert_runs("model-generate", small_model("qwen3"), "abc", "0");
    assert_form(&p, "off", "abc", "0");
    assert_non_null(strstr(p.out, "generated tokens (0): []\ngenerated text: \"\"\n"));
    program_free(&p);
}

TEST(the_cache_changes_nothing_but_the_time)
{
    const char *model = small_model("llama");
    program off = assert_runs("model-generate", model, "abc", "9");
    program on = assert_runs("model-generate", "--kv", model, "abc", "9");
    char *a = line_of(&off, "generated tokens"), *b = line_of(&on, "generated tokens");
    assert_string_equal(a, b);
    assert_non_null(strstr(off.out, "kv cache: off\n"));
    assert_non_null(strstr(on.out, "kv cache: basic\n"));
    free(a);
    free(b);
    program_free(&off);
    program_free(&on);
}

TEST(only_the_word_basic_belongs_to_kv)
{
    assert_refused(2, "full", "model-generate", "--kv", "full", small_model("qwen3"));
    program p = assert_runs("model-generate", "--kv", small_model("qwen3"), "basic", "1");
    assert_non_null(strstr(p.out, "prompt: \"basic\"\n"));
    program_free(&p);
}

TEST(quotes_and_newlines_are_escaped)
{
    program p = assert_runs("model-generate", small_model("qwen3"), "a\"b\\\n\t", "1");
    assert_non_null(strstr(p.out, "prompt: \"a\\\"b\\\\\\n\\t\"\n"));
    program_free(&p);
}

TEST(a_vocabulary_without_an_end_says_minus_one)
{
    rewrite_model(small_model("qwen3"), temp_path("endless.gguf"),
                  &(rewrite){.without_key = "tokenizer.ggml.eos_token_id"});
    program p = assert_runs("model-generate", temp_path("endless.gguf"), "a", "1");
    assert_non_null(strstr(p.out, "eos token id: -1\n\n"));
    program_free(&p);
}

TEST(wrong_usage_is_refused)
{
    const char *model = small_model("qwen3");
    assert_refused(2, "too many arguments", "model-generate", model, "a", "1", "2");
    assert_refused(2, "--salt: unknown option (see model-generate --help)", "model-generate",
                   "--salt", model);
    assert_refused(2, "max_new_tokens: found 'x', expected a number", "model-generate", model, "a",
                   "x");
    assert_refused(2, "max_new_tokens: found '-3', expected a number", "model-generate", model, "a",
                   "--", "-3");
    assert_refused(2, "the prompt is empty", "model-generate", model, "", "1");
    assert_refused(2, "scalar", "model-generate", "--backend", "abacus", model);
    assert_refused(2, "none.gguf", "model-generate", temp_path("none.gguf"));
    write_file(temp_path("empty.gguf"), "", 0);
    assert_refused(1, "empty.gguf", "model-generate", temp_path("empty.gguf"));
}

TEST(too_few_arguments_are_answered_with_the_usage)
{
    static const char said[] =
        "model-generate: too few arguments, expected <gguf_path> [prompt] [max_new_tokens]\n"
        "usage: model-generate [--kv [basic]] [--backend EXPR] [--threads N] <gguf_path> [prompt] "
        "[max_new_tokens]\n";
    program none = program_run("model-generate"), kv = program_run("model-generate", "--kv");
    assert_int_equal(none.status, 2);
    assert_int_equal(none.out_bytes, 0);
    assert_string_equal(none.err, said);
    assert_int_equal(kv.status, 2);
    assert_string_equal(kv.err, said);
    program_free(&none);
    program_free(&kv);
}

/* The prompt can be read while tokens are still being computed: there are far more than this test waits for. */
TEST(the_prompt_is_told_before_anything_is_generated)
{
    char out[1024], err[1024], *text = NULL;
    snprintf(out, sizeof out, "%s", temp_path("early-out"));
    snprintf(err, sizeof err, "%s", temp_path("early-err"));
    const char *const argv[] = {
        "model-generate", "--backend", "scalar", small_model("qwen3"), "abc", "500", NULL};
    const pid_t pid = program_start(argv, "/dev/null", out, err);
    for (int i = 0; i < 60000 && !(text && strstr(text, "eos token id: 256\n\n")); i++) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        free(text);
        text = read_file(out, NULL);
    }
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(program_wait(pid), 128 + SIGTERM);
    assert_non_null(text);
    assert_non_null(strstr(text, "prompt tokens (3): [97, 98, 99]\neos token id: 256\n\n"));
    assert_null(strstr(text, "generated"));
    free(text);
}

TEST(a_full_disk_is_no_success)
{
    const char *const argv[] = {"model-generate", small_model("qwen3"), "a", "1", NULL};
    program p = program_run_files(argv, NULL, "/dev/full");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "model-generate: standard output: no space left on the device\n");
    program_free(&p);
}

TEST(threads_that_make_no_difference_are_refused)
{
    program p = program_run("model-generate", "--backend", "scalar", "--threads", "2",
                            small_model("qwen3"), "a", "1");
    assert_int_equal(p.status, 2);
    assert_string_equal(p.err, "model-generate: --threads 2: backend 'scalar' has no threads, "
                               "expected one such as parallel:simd\n");
    program_free(&p);
}
