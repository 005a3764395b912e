#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <inferno/cpu.h>

#include "paths.h"
#include "program.h"
#include "test.h"

static double number(const json *object, const char *key)
{
    const json *const value = json_get(object, key);
    assert_int_equal(value->type, JSON_NUMBER);
    return value->number;
}

static void a_kernel_has_times_and_ceilings(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", "ops", "--json", "--op", "matmul", "--level",
                          "baseline", "--sizes", "16,3x4x5");
    assert_int_equal(d->n, 2);
    const json *const first = &d->items[0];
    assert_string_equal(json_get(first, "op")->string, "matmul");
    assert_string_equal(json_get(first, "level")->string, "baseline");
    assert_true(number(first, "seconds") > 0.0);
    assert_true(number(first, "seconds_low") <= number(first, "seconds"));
    assert_true(number(first, "seconds") <= number(first, "seconds_high"));
    assert_true(number(first, "peak_flops_per_second") > 0.0);
    assert_true(number(first, "read_bytes_per_second") > 0.0);
    const double flops = number(first, "flops_per_second") * number(first, "seconds");
    assert_true(flops > 2.0 * 4096 * 0.999 && flops < 2.0 * 4096 * 1.001);
    const json *const size = json_get(&d->items[1], "size");
    assert_int_equal(size->n, 3);
    assert_true(size->items[0].number == 3 && size->items[1].number == 4 &&
                size->items[2].number == 5);
    json_free(d);
}

static void packed_weights_are_timed_too(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", "ops", "--json", "--op", "linear", "--level",
                          "baseline", "--sizes", "20x32x40");
    int n_packed = 0, n_quantized = 0;
    for (size_t i = 0; i < d->n; i++) {
        n_packed += json_get(&d->items[i], "packed")->type == JSON_TRUE;
        n_quantized += strcmp(json_get(&d->items[i], "dtype")->string, "Q8_0") == 0;
    }
    assert_int_equal(n_packed, 3);
    assert_int_equal(n_quantized, 1);
    json_free(d);
}

static void another_backend_is_timed_in_turn(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", "ops", "--json", "--op", "linear_q8", "--level",
                          "baseline", "--sizes", "1x256x3", "--against", "scalar");
    assert_int_equal(d->n, 6);
    for (size_t i = 0; i < d->n; i++)
        assert_true(number(&d->items[i], "against_seconds") > 0.0);
    json_free(d);
    d = assert_json("inferno", "bench", "ops", "--json", "--op", "matmul", "--level", "baseline",
                    "--sizes", "4");
    assert_true(number(&d->items[0], "against_seconds") == 0.0);
    json_free(d);
    program p = program_run("inferno", "bench", "ops", "--op", "matmul", "--level", "baseline",
                            "--sizes", "4", "--against", "scalar");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "scalar: its time, and that over ours"));
    program_free(&p);
}

/* Other projects' libraries are looked for where the loader looks. */
static void libraries_are_timed_in_turn_where_they_are(void **state)
{
    (void)state;
    setenv("LD_LIBRARY_PATH", PEERS, 1);
    json *d = assert_json("inferno", "bench", "ops", "--json", "--op", "matmul", "--level",
                          "baseline", "--sizes", "3x4x5");
    assert_int_equal(d->n, 1);
    assert_true(number(&d->items[0], "openblas_seconds") > 0.0);
    assert_true(number(&d->items[0], "openblas_skylakex_seconds") > 0.0);
    assert_true(number(&d->items[0], "onednn_seconds") > 0.0);
    assert_true(number(&d->items[0], "threads") == 1.0);
    json_free(d);
    program p = program_run("inferno", "bench", "ops", "--op", "matmul", "--level", "baseline",
                            "--sizes", "3x4x5");
    assert_int_equal(p.status, 0);
    const char *const row = strstr(p.out, "matmul    F32   raw    baseline    3x4x5");
    assert_non_null(row);
    const char *const openblas =
        strstr(row, "  OpenBLAS "); /* its time over ours, then that of SkylakeX */
    assert_non_null(openblas);
    assert_true(strtod(openblas + strlen("  OpenBLAS "), NULL) > 0.0);
    const char *const onednn = strstr(openblas, "x  oneDNN ");
    assert_non_null(onednn);
    assert_true(strtod(onednn + strlen("x  oneDNN "), NULL) > 0.0);
    program_free(&p);
    /* the program runs this itself to time SkylakeX: a time in units of the level's peak */
    p = program_run("inferno", "bench", "ops", "--level", "baseline", "--openblas", "3x4x5");
    assert_int_equal(p.status, 0);
    assert_true(strtod(p.out, NULL) > 0.0);
    program_free(&p);
    assert_refused(2, "--sizes: found 3x4, expected N or MxNxP", "inferno", "bench", "ops",
                   "--openblas", "3x4");
    unsetenv("LD_LIBRARY_PATH");
}

/* The level runs under parallel, timed by the wall clock, and the libraries use as many threads. */
static void products_have_threads(void **state)
{
    (void)state;
    setenv("LD_LIBRARY_PATH", PEERS, 1);
    json *d = assert_json("inferno", "bench", "ops", "--json", "--op", "matmul", "--level",
                          "baseline", "--sizes", "64", "-t", "2");
    assert_int_equal(d->n, 1);
    assert_true(number(&d->items[0], "threads") == 2.0);
    assert_true(number(&d->items[0], "seconds") > 0.0);
    assert_true(number(&d->items[0], "openblas_skylakex_seconds") > 0.0);
    json_free(d);
    unsetenv("LD_LIBRARY_PATH");
    assert_refused(2, "-t: found 'two', expected a number in 1 .. 64", "inferno", "bench", "ops",
                   "-t", "two");
}

static void every_level_has_a_ceiling(void **state)
{
    (void)state;
    static const struct {
        const char *level, *op, *size;
        uint64_t features;
    } levels[] = {
        {"avx2", "matmul", "4", IFN_CPU_LEVEL_AVX2},
        {"avxvnni", "linear_q8", "1x256x3", IFN_CPU_LEVEL_AVXVNNI},
        {"avx512vnni", "linear_q8", "1x256x3", IFN_CPU_LEVEL_AVX512VNNI},
        {"amxint8", "linear_q8", "1x256x3", IFN_CPU_LEVEL_AMXINT8},
        {"amxbf16", "linear", "2x256x3", IFN_CPU_LEVEL_AMXBF16},
    };
    for (size_t i = 0; i < N_OF(levels); i++) {
        if (!ifn_cpu_has(ifn_cpu_detect(), levels[i].features))
            continue;
        json *d = assert_json("inferno", "bench", "ops", "--json", "--op", levels[i].op, "--level",
                              levels[i].level, "--sizes", levels[i].size, "--against", "scalar");
        assert_true(d->n > 0);
        for (size_t k = 0; k < d->n; k++)
            assert_true(number(&d->items[k], "peak_flops_per_second") > 1e9);
        json_free(d);
    }
}

/* A row of x is multiplied by weights that no cache holds any more: many copies of them take turns. */
static void weights_for_one_row_come_from_memory(void **state)
{
    (void)state;
    program p = program_run("inferno", "bench", "ops", "--op", "linear", "--level", "baseline",
                            "--sizes", "1x1024x4096");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "reading from memory: "));
    assert_non_null(strstr(p.out, "linear    F32   packed baseline    1x1024x4096"));
    assert_non_null(strstr(p.out, "linear    F32   raw    baseline    1x1024x4096"));
    program_free(&p);
}

/* The kernel of one op is wrong, on a backend that is otherwise correct. */
static void a_wrong_kernel_has_no_speed(void **state)
{
    (void)state;
    program p = program_run("inferno", "bench", "ops", "--json", "--op", "matmul", "--sizes", "4",
                            "--backend", MUSEUM "=copied_accumulator:scalar");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "matmul of"));
    assert_non_null(strstr(p.err, "fails its conformance cases: it has no speed"));
    assert_null(strstr(p.out, "seconds"));
    program_free(&p);
}

/* The program without the shipped specs cannot judge the kernel, so it does not call it wrong. */
static void without_specs_a_kernel_is_not_called_wrong(void **state)
{
    (void)state;
    size_t bytes;
    char *const content = read_file(program_path("inferno"), &bytes);
    const char *const alone = temp_path("alone"), *const said = temp_path("said");
    write_file(alone, content, bytes);
    free(content);
    assert_int_equal(chmod(alone, 0700), 0);
    char command[3 * 4096];
    snprintf(command, sizeof command,
             "'%s' bench ops --op matmul --level baseline --sizes 4 >'%s' 2>&1", alone, said);
    assert_int_not_equal(system(command), 0);
    char *const text = read_file(said, NULL);
    assert_non_null(strstr(text, "could not be judged by its conformance cases"));
    assert_null(strstr(text, "fails its conformance cases"));
    free(text);
}

static const json *results(const json *document, size_t expected)
{
    const json *const list = json_get(document, "results");
    assert_string_equal(json_get(document, "inferno")->string, "bench/1");
    assert_int_equal(list->n, expected);
    return list;
}

static void a_model_has_rates_and_ceilings(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "9", "-n", "3",
                          "-r", "4", "--backend", "scalar");
    const json *const list = results(d, 2);
    static const char *const tests[] = {"pp9", "tg3"};
    for (size_t i = 0; i < 2; i++) {
        const json *const r = &list->items[i];
        assert_string_equal(json_get(r, "test")->string, tests[i]);
        assert_string_equal(json_get(r, "backend")->string, "scalar");
        assert_string_equal(json_get(r, "clock")->string, "processor");
        assert_int_equal(json_get(r, "samples")->n, 4);
        assert_true(0.0 < number(r, "slowest"));
        assert_true(number(r, "slowest") <= number(r, "tokens_per_second"));
        assert_true(number(r, "tokens_per_second") <= number(r, "fastest"));
        /* no thread reads 10 TB per second, or does 10^13 operations */
        assert_true(number(r, "ceiling_per_second") > 0.0 &&
                    number(r, "ceiling_per_second") < 1e13);
    }
    /* f32: four bytes for two operations, and the output matrix besides the layers */
    assert_string_equal(json_get(&list->items[0], "bound_by")->string, "operations");
    assert_string_equal(json_get(&list->items[1], "bound_by")->string, "bytes");
    assert_true(number(&list->items[1], "per_token") > 2.0 * number(&list->items[0], "per_token"));
    json_free(d);
}

static void a_result_says_where_it_was_made(void **state)
{
    (void)state;
    static const char *const names[] = {"inferno",    "commit", "compiler", "processor", "levels",
                                        "processors", "memory", "system",   "date"};
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "2", "-n", "0",
                          "-r", "1");
    const json *const facts = json_get(d, "facts");
    for (size_t i = 0; i < N_OF(names); i++)
        assert_true(strlen(json_get(facts, names[i])->string) > 0);
    assert_non_null(strstr(json_get(facts, "levels")->string, "baseline"));
    json_free(d);
}

/* Each token reads the keys and values before it: more of them in a deeper context, and half as many bytes in f16. */
static void a_deep_context_is_counted_as_read(void **state)
{
    (void)state;
    static const char *const kvs[] = {"basic", "f16"};
    double each[2];
    for (size_t i = 0; i < 2; i++) {
        json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "0", "-n",
                              "1", "-d", "0,8,24", "-r", "1", "--kv", kvs[i]);
        const json *const list = results(d, 3);
        const double flat = number(&list->items[0], "per_token");
        const double deep = number(&list->items[1], "per_token") - flat;
        each[i] = deep / 8;
        assert_true(deep > 0.0 && 3 * deep == number(&list->items[2], "per_token") - flat);
        assert_string_equal(json_get(&list->items[1], "test")->string,
                            i == 0 ? "tg1 @ d8" : "tg1 @ d8 kv f16");
        json_free(d);
    }
    assert_true(each[0] == 2 * each[1]);
    assert_refused(2, "--kv", "inferno", "bench", small_model("qwen3"), "--kv", "off");
}

/* Each token of a prompt is multiplied by every key that it sees, and by its value. */
static void attention_is_counted_as_computed(void **state)
{
    (void)state;
    double each[2];
    for (size_t i = 0; i < 2; i++) {
        json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "5,9", "-n",
                              "0", "-d", "0,8", "-r", "1", "--kv", i == 0 ? "basic" : "f16");
        const json *const list = results(d, 4);
        double per_token[4]; /* pp5, pp9, and both at the depth: 3, 5, 11 and 13 keys on average */
        for (size_t r = 0; r < 4; r++)
            per_token[r] = number(&list->items[r], "per_token");
        each[i] = (per_token[1] - per_token[0]) / 2;
        assert_true(each[i] > 0.0);
        assert_true(per_token[2] - per_token[0] == 8 * each[i]);
        assert_true(per_token[3] - per_token[1] == 8 * each[i]);
        json_free(d);
    }
    assert_true(each[0] == each[1]);
}

/* Prompts are timed for each batch size, single tokens once. */
static void every_combination_is_timed(void **state)
{
    (void)state;
    char first[1024];
    snprintf(first, sizeof first, "%s", small_model("llama"));
    json *d = assert_json("inferno", "bench", first, small_model("qwen3"), "--json", "-p", "3,5",
                          "-n", "2", "-d", "0,7", "-t", "1,2", "-b", "2,4", "-r", "1");
    const json *const list = results(d, 2 * 2 * 2 * (2 * 2 + 1));
    int n_deep = 0, n_wall = 0, n_single = 0;
    for (size_t i = 0; i < list->n; i++) {
        const json *const r = &list->items[i];
        n_deep += strstr(json_get(r, "test")->string, " @ d7") != NULL;
        n_single += number(r, "batch") == 1;
        n_wall += strcmp(json_get(r, "clock")->string, "wall") == 0;
        assert_true((number(r, "threads") == 2) ==
                    (strcmp(json_get(r, "clock")->string, "wall") == 0));
    }
    assert_int_equal(n_deep, 20);
    assert_int_equal(n_wall, 20);
    assert_int_equal(n_single, 8);
    json_free(d);
}

/* Single tokens have a row for each number of sequences; the sequences share what they read of the weights. */
static void sequences_are_decoded_together(void **state)
{
    (void)state;
    json *d =
        assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "3", "-n", "2", "-d",
                    "0,5", "--batch", "1,3", "-r", "1", "--backend", "simd", "--page-rows", "16");
    const json *const list = results(d, 2 + 2 * 2);
    double per_token[2][2] = {0}; /* [sequences][depth] */
    int n_rows[2] = {0};
    for (size_t i = 0; i < list->n; i++) {
        const json *const r = &list->items[i];
        if (number(r, "n_prompt") > 0)
            continue;
        const int is_three = number(r, "batch") == 3;
        assert_true(is_three || number(r, "batch") == 1);
        per_token[is_three][number(r, "depth") > 0] = number(r, "per_token");
        n_rows[is_three]++;
    }
    assert_true(n_rows[0] == 2 && n_rows[1] == 2);
    /* each sequence has its own keys and values: 1.5 positions on average, and 5 more at the depth */
    const double position = (per_token[0][1] - per_token[0][0]) / 5;
    const double alone = per_token[0][0] - 1.5 * position;
    const double shared = per_token[1][0] - 1.5 * position;
    assert_true(position > 0.0 && shared > 0.0 && alone / shared > 2.999 && alone / shared < 3.001);
    json_free(d);
    assert_refused(2, "--batch", "inferno", "bench", small_model("qwen3"), "--batch", "0");
}

/* A model that fits in a cache is not compared with the speed of memory; no model claims more than there is. */
static void a_small_model_claims_no_share_of_memory(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "0", "-n", "3",
                          "-r", "2", "-t", "1");
    const json *const r = &results(d, 1)->items[0], *const share = json_get(r, "ceiling_share");
    assert_true(share->type == JSON_NULL || share->number <= 1.0);
    assert_true(strcmp(json_get(r, "ceiling_level")->string, "memory") != 0 ||
                share->type != JSON_NULL);
    json_free(d);
}

static void rates_are_drawn_over_depth_and_threads(void **state)
{
    (void)state;
    const char *const path = temp_path("rates.svg");
    program p = assert_runs("inferno", "bench", small_model("qwen3"), "-p", "3", "-n", "2", "-d",
                            "0,9", "-t", "1,2", "-r", "1", "--quiet", "--chart", path);
    program_free(&p);
    char *const svg = read_file(path, NULL);
    static const char *const titles[] = {"Prompts over depth", "Single tokens over depth",
                                         "Prompts over threads", "Single tokens over threads"};
    for (size_t i = 0; i < N_OF(titles); i++)
        assert_non_null(strstr(svg, titles[i]));
    free(svg);
    p = assert_runs("inferno", "bench", small_model("qwen3"), "-p", "0", "-n", "2", "-t", "1", "-r",
                    "1", "--quiet", "--chart", "-");
    assert_non_null(strstr(p.out, "\nSingle tokens over depth\n"));
    assert_null(strstr(p.out, "over threads"));
    program_free(&p);
}

static void several_backends_are_timed_one_after_the_other(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "2", "-n", "0",
                          "-r", "1", "--backend", "scalar", "--backend", "check:scalar");
    const json *const list = results(d, 2);
    assert_string_equal(json_get(&list->items[0], "backend")->string, "scalar");
    assert_string_equal(json_get(&list->items[1], "backend")->string, "check:scalar");
    json_free(d);
}

static void one_thread_is_timed_by_the_wall_clock_if_asked(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "2", "-n", "0",
                          "-r", "1", "-t", "1", "--wall");
    assert_string_equal(json_get(&results(d, 1)->items[0], "clock")->string, "wall");
    json_free(d);
}

/* Returns the number of fields in a line of CSV; a comma in quotes separates nothing. */
static int n_fields(const char *line)
{
    int n = 1, is_quoted = 0;
    for (; *line && *line != '\n'; line++) {
        is_quoted ^= *line == '"';
        n += !is_quoted && *line == ',';
    }
    return n;
}

static void tables_have_a_head_and_rows_of_its_width(void **state)
{
    (void)state;
    program p = program_run("inferno", "bench", small_model("qwen3"), "-p", "9", "-n", "3", "-t",
                            "1", "-r", "1");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "\n| model | size | backend | threads | batch | test |"));
    assert_non_null(strstr(p.out, " | 1 | 512 | pp9 | "));
    assert_non_null(strstr(p.out, " | 1 | 1 | tg3 | "));
    program_free(&p);
    p = program_run("inferno", "bench", small_model("qwen3"), "-p", "9", "-n", "3", "-r", "1", "-o",
                    "csv");
    const char *const row = strchr(p.out, '\n') + 1, *const second = strchr(row, '\n') + 1;
    assert_int_equal(n_fields(row), n_fields(p.out));
    assert_int_equal(n_fields(second), n_fields(p.out));
    program_free(&p);
}

/* Writes what `bench --json` writes for such rates. */
static void write_old(const char *path, const char *test, double rate)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"inferno\": \"bench/1\", \"facts\": {}, \"results\": [{\"model\": \"/else/%s\", "
             "\"test\": \"%s\", \"clock\": \"processor\", \"threads\": 1, \"batch\": 512, "
             "\"tokens_per_second\": %g, \"slowest\": %g, \"fastest\": %g}]}\n",
             strrchr(small_model("qwen3"), '/') + 1, test, rate, rate, rate);
    write_file(path, text, strlen(text));
}

static void an_older_result_is_compared_with(void **state)
{
    (void)state;
    static const struct {
        const char *test, *expected;
        double rate;
    } cases[] = {
        {"pp9", "faster", 1e-3}, {"pp9", "slower", 1e12}, {"pp8", "not in the old result", 1.0}};
    const char *const old = temp_path("old.json");
    for (size_t i = 0; i < N_OF(cases); i++) {
        write_old(old, cases[i].test, cases[i].rate);
        program p = program_run("inferno", "bench", small_model("qwen3"), "-p", "9", "-n", "0",
                                "-t", "1", "-r", "2", "--compare", old);
        assert_int_equal(p.status, 0);
        assert_non_null(strstr(p.out, cases[i].expected));
        program_free(&p);
    }
    write_old(old, "pp9", 1e12);
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "9", "-n", "0",
                          "-t", "1", "-r", "2", "--compare", old);
    const json *const compared = json_get(&results(d, 1)->items[0], "compared");
    assert_string_equal(json_get(compared, "judgement")->string, "slower");
    assert_true(number(compared, "old_tokens_per_second") == 1e12);
    assert_true(number(compared, "ratio") < 1.0);
    json_free(d);
}

static void what_it_wrote_itself_it_can_compare_with(void **state)
{
    (void)state;
    const char *const old = temp_path("own.json");
    program p = program_run("inferno", "bench", small_model("qwen3"), "--json", "-p", "9", "-n",
                            "3", "-t", "1", "-r", "2");
    write_file(old, p.out, p.out_bytes);
    program_free(&p);
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "-p", "9", "-n", "3",
                          "-t", "1", "-r", "2", "--compare", old);
    for (size_t i = 0; i < 2; i++)
        assert_true(number(json_get(&results(d, 2)->items[i], "compared"), "ratio") > 0.0);
    json_free(d);
}

static void what_bench_did_not_write_is_refused(void **state)
{
    (void)state;
    const char *const old = temp_path("other.json");
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"{\"inferno\": \"museum/1\"}", "found 'museum/1', expected bench/1"},
        {"[1, 2]", "expected a map"},
        {"{\"inferno\": \"bench/1\", \"results\": [{\"slowest\": 2}]}",
         "expected the slowest run, the median and the fastest"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        write_file(old, cases[i].text, strlen(cases[i].text));
        assert_refused(1, cases[i].expected, "inferno", "bench", small_model("qwen3"), "--compare",
                       old);
    }
    assert_refused(2, "no such result", "inferno", "bench", small_model("qwen3"), "--compare",
                   "no such result");
}

static void wrong_wishes_are_refused_before_anything_is_timed(void **state)
{
    (void)state;
    assert_refused(2, "no such model", "inferno", "bench", "no such model");
    assert_refused(2, "--threads 2: backend 'scalar' has no threads", "inferno", "bench",
                   small_model("qwen3"), "--backend", "scalar", "-t", "2");
    assert_refused(2, "-p: found 'x', expected a number in 0 .. 65536", "inferno", "bench",
                   small_model("qwen3"), "-p", "8,x");
    assert_refused(2, "-b: found '0', expected a number", "inferno", "bench", small_model("qwen3"),
                   "-b", "0");
    assert_refused(2, "-d: more than 16 numbers", "inferno", "bench", small_model("qwen3"), "-d",
                   "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17");
    assert_refused(2, "-p 0 and -n 0: nothing is to be timed", "inferno", "bench",
                   small_model("qwen3"), "-p", "0", "-n", "0");
    assert_refused(2, "found model.gguf, expected nothing after ops", "inferno", "bench", "ops",
                   "model.gguf");
    assert_refused(2, "--op: found add, expected matmul, linear or linear_q8", "inferno", "bench",
                   "ops", "--op", "add");
    assert_refused(2, "--sizes: found 3x4, expected N or MxNxP", "inferno", "bench", "ops",
                   "--sizes", "16,3x4");
    assert_refused(2, "--sizes: found 5y, expected N or MxNxP", "inferno", "bench", "ops",
                   "--sizes", "5y");
    assert_refused(2, "--sizes", "inferno", "bench", "ops", "--sizes", "0");
    assert_refused(2, "simd=avx1024: not a level of this processor", "inferno", "bench", "ops",
                   "--level", "avx1024");
    assert_refused(2, "nonsense", "inferno", "bench", "ops", "--against", "nonsense");
}

int main(void)
{
    if (!ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_LEVEL_BASELINE))
        return 77;
    const struct CMUnitTest tests[] = {
        RUN(a_kernel_has_times_and_ceilings),
        RUN(packed_weights_are_timed_too),
        RUN(another_backend_is_timed_in_turn),
        RUN(libraries_are_timed_in_turn_where_they_are),
        RUN(products_have_threads),
        RUN(every_level_has_a_ceiling),
        RUN(weights_for_one_row_come_from_memory),
        RUN(a_wrong_kernel_has_no_speed),
        RUN(without_specs_a_kernel_is_not_called_wrong),
        RUN(a_model_has_rates_and_ceilings),
        RUN(a_result_says_where_it_was_made),
        RUN(a_deep_context_is_counted_as_read),
        RUN(attention_is_counted_as_computed),
        RUN(every_combination_is_timed),
        RUN(sequences_are_decoded_together),
        RUN(a_small_model_claims_no_share_of_memory),
        RUN(rates_are_drawn_over_depth_and_threads),
        RUN(several_backends_are_timed_one_after_the_other),
        RUN(one_thread_is_timed_by_the_wall_clock_if_asked),
        RUN(tables_have_a_head_and_rows_of_its_width),
        RUN(an_older_result_is_compared_with),
        RUN(what_it_wrote_itself_it_can_compare_with),
        RUN(what_bench_did_not_write_is_refused),
        RUN(wrong_wishes_are_refused_before_anything_is_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
