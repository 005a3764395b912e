/*
 * A file is mapped, not copied: the most memory a generation holds is the file, once, and what the
 * context was planned to take. The file is large enough for the rest of a process to be small.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <inferno/context.h>

#include "paths.h"
#include "program.h"
#include "test.h"

enum { CONTEXT = 64 };

static const char *big_model(void)
{
    const char *path = temp_path("big.gguf");
    program p =
        assert_runs("inferno", "synth", "qwen3", path, "--type", "q8_0", "--seed", "1",
                    "--embedding_length", "1024", "--feed_forward_length", "3072", "--block_count",
                    "4", "--attention.head_count", "16", "--attention.head_count_kv", "8",
                    "--attention.key_length", "128", "--vocab_size", "8000");
    program_free(&p);
    return path;
}

static uint64_t file_bytes(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return (uint64_t)s.st_size;
}

/* What `inferno generate` plans unless it is told otherwise. */
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

/* Of all programs that this one has run and waited for, the largest. */
static uint64_t peak_bytes_of_children(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts KiB */
}

static void generating_takes_little_more_than_the_file_and_the_plan(void **state)
{
    (void)state;
    const char *path = big_model();
    const uint64_t file = file_bytes(path), plan = planned_bytes(path);
    json *d = assert_json("inferno", "generate", path, "-p", "a", "-n", "4", "--ctx", "64",
                          "--ignore-eos", "--backend", "scalar", "--json");
    assert_int_equal(json_get(d, "ids")->n, 4);
    const json *said = json_get(json_get(d, "metrics"), "peak_rss_bytes");
    const uint64_t peak = peak_bytes_of_children();
    print_message("file %.1f MB, plan %.1f MB, peak %.1f MB\n", (double)file / 1e6,
                  (double)plan / 1e6, (double)peak / 1e6);
    assert_true(file > 60000000 && plan > 0 && plan < file);
    assert_that((double)peak <= 1.2 * (double)file + (double)plan, "peak of %.1f MB",
                (double)peak / 1e6);
    /* The weights were read, and the program knows what it took. */
    assert_true((double)peak > 0.5 * (double)file);
    assert_true(said->number > 0.5 * (double)file && said->number <= (double)peak);
    json_free(d);
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
