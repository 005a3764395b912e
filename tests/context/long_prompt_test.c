/* A prompt that fills much of the context gets large pages, if the system has them. */
#include <stdlib.h>

#include <inferno/huge_pages.h>

#include "context_priv.h"
#include "page_marks.h"
#include "road.h"

enum { MAX_POS = 768 };

/* Returns whether the middle of the context is marked for large pages after n ids, evaluated `each` at a time. */
static int is_marked_behind(const ifn_context_params *p, int64_t n, int64_t each)
{
    tiny_model m = tiny_default("qwen3");
    m.n_kv_heads = m.n_heads = 8;
    m.head_dim = 128;
    road r = road_open(&m, p);
    ifn_token *const ids = calloc((size_t)n, sizeof *ids);
    ifn_error err = {0};
    assert_non_null(ids);
    assert_true(r.context->block_bytes >= 4 * IFN_HUGE_PAGE);
    for (int64_t i = 0; i < n; i += each)
        assert_ok(ifn_context_eval(r.context, ids + i, (size_t)(n - i < each ? n - i : each), &err),
                  err);
    const int is_marked =
        is_marked_huge((const char *)r.context->block + r.context->block_bytes / 2);
    free(ids);
    road_close(&r);
    return is_marked;
}

static void skip_without_huge_pages(void)
{
    void *const probe = aligned_alloc(IFN_HUGE_PAGE, IFN_HUGE_PAGE);
    const int has_them = probe && ifn_advise_huge_pages(probe, IFN_HUGE_PAGE) > 0;
    free(probe);
    if (!has_them)
        skip();
}

TEST(half_of_the_context_at_once_asks_for_large_pages)
{
    ifn_context_params p = road_params();
    p.max_pos = MAX_POS;
    skip_without_huge_pages();
    assert_int_not_equal(is_marked_behind(&p, MAX_POS / 2, MAX_POS / 2), 0);
}

TEST(half_of_the_context_in_pieces_asks_for_large_pages)
{
    ifn_context_params p = road_params();
    p.max_pos = MAX_POS;
    skip_without_huge_pages();
    assert_int_not_equal(is_marked_behind(&p, MAX_POS / 2, MAX_POS / 8), 0);
}

TEST(a_short_text_leaves_them_small)
{
    ifn_context_params p = road_params();
    p.max_pos = MAX_POS;
    assert_int_not_equal(is_marked_behind(&p, 4, 1), 1);
    assert_int_not_equal(is_marked_behind(&p, MAX_POS / 2 - 1, MAX_POS / 8), 1);
}
