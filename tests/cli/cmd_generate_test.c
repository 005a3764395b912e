#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"
#include "this_machine.h"

static void assert_same_ids(const json *a, const json *b)
{
    const json *x = json_get(a, "ids"), *y = json_get(b, "ids");
    assert_int_equal(x->n, y->n);
    for (size_t i = 0; i < x->n; i++)
        assert_int_equal(json_int(&x->items[i]), json_int(&y->items[i]));
}

TEST(json_has_the_documented_members_in_order)
{
    static const char *const members[] = {"model", "backend",    "graph",  "activations",
                                          "kv",    "prompt_ids", "ids",    "text",
                                          "steps", "stop",       "metrics"};
    json *d = assert_json("inferno", "generate", small_model("llama"), "-p", "hi", "-n", "5",
                          "--json", "--backend", "scalar");
    assert_int_equal(d->n, N_OF(members));
    for (size_t i = 0; i < d->n; i++)
        assert_string_equal(d->keys[i], members[i]);
    assert_string_equal(json_get(d, "backend")->string, "scalar");
    assert_string_equal(json_get(d, "graph")->string, "fused");
    assert_string_equal(json_get(d, "activations")->string, "f32");
    assert_string_equal(json_get(d, "kv")->string, "basic");
    assert_string_equal(json_get(d, "stop")->string, "length");
    /* <|begin|>, h, i */
    static const int64_t prompt[] = {257, 'h', 'i'};
    assert_int_equal(json_get(d, "prompt_ids")->n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(json_int(&json_get(d, "prompt_ids")->items[i]), prompt[i]);
    const json *ids = json_get(d, "ids"), *steps = json_get(d, "steps");
    assert_int_equal(ids->n, 5);
    assert_int_equal(steps->n, 5);
    for (size_t i = 0; i < 5; i++) {
        const double prob = json_get(&steps->items[i], "prob")->number;
        assert_int_equal(json_int(json_get(&steps->items[i], "id")), json_int(&ids->items[i]));
        assert_true(prob > 0 && prob <= 1);
    }
    json_free(d);
}

TEST(every_cache_and_both_graphs_give_the_same_ids)
{
    const char *model = small_model("qwen3");
    json *basic = assert_json("inferno", "generate", model, "-p", "hello", "-n", "12", "--json");
    json *off = assert_json("inferno", "generate", model, "-p", "hello", "-n", "12", "--json",
                            "--kv", "off");
    json *primitive = assert_json("inferno", "generate", model, "-p", "hello", "-n", "12", "--json",
                                  "--graph", "primitive");
    assert_same_ids(basic, off);
    assert_same_ids(basic, primitive);
    assert_string_equal(json_get(off, "kv")->string, "off");
    assert_string_equal(json_get(primitive, "graph")->string, "primitive");
    json_free(basic);
    json_free(off);
    json_free(primitive);
}

TEST(a_seed_decides_what_is_sampled)
{
    const char *model = small_model("llama");
    json *one = assert_json("inferno", "generate", model, "-p", "a", "-n", "16", "--temp", "1",
                            "--ignore-eos", "--seed", "1", "--json");
    json *again = assert_json("inferno", "generate", model, "-p", "a", "-n", "16", "--temp", "1",
                              "--ignore-eos", "--seed", "1", "--json");
    json *two = assert_json("inferno", "generate", model, "-p", "a", "-n", "16", "--temp", "1",
                            "--ignore-eos", "--seed", "2", "--json");
    assert_same_ids(one, again);
    int n_equal = 0;
    for (size_t i = 0; i < 16; i++)
        n_equal +=
            json_int(&json_get(one, "ids")->items[i]) == json_int(&json_get(two, "ids")->items[i]);
    assert_true(n_equal < 16);
    json_free(one);
    json_free(again);
    json_free(two);
}

TEST(a_random_seed_is_told_and_gives_the_same_again)
{
    const char *model = small_model("llama");
    program p = program_run("inferno", "generate", "-m", model, "-p", "a", "-n", "16", "--temp",
                            "1", "--ignore-eos");
    assert_int_equal(p.status, 0);
    const char *seed = strstr(p.err, "seed: ");
    assert_that(seed == p.err + strlen("inferno: "), "no seed in: %s", p.err);
    seed += strlen("seed: ");
    p.err[p.err_bytes - 1] = '\0'; /* ends the line */
    program again = assert_runs("inferno", "generate", model, "-p", "a", "-n", "16", "--temp", "1",
                                "--ignore-eos", "-s", seed);
    assert_int_equal(p.out_bytes, again.out_bytes);
    assert_memory_equal(p.out, again.out, p.out_bytes);
    json *d = assert_json("inferno", "generate", model, "-p", "a", "-n", "1", "--temp", "1",
                          "--seed", seed, "--json");
    assert_int_equal(json_int(json_get(d, "seed")), strtoll(seed, NULL, 10));
    json_free(d);
    program_free(&p);
    program_free(&again);
}

/* Returns how many of 40 ids differ from all before them. */
static int count_distinct(const json *d)
{
    const json *ids = json_get(d, "ids");
    int n = 0;
    assert_int_equal(ids->n, 40);
    for (size_t i = 0; i < 40; i++) {
        int is_new = 1;
        for (size_t j = 0; j < i; j++)
            is_new &= json_int(&ids->items[j]) != json_int(&ids->items[i]);
        n += is_new;
    }
    return n;
}

TEST(penalties_keep_ids_from_coming_again)
{
    static const char *const penalties[][2] = {
        {"--repeat-last-n", "64"}, {"--frequency-penalty", "1000"}, {"--presence-penalty", "1000"}};
    const char *model = small_model("llama");
    for (size_t i = 0; i < N_OF(penalties); i++) {
        json *d = assert_json("inferno", "generate", model, "-p", "a", "-n", "40", "--ignore-eos",
                              "--json", penalties[i][0], penalties[i][1]);
        const int n = count_distinct(d);
        assert_that(i == 0 ? n < 40 : n == 40, "%s: %d of 40 ids are new", penalties[i][0], n);
        json_free(d);
    }
    json *plain =
        assert_json("inferno", "generate", model, "-p", "a", "-n", "40", "--ignore-eos", "--json");
    json *blind = assert_json("inferno", "generate", model, "-p", "a", "-n", "40", "--ignore-eos",
                              "--json", "--presence-penalty", "1000", "--repeat-last-n", "0");
    assert_same_ids(plain, blind);
    json_free(plain);
    json_free(blind);
}

TEST(the_text_ends_before_a_word_of_stop)
{
    const char *const model = source_path("fixtures/gguf/little-world-f16.gguf");
    program p = assert_runs("inferno", "generate", model, "-p", "Once upon a time", "--stop",
                            "gentle", "--stop", " Toby");
    assert_string_equal(p.out, ", there was a clever rabbit who was called\n");
    program_free(&p);
    json *d =
        assert_json("inferno", "generate", model, "-p", "Once upon a time", "--stop=Tob", "--json");
    assert_string_equal(json_get(d, "text")->string, ", there was a clever rabbit who was called ");
    assert_string_equal(json_get(d, "stop")->string, "text");
    json_free(d);
    d = assert_json("inferno", "generate", model, "-p", "Once upon a time", "-n", "6", "--stop",
                    "never said", "--json");
    assert_string_equal(json_get(d, "stop")->string, "length");
    json_free(d);
}

TEST(the_names_of_the_field_are_known)
{
    const char *model = small_model("llama");
    program ours = assert_runs("inferno", "generate", model, "-p", "a", "-n", "4", "--ctx", "64",
                               "--backend", "parallel:scalar", "--threads", "2");
    program theirs =
        assert_runs("inferno", "generate", "--model", model, "--prompt", "a", "--n-predict", "4",
                    "-c", "64", "--backend", "parallel:scalar", "-t", "2");
    assert_int_equal(ours.out_bytes, theirs.out_bytes);
    assert_memory_equal(ours.out, theirs.out, ours.out_bytes);
    program_free(&ours);
    program_free(&theirs);
    assert_refused(2, "-ngl: no single layers are moved: a device is a backend", "inferno",
                   "generate", "-ngl", "99", model, "-p", "a");
    assert_refused(2, "expected one model", "inferno", "generate", "-m", model, model, "-p", "a");
}

TEST(one_candidate_is_greedy_at_any_temperature)
{
    const char *model = small_model("llama");
    json *greedy = assert_json("inferno", "generate", model, "-p", "a", "-n", "8", "--json");
    json *top = assert_json("inferno", "generate", model, "-p", "a", "-n", "8", "--temp", "5",
                            "--top-k", "1", "--json");
    assert_same_ids(greedy, top);
    json_free(greedy);
    json_free(top);
}

TEST(the_text_streams_to_standard_output_and_ends_with_a_newline)
{
    const char *model = small_model("llama");
    json *d = assert_json("inferno", "generate", model, "-p", "some text", "-n", "30", "--json",
                          "--ignore-eos");
    const json *text = json_get(d, "text");
    assert_true(text->bytes > 0);
    program p =
        assert_runs("inferno", "generate", model, "-p", "some text", "-n", "30", "--ignore-eos");
    /* Random tokens are rarely UTF-8: compares the leading letters, which JSON can hold, and the newline. */
    assert_int_equal(p.out[p.out_bytes - 1], '\n');
    const size_t plain =
        strspn(text->string, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    assert_memory_equal(p.out, text->string, plain);
    program_free(&p);
    json_free(d);
}

TEST(prompts_come_from_an_argument_a_file_or_standard_input)
{
    const char *model = small_model("llama");
    write_file(temp_path("prompt"), "two\nlines\n", 10);
    program p = assert_runs("inferno", "generate", model, "-p", "two\nlines\n", "-n", "6");
    program f = assert_runs("inferno", "generate", model, "-f", temp_path("prompt"), "-n", "6");
    const char *const argv[] = {"inferno", "generate", model, "-f", "-", "-n", "6", NULL};
    program in = program_run_files(argv, temp_path("prompt"), NULL);
    assert_true(p.out_bytes > 0);
    assert_int_equal(p.out_bytes, f.out_bytes);
    assert_memory_equal(p.out, f.out, p.out_bytes);
    assert_int_equal(p.out_bytes, in.out_bytes);
    assert_memory_equal(p.out, in.out, p.out_bytes);
    program_free(&p);
    program_free(&f);
    program_free(&in);
}

TEST(no_tokens_asked_for_is_nothing_printed)
{
    program p = assert_runs("inferno", "generate", small_model("llama"), "-p", "a", "-n", "0");
    assert_int_equal(p.out_bytes, 0);
    program_free(&p);
    json *d =
        assert_json("inferno", "generate", small_model("llama"), "-p", "a", "-n", "0", "--json");
    assert_int_equal(json_get(d, "ids")->n, 0);
    assert_string_equal(json_get(d, "stop")->string, "length");
    json_free(d);
}

TEST(an_end_token_ends_the_text_and_is_the_last_id)
{
    json *d =
        assert_json("inferno", "generate", small_model("llama"), "-p", "a", "-n", "4", "--json");
    const json *ids = json_get(d, "ids");
    const unsigned end = (unsigned)json_int(&ids->items[2]);
    size_t first = 0;
    while (json_int(&ids->items[first]) != end)
        first++;
    rewrite_model(small_model("llama"), temp_path("ends.gguf"),
                  &(rewrite){.uint_key = "tokenizer.ggml.eos_token_id", .uint_value = end});
    json *ended =
        assert_json("inferno", "generate", temp_path("ends.gguf"), "-p", "a", "--json", "--quiet");
    assert_string_equal(json_get(ended, "stop")->string, "end");
    assert_int_equal(json_get(ended, "ids")->n, first + 1);
    json *ignored = assert_json("inferno", "generate", temp_path("ends.gguf"), "-p", "a", "--json",
                                "-n", "4", "--ignore-eos", "--quiet");
    assert_string_equal(json_get(ignored, "stop")->string, "length");
    assert_same_ids(d, ignored);
    json_free(d);
    json_free(ended);
    json_free(ignored);
}

TEST(a_context_asked_for_stops_the_generation)
{
    json *d = assert_json("inferno", "generate", small_model("llama"), "-p", "abc", "-n", "50",
                          "--ctx", "10", "--ignore-eos", "--json");
    assert_string_equal(json_get(d, "stop")->string, "context");
    assert_int_equal(json_get(d, "ids")->n, 6);
    json_free(d);
}

TEST(more_than_the_model_was_trained_for_is_done_with_a_warning)
{
    const char *model = temp_path("short.gguf");
    rewrite_model(small_model("llama"), model,
                  &(rewrite){.uint_key = "llama.context_length", .uint_value = 8});
    program p = program_run("inferno", "generate", model, "-p", "abc", "-n", "9", "--ignore-eos");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "inferno: warning: 13 tokens, but the model was trained for 8; the "
                               "text may get worse\n");
    program_free(&p);
    assert_refused(2,
                   "the prompt has 9 tokens, the context (what the model was trained for) holds 8",
                   "inferno", "generate", model, "-p", "abcdefgh", "-n", "1");
    assert_refused(2, "the prompt has 9 tokens, the context (--ctx) holds 5", "inferno", "generate",
                   model, "-p", "abcdefgh", "--ctx", "5");
}

TEST(an_empty_prompt_needs_a_vocabulary_that_begins_texts)
{
    program p = assert_runs("inferno", "generate", small_model("llama"), "-p", "", "-n", "2");
    program_free(&p);
    assert_refused(2, "the prompt is empty", "inferno", "generate", small_model("qwen3"), "-p", "",
                   "-n", "2");
}

TEST(metrics_go_to_standard_error)
{
    program p =
        program_run("inferno", "generate", small_model("llama"), "-p", "a", "-n", "3", "--metrics");
    assert_int_equal(p.status, 0);
    assert_true(strncmp(p.err, "metrics:\n  time_to_first_token_ms: ", 35) == 0);
    assert_non_null(strstr(p.err, " (n=3)\n  peak_rss_bytes: "));
    assert_null(strstr(p.out, "metrics"));
    program_free(&p);
}

TEST(files_that_cannot_be_opened_are_wrong_usage)
{
    assert_refused(2, "nothing.gguf", "inferno", "generate", temp_path("nothing.gguf"), "-p", "a");
    assert_refused(2, "is a directory", "inferno", "generate", temp_path(""), "-p", "a");
    assert_refused(2, "no-prompt", "inferno", "generate", small_model("llama"), "-f",
                   temp_path("no-prompt"));
}

TEST(files_that_are_no_model_are_refused)
{
    const char *model = small_model("llama");
    size_t bytes;
    char *data = read_file(model, &bytes);
    write_file(temp_path("empty.gguf"), "", 0);
    write_file(temp_path("half.gguf"), data, bytes / 2);
    write_file(temp_path("last.gguf"), data, bytes - 1);
    free(data);
    assert_refused(1, "empty.gguf", "inferno", "generate", temp_path("empty.gguf"), "-p", "a");
    assert_refused(1, "half.gguf", "inferno", "generate", temp_path("half.gguf"), "-p", "a");
    assert_refused(1, "last.gguf", "inferno", "generate", temp_path("last.gguf"), "-p", "a");
    rewrite_model(model, temp_path("arch.gguf"),
                  &(rewrite){.string_key = "general.architecture", .string_value = "abacus"});
    assert_refused(1, "'abacus'", "inferno", "generate", temp_path("arch.gguf"), "-p", "a");
    rewrite_model(model, temp_path("vocab.gguf"),
                  &(rewrite){.drop_last_of = "tokenizer.ggml.tokens"});
    assert_refused(1, "299", "inferno", "generate", temp_path("vocab.gguf"), "-p", "a");
}

TEST(numbers_and_words_out_of_place_are_wrong_usage)
{
    const char *model = small_model("llama");
    assert_refused(2, "id 300 at index 1: the vocabulary ends at 299", "inferno", "generate", model,
                   "--ids", "1,300", "-n", "1");
    assert_refused(2, "-n: found '-1', expected a number in 0 ..", "inferno", "generate", model,
                   "-p", "a", "-n", "-1");
    assert_refused(2, "expected one prompt", "inferno", "generate", model);
    assert_refused(2, "expected one prompt", "inferno", "generate", model, "-p", "a", "--ids", "1");
    assert_refused(2, "--activations q8 with --graph primitive", "inferno", "generate", model, "-p",
                   "a", "--activations", "q8", "--graph", "primitive");
    assert_refused(2, "scalar", "inferno", "generate", model, "-p", "a", "--backend", "abacus");
    assert_refused(2, "backend 'scalar': option 'junk', expected none", "inferno", "generate",
                   model, "-p", "a", "--backend", "scalar=junk");
    assert_refused(2, "bytes for a context of 512 tokens, expected at most 1000 (--max-memory)",
                   "inferno", "generate", model, "-p", "a", "--max-memory", "1000");
    assert_refused(2, "--threads: found '0'", "inferno", "generate", model, "-p", "a", "--threads",
                   "0");
}

TEST(threads_that_make_no_difference_are_refused)
{
    const char *const model = small_model("llama");
    static const char *const without[] = {"scalar", "trace:scalar", "check:simd"};
    for (size_t i = 0; i < N_OF(without); i++) {
        const char *const backend = on_this_machine(without[i]);
        char why[640];
        snprintf(why, sizeof why,
                 "--threads 2: backend '%s' has no threads, expected one such as parallel:simd",
                 backend);
        assert_refused(2, why, "inferno", "generate", model, "-p", "a", "--backend", backend,
                       "--threads", "2");
    }
    program p = assert_runs("inferno", "generate", model, "-p", "a", "-n", "1", "--backend",
                            "parallel:scalar", "--threads", "2");
    program_free(&p);
}

TEST(two_numbers_of_threads_are_refused)
{
    const char *const model = small_model("llama");
    const char *const backend = on_this_machine("trace:parallel=3:simd");
    char why[640];
    snprintf(why, sizeof why, "--threads 2: backend '%s' asks for 3, expected the number once",
             backend);
    assert_refused(2, why, "inferno", "generate", model, "-p", "a", "--backend", backend,
                   "--threads", "2");
    program p = assert_runs("inferno", "generate", model, "-p", "a", "-n", "1", "--backend",
                            "parallel=2:scalar", "--threads", "2");
    program_free(&p);
}

TEST(a_full_disk_below_standard_output_stops_the_generation)
{
    const char *const plain[] = {"inferno", "generate", small_model("llama"), "-p", "a", "-n",
                                 "4",       NULL};
    const char *const as_json[] = {
        "inferno", "generate", small_model("llama"), "-p", "a", "-n", "4", "--json", NULL};
    const char *const *const both[] = {plain, as_json};
    for (size_t i = 0; i < 2; i++) {
        program p = program_run_files(both[i], NULL, "/dev/full");
        assert_int_equal(p.status, 1);
        assert_string_equal(p.err, "inferno: standard output: no space left on the device\n");
        program_free(&p);
    }
}

/* --- several prompts --- */

static const char *const lines[] = {"once upon", "a", "the quick brown fox", "b c d", "one"};

static const char *prompts_file(void)
{
    const char *const path = temp_path("prompts.txt");
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    for (size_t i = 0; i < N_OF(lines); i++)
        fprintf(f, "%s%s", lines[i], i + 1 < N_OF(lines) ? "\n" : "");
    fclose(f);
    return path;
}

/* `page_rows` NULL: no pages. */
static void expect_as_alone(const char *file, const char *batch, const char *temp,
                            const char *page_rows)
{
    const char *const model = small_model("llama");
    json *d = assert_json("inferno", "generate", model, "--prompts", file, "--batch", batch, "-n",
                          "9", "--json", "--temp", temp, "--seed", "3", "--stop", "e",
                          page_rows ? "--page-rows" : NULL, page_rows);
    const json *const all = json_get(d, "prompts");
    assert_int_equal(all->n, N_OF(lines));
    for (size_t i = 0; i < N_OF(lines); i++) {
        json *one = assert_json("inferno", "generate", model, "-p", lines[i], "-n", "9", "--json",
                                "--temp", temp, "--seed", "3", "--stop", "e");
        assert_same_ids(&all->items[i], one);
        assert_string_equal(json_get(&all->items[i], "text")->string,
                            json_get(one, "text")->string);
        assert_string_equal(json_get(&all->items[i], "stop")->string,
                            json_get(one, "stop")->string);
        json_free(one);
    }
    json_free(d);
}

TEST(prompts_of_a_file_go_on_as_they_do_alone)
{
    const char *const file = prompts_file();
    expect_as_alone(file, "1", "0", NULL);
    expect_as_alone(file, "2", "0", NULL);
    expect_as_alone(file, "8", "0", NULL);
    expect_as_alone(file, "3", "1", NULL);
    expect_as_alone(file, "2", "0", "16");
    expect_as_alone(file, "8", "1", "64");
}

TEST(continuations_come_in_the_order_of_the_file)
{
    char whole[4096] = "";
    const char *const model = small_model("qwen3"), *const file = prompts_file();
    for (size_t i = 0; i < N_OF(lines); i++) {
        program one =
            assert_runs("inferno", "generate", model, "-p", lines[i], "-n", "6", "--quiet");
        strncat(whole, one.out, sizeof whole - strlen(whole) - 1);
        program_free(&one);
    }
    program all = assert_runs("inferno", "generate", model, "--prompts", file, "--batch", "2", "-n",
                              "6", "--quiet");
    assert_string_equal(all.out, whole);
    program_free(&all);
    all = assert_runs("inferno", "generate", model, "--prompts", file, "-n", "0", "--quiet");
    assert_string_equal(all.out, "");
    program_free(&all);
}

static const char *prompts_file_with_a_gap(void)
{
    const char *const path = temp_path("gap.txt");
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    fputs("a\n\nb\n", f);
    fclose(f);
    return path;
}

/* The same for a single text; and a number that is no page size is refused. */
TEST(pages_change_no_text)
{
    const char *const model = small_model("llama");
    json *plain = assert_json("inferno", "generate", model, "-p", "a b c", "-n", "30", "--json");
    json *paged = assert_json("inferno", "generate", model, "-p", "a b c", "-n", "30", "--json",
                              "--page-rows", "16");
    assert_same_ids(plain, paged);
    json_free(plain);
    json_free(paged);
    assert_refused(2, "--page-rows: found '48', expected none|16|32|64|128|256", "inferno",
                   "generate", model, "-p", "a", "--page-rows", "48");
    assert_refused(2, "generate: --pages without --page-rows", "inferno", "generate", model, "-p",
                   "a", "--pages", "4");
}

/* Two heads of 16 numbers in two blocks, keys and values: 8 KiB for 16 rows. The third line has more than 16 ids. */
TEST(pages_are_said_with_their_bytes_and_may_be_few)
{
    const char *const model = small_model("llama"), *const file = prompts_file();
    program p = program_run("inferno", "generate", model, "--prompts", file, "--batch", "2", "-n",
                            "1", "--page-rows", "16", "--pages", "5");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "inferno: KV cache: 3 of 5 pages were in use at once, 24.0 KiB of "
                               "40.0 KiB\n");
    program_free(&p);
    p = assert_runs("inferno", "generate", model, "--prompts", file, "-n", "1", "--page-rows", "16",
                    "--quiet");
    program_free(&p);
    assert_refused(1,
                   "another page of the KV cache: all 1 are in use; less is needed with a larger "
                   "--pages",
                   "inferno", "generate", model, "--prompts", file, "-n", "9", "--page-rows", "16",
                   "--pages", "1");
}

TEST(prompts_that_cannot_be_meant_are_refused)
{
    const char *const model = small_model("qwen3"), *const file = temp_path("empty.txt");
    FILE *const f = fopen(file, "wb");
    assert_non_null(f);
    fclose(f);
    assert_refused(2, "no line, expected a prompt in each", "inferno", "generate", model,
                   "--prompts", file);
    assert_refused(2, "--batch without --prompts", "inferno", "generate", model, "-p", "a",
                   "--batch", "2");
    assert_refused(2, "expected one prompt", "inferno", "generate", model, "-p", "a", "--prompts",
                   file);
    assert_refused(2, "--prompts with --metrics", "inferno", "generate", model, "--prompts", file,
                   "--metrics");
    assert_refused(2, "line 2: the prompt is empty", "inferno", "generate", model, "--prompts",
                   prompts_file_with_a_gap(), "-n", "2");
}
