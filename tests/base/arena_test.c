#include "arena.h"

#include <string.h>

#include "alloc_priv.h"
#include "test.h"

typedef struct layout {
    float *a;
    char *b;
} layout;

static void lay_out(ifn_arena *arena, layout *l)
{
    l->a = ifn_arena_take(arena, 3, sizeof *l->a);
    l->b = ifn_arena_take(arena, 65, 1);
}

TEST(measuring_and_carving_agree)
{
    ifn_arena arena;
    layout l;
    ifn_arena_init(&arena, NULL, 0);
    lay_out(&arena, &l);
    assert_false(arena.failed);
    assert_null(l.a);
    const size_t bytes = arena.used;

    const ifn_allocator *heap = ifn_default_allocator();
    unsigned char *block = heap->alloc(heap->cookie, bytes, IFN_ALIGN);
    ifn_arena_init(&arena, block, bytes);
    lay_out(&arena, &l);
    assert_false(arena.failed);
    assert_int_equal(arena.used, bytes);
    assert_true((uintptr_t)l.a % IFN_ALIGN == 0 && (uintptr_t)l.b % IFN_ALIGN == 0);
    assert_true((unsigned char *)l.b >= (unsigned char *)(l.a + 3) + IFN_ALIGN);
    memset(l.a, 1, 12);
    memset(l.b, 2, 65);
    assert_null(ifn_arena_take(&arena, 1, 1));
    assert_true(arena.failed);
    ifn_arena_fini(&arena);
    memset(block, 0, bytes); /* no longer poisoned */
    heap->free(heap->cookie, block, bytes);
}

TEST(overflow_fails_and_stays_failed)
{
    ifn_arena arena;
    ifn_arena_init(&arena, NULL, 0);
    assert_null(ifn_arena_take(&arena, SIZE_MAX / 2, 4));
    assert_true(arena.failed);
    ifn_arena_take(&arena, 1, 1);
    assert_true(arena.failed);
    ifn_arena_init(&arena, NULL, 0);
    ifn_arena_take(&arena, SIZE_MAX - 200, 1);
    ifn_arena_take(&arena, 200, 1);
    assert_true(arena.failed);
}

TEST(nothing_costs_nothing)
{
    ifn_arena arena;
    ifn_arena_init(&arena, NULL, 0);
    assert_null(ifn_arena_take(&arena, 0, 4));
    assert_false(arena.failed);
    assert_int_equal(arena.used, 0);
}
