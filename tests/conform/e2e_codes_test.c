/* The truth's codes are the values that the truth goes on with; forced into an engine, they replace the engine's
 * own. */
#include "e2e_codes.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "e2e_engine.h"
#include "e2e_model.h"

/* Compares the values that the pass says it narrowed to with the decoded codes. */
typedef struct listener {
    const e2e_codes *codes;
    int64_t n_equal;
} listener;

static void compare(void *cookie, int64_t layer, const char *name, const double *data, int64_t rows,
                    int64_t cols)
{
    listener *const l = cookie;
    const e2e_coded *const coded = e2e_codes_find(l->codes, name, layer);
    if (!coded)
        return;
    assert_int_equal(coded->cols, cols);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < cols; i++) {
            const char *const row =
                (const char *)coded->rows + (size_t)r * ifn_dtype_row_bytes(coded->dtype, cols);
            assert_true(conform_value_at(coded->dtype, row, i) == data[r * cols + i]);
            l->n_equal++;
        }
}

TEST(codes_decode_to_what_the_truth_goes_on_with)
{
    const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    for (size_t c = 0; c < N_OF(caches); c++) {
        tiny_truth t = tiny_truth_open("qwen3", IFN_DTYPE_Q4_0, IFN_ACTIVATIONS_Q8, caches[c], 0);
        listener l = {&t.truth.codes, 0};
        const conform_truth_sink sink = {compare, &l};
        double *const logits = malloc((size_t)(t.truth.n * t.truth.n_vocab) * sizeof *logits);
        ifn_error err = {0};
        assert_ok(conform_forward_f64(t.model, t.truth.ids, t.truth.n, &t.truth.mode, &sink, NULL,
                                      logits, &err),
                  err);
        /* four inputs of linears in each of two layers, the input of the head, and K and V */
        assert_int_equal(t.truth.codes.n, caches[c] == IFN_DTYPE_F32 ? 9 : 13);
        assert_true(l.n_equal > t.truth.n * 9 * 64);
        free(logits);
        tiny_truth_close(&t);
    }
}

TEST(nothing_is_narrowed_in_f32)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 1);
    assert_int_equal(t.truth.codes.n, 0);
    assert_false(t.truth.is_narrow);
    assert_null(e2e_codes_find(&t.truth.codes, "gated_q8", 0));
    tiny_truth_close(&t);
}

/* Runs the engine in chunks of two tokens. */
static ifn_status run_forced(const tiny_truth *t, ifn_kv kv, e2e_forced *forced, float *logits)
{
    const e2e_way way = {IFN_GRAPH_FUSED, t->truth.mode.activations, kv, 1, false, false, false};
    const int64_t two = 2;
    const e2e_chunks chunks = {&two, 1};
    ifn_backend *scalar;
    e2e_engine engine;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    assert_ok(e2e_engine_open(&engine, t->model, scalar, &way, &t->truth.codes, &err), err);
    const ifn_status status =
        e2e_engine_run(&engine, t->truth.ids, t->truth.n, &chunks, logits, &err);
    *forced = engine.forced;
    e2e_engine_close(&engine);
    ifn_backend_close(scalar);
    return status;
}

/* Replaces one coded tensor after another by codes that are far from the engine's: `where` names the tensor. */
TEST(a_row_far_from_the_truths_is_named)
{
    tiny_truth t = tiny_truth_open("qwen3", IFN_DTYPE_Q4_0, IFN_ACTIVATIONS_Q8, IFN_DTYPE_Q8_0, 0);
    float *const logits = malloc((size_t)(t.truth.n * t.truth.n_vocab) * sizeof *logits);
    e2e_forced forced;
    assert_int_equal(run_forced(&t, IFN_KV_Q8_0, &forced, logits), IFN_OK);
    assert_int_equal(forced.n_replaced, 13 * t.truth.n);
    assert_that(forced.worst <= 1.5, "%s: %.3g", forced.where, forced.worst);
    for (int64_t i = 0; i < t.truth.codes.n; i++) {
        e2e_coded *const coded = &t.truth.codes.coded[i];
        void *const rows = coded->rows;
        const size_t row_bytes = ifn_dtype_row_bytes(coded->dtype, coded->cols);
        coded->rows = malloc((size_t)t.truth.n * row_bytes);
        for (int64_t r = 0; r < t.truth.n; r++) /* exchanges the rows */
            memcpy((char *)coded->rows + (size_t)r * row_bytes,
                   (char *)rows + (size_t)(t.truth.n - 1 - r) * row_bytes, row_bytes);
        assert_int_equal(run_forced(&t, IFN_KV_Q8_0, &forced, logits), IFN_OK);
        assert_that(forced.worst > 1.5, "%s of %d: %.3g", coded->point, (int)coded->layer,
                    forced.worst);
        free(coded->rows);
        coded->rows = rows;
    }
    free(logits);
    tiny_truth_close(&t);
}

/* The head reads forced codes, so nothing that is computed before them changes its logits. */
TEST(forced_codes_are_the_ones_that_are_used)
{
    tiny_truth t = tiny_truth_open("qwen3", IFN_DTYPE_Q4_0, IFN_ACTIVATIONS_Q8, IFN_DTYPE_F32, 0);
    const size_t n = (size_t)(t.truth.n * t.truth.n_vocab);
    float *const logits = malloc(n * sizeof *logits);
    e2e_coded *const last = &t.truth.codes.coded[t.truth.codes.n - 1];
    e2e_forced forced;
    assert_string_equal(last->point, "output_norm_q8");
    memset(last->rows, 0, (size_t)t.truth.n * ifn_dtype_row_bytes(last->dtype, last->cols));
    assert_int_equal(run_forced(&t, IFN_KV_F32, &forced, logits), IFN_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(logits[i] == 0.0f);
    free(logits);
    tiny_truth_close(&t);
}

TEST(a_row_without_codes_fails_its_call)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_Q8, IFN_DTYPE_F32, 0);
    float *const logits = malloc((size_t)(t.truth.n * t.truth.n_vocab) * sizeof *logits);
    e2e_forced forced;
    assert_int_equal(run_forced(&t, IFN_KV_F16, &forced, logits), IFN_ERR_SHAPE);
    t.truth.codes.coded[0].layer = 77;
    assert_int_equal(run_forced(&t, IFN_KV_F32, &forced, logits), IFN_ERR_SHAPE);
    free(logits);
    tiny_truth_close(&t);
}
