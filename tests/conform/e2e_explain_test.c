/* A failed run is repeated to find the first bad op, and the row of the report then names it. */
#include "e2e_explain.h"

#include <string.h>

#include "e2e_model.h"

/* The planted fault: lane 5 of the up-projection of the second layer. */
static const ifn_model *planted_in;

static ifn_status wrong_up(ifn_backend *self, const ifn_linear_args *a)
{
    IFN_TRY(self->base->ops->linear(self->base, a));
    for (int64_t i = 0; i < a->n_w; i++)
        if (a->w[i]->data == ifn_model_layer(planted_in, 1)->ffn_up->data)
            a->out[i][5] += 0.5f;
    return IFN_OK;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = wrong_up;
}

static void fill_nothing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table;
    (void)env;
}

static const ifn_backend_desc planted = {IFN_BACKEND_STAMP, .name = "planted",
                                         .summary = "wrong up", .fill = fill};

static ifn_status open_desc(const void *desc, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    (void)n_threads;
    return ifn_backend_open_desc(desc, NULL, NULL, NULL, out, err);
}

static ifn_status open_none(const void *desc, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    (void)desc;
    (void)n_threads;
    *out = NULL;
    return ifn_fail(err, IFN_ERR_ARGUMENT, "there is none");
}

TEST(a_planted_lane_is_named_with_its_layer_and_op)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const e2e_trial trial = {&t.truth, open_desc, &planted, 1, 0};
    e2e_results *const results = e2e_results_open(0, "tiny");
    planted_in = t.model;
    e2e_trial_run(&trial, results);
    assert_int_equal(results->failed, 1);
    const e2e_explain one = {&trial, results->again, results->failed - 1, NULL};
    e2e_explain_run(&one, results);
    assert_non_null(strstr(results->all_statistics[0].row.first_bad,
                           "layer 1, up, op linear blk.1.ffn_up.weight: "));
    assert_non_null(strstr(results->text, "blk.1.ffn_up.weight"));
    e2e_results_close(results);
    tiny_truth_close(&t);
}

TEST(an_honest_backend_has_no_bad_op_and_a_missing_one_is_said)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    e2e_results *const results = e2e_results_open(0, "tiny");
    e2e_trial trial = {&t.truth, open_none, NULL, 1, 0};
    e2e_explain one = {&trial,
                       {.way = {.activations = IFN_ACTIVATIONS_F32, .kv = IFN_KV_F32},
                        .n_chunks = 2,
                        .chunks = {3, 1}},
                       -1,
                       NULL};
    e2e_explain_run(&one, results);
    assert_string_equal(results->text, "first bad op: not looked for: there is none\n");
    static const ifn_backend_desc honest = {IFN_BACKEND_STAMP, .name = "honest",
                                            .summary = "as scalar", .fill = fill_nothing};
    trial.open = open_desc;
    trial.backend = &honest;
    one.row = 0;
    assert_non_null(e2e_results_row(results, &one.again.way));
    e2e_explain_run(&one, results);
    assert_non_null(
        strstr(results->all_statistics[0].row.first_bad, "none: every op keeps its contract"));
    e2e_results_close(results);
    tiny_truth_close(&t);
}
