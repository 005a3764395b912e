/* Sequences that share pages of the cache, and continue in copies of their own. */
#include "road.h"

#include <inferno/batch.h>

#include "kv_pages.h"

enum { N_VOCAB = 61, PAGE = 16 };

/* Opens a context with three sequences in use; n_pages 0: as many pages as all of them can fill. */
static road open_three(ifn_kv kv, int64_t page_rows, int64_t n_pages)
{
    tiny_model m = tiny_default("llama");
    ifn_context_params p = road_params();
    ifn_error err = {0};
    m.head_dim = 32;
    p.kv = kv;
    p.n_sequences = 3;
    p.page_rows = page_rows;
    p.n_pages = n_pages;
    road r = road_open(&m, &p);
    for (int32_t i = 1, s; i < 3; i++)
        assert_ok(ifn_context_sequence_add(r.context, &s, &err), err);
    return r;
}

static const ifn_token *text(void)
{
    static ifn_token ids[64];
    for (int i = 0; i < 64; i++)
        ids[i] = (i * 7 + 3) % N_VOCAB;
    return ids;
}

static void expect_in_use(const road *r, int64_t n)
{
    int64_t in_use;
    (void)ifn_context_pages(r->context, &in_use);
    assert_int_equal(in_use, n);
}

static void copy(road *r, int32_t from, int32_t to, int64_t n)
{
    ifn_error err = {0};
    assert_ok(ifn_context_sequence_copy(r->context, from, to, n, &err), err);
}

/* Evaluates one more id of each sequence. */
static void go_on(road *r, const ifn_token ids[3], float logits[3][N_VOCAB])
{
    const ifn_batch_part parts[] = {{0, 1, &ids[0], 1, logits[0]},
                                    {1, 1, &ids[1], 1, logits[1]},
                                    {2, 1, &ids[2], 1, logits[2]}};
    ifn_error err = {0};
    assert_ok(ifn_context_eval_batch(r->context, &(ifn_batch){3, parts}, &err), err);
}

/* 40 rows are two and a half pages. */
TEST(a_shared_prefix_lies_in_memory_once)
{
    static const ifn_kv kinds[] = {IFN_KV_F32, IFN_KV_F16, IFN_KV_Q8_0};
    static const ifn_token first[3] = {5, 6, 7}, second[3] = {9, 8, 9};
    for (size_t k = 0; k < N_OF(kinds); k++) {
        static float got[2][3][N_VOCAB], want[2][3][N_VOCAB];
        road paged = open_three(kinds[k], PAGE, 0), plain = open_three(kinds[k], 0, 0);
        road *const both[] = {&paged, &plain};
        for (int i = 0; i < 2; i++) {
            road_eval(both[i], text(), 40);
            copy(both[i], 0, 1, 40);
            copy(both[i], 0, 2, 32);
        }
        assert_int_equal(ifn_context_pages(paged.context, NULL), 3 * 4);
        assert_int_equal(ifn_context_pages(plain.context, NULL), 0);
        expect_in_use(&paged, 3);
        go_on(&paged, first, got[0]);
        go_on(&plain, first, want[0]);
        expect_in_use(&paged, 2 + 3); /* each continues in a page of its own */
        go_on(&paged, second, got[1]);
        go_on(&plain, second, want[1]);
        expect_in_use(&paged, 2 + 3);
        assert_memory_equal(got, want, sizeof want);
        road_close(&paged);
        road_close(&plain);
    }
}

TEST(pages_are_given_back_by_the_last_who_has_them)
{
    ifn_error err = {0};
    road r = open_three(IFN_KV_F16, PAGE, 0);
    road_eval(&r, text(), 40);
    copy(&r, 0, 1, 40);
    assert_ok(ifn_context_rewind(r.context, 20, &err), err);
    expect_in_use(&r, 3);
    assert_ok(ifn_context_sequence_cut(r.context, 1, 17, &err), err);
    expect_in_use(&r, 2);
    assert_ok(ifn_context_sequence_drop(r.context, 1, &err), err);
    expect_in_use(&r, 2);
    copy(&r, 0, 2, 16);
    expect_in_use(&r, 2);
    copy(&r, 0, 2, 0);
    assert_ok(ifn_context_rewind(r.context, 0, &err), err);
    expect_in_use(&r, 0);
    road_close(&r);
}

TEST(a_cache_without_a_page_left_refuses_and_changes_nothing)
{
    float before[N_VOCAB], after[N_VOCAB];
    ifn_error err = {0};
    road r = open_three(IFN_KV_F32, PAGE, 3);
    road_eval(&r, text(), 30);
    copy(&r, 0, 1, 30);
    ifn_batch_part parts[] = {{2, 17, text(), 1, NULL}, {0, 1, text() + 30, 1, before}};
    assert_int_equal(ifn_context_eval_batch(r.context, &(ifn_batch){2, parts}, &err),
                     IFN_ERR_NOMEM);
    assert_string_equal(err.text, "another page of the KV cache: all 3 are in use");
    assert_int_equal(ifn_context_position(r.context), 30);
    assert_int_equal(ifn_context_sequence_position(r.context, 2), 0);
    expect_in_use(&r, 2);
    assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){1, &parts[1]}, &err), err);
    expect_in_use(&r, 3);
    parts[1].sequence = 1;
    parts[1].logits = after;
    assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){1, &parts[1]}, &err), err);
    assert_memory_equal(before, after, sizeof before);
    expect_in_use(&r, 3);
    road_close(&r);
}

static void expect_refused(const road *r, ifn_context_params p, const char *text_is)
{
    ifn_plan plan = IFN_PLAN_INIT;
    ifn_error err = {0};
    assert_int_equal(ifn_context_plan(r->model, r->backend, &p, &plan, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, text_is);
}

TEST(pages_have_a_size_and_take_a_cache)
{
    road r = open_three(IFN_KV_F32, 256, 0);
    ifn_context_params p = road_params();
    p.n_pages = 5;
    expect_refused(&r, p, "5 pages of no size: expected page_rows, too");
    p.page_rows = 48;
    expect_refused(&r, p, "pages of 48 rows: expected 16, 32, 64, 128 or 256");
    p.page_rows = 64;
    p.n_pages = -1;
    expect_refused(&r, p, "found -1 pages, expected 0 or more");
    p.n_pages = 0;
    p.kv = IFN_KV_OFF;
    expect_refused(&r, p,
                   "pages without a KV cache: expected none, or a KV cache and the fused "
                   "graph");
    p.kv = IFN_KV_F32;
    p.graph = IFN_GRAPH_PRIMITIVE;
    expect_refused(&r, p,
                   "pages in the primitive graph: expected none, or a KV cache and the "
                   "fused graph");
    road_close(&r);
}
