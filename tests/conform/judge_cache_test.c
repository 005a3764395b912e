/* R3, R5, R8 and R9 of the ops that work on positions: each fake backend breaks one of them by a unit in the last
 * place. */
#include "leaves.h"

/* cut_keys is 0 or 1: both ways to call attention have these relations. */
static conform_case attention_case(int64_t slack, int64_t cut_keys)
{
    return (conform_case){.op = IFN_OP_ATTENTION,
                          .dim = {4, 3, slack, 2, 2, 16, cut_keys},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static conform_case store_case(void)
{
    return (conform_case){
        .op = IFN_OP_KV_STORE, .dim = {4, 3, 2, 2, 16}, .tier = TIER_T1, .family = FAMILY_NORMAL};
}

static conform_case rope_case(void)
{
    return (conform_case){
        .op = IFN_OP_APPLY_ROPE, .dim = {4, 2, 16, 7, 0}, .tier = TIER_T1, .family = FAMILY_NORMAL};
}

static int64_t size_of_head(const ifn_attention_args *a)
{
    return a->rows * a->n_heads * a->head_dim;
}

/* Parts of a call are left alone: R1 judges those. */
static int is_whole(const ifn_attention_args *a)
{
    return a->part_end == 0 && a->part2_end == 0 && a->phase != IFN_ATTENTION_PARTIALS;
}

static ifn_status nudged(ifn_backend *self, const ifn_attention_args *a, int is_nudged)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (status == IFN_OK && is_nudged && is_whole(a))
        leaf_nudge(a->out, size_of_head(a));
    return status;
}

static ifn_status honest_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return ifn_attention(self->base, a);
}

/* Gives other bits for a single row. */
static ifn_status decode_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return nudged(self, a, a->rows == 1);
}

/* Gives other bits where the heads of a cache are far apart, in all parts of a call. */
static ifn_status wide_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->n_heads;
    const int is_wide = status == IFN_OK && (a->n_spans > 0 || a->max_pos > a->first_pos + a->rows);
    for (int64_t i = 0; is_wide && a->phase != IFN_ATTENTION_PARTIALS && i < a->rows; i++)
        leaf_nudge(a->out + (i * a->n_heads + begin) * a->head_dim, (end - begin) * a->head_dim);
    return status;
}

/* Gives other bits for the first head. */
static ifn_status first_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const int is_done = status == IFN_OK && a->phase != IFN_ATTENTION_PARTIALS;
    for (int64_t i = 0; is_done && i < a->rows; i++)
        if (a->part_begin == 0)
            leaf_nudge(a->out + i * a->n_heads * a->head_dim, a->head_dim);
    return status;
}

/* Reads the key after the last visible one, which is NaN unless a cache was cut back. */
static ifn_status curious_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const int64_t visible = a->first_pos + a->rows;
    const float *keys = a->k_cache;
    const float next = a->max_pos > visible ? keys[visible * a->head_dim] : 0;
    return nudged(self, a, a->n_spans == 0 && (next > 0 || next < 0));
}

static ifn_status stored_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    return ifn_kv_store(self->base, a);
}

static ifn_status chunked_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    if (status == IFN_OK && a->rows == 1 && a->part_end == 0)
        leaf_nudge((float *)a->k_cache + a->first_pos * a->head_dim, a->head_dim);
    return status;
}

static ifn_status single_apply_rope_single_row(ifn_backend *self,
                                               const ifn_apply_rope_single_row_args *a)
{
    const ifn_status status = ifn_apply_rope_single_row(self->base, a);
    leaf_nudge(a->out, a->n_heads * a->head_dim);
    return status;
}

static ifn_status plain_apply_rope(ifn_backend *self, const ifn_apply_rope_args *a)
{
    return ifn_apply_rope(self->base, a);
}

LEAF(attention, honest)
LEAF(attention, decode)
LEAF(attention, wide)
LEAF(attention, first)
LEAF(attention, curious)
LEAF(kv_store, stored)
LEAF(kv_store, chunked)
LEAF(apply_rope, plain)

/* The backend implements both rope ops itself, whatever its manifest says. */
static void fill_single(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->apply_rope = plain_apply_rope;
    table->apply_rope_single_row = single_apply_rope_single_row;
}

static const ifn_backend_desc desc_single = {IFN_BACKEND_STAMP, .name = "single", .summary = "",
                                             .fill = fill_single, .manifest = &leaf_promises_none};
static const conform_tested single = {"single", leaf_open, &desc_single};

TEST(what_holds_is_counted)
{
    static const conform_check checks[] = {CHECK_CHUNKS, CHECK_VIEW, CHECK_PERMUTED,
                                           CHECK_TRUNCATED};
    for (size_t i = 0; i < N_OF(checks); i++)
        for (int64_t cut_keys = 0; cut_keys < 2; cut_keys++)
            for (int64_t slack = 0; slack < 5; slack += 2)
                leaf_expect_honest(honest, attention_case(slack, cut_keys), checks[i]);
    leaf_expect_honest(stored, store_case(), CHECK_CHUNKS);
    leaf_expect_honest(plain, rope_case(), CHECK_CHUNKS);
}

TEST(a_path_for_decoding_breaks_r3)
{
    leaf_expect_caught(decode, attention_case(1, 0), CHECK_CHUNKS);
    leaf_expect_caught(decode, attention_case(0, 1), CHECK_CHUNKS);
}

TEST(the_length_of_the_cache_breaks_r5)
{
    leaf_expect_caught(wide, attention_case(5, 0), CHECK_VIEW);
}

TEST(a_head_of_its_own_kind_breaks_r8)
{
    leaf_expect_caught(first, attention_case(1, 0), CHECK_PERMUTED);
    leaf_expect_caught(first, attention_case(1, 1), CHECK_PERMUTED);
}

TEST(a_look_behind_the_last_key_breaks_r9)
{
    leaf_expect_caught(curious, attention_case(3, 0), CHECK_TRUNCATED);
    leaf_expect_caught(curious, attention_case(4, 1), CHECK_TRUNCATED);
}

/* kv_store is of class B: where a backend does not promise R3, the truth finds the wrong rows. */
TEST(storing_row_by_row_breaks_r3)
{
    const leaf_statistics t = leaf_judge(&chunked[0], store_case(), CHECK_CHUNKS);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
    assert_true(leaf_judge(&chunked[1], store_case(), CHECK_CHUNKS).n_check > 0);
}

TEST(rope_of_one_row_is_rope_of_rows)
{
    assert_true(leaf_judge(&single, rope_case(), CHECK_CHUNKS).n_check > 0);
}
