/*
 * Whole models on a device that runs no call before somebody waits for it, and that ends the process if memory is
 * given back too early. Each place where the engine must wait has its test.
 */
#include "road_text.h"

#include <dlfcn.h>
#include <string.h>

#include <inferno/batch.h>

/* Returns what this function of the plugin answers. */
static int64_t ask(const char *name)
{
    int64_t (*answer)(void) = NULL;
    void *const plugin = dlopen(DEFERRED, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(plugin);
    void *const symbol = dlsym(plugin, name);
    assert_non_null(symbol);
    memcpy(&answer, &symbol, sizeof answer);
    const int64_t n = answer();
    dlclose(plugin);
    return n;
}

/* Returns the number of calls that have returned but have not run yet. */
static int64_t n_waiting(void)
{
    return ask("deferred_n_waiting");
}

static const char *const deferred[] = {DEFERRED};

static void write_tiny(const char **path)
{
    const tiny_model m = tiny_default("qwen3");
    *path = temp_path("deferred.gguf");
    tiny_write(&m, *path);
}

TEST(a_device_that_defers_generates_what_scalar_does)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    const char *const path = temp_path("deferred.gguf");
    const ifn_context_params p = road_params();
    for (size_t i = 0; i < N_OF(archs); i++) {
        const tiny_model m = tiny_default(archs[i]);
        tiny_write(&m, path);
        expect_same(path, &p, deferred, 1);
    }
}

/* The device transposes these weights from copies that are freed afterwards. */
TEST(transposed_weights_are_waited_for_before_their_copies_go)
{
    const char *path;
    ifn_context_params p = road_params();
    p.graph = IFN_GRAPH_PRIMITIVE;
    write_tiny(&path);
    expect_same(path, &p, deferred, 1);
}

TEST(ops_that_it_lacks_wait_for_those_before_them)
{
    const char *path;
    static const char *const some[] = {DEFERRED "=doors", DEFERRED "=linear,rms_norm,attention"};
    const ifn_context_params p = road_params();
    write_tiny(&path);
    expect_same(path, &p, some, N_OF(some));
}

/* A part on another lane would read what is not yet written. Which lanes get parts is chance, so the model is
 * larger: enough calls would be cut for some to be on two lanes. */
TEST(calls_of_a_device_that_defers_are_not_cut)
{
    const char *const path = source_path("fixtures/gguf/little-world-f16.gguf");
    static const char *const cut[] = {"parallel=3+small:" DEFERRED,
                                      "check=stop:parallel=2+small:" DEFERRED};
    const ifn_context_params p = IFN_SIZED(ifn_context_params, .max_pos = 64);
    expect_same(path, &p, cut, N_OF(cut));
}

TEST(weights_are_there_when_they_are_open)
{
    const char *path;
    const ifn_context_params p = road_params();
    write_tiny(&path);
    road r = road_open_on(path, &p, DEFERRED, NULL);
    assert_int_equal(n_waiting(), 0);
    road_close(&r);
}

/* The evaluation waits, whether or not the caller reads the logits. */
TEST(an_evaluation_has_run_when_it_returns)
{
    const char *path;
    const ifn_context_params p = road_params();
    ifn_error err = {0};
    write_tiny(&path);
    road r = road_open_on(path, &p, DEFERRED, NULL);
    const ifn_batch_part part = {.n = N_OF(prompt), .ids = prompt};
    assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){1, &part}, &err), err);
    assert_int_equal(n_waiting(), 0);
    assert_ok(ifn_context_eval(r.context, prompt, 1, &err), err);
    assert_int_equal(n_waiting(), 0);
    road_close(&r);
}

/* Copies of cache rows from one sequence to another may still be waiting. */
TEST(a_context_waits_before_its_memory_goes)
{
    const char *path;
    ifn_context_params p = road_params();
    ifn_error err = {0};
    p.n_sequences = 2;
    write_tiny(&path);
    road r = road_open_on(path, &p, DEFERRED, NULL);
    const ifn_batch_part part = {.n = N_OF(prompt), .ids = prompt};
    assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){1, &part}, &err), err);
    int32_t second;
    assert_ok(ifn_context_sequence_add(r.context, &second, &err), err);
    assert_ok(ifn_context_sequence_copy(r.context, 0, second, 4, &err), err);
    assert_int_not_equal(n_waiting(), 0);
    road_close(&r);
    assert_int_equal(n_waiting(), 0);
}

/* Each pass of decode after the first repeats the pass before it at another position: with one sequence, with two,
 * and with any wrapper between. */
static void expect_repeated(const char *expression, int32_t n_sequences)
{
    const char *path;
    ifn_context_params p = road_params();
    ifn_error err = {0};
    enum { STEPS = 5 };
    int32_t second;
    p.n_sequences = n_sequences;
    write_tiny(&path);
    road r = road_open_on(path, &p, expression, NULL);
    if (n_sequences > 1)
        assert_ok(ifn_context_sequence_add(r.context, &second, &err), err);
    const int64_t passes = ask("deferred_n_passes"), repeated = ask("deferred_n_repeated");
    for (int step = 0; step < STEPS; step++) {
        const ifn_batch_part parts[] = {{0, 1, &prompt[step], 1, NULL},
                                        {1, 1, &prompt[step + 1], 1, NULL}};
        assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){(size_t)n_sequences, parts}, &err),
                  err);
    }
    assert_int_equal(ask("deferred_n_passes") - passes, STEPS);
    assert_that(ask("deferred_n_repeated") - repeated == STEPS - 1,
                "%s: %lld passes were as the one before", expression,
                (long long)(ask("deferred_n_repeated") - repeated));
    road_close(&r);
}

TEST(passes_of_decode_repeat_so_that_a_device_could_record_them)
{
    expect_repeated(DEFERRED, 1);
    expect_repeated(DEFERRED, 2);
    expect_repeated("check:" DEFERRED, 1);
    expect_repeated("parallel=2+small:" DEFERRED, 1);
}

/* A pass ends when one of its calls fails, so the next one can begin. */
TEST(a_pass_that_failed_has_ended)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("trace:" DEFERRED, NULL, &b, &err), err);
    assert_int_equal(ifn_backend_begin(b, 0), IFN_OK);
    assert_int_equal(ifn_backend_begin(b, 0), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_backend_end(b, 0), IFN_OK);
    assert_int_equal(ifn_backend_end(b, 0), IFN_ERR_ARGUMENT);
    ifn_backend_close(b);
}

static ifn_backend *open_chain(const char *expression)
{
    ifn_backend *backend;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &backend, &err), err);
    return backend;
}

static float *take(ifn_backend *b, size_t n)
{
    float *const p = b->buffers->alloc(b->buffers->cookie, n * sizeof *p, 64);
    assert_non_null(p);
    return p;
}

TEST(a_call_that_is_traced_has_run_when_its_time_is_taken)
{
    static const float x[4] = {1, 2, 3, 4};
    for (int traced = 0; traced < 2; traced++) {
        ifn_backend *const b = open_chain(traced ? "trace:" DEFERRED : DEFERRED);
        float *const p = take(b, 4);
        assert_int_equal(ifn_copy_in(b, &IFN_ARGS(copy_in, .out = p, .host = x, .bytes = sizeof x)),
                         IFN_OK);
        assert_int_equal(n_waiting(), traced ? 0 : 1);
        assert_int_equal(ifn_backend_synchronize(b, 0), IFN_OK);
        b->buffers->free(b->buffers->cookie, p, sizeof x);
        ifn_backend_close(b);
    }
}

/* A call that fails after it has returned is reported once, by the next wait. */
TEST(a_late_failure_is_told_by_the_next_wait)
{
    ifn_backend *const b = open_chain(DEFERRED);
    float *const p = take(b, 4), back[4];
    const ifn_add_args bad = IFN_ARGS(add, .out = p, .x = p, .y = p, .n = -1);
    const ifn_copy_out_args out = IFN_ARGS(copy_out, .host = back, .x = p, .bytes = sizeof back);
    assert_int_equal(ifn_backend_defers(b), 1);
    assert_int_equal(ifn_add(b, &bad), IFN_OK);
    assert_int_equal(ifn_backend_synchronize(b, IFN_ALL_LANES), IFN_ERR_SHAPE);
    assert_int_equal(ifn_backend_synchronize(b, IFN_ALL_LANES), IFN_OK);
    assert_int_equal(ifn_add(b, &bad), IFN_OK);
    assert_int_equal(ifn_copy_out(b, &out), IFN_ERR_SHAPE);
    assert_int_equal(ifn_copy_out(b, &out), IFN_OK);
    b->buffers->free(b->buffers->cookie, p, sizeof back);
    ifn_backend_close(b);
}
