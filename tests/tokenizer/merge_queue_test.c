#include "merge_queue.h"

#include "draw.h"
#include "fail_alloc.h"
#include "test.h"

TEST(the_smallest_order_comes_first_then_the_leftmost)
{
    enum { N = 2000 };
    ifn_merge_queue queue;
    ifn_merge_queue_init(&queue, ifn_default_allocator());
    uint64_t state_of_draws = 1;
    for (int i = 0; i < N; i++) {
        const uint32_t random = draw(&state_of_draws);
        const ifn_merge merge = {random >> 27, (int32_t)(random >> 8 & 0x3ff), i};
        assert_int_equal(ifn_merge_queue_push(&queue, merge, NULL), IFN_OK);
    }
    ifn_merge last = {0, -1, 0}, next;
    int n = 0;
    for (; ifn_merge_queue_pop(&queue, &next); n++) {
        assert_true(next.order > last.order ||
                    (next.order == last.order && next.left >= last.left));
        last = next;
    }
    assert_int_equal(n, N);
    assert_false(ifn_merge_queue_pop(&queue, &next));
    ifn_merge_queue_fini(&queue);
}

TEST(what_is_pushed_between_pops_takes_its_place)
{
    ifn_merge_queue queue;
    ifn_merge got;
    ifn_merge_queue_init(&queue, ifn_default_allocator());
    assert_int_equal(ifn_merge_queue_push(&queue, (ifn_merge){5, 0, 50}, NULL), IFN_OK);
    assert_int_equal(ifn_merge_queue_push(&queue, (ifn_merge){9, 0, 90}, NULL), IFN_OK);
    assert_true(ifn_merge_queue_pop(&queue, &got));
    assert_int_equal(got.merged, 50);
    assert_int_equal(ifn_merge_queue_push(&queue, (ifn_merge){1, 7, 10}, NULL), IFN_OK);
    assert_true(ifn_merge_queue_pop(&queue, &got));
    assert_int_equal(got.merged, 10);
    assert_true(ifn_merge_queue_pop(&queue, &got));
    assert_int_equal(got.merged, 90);
    ifn_merge_queue_fini(&queue);
}

TEST(without_memory_a_push_fails_and_nothing_leaks)
{
    fail_alloc heap;
    fail_alloc_init(&heap, 0);
    ifn_merge_queue queue;
    ifn_merge_queue_init(&queue, &heap.allocator);
    assert_int_equal(ifn_merge_queue_push(&queue, (ifn_merge){1, 2, 3}, NULL), IFN_ERR_NOMEM);
    ifn_merge_queue_fini(&queue);
    assert_int_equal(heap.live_blocks, 0);
}
