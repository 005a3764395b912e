/*
 * Too little memory or too few threads: one exit status, and one line that says what needs less; the program goes on
 * if it can.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "paths.h"
#include "program.h"
#include "test.h"

/* Makes a model whose prepared weights take about as much as its file, 10 MB; the context takes far less. */
static const char *model(void)
{
    static char path[1024];
    if (!*path) {
        snprintf(path, sizeof path, "%s", temp_path("resources.gguf"));
        program p = assert_runs("inferno", "synth", "llama", path, "--type", "f16",
                                "--embedding_length", "512", "--feed_forward_length", "1024",
                                "--block_count", "2", "--vocab_size", "300", "--quiet");
        program_free(&p);
    }
    return path;
}

#define GENERATE                                                                                   \
    "inferno", "generate", model(), "--ids", "5,6", "-n", "4", "--ctx", "8", "--ignore-eos"

static const char helps[] =
    "; less is needed with --no-prepare, --backend scalar, a smaller --ctx or -n\n";

TEST(prepared_weights_count_against_max_memory)
{
    assert_refused(1, "weights: out of memory: prepared for simd they take more than the ",
                   GENERATE, "--backend", "simd", "--max-memory", "6000000");
    assert_refused(1, helps, GENERATE, "--backend", "simd", "--max-memory", "6000000");
    program p = assert_runs(GENERATE, "--backend", "simd", "--max-memory", "60000000");
    program_free(&p);
}

TEST(what_helps_does_help)
{
    program prepared = assert_runs(GENERATE, "--backend", "simd");
    program raw =
        assert_runs(GENERATE, "--backend", "simd", "--max-memory", "6000000", "--no-prepare");
    program scalar = assert_runs(GENERATE, "--backend", "scalar", "--max-memory", "6000000");
    assert_string_equal(raw.out, prepared.out);
    assert_string_equal(scalar.out, prepared.out);
    program_free(&prepared);
    program_free(&raw);
    program_free(&scalar);
    program p = assert_runs("inferno", "logits", model(), "--ids", "5,6", "--backend", "simd",
                            "--no-prepare");
    program q = assert_runs("inferno", "logits", model(), "--ids", "5,6", "--backend", "simd");
    assert_true(p.out_bytes > 0 && q.out_bytes > 0);
    program_free(&p);
    program_free(&q);
}

static program run_within(int which, rlim_t most, const char *const *argv)
{
    struct rlimit before, limit;
    assert_int_equal(getrlimit(which, &before), 0);
    limit = before;
    limit.rlim_cur = most;
    assert_int_equal(setrlimit(which, &limit), 0);
    program p = program_run_list(argv);
    assert_int_equal(setrlimit(which, &before), 0);
    return p;
}

enum { STEP = 4 << 20, ENOUGH = 512 << 20 };

/* Below some megabytes the system or the loader fails, for which the program is not responsible. */
static int is_loaded_within(rlim_t most)
{
    program p = run_within(RLIMIT_AS, most, (const char *const[]){"inferno", "--version", NULL});
    const int is_loaded = p.status == 0;
    program_free(&p);
    return is_loaded;
}

/* Tries limits from too little for a start up to enough, whatever a process takes on this machine. */
TEST(out_of_memory_has_one_status)
{
    int n_refused = 0, status = -1;
    if (INSTRUMENTED)
        skip(); /* a sanitizer's memory exceeds all limits */
    for (rlim_t most = STEP; status != 0 && most < ENOUGH; most += STEP) {
        if (!is_loaded_within(most))
            continue;
        program p =
            run_within(RLIMIT_AS, most, (const char *const[]){GENERATE, "--backend", "simd", NULL});
        status = p.status;
        const char *const end = strchr(p.err, '\n');
        if (status != 0) {
            n_refused++;
            assert_that(
                status == 1 && end && !end[1] && strstr(p.err, "memory") && strstr(p.err, helps),
                "within %llu bytes: status %d: %s", (unsigned long long)most, status, p.err);
        }
        program_free(&p);
    }
    assert_int_equal(status, 0);
    assert_true(n_refused > 0);
}

/* Runs with stacks so large that there is no room for a second or third thread. */
static program run_with_few_threads(const char *const *argv)
{
    enum { STACK = 512 << 20 };
    struct rlimit before, stack;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    stack = before;
    stack.rlim_cur = STACK;
    assert_int_equal(setrlimit(RLIMIT_STACK, &stack), 0);
    program p = run_within(RLIMIT_AS, (rlim_t)3 * STACK, argv);
    assert_int_equal(setrlimit(RLIMIT_STACK, &before), 0);
    return p;
}

TEST(where_threads_are_wanting_fewer_do)
{
    if (INSTRUMENTED)
        skip();
    program all = assert_runs(GENERATE, "--backend", "parallel=8:simd");
    program p =
        run_with_few_threads((const char *const[]){GENERATE, "--backend", "parallel=8:simd", NULL});
    const char *const end = strchr(p.err, '\n');
    assert_that(p.status == 0 && strcmp(p.out, all.out) == 0 && end && !end[1] &&
                    strncmp(p.err, "inferno: note: ", 15) == 0 &&
                    strstr(p.err, " instead of 8: the system starts no more\n"),
                "status %d: %s%s", p.status, p.err, p.out);
    program_free(&p);
    p = run_with_few_threads(
        (const char *const[]){GENERATE, "--backend", "parallel=8:simd", "--quiet", NULL});
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "");
    program_free(&p);
    program_free(&all);
}
