/* Truth and noise of a model: the size of the noise floors, and that their calibration is as stated. */
#include "e2e_truth.h"

#include <string.h>

#include "e2e_model.h"

TEST(the_floor_of_forced_codes_is_that_of_f32_arithmetic)
{
    const struct {
        ifn_dtype dtype, cache;
        ifn_activations activations;
    } modes[] = {{IFN_DTYPE_F32, IFN_DTYPE_F32, IFN_ACTIVATIONS_F32},
                 {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_ACTIVATIONS_F32},
                 {IFN_DTYPE_F32, IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_F32},
                 {IFN_DTYPE_Q4_0, IFN_DTYPE_F32, IFN_ACTIVATIONS_Q8},
                 {IFN_DTYPE_Q4_0, IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_Q8}};
    for (size_t i = 0; i < N_OF(modes); i++) {
        tiny_truth t =
            tiny_truth_open("qwen3", modes[i].dtype, modes[i].activations, modes[i].cache, 0);
        assert_int_equal(t.truth.n, 9);
        assert_int_equal(t.truth.is_narrow, i > 0);
        for (int64_t s = 0; s < t.truth.n; s++)
            assert_that(t.truth.sigma[s] > 1e-9 && t.truth.sigma[s] < 1e-4,
                        "mode %d, step %d: sigma %.2e", (int)i, (int)s, t.truth.sigma[s]);
        for (int a = 0; a < CONFORM_NOISE_RUNS; a++)
            for (int b = 0; b < a; b++)
                assert_string_not_equal(t.truth.variants[a], t.truth.variants[b]);
        tiny_truth_close(&t);
    }
}

TEST(free_runs_are_calibrated_where_something_is_narrowed)
{
    tiny_truth f32 = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 1);
    assert_false(f32.truth.has_free);
    tiny_truth_close(&f32);
    tiny_truth q8 = tiny_truth_open("llama", IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_Q8, IFN_DTYPE_F32, 1);
    assert_true(q8.truth.has_free);
    /* codes flip: the noise is far above that of the arithmetic, and far below the logits */
    assert_that(q8.truth.sigma_q > q8.truth.sigma[0] && q8.truth.sigma_q < 1, "sigma_q %.2e",
                q8.truth.sigma_q);
    tiny_truth_close(&q8);
}

TEST(ids_that_others_found_are_followed)
{
    static const ifn_token ids[] = {1, 2}, follow[] = {5, 9, 7};
    const conform_truth_mode mode = {.activations = IFN_ACTIVATIONS_F32};
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    e2e_truth truth;
    ifn_error err = {0};
    assert_ok(e2e_truth_open(&truth, t.model, &mode, NULL,
                             &(e2e_prompt){"p", ids, 2, 3, follow, NULL}, 0, &err),
              err);
    assert_int_equal(truth.n, 5);
    assert_memory_equal(truth.ids + 2, follow, sizeof follow);
    e2e_truth_close(&truth);
    assert_int_equal(e2e_truth_open(&truth, t.model, &mode, NULL,
                                    &(e2e_prompt){"none", ids, 0, 3, NULL, NULL}, 0, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "prompt 'none': 0 ids, expected 1 or more");
    e2e_truth_close(&truth);
    assert_int_equal(e2e_truth_open(&truth, t.model, &mode, NULL,
                                    &(e2e_prompt){"p", (const ifn_token[]){99}, 1, 0, NULL, NULL},
                                    0, &err),
                     IFN_ERR_ARGUMENT);
    e2e_truth_close(&truth);
    tiny_truth_close(&t);
}

/* Declares rounded inputs for every op and dtype. */
static conform_arithmetics products_in(uint32_t inputs)
{
    conform_arithmetics a = {0};
    for (int at = 0; at < IFN_OP_COUNT * IFN_DTYPE_COUNT; at++)
        a.of[at / IFN_DTYPE_COUNT][at % IFN_DTYPE_COUNT].inputs = inputs;
    return a;
}

static double largest_sigma(const e2e_truth *t)
{
    double most = 0;
    for (int64_t s = 0; s < t->n_steps; s++)
        most = t->sigma[s] > most ? t->sigma[s] : most;
    return most;
}

TEST(the_floor_is_that_of_the_declared_arithmetic)
{
    const conform_arithmetics none = products_in(IFN_ROUND_NONE),
                              tf32 = products_in(IFN_ROUND_TF32),
                              bf16 = products_in(IFN_ROUND_BF16);
    const conform_arithmetics *const declared[] = {NULL, &none, &tf32, &bf16};
    double sigma[4], free[4], steps[4];
    for (size_t i = 0; i < N_OF(declared); i++) {
        tiny_truth t = tiny_truth_declared("llama", IFN_DTYPE_Q8_0, IFN_ACTIVATIONS_Q8,
                                           IFN_DTYPE_F16, 1, declared[i]);
        sigma[i] = largest_sigma(&t.truth);
        free[i] = t.truth.sigma_q;
        steps[i] = t.truth.most_steps;
        assert_true(t.truth.has_floor && t.truth.has_free);
        tiny_truth_close(&t);
    }
    assert_true(sigma[1] == sigma[0] && free[1] == free[0]);
    assert_true(steps[0] == 1.5 && steps[1] == 1.5);
    /* the errors of one rounding differ by factors of 2^13 and 2^3 */
    assert_that(sigma[2] > 256 * sigma[0], "tf32 %.2e, f32 %.2e", sigma[2], sigma[0]);
    assert_that(sigma[3] > 2 * sigma[2] && sigma[3] < 32 * sigma[2], "bf16 %.2e, tf32 %.2e",
                sigma[3], sigma[2]);
    assert_true(free[2] >= free[0] && free[3] > sigma[3] / 32);
    assert_that(steps[3] > 1.5 && steps[3] >= steps[2], "%.3g steps", steps[3]);
}
