#include "kv_cache.h"

#include "alloc_priv.h"
#include "test.h"

static const ifn_context_params ten = {.n_sequences = 1, .max_pos = 10};
static const ifn_hparams shape = {.n_layers = 3, .n_kv_heads = 2, .head_dim = 32};

TEST(layers_follow_one_another)
{
    ifn_arena arena;
    ifn_kv_cache kv;
    ifn_arena_init(&arena, NULL, 0);
    ifn_kv_cache_take(&kv, &shape, &ten, IFN_DTYPE_Q8_0, &arena);
    assert_int_equal(kv.layer_bytes, 2 * 10 * 34);
    const size_t bytes = arena.used;
    void *block = ifn_default_allocator()->alloc(NULL, bytes, IFN_ALIGN);
    ifn_arena_init(&arena, block, bytes);
    ifn_kv_cache_take(&kv, &shape, &ten, IFN_DTYPE_Q8_0, &arena);
    assert_int_equal((char *)ifn_kv_cache_k(&kv, 2) - (char *)ifn_kv_cache_k(&kv, 0), 2 * 680);
    assert_true((char *)ifn_kv_cache_v(&kv, 0) >= (char *)ifn_kv_cache_k(&kv, 2) + 680);
    ifn_arena_fini(&arena);
    ifn_default_allocator()->free(NULL, block, bytes);
}

TEST(a_cache_that_does_not_fit_in_memory_fails_the_arena)
{
    ifn_arena arena;
    ifn_kv_cache kv;
    const ifn_context_params huge = {.n_sequences = 1, .max_pos = INT64_MAX / 2};
    ifn_arena_init(&arena, NULL, 0);
    ifn_kv_cache_take(&kv, &shape, &huge, IFN_DTYPE_F32, &arena);
    assert_true(arena.failed);
}

/* There are whole pages for each sequence, or as many as the parameters ask for. */
TEST(pages_make_the_rows_of_a_cache)
{
    ifn_arena arena;
    ifn_kv_cache kv;
    ifn_context_params p = {.n_sequences = 3, .max_pos = 33, .page_rows = 16};
    ifn_arena_init(&arena, NULL, 0);
    ifn_kv_cache_take(&kv, &shape, &p, IFN_DTYPE_F16, &arena);
    assert_int_equal(kv.slot, 48);
    assert_int_equal(kv.n_pages, 9);
    assert_int_equal(kv.max_pos, 144);
    assert_int_equal(kv.layer_bytes, 2 * 144 * 64);
    assert_int_equal(ifn_kv_cache_entries(&kv, 3), 9);
    p.n_pages = 4;
    ifn_kv_cache_take(&kv, &shape, &p, IFN_DTYPE_F16, &arena);
    assert_int_equal(kv.max_pos, 64);
    assert_int_equal(ifn_kv_cache_entries(&kv, 3), 9);
    assert_false(arena.failed);
    p.n_pages = (int64_t)INT32_MAX + 1;
    ifn_kv_cache_take(&kv, &shape, &p, IFN_DTYPE_F16, &arena);
    assert_true(arena.failed);
}
