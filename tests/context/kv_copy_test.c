/* Copies rows of the cache from one place to another, in every head, layer and dtype. */
#include "road.h"

#include "kv_copy.h"

enum { FROM = 3, TO = 40 };

/* Returns a byte for each row, the same in all heads, but different for K, V and each layer. */
static unsigned char mark(int64_t row, int which)
{
    return (unsigned char)(row * 5 + which * 3 + 1);
}

static void fill(unsigned char *cache, int64_t n_rows, size_t row, int which)
{
    for (int64_t i = 0; i < n_rows; i++)
        memset(cache + (size_t)i * row, mark(i, which), row);
}

/* Row `to` + n may hold anything: n may be odd, and the copy moves whole words of two rows. */
static void expect_copied(const unsigned char *cache, int64_t max_pos, int64_t n_heads, size_t row,
                          int64_t n, int which)
{
    for (int64_t i = 0; i < n_heads * max_pos; i++) {
        const int64_t at = i % max_pos, past = at - TO;
        const int64_t from = past >= 0 && past < n ? i - TO + FROM : i;
        unsigned char want[128];
        memset(want, mark(from, which), row);
        if (past != n || n % 2 == 0)
            assert_memory_equal(cache + (size_t)i * row, want, row);
    }
}

static void expect_rows_copied(ifn_kv kv, int64_t n)
{
    tiny_model m = tiny_default("llama");
    ifn_context_params p = road_params();
    m.head_dim = 32;
    p.kv = kv;
    p.n_sequences = 2;
    road r = road_open(&m, &p);
    ifn_context *const c = r.context;
    const ifn_kv_cache *const cache = &c->b.kv;
    const int64_t heads = c->h->n_kv_heads;
    const size_t row = ifn_dtype_row_bytes(cache->dtype, c->h->head_dim);
    for (int64_t layer = 0; layer < c->h->n_layers; layer++) {
        fill(ifn_kv_cache_k(cache, layer), heads * cache->max_pos, row, (int)(2 * layer));
        fill(ifn_kv_cache_v(cache, layer), heads * cache->max_pos, row, (int)(2 * layer + 1));
    }
    assert_true(cache->max_pos > TO + n && FROM + n < TO);
    assert_int_equal(ifn_kv_copy_rows(c, FROM, TO, n), IFN_OK);
    for (int64_t layer = 0; layer < c->h->n_layers; layer++) {
        expect_copied(ifn_kv_cache_k(cache, layer), cache->max_pos, heads, row, n,
                      (int)(2 * layer));
        expect_copied(ifn_kv_cache_v(cache, layer), cache->max_pos, heads, row, n,
                      (int)(2 * layer + 1));
    }
    road_close(&r);
}

TEST(rows_are_copied_in_every_head_and_layer)
{
    static const ifn_kv kinds[] = {IFN_KV_F32, IFN_KV_F16, IFN_KV_Q8_0};
    for (size_t k = 0; k < N_OF(kinds); k++)
        for (int64_t n = 0; n <= 17; n++)
            expect_rows_copied(kinds[k], n);
}
