/* --cache: weights prepared in one run are read in the next, with the same results, or are prepared again. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "test.h"

#define GENERATE(...)                                                                              \
    "inferno", "generate", small_model("llama"), "--ids", "5,6,7", "-n", "8", "--ctx", "16",       \
        "--ignore-eos", "--backend", "parallel=2:simd", __VA_ARGS__

/* Returns "--cache=PATH" in static storage that is reused after a few calls, as in temp_path. */
static const char *cache_at(const char *path)
{
    static char words[4][1120];
    static int turn;
    char *const word = words[turn++ % 4];
    snprintf(word, sizeof words[0], "--cache=%s", path);
    return word;
}

static int64_t count_of(const program *p, const char *name)
{
    const char *const at = strstr(p->err, name);
    assert_that(at != NULL, "%s", p->err);
    return strtoll(at + strlen(name), NULL, 10);
}

/* Runs with the cache, and expects the text, whether the handles came from the cache, and the note. */
static void expect_run(const char *out, const char *path, bool is_used, const char *text)
{
    program p = program_run(GENERATE(cache_at(path), "--metrics"));
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, out);
    assert_int_equal(count_of(&p, "weights_prepared: ") == 0, is_used);
    assert_int_equal(count_of(&p, "weights_from_cache: ") > 0, is_used);
    const char *const note = strstr(p.err, "inferno: note: ");
    assert_that(!note == !text && (!text || strstr(note, text)), "%s", p.err);
    program_free(&p);
}

TEST(a_second_start_prepares_nothing_and_says_the_same)
{
    const char *path = temp_path("second.cache");
    program without = assert_runs(GENERATE("--quiet"));
    expect_run(without.out, path, false, NULL);
    expect_run(without.out, path, true, NULL);
    expect_run(without.out, path, true, NULL);
    program_free(&without);
}

TEST(beside_the_model_without_a_path)
{
    char path[1110], model[1100];
    size_t bytes;
    char *data = read_file(small_model("llama"), &bytes);
    snprintf(model, sizeof model, "%s", temp_path("beside.gguf"));
    write_file(model, data, bytes);
    free(data);
    snprintf(path, sizeof path, "%s.cache", model);
    program p =
        assert_runs("inferno", "logits", "--cache", model, "--ids", "5,6", "--backend", "simd");
    assert_int_equal(access(path, R_OK), 0);
    program q = assert_runs("inferno", "bench", model, "-p", "4", "-n", "0", "-r", "1", "--backend",
                            "simd", "--cache", "--quiet");
    program_free(&q);
    q = assert_runs("inferno", "logits", model, "--cache", "--ids", "5,6", "--backend", "simd");
    assert_string_equal(q.out, p.out);
    program_free(&p);
    program_free(&q);
}

TEST(what_does_not_fit_is_made_anew)
{
    const char *path = temp_path("anew.cache");
    struct stat st;
    size_t bytes;
    program without = assert_runs(GENERATE("--quiet"));
    expect_run(without.out, path, false, NULL);
    char *data = read_file(path, &bytes);
    data[bytes / 2] ^= 4;
    write_file(path, data, bytes);
    free(data);
    expect_run(without.out, path, false, " has changed since it was written; it is made anew");
    expect_run(without.out, path, true, NULL);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(truncate(path, st.st_size / 2), 0);
    expect_run(without.out, path, false, "; it is made anew");
    expect_run(without.out, path, true, NULL);
    program_free(&without);
}

/* Another level has other layouts, so the cache does not serve it. */
TEST(another_level_is_made_anew)
{
    const char *path = temp_path("level.cache");
    program levels = program_run("inferno", "backends");
    const bool has_two = strstr(levels.out, "baseline") && strstr(levels.out, "avx2");
    program_free(&levels);
    if (!has_two)
        skip();
    program p = assert_runs("inferno", "logits", small_model("llama"), "--ids", "5", "--backend",
                            "simd=baseline", cache_at(path));
    program q = program_run("inferno", "logits", small_model("llama"), "--ids", "5", "--backend",
                            "simd=avx2", cache_at(path));
    assert_int_equal(q.status, 0);
    assert_that(strstr(q.err, "=baseline ") && strstr(q.err, "=avx2 ") &&
                    strstr(q.err, "; it is made anew\n"),
                "%s", q.err);
    program_free(&p);
    program_free(&q);
}

TEST(where_nothing_can_be_written_the_run_goes_on)
{
    program without = assert_runs(GENERATE("--quiet"));
    expect_run(without.out, temp_path("missing/w.cache"), false,
               "; weights are prepared at each start");
    program quiet = program_run(GENERATE(cache_at(temp_path("missing/w.cache")), "--quiet"));
    assert_int_equal(quiet.status, 0);
    assert_string_equal(quiet.err, "");
    assert_string_equal(quiet.out, without.out);
    program_free(&quiet);
    program_free(&without);
}

TEST(a_model_is_no_cache)
{
    size_t bytes, after;
    program without = assert_runs(GENERATE("--quiet"));
    char *const before = read_file(small_model("llama"), &bytes);
    expect_run(without.out, small_model("llama"), false,
               "is no cache of prepared weights, and left as it is");
    char *const still = read_file(small_model("llama"), &after);
    assert_int_equal(after, bytes);
    assert_memory_equal(still, before, bytes);
    free(before);
    free(still);
    program_free(&without);
}

TEST(two_at_once_make_one_cache)
{
    char path[1100];
    snprintf(path, sizeof path, "%s", temp_path("both.cache"));
    program without = assert_runs(GENERATE("--quiet"));
    pid_t pids[4];
    char out[4][32];
    for (int i = 0; i < 4; i++) {
        snprintf(out[i], sizeof out[i], "out%d", i);
        const char *const argv[] = {GENERATE(cache_at(path), "--quiet"), NULL};
        pids[i] = program_start(argv, "/dev/null", temp_path(out[i]), "/dev/null");
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(program_wait(pids[i]), 0);
        char *const text = read_file(temp_path(out[i]), NULL);
        assert_string_equal(text, without.out);
        free(text);
    }
    expect_run(without.out, path, true, NULL);
    assert_int_equal(names_in(temp_path(""), "both.cache"), 1);
    program_free(&without);
}
