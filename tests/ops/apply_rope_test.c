#include <math.h>
#include <stdlib.h>

#include "op_case.h"

/* Makes a table as a caller does: angles in f64, each entry rounded once. */
static const float *angles(op_case *c, int64_t rows, int64_t head_dim)
{
    float *const table = malloc((size_t)(rows * head_dim) * sizeof *table + 1);
    const int64_t half = head_dim / 2, first = op_below(c, 1 << 20);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = 0; i < half; i++) {
            const double angle = (double)(first + r) * pow(1e4, -(double)i / (double)half);
            table[r * head_dim + i] = (float)cos(angle);
            table[r * head_dim + half + i] = (float)sin(angle);
        }
    }
    const float *const input = op_input(c, table, (size_t)(rows * head_dim) * sizeof *table);
    free(table);
    return input;
}

/* A term that is not finite makes its pair not finite, which is compared by kind: infinity or NaN. */
static void expect_term(const op_case *c, int64_t i, float got, double term0, double term1)
{
    const double bound = op_gamma(2) * (fabs(term0) + fabs(term1)) + 3.0 * OP_SMIN;
    op_expect(c, "out", i, got, term0 + term1, bound);
}

TEST(every_pair_is_rotated_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_APPLY_ROPE, seed);
        const int64_t rows = op_size(&c, 9), n_heads = op_size(&c, 5), half = op_size(&c, 40);
        const int64_t n = rows * n_heads * 2 * half, in_place = op_below(&c, 2);
        const int32_t pairing = (int32_t)op_below(&c, 2);
        const float *x = op_floats(&c, n, op_kind(&c)), *table = angles(&c, rows, 2 * half);
        float *out = in_place ? op_in_place(&c, x, n * 4) : op_output(&c, n * 4);
        c.args.apply_rope =
            IFN_ARGS(apply_rope, .out = out, .x = in_place ? out : x, .table = table, .rows = rows,
                     .n_heads = n_heads, .head_dim = 2 * half, .pairing = pairing);
        op_shape(&c, "rows %d, heads %d, head_dim %d, pairing %d", (int)rows, (int)n_heads,
                 (int)(2 * half), (int)pairing);
        while (op_next(&c)) {
            for (int64_t k = 0; k < n / 2; k++) { /* pairs, counted through all heads */
                const int64_t head = k / half * 2 * half, i = k % half, row = head / (n / rows);
                const int64_t at0 = head + (pairing == IFN_ROPE_INTERLEAVED ? 2 * i : i);
                const int64_t at1 = at0 + (pairing == IFN_ROPE_INTERLEAVED ? 1 : half);
                const double cosine = (double)table[row * 2 * half + i];
                const double sine = (double)table[row * 2 * half + half + i];
                expect_term(&c, at0, out[at0], (double)x[at0] * cosine, -(double)x[at1] * sine);
                expect_term(&c, at1, out[at1], (double)x[at0] * sine, (double)x[at1] * cosine);
            }
        }
    }
}

TEST(known_values)
{
    static const float expected[2][4] = {
        [IFN_ROPE_HALF_SPLIT] = {-3, 2 * 0.5f - 4 * 2, 1, 2 * 2 + 4 * 0.5f},
        [IFN_ROPE_INTERLEAVED] = {-2, 1, 3 * 0.5f - 4 * 2, 3 * 2 + 4 * 0.5f},
    };
    for (int32_t pairing = 0; pairing < 2; pairing++) {
        op_case c;
        op_begin(&c, IFN_OP_APPLY_ROPE, (uint64_t)pairing);
        const float *x = OP_IN(&c, 1, 2, 3, 4);
        const float *table = OP_IN(&c, 0, 0.5f, 1, 2); /* cosines, sines */
        float *out = op_output(&c, 4 * sizeof *out);
        c.args.apply_rope = IFN_ARGS(apply_rope, .out = out, .x = x, .table = table, .rows = 1,
                                     .n_heads = 1, .head_dim = 4, .pairing = pairing);
        while (op_next(&c))
            op_expect_floats(&c, "out", out, expected[pairing], 4);
    }
}

TEST(infinity_stays_in_its_pair)
{
    op_case c;
    op_begin(&c, IFN_OP_APPLY_ROPE, 0);
    const float *x = OP_IN(&c, INFINITY, 2, 3, 4, NAN, 6);
    const float *table = OP_IN(&c, 1, 1, 1, 0, 0, 0); /* position 0 */
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.apply_rope = IFN_ARGS(apply_rope, .out = out, .x = x, .table = table, .rows = 1,
                                 .n_heads = 1, .head_dim = 6);
    while (op_next(&c)) /* 0 * inf is NaN, position 0 or not */
        OP_EXPECT(&c, out, INFINITY, NAN, 3, NAN, NAN, 6);
}

TEST(an_odd_head_or_an_unknown_pairing_is_refused)
{
    const ifn_apply_rope_args wrong[] = {
        IFN_ARGS(apply_rope, .head_dim = 3),
        IFN_ARGS(apply_rope, .head_dim = 4, .pairing = 2),
        IFN_ARGS(apply_rope, .head_dim = 4, .pairing = -1),
        IFN_ARGS(apply_rope, .head_dim = -2),
        IFN_ARGS(apply_rope, .rows = -1),
        IFN_ARGS(apply_rope, .n_heads = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_APPLY_ROPE, i);
        c.args.apply_rope = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
