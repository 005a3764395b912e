/* R5 of a cache in pages: the places of pages change no bit, and no op touches memory that is in no page. */
#include "far_map.h"
#include "leaves.h"

#include <inferno/spans.h>

/* R10 is not promised: other sequences have pages, too, and judge_company.c would find these faults first. */
static const ifn_manifest promises = {
    .manifest_bytes = sizeof promises, .invariances = 0x3ff, .spans = 1, .pages = 1};
static const ifn_manifest promises_none = {
    .manifest_bytes = sizeof promises_none, .spans = 1, .pages = 1};

static conform_case attention_case(int64_t rows, int64_t first_pos, ifn_dtype dtype,
                                   int64_t cut_keys)
{
    return (conform_case){.op = IFN_OP_ATTENTION,
                          .dtype = dtype,
                          .dim = {rows, first_pos, 1, 2, 2, 32, cut_keys},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static conform_case store_case(int64_t rows, int64_t first_pos)
{
    return (conform_case){.op = IFN_OP_KV_STORE,
                          .dim = {rows, first_pos, 2, 2, 16},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

/* Whether a call of either op has pages that it may have: the wrong ones below leave other calls to their base. */
#define HAS_LEGAL_PAGES(a)                                                                         \
    ((a)->n_spans ? ifn_spans_fit_cache((a)->spans, (a)->n_spans, (a)->rows, (a)->first_pos,       \
                                        (a)->n_pages, (a)->page_rows, (a)->max_pos) &&             \
                        ifn_pages_of_spans_fit((a)->spans, (a)->n_spans, (a)->pages, (a)->n_pages, \
                                               (a)->page_rows, (a)->max_pos)                       \
                  : ifn_pages_fit((a)->pages, (a)->n_pages, (a)->page_rows, (a)->max_pos,          \
                                  (a)->first_pos + (a)->rows))

static ifn_status honest_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return ifn_attention(self->base, a);
}

/* Gives other bits for a cache in pages. */
static ifn_status nudged_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (status == IFN_OK && a->page_rows > 0 && a->phase != IFN_ATTENTION_PARTIALS)
        leaf_nudge(a->out, a->rows * a->n_heads * a->head_dim);
    return status;
}

/* Takes the pages of a sequence for consecutive ones, from its first entry on. */
static ifn_status first_attention(ifn_backend *self, const ifn_attention_args *a)
{
    int32_t table[64];
    ifn_attention_args one = *a;
    if (a->page_rows == 0 || a->n_pages > 64 ||
        ifn_op_check(IFN_OP_ATTENTION, &a->call, NULL) != IFN_OK)
        return ifn_attention(self->base, a);
    for (int64_t i = 0; i < a->n_pages; i++) {
        const int64_t next = i > 0 ? table[i - 1] + 1 : a->pages[0];
        table[i] = (int32_t)(next < a->max_pos / a->page_rows ? next : 0);
    }
    one.pages = table;
    return ifn_attention(self->base, &one);
}

/* Takes pages for consecutive ones if the last entry minus the first equals the number of pages between. */
static ifn_status by_ends_attention(ifn_backend *self, const ifn_attention_args *a)
{
    int32_t table[64];
    ifn_attention_args run = *a;
    const int64_t n =
        a->page_rows > 0 ? (a->first_pos + a->rows + a->page_rows - 1) / a->page_rows : 0;
    if (n < 3 || n > 64 || a->n_spans > 0 || !HAS_LEGAL_PAGES(a) ||
        a->pages[n - 1] - a->pages[0] != n - 1)
        return ifn_attention(self->base, a);
    for (int64_t i = 0; i < n; i++)
        table[i] = a->pages[0] + (int32_t)i;
    run.pages = table;
    run.n_pages = n;
    return ifn_attention(self->base, &run);
}

/* Takes every span but the first for one that begins at a multiple of 64 rows. */
static ifn_status rounded_attention(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_span spans[2];
    ifn_attention_args rounded = *a;
    if (a->page_rows == 0 || a->n_spans != 2)
        return ifn_attention(self->base, a);
    for (int i = 0; i < 2; i++)
        spans[i] = a->spans[i];
    spans[1].begin = spans[1].begin / 64 * 64;
    rounded.spans = spans;
    return ifn_attention(self->base, &rounded);
}

/* Prefetches: reads the entry after the one of the last row. */
static ifn_status ahead_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (a->page_rows > 0 && a->n_spans == 0 && status == IFN_OK)
        (void)((const volatile int32_t *)a->pages)[(a->first_pos + a->rows - 1) / a->page_rows + 1];
    return status;
}

static ifn_status stored_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    return ifn_kv_store(self->base, a);
}

/* Stores all rows in a run from the place of the first row, past the end of its page, if there is room. */
static ifn_status run_on_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args one = *a;
    if (a->page_rows == 0 || a->n_spans > 1 || a->rows == 0 || !HAS_LEGAL_PAGES(a))
        return ifn_kv_store(self->base, a);
    const int64_t first = a->n_spans ? a->spans[0].begin + a->spans[0].first_pos : a->first_pos;
    one.first_pos = ifn_page_row(a->pages, a->page_rows, first);
    one.spans = NULL;
    one.pages = NULL;
    one.n_spans = one.n_pages = one.page_rows = 0;
    return one.first_pos > a->max_pos - a->rows ? ifn_kv_store(self->base, a)
                                                : ifn_kv_store(self->base, &one);
}

/* Refuses a call if a page is in two of the first n entries. */
static ifn_status store_once(ifn_backend *self, const ifn_kv_store_args *a, int64_t n)
{
    for (int64_t i = 0; a->page_rows > 0 && i < n; i++)
        for (int64_t k = 0; k < i; k++)
            if (a->pages[i] == a->pages[k])
                return IFN_ERR_SHAPE;
    return ifn_kv_store(self->base, a);
}

/* Checks the entries up to that of the last row. */
static ifn_status strict_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    const int64_t first = a->n_spans ? a->spans[0].begin + a->spans[0].first_pos : a->first_pos;
    const int64_t rows = first + a->rows + a->page_rows - 1;
    return store_once(self, a, a->page_rows > 0 ? rows / a->page_rows : 0);
}

/* Checks all entries, the later ones too, which it must not. */
static ifn_status strictest_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    return store_once(self, a, a->n_pages);
}

/* Returns the number of entries up to the last row of all spans. */
static int64_t entries(const ifn_span *spans, int64_t n_spans, ifn_span alone, int64_t page_rows)
{
    int64_t end = alone.first_pos + alone.rows;
    for (int64_t i = 0; i < n_spans; i++) {
        const int64_t own = spans[i].begin + spans[i].first_pos + spans[i].rows;
        end = i == 0 || own > end ? own : end;
    }
    return page_rows > 0 ? (end + page_rows - 1) / page_rows : 0;
}

/* NARROWED(op, a) calls op with page numbers that are truncated to 16 bits. */
#define NARROWED(op, a)                                                                            \
    int32_t table[256];                                                                            \
    ifn_##op##_args narrow = *a;                                                                   \
    if (!HAS_LEGAL_PAGES(a))                                                                       \
        return ifn_##op(self->base, a);                                                            \
    const ifn_span alone = {0, a->first_pos, a->rows};                                             \
    const int64_t n = entries(a->spans, a->n_spans, alone, a->page_rows);                          \
    for (int64_t i = 0; i < n && i < 256; i++)                                                     \
        table[i] = a->pages[i] & 0xffff;                                                           \
    narrow.pages = table;                                                                          \
    return ifn_##op(self->base, n > 0 && n <= 256 ? &narrow : a)

static ifn_status narrow_attention(ifn_backend *self, const ifn_attention_args *a)
{
    NARROWED(attention, a);
}

static ifn_status narrow_store_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    NARROWED(kv_store, a);
}

LEAF_WITH(attention, honest, promises, promises_none)
LEAF_WITH(attention, nudged, promises, promises_none)
LEAF_WITH(attention, first, promises, promises_none)
LEAF_WITH(attention, by_ends, promises, promises_none)
LEAF_WITH(attention, rounded, promises, promises_none)
LEAF_WITH(kv_store, stored, promises, promises_none)
LEAF_WITH(kv_store, run_on, promises, promises_none)
LEAF_WITH(kv_store, strict, promises, promises_none)
LEAF_WITH(kv_store, strictest, promises, promises_none)
LEAF_WITH(attention, narrow, promises, promises_none)
LEAF_WITH(kv_store, narrow_store, promises, promises_none)

TEST(pages_change_nothing)
{
    leaf_expect_honest(honest, attention_case(1, 5, IFN_DTYPE_F32, 0), CHECK_PAGES);
    leaf_expect_honest(honest, attention_case(4, 70, IFN_DTYPE_F16, 0), CHECK_PAGES);
    leaf_expect_honest(honest, attention_case(2, 60, IFN_DTYPE_Q8_0, 1), CHECK_PAGES);
    leaf_expect_honest(stored, store_case(4, 30), CHECK_PAGES);
}

TEST(a_path_for_pages_breaks_r5)
{
    leaf_expect_caught(nudged, attention_case(1, 5, IFN_DTYPE_F32, 0), CHECK_PAGES);
    leaf_expect_caught(nudged, attention_case(3, 40, IFN_DTYPE_F32, 1), CHECK_PAGES);
}

static void expect_found(const conform_tested *broken, conform_case c)
{
    const leaf_statistics t = leaf_judge(broken, c, CHECK_PAGES);
    assert_true(t.n_check > 0);
    assert_int_equal(t.n_other, leaf_judge(broken, c, CHECK_COMPANY).n_check);
}

/* The same of a fault that few draws show, in one of some hundred cases. */
static void expect_found_among_many(const conform_tested *broken, conform_case c)
{
    int n_found = 0;
    for (c.seed = 1; c.seed <= 480 && n_found == 0; c.seed++) {
        const conform_verdict v = judge_once(broken, &c);
        n_found += v.outcome == OUTCOME_FAIL && v.check == CHECK_PAGES;
        assert_that(v.outcome == OUTCOME_PASS || v.check == CHECK_PAGES || v.check == CHECK_COMPANY,
                    "%s", v.detail);
    }
    assert_true(n_found > 0);
}

/* The truth finds them also where the backend promises no bits. */
TEST(pages_that_are_not_those_of_the_table_are_found)
{
    for (int i = 0; i < 2; i++) {
        expect_found(&first[i], attention_case(2, 100, IFN_DTYPE_F32, 0));
        expect_found_among_many(&by_ends[i], attention_case(2, 100, IFN_DTYPE_F32, 0));
        expect_found_among_many(&rounded[i], attention_case(2, 20, IFN_DTYPE_F32, 0));
        expect_found_among_many(&run_on[i], store_case(20, 10));
    }
}

TEST(a_page_may_be_named_where_it_is_not_written)
{
    for (int i = 0; i < 2; i++)
        expect_found(&strict[i], store_case(4, 70));
}

/* The strict backend refuses the call, or dies where the entry is protected. */
TEST(a_later_entry_may_name_a_page_that_is_written)
{
    for (int i = 0; i < 2; i++) {
        int n_failed = 0, n_dead = 0;
        conform_case c = store_case(4, 0);
        conform_outcome outcome;
        for (c.seed = 0; c.seed < 48; c.seed++) {
            const bool is_dead = judge_is_fatal(&strictest[i], &c, &outcome);
            n_dead += is_dead;
            n_failed += !is_dead && outcome == OUTCOME_FAIL;
        }
        assert_true(n_failed > 0 && (n_dead > 0 || !guard_protects()));
    }
}

/* A store to the wrong page ends the process, because that page is protected against writes. */
TEST(pages_have_numbers_of_more_than_16_bits)
{
    conform_case c = store_case(4, 30);
    conform_outcome outcome;
    int n_dead = 0;
    if (!guard_protects() || !far_map_has_room())
        skip();
    for (int i = 0; i < 2; i++)
        expect_found(&narrow[i], attention_case(2, 100, IFN_DTYPE_F32, 0));
    for (c.seed = 0; c.seed < 48; c.seed++)
        n_dead += judge_is_fatal(&narrow_store[0], &c, &outcome);
    assert_true(n_dead > 0);
}

/* A backend that declares no pages gets no calls with pages. */
static int n_paged;

static ifn_status unasked_attention(ifn_backend *self, const ifn_attention_args *a)
{
    n_paged += a->page_rows != 0;
    return ifn_attention(self->base, a);
}

LEAF(attention, unasked)

TEST(who_does_not_declare_pages_is_not_asked)
{
    const leaf_statistics t =
        leaf_judge(&unasked[0], attention_case(2, 20, IFN_DTYPE_F32, 0), CHECK_PAGES);
    assert_int_equal(t.n_other + t.n_check, 0);
    assert_int_equal(n_paged, 0);
}

LEAF_WITH(attention, ahead, promises, promises_none)

static bool dies_ahead(uint64_t seed)
{
    conform_case c = attention_case(2, 40, IFN_DTYPE_F32, 0);
    conform_outcome outcome;
    c.seed = seed;
    const bool is_dead = judge_is_fatal(&ahead[0], &c, &outcome);
    assert_true(is_dead || outcome == OUTCOME_PASS);
    return is_dead;
}

TEST(an_entry_past_the_last_row_is_not_read)
{
    int n = 0;
    if (!guard_protects())
        skip();
    for (uint64_t seed = 0; seed < 24; seed++)
        n += dies_ahead(seed);
    assert_true(n > 0);
}
