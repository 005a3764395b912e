#include "laws.h"

#include <string.h>

#include "case_id.h"
#include "failing_backend.h"
#include "fuzz.h"

/* A case whose outputs are what the law says. 0 where it makes no sense, or no law is stated. */
static int begin_by_law(fuzz *f)
{
    /* Weight 0 times an infinite value is NaN in a matmul, and nothing in the op: numerics 10. */
    if (f->c.tier == TIER_SPECIAL && f->c.op == IFN_OP_ATTENTION)
        return 0;
    f->c.alias = 0;
    if (!fuzz_begin(f))
        return 0;
    conform_law_widen(f->c.op, &f->call.args, &f->l, f->truth);
    assert_int_equal(conform_law_run(f->c.op, f->backend, &f->call.args, &f->pool), IFN_OK);
    return 1;
}

/* Each of its primitive ops fails once, and the law says so. */
static void assert_law_fails(fuzz *f)
{
    ifn_backend *b = failing_open(f->backend);
    failing.n_calls = 0;
    assert_int_equal(conform_law_run(f->c.op, b, &f->call.args, &f->pool), IFN_OK);
    for (long i = 0, n = failing.n_calls; i < n; i++) {
        failing.n_calls = 0;
        failing.fail_at = i;
        assert_int_equal(conform_law_run(f->c.op, b, &f->call.args, &f->pool), IFN_ERR_NUMERIC);
        assert_int_equal(failing.n_calls, i + 1);
    }
    ifn_backend_close(b);
}

enum { N_FAILING = 12 }; /* cases of a law that are tried so */

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

/* More than one block of keys now and then: the composition knows no blocks. */
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

/* A law must be able to fail: a backend whose hadamard is wrong breaks the laws that use it. */
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

static void ops_without_a_law_say_so(void **state)
{
    (void)state;
    conform_pool pool;
    conform_pool_init(&pool);
    const ifn_args args = {.matmul = {.m = 0}};
    assert_false(conform_has_law(IFN_OP_MATMUL));
    assert_int_equal(conform_law_run(IFN_OP_MATMUL, NULL, &args, &pool), IFN_ERR_UNSUPPORTED);
    conform_pool_fini(&pool);
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
        RUN(ops_without_a_law_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
