/*
 * Tests the truth of whole models: against models with zeroed parts, whose results can be written down; against the
 * engine, which must be close to it in every mode; and for what it refuses.
 */
#include "forward_f64.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_alloc.h"
#include "road.h"

enum { N = 12 };

static const ifn_token ids[N] = {3, 17, 42, 42, 0, 60, 7, 8, 9, 21, 3, 17};

/* What a sink received of one point, by name, in one layer. */
typedef struct heard {
    const char *name;
    int64_t layer;
    double *data;
    int64_t rows, cols;
    int n_found;
} heard;

static void hear(void *cookie, int64_t layer, const char *name, const double *data, int64_t rows,
                 int64_t cols)
{
    heard *const h = cookie;
    if (layer != h->layer || strcmp(name, h->name) != 0)
        return;
    h->n_found++;
    h->rows = rows;
    h->cols = cols;
    h->data = realloc(h->data, (size_t)(rows * cols) * sizeof *data);
    memcpy(h->data, data, (size_t)(rows * cols) * sizeof *data);
}

static double *truth_of(const ifn_model *model, const conform_truth_mode *mode,
                        const conform_truth_sink *sink)
{
    ifn_error err = {0};
    double *const logits = malloc(N * (size_t)ifn_model_hparams(model)->n_vocab * sizeof *logits);
    assert_ok(conform_forward_f64(model, ids, N, mode, sink, NULL, logits, &err), err);
    return logits;
}

static heard listen(const ifn_model *model, const conform_truth_mode *mode, int64_t layer,
                    const char *name)
{
    heard h = {.name = name, .layer = layer};
    const conform_truth_sink sink = {hear, &h};
    free(truth_of(model, mode, &sink));
    assert_that(h.n_found == 1, "%s was heard %d times", name, h.n_found);
    return h;
}

/* Opens a tiny model whose tensors named in `zeroed` hold zeros in every layer. */
static road open_zeroed(const tiny_model *m, const char *const *zeroed, int n_zeroed)
{
    const ifn_context_params params = road_params();
    const char *const path = temp_path("zeroed.gguf");
    ifn_gguf *gguf;
    ifn_error err;
    size_t bytes;
    tiny_write(m, path);
    char *const image = read_file(path, &bytes);
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_gguf_tensor *const t = ifn_gguf_tensor_at(gguf, i);
        for (int z = 0; z < n_zeroed; z++)
            if (strstr(t->view.name, zeroed[z]))
                memset(image + t->offset, 0, t->bytes);
    }
    ifn_gguf_close(gguf);
    write_file(path, image, bytes);
    free(image);
    return road_open_file(path, &params);
}

static const float *floats(const ifn_tensor *t)
{
    return t->data;
}

/* Without attention output and feed-forward output the blocks add nothing:
 * logits = W_output rms_norm(embedding). */
TEST(a_model_whose_blocks_add_nothing_is_its_head)
{
    const tiny_model m = tiny_default("llama");
    road r = open_zeroed(&m, (const char *const[]){"attn_output", "ffn_down"}, 2);
    const ifn_model_tensors *const g = ifn_model_tensors_of(r.model);
    double *const logits = truth_of(r.model, &(conform_truth_mode){0}, NULL);
    for (int p = 0; p < N; p++) {
        const float *const x = floats(g->token_embd) + ids[p] * m.n_embd;
        long double squares = 0;
        for (int64_t i = 0; i < m.n_embd; i++)
            squares += (long double)x[i] * (long double)x[i];
        const long double eps = (long double)ifn_model_hparams(r.model)->rms_eps;
        const long double root = sqrtl(squares / (long double)m.n_embd + eps);
        for (int64_t f = 0; f < m.n_vocab; f++) {
            long double sum = 0;
            for (int64_t i = 0; i < m.n_embd; i++)
                sum += (long double)x[i] / root * (long double)floats(g->output_norm)[i] *
                       (long double)floats(g->output)[f * m.n_embd + i];
            assert_true(fabsl((long double)logits[p * m.n_vocab + f] - sum) < 1e-13L);
        }
    }
    free(logits);
    road_close(&r);
}

/* Queries of zero make all scores equal: a row attends to the mean of the values so far. */
TEST(zero_queries_attend_to_the_mean)
{
    const tiny_model m = tiny_default("qwen3");
    road r = open_zeroed(&m, (const char *const[]){"attn_q."}, 1);
    heard v = listen(r.model, &(conform_truth_mode){0}, 1, "v");
    heard attended = listen(r.model, &(conform_truth_mode){0}, 1, "attended");
    assert_int_equal(attended.cols, m.n_heads * m.head_dim);
    for (int p = 0; p < N; p++) {
        for (int64_t i = 0; i < attended.cols; i++) {
            const int64_t kv_head = i / m.head_dim * m.n_kv_heads / m.n_heads;
            double mean = 0;
            for (int t = 0; t <= p; t++)
                mean += v.data[t * v.cols + kv_head * m.head_dim + i % m.head_dim] / (p + 1);
            assert_true(fabs(attended.data[p * attended.cols + i] - mean) < 1e-14);
        }
    }
    free(v.data);
    free(attended.data);
    road_close(&r);
}

static double *engine_logits(road *r)
{
    const size_t n = N * (size_t)ifn_model_hparams(r->model)->n_vocab;
    float *const f32 = malloc(n * sizeof *f32);
    double *const out = malloc(n * sizeof *out);
    ifn_error err = {0};
    assert_ok(ifn_context_eval_all(r->context, ids, N, f32, &err), err);
    for (size_t i = 0; i < n; i++)
        out[i] = (double)f32[i];
    free(f32);
    return out;
}

static double largest_difference(const double *a, const double *b, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* Returns the largest error of the engine against the truth of the same mode. */
static double engine_error(const tiny_model *m, ifn_activations activations, ifn_kv kv,
                           const conform_truth_mode *mode)
{
    ifn_context_params params = road_params();
    params.activations = activations;
    params.kv = kv;
    params.all_logits = 1;
    road r = road_open(m, &params);
    double *const truth = truth_of(r.model, mode, NULL);
    double *const engine = engine_logits(&r);
    const double error = largest_difference(engine, truth, N * (size_t)m->n_vocab);
    free(truth);
    free(engine);
    road_close(&r);
    return error;
}

/* Returns the largest difference of the truths of two modes. */
static double mode_distance(const tiny_model *m, const conform_truth_mode *a,
                            const conform_truth_mode *b)
{
    const ifn_context_params params = road_params();
    road r = road_open(m, &params);
    double *const one = truth_of(r.model, a, NULL), *const other = truth_of(r.model, b, NULL);
    const double distance = largest_difference(one, other, N * (size_t)m->n_vocab);
    free(one);
    free(other);
    road_close(&r);
    return distance;
}

/* noise_floor_test judges by the noise floor. Here no dtype and no architecture may have a much larger error than
 * the others: logits are of unit size, and honest f32 passes some 1e-6 from the truth. */
TEST(no_dtype_and_no_architecture_stands_out)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    const conform_truth_mode exact = {.activations = IFN_ACTIVATIONS_F32};
    double least = (double)INFINITY, most = 0;
    for (int dtype = 0; dtype < IFN_DTYPE_Q8_32F; dtype++) {
        const tiny_model m = tiny_wide(archs[dtype % 3], (ifn_dtype)dtype);
        const double error = engine_error(&m, IFN_ACTIVATIONS_F32, IFN_KV_F32, &exact);
        print_message("%s %s: %.2e\n", m.arch, ifn_dtype_name(m.dtype), error);
        least = fmin(least, error);
        most = fmax(most, error);
    }
    assert_true(least > 0);
    assert_that(most < 8 * least, "errors from %.2e to %.2e", least, most);
}

/* A flipped code moves the logits far more than f32 noise does, so in a narrowing mode the engine is close only if
 * nearly all codes agree: it must be much closer to the truth than the truth of another mode. */
static void assert_nearest(const tiny_model *m, ifn_activations activations, ifn_kv kv,
                           const conform_truth_mode *mode)
{
    const conform_truth_mode plain = {.activations = IFN_ACTIVATIONS_F32};
    const double error = engine_error(m, activations, kv, mode);
    const double other = mode_distance(m, mode, &plain);
    print_message("%s %s, cache %s: engine %.2e, f32 mode %.2e\n", m->arch,
                  ifn_dtype_name(m->dtype), ifn_dtype_name(mode->cache), error, other);
    assert_that(error * 4 < other, "engine %.2e from the truth, f32 mode %.2e", error, other);
}

TEST(int8_activations_and_narrow_caches_are_modes_of_their_own)
{
    const conform_truth_mode q8 = {.activations = IFN_ACTIVATIONS_Q8},
                             f16 = {.activations = IFN_ACTIVATIONS_F32, .cache = IFN_DTYPE_F16},
                             q8_0 = {.activations = IFN_ACTIVATIONS_F32, .cache = IFN_DTYPE_Q8_0};
    tiny_model m = tiny_wide("qwen2", IFN_DTYPE_Q5_0);
    assert_nearest(&m, IFN_ACTIVATIONS_F32, IFN_KV_F16, &f16);
    assert_nearest(&m, IFN_ACTIVATIONS_F32, IFN_KV_Q8_0, &q8_0);
    assert_nearest(&m, IFN_ACTIVATIONS_Q8, IFN_KV_F32, &q8);
    m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    assert_nearest(&m, IFN_ACTIVATIONS_Q8, IFN_KV_F32, &q8);
    m.kv_dtype = IFN_DTYPE_F16; /* attn_k reads f32 rows, attn_q and attn_v Q8_32F */
    assert_nearest(&m, IFN_ACTIVATIONS_Q8, IFN_KV_F32, &q8);
}

TEST(auto_means_what_a_context_makes_of_it)
{
    const conform_truth_mode any = {0}, q8 = {.activations = IFN_ACTIVATIONS_Q8},
                             f32 = {.activations = IFN_ACTIVATIONS_F32};
    const tiny_model quantized = tiny_wide("llama", IFN_DTYPE_Q8_0), plain = tiny_default("llama");
    assert_true(mode_distance(&quantized, &any, &q8) == 0);
    assert_true(mode_distance(&quantized, &any, &f32) > 0);
    assert_true(mode_distance(&plain, &any, &q8) == 0);
}

TEST(tied_heads_and_divided_frequencies_are_read)
{
    const conform_truth_mode exact = {.activations = IFN_ACTIVATIONS_F32};
    tiny_model m = tiny_default("llama");
    m.tied = 1;
    m.rope_freqs = 1;
    const double error = engine_error(&m, IFN_ACTIVATIONS_F32, IFN_KV_F32, &exact);
    assert_that(error > 0 && error < 1e-4, "%.2e", error);
}

/* The names of the points that a pass announces, with their layers, as one text. */
typedef struct roll {
    char text[2048];
    int64_t cols;
} roll;

static void call_out(void *cookie, int64_t layer, const char *name, const double *data,
                     int64_t rows, int64_t cols)
{
    roll *const r = cookie;
    char entry[64];
    snprintf(entry, sizeof entry, "%d.%s ", (int)layer, name);
    strncat(r->text, entry, sizeof r->text - strlen(r->text) - 1);
    assert_int_equal(rows, N);
    assert_true(isfinite(data[rows * cols - 1]));
    r->cols = cols;
}

#define BLOCK(i)                                                                                   \
    i ".attn_norm " i ".attn_norm_q8 " i ".q " i ".k " i ".v " i ".q_norm " i ".k_norm " i         \
      ".q_rope " i ".k_rope " i ".k_stored " i ".v_stored " i ".attended " i ".attended_q8 " i     \
      ".attn_output " i ".attn_residual " i ".ffn_norm " i ".ffn_norm_q8 " i ".gate " i ".up " i   \
      ".gated " i ".gated_q8 " i ".ffn_down " i ".ffn_residual "

TEST(the_sink_hears_every_op_in_order)
{
    const conform_truth_mode q8 = {.activations = IFN_ACTIVATIONS_Q8};
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    roll heard_names = {0};
    const conform_truth_sink sink = {call_out, &heard_names};
    free(truth_of(r.model, &q8, &sink));
    assert_string_equal(heard_names.text,
                        "-1.embedding " BLOCK("0") BLOCK("1") "-1.output_norm -1.output_norm_q8 "
                                                              "-1.logits ");
    assert_int_equal(heard_names.cols, m.n_vocab);
    road_close(&r);
}

/* Later ids change nothing before them, not even a bit: no sum of the truth depends on n. */
TEST(a_prefix_has_the_logits_it_has_alone)
{
    const tiny_model m = tiny_default("qwen2");
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    double *const whole = truth_of(r.model, &(conform_truth_mode){0}, NULL);
    double *const prefix = malloc(5 * (size_t)m.n_vocab * sizeof *prefix);
    ifn_error err = {0};
    assert_ok(
        conform_forward_f64(r.model, ids, 5, &(conform_truth_mode){0}, NULL, NULL, prefix, &err),
        err);
    assert_memory_equal(prefix, whole, 5 * (size_t)m.n_vocab * sizeof *prefix);
    free(whole);
    free(prefix);
    road_close(&r);
}

TEST(jolts_move_what_is_narrowed_and_nothing_else)
{
    conform_truth_mode q8 = {.activations = IFN_ACTIVATIONS_Q8}, jolted = q8, again;
    conform_truth_mode f32 = {.activations = IFN_ACTIVATIONS_F32}, f32_jolted = f32;
    const tiny_model m = tiny_wide("llama", IFN_DTYPE_Q8_0);
    jolted.jolt = f32_jolted.jolt = 0x1p-20;
    again = jolted;
    again.seed = 1;
    assert_true(mode_distance(&m, &jolted, &jolted) == 0);
    assert_true(mode_distance(&m, &q8, &jolted) > 0);
    assert_true(mode_distance(&m, &again, &jolted) > 0);
    assert_true(mode_distance(&m, &f32, &f32_jolted) == 0);
}

TEST(what_cannot_be_run_is_refused)
{
    const tiny_model m = tiny_default("llama"); /* heads of 16 */
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    ifn_error err = {0};
    double none[1];
    const conform_truth_mode any = {0}, q8_0 = {.cache = IFN_DTYPE_Q8_0},
                             q4_0 = {.cache = IFN_DTYPE_Q4_0};
    assert_int_equal(
        conform_forward_f64(r.model, (const ifn_token[]){61}, 1, &any, NULL, NULL, none, &err),
        IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "truth: id 61 at 0, expected 0 to 60");
    assert_int_equal(conform_forward_f64(r.model, ids, -1, &any, NULL, NULL, none, &err),
                     IFN_ERR_ARGUMENT);
    assert_int_equal(conform_forward_f64(r.model, ids, 0, &q8_0, NULL, NULL, none, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text,
                        "truth: a cache of Q8_0 with heads of 16, expected a multiple of 32");
    assert_int_equal(conform_forward_f64(r.model, ids, 0, &q4_0, NULL, NULL, none, &err),
                     IFN_ERR_ARGUMENT);
    assert_ok(conform_forward_f64(r.model, ids, 0, &any, NULL, NULL, none, &err), err);
    road_close(&r);
}

TEST(memory_comes_from_the_allocator_and_goes_back)
{
    const tiny_model m = tiny_default("llama");
    const ifn_context_params params = road_params();
    road r = road_open(&m, &params);
    double *const logits = malloc(N * (size_t)m.n_vocab * sizeof *logits);
    ifn_error err = {0};
    fail_alloc a;
    fail_alloc_init(&a, 0);
    assert_int_equal(conform_forward_f64(r.model, ids, N, &(conform_truth_mode){0}, NULL,
                                         &a.allocator, logits, &err),
                     IFN_ERR_NOMEM);
    assert_int_equal(err.status, IFN_ERR_NOMEM);
    fail_alloc_init(&a, -1);
    assert_ok(conform_forward_f64(r.model, ids, N, &(conform_truth_mode){0}, NULL, &a.allocator,
                                  logits, &err),
              err);
    assert_int_equal(a.n_calls, 1);
    assert_int_equal(a.live_bytes, 0);
    free(logits);
    road_close(&r);
}
