/* A fault planted in one op of one layer is named; an honest backend has none. */
#include "first_bad.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases_file.h"
#include "command.h"
#include "find_drift.h"
#include "judge.h"
#include "road.h"
#include "rounded_leaf.h"
#include "this_machine.h"
#include "variants.h"

enum { N = 7 };

static const ifn_token ids[N] = {3, 17, 42, 42, 0, 60, 7};

/* --- backends with one fault each --- */

static struct {
    int64_t n_layers, n_calls; /* so far; calls of the op that counts them to find out its layer */
} run;

static float factor = 1.001f;

static float worse(float x)
{
    return x * factor;
}

/* Makes one lane of one weight wrong; the fault knows the weight by its name. */
static ifn_status linear_with_a_wrong_lane(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++)
        if (strcmp(a->w[i]->name, "blk.2.ffn_up.weight") == 0)
            for (int64_t r = 0; r < a->rows; r++)
                a->out[i][r * a->out_stride[i] + 37] = worse(a->out[i][r * a->out_stride[i] + 37]);
    return status;
}

static ifn_status linear_q8_with_a_wrong_lane(ifn_backend *self, const ifn_linear_q8_args *a)
{
    const ifn_status status = ifn_linear_q8(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++)
        if (strcmp(a->w[i]->name, "blk.2.ffn_up.weight") == 0)
            for (int64_t r = 0; r < a->rows; r++)
                a->out[i][r * a->out_stride[i] + 37] = worse(a->out[i][r * a->out_stride[i] + 37]);
    return status;
}

/* Makes every eighth lane of every weight with k = 64 wrong: the fault needs no name, so a single call repeats it. */
static ifn_status linear_with_wrong_lanes(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++)
        for (int64_t r = 0; r < a->rows && a->k == 64; r++)
            for (int64_t f = 5; f < a->w[i]->shape[0]; f += 8)
                a->out[i][r * a->out_stride[i] + f] = worse(a->out[i][r * a->out_stride[i] + f]);
    return status;
}

static int is_layer_1(int64_t calls_per_layer)
{
    return run.n_calls++ / calls_per_layer % run.n_layers == 1;
}

/* Leaves the second of the new rows as it was. */
static ifn_status kv_store_with_a_stale_row(ifn_backend *self, const ifn_kv_store_args *a)
{
    const size_t bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    char *const at = (char *)a->k_cache + (size_t)(a->first_pos + 1) * bytes;
    char old[4096];
    if (!is_layer_1(1) || a->rows < 2)
        return ifn_kv_store(self->base, a);
    memcpy(old, at, bytes);
    const ifn_status status = ifn_kv_store(self->base, a);
    memcpy(at, old, bytes);
    return status;
}

/* Rotates keys of the second layer as if they stood one position further. */
static ifn_status apply_rope_one_further(ifn_backend *self, const ifn_apply_rope_args *a)
{
    ifn_apply_rope_args further = *a;
    if (is_layer_1(2) && run.n_calls % 2 == 0 && a->rows > 1) {
        further.rows--;
        further.table += a->head_dim;
    }
    return ifn_apply_rope(self->base, &further);
}

static ifn_status attention_of_another_head(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (is_layer_1(1))
        memcpy(a->out, a->out + a->head_dim, (size_t)a->head_dim * sizeof(float));
    return status;
}

static ifn_status swiglu_that_gives_up(ifn_backend *self, const ifn_swiglu_args *a)
{
    return is_layer_1(1) ? IFN_ERR_UNSUPPORTED : ifn_swiglu(self->base, a);
}

/* Another op writes to the cache of its layer, which is none of its arguments. */
static void *cache_seen;
static ifn_status kv_store_that_is_watched(ifn_backend *self, const ifn_kv_store_args *a)
{
    cache_seen = a->k_cache;
    return ifn_kv_store(self->base, a);
}

static ifn_status swiglu_that_scribbles(ifn_backend *self, const ifn_swiglu_args *a)
{
    if (is_layer_1(1))
        memset(cache_seen, 0x3f, 8);
    return ifn_swiglu(self->base, a);
}

#define LEAF(op, check)                                                                            \
    static void fill_##check(ifn_op_table *table, const ifn_backend_env *env)                      \
    {                                                                                              \
        (void)env;                                                                                 \
        table->op = check;                                                                         \
    }                                                                                              \
    static const ifn_backend_desc leaf_##check = {                                                 \
        IFN_BACKEND_STAMP, .name = #check, .summary = "wrong in one way", .fill = fill_##check};

LEAF(linear, linear_with_a_wrong_lane)
LEAF(linear_q8, linear_q8_with_a_wrong_lane)
LEAF(linear, linear_with_wrong_lanes)
LEAF(kv_store, kv_store_with_a_stale_row)
LEAF(apply_rope, apply_rope_one_further)
LEAF(attention, attention_of_another_head)
LEAF(swiglu, swiglu_that_gives_up)

static void fill_scribbler(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->kv_store = kv_store_that_is_watched;
    table->swiglu = swiglu_that_scribbles;
}

static const ifn_backend_desc leaf_scribbler = {
    IFN_BACKEND_STAMP, .name = "scribbler", .summary = "writes elsewhere", .fill = fill_scribbler};

/* --- searches --- */

static const first_bad_mode plain = {.activations = IFN_ACTIVATIONS_F32, .kv = IFN_KV_F32};

static ifn_backend *open_leaf(const ifn_backend_desc *desc)
{
    ifn_backend *backend;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(desc, NULL, NULL, NULL, &backend, &err), err);
    return backend;
}

static first_bad_finding search_with(const tiny_model *m, ifn_backend *backend,
                                     const first_bad_mode *mode, const first_bad_options *options)
{
    const ifn_context_params params = IFN_SIZED(ifn_context_params, .max_pos = N);
    road r = road_open(m, &params);
    first_bad_finding finding;
    ifn_error err = {0};
    run.n_layers = m->n_layers;
    run.n_calls = 0;
    assert_ok(conform_first_bad(r.model, backend, mode, ids, N, options, &finding, &err), err);
    road_close(&r);
    return finding;
}

static first_bad_finding search_leaf(const tiny_model *m, const ifn_backend_desc *desc,
                                     const first_bad_mode *mode, const first_bad_options *options)
{
    ifn_backend *const backend = open_leaf(desc);
    const first_bad_finding finding = search_with(m, backend, mode, options);
    ifn_backend_close(backend);
    return finding;
}

static tiny_model three_layers(const char *arch)
{
    tiny_model m = tiny_default(arch);
    m.n_layers = 3;
    return m;
}

static void expect(const first_bad_finding *r, ifn_op op, int64_t layer, const char *point)
{
    char text[2000] = "";
    FILE *const out = fmemopen(text, sizeof text, "w");
    conform_first_bad_put(r, out);
    fclose(out);
    assert_that(r->kind == FIRST_BAD_OP && r->op == op && r->layer == layer &&
                    strcmp(r->point, point) == 0,
                "expected %s of layer %d, found:\n%s", point, (int)layer, text);
}

static void a_wrong_lane_of_one_layers_up_projection_is_named(void **state)
{
    const tiny_model m = three_layers("qwen3");
    (void)state;
    const first_bad_finding r =
        search_leaf(&m, &leaf_linear_with_a_wrong_lane, &plain, &(first_bad_options){0});
    expect(&r, IFN_OP_LINEAR, 2, "up");
    assert_string_equal(r.weight, "blk.2.ffn_up.weight");
    assert_string_equal(r.tensor, "out_0");
    assert_string_equal(r.shapes, "x [7,64], w_0 [96,64], out_0 [7,96]");
    assert_int_equal(r.col, 37);
    assert_int_equal(r.n_wrong, N);
    assert_int_equal(r.n_looked, N * 96);
    assert_true(r.ratio > 1);
    assert_true(fabs(r.got - r.want) > r.bound);
    assert_non_null(strstr(r.pattern, "one column"));
    assert_int_equal(r.scalar_is_fine, 1);
    assert_true(r.scalar_ratio <= 1);
}

/* Twelve rows of a wide model are too many to judge every feature in the first run, so features are sampled. */
static void it_is_among_the_sampled_ones(void **state)
{
    tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    const first_bad_mode mode = {.activations = IFN_ACTIVATIONS_Q8, .kv = IFN_KV_F16};
    (void)state;
    m.n_layers = 3;
    m.n_ff = 2048;
    const first_bad_finding r = search_leaf(&m, &leaf_linear_q8_with_a_wrong_lane, &mode,
                                            &(first_bad_options){.sample = 2, .is_quick = 1});
    expect(&r, IFN_OP_LINEAR_Q8, 2, "up");
    assert_int_equal(r.col, 37);
    assert_int_equal(r.n_wrong, N);
    assert_true(r.n_judged < r.n_total);
}

static void a_stale_row_of_a_cache_is_named(void **state)
{
    const tiny_model m = three_layers("llama");
    (void)state;
    const first_bad_finding r =
        search_leaf(&m, &leaf_kv_store_with_a_stale_row, &plain, &(first_bad_options){0});
    expect(&r, IFN_OP_KV_STORE, 1, "k_stored");
    assert_int_equal(r.position, 1);
}

static void a_wrong_position_of_rope_is_named(void **state)
{
    const tiny_model m = three_layers("qwen3");
    (void)state;
    const first_bad_finding r =
        search_leaf(&m, &leaf_apply_rope_one_further, &plain, &(first_bad_options){0});
    expect(&r, IFN_OP_APPLY_ROPE, 1, "k_rope");
}

static void a_wrong_head_is_named_in_chunks_too(void **state)
{
    const tiny_model m = three_layers("qwen2");
    const int64_t chunks[] = {4, 1, 2};
    const first_bad_mode mode = {.activations = IFN_ACTIVATIONS_F32,
                                 .kv = IFN_KV_Q8_0,
                                 .max_rows = 3,
                                 .chunks = chunks,
                                 .n_chunks = 3};
    tiny_model wide = m;
    (void)state;
    wide.head_dim = 32;
    const first_bad_finding r =
        search_leaf(&wide, &leaf_attention_of_another_head, &mode, &(first_bad_options){0});
    expect(&r, IFN_OP_ATTENTION, 1, "attended");
    assert_int_equal(r.position, 3); /* at position 0 both heads see only one key */
}

static void a_call_that_fails_is_named(void **state)
{
    const tiny_model m = three_layers("llama");
    (void)state;
    const first_bad_finding r =
        search_leaf(&m, &leaf_swiglu_that_gives_up, &plain, &(first_bad_options){0});
    expect(&r, IFN_OP_SWIGLU, 1, "gated");
    assert_int_equal(r.status, IFN_ERR_UNSUPPORTED);
}

static void memory_that_changes_between_calls_is_noticed(void **state)
{
    const tiny_model m = three_layers("llama");
    const int64_t chunks[] = {4, 3};
    first_bad_mode mode = plain;
    (void)state;
    mode.chunks = chunks;
    mode.n_chunks = 2;
    const first_bad_finding r =
        search_leaf(&m, &leaf_scribbler, &mode, &(first_bad_options){.is_ops_only = 1});
    assert_int_equal(r.kind, FIRST_BAD_STATE);
    assert_int_equal(r.layer, 1);
    assert_int_equal(r.op, IFN_OP_KV_STORE);
    assert_non_null(strstr(r.pattern, "kv_store"));
}

/* --- honest backends --- */

static void expect_none(const tiny_model *m, ifn_backend *backend, const first_bad_mode *mode,
                        int is_ops_only)
{
    char text[2000] = "";
    const first_bad_finding r = search_with(
        m, backend, mode, &(first_bad_options){.is_ops_only = is_ops_only, .sample = 4});
    FILE *const out = fmemopen(text, sizeof text, "w");
    conform_first_bad_put(&r, out);
    fclose(out);
    assert_that(r.kind == FIRST_BAD_NONE, "%s", text);
    assert_int_equal(r.n_judged, r.n_total);
    assert_int_equal(r.n_unjudged, 0);
    assert_true(r.largest_ratio <= 1);
}

static void backends_of_the_tree_have_none(void **state)
{
    static const char *const chains[] = {"scalar", "simd", "parallel=2+small:simd"};
    const first_bad_mode narrow = {.activations = IFN_ACTIVATIONS_Q8, .kv = IFN_KV_Q8_0};
    const first_bad_mode primitive = {.graph = IFN_GRAPH_PRIMITIVE, .kv = IFN_KV_OFF};
    const tiny_model m = tiny_default("qwen3"), wide = tiny_wide("qwen3", IFN_DTYPE_Q6_K);
    (void)state;
    for (size_t i = 0; i < N_OF(chains); i++) {
        ifn_backend *backend;
        ifn_error err = {0};
        assert_ok(ifn_backend_open(on_this_machine(chains[i]), NULL, &backend, &err), err);
        expect_none(&m, backend, &plain, 0);
        expect_none(&m, backend, &primitive, 0);
        expect_none(&wide, backend, &narrow, 0);
        ifn_backend_close(backend);
    }
}

/* The model that ships with the program: its weights are trained, not random. */
static void the_same_on_the_shipped_model(void **state)
{
    const ifn_context_params params = IFN_SIZED(ifn_context_params, .max_pos = N);
    const first_bad_options options = {.is_ops_only = 1};
    road r = road_open_on(source_path("fixtures/gguf/little-world-f16.gguf"), &params,
                          on_this_machine("simd"), NULL);
    ifn_backend *const wrong = open_leaf(&leaf_linear_with_a_wrong_lane);
    first_bad_finding finding;
    ifn_error err = {0};
    (void)state;
    assert_ok(conform_first_bad(r.model, r.backend, &plain, ids, N, &options, &finding, &err), err);
    assert_int_equal(finding.kind, FIRST_BAD_NONE);
    assert_int_equal(finding.n_judged, finding.n_total);
    assert_ok(conform_first_bad(r.model, wrong, &plain, ids, N, &options, &finding, &err), err);
    expect(&finding, IFN_OP_LINEAR, 2, "up");
    assert_int_equal(finding.col, 37);
    ifn_backend_close(wrong);
    road_close(&r);
}

static void honest_variants_have_none(void **state)
{
    const tiny_model m = three_layers("qwen2"), wide = tiny_wide("llama", IFN_DTYPE_Q4_0);
    const first_bad_mode narrow = {.kv = IFN_KV_F16, .max_rows = 2};
    (void)state;
    for (int i = 0; i < conform_variant_count(); i++) {
        ifn_backend *const backend = open_leaf(conform_variant_desc(i));
        expect_none(&m, backend, &plain, 1);
        expect_none(&wide, backend, &narrow, 1);
        ifn_backend_close(backend);
    }
}

/* The noise of points includes the declared rounding of products; without the declaration the first point is too far
 * off. */
static void a_declaration_is_in_the_noise_of_points(void **state)
{
    const tiny_model m = three_layers("qwen3");
    const ifn_backend_desc rounded = {IFN_BACKEND_STAMP, .name = "rounded", .summary = "",
                                      .manifest = &manifest_of_bf16, .fill = fill_rounded};
    const ifn_backend_desc silent = {IFN_BACKEND_STAMP, .name = "silent", .summary = "",
                                     .fill = fill_rounded};
    ifn_backend *const backend = open_leaf(&rounded);
    (void)state;
    expect_none(&m, backend, &plain, 0);
    ifn_backend_close(backend);
    const first_bad_finding r = search_leaf(&m, &silent, &plain, &(first_bad_options){0});
    assert_true(r.kind == FIRST_BAD_OP || r.kind == FIRST_BAD_GRAPH);
    assert_int_equal(r.layer, 0);
    assert_int_equal(r.op, IFN_OP_LINEAR);
}

/* --- the graph --- */

/* The search over points alone, as if the fault were not in an op. */
static void the_first_point_far_from_truth_is_found(void **state)
{
    const tiny_model m = three_layers("qwen3");
    const ifn_context_params params = IFN_SIZED(ifn_context_params, .max_pos = N);
    road r = road_open(&m, &params);
    ifn_backend *const backend = open_leaf(&leaf_apply_rope_one_further);
    first_bad_finding finding = {.kind = FIRST_BAD_NONE};
    ifn_error err = {0};
    (void)state;
    run.n_layers = 3;
    run.n_calls = 0;
    assert_ok(conform_find_drift(r.model, backend, &plain, ids, N, &finding, &err), err);
    assert_int_equal(finding.kind, FIRST_BAD_GRAPH);
    assert_int_equal(finding.layer, 1);
    assert_string_equal(finding.point, "k_rope");
    assert_true(finding.ratio > 1);
    ifn_backend_close(backend);
    road_close(&r);
}

/* The error is less than the proven bound of the op, and much more than that of honest backends. */
static void a_lane_within_its_bound_is_seen_in_the_point_it_spoils(void **state)
{
    const tiny_model m = three_layers("qwen3");
    (void)state;
    factor = 1.00001f;
    const first_bad_finding r =
        search_leaf(&m, &leaf_linear_with_a_wrong_lane, &plain, &(first_bad_options){0});
    factor = 1.001f;
    assert_int_equal(r.kind, FIRST_BAD_GRAPH);
    assert_int_equal(r.layer, 2);
    assert_string_equal(r.point, "up");
    assert_int_equal(r.op, IFN_OP_LINEAR);
    assert_string_equal(r.weight, "blk.2.ffn_up.weight");
    assert_int_equal(r.col, 37);
}

/* --- the file --- */

static conform_outcome replay(const char *path, ifn_backend *backend)
{
    spec_op *specs[IFN_OP_COUNT];
    conform_cases cases;
    conform_pool pool;
    conform_judge judge;
    conform_verdict v;
    conform_slot *const slot = calloc(1, sizeof *slot);
    ifn_error err = {0};
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    assert_ok(conform_cases_read(path, specs, &cases, &err), err);
    assert_int_equal(cases.n, 1);
    conform_pool_init(&pool);
    assert_ok(
        conform_slot_build(slot, &pool, &cases.cases[0], specs[cases.cases[0].op], NULL, &err),
        err);
    conform_judge_open(&judge, backend, NULL);
    conform_judge_case(&judge, slot, &v);
    conform_judge_close(&judge);
    conform_pool_fini(&pool);
    conform_cases_free(&cases);
    spec_free_all(specs);
    free(slot);
    return v.outcome;
}

static void expect_replay(const tiny_model *m, const ifn_backend_desc *desc,
                          const first_bad_mode *mode, int is_repeated)
{
    ifn_backend *const backend = open_leaf(desc), *scalar;
    ifn_error err = {0};
    char path[512];
    char *text;
    snprintf(path, sizeof path, "%s", temp_path("one.yaml"));
    const first_bad_finding r = search_with(m, backend, mode, &(first_bad_options){.yaml = path});
    assert_int_equal(r.kind, FIRST_BAD_OP);
    assert_string_equal(r.yaml, path);
    assert_int_equal(r.is_repeated, is_repeated);
    assert_true(r.yaml_bytes > 0 && r.yaml_bytes < 3 << 20);
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    run.n_calls = 0;
    assert_int_equal(replay(path, backend), is_repeated ? OUTCOME_FAIL : OUTCOME_PASS);
    assert_int_equal(replay(path, scalar), OUTCOME_PASS);
    assert_int_equal(COMMAND(&text, "--backend", "scalar", "--spec", path), 0);
    free(text);
    ifn_backend_close(scalar);
    ifn_backend_close(backend);
}

static void the_call_alone_fails_again_and_passes_on_scalar(void **state)
{
    const tiny_model m = three_layers("qwen3");
    (void)state;
    expect_replay(&m, &leaf_linear_with_wrong_lanes, &plain, 1);
}

static void a_fault_that_needs_more_than_its_inputs_is_said_to(void **state)
{
    const tiny_model m = three_layers("qwen3");
    (void)state;
    expect_replay(&m, &leaf_linear_with_a_wrong_lane, &plain, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_wrong_lane_of_one_layers_up_projection_is_named),
        RUN(it_is_among_the_sampled_ones),
        RUN(a_stale_row_of_a_cache_is_named),
        RUN(a_wrong_position_of_rope_is_named),
        RUN(a_wrong_head_is_named_in_chunks_too),
        RUN(a_call_that_fails_is_named),
        RUN(memory_that_changes_between_calls_is_noticed),
        RUN(backends_of_the_tree_have_none),
        RUN(the_same_on_the_shipped_model),
        RUN(honest_variants_have_none),
        RUN(a_declaration_is_in_the_noise_of_points),
        RUN(the_first_point_far_from_truth_is_found),
        RUN(a_lane_within_its_bound_is_seen_in_the_point_it_spoils),
        RUN(the_call_alone_fails_again_and_passes_on_scalar),
        RUN(a_fault_that_needs_more_than_its_inputs_is_said_to),
    };
    return cmocka_run_group_tests_name("conform/first_bad", tests, NULL, NULL);
}
