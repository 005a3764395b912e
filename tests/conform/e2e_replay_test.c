/* Under declared arithmetic each op of a whole model is still held to its own contract. */
#include "e2e_replay.h"

#include <string.h>

#include "e2e_model.h"
#include "rounded_leaf.h"

static ifn_status open_desc(const void *desc, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    (void)n_threads;
    return ifn_backend_open_desc(desc, NULL, NULL, NULL, out, err);
}

static ifn_status open_none(const void *what, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    (void)what;
    (void)n_threads;
    (void)out;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED, "there is none");
}

/* Uses another eps: the effect on the logits is far below that of products in bf16. */
static ifn_status norm_of_other_eps(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args other = *a;
    other.eps = a->eps + 0x1p-12f;
    return ifn_rms_norm(self->base, &other);
}

static void fill_other_eps(ifn_op_table *table, const ifn_backend_env *env)
{
    fill_rounded(table, env);
    table->rms_norm = norm_of_other_eps;
}

static const ifn_backend_desc honest = {IFN_BACKEND_STAMP, .name = "honest", .summary = "",
                                        .manifest = &manifest_of_bf16, .fill = fill_rounded};
static const ifn_backend_desc other_eps = {IFN_BACKEND_STAMP, .name = "eps", .summary = "",
                                           .manifest = &manifest_of_bf16, .fill = fill_other_eps};

static e2e_results *replay(const tiny_truth *t, const ifn_backend_desc *desc)
{
    const e2e_trial trial = {&t->truth, desc ? open_desc : open_none, desc, 1, 0};
    e2e_results *const results = e2e_results_open(0, "tiny");
    assert_non_null(results);
    e2e_replay_run(&trial, results);
    assert_int_equal(results->n, 1);
    assert_string_equal(results->all_statistics[0].row.rule, "ops");
    return results;
}

TEST(a_run_of_ops_is_a_row_of_its_own)
{
    const conform_arithmetics declared = bf16_in_linear();
    tiny_truth t = tiny_truth_declared("qwen3", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32,
                                       0, &declared);
    e2e_results *results = replay(&t, &honest);
    const e2e_row *row = &results->all_statistics[0].row;
    assert_that(row->failed == 0, "%s", row->detail);
    assert_int_equal(row->runs, 1);
    assert_int_equal(row->steps, t.truth.n);
    assert_true(row->worst > 0 && row->worst <= 1);
    e2e_results_close(results);

    results = replay(&t, &other_eps);
    row = &results->all_statistics[0].row;
    assert_int_equal(row->failed, 1);
    assert_string_equal(row->check, "op");
    assert_that(strstr(row->detail, "attn_norm of layer 0, op rms_norm, breaks its contract"), "%s",
                row->detail);
    assert_true(row->worst > 1);
    assert_true(results->failed == 1 && results->again.way.is_replay);
    e2e_results_close(results);

    results = replay(&t, NULL);
    assert_string_equal(results->all_statistics[0].row.check, "status");
    assert_string_equal(results->all_statistics[0].row.detail, "five: there is none");
    e2e_results_close(results);
    tiny_truth_close(&t);
}
