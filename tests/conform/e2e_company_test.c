/* Random batches of a whole model: if bits depend on the other sequences, the place of the difference is named. */
#include "e2e_company.h"

#include <math.h>
#include <string.h>

#include "e2e_model.h"

enum { N_BATCHES = 6 };

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

static e2e_row row_of(const tiny_truth *t, int is_desc, const void *backend)
{
    const e2e_company company = {.model = t->truth.model,
                                 .mode = t->truth.mode,
                                 .open = is_desc ? open_desc : open_name,
                                 .backend = backend,
                                 .seed = 1,
                                 .n = N_BATCHES,
                                 .word = "a b.gguf",
                                 .label = "mine:scalar"};
    e2e_results *const results = e2e_results_open(0, "tiny");
    assert_non_null(results);
    e2e_company_run(&company, results);
    assert_int_equal(results->n, 1);
    const e2e_row row = results->all_statistics[0].row;
    e2e_results_close(results);
    assert_string_equal(row.rule, "company");
    assert_true((row.again[0] != 0) == (row.failed > 0));
    return row;
}

static void nudge(float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = nextafterf(x[i], INFINITY);
}

/* Gives other bits where several sequences are decoded at once, in the second block only. */
static ifn_status attend_crowd(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (a->n_spans > 1 && a->call.layer == 1)
        nudge(a->out, a->rows * a->n_heads * a->head_dim);
    return status;
}

/* Gives other bits in the last of many rows: a sequence depends on its place in the batch. */
static ifn_status last_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    if (a->rows > 12 && a->call.point == IFN_POINT_FFN_DOWN)
        nudge(a->out[0] + (a->rows - 1) * a->out_stride[0], a->w[0]->shape[0]);
    return status;
}

/* Changes the key of the second sequence's first new row in the cache, if there are more than two sequences. */
static ifn_status store_first(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    if (a->n_spans > 2)
        nudge((float *)a->k_cache + (a->spans[1].begin + a->spans[1].first_pos) * a->head_dim,
              a->head_dim);
    return status;
}

static void fill_crowd(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = attend_crowd;
}

static void fill_last(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = last_linear;
}

static void fill_store(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->kv_store = store_first;
}

/* Returns true if two sequences begin with the same keys, as a copy of a sequence does. */
static bool have_common_prefix(const ifn_attention_args *a, int64_t i, int64_t j)
{
    const size_t row = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const unsigned char *const keys = a->k_cache;
    return memcmp(keys + (size_t)a->spans[i].begin * row, keys + (size_t)a->spans[j].begin * row,
                  2 * row) == 0;
}

/* Gives other bits where a common prefix of several sequences could be read once. */
static ifn_status attend_prefix(ifn_backend *self, const ifn_attention_args *a)
{
    bool is_common = false;
    for (int64_t i = 0; i < a->n_spans; i++)
        for (int64_t j = 0; j < i; j++)
            is_common |= have_common_prefix(a, i, j);
    const ifn_status status = ifn_attention(self->base, a);
    if (is_common)
        nudge(a->out, a->rows * a->n_heads * a->head_dim);
    return status;
}

/* Leaves out the last element of a copy. */
static ifn_status copy_short(ifn_backend *self, const ifn_copy_contiguous_into_args *a)
{
    ifn_copy_contiguous_into_args shorter = *a;
    shorter.n -= shorter.n > 0;
    return ifn_copy_contiguous_into(self->base, &shorter);
}

static ifn_status refuse_crowd(ifn_backend *self, const ifn_attention_args *a)
{
    return a->n_spans > 1 ? IFN_ERR_UNSUPPORTED : ifn_attention(self->base, a);
}

static void fill_prefix(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = attend_prefix;
}

static void fill_short(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->copy_contiguous_into = copy_short;
}

static void fill_refusal(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = refuse_crowd;
}

static const ifn_manifest all = {.manifest_bytes = sizeof all, .invariances = 0x7ff, .spans = 1};
static const ifn_manifest none = {.manifest_bytes = sizeof none, .spans = 1};
static const ifn_backend_desc crowd = {IFN_BACKEND_STAMP, .name = "crowd", .summary = "",
                                       .manifest = &all, .fill = fill_crowd};
static const ifn_backend_desc last = {IFN_BACKEND_STAMP, .name = "last", .summary = "",
                                      .manifest = &all, .fill = fill_last};
static const ifn_backend_desc store = {IFN_BACKEND_STAMP, .name = "store", .summary = "",
                                       .manifest = &all, .fill = fill_store};
static const ifn_backend_desc prefix = {IFN_BACKEND_STAMP, .name = "prefix", .summary = "",
                                        .manifest = &all, .fill = fill_prefix};
static const ifn_backend_desc shorter = {IFN_BACKEND_STAMP, .name = "shorter", .summary = "",
                                         .manifest = &all, .fill = fill_short};
static const ifn_backend_desc refusal = {IFN_BACKEND_STAMP, .name = "refusal", .summary = "",
                                         .manifest = &all, .fill = fill_refusal};
static const ifn_backend_desc free_crowd = {IFN_BACKEND_STAMP, .name = "free", .summary = "",
                                            .manifest = &none, .fill = fill_crowd};

TEST(who_keeps_r10_has_equal_bits_everywhere)
{
    static const char *const names[] = {"scalar", "simd", "parallel=3+small:simd"};
    static const struct {
        ifn_dtype dtype, cache;
        ifn_activations activations;
    } modes[] = {{IFN_DTYPE_F32, IFN_DTYPE_F32, IFN_ACTIVATIONS_F32},
                 {IFN_DTYPE_Q4_0, IFN_DTYPE_F16, IFN_ACTIVATIONS_Q8},
                 {IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_Q8}};
    for (size_t m = 0; m < N_OF(modes); m++) {
        tiny_truth t =
            tiny_truth_open("qwen3", modes[m].dtype, modes[m].activations, modes[m].cache, 0);
        for (size_t i = 0; i < N_OF(names); i++) {
            const e2e_row row = row_of(&t, 0, names[i]);
            assert_that(row.failed == 0, "%s: %s", names[i], row.detail);
            assert_int_equal(row.runs, N_BATCHES);
            assert_int_equal(row.held, N_BATCHES);
            assert_int_equal(row.demanded, N_BATCHES);
            assert_true(row.steps > 100 * N_BATCHES);
        }
        tiny_truth_close(&t);
    }
}

static void expect_named(const ifn_backend_desc *desc, const char *place)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const e2e_row row = row_of(&t, 1, desc);
    assert_true(row.failed > 0);
    assert_string_equal(row.check, "unequal");
    assert_that(strstr(row.detail, place) && strstr(row.detail, "of sequence "), "%s", row.detail);
    tiny_truth_close(&t);
}

TEST(the_first_op_layer_and_sequence_are_named)
{
    expect_named(&crowd, "R10: blk.1.attended (op attention)");
    expect_named(&last, "R10: blk.0.ffn_down (op linear)");
    expect_named(&store, "R10: blk.0.k_stored (op kv_store)");
}

/* Both faults show only where attention reads the keys of a copied sequence. */
TEST(what_happens_to_copies_is_found)
{
    expect_named(&prefix, "R10: blk.0.attended (op attention)");
    expect_named(&shorter, "R10: blk.0.attended (op attention)");
}

TEST(the_first_failure_has_the_command_that_repeats_it)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const e2e_row row = row_of(&t, 1, &refusal);
    assert_string_equal(row.check, "status");
    assert_string_equal(row.again, "inferno conform e2e 'a b.gguf' --company --runs 1 --seed 1 "
                                   "--backend mine:scalar");
    tiny_truth_close(&t);
}

TEST(what_is_not_promised_is_counted)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const e2e_row row = row_of(&t, 1, &free_crowd);
    assert_int_equal(row.failed, 0);
    assert_int_equal(row.demanded, 0);
    assert_true(row.held < row.tried);
    tiny_truth_close(&t);
}
