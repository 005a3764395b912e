/*
 * What two other engines compute for the shipped model, this one must compute, too. Without an argument the test
 * checks the golden files themselves. With one, such as "primitive.off", it tries that graph with that cache, on
 * scalar or on every backend named after it.
 */
#include <stdio.h>
#include <string.h>

#include "golden_run.h"
#include "golden_set.h"
#include "paths.h"
#include "test.h"

static const char shipped[] = "fixtures/gguf/little-world-f16.gguf";

/* Without a cache every step recomputes all rows before it, and a row takes scalar some milliseconds. */
static const golden_way ways[] = {
    {"fused.basic", IFN_GRAPH_FUSED, IFN_KV_F32, 0, 0},
    {"primitive.basic", IFN_GRAPH_PRIMITIVE, IFN_KV_F32, 0, 0},
    {"fused.off", IFN_GRAPH_FUSED, IFN_KV_OFF, 100, 0},
    {"primitive.off", IFN_GRAPH_PRIMITIVE, IFN_KV_OFF, 400, 0},
};

static const golden_way *way = &ways[0];
static const char *backend = "scalar";
static golden_set set;
static golden_run run;

static const golden_way *find_way(const char *name)
{
    for (size_t i = 0; i < N_OF(ways); i++)
        if (strcmp(ways[i].name, name) == 0)
            return &ways[i];
    return NULL;
}

static void there_are_forty_files_and_two_engines_behind_each(void **state)
{
    (void)state;
    assert_true(set.n >= 40);
    for (size_t i = 0; i < set.n; i++)
        assert_that(set.specs[i].n_engines >= 2, "%s: %d engines", set.specs[i].path,
                    set.specs[i].n_engines);
}

static void the_files_are_about_the_shipped_model(void **state)
{
    (void)state;
    char sum[65];
    golden_sum(source_path(shipped), sum);
    for (size_t i = 0; i < set.n; i++) {
        assert_string_equal(set.specs[i].model, shipped);
        golden_check_sum(&set.specs[i], sum);
    }
}

static void every_prompt_encodes_to_its_ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < set.n; i++)
        golden_check_prompt(&run, &set.specs[i]);
}

static void an_end_token_is_the_last_id_and_four_stories_have_one(void **state)
{
    (void)state;
    int n_stories = 0;
    for (size_t i = 0; i < set.n; i++) {
        const golden_ids *ids = &set.specs[i].expect_ids;
        for (size_t j = 0; j + 1 < ids->n; j++)
            assert_that(!ifn_tokenizer_is_end(run.tokenizer, ids->ids[j]), "%s: id %zu ends it",
                        set.specs[i].path, j);
        n_stories += ids->n > 100 && ifn_tokenizer_is_end(run.tokenizer, ids->ids[ids->n - 1]);
    }
    assert_true(n_stories >= 4);
}

static void greedy_ids_and_their_logits_are_the_golden_ones(void **state)
{
    (void)state;
    size_t n_files = 0;
    run.n_steps = 0;
    for (size_t i = 0; i < set.n; i++)
        if (golden_set_tries(&set, i) && set.specs[i].graphs >> way->graph & 1) {
            golden_decode(&run, &set.specs[i]);
            n_files++;
        }
    print_message("%s on %s: %zu steps, %zu near ties fell otherwise\n", run.way->name, backend,
                  run.n_steps, run.n_ties);
    assert_true(n_files >= 4 && run.n_steps >= 4 * n_files);
}

static void one_pass_over_the_whole_text_has_the_golden_logits(void **state)
{
    (void)state;
    size_t n_files = 0;
    run.n_steps = 0;
    for (size_t i = 0; i < set.n; i++)
        if (golden_set_tries(&set, i) && set.specs[i].graphs >> way->graph & 1) {
            golden_prefill(&run, &set.specs[i]);
            n_files++;
        }
    assert_true(n_files >= 4 && run.n_steps >= 4 * n_files);
}

static int open_all(void **state)
{
    (void)state;
    set = golden_set_read("spec/generate");
    run = golden_run_open_on(source_path(shipped), way, backend);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    golden_run_close(&run);
    golden_set_free(&set);
    return 0;
}

static int follow_on(const char *name)
{
    const struct CMUnitTest tests[] = {
        RUN(greedy_ids_and_their_logits_are_the_golden_ones),
        RUN(one_pass_over_the_whole_text_has_the_golden_logits),
    };
    backend = name;
    return cmocka_run_group_tests(tests, open_all, close_all);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUN(there_are_forty_files_and_two_engines_behind_each),
        RUN(the_files_are_about_the_shipped_model),
        RUN(every_prompt_encodes_to_its_ids),
        RUN(an_end_token_is_the_last_id_and_four_stories_have_one),
    };
    if (argc < 2)
        return cmocka_run_group_tests(tests, open_all, close_all);
    way = find_way(argv[1]);
    if (way)
        return argc == 2 ? follow_on("scalar") : golden_on_each(argc - 2, argv + 2, follow_on);
    print_error("%s: no such graph and cache\n", argv[1]);
    return 2;
}
