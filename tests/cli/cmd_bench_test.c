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

/* OpenBLAS is looked for where the loader looks. */
static void openblas_is_timed_in_turn_where_there_is_one(void **state)
{
    (void)state;
    setenv("LD_LIBRARY_PATH", OPENBLAS, 1);
    json *d = assert_json("inferno", "bench", "ops", "--json", "--op", "matmul", "--level",
                          "baseline", "--sizes", "3x4x5");
    assert_int_equal(d->n, 1);
    assert_true(number(&d->items[0], "openblas_seconds") > 0.0);
    assert_true(number(&d->items[0], "openblas_skylakex_seconds") > 0.0);
    json_free(d);
    program p = program_run("inferno", "bench", "ops", "--op", "matmul", "--level", "baseline",
                            "--sizes", "3x4x5");
    assert_int_equal(p.status, 0);
    const char *row = strstr(p.out, "matmul    F32   raw    baseline    3x4x5");
    assert_non_null(row);
    const char *last = strrchr(row, ' '); /* its time over ours, as it is and as SkylakeX */
    assert_true(last[-1] == 'x' && last[strlen(last) - 2] == 'x');
    program_free(&p);
    /* what the program asks itself as SkylakeX: a time in units of the level's peak */
    p = program_run("inferno", "bench", "ops", "--level", "baseline", "--openblas", "3x4x5");
    assert_int_equal(p.status, 0);
    assert_true(strtod(p.out, NULL) > 0.0);
    program_free(&p);
    assert_refused(2, "--sizes: found 3x4, expected N or MxNxP", "inferno", "bench", "ops",
                   "--openblas", "3x4");
    unsetenv("LD_LIBRARY_PATH");
}

static void every_level_has_a_ceiling(void **state)
{
    (void)state;
    static const struct {
        const char *level, *op, *size;
        uint32_t features;
    } levels[] = {
        {"avx2", "matmul", "4", IFN_CPU_LEVEL_AVX2},
        {"avxvnni", "linear_q8", "1x256x3", IFN_CPU_LEVEL_AVXVNNI},
        {"avx512vnni", "linear_q8", "1x256x3", IFN_CPU_LEVEL_AVX512VNNI},
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

/* A row of x meets weights that no cache still holds: many copies of them in turn. */
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

/* One op whose kernel is wrong, on a backend that is right otherwise. */
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

/* The program alone, without what was shipped with it: nothing can be said of the kernel. */
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

static void a_model_has_rates_and_ceilings(void **state)
{
    (void)state;
    json *d = assert_json("inferno", "bench", small_model("qwen3"), "--json", "--prompt", "9", "-n",
                          "3", "--backend", "scalar");
    assert_string_equal(json_get(d, "backend")->string, "scalar");
    assert_true(number(d, "prompt_tokens") == 9 && number(d, "decoded_tokens") == 3);
    assert_true(number(d, "prefill_tokens_per_second") > 0.0);
    assert_true(number(d, "decode_tokens_per_second") > 0.0);
    assert_true(number(d, "peak_operations_per_second") > 0.0);
    /* no thread reads a terabyte per second */
    assert_true(number(d, "read_bytes_per_second") > 0.0);
    assert_true(number(d, "read_bytes_per_second") < 1e12);
    /* f32: four bytes for what two operations are done with, and the output beside the layers */
    assert_true(number(d, "operations_per_token") > 0.0);
    assert_true(number(d, "weight_bytes_per_token") > 2.0 * number(d, "operations_per_token"));
    json_free(d);
}

static void a_model_is_told_in_two_lines(void **state)
{
    (void)state;
    program p = program_run("inferno", "bench", small_model("qwen3"), "--prompt", "9", "-n", "3",
                            "--backend", "scalar");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, " on scalar, one thread, medians of "));
    assert_non_null(strstr(p.out, "\nprefill      9 tokens: "));
    assert_non_null(strstr(p.out, "\ndecode       3 tokens: "));
    program_free(&p);
}

static void wrong_wishes_are_refused_before_anything_is_timed(void **state)
{
    (void)state;
    assert_refused(2, "no such model", "inferno", "bench", "no such model");
    assert_refused(2, "it has threads, expected a backend that runs on one", "inferno", "bench",
                   small_model("qwen3"), "--backend", "parallel:scalar");
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
        RUN(openblas_is_timed_in_turn_where_there_is_one),
        RUN(every_level_has_a_ceiling),
        RUN(weights_for_one_row_come_from_memory),
        RUN(a_wrong_kernel_has_no_speed),
        RUN(without_specs_a_kernel_is_not_called_wrong),
        RUN(a_model_has_rates_and_ceilings),
        RUN(a_model_is_told_in_two_lines),
        RUN(wrong_wishes_are_refused_before_anything_is_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
