/* Contexts on several threads share one model and one chain: each has a lane, and all use the same pool. */
#include <pthread.h>
#include <string.h>

#include "road.h"

enum { N_CONTEXTS = 3, N_IDS = 24 };

typedef struct speaker {
    ifn_weights *weights;
    int32_t lane;
    ifn_token ids[N_IDS];
    ifn_error err;
} speaker;

/* The prompt depends on the lane, so that mixed-up lanes show. */
static ifn_status speak(speaker *s, ifn_context *c)
{
    const ifn_token prompt[] = {1, 2 + s->lane, 3, 5};
    ifn_sampler greedy = IFN_SAMPLER_INIT;
    IFN_TRY(ifn_sampler_init(&greedy, &IFN_SIZED(ifn_sampling), &s->err));
    IFN_TRY(ifn_context_eval(c, prompt, N_OF(prompt), &s->err));
    for (int i = 0; i < N_IDS; i++) {
        IFN_TRY(ifn_context_sample(c, &greedy, &s->ids[i], NULL, &s->err));
        IFN_TRY(ifn_context_eval(c, &s->ids[i], 1, &s->err));
    }
    return IFN_OK;
}

/* Asserts may fail only in the main thread, so this returns NULL if all went well, else `s`. */
static void *open_and_speak(void *cookie)
{
    speaker *const s = cookie;
    ifn_context_params p = road_params();
    ifn_context *c;
    p.lane = s->lane;
    if (ifn_context_open(s->weights, &p, NULL, &c, &s->err) != IFN_OK)
        return s;
    const ifn_status status = speak(s, c);
    ifn_context_close(c);
    return status == IFN_OK ? NULL : s;
}

static road open_chain(const char *expression, int32_t n_contexts)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_contexts = n_contexts);
    const ifn_context_params p = road_params();
    const tiny_model m = tiny_default("qwen3");
    const char *path = temp_path("lanes.gguf");
    tiny_write(&m, path);
    return road_open_on(path, &p, expression, &options);
}

TEST(contexts_on_threads_of_their_own_share_model_and_pool)
{
    road one = open_chain("scalar", 1);
    road r = open_chain("trace=0:parallel=3+small:trace=0:scalar", N_CONTEXTS);
    speaker alone[N_CONTEXTS], together[N_CONTEXTS];
    pthread_t threads[N_CONTEXTS];
    for (int32_t i = 0; i < N_CONTEXTS; i++) {
        alone[i] = (speaker){.weights = one.weights};
        together[i] = (speaker){.weights = r.weights, .lane = i};
        assert_int_equal(pthread_create(&threads[i], NULL, open_and_speak, &together[i]), 0);
    }
    for (int32_t i = 0; i < N_CONTEXTS; i++) {
        void *wrong;
        ifn_context *c;
        const ifn_context_params p = road_params();
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_that(!wrong, "context %d: %s", (int)i, together[i].err.text);
        assert_ok(ifn_context_open(one.weights, &p, NULL, &c, &alone[i].err), alone[i].err);
        alone[i].lane = i; /* chooses the prompt */
        assert_ok(speak(&alone[i], c), alone[i].err);
        ifn_context_close(c);
        assert_memory_equal(alone[i].ids, together[i].ids, sizeof alone[i].ids);
    }
    assert_memory_not_equal(alone[0].ids, alone[1].ids, sizeof alone[0].ids);
    road_close(&one);
    road_close(&r);
}

TEST(a_lane_the_backend_was_not_opened_for_is_refused)
{
    road r = open_chain("parallel=2:scalar", 2);
    ifn_context_params p = road_params();
    ifn_context *c;
    ifn_error err = {0};
    assert_int_equal(ifn_backend_n_lanes(r.backend), 2);
    p.lane = 1;
    assert_ok(ifn_context_open(r.weights, &p, NULL, &c, &err), err);
    ifn_context_close(c);
    static const int32_t bad[] = {-1, 2};
    for (size_t i = 0; i < N_OF(bad); i++) {
        p.lane = bad[i];
        assert_int_equal(ifn_context_open(r.weights, &p, NULL, &c, &err), IFN_ERR_ARGUMENT);
        assert_null(c);
    }
    assert_string_equal(err.text,
                        "lane 2: backend parallel=2:scalar was opened for 2 contexts at once");
    road_close(&r);
}
