#include "kv_cache.h"

#include "alloc_priv.h"
#include "test.h"

static const ifn_hparams shape = {.n_layers = 3, .n_kv_heads = 2, .head_dim = 32};

TEST(layers_follow_one_another)
{
    ifn_arena arena;
    ifn_kv_cache kv;
    ifn_arena_init(&arena, NULL, 0);
    ifn_kv_cache_take(&kv, &shape, 1, 10, IFN_DTYPE_Q8_0, &arena);
    assert_int_equal(kv.layer_bytes, 2 * 10 * 34);
    const size_t bytes = arena.used;
    void *block = ifn_default_allocator()->alloc(NULL, bytes, IFN_ALIGN);
    ifn_arena_init(&arena, block, bytes);
    ifn_kv_cache_take(&kv, &shape, 1, 10, IFN_DTYPE_Q8_0, &arena);
    assert_int_equal((char *)ifn_kv_cache_k(&kv, 2) - (char *)ifn_kv_cache_k(&kv, 0), 2 * 680);
    assert_true((char *)ifn_kv_cache_v(&kv, 0) >= (char *)ifn_kv_cache_k(&kv, 2) + 680);
    ifn_arena_fini(&arena);
    ifn_default_allocator()->free(NULL, block, bytes);
}

TEST(a_cache_that_does_not_fit_in_memory_fails_the_arena)
{
    ifn_arena arena;
    ifn_kv_cache kv;
    ifn_arena_init(&arena, NULL, 0);
    ifn_kv_cache_take(&kv, &shape, 1, INT64_MAX / 2, IFN_DTYPE_F32, &arena);
    assert_true(arena.failed);
}
