#include "identity.h"

#include <math.h>
#include <stdlib.h>

#include "case_pool.h"
#include "test.h"

typedef struct bench {
    conform_pool pool;
    conform_slot *slot;
    conform_truth whole[CONFORM_MAX_TENSORS];
    conform_product products[IFN_LINEAR_MAX];
    int n;
} bench;

/* Builds a case with the truth of every output, which stands for the results of a backend. */
static bench build(const conform_case *c)
{
    bench b = {.n = 0};
    const conform_declared strict = conform_declared_default();
    ifn_error err = {0};
    conform_pool_init(&b.pool);
    b.slot = calloc(1, sizeof *b.slot);
    assert_ok(conform_slot_build(b.slot, &b.pool, c, NULL, NULL, &err), err);
    conform_module_of(c->op)->truth(c, &b.slot->layout, b.slot->before, &strict, &b.pool, b.whole);
    b.n = conform_products_of(b.slot, b.products);
    return b;
}

static void clean(bench *b)
{
    conform_pool_fini(&b->pool);
    free(b->slot);
}

static float *right_output(bench *b, const conform_product *p)
{
    const conform_tensor *t = &b->slot->layout.t[p->out];
    float *out = conform_pool_take(&b->pool, t->bytes, 1);
    for (int64_t i = 0; i < t->rows * t->cols; i++)
        out[i / t->cols * t->stride + i % t->cols] = (float)b->whole[p->out].want[i];
    return out;
}

static conform_case lattice(ifn_op op, ifn_dtype dtype)
{
    return (conform_case){.op = op,
                          .dtype = dtype,
                          .dim = {60, 70, 256, 2, 3, 1}, /* m, n and p of matmul */
                          .tier = TIER_T0,
                          .family = FAMILY_LATTICE,
                          .seed = 3};
}

static const struct {
    ifn_op op;
    ifn_dtype dtype;
    int n;
} examples[] = {
    {IFN_OP_MATMUL, IFN_DTYPE_F32, 1},     {IFN_OP_LINEAR, IFN_DTYPE_F32, 2},
    {IFN_OP_LINEAR, IFN_DTYPE_F16, 2},     {IFN_OP_LINEAR, IFN_DTYPE_Q4_K, 2},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q6_K, 2}, {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_1, 2},
};

TEST(what_is_right_satisfies_the_identity)
{
    for (size_t e = 0; e < N_OF(examples); e++) {
        const conform_case c = lattice(examples[e].op, examples[e].dtype);
        bench b = build(&c);
        int64_t row, feature;
        double want;
        assert_int_equal(b.n, examples[e].n);
        for (int i = 0; i < b.n; i++)
            assert_false(conform_product_is_wrong(&b.products[i], right_output(&b, &b.products[i]),
                                                  &b.pool, &row, &feature, &want));
        clean(&b);
    }
}

/* The element is wrong in its last bit, is NaN, or is exchanged with another. */
TEST(one_wrong_element_is_found_wherever_it_is)
{
    const conform_case c = lattice(IFN_OP_LINEAR, IFN_DTYPE_Q5_K);
    bench b = build(&c);
    const conform_product *p = &b.products[1];
    float *out = right_output(&b, p);
    for (int64_t i = 0; i < 40; i++) {
        const int64_t row = i * 7 % p->rows, feature = i * 11 % p->features;
        float *at = &out[row * p->out_stride + feature];
        const float right = *at;
        int64_t found_row = -1, found_feature = -1;
        double want = 0;
        *at = i % 2 ? nextafterf(right, 1e30f) : NAN;
        assert_true(conform_product_is_wrong(p, out, &b.pool, &found_row, &found_feature, &want));
        assert_int_equal(found_row, row);
        assert_int_equal(found_feature, feature);
        assert_true(want == (double)right);
        *at = right;
    }
    clean(&b);
}

TEST(only_large_products_on_a_lattice_have_it)
{
    conform_case rounds = lattice(IFN_OP_MATMUL, IFN_DTYPE_F32), hot = rounds, small = rounds,
                 thin = rounds, sum = rounds;
    rounds.tier = TIER_T1;
    rounds.family = FAMILY_NORMAL;
    hot.family = FAMILY_ONE_HOT;
    small.dim[0] = 2;
    thin = (conform_case){
        .op = IFN_OP_MATMUL, .dim = {1, 4096, 256}, .tier = TIER_T0, .family = FAMILY_LATTICE};
    sum = (conform_case){.op = IFN_OP_RMS_NORM,
                         .dim = {1024, 1024, 0, 5},
                         .tier = TIER_T0,
                         .family = FAMILY_LATTICE};
    const conform_case cases[] = {rounds, hot, small, thin, sum};
    for (size_t i = 0; i < N_OF(cases); i++) {
        bench b = build(&cases[i]);
        assert_int_equal(b.n, 0);
        clean(&b);
    }
}
