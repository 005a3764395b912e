/* The noise floor, and that the engine stays within it: every architecture, every dtype. */
#include "noise_floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fail_alloc.h"
#include "forward_f64.h"
#include "road.h"

enum { N = 10 };

static const ifn_token ids[N] = {3, 17, 42, 42, 0, 60, 7, 8, 9, 21};

/* A model on scalar with its truth and its noise floor. */
typedef struct calibrated {
    road r;
    int64_t n_vocab;
    double *truth;
    double sigma[N];
    const char *variants[CONFORM_NOISE_RUNS];
} calibrated;

static calibrated calibrate(const tiny_model *m)
{
    const ifn_context_params params = road_params();
    const conform_truth_mode exact = {.activations = IFN_ACTIVATIONS_F32};
    calibrated c = {.r = road_open(m, &params), .n_vocab = m->n_vocab};
    ifn_error err = {0};
    c.truth = malloc(N * (size_t)m->n_vocab * sizeof *c.truth);
    assert_ok(conform_forward_f64(c.r.model, ids, N, &exact, NULL, NULL, c.truth, &err), err);
    assert_ok(conform_noise_floor(c.r.model, ids, N, c.truth, CONFORM_NOISE_RUNS, NULL, c.sigma,
                                  c.variants, &err),
              err);
    return c;
}

static void drop(calibrated *c)
{
    free(c->truth);
    road_close(&c->r);
}

/* Returns the largest |l - l*| / sigma over all steps of a backend. */
static double in_sigmas(const calibrated *c, ifn_backend *backend)
{
    float *const logits = malloc((size_t)(N * c->n_vocab) * sizeof *logits);
    double largest = 0;
    ifn_error err = {0};
    assert_ok(conform_run_model(c->r.model, backend, ids, N, NULL, logits, &err), err);
    for (int64_t i = 0; i < N * c->n_vocab; i++) {
        const double error = fabs((double)logits[i] - c->truth[i]) / c->sigma[i / c->n_vocab];
        largest = error <= largest ? largest : error;
    }
    free(logits);
    return largest;
}

TEST(the_floor_is_positive_and_small)
{
    const tiny_model m = tiny_default("qwen3");
    calibrated c = calibrate(&m);
    for (int i = 0; i < N; i++)
        assert_that(c.sigma[i] > 1e-8 && c.sigma[i] < 1e-4, "sigma of step %d: %.2e", i,
                    c.sigma[i]);
    for (int i = 0; i < CONFORM_NOISE_RUNS; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(c.variants[i], c.variants[j]);
    drop(&c);
}

TEST(scalar_is_within_eight_sigma_for_every_architecture)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t a = 0; a < N_OF(archs); a++) {
        const tiny_model m = tiny_default(archs[a]);
        calibrated c = calibrate(&m);
        const double far = in_sigmas(&c, c.r.backend);
        print_message("%s: %.2f sigma\n", archs[a], far);
        assert_that(far > 0 && far <= 8, "%s: %.2f sigma", archs[a], far);
        drop(&c);
    }
}

TEST(scalar_is_within_eight_sigma_for_every_dtype)
{
    for (int dtype = 0; dtype < IFN_DTYPE_Q8_32F; dtype++) {
        tiny_model m = tiny_wide("qwen2", (ifn_dtype)dtype);
        m.n_layers = 1;
        calibrated c = calibrate(&m);
        const double far = in_sigmas(&c, c.r.backend);
        print_message("%s: %.2f sigma\n", ifn_dtype_name(m.dtype), far);
        assert_that(far > 0 && far <= 8, "%s: %.2f sigma", ifn_dtype_name(m.dtype), far);
        drop(&c);
    }
}

/* Leaves out an eps of 1e-4: rows of unit size get a relative error of some 5e-5. */
static ifn_status norm_without_eps(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args without = *a;
    without.eps = 0.0f;
    return self->base->ops->rms_norm(self->base, &without);
}

static void fill_fault(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->rms_norm = norm_without_eps;
}

TEST(a_small_fault_in_one_op_is_beyond_eight_sigma)
{
    static const ifn_backend_desc fault = {IFN_BACKEND_STAMP, .name = "fault", .summary = "no eps",
                                           .fill = fill_fault};
    tiny_model m = tiny_default("llama");
    m.float_key = "attention.layer_norm_rms_epsilon";
    m.float_value = 1e-4f;
    calibrated c = calibrate(&m);
    ifn_backend *backend;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(&fault, NULL, NULL, NULL, &backend, &err), err);
    const double far = in_sigmas(&c, backend);
    assert_that(far > 8, "%.2f sigma", far);
    ifn_backend_close(backend);
    drop(&c);
}

TEST(more_runs_than_distinct_variants_are_refused)
{
    const tiny_model m = tiny_default("llama");
    calibrated c = calibrate(&m);
    ifn_error err = {0};
    assert_int_equal(conform_noise_floor(c.r.model, ids, N, c.truth, 64, NULL, c.sigma, NULL, &err),
                     IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "variants differ, expected 64"));
    assert_int_equal(conform_noise_floor(c.r.model, ids, N, c.truth, 65, NULL, c.sigma, NULL, &err),
                     IFN_ERR_ARGUMENT);
    assert_int_equal(conform_noise_floor(c.r.model, ids, 0, c.truth, 8, NULL, c.sigma, NULL, &err),
                     IFN_ERR_ARGUMENT);
    drop(&c);
}

/* With a head of zeros all variants have the same logits, so they count as one. */
TEST(variants_with_equal_logits_count_once)
{
    tiny_model m = tiny_default("llama");
    m.tied = 1;
    const ifn_context_params params = road_params();
    const char *const path = temp_path("zeros.gguf");
    size_t bytes;
    ifn_error err = {0};
    double truth[2 * 61] = {0}, sigma[2];
    tiny_write(&m, path);
    road r = road_open_file(path, &params);
    const uint64_t at = ifn_gguf_find_tensor(r.gguf, "token_embd.weight")->offset;
    road_close(&r);
    char *const image = read_file(path, &bytes);
    memset(image + at, 0, (size_t)(m.n_vocab * m.n_embd) * sizeof(float));
    write_file(path, image, bytes);
    free(image);
    r = road_open_file(path, &params);
    assert_int_equal(conform_noise_floor(r.model, ids, 2, truth, 8, NULL, sigma, NULL, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "noise floor: 1 variants differ, expected 8");
    road_close(&r);
}

TEST(every_allocation_may_fail)
{
    tiny_model m = tiny_default("llama");
    m.n_layers = 1;
    calibrated c = calibrate(&m);
    ifn_error err;
    fail_alloc a;
    double sigma[2];
    long at = 0;
    for (;; at++) {
        fail_alloc_init(&a, at);
        err = (ifn_error){0};
        const ifn_status status =
            conform_noise_floor(c.r.model, ids, 2, c.truth, 2, &a.allocator, sigma, NULL, &err);
        assert_int_equal(a.live_bytes, 0);
        if (status == IFN_OK)
            break;
        assert_int_equal(status, IFN_ERR_NOMEM);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
    }
    assert_true(at > 4);
    drop(&c);
}
