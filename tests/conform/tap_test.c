/* The tap changes no result, and knows what every call is for: its points are those of forward_f64. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

#include "forward_f64.h"
#include "road.h"
#include "this_machine.h"

enum { N = 7, MAX_POINTS = 128 };

static const ifn_token ids[N] = {3, 17, 42, 42, 0, 60, 7};

/* --- it changes nothing --- */

static void run(const ifn_model *model, ifn_backend *backend, const ifn_context_params *params,
                float *logits)
{
    ifn_weights *weights;
    ifn_context *context;
    ifn_error err = {0};
    assert_ok(ifn_weights_open(model, backend, ifn_context_uses(model, params), NULL, NULL,
                               &weights, &err),
              err);
    assert_ok(ifn_context_open(weights, params, NULL, &context, &err), err);
    assert_ok(ifn_context_eval_all(context, ids, N, logits, &err), err);
    ifn_context_close(context);
    ifn_weights_unref(weights);
}

static void expect_same_bits(const tiny_model *m, const char *expression, ifn_activations act,
                             ifn_kv kv)
{
    const ifn_context_params params = IFN_SIZED(ifn_context_params, .max_pos = N, .max_rows = 3,
                                                .activations = act, .kv = kv, .all_logits = 1);
    road r = road_open_on(temp_path("road.gguf"), &params, expression, NULL);
    const size_t bytes = (size_t)(N * m->n_vocab) * sizeof(float);
    float *const alone = malloc(bytes), *const tapped = malloc(bytes);
    ifn_backend *tap;
    ifn_error err = {0};
    assert_ok(conform_tap_open(r.backend, r.model, &(tap_hooks){0}, &tap, &err), err);
    assert_ptr_equal(tap->buffers, r.backend->buffers);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        assert_ptr_equal(ifn_backend_implementer(tap, (ifn_op)op),
                         ifn_backend_implementer(r.backend, (ifn_op)op));
    run(r.model, r.backend, &params, alone);
    run(r.model, tap, &params, tapped);
    assert_memory_equal(alone, tapped, bytes);
    free(alone);
    free(tapped);
    ifn_backend_close(tap);
    road_close(&r);
}

static void a_chain_gives_the_same_bits_behind_a_tap(void **state)
{
    const char *const chains[] = {"scalar", "simd", "parallel=2+small:simd"};
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    (void)state;
    tiny_write(&m, temp_path("road.gguf"));
    for (size_t i = 0; i < N_OF(chains); i++) {
        expect_same_bits(&m, on_this_machine(chains[i]), IFN_ACTIVATIONS_F32, IFN_KV_F32);
        expect_same_bits(&m, on_this_machine(chains[i]), IFN_ACTIVATIONS_Q8, IFN_KV_F16);
    }
}

/* --- it knows what calls are for --- */

typedef struct truth {
    char name[24];
    int64_t layer, cols;
    int64_t n_heard; /* positions for which the tap has reported the point */
    double *data;    /* [N, cols] */
} truth;

typedef struct comparison {
    truth t[MAX_POINTS];
    int n;
    int64_t head_dim, max_pos, n_calls;
    int n_strange; /* calls whose purpose the tap did not know */
} comparison;

static void keep(void *cookie, int64_t layer, const char *name, const double *data, int64_t rows,
                 int64_t cols)
{
    comparison *const c = cookie;
    truth *const t = &c->t[c->n++];
    const size_t bytes = (size_t)(rows * cols) * sizeof *data;
    assert_true(c->n <= MAX_POINTS);
    *t = (truth){.layer = layer, .cols = cols, .data = malloc(bytes)};
    snprintf(t->name, sizeof t->name, "%s", name);
    memcpy(t->data, data, bytes);
}

static truth *find(comparison *c, const tap_output *o)
{
    for (int i = 0; i < c->n; i++)
        if (c->t[i].layer == o->layer && strcmp(c->t[i].name, o->point) == 0)
            return &c->t[i];
    return NULL;
}

static double value_of(const comparison *c, const tap_call *call, const tap_output *o, int64_t row,
                       int64_t col)
{
    const float *const x = o->data;
    if (o->dtype == IFN_DTYPE_Q8_32F) {
        const ifn_block_q8_32f *const b =
            (const ifn_block_q8_32f *)o->data + row * o->stride + col / 32;
        return (double)b->d * b->qs[col % 32];
    }
    if (o->stride)
        return (double)x[row * o->stride + col];
    const int64_t head = col / c->head_dim;
    return (double)x[(head * c->max_pos + call->first_pos + row) * c->head_dim + col % c->head_dim];
}

static double scale_of(const truth *t, int64_t pos)
{
    double largest = 0;
    for (int64_t i = 0; i < t->cols; i++)
        largest = fmax(largest, fabs(t->data[pos * t->cols + i]));
    return largest;
}

static ifn_status compare(void *cookie, const tap_call *call, ifn_status status)
{
    comparison *const c = cookie;
    c->n_strange += call->stage[0] == '?';
    assert_int_equal(call->number, c->n_calls++);
    for (int i = 0; i < call->n_outputs; i++) {
        const tap_output *const o = &call->outputs[i];
        truth *const t = find(c, o);
        assert_that(t != NULL, "%s of layer %d is no point of forward_f64", o->point,
                    (int)o->layer);
        assert_int_equal(o->cols, t->cols);
        for (int64_t row = 0; row < call->n_pos; row++) {
            const int64_t pos = call->first_pos + row;
            const double off = 2e-2 * scale_of(t, pos); /* an int8 code is a hundredth of it */
            for (int64_t col = 0; col < t->cols; col++) {
                const double got = value_of(c, call, o, row, col);
                const double want = t->data[pos * t->cols + col];
                assert_that(fabs(got - want) <= off, "%s[%d,%d] of layer %d is %g, not %g",
                            o->point, (int)pos, (int)col, (int)o->layer, got, want);
            }
        }
        t->n_heard += call->n_pos;
    }
    return status;
}

/* Returns true if the point was written as Q8_32F only, so that it was never there in f32. */
static int is_heard_as_q8(const comparison *c, const truth *t)
{
    char name[32];
    snprintf(name, sizeof name, "%s_q8", t->name);
    for (int i = 0; i < c->n; i++)
        if (c->t[i].layer == t->layer && strcmp(c->t[i].name, name) == 0)
            return t->n_heard == 0 && c->t[i].n_heard == N;
    return 0;
}

static void expect_all_heard(const comparison *c)
{
    for (int i = 0; i < c->n; i++)
        assert_that(c->t[i].n_heard == N || is_heard_as_q8(c, &c->t[i]),
                    "%s of layer %d: heard of %d positions", c->t[i].name, (int)c->t[i].layer,
                    (int)c->t[i].n_heard);
    assert_int_equal(c->n_strange, 0);
}

static void expect_known(const tiny_model *m, ifn_graph graph, ifn_activations act)
{
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .max_pos = N, .max_rows = 3, .graph = graph,
                  .activations = act, .kv = IFN_KV_F32, .all_logits = 1);
    const conform_truth_mode mode = {.activations = act};
    road r = road_open(m, &params);
    comparison c = {.head_dim = m->head_dim, .max_pos = N};
    const conform_truth_sink sink = {keep, &c};
    const tap_hooks hooks = {.cookie = &c, .after = compare};
    double *const want = malloc((size_t)(N * m->n_vocab) * sizeof *want);
    float *const got = malloc((size_t)(N * m->n_vocab) * sizeof *got);
    ifn_backend *tap;
    ifn_error err = {0};
    assert_ok(conform_forward_f64(r.model, ids, N, &mode, &sink, NULL, want, &err), err);
    assert_ok(conform_tap_open(r.backend, r.model, &hooks, &tap, &err), err);
    run(r.model, tap, &params, got);
    expect_all_heard(&c);
    ifn_backend_close(tap);
    for (int i = 0; i < c.n; i++)
        free(c.t[i].data);
    free(want);
    free(got);
    road_close(&r);
}

static void every_point_of_the_fused_graph_is_known(void **state)
{
    const char *const archs[] = {"llama", "qwen2", "qwen3"};
    (void)state;
    for (size_t i = 0; i < N_OF(archs); i++) {
        const tiny_model m = tiny_default(archs[i]);
        expect_known(&m, IFN_GRAPH_FUSED, IFN_ACTIVATIONS_F32);
    }
}

static void rows_of_q8_have_names_of_their_own(void **state)
{
    tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    (void)state;
    m.tied = 1;
    expect_known(&m, IFN_GRAPH_FUSED, IFN_ACTIVATIONS_Q8);
}

static void every_point_of_the_primitive_graph_is_known(void **state)
{
    const char *const archs[] = {"llama", "qwen2", "qwen3"};
    (void)state;
    for (size_t i = 0; i < N_OF(archs); i++) {
        const tiny_model m = tiny_default(archs[i]);
        expect_known(&m, IFN_GRAPH_PRIMITIVE, IFN_ACTIVATIONS_F32);
    }
}

/* --- hooks --- */

static ifn_status stop_at_kv_store(void *cookie, const tap_call *call, ifn_status status)
{
    (void)cookie;
    return call->op == IFN_OP_KV_STORE && call->layer == 1 ? IFN_ERR_IO : status;
}

static void count(void *cookie, const tap_call *call)
{
    int64_t *const last = cookie;
    *last = call->number;
}

static void a_hook_can_end_the_run(void **state)
{
    const tiny_model m = tiny_default("llama");
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    int64_t last = -1;
    ifn_weights *weights;
    ifn_context *context;
    ifn_backend *tap;
    ifn_error err = {0};
    (void)state;
    const tap_hooks hooks = {.cookie = &last, .before = count, .after = stop_at_kv_store};
    assert_ok(conform_tap_open(r.backend, r.model, &hooks, &tap, &err), err);
    assert_ok(ifn_weights_open(r.model, tap, ifn_context_uses(r.model, &params), NULL, NULL,
                               &weights, &err),
              err);
    assert_ok(ifn_context_open(weights, &params, NULL, &context, &err), err);
    assert_int_equal(ifn_context_eval(context, ids, N, &err), IFN_ERR_IO);
    /* copy_in twice and gather_rows; eleven calls of layer 0; norm, linear, two ropes, kv_store */
    assert_int_equal(last, 3 + 11 + 5 - 1);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    ifn_backend_close(tap);
    road_close(&r);
}

typedef struct heard {
    int64_t first_pos, n_pos, pass;
} heard;

static ifn_status hear(void *cookie, const tap_call *call, ifn_status status)
{
    if (call->op == IFN_OP_GATHER_ROWS)
        *(heard *)cookie = (heard){call->first_pos, call->n_pos, call->pass};
    return status;
}

static void positions_go_on_unless_told_otherwise(void **state)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    heard h = {0};
    ifn_backend *const alone = r.backend;
    ifn_error err = {0};
    (void)state;
    assert_ok(conform_tap_open(alone, r.model, &(tap_hooks){.cookie = &h, .after = hear},
                               &r.backend, &err),
              err);
    ifn_context_close(r.context);
    ifn_weights_unref(r.weights);
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, &params), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, &params, NULL, &r.context, &err), err);
    road_eval(&r, ids, 4);
    road_eval(&r, ids, 2);
    assert_int_equal(h.first_pos, 4);
    assert_int_equal(h.n_pos, 2);
    assert_int_equal(h.pass, 1);
    assert_ok(ifn_context_rewind(r.context, 1, &err), err);
    conform_tap_seek(r.backend, 1);
    road_eval(&r, ids, 1);
    assert_int_equal(h.first_pos, 1);
    road_close(&r);
    ifn_backend_close(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_chain_gives_the_same_bits_behind_a_tap),
        RUN(every_point_of_the_fused_graph_is_known),
        RUN(rows_of_q8_have_names_of_their_own),
        RUN(every_point_of_the_primitive_graph_is_known),
        RUN(a_hook_can_end_the_run),
        RUN(positions_go_on_unless_told_otherwise),
    };
    return cmocka_run_group_tests_name("conform/tap", tests, NULL, NULL);
}
