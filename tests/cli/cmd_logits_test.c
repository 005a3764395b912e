#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "test.h"

enum { N_VOCAB = 300 };

static float *read_logits(const char *path, size_t n_rows)
{
    size_t bytes;
    char *data = read_file(path, &bytes);
    assert_int_equal(bytes, n_rows * N_VOCAB * sizeof(float));
    return (float *)(void *)data;
}

TEST(a_file_gets_the_last_position_or_all)
{
    const char *model = small_model("llama");
    program last =
        assert_runs("inferno", "logits", model, "--ids", "1,2,3", "--out", temp_path("last"));
    program all = assert_runs("inferno", "logits", model, "--ids", "1,2,3", "--all", "--out",
                              temp_path("all"));
    program two = assert_runs("inferno", "logits", model, "--ids", "1,2", "--kv", "off", "--out",
                              temp_path("two"));
    assert_int_equal(last.out_bytes, 0);
    float *x = read_logits(temp_path("last"), 1), *y = read_logits(temp_path("all"), 3);
    float *z = read_logits(temp_path("two"), 1);
    assert_memory_equal(x, y + 2 * N_VOCAB, N_VOCAB * sizeof *x);
    assert_memory_equal(z, y + 1 * N_VOCAB, N_VOCAB * sizeof *x);
    assert_memory_not_equal(x, z, N_VOCAB * sizeof *x);
    free(x);
    free(y);
    free(z);
    program_free(&last);
    program_free(&all);
    program_free(&two);
}

TEST(standard_output_gets_the_same_bytes)
{
    const char *model = small_model("llama");
    program file =
        assert_runs("inferno", "logits", model, "--ids", "5", "--out", temp_path("file"));
    program out = assert_runs("inferno", "logits", model, "--ids", "5", "--out", "-");
    float *x = read_logits(temp_path("file"), 1);
    assert_int_equal(out.out_bytes, N_VOCAB * sizeof *x);
    assert_memory_equal(out.out, x, out.out_bytes);
    free(x);
    program_free(&file);
    program_free(&out);
}

static float largest_difference(const float *x, const float *y, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabsf(x[i] - y[i]) > most ? fabsf(x[i] - y[i]) : most;
    return most;
}

/* The graphs sum in different orders: logits are close, but if all bits were equal, one graph would have run twice. */
TEST(either_graph_may_be_asked_for)
{
    const char *model = small_model("llama");
    program fused = assert_runs("inferno", "logits", model, "--ids", "5,6,7", "--graph", "fused",
                                "--backend", "scalar", "--out", temp_path("fused"));
    program primitive =
        assert_runs("inferno", "logits", model, "--ids", "5,6,7", "--graph", "primitive",
                    "--backend", "scalar", "--out", temp_path("primitive"));
    float *x = read_logits(temp_path("fused"), 1), *y = read_logits(temp_path("primitive"), 1);
    const float difference = largest_difference(x, y, N_VOCAB);
    assert_that(difference > 0 && difference < 1e-3f, "the graphs differ by %g",
                (double)difference);
    json *d =
        assert_json("inferno", "logits", model, "--ids", "5", "--graph", "primitive", "--json");
    assert_string_equal(json_get(d, "graph")->string, "primitive");
    json_free(d);
    free(x);
    free(y);
    program_free(&fused);
    program_free(&primitive);
}

TEST(the_table_shows_the_ten_best)
{
    const char *model = small_model("llama");
    program table = assert_runs("inferno", "logits", model, "--ids", "5,6");
    program raw =
        assert_runs("inferno", "logits", model, "--ids", "5,6", "--out", temp_path("raw"));
    float *x = read_logits(temp_path("raw"), 1);
    int best = 0, n_lines = 0;
    for (int i = 1; i < N_VOCAB; i++)
        best = x[i] > x[best] ? i : best;
    for (const char *at = table.out; (at = strchr(at, '\n')); at++)
        n_lines++;
    assert_int_equal(n_lines, 11);
    assert_int_equal(strtol(strchr(table.out, '\n') + 1, NULL, 10), best);
    free(x);
    program_free(&table);
    program_free(&raw);
}

TEST(json_has_the_candidates_of_each_position)
{
    json *d =
        assert_json("inferno", "logits", small_model("llama"), "--ids", "5,6,7", "--all", "--json");
    const json *positions = json_get(d, "positions");
    assert_int_equal(positions->n, 3);
    for (size_t i = 0; i < 3; i++) {
        const json *top = json_get(&positions->items[i], "top");
        assert_int_equal(json_int(json_get(&positions->items[i], "position")), i);
        assert_int_equal(top->n, 10);
        for (size_t j = 1; j < 10; j++)
            assert_true(json_get(&top->items[j], "logit")->number <=
                        json_get(&top->items[j - 1], "logit")->number);
    }
    json_free(d);
}

TEST(a_result_that_cannot_be_written_is_no_success)
{
    const char *model = small_model("llama");
    assert_refused(1, "/dev/full: no space left on the device", "inferno", "logits", model, "--ids",
                   "1", "--out", "/dev/full");
    assert_refused(1, "no/where: no such file or directory", "inferno", "logits", model, "--ids",
                   "1", "--out", temp_path("no/where"));
}

TEST(wrong_usage_is_refused)
{
    const char *model = small_model("llama");
    assert_refused(2, "--ids 1,2,3", "inferno", "logits", model);
    assert_refused(2, "id 300 at index 0", "inferno", "logits", model, "--ids", "300");
    assert_refused(2, "both would go to standard output", "inferno", "logits", model, "--ids", "1",
                   "--json", "--out", "-");
    assert_refused(2, "--kv: found 'full', expected off|basic|f16|q8_0", "inferno", "logits", model,
                   "--ids", "1", "--kv", "full");
    assert_refused(2, "--graph: found 'both', expected fused|primitive", "inferno", "logits", model,
                   "--ids", "1", "--graph", "both");
    assert_refused(2, "the primitive graph computes in f32 only", "inferno", "logits", model,
                   "--ids", "1", "--graph", "primitive", "--activations", "q8");
}
