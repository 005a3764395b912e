/*
 * Copies of the shipped model as `inferno quantize` makes them, with every graph and cache. Other engines compute the
 * expected results from the decoded blocks, with f32 activations. Runs on scalar, or on every backend that is named.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_copies.h"
#include "golden_run.h"
#include "paths.h"
#include "test.h"

/* Scalar decodes a row of weights for every row of activations, so the fused graph gets fewer rows. */
static const golden_way ways[] = {
    {"fused.basic", IFN_GRAPH_FUSED, IFN_KV_F32, 80, 0},
    {"primitive.basic", IFN_GRAPH_PRIMITIVE, IFN_KV_F32, 0, 0},
    {"fused.off", IFN_GRAPH_FUSED, IFN_KV_OFF, 32, 0},
    {"primitive.off", IFN_GRAPH_PRIMITIVE, IFN_KV_OFF, 200, 0},
};

static golden_set set;
static const char *backend = "scalar";

static int make_copies(void **state)
{
    (void)state;
    set = golden_set_read("spec/generate/quant");
    golden_copies_make();
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    golden_set_free(&set);
    return 0;
}

/* Quantizing is deterministic, so a golden file can state the sum of a file that is not shipped. */
static void the_copies_are_those_the_files_are_about(void **state)
{
    (void)state;
    for (size_t t = 1; t < GOLDEN_COPIES; t++) {
        char sum[65];
        int n_about = 0;
        golden_sum(golden_copy(t), sum);
        for (size_t i = 0; i < set.n; i++) {
            if (golden_copy_of(&set.specs[i]) != golden_copy(t))
                continue;
            golden_check_sum(&set.specs[i], sum);
            n_about++;
        }
        assert_that(n_about >= 5, "%s: %d golden files", golden_types[t], n_about);
    }
}

static void follow(const char *model, const golden_way *way)
{
    golden_run run = golden_run_open_on(model, way, backend);
    for (size_t i = 0; i < set.n; i++) {
        if (!golden_set_tries(&set, i) || golden_copy_of(&set.specs[i]) != model)
            continue;
        golden_check_prompt(&run, &set.specs[i]);
        golden_decode(&run, &set.specs[i]);
        golden_prefill(&run, &set.specs[i]);
    }
    assert_true(run.n_steps > 0);
    golden_run_close(&run);
}

static void every_graph_and_cache_agrees_with_the_files(void **state)
{
    (void)state;
    for (size_t t = 1; t < GOLDEN_COPIES; t++)
        for (size_t w = 0; w < N_OF(ways); w++)
            follow(golden_copy(t), &ways[w]);
}

/* Widening an f16 to f32 is exact. */
static void an_f32_copy_has_the_logits_of_the_f16_model_bit_for_bit(void **state)
{
    (void)state;
    golden_set original = golden_set_read("spec/generate");
    for (size_t w = 0; w < N_OF(ways); w++) {
        golden_run half = golden_run_open(source_path(golden_shipped), &ways[w]);
        golden_run full = golden_run_open(golden_copy(0), &ways[w]);
        for (size_t i = 0; i < original.n; i += 8) {
            if (!golden_set_tries(&original, i))
                continue;
            size_t n;
            float *want = golden_all_logits(&half, &original.specs[i], &n);
            float *got = golden_all_logits(&full, &original.specs[i], &n);
            assert_that(memcmp(got, want, n * half.n_vocab * sizeof *got) == 0, "%s, %s: differs",
                        original.specs[i].path, ways[w].name);
            free(got);
            free(want);
        }
        golden_run_close(&full);
        golden_run_close(&half);
    }
    golden_set_free(&original);
}

static int follow_on(const char *name)
{
    const struct CMUnitTest tests[] = {RUN(every_graph_and_cache_agrees_with_the_files)};
    backend = name;
    return cmocka_run_group_tests(tests, make_copies, free_all);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUN(the_copies_are_those_the_files_are_about),
        RUN(every_graph_and_cache_agrees_with_the_files),
        RUN(an_f32_copy_has_the_logits_of_the_f16_model_bit_for_bit),
    };
    if (argc > 1)
        return golden_on_each(argc - 1, argv + 1, follow_on);
    return cmocka_run_group_tests(tests, make_copies, free_all);
}
