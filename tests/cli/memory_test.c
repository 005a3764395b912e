/*
 * A file is mapped, not copied, and the parts that are packed are dropped from memory: a generation needs at most the
 * file, once, and what the context planned to take. The file is so large that the rest of the process is small beside
 * it.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <inferno/context.h>

#include "paths.h"
#include "program.h"
#include "test.h"

enum { CONTEXT = 64 };

/* Copies a file in large pieces. If the system keeps files in large pages, it does so with this one, and reading any
 * part of such a page can bring in all of it. A piece is small compared with the file, as a program begins with the
 * peak of its parent. */
static void write_in_large_pieces(const char *from, const char *to)
{
    static char piece[4 << 20];
    FILE *const in = fopen(from, "rb"), *const out = fopen(to, "wb");
    size_t n;
    assert_true(in && out);
    setbuf(in, NULL);
    setbuf(out, NULL);
    while ((n = fread(piece, 1, sizeof piece, in)) > 0)
        assert_int_equal(fwrite(piece, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static const char *big_model(const char *type)
{
    static char path[1024], made[1024];
    snprintf(path, sizeof path, "%s", temp_path("big.gguf"));
    snprintf(made, sizeof made, "%s", temp_path("made.gguf"));
    program p =
        assert_runs("inferno", "synth", "qwen3", made, "--force", "--type", type, "--seed", "1",
                    "--embedding_length", "1024", "--feed_forward_length", "3072", "--block_count",
                    "8", "--attention.head_count", "16", "--attention.head_count_kv", "8",
                    "--attention.key_length", "128", "--vocab_size", "32000");
    program_free(&p);
    write_in_large_pieces(made, path);
    return path;
}

static uint64_t file_bytes(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return (uint64_t)s.st_size;
}

/* Returns the bytes of the context that `inferno generate` plans by default. */
static uint64_t planned_bytes(const char *path)
{
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .max_pos = CONTEXT, .kv = IFN_KV_F32);
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_backend *backend;
    ifn_plan plan = IFN_PLAN_INIT;
    ifn_error err = {0};
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    assert_ok(ifn_model_open(gguf, NULL, &model, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &backend, &err), err);
    assert_ok(ifn_context_plan(model, backend, &params, &plan, &err), err);
    ifn_backend_close(backend);
    ifn_model_close(model);
    ifn_gguf_close(gguf);
    return plan.total_bytes;
}

/* Returns the largest peak of all programs that this one has run and waited for. */
static uint64_t peak_bytes_of_children(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts KiB */
}

/* Returns the peak in bytes that a generation reports. It draws ids from all over the vocabulary, so that all rows
 * of the embedding are read. */
static double peak_of(const char *backend, const char *path)
{
    json *d =
        assert_json("inferno", "generate", path, "-p", "a", "-n", "48", "--ctx", "64", "--temp",
                    "9", "--seed", "1", "--ignore-eos", "--backend", backend, "--json");
    assert_int_equal(json_get(d, "ids")->n, 48);
    const double peak = json_get(json_get(d, "metrics"), "peak_rss_bytes")->number;
    json_free(d);
    return peak;
}

/* scalar reads the file as it is; simd packs all of it. */
static void expect_little_more_than_the_file_and_the_plan(const char *backend, const char *type)
{
    const char *path = big_model(type);
    const double file = (double)file_bytes(path), plan = (double)planned_bytes(path);
    assert_true(file > 60e6 && plan > 0 && plan < file);
    const double peak = peak_of(backend, path);
    print_message("%s, %s: file %.1f MB, plan %.1f MB, peak %.1f MB\n", backend, type, file / 1e6,
                  plan / 1e6, peak / 1e6);
    assert_that(peak <= 1.15 * file + plan, "%s, %s: peak of %.1f MB", backend, type, peak / 1e6);
    assert_true(peak > 0.5 * file); /* the weights were read */
    assert_true(peak <= (double)peak_bytes_of_children());
}

static void generating_takes_little_more_than_the_file_and_the_plan(void **state)
{
    (void)state;
    static const char *const types[] = {"Q8_0", "Q4_0", "Q4_K_M", "Q5_K", "Q6_K"};
    expect_little_more_than_the_file_and_the_plan("scalar", "Q8_0");
    for (size_t i = 0; i < N_OF(types); i++)
        expect_little_more_than_the_file_and_the_plan("simd", types[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(generating_takes_little_more_than_the_file_and_the_plan),
    };
    if (INSTRUMENTED)
        return TEST_NOT_RUN;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
