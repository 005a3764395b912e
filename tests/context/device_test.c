/* Whole models on a device: its buffers are read and written through its two doors only. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "road_text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Devices with all ops of their own, none, or some of each graph; in parts, traced and checked from outside. */
static const char *const stacks[] = {
    FENCED,
    FENCED "=doors",
    FENCED "=linear,linear_q8,attention,matmul,softmax_rows",
    FENCED "=gather_rows,rms_norm,kv_store,argmax_with_prob,copy_contiguous_into:scalar",
    "parallel=2+small:" FENCED,
    "parallel=2+small:" FENCED "=rms_norm",
    "trace:" FENCED "=swiglu",
    "check=stop:" FENCED,
    "check:trace:" FENCED "=doors"};

/* qwen2 has biases and qwen3 norms of heads: these vectors are copied in, too. */
TEST(a_device_generates_what_scalar_does)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t i = 0; i < N_OF(archs); i++)
        for (int graph = 0; graph < 2; graph++) {
            const tiny_model m = tiny_default(archs[i]);
            const char *const path = temp_path("device.gguf");
            ifn_context_params p = road_params();
            p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
            tiny_write(&m, path);
            expect_same(path, &p, stacks, N_OF(stacks));
        }
}

TEST(quantized_weights_and_caches_stay_behind_the_fence)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    const char *const path = temp_path("device.gguf");
    ifn_context_params p = road_params();
    p.activations = IFN_ACTIVATIONS_Q8;
    p.kv = IFN_KV_Q8_0;
    tiny_write(&m, path);
    expect_same(path, &p, stacks, N_OF(stacks));
}

TEST(the_shipped_model_runs_on_a_device)
{
    const ifn_context_params p = IFN_SIZED(ifn_context_params, .max_pos = 64);
    expect_same(source_path("fixtures/gguf/little-world-f16.gguf"), &p, stacks, N_OF(stacks));
}

/* One pass over a whole prompt, with all logits. */
TEST(all_logits_come_out)
{
    static float want[N_OF(prompt) * MAX_VOCAB], got[N_OF(prompt) * MAX_VOCAB];
    const tiny_model m = tiny_default("llama");
    const char *const path = temp_path("device.gguf");
    ifn_context_params p = road_params();
    ifn_error err = {0};
    p.all_logits = 1;
    tiny_write(&m, path);
    memset(want, 1, sizeof want);
    memset(got, 2, sizeof got);
    for (int i = 0; i < 2; i++) {
        road r = road_open_on(path, &p, i ? FENCED : "scalar", NULL);
        assert_ok(ifn_context_eval_all(r.context, prompt, N_OF(prompt), i ? got : want, &err), err);
        road_close(&r);
    }
    assert_memory_equal(got, want, N_OF(prompt) * (size_t)m.n_vocab * sizeof *want);
}

/* --- a door that is left out --- */

/* The place of the pass, in memory shared with the process that sees it die. */
static char *at;

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    char place[40];
    ifn_call_place(args, place, sizeof place);
    snprintf(at, 80, "%s at %s", ifn_op_name(op), place);
    return ifn_op_run(self->inner, op, args);
}

IFN_FILL_THROUGH

static ifn_status read_directly(ifn_backend *self, const ifn_copy_out_args *a)
{
    (void)self;
    snprintf(at, 80, "a read of a buffer at %s", ifn_point_name(a->call.point));
    memcpy(a->host, a->x, a->bytes);
    return IFN_OK;
}

static ifn_status write_directly(ifn_backend *self, const ifn_copy_in_args *a)
{
    (void)self;
    snprintf(at, 80, "a write to a buffer at %s", ifn_point_name(a->call.point));
    memcpy(a->out, a->host, a->bytes);
    return IFN_OK;
}

static void fill_without_out(ifn_op_table *table, const ifn_backend_env *env)
{
    fill(table, env);
    table->copy_out = read_directly;
}

static void fill_without_in(ifn_op_table *table, const ifn_backend_env *env)
{
    fill(table, env);
    table->copy_in = write_directly;
}

typedef struct left_out {
    const char *path;
    void (*fill)(ifn_op_table *table, const ifn_backend_env *env);
} left_out;

static void generate_without(const left_out *l)
{
    const ifn_context_params p = road_params();
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER,
                                   .name = "direct", .summary = "has lost a door", .fill = l->fill};
    road r = road_open_on(l->path, &p, FENCED, NULL);
    ifn_backend *direct;
    ifn_error err = {0};
    ifn_token ids[N_IDS];
    ifn_context_close(r.context);
    ifn_weights_unref(r.weights);
    assert_ok(ifn_backend_open_desc(&desc, r.backend, NULL, NULL, &direct, &err), err);
    assert_ok(ifn_weights_open(r.model, direct, ifn_context_uses(r.model, &p), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, &p, NULL, &r.context, &err), err);
    road_generate(&r, prompt, N_OF(prompt), ids, N_IDS);
}

/* Expects the child to die of a fault, and its last op to be at `where`. */
static void expect_fault(const left_out *l, const char *where)
{
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)signal(SIGSEGV, SIG_DFL);
        generate_without(l);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_that(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %#x after '%s'",
                (unsigned)status, at);
    assert_string_equal(at, where);
}

TEST(a_copy_that_is_left_out_is_a_fault_where_it_is_missed)
{
    const tiny_model m = tiny_default("llama");
    const char *const path = temp_path("device.gguf");
    tiny_write(&m, path);
    at = mmap(NULL, 80, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    expect_fault(&(left_out){path, fill_without_out}, "a read of a buffer at readback");
    expect_fault(&(left_out){path, fill_without_in}, "a write to a buffer at weights");
    munmap(at, 80);
}
