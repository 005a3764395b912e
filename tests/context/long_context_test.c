/*
 * The shipped model, filled to 4096 tokens, many more than it was trained for: positions that were cut off leave no
 * trace, for every cache that a graph can have.
 */
#include "draw.h"
#include "road.h"

#include <string.h>

/* Under a sanitizer a quarter of the length shows the same. */
enum { N = INSTRUMENTED ? 1024 : 4096, N_AFTER = 5, N_VOCAB = 2048 };

static ifn_token ids[N];

static void draw_ids(uint64_t seed, ifn_token *out, size_t n, int64_t n_vocab)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (ifn_token)draw_below(&seed, n_vocab);
}

static road open_shipped(const ifn_context_params *p)
{
    return road_open_on(source_path("fixtures/gguf/little-world-f16.gguf"), p, "parallel=2:simd",
                        NULL);
}

/* Fills one conversation to its end, cuts it back and continues it; compares with others that never went that far. */
static void fill_and_cut_back(ifn_graph graph, ifn_kv kv)
{
    static const size_t cuts[] = {N / 2 + 1, 256};
    static float cut_back[N_VOCAB], never[N_VOCAB];
    const ifn_context_params p =
        IFN_SIZED(ifn_context_params, .max_pos = N, .graph = graph, .kv = kv);
    ifn_error err = {0};
    road r = open_shipped(&p);
    const int64_t n_vocab = ifn_model_hparams(r.model)->n_vocab;
    assert_in_range(n_vocab, 100, N_VOCAB);
    assert_int_equal(ifn_context_max_position(r.context), N);
    draw_ids(1, ids, N, n_vocab);
    road_eval(&r, ids, N);
    assert_int_equal(ifn_context_eval(r.context, ids, 1, &err), IFN_ERR_ARGUMENT);
    for (size_t c = 0; c < N_OF(cuts); c++) {
        ifn_token after[N_AFTER];
        draw_ids(2 + c, after, N_AFTER, n_vocab);
        assert_ok(ifn_context_rewind(r.context, (int64_t)cuts[c], &err), err);
        road other = open_shipped(&p);
        road_eval(&other, ids, cuts[c]);
        for (size_t i = 0; i < N_AFTER; i++) { /* token by token, as in decode */
            road_eval(&r, after + i, 1);
            road_eval(&other, after + i, 1);
        }
        road_logits(&r, cut_back);
        road_logits(&other, never);
        road_close(&other);
        assert_that(memcmp(cut_back, never, (size_t)n_vocab * sizeof(float)) == 0,
                    "graph %d, kv %d, cut back to %zu: other bits", (int)graph, (int)kv, cuts[c]);
    }
    road_close(&r);
}

TEST(the_fused_graph_forgets_what_was_cut_off)
{
    fill_and_cut_back(IFN_GRAPH_FUSED, IFN_KV_F32);
    fill_and_cut_back(IFN_GRAPH_FUSED, IFN_KV_F16);
    fill_and_cut_back(IFN_GRAPH_FUSED, IFN_KV_Q8_0);
}

TEST(the_primitive_graph_forgets_what_was_cut_off)
{
    fill_and_cut_back(IFN_GRAPH_PRIMITIVE, IFN_KV_F32);
}
