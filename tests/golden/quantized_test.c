/*
 * Copies of the shipped model as `inferno quantize` makes them, with every graph and cache. What
 * their weights mean is computed by other engines from the decoded blocks; activations are f32.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_run.h"
#include "golden_set.h"
#include "paths.h"
#include "program.h"
#include "test.h"

static const char *const types[] = {"F32", "Q8_0", "Q4_0", "Q4_K", "Q6_K"};

/* Scalar decodes a row of weights for every row of activations: the fused graph takes the short
 * ones. */
static const golden_way ways[] = {
    {"fused.basic", IFN_GRAPH_FUSED, IFN_KV_BASIC, 80},
    {"primitive.basic", IFN_GRAPH_PRIMITIVE, IFN_KV_BASIC, 0},
    {"fused.off", IFN_GRAPH_FUSED, IFN_KV_OFF, 32},
    {"primitive.off", IFN_GRAPH_PRIMITIVE, IFN_KV_OFF, 200},
};

static const char shipped[] = "fixtures/gguf/little-world-f16.gguf";
static char copies[N_OF(types)][1024];
static golden_set set;

/* "little-world-q8_0.gguf": how the golden files name the copy. */
static void name_of(const char *type, char out[64])
{
    char lower[16] = "";
    for (size_t i = 0; type[i]; i++)
        lower[i] = (char)(type[i] >= 'A' && type[i] <= 'Z' ? type[i] - 'A' + 'a' : type[i]);
    snprintf(out, 64, "little-world-%s.gguf", lower);
}

static const char *copy_of(const golden_spec *spec)
{
    for (size_t i = 0; i < N_OF(types); i++)
        if (strcmp(strrchr(copies[i], '/') + 1, spec->model) == 0)
            return copies[i];
    fail_msg("%s: %s is not among the copies", spec->path, spec->model);
    return NULL;
}

static int make_copies(void **state)
{
    (void)state;
    set = golden_set_read("spec/generate/quant");
    for (size_t i = 0; i < N_OF(types); i++) {
        char name[64];
        name_of(types[i], name);
        snprintf(copies[i], sizeof copies[i], "%s", temp_path(name));
        program p = assert_runs("inferno", "quantize", source_path(shipped), copies[i], types[i]);
        program_free(&p);
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    golden_set_free(&set);
    return 0;
}

/* Quantizing is deterministic, so a golden file can name the sum of a file nobody ships. */
static void the_copies_are_those_the_files_are_about(void **state)
{
    (void)state;
    for (size_t t = 1; t < N_OF(types); t++) {
        char sum[65];
        int n_about = 0;
        golden_sum(copies[t], sum);
        for (size_t i = 0; i < set.n; i++) {
            if (copy_of(&set.specs[i]) != copies[t])
                continue;
            golden_check_sum(&set.specs[i], sum);
            n_about++;
        }
        assert_that(n_about >= 5, "%s: %d golden files", types[t], n_about);
    }
}

static void follow(const char *model, const golden_way *way)
{
    golden_run run = golden_run_open(model, way);
    for (size_t i = 0; i < set.n; i += GOLDEN_STRIDE) {
        if (copy_of(&set.specs[i]) != model)
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
    for (size_t t = 1; t < N_OF(types); t++)
        for (size_t w = 0; w < N_OF(ways); w++)
            follow(copies[t], &ways[w]);
}

/* A half is a float, and widening it loses nothing. */
static void an_f32_copy_has_the_logits_of_the_f16_model_bit_for_bit(void **state)
{
    (void)state;
    golden_set original = golden_set_read("spec/generate");
    for (size_t w = 0; w < N_OF(ways); w++) {
        golden_run half = golden_run_open(source_path(shipped), &ways[w]);
        golden_run full = golden_run_open(copies[0], &ways[w]);
        for (size_t i = 0; i < original.n; i += 8 * GOLDEN_STRIDE) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_copies_are_those_the_files_are_about),
        RUN(every_graph_and_cache_agrees_with_the_files),
        RUN(an_f32_copy_has_the_logits_of_the_f16_model_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, make_copies, free_all);
}
