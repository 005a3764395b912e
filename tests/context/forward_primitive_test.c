#include "road.h"

#include <math.h>
#include <string.h>

enum { N_VOCAB = 61, N_PROMPT = 9, N_NEW = 24 };

static const ifn_token prompt[N_PROMPT] = {3, 1, 4, 1, 5, 9, 2, 6, 5};

/* The ids of one run, and the margin between the two best logits at each step. */
typedef struct run {
    ifn_token ids[N_NEW];
    float margins[N_NEW];
    float logits[N_VOCAB];
} run;

static float margin(const float *logits)
{
    float best = -INFINITY, second = -INFINITY;
    for (int i = 0; i < N_VOCAB; i++) {
        if (logits[i] > best) {
            second = best;
            best = logits[i];
        } else if (logits[i] > second) {
            second = logits[i];
        }
    }
    return best - second;
}

static run generate(const tiny_model *m, const ifn_context_params *p)
{
    run out;
    road r = road_open(m, p);
    road_eval(&r, prompt, N_PROMPT);
    road_logits(&r, out.logits);
    for (int i = 0; i < N_NEW; i++) {
        float logits[N_VOCAB];
        road_logits(&r, logits);
        out.margins[i] = margin(logits);
        out.ids[i] = road_greedy(&r, NULL);
        road_eval(&r, &out.ids[i], 1);
    }
    road_close(&r);
    return out;
}

/* Expects equal ids up to the first near tie, and logits of the prompt as close as those of two f32 forward passes. */
static void assert_same_model(const run *a, const run *b, const char *what)
{
    for (int i = 0; i < N_VOCAB; i++)
        assert_that(fabsf(a->logits[i] - b->logits[i]) <= 1e-4f, "%s: logit %d: %.9g, %.9g", what,
                    i, (double)a->logits[i], (double)b->logits[i]);
    for (int i = 0; i < N_NEW; i++) {
        if (a->ids[i] == b->ids[i])
            continue;
        assert_that(a->margins[i] <= 1e-3f, "%s: id %d: %d, %d with margin %g", what, i, a->ids[i],
                    b->ids[i], (double)a->margins[i]);
        return;
    }
}

static void assert_graphs_agree(const tiny_model *m)
{
    ifn_context_params p = road_params();
    const run fused = generate(m, &p);
    p.graph = IFN_GRAPH_PRIMITIVE;
    const run cached = generate(m, &p);
    p.kv = IFN_KV_OFF;
    const run recomputed = generate(m, &p);
    p.max_rows = 4;
    const run chunked = generate(m, &p);
    assert_same_model(&fused, &cached, "fused and primitive");
    assert_memory_equal(&cached, &recomputed, sizeof cached);
    assert_memory_equal(&cached, &chunked, sizeof cached);
}

TEST(the_primitive_graph_is_the_fused_graph)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t i = 0; i < N_OF(archs); i++) {
        tiny_model m = tiny_default(archs[i]);
        m.rope_freqs = i == 0;
        m.tied = i == 2;
        assert_graphs_agree(&m);
    }
}

TEST(the_graphs_agree_on_quantized_weights)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F16, IFN_DTYPE_Q4_0, IFN_DTYPE_Q6_K};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const tiny_model m = tiny_wide("qwen3", dtypes[i]);
        assert_graphs_agree(&m);
    }
}
