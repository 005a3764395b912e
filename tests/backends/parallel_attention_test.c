/* Attention of one row, cut along its keys as well. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/spans.h>
#include <inferno/trace.h>

#include "leaf.h"
#include "test.h"

static ifn_backend *open_chain(const char *expression)
{
    ifn_backend *chain;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &chain, &err), err);
    return chain;
}

enum { KEYS = 1100, HEADS = 6, HEAD_DIM = 32, VECTOR = HEADS * HEAD_DIM };
enum { BEYOND = 1 << 22 }; /* bytes after the scratch that must stay as they are */

static struct {
    float k[KEYS * VECTOR], v[KEYS * VECTOR], q[VECTOR], whole[VECTOR], cut[VECTOR];
    _Alignas(64) unsigned char k_cache[KEYS * VECTOR * 4], v_cache[KEYS * VECTOR * 4];
    unsigned char *scratch;
    size_t scratch_room;
} attend;

/* One query of HEADS heads at the last key of a cache that has been filled. */
static ifn_attention_args decode_call(ifn_backend *scalar, int64_t n_kv_heads, ifn_dtype dtype)
{
    float *const all = attend.k;
    for (size_t i = 0; i < offsetof(__typeof__(attend), whole) / sizeof(float); i++)
        all[i] = (float)((i * 2654435761u) >> 8 & 0xffff) * 0x1p-14f - 2.0f;
    const ifn_kv_store_args store =
        IFN_ARGS(kv_store, .k_cache = attend.k_cache, .v_cache = attend.v_cache, .k = attend.k,
                 .v = attend.v, .rows = KEYS, .max_pos = KEYS, .n_kv_heads = n_kv_heads,
                 .head_dim = HEAD_DIM, .cache_dtype = dtype);
    assert_int_equal(ifn_kv_store(scalar, &store), IFN_OK);
    return IFN_ARGS(attention, .out = attend.whole, .q = attend.q, .k_cache = attend.k_cache,
                    .v_cache = attend.v_cache, .rows = 1, .first_pos = KEYS - 1, .max_pos = KEYS,
                    .n_heads = HEADS, .n_kv_heads = n_kv_heads, .head_dim = HEAD_DIM, .scale = 0.1f,
                    .cache_dtype = dtype);
}

/* Grows the scratch to what a chain asks for: up to 64 threads, each by the size of its L2. */
static void grow_scratch(size_t bytes)
{
    if (bytes <= attend.scratch_room)
        return;
    free(attend.scratch);
    attend.scratch_room = (bytes + 63) / 64 * 64;
    attend.scratch = aligned_alloc(64, attend.scratch_room);
    assert_non_null(attend.scratch);
}

static void give_scratch(const ifn_backend *chain, ifn_call *call)
{
    const ifn_limits limits = {.limits_bytes = sizeof limits,
                               .rows = 1,
                               .max_pos = KEYS,
                               .n_heads = HEADS,
                               .n_kv_heads = HEADS,
                               .head_dim = HEAD_DIM};
    call->scratch_bytes = ifn_backend_scratch_bytes(chain, &limits);
    grow_scratch(call->scratch_bytes + BEYOND);
    call->scratch = attend.scratch;
    memset(attend.scratch, 0xff, call->scratch_bytes + BEYOND); /* NaN */
}

static void expect_decode_bits(ifn_backend *inner, ifn_backend *chain, ifn_attention_args a)
{
    memset(attend.whole, 0, sizeof attend.whole);
    memset(attend.cut, 0, sizeof attend.cut);
    assert_int_equal(ifn_attention(inner, &a), IFN_OK);
    give_scratch(chain, &a.call);
    a.out = attend.cut;
    assert_int_equal(ifn_attention(chain, &a), IFN_OK);
    assert_that(memcmp(attend.whole, attend.cut, sizeof attend.whole) == 0, "%s, %d KV heads",
                ifn_backend_expression(chain), (int)a.n_kv_heads);
    for (size_t i = 0; i < BEYOND; i++)
        assert_int_equal(attend.scratch[a.call.scratch_bytes + i], 0xff);
}

/* Makes the cache one in pages, whose block table is in another order than the pages. */
static ifn_attention_args in_pages(ifn_attention_args a, size_t seed)
{
    static int32_t table[KEYS / IFN_PAGE_ROWS_LEAST];
    a.page_rows = (int64_t)IFN_PAGE_ROWS_LEAST << seed % 5;
    a.n_pages = KEYS / a.page_rows;
    for (int32_t i = 0; i < a.n_pages; i++)
        table[i] = (int32_t)a.n_pages - 1 - i;
    a.pages = table;
    a.first_pos = a.n_pages * a.page_rows - 1;
    return a;
}

TEST(decoding_has_the_inner_backends_bits_however_its_keys_are_cut)
{
    static const char *const leaves[] = {"scalar", "simd"};
    static const int32_t threads[] = {1, 2, 3, 7, 16, 64};
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    ifn_backend *const scalar = open_chain("scalar");
    for (size_t i = 0; i < N_OF(leaves) * N_OF(threads) * N_OF(dtypes); i++) {
        char expression[64];
        const char *const leaf = leaves[i % 2];
        ifn_backend *const inner = open_leaf(leaf);
        if (!inner)
            continue;
        snprintf(expression, sizeof expression, "parallel=%d+small:%s", threads[i / 2 % 6], leaf);
        ifn_backend *const chain = open_chain(expression);
        for (int64_t n_kv_heads = 1; n_kv_heads <= HEADS; n_kv_heads *= n_kv_heads == 1 ? 3 : 2) {
            ifn_attention_args a = decode_call(scalar, n_kv_heads, dtypes[i / 12]);
            expect_decode_bits(inner, chain, a);
            a.part_begin = 1;
            a.part_end = 2;
            expect_decode_bits(inner, chain, a);
            a.part_begin = a.part_end = 0;
            expect_decode_bits(inner, chain, in_pages(a, i));
        }
        ifn_backend_close(chain);
        ifn_backend_close(inner);
    }
    ifn_backend_close(scalar);
}

TEST(one_head_keeps_every_thread_at_work)
{
    ifn_backend *const scalar = open_chain("scalar");
    ifn_backend *const chain = open_chain("parallel=5+small:trace:scalar");
    ifn_attention_args a = decode_call(scalar, 1, IFN_DTYPE_F32);
    ifn_trace_total total = IFN_TRACE_TOTAL_INIT;
    a.n_heads = 1;
    give_scratch(chain, &a.call);
    assert_int_equal(ifn_attention(chain, &a), IFN_OK);
    assert_int_equal(ifn_trace_totals(chain, IFN_OP_ATTENTION, &total), 1);
    assert_int_equal(total.calls, 5 + 1); /* a block for each thread; their merge */
    a.call.scratch_bytes = 64;            /* no room */
    assert_int_equal(ifn_attention(chain, &a), IFN_OK);
    assert_int_equal(ifn_trace_totals(chain, IFN_OP_ATTENTION, &total), 1);
    assert_int_equal(total.calls, 6 + 1);
    ifn_backend_close(chain);
    ifn_backend_close(scalar);
}

/* Rows of three sequences, one of which is read twice, in parts of heads; and one span by keys. */
static void expect_span_bits(const char *leaf, int32_t n_threads, ifn_attention_args a)
{
    static float q[4 * VECTOR], whole[4 * VECTOR], cut[4 * VECTOR];
    char expression[64];
    ifn_backend *const inner = open_leaf(leaf);
    if (!inner)
        return;
    snprintf(expression, sizeof expression, "parallel=%d+small:%s", (int)n_threads, leaf);
    ifn_backend *const chain = open_chain(expression);
    for (int i = 0; i < 4 * VECTOR; i++)
        q[i] = attend.k[i];
    a.q = q;
    a.out = whole;
    assert_int_equal(ifn_attention(inner, &a), IFN_OK);
    for (int64_t i = 0, row = 0; i < a.n_spans; row += a.spans[i++].rows) {
        ifn_attention_args alone = ifn_attention_of_span(&a, i, row);
        alone.out = cut + row * VECTOR;
        assert_int_equal(ifn_attention(inner, &alone), IFN_OK);
    }
    assert_memory_equal(whole, cut, (size_t)(a.rows * VECTOR) * sizeof *cut);
    memset(cut, 0, sizeof cut);
    a.out = cut;
    give_scratch(chain, &a.call);
    assert_int_equal(ifn_attention(chain, &a), IFN_OK);
    assert_memory_equal(whole, cut, (size_t)(a.rows * VECTOR) * sizeof *cut);
    ifn_backend_close(chain);
    ifn_backend_close(inner);
}

TEST(spans_have_the_bits_of_calls_of_their_own_in_any_parts)
{
    static const ifn_span several[] = {{0, 299, 1}, {300, 599, 2}, {0, 150, 1}};
    static const ifn_span single[] = {{400, 699, 1}};
    static const char *const leaves[] = {"scalar", "simd"};
    ifn_backend *const scalar = open_chain("scalar");
    for (size_t i = 0; i < 2 * 3; i++) {
        ifn_attention_args a = decode_call(scalar, 3, IFN_DTYPE_F16);
        a.first_pos = 0;
        a.rows = 4;
        a.spans = several;
        a.n_spans = 3;
        expect_span_bits(leaves[i % 2], (int32_t)(1 + i / 2 * 3), a);
        a.rows = 1;
        a.spans = single;
        a.n_spans = 1;
        expect_span_bits(leaves[i % 2], (int32_t)(1 + i / 2 * 3), a);
    }
    ifn_backend_close(scalar);
}
