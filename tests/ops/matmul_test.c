#include <math.h>

#include "op_case.h"

typedef struct product {
    const float *a, *b;
    float *out;
    int64_t m, n, p;
} product;

static product build(op_case *c, uint64_t seed, op_floats_kind kind)
{
    op_begin(c, IFN_OP_MATMUL, seed);
    product t = {.m = op_size(c, 12), .n = op_size(c, 150), .p = op_size(c, 40)};
    t.a = op_floats(c, t.m * t.n, kind);
    t.b = op_floats(c, t.n * t.p, kind);
    t.out = op_output(c, t.m * t.p * 4);
    c->args.matmul =
        IFN_ARGS(matmul, .out = t.out, .a = t.a, .b = t.b, .m = t.m, .n = t.n, .p = t.p);
    op_shape(c, "m %d, n %d, p %d", (int)t.m, (int)t.n, (int)t.p);
    return t;
}

/* Computes column by column, the last term first, unlike any kernel. */
static void expect_product(const op_case *c, const product *t, int exact)
{
    for (int64_t j = 0; j < t->p; j++) {
        for (int64_t i = 0; i < t->m; i++) {
            op_sum s = {0};
            for (int64_t l = t->n - 1; l >= 0; l--)
                op_add(&s, (double)t->a[i * t->n + l] * (double)t->b[l * t->p + j]);
            const double bound = op_sum_bound(&s, (double)t->n) + (double)t->n * OP_SMIN;
            op_expect(c, "out", i * t->p + j, t->out[i * t->p + j], op_value(&s),
                      exact ? 0 : bound);
        }
    }
}

TEST(every_element_is_within_the_bound_of_its_sum)
{
    static const op_floats_kind kinds[] = {OP_PLAIN, OP_WIDE, OP_TINY};
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        const product t = build(&c, seed, kinds[seed % N_OF(kinds)]);
        while (op_next(&c))
            expect_product(&c, &t, 0);
    }
}

TEST(products_of_integers_are_exact)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        op_case c;
        const product t = build(&c, seed, OP_LATTICE);
        while (op_next(&c))
            expect_product(&c, &t, 1);
    }
}

TEST(known_values_and_no_zero_is_skipped)
{
    op_case c;
    op_begin(&c, IFN_OP_MATMUL, 0);
    const float *a = OP_IN(&c, 1, 2, 3, 0, 5, 6);
    const float *b = OP_IN(&c, 7, INFINITY, 9, 10, 11, 12);
    float *out = op_output(&c, 4 * sizeof *out);
    c.args.matmul = IFN_ARGS(matmul, .out = out, .a = a, .b = b, .m = 2, .n = 3, .p = 2);
    while (op_next(&c))
        OP_EXPECT(&c, out, 58, INFINITY, 111, NAN);
}

TEST(a_negative_extent_is_refused)
{
    for (int i = 0; i < 3; i++) {
        op_case c;
        op_begin(&c, IFN_OP_MATMUL, 0);
        c.args.matmul = IFN_ARGS(matmul, .m = -(i == 0), .n = -(i == 1), .p = -(i == 2));
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
