/* Honest backends pass every run; a wrong lane, a stale cache row and a broken promise each fail. */
#include "e2e_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "e2e_model.h"
#include "variants.h"

static ifn_status open_desc(const void *desc, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    (void)n_threads;
    return ifn_backend_open_desc(desc, NULL, NULL, NULL, out, err);
}

static ifn_status open_name(const void *name, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = n_threads);
    return ifn_backend_open(name, &options, out, err);
}

static int64_t failures_of(const e2e_results *results)
{
    int64_t failed = 0;
    for (int i = 0; i < results->n; i++)
        failed += results->all_statistics[i].row.failed;
    return failed;
}

static e2e_results *try_backend(const tiny_truth *t, int is_desc, const void *backend,
                                int64_t n_more)
{
    const e2e_trial trial = {&t->truth, is_desc ? open_desc : open_name, backend, 1, n_more};
    e2e_results *const results = e2e_results_open(0, "tiny");
    assert_non_null(results);
    e2e_trial_run(&trial, results);
    return results;
}

static void print_failures(const e2e_results *results, const char *who)
{
    for (int i = 0; i < results->n; i++)
        if (results->all_statistics[i].row.failed)
            print_error("%s: %s %s %s: %s\n", who, results->all_statistics[i].row.rule,
                        results->all_statistics[i].row.kv, results->all_statistics[i].row.check,
                        results->all_statistics[i].row.detail);
}

static const struct {
    ifn_dtype dtype, cache;
    ifn_activations activations;
    int n_rows;
} modes[] = {{IFN_DTYPE_F32, IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, 4},
             {IFN_DTYPE_F16, IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_F32, 2},
             {IFN_DTYPE_Q4_0, IFN_DTYPE_F32, IFN_ACTIVATIONS_Q8, 4},
             {IFN_DTYPE_Q6_K, IFN_DTYPE_F16, IFN_ACTIVATIONS_Q8, 2}};

static tiny_truth open_mode(size_t i)
{
    return tiny_truth_open("qwen3", modes[i].dtype, modes[i].activations, modes[i].cache, 1);
}

TEST(every_variant_of_the_arithmetic_passes_every_run)
{
    for (size_t m = 0; m < N_OF(modes); m++) {
        tiny_truth t = open_mode(m);
        for (int v = 0; v < conform_variant_count(); v += E2E_STRIDE) {
            e2e_results *const results = try_backend(&t, 1, conform_variant_desc(v), 2);
            assert_int_equal(results->n, modes[m].n_rows);
            print_failures(results, conform_variant_desc(v)->name);
            assert_int_equal(failures_of(results), 0);
            e2e_results_close(results);
        }
        tiny_truth_close(&t);
    }
}

TEST(threads_change_no_bit)
{
    tiny_truth t = open_mode(2);
    e2e_results *const results = try_backend(&t, 0, "parallel:scalar", 8);
    int64_t demanded = 0;
    print_failures(results, "parallel");
    assert_int_equal(failures_of(results), 0);
    for (int i = 0; i < results->n; i++) {
        assert_int_equal(results->all_statistics[i].row.held, results->all_statistics[i].row.tried);
        demanded += results->all_statistics[i].row.demanded;
    }
    assert_true(demanded >= 12);
    e2e_results_close(results);
    tiny_truth_close(&t);
}

/* Multiplies one lane of the product by 1 + 2^-10. */
static ifn_status wrong_linear(ifn_backend *self, const ifn_linear_args *a)
{
    IFN_TRY(self->base->ops->linear(self->base, a));
    for (int64_t r = 0; r < a->rows; r++)
        a->out[0][r * a->out_stride[0] + 5] *= 1.0f + 0x1p-10f;
    return IFN_OK;
}

static ifn_status wrong_linear_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    IFN_TRY(self->base->ops->linear_q8(self->base, a));
    for (int64_t r = 0; r < a->rows; r++)
        a->out[0][r * a->out_stride[0] + 5] *= 1.0f + 0x1p-10f;
    return IFN_OK;
}

static ifn_status wrong_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    IFN_TRY(self->base->ops->matmul(self->base, a));
    for (int64_t r = 0; r < a->m && a->p > 5; r++)
        a->out[r * a->p + 5] *= 1.0f + 0x1p-10f;
    return IFN_OK;
}

static void fill_wrong_lane(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = wrong_linear;
    table->linear_q8 = wrong_linear_q8;
    table->matmul = wrong_matmul;
}

/* Does not store the first row of a later chunk. */
static ifn_status stale_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args late = *a;
    if (a->first_pos == 0 || a->rows == 0)
        return self->base->ops->kv_store(self->base, a);
    late.k += a->n_kv_heads * a->head_dim;
    late.v += a->n_kv_heads * a->head_dim;
    late.first_pos++;
    late.rows--;
    return late.rows ? self->base->ops->kv_store(self->base, &late) : IFN_OK;
}

static void fill_stale(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->kv_store = stale_store;
}

static ifn_status no_rope(ifn_backend *self, const ifn_apply_rope_args *a)
{
    (void)self;
    (void)a;
    return IFN_ERR_UNSUPPORTED;
}

static void fill_no_rope(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->apply_rope = no_rope;
}

static ifn_status nan_norm(ifn_backend *self, const ifn_rms_norm_args *a)
{
    IFN_TRY(self->base->ops->rms_norm(self->base, a));
    if (a->out_dtype == IFN_DTYPE_F32)
        ((float *)a->out)[0] = NAN;
    return IFN_OK;
}

static void fill_nan(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->rms_norm = nan_norm;
}

static const ifn_backend_desc lane = {IFN_BACKEND_STAMP, .name = "lane", .summary = "a wrong lane",
                                      .fill = fill_wrong_lane};
static const ifn_backend_desc stale = {IFN_BACKEND_STAMP, .name = "stale", .summary = "a stale row",
                                       .fill = fill_stale};
static const ifn_backend_desc refuses = {IFN_BACKEND_STAMP, .name = "refuses", .summary = "no rope",
                                         .fill = fill_no_rope};
static const ifn_backend_desc nans = {IFN_BACKEND_STAMP, .name = "nans", .summary = "a NaN",
                                      .fill = fill_nan};

TEST(a_wrong_lane_is_red_in_every_row_with_a_bound)
{
    for (size_t m = 0; m < N_OF(modes); m++) {
        tiny_truth t = open_mode(m);
        e2e_results *const results = try_backend(&t, 1, &lane, 0);
        for (int i = 0; i < results->n; i++) {
            const e2e_row *const row = &results->all_statistics[i].row;
            if (strcmp(row->rule, "free") == 0)
                continue;
            assert_that(row->failed == row->runs, "%s %s: %d of %d runs", row->graph, row->rule,
                        (int)row->failed, (int)row->runs);
            assert_string_equal(row->check, "logits");
        }
        assert_true(results->failed > 0 && results->again.n_chunks == 0);
        e2e_results_close(results);
        tiny_truth_close(&t);
    }
}

TEST(a_stale_row_is_red_where_there_is_a_later_chunk)
{
    for (size_t m = 0; m < 2; m++) {
        tiny_truth t = open_mode(m);
        e2e_results *const results = try_backend(&t, 1, &stale, 0);
        int n_cached = 0;
        for (int i = 0; i < results->n; i++) {
            const e2e_row *const row = &results->all_statistics[i].row;
            /* The primitive graph stores into its cache by another op. */
            if (strcmp(row->kv, "off") == 0 || strcmp(row->graph, "primitive") == 0) {
                assert_int_equal(row->failed, 0);
                continue;
            }
            n_cached++;
            assert_that(row->failed >= 1 && row->failed < row->runs, "%s %s %s: %d of %d runs",
                        row->graph, row->kv, row->rule, (int)row->failed, (int)row->runs);
            assert_that(strstr(row->detail, "one by one") != NULL, "%s", row->detail);
        }
        assert_true(n_cached > 0);
        assert_int_equal(results->again.n_chunks, 1);
        assert_int_equal(results->again.chunks[0], 1);
        e2e_results_close(results);
        tiny_truth_close(&t);
    }
}

TEST(a_call_that_fails_and_a_nan_are_red)
{
    tiny_truth t = open_mode(0);
    e2e_results *results = try_backend(&t, 1, &refuses, 0);
    assert_string_equal(results->all_statistics[0].row.check, "status");
    assert_non_null(strstr(results->all_statistics[0].row.detail, "apply_rope"));
    e2e_results_close(results);
    results = try_backend(&t, 1, &nans, 0);
    assert_string_equal(results->all_statistics[0].row.check, "not-finite");
    e2e_results_close(results);
    results = try_backend(&t, 0, "no such backend", 0);
    assert_int_equal(results->all_statistics[0].row.failed, 1);
    assert_string_equal(results->all_statistics[0].row.check, "status");
    e2e_results_close(results);
    tiny_truth_close(&t);
}

/* A row without a noise floor says why it was not run, and counts no runs. */
TEST(a_row_without_a_floor_says_why)
{
    tiny_truth t = open_mode(2);
    t.truth.has_free = 0;
    e2e_results *results = try_backend(&t, 0, "scalar", 0);
    const e2e_row *const row = &results->all_statistics[results->n - 1].row;
    assert_string_equal(row->rule, "free");
    assert_int_equal(row->runs, 0);
    assert_non_null(strstr(row->detail, "not run: "));
    e2e_results_close(results);
    t.truth.has_floor = 0;
    results = try_backend(&t, 0, "scalar", 1);
    assert_int_equal(failures_of(results), 0);
    assert_int_equal(results->all_statistics[0].row.runs + results->all_statistics[1].row.runs, 0);
    e2e_results_close(results);
    tiny_truth_close(&t);
}
