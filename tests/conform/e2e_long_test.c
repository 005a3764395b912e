/* A fault that shows only in a long prompt passes a short one and fails a long one, which names op and layer. */
#include "e2e_long.h"

#include <stdlib.h>
#include <string.h>

#include "e2e_explain.h"
#include "e2e_model.h"
#include "variants.h"

/* Makes the attention of every row a constant if the condition holds. */
static ifn_status constant_if(ifn_backend *self, const ifn_attention_args *a, bool is_wrong)
{
    IFN_TRY(self->base->ops->attention(self->base, a));
    for (int64_t i = 0; is_wrong && i < a->rows * a->n_heads * a->head_dim; i++)
        a->out[i] = 0.5f;
    return IFN_OK;
}

#define TESTED(id, condition)                                                                      \
    static ifn_status attention_##id(ifn_backend *self, const ifn_attention_args *a)               \
    {                                                                                              \
        return constant_if(self, a, condition);                                                    \
    }                                                                                              \
    static void fill_##id(ifn_op_table *table, const ifn_backend_env *env)                         \
    {                                                                                              \
        (void)env;                                                                                 \
        table->attention = attention_##id;                                                         \
    }                                                                                              \
    static const ifn_backend_desc id = {IFN_BACKEND_STAMP, .name = #id, .summary = #condition,     \
                                        .fill = fill_##id}

TESTED(from_17_rows, a->rows > 16);
TESTED(from_28_keys, a->first_pos + a->rows >= 28);
TESTED(past_256_keys, a->first_pos + a->rows > 256);
TESTED(past_2048_keys, a->first_pos + a->rows > 2048);
TESTED(one_row_behind_256, a->rows == 1 && a->first_pos >= 256);
TESTED(pieces_behind_others, a->rows > 16 && a->first_pos > 0);
TESTED(f16_past_256, a->first_pos + a->rows > 256 && a->cache_dtype == IFN_DTYPE_F16);
TESTED(q8_from_17_rows, a->rows > 16 && a->cache_dtype == IFN_DTYPE_Q8_0);

/* A product of more than 16 rows is wrong in one element, the first of row 16. */
static ifn_status linear_late_row(ifn_backend *self, const ifn_linear_args *a)
{
    IFN_TRY(self->base->ops->linear(self->base, a));
    for (int64_t i = 0; a->rows > 16 && i < a->n_w; i++)
        a->out[i][16 * a->out_stride[i]] *= 1.25f;
    return IFN_OK;
}

static void fill_late_row(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear_late_row;
}
static const ifn_backend_desc row_16 = {IFN_BACKEND_STAMP, .name = "row_16",
                                        .summary = "one lane of row 16", .fill = fill_late_row};

/* Stores rows 256 positions too early once the cache holds that many. */
static ifn_status store_wrapped(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args wrapped = *a;
    if (a->first_pos >= 256)
        wrapped.first_pos -= 256;
    return self->base->ops->kv_store(self->base, &wrapped);
}

static void fill_wrapped(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->kv_store = store_wrapped;
}
static const ifn_backend_desc wrapped = {IFN_BACKEND_STAMP, .name = "wrapped",
                                         .summary = "a cache of 256 rows", .fill = fill_wrapped};

static ifn_status open_desc(const void *desc, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    (void)n_threads;
    return ifn_backend_open_desc(desc, NULL, NULL, NULL, out, err);
}

static ifn_status open_name(const void *name, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open(name, &IFN_SIZED(ifn_backend_options, .n_threads = n_threads), out,
                            err);
}

typedef struct shape {
    const char *arch;
    ifn_dtype dtype, cache;
    ifn_activations activations;
    int64_t n_heads, n_kv_heads, head_dim, n, n_cuts;
} shape;

static tiny_truth open_long(const shape *s)
{
    const conform_truth_mode mode = {.activations = s->activations, .cache = s->cache};
    const e2e_cuts cuts = e2e_cuts_of(s->n, (int)s->n_cuts, 0);
    tiny_model m = tiny_wide(s->arch, s->dtype);
    tiny_truth t;
    ifn_error err = {0};
    ifn_token *const ids = malloc((size_t)s->n * sizeof *ids);
    assert_non_null(ids);
    for (int64_t i = 0; i < s->n; i++)
        ids[i] = (ifn_token)((tiny_random(9, (uint64_t)i) + 1) * 30);
    m.n_heads = s->n_heads;
    m.n_kv_heads = s->n_kv_heads;
    m.head_dim = s->head_dim;
    tiny_write(&m, temp_path("long.gguf"));
    assert_ok(ifn_gguf_open(temp_path("long.gguf"), NULL, &t.gguf, &err), err);
    assert_ok(ifn_model_open(t.gguf, NULL, &t.model, &err), err);
    assert_ok(e2e_truth_open(&t.truth, t.model, &mode, NULL,
                             &(e2e_prompt){"long", ids, s->n, 0, NULL, &cuts}, 0, &err),
              err);
    free(ids);
    return t;
}

static e2e_results *try_on(const e2e_trial *trial)
{
    e2e_results *const results = e2e_results_open(0, "tiny");
    assert_non_null(results);
    e2e_trial_run(trial, results);
    return results;
}

static bool is_conformant(const tiny_truth *t, const void *backend, bool is_name)
{
    const e2e_trial trial = {&t->truth, is_name ? open_name : open_desc, backend, 1, 0};
    e2e_results *const results = try_on(&trial);
    int64_t failed = 0, runs = 0;
    for (int i = 0; i < results->n; i++) {
        failed += results->all_statistics[i].row.failed;
        runs += results->all_statistics[i].row.runs;
    }
    if (failed && is_name)
        print_error("%s: %s\n", (const char *)backend, results->all_statistics[0].row.detail);
    e2e_results_close(results);
    assert_true(runs > 0);
    return failed == 0;
}

/* Shapes of current models: 8 KV heads of 128 with 32 or 16 query heads, a group of 16, and heads of 256; f16 and
 * quantized. */
static const shape shapes[] = {
    {"llama", IFN_DTYPE_F16, IFN_DTYPE_F16, IFN_ACTIVATIONS_F32, 32, 8, 128, 100, 4},
    {"qwen3", IFN_DTYPE_F16, IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, 16, 8, 128, 300, 2},
    {"qwen3", IFN_DTYPE_Q4_K, IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_Q8, 16, 8, 128, 100, 4},
    {"qwen2", IFN_DTYPE_Q8_0, IFN_DTYPE_F32, IFN_ACTIVATIONS_Q8, 16, 1, 128, 300, 2},
    {"llama", IFN_DTYPE_Q4_0, IFN_DTYPE_F16, IFN_ACTIVATIONS_F32, 16, 1, 256, 70, 6},
    {"llama", IFN_DTYPE_F16, IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_F32, 2, 2, 256, 270, 6},
};

TEST(honest_backends_pass_models_of_today)
{
    static const char *const names[] = {"scalar", "simd", "parallel:simd"};
    for (size_t s = 0; s < N_OF(shapes); s++) {
        tiny_truth t = open_long(&shapes[s]);
        assert_true(t.truth.has_floor);
        for (size_t b = 0; b < N_OF(names); b++)
            assert_true(is_conformant(&t, names[b], true));
        tiny_truth_close(&t);
    }
}

/* Tries every order of summation that there is a variant of. */
TEST(variants_of_the_arithmetic_pass)
{
    tiny_truth t = open_long(
        &(shape){"qwen3", IFN_DTYPE_F16, IFN_DTYPE_F16, IFN_ACTIVATIONS_F32, 2, 1, 128, 70, 6});
    for (int v = 0; v < conform_variant_count(); v += E2E_STRIDE)
        assert_true(is_conformant(&t, conform_variant_desc(v), false));
    tiny_truth_close(&t);
}

static const struct {
    const ifn_backend_desc *desc;
    ifn_dtype cache;
    int64_t n;
    const char *first_bad;
} planted[] = {
    {&from_17_rows, IFN_DTYPE_F32, 300, "layer 0, attended, op attention"},
    {&from_28_keys, IFN_DTYPE_F32, 300, "layer 0, attended, op attention"},
    {&past_256_keys, IFN_DTYPE_F32, 300, "layer 0, attended, op attention"},
    {&past_2048_keys, IFN_DTYPE_F32, 2100, "layer 0, attended, op attention"},
    {&one_row_behind_256, IFN_DTYPE_F32, 300, "layer 0, attended, op attention"},
    {&pieces_behind_others, IFN_DTYPE_F32, 300, "layer 0, attended, op attention"},
    {&f16_past_256, IFN_DTYPE_F16, 300, "layer 0, attended, op attention"},
    {&q8_from_17_rows, IFN_DTYPE_Q8_0, 300, "layer 0, attended, op attention"},
    {&row_16, IFN_DTYPE_F32, 300, "layer 0, "},
    {&wrapped, IFN_DTYPE_F32, 300, "op kv_store"},
};

static void expect_first_bad(const tiny_truth *t, size_t i)
{
    const e2e_trial trial = {&t->truth, open_desc, planted[i].desc, 1, 0};
    e2e_results *const results = try_on(&trial);
    const e2e_row *const row = &results->all_statistics[0].row;
    const e2e_explain one = {&trial, results->again, results->failed - 1, NULL};
    assert_that(row->failed > 0, "%s lives", planted[i].desc->name);
    assert_string_equal(row->rule, "long");
    e2e_explain_run(&one, results);
    assert_that(strstr(row->first_bad, planted[i].first_bad) != NULL, "%s: '%s' lacks '%s'",
                planted[i].desc->name, row->first_bad, planted[i].first_bad);
    e2e_results_close(results);
}

TEST(what_needs_a_long_prompt_lives_in_a_short_one_and_dies)
{
    for (size_t i = 0; i < N_OF(planted); i++) {
        tiny_truth before =
            tiny_truth_open("llama", IFN_DTYPE_F16, IFN_ACTIVATIONS_F32, planted[i].cache, 1);
        tiny_truth t = open_long(&(shape){"llama", IFN_DTYPE_F16, planted[i].cache,
                                          IFN_ACTIVATIONS_F32, 2, 1, 128, planted[i].n, 2});
        assert_true(is_conformant(&before, planted[i].desc, false));
        expect_first_bad(&t, i);
        tiny_truth_close(&before);
        tiny_truth_close(&t);
    }
}

TEST(a_backend_that_cannot_be_opened_fails)
{
    tiny_truth t = open_long(
        &(shape){"llama", IFN_DTYPE_F16, IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, 2, 1, 128, 70, 2});
    assert_false(is_conformant(&t, "no such backend", true));
    tiny_truth_close(&t);
}
