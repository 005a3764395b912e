#include "laws.h"

#include <math.h>
#include <string.h>

#include "case_id.h"
#include "failing_backend.h"
#include "fuzz.h"
#include "paths.h"
#include "spec_text.h"

static spec_op *specs[IFN_OP_COUNT];

static int read_specs(void **state)
{
    ifn_error err;
    (void)state;
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    return 0;
}

static int free_specs(void **state)
{
    (void)state;
    spec_free_all(specs);
    temp_clean();
    return 0;
}

static ifn_status call_it(void *cookie, ifn_op op, const ifn_call *args)
{
    return ifn_op_run(cookie, op, args);
}

static ifn_status run_law_of(const spec_op *spec, fuzz *f, ifn_backend *b, ifn_error *err)
{
    const conform_law law = {spec, &f->c, &f->l, f->data, &f->call.args};
    return conform_law_run(&law, call_it, b, &f->pool, err);
}

static ifn_status run_law(fuzz *f, ifn_backend *b)
{
    ifn_error err = {0};
    const ifn_status status = run_law_of(specs[f->c.op], f, b, &err);
    assert_that(status == IFN_OK || status == IFN_ERR_NUMERIC, "%s", err.text);
    return status;
}

/* Begins a case whose outputs hold the results of the law. Returns 0 if the case makes no sense, or the law does not
 * hold for it. */
static int begin_by_law(fuzz *f)
{
    if (!conform_law_holds(&f->c))
        return 0;
    f->c.alias = 0;
    if (!fuzz_begin(f))
        return 0;
    assert_int_equal(conform_law_widen(f->c.op, &f->call.args, &f->l, f->truth), IFN_OK);
    assert_int_equal(run_law(f, f->backend), IFN_OK);
    return 1;
}

/* Lets each primitive op of the law fail once, and expects the law to return that status. */
static void assert_law_fails(fuzz *f)
{
    ifn_backend *b = failing_open(f->backend);
    failing.n_calls = 0;
    assert_int_equal(run_law(f, b), IFN_OK);
    for (long i = 0, n = failing.n_calls; i < n; i++) {
        failing.n_calls = 0;
        failing.fail_at = i;
        assert_int_equal(run_law(f, b), IFN_ERR_NUMERIC);
        assert_int_equal(failing.n_calls, i + 1);
    }
    ifn_backend_close(b);
}

enum { N_FAILING = 12 }; /* cases of each law that are tried with failing ops */

static void assert_law(ifn_op op, uint64_t n, void (*choose)(fuzz *f))
{
    fuzz f;
    int64_t compared = 0;
    fuzz_open(&f, op);
    while (fuzz_next(&f, n)) {
        choose(&f);
        if (!begin_by_law(&f))
            continue;
        char id[CONFORM_ID_BYTES];
        conform_case_id(&f.c, id);
        assert_that(fuzz_wrong(&f) == 0, "%s", id);
        if (compared++ < N_FAILING)
            assert_law_fails(&f);
        fuzz_end(&f);
    }
    assert_true(compared > (int64_t)n / 3);
    f.n_compared += compared;
    fuzz_close(&f);
}

static void choose_linear(fuzz *f)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0,
                                       IFN_DTYPE_Q2_K, IFN_DTYPE_Q4_K, IFN_DTYPE_Q6_K,
                                       IFN_DTYPE_F32,  IFN_DTYPE_BF16};
    f->c.dtype = dtypes[fuzz_size(f, 0, f->c.op == IFN_OP_LINEAR_Q8 ? 5 : 7)];
    const int64_t block = ifn_dtype_block_elements(f->c.dtype);
    const int64_t k = block == 1 ? fuzz_size(f, 0, 200) : block * fuzz_size(f, 0, 3);
    const int64_t dims[] = {fuzz_size(f, 0, 3),    fuzz_size(f, 0, 5), k,
                            FUZZ_PICK(f, 1, 2, 4), FUZZ_PICK(f, 0, 3), fuzz_size(f, 0, 1)};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void linear_is_decode_transpose_matmul_add(void **state)
{
    (void)state;
    assert_law(IFN_OP_LINEAR, 800, choose_linear);
}

static void linear_q8_is_the_same_on_decoded_activations(void **state)
{
    (void)state;
    assert_law(IFN_OP_LINEAR_Q8, 800, choose_linear);
}

static void choose_norm(fuzz *f)
{
    f->c.out_dtype = FUZZ_PICK(f, 0, 1) ? IFN_DTYPE_F32 : IFN_DTYPE_Q8_32F;
    const int64_t dim =
        f->c.out_dtype == IFN_DTYPE_F32 ? fuzz_size(f, 1, 200) : 32 * fuzz_size(f, 1, 5);
    const int64_t dims[] = {fuzz_size(f, 0, 4), dim, fuzz_size(f, 0, 3), FUZZ_PICK(f, 0, 5, 6)};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void rms_norm_is_seven_primitive_ops(void **state)
{
    (void)state;
    assert_law(IFN_OP_RMS_NORM, 800, choose_norm);
}

static void choose_swiglu(fuzz *f)
{
    f->c.out_dtype = FUZZ_PICK(f, 0, 1) ? IFN_DTYPE_F32 : IFN_DTYPE_Q8_32F;
    f->c.dim[0] = fuzz_size(f, 0, 4);
    f->c.dim[1] = f->c.out_dtype == IFN_DTYPE_F32 ? fuzz_size(f, 0, 200) : 32 * fuzz_size(f, 0, 5);
}

static void swiglu_is_silu_times_up(void **state)
{
    (void)state;
    assert_law(IFN_OP_SWIGLU, 800, choose_swiglu);
}

static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};

static int64_t choose_cache(fuzz *f)
{
    f->c.dtype = caches[fuzz_size(f, 0, 2)];
    return f->c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(f, 0, 2) : fuzz_size(f, 0, 40);
}

static void choose_kv_store(fuzz *f)
{
    const int64_t head_dim = choose_cache(f);
    const int64_t dims[] = {fuzz_size(f, 0, 4), fuzz_size(f, 0, 40), fuzz_size(f, 0, 3),
                            fuzz_size(f, 0, 3), head_dim};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void kv_store_is_quantize_and_copy(void **state)
{
    (void)state;
    assert_law(IFN_OP_KV_STORE, 800, choose_kv_store);
}

/* Some cases have more than one block of keys: the composition does not work in blocks. */
static void choose_attention(fuzz *f)
{
    const int64_t head_dim = choose_cache(f);
    const int64_t first_pos = f->n % 8 ? fuzz_size(f, 0, 40) : FUZZ_PICK(f, 255, 256, 511, 600);
    const int64_t dims[] = {fuzz_size(f, 0, 4),    first_pos,
                            fuzz_size(f, 0, 3),    FUZZ_PICK(f, 1, 2, 3),
                            FUZZ_PICK(f, 1, 2, 4), head_dim};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void attention_is_softmax_between_two_matmuls(void **state)
{
    (void)state;
    assert_law(IFN_OP_ATTENTION, 600, choose_attention);
}

/* A law must be able to fail: a backend with a wrong hadamard breaks the laws that use it. */
static ifn_status wrong_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    (void)self;
    for (int64_t i = 0; i < a->n; i++)
        a->out[i] = a->x[i] * a->y[i] * 1.0001f;
    return IFN_OK;
}

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->hadamard = wrong_hadamard;
}

static int count_broken(ifn_op op, void (*choose)(fuzz *f))
{
    static const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "wrong",
                                          .summary = "its products are too large", .fill = fill};
    fuzz f;
    ifn_backend *wrong;
    ifn_error err = {0};
    int broken = 0;
    assert_ok(ifn_backend_open_desc(&desc, NULL, "", NULL, &wrong, &err), err);
    fuzz_open(&f, op);
    ifn_backend *honest = f.backend;
    f.backend = wrong;
    while (fuzz_next(&f, 200)) {
        choose(&f);
        if (!begin_by_law(&f))
            continue;
        broken += fuzz_wrong(&f) > 0;
        fuzz_end(&f);
    }
    f.backend = honest;
    f.n_compared++;
    fuzz_close(&f);
    ifn_backend_close(wrong);
    return broken;
}

static void a_wrong_primitive_breaks_the_laws_that_use_it(void **state)
{
    (void)state;
    assert_true(count_broken(IFN_OP_RMS_NORM, choose_norm) > 50);
    assert_true(count_broken(IFN_OP_SWIGLU, choose_swiglu) > 50);
    assert_int_equal(count_broken(IFN_OP_KV_STORE, choose_kv_store), 0);
}

/* Returns in how many of 50 cases of swiglu the changed law and the op give different results. */
static int n_broken_by(const char *old, const char *new)
{
    spec_op *const spec = spec_of_tree(IFN_OP_SWIGLU, old, new);
    ifn_error err;
    int n = 0;
    fuzz f;
    fuzz_open(&f, IFN_OP_SWIGLU);
    while (fuzz_next(&f, 50)) {
        choose_swiglu(&f);
        f.c.tier = TIER_T1;
        f.c.family = FAMILY_NORMAL;
        if (!fuzz_begin(&f))
            continue;
        assert_ok(run_law_of(spec, &f, f.backend, &err), err);
        n += fuzz_wrong(&f) > 0;
        fuzz_end(&f);
        f.n_compared++;
    }
    fuzz_close(&f);
    spec_op_free(spec);
    return n;
}

static void what_the_yaml_says_is_what_runs(void **state)
{
    (void)state;
    assert_int_equal(n_broken_by("hadamard(silu(gate), up)", "hadamard(up, silu(gate))"), 0);
    assert_true(n_broken_by("hadamard(silu(gate), up)", "hadamard(silu(up), gate)") > 25);
    assert_true(n_broken_by("hadamard(silu(gate), up)", "add(silu(gate), up)") > 25);
}

static void a_law_that_does_not_fit_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } bad[] = {
        {"matmul(query, transpose_2d(keys))", "matmul(query, keys)",
         "law of attention: n of matmul: 7, expected as in its other operand: 4"},
        {"k_cache[h / group, 0:first_pos", "k_cache[h, 0:first_pos",
         "law of attention: the end of a part: 4, expected at most 3"},
        {"k_cache[h / group, 0:first_pos + rows]",
         "k_cache[h / group, 0:first_pos + 2 * rows + slack]",
         "law of attention: the end of a part: 10, expected at most 8"},
        {"h < n_heads", "h < n_heads / 0",
         "law of attention: h: 0, expected times of at most 1048576"},
        {"dequantize_rows(k_cache[h / group, 0:first_pos + rows])", "transpose_2d(q)",
         "law of attention: n of matmul: 7, expected as in its other operand: 12"},
        {"scale(matmul(query, transpose_2d(keys)), scale)",
         "broadcast_row_scalars(sum_squares_axis(query, 1), 1099511627776)",
         "law of attention: a size of a result: 1099511627776, expected elements of all at most "
         "1099511627776"},
        {"copy_2d_into_cols(matmul(weights, values), h * head_dim)", "matmul(weights, values)",
         "law of attention: out: 32, expected as many bytes as its output, 192"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        spec_op *const spec = spec_of_tree(IFN_OP_ATTENTION, bad[i].old, bad[i].new);
        ifn_error err = {0};
        fuzz f;
        fuzz_open(&f, IFN_OP_ATTENTION);
        assert_true(fuzz_next(&f, 1));
        memcpy(f.c.dim, (const int64_t[]){2, 5, 1, 3, 2, 4}, 6 * sizeof(int64_t));
        f.c.tier = TIER_T1;
        f.c.family = FAMILY_NORMAL;
        assert_true(fuzz_begin(&f));
        assert_int_equal(run_law_of(spec, &f, f.backend, &err), IFN_ERR_SHAPE);
        assert_string_equal(err.text, bad[i].message);
        fuzz_end(&f);
        f.n_compared++;
        fuzz_close(&f);
        spec_op_free(spec);
    }
}

/* If the bound of a law cannot be worked out, widening fails and leaves the bounds finite: an infinite bound would
 * pass everything. */
static void a_bound_that_cannot_be_worked_out_is_no_bound(void **state)
{
    (void)state;
    fuzz f;
    fuzz_open(&f, IFN_OP_LINEAR_Q8);
    assert_true(fuzz_next(&f, 1));
    f.c.dtype = IFN_DTYPE_Q8_0;
    f.c.tier = TIER_T1;
    f.c.family = FAMILY_NORMAL;
    memcpy(f.c.dim, (const int64_t[]){1, 1, 32, 1, 0, 0}, 6 * sizeof(int64_t));
    assert_true(fuzz_begin(&f));
    f.call.weights[0].dtype = IFN_DTYPE_COUNT;
    assert_int_not_equal(conform_law_widen(f.c.op, &f.call.args, &f.l, f.truth), IFN_OK);
    for (int t = 0; t < f.l.n; t++)
        assert_true(!f.truth[t].bound || isfinite(f.truth[t].bound[0]));
    fuzz_end(&f);
    f.n_compared++;
    fuzz_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(linear_is_decode_transpose_matmul_add),
        RUN(linear_q8_is_the_same_on_decoded_activations),
        RUN(rms_norm_is_seven_primitive_ops),
        RUN(swiglu_is_silu_times_up),
        RUN(kv_store_is_quantize_and_copy),
        RUN(attention_is_softmax_between_two_matmuls),
        RUN(a_wrong_primitive_breaks_the_laws_that_use_it),
        RUN(what_the_yaml_says_is_what_runs),
        RUN(a_law_that_does_not_fit_says_why),
        RUN(a_bound_that_cannot_be_worked_out_is_no_bound),
    };
    return cmocka_run_group_tests(tests, read_specs, free_specs);
}
