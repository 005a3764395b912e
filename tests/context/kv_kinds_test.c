/*
 * Every kind of KV cache: prefill, decode and any chunks give the same bits, positions that were cut off leave no
 * trace, and the memory is what the plan states.
 */
#include "road.h"

#include <string.h>

#include "draw.h"
#include "fail_alloc.h"

static const struct {
    ifn_kv kv;
    const char *name;
} kinds[] = {
    {IFN_KV_OFF, "off"}, {IFN_KV_F32, "basic"}, {IFN_KV_F16, "f16"}, {IFN_KV_Q8_0, "q8_0"}};

enum { N_VOCAB = 61 };

/* A repeatable source of small numbers. */
typedef struct dice {
    uint64_t state;
} dice;

/* Returns a number in [low, high]. */
static size_t roll(dice *d, size_t low, size_t high)
{
    return low + (size_t)draw_below(&d->state, (int64_t)(high - low) + 1);
}

static void draw_ids(dice *d, ifn_token *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ids[i] = (ifn_token)roll(d, 0, N_VOCAB - 1);
}

/* Heads have 32 elements, as q8_0 requires. */
static tiny_model model_of(const char *arch)
{
    tiny_model m = tiny_default(arch);
    m.head_dim = 32;
    return m;
}

/* Evaluates n ids in chunks of random lengths. */
static void feed(road *r, dice *d, const ifn_token *ids, size_t n, size_t most)
{
    for (size_t at = 0; at < n;) {
        size_t step = roll(d, 1, most);
        step = step < n - at ? step : n - at;
        road_eval(r, ids + at, step);
        at += step;
    }
}

TEST(any_chunking_gives_the_bits_of_one_prefill)
{
    enum { N = 40, N_RUNS = 8 };
    const tiny_model m = model_of("qwen3");
    for (size_t k = 0; k < N_OF(kinds); k++) {
        dice d = {k};
        ifn_token ids[N];
        float whole[N_VOCAB], pieces[N_VOCAB];
        ifn_context_params p = road_params();
        p.kv = kinds[k].kv;
        draw_ids(&d, ids, N);
        road r = road_open(&m, &p);
        road_eval(&r, ids, N);
        road_logits(&r, whole);
        road_close(&r);
        for (int run = 0; run < N_RUNS; run++) {
            p.max_rows = (int64_t)roll(&d, 1, 13);
            r = road_open(&m, &p);
            feed(&r, &d, ids, N, run == 0 ? 1 : 17);
            road_logits(&r, pieces);
            road_close(&r);
            assert_that(memcmp(whole, pieces, sizeof whole) == 0,
                        "kv %s, run %d, chunks of %lld: other bits", kinds[k].name, run,
                        (long long)p.max_rows);
        }
    }
}

/* Many conversations share a beginning; each is compared with a context of its own. */
TEST(a_common_prefix_is_used_again)
{
    enum { N = 30, N_RUNS = 6 };
    const tiny_model m = model_of("llama");
    for (size_t k = 0; k < N_OF(kinds); k++) {
        dice d = {100 + k};
        ifn_token ids[N];
        float kept[N_VOCAB], fresh[N_VOCAB];
        ifn_error err = {0};
        ifn_context_params p = road_params();
        p.kv = kinds[k].kv;
        p.max_rows = 7;
        road r = road_open(&m, &p);
        draw_ids(&d, ids, N);
        road_eval(&r, ids, N);
        for (int run = 0; run < N_RUNS; run++) {
            const size_t prefix = roll(&d, 0, N - 1);
            draw_ids(&d, ids + prefix, N - prefix);
            assert_ok(ifn_context_rewind(r.context, (int64_t)prefix, &err), err);
            feed(&r, &d, ids + prefix, N - prefix, 9);
            road_logits(&r, kept);
            road other = road_open(&m, &p);
            road_eval(&other, ids, N);
            road_logits(&other, fresh);
            road_close(&other);
            assert_that(memcmp(kept, fresh, sizeof kept) == 0,
                        "kv %s: after %zu common tokens other bits", kinds[k].name, prefix);
        }
        road_close(&r);
    }
}

/* The largest context of the issue, with a model small enough to fill it. */
TEST(four_thousand_positions_are_filled_and_cut_back)
{
    enum { N = 4096, N_AFTER = 5 };
    static const size_t cuts[] = {2049, 255, 1};
    static ifn_token ids[N];
    tiny_model m = model_of("llama");
    m.n_layers = m.n_heads = m.n_kv_heads = 1;
    for (size_t k = 1; k < N_OF(kinds); k++) {
        dice d = {200 + k};
        float cut_back[N_VOCAB], never[N_VOCAB];
        ifn_error err = {0};
        ifn_context_params p = road_params();
        p.kv = kinds[k].kv;
        p.max_pos = N;
        draw_ids(&d, ids, N);
        road r = road_open(&m, &p);
        road_eval(&r, ids, N);
        assert_int_equal(ifn_context_eval(r.context, ids, 1, &err), IFN_ERR_ARGUMENT);
        for (size_t c = 0; c < N_OF(cuts); c++) {
            ifn_token after[N_AFTER];
            draw_ids(&d, after, N_AFTER);
            assert_ok(ifn_context_rewind(r.context, (int64_t)cuts[c], &err), err);
            road_eval(&r, after, N_AFTER);
            road_logits(&r, cut_back);
            road other = road_open(&m, &p);
            road_eval(&other, ids, cuts[c]);
            road_eval(&other, after, N_AFTER);
            road_logits(&other, never);
            road_close(&other);
            assert_that(memcmp(cut_back, never, sizeof never) == 0,
                        "kv %s cut back to %zu: other bits", kinds[k].name, cuts[c]);
        }
        road_close(&r);
    }
}

/* Returns the bytes of a row of 64 elements, worked out by hand. */
static uint64_t row_bytes(ifn_kv kv)
{
    return kv == IFN_KV_F16 ? 128 : kv == IFN_KV_Q8_0 ? 2 * 34 : 256;
}

/* The shipped model has 4 layers and 2 KV heads of 64. The plan, made before anything is allocated, states exactly
 * the bytes that are taken. */
TEST(the_cache_is_as_large_as_the_plan_said)
{
    const char *path = source_path("fixtures/gguf/little-world-f16.gguf");
    for (size_t k = 0; k < N_OF(kinds); k++) {
        fail_alloc buffers, host;
        fail_alloc_init(&buffers, -1);
        fail_alloc_init(&host, -1);
        const ifn_backend_options options =
            IFN_SIZED(ifn_backend_options, .alloc = &buffers.allocator);
        const ifn_context_params p =
            IFN_SIZED(ifn_context_params, .max_pos = 4096, .kv = kinds[k].kv);
        ifn_context *context;
        ifn_plan plan = IFN_PLAN_INIT;
        ifn_error err = {0};
        road r = road_open_on(path, &p, "scalar", &options);
        ifn_context_close(r.context);

        const size_t before = buffers.live_bytes;
        const long calls = buffers.n_calls;
        assert_ok(ifn_context_plan(r.model, r.backend, &p, &plan, &err), err);
        assert_int_equal(buffers.n_calls, calls);
        const uint64_t of_k = 4 * 2 * 4096 * row_bytes(kinds[k].kv);
        assert_in_range(plan.kv_bytes, 2 * of_k, 2 * of_k + 2 * 64); /* with a gap after each */
        assert_ok(ifn_context_open(r.weights, &p, &host.allocator, &context, &err), err);
        assert_true(buffers.live_bytes - before == plan.kv_bytes + plan.buffer_bytes);
        assert_true(host.largest == plan.host_bytes);
        assert_int_equal(host.live_blocks, 2); /* the other one is the context */
        assert_ok(ifn_context_eval(context, (const ifn_token[]){1, 2, 3}, 3, &err), err);
        assert_true(buffers.live_bytes - before == plan.kv_bytes + plan.buffer_bytes);
        ifn_context_close(context);
        assert_true(buffers.live_bytes == before);
        r.context = NULL;
        road_close(&r);
        assert_int_equal(buffers.live_blocks, 0);
    }
}
