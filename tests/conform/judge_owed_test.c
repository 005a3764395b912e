/*
 * Bits that a backend owes without a promise: rows of Q8_32F equal the f32 rows quantized, the two rope ops are equal,
 * and a call in place equals one that is not. A backend owes them if it computes both sides; if its base computes one,
 * only bounds count.
 */
#include <math.h>

#include <inferno/quant.h>

#include "leaves.h"

enum { BLOCK = 32 };

static const conform_case glu_case = {.op = IFN_OP_SWIGLU,
                                      .out_dtype = IFN_DTYPE_Q8_32F,
                                      .dim = {3, 64},
                                      .tier = TIER_T1,
                                      .family = FAMILY_NORMAL};
static const conform_case rope_case = {
    .op = IFN_OP_APPLY_ROPE, .dim = {4, 2, 16, 7, 0}, .tier = TIER_T1, .family = FAMILY_NORMAL};
static const conform_case silu_in_place = {
    .op = IFN_OP_SILU, .dim = {37}, .tier = TIER_T1, .family = FAMILY_NORMAL, .alias = 1};

/* --- swiglu --- */

/* Computes in f64, then adds a unit in the last place: never scalar's bits, always within its bounds. */
static float glu_of(double gate, double up)
{
    return nextafterf((float)(gate / (1 + exp(-gate)) * up), INFINITY);
}

/* `ulp` is how far the value that is quantized is from the value that is written in f32. */
static ifn_status own_glu(const ifn_swiglu_args *a, int ulp)
{
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->rows;
    float block[BLOCK];
    IFN_TRY(ifn_op_check(IFN_OP_SWIGLU, &a->call, NULL));
    for (int64_t i = begin * a->dim; i < end * a->dim; i++) {
        const float y = glu_of(a->gate[i], a->up[i]);
        if (a->out_dtype == IFN_DTYPE_F32)
            ((float *)a->out)[i] = y;
        block[i % BLOCK] = ulp ? nextafterf(y, INFINITY) : y;
        if (a->out_dtype != IFN_DTYPE_F32 && i % BLOCK == BLOCK - 1)
            IFN_TRY(ifn_quantize_row(a->out_dtype, block, (ifn_block_q8_32f *)a->out + i / BLOCK,
                                     BLOCK));
    }
    return IFN_OK;
}

static ifn_status blocks_of_base_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    return a->out_dtype == IFN_DTYPE_F32 ? own_glu(a, 0) : ifn_swiglu(self->base, a);
}

static ifn_status floats_of_base_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    return a->out_dtype == IFN_DTYPE_F32 ? ifn_swiglu(self->base, a) : own_glu(a, 0);
}

static ifn_status both_own_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    (void)self;
    return own_glu(a, 0);
}

static ifn_status apart_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    (void)self;
    return own_glu(a, 1);
}

/* Lets the base compute both forms, and changes one of them afterwards. */
static ifn_status edited_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    const ifn_status status = ifn_swiglu(self->base, a);
    ifn_block_q8_32f *const blocks = a->out;
    if (a->out_dtype == IFN_DTYPE_Q8_32F && a->part_begin == 0 && a->rows > 0)
        blocks[0].d = nextafterf(blocks[0].d, INFINITY);
    return status;
}

LEAF(swiglu, blocks_of_base)
LEAF(swiglu, floats_of_base)
LEAF(swiglu, both_own)
LEAF(swiglu, apart)
LEAF(swiglu, edited)

TEST(rows_and_blocks_of_two_providers_need_not_agree)
{
    for (int i = 0; i < 2; i++) {
        const leaf_statistics blocks = leaf_judge(&blocks_of_base[i], glu_case, CHECK_FORM);
        const leaf_statistics floats = leaf_judge(&floats_of_base[i], glu_case, CHECK_FORM);
        assert_that(!blocks.n_check && !blocks.n_other, "%s", blocks.first);
        assert_that(!floats.n_check && !floats.n_other, "%s", floats.first);
    }
}

TEST(rows_and_blocks_of_one_provider_agree)
{
    const leaf_statistics own = leaf_judge(&both_own[1], glu_case, CHECK_FORM);
    assert_that(!own.n_check && !own.n_other, "%s", own.first);
    const leaf_statistics otherwise = leaf_judge(&apart[1], glu_case, CHECK_FORM);
    assert_that(otherwise.n_check > 0 && !otherwise.n_other, "%s", otherwise.first);
    assert_true(leaf_judge(&edited[1], glu_case, CHECK_FORM).n_check > 0);
}

/* --- rope --- */

/* Computes x0 c + x1 s with one rounding; scalar rounds three times. */
static float rounded_once(double x0, double x1, double c, double s)
{
    return (float)(x0 * c + x1 * s);
}

static float rounded_thrice(float x0, float x1, float c, float s)
{
    return x0 * c + x1 * s;
}

static void own_rotation(float *out, const float *x, const float *table, int64_t head_dim,
                         bool is_rounded_once)
{
    const int64_t half = head_dim / 2;
    for (int64_t i = 0; i < half; i++) {
        const float c = table[i], s = table[half + i], x0 = x[i], x1 = x[half + i];
        out[i] = is_rounded_once ? rounded_once(x0, x1, c, -s) : rounded_thrice(x0, x1, c, -s);
        out[half + i] = is_rounded_once ? rounded_once(x0, x1, s, c) : rounded_thrice(x0, x1, s, c);
    }
}

/* dim[4] of the case is 0: the elements of a pair are half a head apart. */
static ifn_status own_rows(const ifn_apply_rope_args *a, int64_t begin, int64_t end)
{
    for (int64_t r = begin; r < end; r++)
        for (int64_t h = 0; h < a->n_heads; h++) {
            const int64_t at = (r * a->n_heads + h) * a->head_dim;
            own_rotation(a->out + at, a->x + at, a->table + r * a->head_dim, a->head_dim, true);
        }
    return IFN_OK;
}

static ifn_status own_row(const ifn_apply_rope_single_row_args *a, bool is_rounded_once)
{
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->n_heads;
    for (int64_t h = begin; h < end; h++)
        own_rotation(a->out + h * a->head_dim, a->x + h * a->head_dim, a->table, a->head_dim,
                     is_rounded_once);
    return IFN_OK;
}

static ifn_status rows_alone_apply_rope(ifn_backend *self, const ifn_apply_rope_args *a)
{
    (void)self;
    return own_rows(a, a->part_begin, a->part_end ? a->part_end : a->rows);
}

/* Computes rows in pairs; its base computes an odd last row. */
static ifn_status pairs_apply_rope(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->rows;
    const int64_t whole = begin + (end - begin) / 2 * 2;
    ifn_apply_rope_args rest = *a;
    rest.part_begin = whole;
    rest.part_end = end;
    IFN_TRY(own_rows(a, begin, whole));
    return whole < end ? ifn_apply_rope(self->base, &rest) : IFN_OK;
}

static ifn_status one_alone_apply_rope_single_row(ifn_backend *self,
                                                  const ifn_apply_rope_single_row_args *a)
{
    (void)self;
    return own_row(a, true);
}

static ifn_status given_apply_rope_single_row(ifn_backend *self,
                                              const ifn_apply_rope_single_row_args *a)
{
    return ifn_apply_rope_single_row(self->base, a);
}

static ifn_status other_apply_rope_single_row(ifn_backend *self,
                                              const ifn_apply_rope_single_row_args *a)
{
    (void)self;
    return own_row(a, false);
}

/* ROPES(word, rows, one) fills both ops of rope; LEAF fills only one. */
#define ROPES(word, rows, one)                                                                     \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->apply_rope = rows##_apply_rope;                                                     \
        table->apply_rope_single_row = one##_apply_rope_single_row;                                \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .fill = fill_##word,                              \
                                                 .manifest = &leaf_promises_none};                 \
    static const conform_tested word = {#word, leaf_open, &desc_##word};

LEAF(apply_rope, rows_alone)
LEAF(apply_rope_single_row, one_alone)
ROPES(handed_over, rows_alone, given)
ROPES(in_pairs, pairs, given)
ROPES(one_way, rows_alone, one_alone)
ROPES(two_ways, rows_alone, other)

/* Judges each of the two rope ops against the other. */
static void expect_rope(const conform_tested *tested, bool is_caught)
{
    const conform_case row = {.op = IFN_OP_APPLY_ROPE_SINGLE_ROW,
                              .dim = {2, 16, 7, 0},
                              .tier = TIER_T1,
                              .family = FAMILY_NORMAL};
    const conform_case cases[] = {rope_case, row};
    for (size_t i = 0; i < N_OF(cases); i++) {
        const leaf_statistics t = leaf_judge(tested, cases[i], CHECK_CHUNKS);
        assert_that((t.n_check > 0) == is_caught && !t.n_other, "%s: %s", tested->label, t.first);
        assert_true(t.relation.tried > 0);
    }
}

TEST(rows_and_a_row_of_two_providers_need_not_agree)
{
    conform_case odd = rope_case;
    odd.dim[0] = 5;
    for (int i = 0; i < 2; i++) {
        expect_rope(&rows_alone[i], false);
        expect_rope(&one_alone[i], false);
    }
    expect_rope(&handed_over, false);
    expect_rope(&in_pairs, false);
    assert_int_equal(leaf_judge(&in_pairs, odd, CHECK_CHUNKS).n_check, 0);
}

TEST(rows_and_a_row_of_one_provider_agree)
{
    expect_rope(&one_way, false);
    expect_rope(&two_ways, true);
}

/* --- in place --- */

static ifn_status silu_of_own(const ifn_silu_args *a, int ulp)
{
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->n;
    for (int64_t i = begin; i < end; i++) {
        const double x = a->x[i];
        a->out[i] = nextafterf((float)(x / (1 + exp(-x))), ulp ? -INFINITY : INFINITY);
    }
    return IFN_OK;
}

static ifn_status copied_silu(ifn_backend *self, const ifn_silu_args *a)
{
    return a->out == a->x ? ifn_silu(self->base, a) : silu_of_own(a, 0);
}

static ifn_status in_two_ways_silu(ifn_backend *self, const ifn_silu_args *a)
{
    (void)self;
    return silu_of_own(a, a->out == a->x);
}

static const ifn_manifest promises_in_place = {.manifest_bytes = sizeof promises_in_place,
                                               .invariances = 1u << 6};
LEAF_WITH(silu, copied, promises_in_place, leaf_promises_none)
LEAF(silu, in_two_ways)

/* --- addresses --- */

/* Other bits where x does not end with a page, as a guarded tensor does, so that they depend on the address as those of
 * a loop that peels to an aligned one do. */
static ifn_status peeled_silu(ifn_backend *self, const ifn_silu_args *a)
{
    const ifn_status status = ifn_silu(self->base, a);
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->n;
    if (status == IFN_OK && (uintptr_t)(a->x + a->n) % 4096 != 0)
        leaf_nudge(a->out + begin, end - begin);
    return status;
}

static const ifn_manifest all_but_r4 = {.manifest_bytes = sizeof all_but_r4,
                                        .invariances = 0x7ff & ~(1u << 4)};
LEAF_WITH(silu, peeled, all_but_r4, leaf_promises_none)

TEST(without_r4_bits_may_depend_on_where_a_tensor_lies)
{
    static const conform_case at_home = {
        .op = IFN_OP_SILU, .dim = {37}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    conform_case large = silu_in_place;
    large.dim[0] = (1 << 17) + 5;
    const leaf_statistics order = leaf_judge(&peeled[0], at_home, CHECK_ORDER);
    assert_that(!order.n_check && !order.n_other, "%s", order.first);
    assert_true(order.relation.tried > order.relation.held);
    for (int i = 0; i < 2; i++) {
        const leaf_statistics small = leaf_judge(&peeled[i], silu_in_place, CHECK_ALIAS),
                              t = leaf_judge(&peeled[i], large, CHECK_ALIAS);
        assert_that(!small.n_check && !small.n_other, "%s", small.first);
        assert_that(!t.n_check && !t.n_other, "%s", t.first);
    }
}

/* Other bits in calls of four rows and more. */
static ifn_status crowded_softmax_rows(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const ifn_status status = ifn_softmax_rows(self->base, a);
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->rows;
    if (status == IFN_OK && a->rows >= 4)
        leaf_nudge(a->out + begin * a->cols, (end - begin) * a->cols);
    return status;
}

static const ifn_manifest rows_alone_alike = {.manifest_bytes = sizeof rows_alone_alike,
                                              .invariances = 1u << 2};
LEAF_WITH(softmax_rows, crowded, rows_alone_alike, leaf_promises_none)

/* The rows before the first cut lie where they lay in the whole call. */
TEST(without_r4_the_first_rows_have_their_place)
{
    static const conform_case c = {
        .op = IFN_OP_SOFTMAX_ROWS, .dim = {6, 40}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    assert_true(leaf_judge(&crowded[0], c, CHECK_BATCH).n_check > 0);
    assert_int_equal(leaf_judge(&crowded[1], c, CHECK_BATCH).n_check, 0);
}

TEST(in_place_may_be_the_bases)
{
    const leaf_statistics t = leaf_judge(&copied[1], silu_in_place, CHECK_ALIAS);
    assert_that(!t.n_check && !t.n_other, "%s", t.first);
    assert_true(t.relation.tried > t.relation.held && t.relation.demanded <= t.relation.held);
    assert_true(leaf_judge(&copied[0], silu_in_place, CHECK_ALIAS).n_check > 0);
    assert_true(leaf_judge(&in_two_ways[1], silu_in_place, CHECK_ALIAS).n_check > 0);
}
