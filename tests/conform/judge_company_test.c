/* R10: the results of a sequence depend on no other sequence, nor on its place among them. */
#include <math.h>

#include <inferno/spans.h>

#include "company_draw.h"
#include "leaves.h"

static conform_case attention_case(int64_t rows, ifn_dtype dtype)
{
    return (conform_case){.op = IFN_OP_ATTENTION,
                          .dtype = dtype,
                          .dim = {rows, 5, 1, 2, 2, 32, 0},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static conform_case store_case(void)
{
    return (conform_case){
        .op = IFN_OP_KV_STORE, .dim = {4, 3, 2, 2, 16}, .tier = TIER_T1, .family = FAMILY_NORMAL};
}

static ifn_status honest_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return ifn_attention(self->base, a);
}

/* Gives other bits where several sequences are in the call. */
static ifn_status crowded_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (status == IFN_OK && a->n_spans > 1)
        leaf_nudge(a->out, a->rows * a->n_heads * a->head_dim);
    return status;
}

/* Gives every sequence as many keys as the longest before it has: the sequence then sees keys of its neighbour in
 * the cache. */
static ifn_status longest_attention(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_span spans[COMPANY_SPANS];
    ifn_attention_args longer = *a;
    int64_t most = 0;
    assert_in_range(a->n_spans, 0, COMPANY_SPANS);
    for (int64_t i = 0; i < a->n_spans; i++) {
        spans[i] = a->spans[i];
        most = spans[i].first_pos > most ? spans[i].first_pos : most;
        if (spans[i].begin + most + spans[i].rows <= a->max_pos)
            spans[i].first_pos = most;
    }
    longer.spans = a->n_spans > 0 ? spans : NULL;
    return ifn_attention(self->base, &longer);
}

static ifn_status stored_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    return ifn_kv_store(self->base, a);
}

static ifn_status put_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    return ifn_kv_store(self->base, a);
}

static ifn_status plain_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return ifn_attention(self->base, a);
}

/* Uses the first span's place in the cache for all spans, where that leaves them in the cache. */
static ifn_status first_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args one = *a;
    const ifn_status status = ifn_op_check(IFN_OP_KV_STORE, &a->call, NULL);
    if (a->n_spans == 0 || status != IFN_OK)
        return status == IFN_OK ? ifn_kv_store(self->base, a) : status;
    const int64_t extent = ifn_cache_extent(a->n_pages, a->page_rows, a->max_pos);
    one.spans = NULL;
    one.n_spans = 0;
    one.first_pos = a->spans[0].begin + a->spans[0].first_pos;
    if (one.first_pos > extent - a->rows)
        one.first_pos = extent - a->rows;
    return ifn_kv_store(self->base, &one);
}

/* Checks and stores one span after another: it refuses a span that does not fit after it has stored those before it. */
static ifn_status hasty_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_status status = a->n_spans > 0 ? IFN_OK : ifn_kv_store(self->base, a);
    for (int64_t i = 0, row = 0; i < a->n_spans && status == IFN_OK; row += a->spans[i++].rows) {
        const ifn_kv_store_args alone = ifn_kv_store_of_span(a, i, row);
        status = ifn_span_fits(&a->spans[i], a->max_pos) ? ifn_kv_store(self->base, &alone)
                                                         : IFN_ERR_SHAPE;
    }
    return status;
}

/* Attends to the first eight spans of a list only; the outputs of the others are 0. */
static ifn_status eight_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    int64_t row = 0;
    for (int64_t i = 0; status == IFN_OK && i < a->n_spans; row += a->spans[i++].rows)
        for (int64_t k = 0; i >= 8 && k < a->spans[i].rows * a->n_heads * a->head_dim; k++)
            a->out[row * a->n_heads * a->head_dim + k] = 0;
    return status;
}

/* Checks the page entries of a span only when it is that span's turn. */
static ifn_status hurried_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    if (a->n_spans == 0)
        return ifn_kv_store(self->base, a);
    if (!ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos))
        return IFN_ERR_SHAPE;
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_kv_store_args alone = ifn_kv_store_of_span(a, i, row);
        const ifn_status status = ifn_kv_store(self->base, &alone);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}

static ifn_status late_attention(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_spans == 0 || a->phase != IFN_ATTENTION_WHOLE)
        return ifn_attention(self->base, a);
    if (!ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos))
        return IFN_ERR_SHAPE;
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_attention_args alone = ifn_attention_of_span(a, i, row);
        const ifn_status status = ifn_attention(self->base, &alone);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}

/* In a cache in pages, lets the second sequence and those after it begin where the first begins. */
static ifn_status paged_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_span spans[COMPANY_SPANS];
    ifn_kv_store_args nearer = *a;
    assert_in_range(a->n_spans, 0, COMPANY_SPANS);
    const ifn_status status = ifn_op_check(IFN_OP_KV_STORE, &a->call, NULL);
    if (status != IFN_OK)
        return status;
    for (int64_t i = 0; i < a->n_spans; i++) {
        spans[i] = a->spans[i];
        if (a->page_rows > 0 && i > 0)
            spans[i].begin = spans[0].begin;
    }
    nearer.spans = a->n_spans > 0 ? spans : NULL;
    return ifn_kv_store(self->base, &nearer);
}

static const ifn_manifest in_pages = {
    .manifest_bytes = sizeof in_pages, .invariances = 0x7ff, .spans = 1, .pages = 1};
static const ifn_manifest in_pages_none = {
    .manifest_bytes = sizeof in_pages_none, .spans = 1, .pages = 1};

LEAF_WITH(kv_store, hurried, in_pages, in_pages_none)
LEAF_WITH(attention, late, in_pages, in_pages_none)
LEAF_WITH(kv_store, paged, in_pages, in_pages_none)
LEAF(kv_store, hasty)
LEAF(attention, honest)
LEAF(attention, eight)
LEAF(attention, crowded)
LEAF(attention, longest)
LEAF(kv_store, stored)
LEAF_WITH(kv_store, put, in_pages, in_pages_none)
LEAF_WITH(attention, plain, in_pages, in_pages_none)
LEAF(kv_store, first)

/* One kernel for a row and another for several. */
static ifn_status of_one_sequence(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args nudged = *a;
    nudged.scale = nextafterf(a->scale, 0);
    return ifn_attention(self->base, a->rows > 1 ? &nudged : a);
}

/* Each sequence by itself: R10 without R2 and R3. */
static ifn_status by_rows_attention(ifn_backend *self, const ifn_attention_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_ATTENTION, &a->call, NULL));
    return a->n_spans ? ifn_attention_by_spans(self, a, of_one_sequence) : of_one_sequence(self, a);
}

static const ifn_manifest without_chunks = {.manifest_bytes = sizeof without_chunks,
                                            .invariances = 0x7ff & ~(1u << 2 | 1u << 3),
                                            .spans = 1};
LEAF_WITH(attention, by_rows, without_chunks, leaf_promises_none)

TEST(two_spans_of_one_sequence_are_chunks)
{
    for (int64_t rows = 1; rows < 5; rows++) {
        const leaf_statistics t =
            leaf_judge(&by_rows[0], attention_case(rows, IFN_DTYPE_F32), CHECK_COMPANY);
        assert_that(!t.n_check && !t.n_other, "%s", t.first);
    }
}

TEST(company_changes_nothing_where_it_may_not)
{
    leaf_expect_honest(honest, attention_case(1, IFN_DTYPE_F32), CHECK_COMPANY);
    leaf_expect_honest(honest, attention_case(4, IFN_DTYPE_F16), CHECK_COMPANY);
    leaf_expect_honest(honest, attention_case(4, IFN_DTYPE_Q8_0), CHECK_COMPANY);
    leaf_expect_honest(stored, store_case(), CHECK_COMPANY);
    leaf_expect_honest(plain, attention_case(4, IFN_DTYPE_F32), CHECK_COMPANY);
    leaf_expect_honest(plain, attention_case(1, IFN_DTYPE_Q8_0), CHECK_COMPANY);
    leaf_expect_honest(put, store_case(), CHECK_COMPANY);
}

TEST(a_path_for_several_sequences_breaks_r10)
{
    leaf_expect_caught(crowded, attention_case(1, IFN_DTYPE_F32), CHECK_COMPANY);
    leaf_expect_caught(crowded, attention_case(3, IFN_DTYPE_F32), CHECK_COMPANY);
}

TEST(keys_of_another_sequence_are_found)
{
    const leaf_statistics t =
        leaf_judge(&longest[0], attention_case(2, IFN_DTYPE_F32), CHECK_COMPANY);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
}

TEST(rows_in_the_place_of_others_are_found)
{
    const leaf_statistics t = leaf_judge(&first[0], store_case(), CHECK_COMPANY);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
}

TEST(a_list_is_refused_before_any_of_it_is_stored)
{
    const leaf_statistics t = leaf_judge(&hasty[0], store_case(), CHECK_WROTE);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
}

TEST(pages_of_a_list_are_looked_at_before_any_of_it_is_done)
{
    const leaf_statistics kept = leaf_judge(&hurried[0], store_case(), CHECK_WROTE);
    assert_true(kept.n_check > 0);
    assert_int_equal(kept.n_other, 0);
    const leaf_statistics attended =
        leaf_judge(&late[0], attention_case(4, IFN_DTYPE_F16), CHECK_WROTE);
    assert_true(attended.n_check > 0);
    assert_int_equal(attended.n_other, 0);
}

TEST(sequences_in_the_pages_of_the_first_are_found)
{
    const leaf_statistics t = leaf_judge(&paged[0], store_case(), CHECK_COMPANY);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
}

/* Some cases draw a list of as many sequences as a server batches: more than eight. */
TEST(sequences_after_the_eighth_are_found)
{
    const leaf_statistics t =
        leaf_judge(&eight[0], attention_case(2, IFN_DTYPE_F32), CHECK_COMPANY);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, 0);
}
