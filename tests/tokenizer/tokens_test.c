#include "tokens.h"

#include "fail_alloc.h"
#include "grow.h"
#include "test.h"

TEST(ids_stay_in_order_while_the_list_grows)
{
    fail_alloc heap;
    fail_alloc_init(&heap, -1);
    ifn_tokens list = {.alloc = &heap.allocator};
    for (ifn_token i = 0; i < 1000; i++)
        assert_int_equal(ifn_tokens_append(&list, i * 3, NULL), IFN_OK);
    assert_int_equal(list.n, 1000);
    for (ifn_token i = 0; i < 1000; i++)
        assert_int_equal(list.ids[i], i * 3);
    assert_true(heap.n_calls < 10); /* doubling, not one by one */
    ifn_tokens_free(&list);
    assert_int_equal(heap.live_blocks, 0);
    assert_null(list.ids);
    ifn_tokens_free(&list);
    ifn_tokens_free(NULL);
}

TEST(no_id_is_not_pushed)
{
    ifn_tokens list = {.alloc = ifn_default_allocator()};
    assert_int_equal(ifn_tokens_append_if(&list, IFN_TOKEN_NONE, NULL), IFN_OK);
    assert_int_equal(list.n, 0);
    assert_int_equal(ifn_tokens_append_if(&list, 7, NULL), IFN_OK);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.ids[0], 7);
    ifn_tokens_free(&list);
}

TEST(without_memory_the_list_stays_as_it_is)
{
    fail_alloc heap;
    fail_alloc_init(&heap, 1);
    heap.fail_from = 1;
    ifn_tokens list = {.alloc = &heap.allocator};
    ifn_error err = {IFN_OK, 0, ""};
    ifn_token i = 0;
    while (ifn_tokens_append(&list, i, &err) == IFN_OK)
        i++;
    assert_int_equal(err.status, IFN_ERR_NOMEM);
    assert_true(i > 0);
    assert_int_equal(list.n, i);
    assert_int_equal(list.ids[i - 1], i - 1);
    ifn_tokens_free(&list);
    assert_int_equal(heap.live_blocks, 0);
}

TEST(a_size_that_overflows_is_no_memory)
{
    size_t capacity = 0;
    assert_null(ifn_grow(ifn_default_allocator(), NULL, &capacity, SIZE_MAX / 2, 4));
    assert_int_equal(capacity, 0);
}
