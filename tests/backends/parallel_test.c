#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <inferno/backend.h>
#include <inferno/cpu.h>

#include "draw.h"
#include "fail_alloc.h"
#include "leaf.h"
#include "legal_calls.h"
#include "patience.h"
#include "seeing.h"
#include "test.h"

extern const ifn_backend_desc ifn_backend_parallel;

static ifn_backend *open_with(const char *expression, const ifn_backend_options *options)
{
    ifn_backend *chain;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, options, &chain, &err), err);
    return chain;
}

/* --- options --- */

/* A leaf that needs one byte of scratch; the chain then asks for one slice per thread. */
static size_t one_byte(const ifn_backend *self, const ifn_limits *max)
{
    (void)self, (void)max;
    return 1;
}

static int32_t threads_of(const char *text, int32_t n_threads)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = n_threads),
                              lanes = IFN_SIZED(ifn_backend_options, .n_contexts = 4096);
    const ifn_limits limits = {.limits_bytes = sizeof limits};
    ifn_backend_desc desc = seeing;
    ifn_backend *leaf, *chain;
    ifn_error err = {0};
    desc.scratch_bytes = one_byte;
    assert_ok(ifn_backend_open_desc(&desc, NULL, NULL, &lanes, &leaf, &err), err);
    assert_ok(ifn_backend_open_desc(&ifn_backend_parallel, leaf, text, &options, &chain, &err),
              err);
    const int32_t n = (int32_t)(ifn_backend_scratch_bytes(chain, &limits) / 64);
    ifn_backend_close(chain);
    ifn_backend_close(leaf);
    return n;
}

TEST(the_number_of_threads_is_the_options_the_programs_or_the_machines)
{
    assert_int_equal(threads_of("3", 0), 3);
    assert_int_equal(threads_of("3", 5), 3);
    assert_int_equal(threads_of("", 5), 5);
    assert_int_equal(threads_of("+small", 5), 5);
    assert_int_equal(threads_of("7+small", 5), 7);
    assert_int_equal(threads_of("", 0), ifn_cpu_count());
    assert_int_equal(threads_of("64", 0), 64);
}

TEST(options_that_say_nothing_are_refused)
{
    static const char *const bad[] = {"0",      "-1", "+3",       "3 4",
                                      "x",      "03", "3 +small", "99999999999999999999",
                                      "3small", "3+", "+smaller", "1025"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        char expression[64], message[200];
        ifn_backend *chain;
        ifn_error err = {0};
        snprintf(expression, sizeof expression, "parallel=%s:scalar", bad[i]);
        snprintf(message, sizeof message,
                 "backend 'parallel': option '%s', expected 1 to 1024 threads, '+small', or both",
                 bad[i]);
        assert_int_equal(ifn_backend_open(expression, NULL, &chain, &err), IFN_ERR_ARGUMENT);
        assert_string_equal(err.text, message);
        assert_null(chain);
    }
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = 5000);
    ifn_backend *chain;
    ifn_error err = {0};
    assert_int_equal(ifn_backend_open("parallel:scalar", &options, &chain, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "pool: 5000 threads, expected 1 to 1024");
}

TEST(another_parallel_below_is_refused)
{
    static const char *const bad[] = {"parallel:parallel:scalar",
                                      "parallel=2:trace:parallel=3:scalar",
                                      "parallel:check:trace:parallel"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_backend *chain;
        ifn_error err = {0};
        assert_int_equal(ifn_backend_open(bad[i], NULL, &chain, &err), IFN_ERR_ARGUMENT);
        assert_string_equal(
            err.text, "backend 'parallel': is in the stack twice, expected calls to be cut once");
    }
    ifn_backend *const inner = open_with("parallel=2:scalar", NULL);
    ifn_backend *chain;
    ifn_error err = {0};
    assert_int_equal(ifn_backend_open_desc(&ifn_backend_parallel, inner, "2", NULL, &chain, &err),
                     IFN_ERR_ARGUMENT);
    ifn_backend_close(inner);
}

TEST(without_memory_nothing_is_left_behind)
{
    for (long n = 0;; n++) {
        fail_alloc heap;
        ifn_backend *chain;
        ifn_error err = {0};
        fail_alloc_init(&heap, n);
        const ifn_backend_options options =
            IFN_SIZED(ifn_backend_options, .alloc = &heap.allocator);
        const ifn_status status = ifn_backend_open("parallel=2:scalar", &options, &chain, &err);
        if (status == IFN_OK)
            ifn_backend_close(chain);
        else
            assert_int_equal(status, IFN_ERR_NOMEM);
        assert_int_equal(heap.live_blocks, 0);
        if (status == IFN_OK)
            return;
    }
}

TEST(a_thousand_chains_leave_nothing_behind)
{
    fail_alloc heap;
    fail_alloc_init(&heap, -1);
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .alloc = &heap.allocator, .n_threads = 3);
    for (int cycle = 0; cycle < 1000; cycle++) {
        ifn_backend *const chain = open_with("parallel=+small:scalar", &options);
        const ifn_args args = legal_call(IFN_OP_ADD);
        assert_int_equal(ifn_op_run(chain, IFN_OP_ADD, &args.call), IFN_OK);
        ifn_backend_close(chain);
    }
    assert_int_equal(heap.live_blocks, 0);
}

/* --- what reaches the inner backend --- */

enum { MAX_SEEN = 64 };

/* The log of a leaf whose op add records its calls; the leaf declares R1 unless it is `undeclared`. */
static struct {
    atomic_int n, n_done;
    int in_time; /* 1: wait_for_others saw the others end in time */
    ifn_add_args args[MAX_SEEN];
    ifn_status answers[MAX_SEEN]; /* of a part, by the unit at which it begins */
    ifn_backend *chain;           /* not NULL: add calls scale on it */
    bool lower_is_later;          /* the lower its part, the longer add takes */
    int held_up;                  /* the part at unit 0 waits until so many others have ended */
} seen;

/* Waits until n parts have ended, and gives up after a while. */
static void wait_for_others(int n)
{
    const struct timespec pause = {0, 100000};
    for (int i = 0; atomic_load(&seen.n_done) < n && i < patience_times(50000); i++)
        nanosleep(&pause, NULL);
    seen.in_time = atomic_load(&seen.n_done) >= n;
}

static ifn_status note_add(ifn_backend *self, const ifn_add_args *a)
{
    (void)self;
    const int k = atomic_fetch_add(&seen.n, 1);
    seen.args[k] = *a;
    if (seen.chain) {
        float x[8] = {0.0f};
        const ifn_scale_args scale = IFN_ARGS(scale, .out = x, .x = x, .value = 2.0f, .n = 8);
        return ifn_scale(seen.chain, &scale);
    }
    const int unit = (int)(a->part_begin / 5) % MAX_SEEN;
    const struct timespec pause = {0, (32 - unit) * 50000};
    if (seen.lower_is_later)
        nanosleep(&pause, NULL);
    if (seen.held_up && unit == 0)
        wait_for_others(seen.held_up);
    atomic_fetch_add(&seen.n_done, 1);
    return seen.answers[unit];
}

static void fill_noting(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = note_add;
}

static const ifn_manifest declared = {.manifest_bytes = sizeof declared, .invariances = 1u << 1};
static const ifn_manifest undeclared = {.manifest_bytes = sizeof undeclared,
                                        .invariances = ~(1u << 1)};

static int64_t five(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)axis, (void)args;
    return 5;
}

typedef struct stack {
    ifn_backend *leaf, *chain;
} stack;

static stack open_noting(const ifn_manifest *manifest, const char *text, int32_t n_contexts)
{
    const ifn_backend_options lanes = IFN_SIZED(ifn_backend_options, .n_contexts = 1024),
                              options = IFN_SIZED(ifn_backend_options, .n_contexts = n_contexts);
    ifn_backend_desc desc = {
        IFN_BACKEND_STAMP,   .name = "noting",     .summary = "notes who calls",
        .fill = fill_noting, .manifest = manifest, .granule = five};
    stack s;
    ifn_error err = {0};
    memset(&seen, 0, sizeof seen);
    assert_ok(ifn_backend_open_desc(&desc, NULL, NULL, &lanes, &s.leaf, &err), err);
    assert_ok(ifn_backend_open_desc(&ifn_backend_parallel, s.leaf, text, &options, &s.chain, &err),
              err);
    return s;
}

static void close_stack(stack *s)
{
    ifn_backend_close(s->chain);
    ifn_backend_close(s->leaf);
}

static unsigned char scratch[4096];

static ifn_add_args noted_call(int64_t n)
{
    ifn_add_args a = IFN_ARGS(add, .out = mem[0], .x = mem[1], .y = mem[2], .n = n);
    a.call.lane = 1;
    a.call.n_lanes = 2;
    a.call.scratch = scratch;
    a.call.scratch_bytes = 1000;
    return a;
}

TEST(every_part_has_its_lane_its_scratch_and_its_range)
{
    stack s = open_noting(&declared, "4+small", 2);
    const ifn_add_args a = noted_call(103);
    int64_t n_elements = 0;
    assert_int_equal(ifn_add(s.chain, &a), IFN_OK);
    assert_int_equal(seen.n, 16); /* four of each share of 103 in units of 5 */
    for (int i = 0; i < 16; i++) {
        const ifn_add_args *const p = &seen.args[i];
        const int lane = p->call.lane;
        assert_in_range(lane, 4, 7); /* the second context's */
        assert_int_equal(p->call.n_lanes, 8);
        assert_int_equal(p->call.scratch_bytes, 192); /* a fourth, in whole units of 64 */
        assert_ptr_equal(p->call.scratch, scratch + (size_t)(lane - 4) * 192);
        assert_int_equal(p->part_begin % 5, 0);
        assert_true(p->part_end % 5 == 0 || p->part_end == 103);
        assert_true(p->out == mem[0] && p->n == 103);
        n_elements += p->part_end - p->part_begin;
    }
    assert_int_equal(n_elements, 103);
    close_stack(&s);
}

/* Runs the call; it must reach the leaf once, uncut, as the first of the context's lanes. */
static void expect_whole(const stack *s, const ifn_add_args *a)
{
    seen.n = 0;
    assert_int_equal(ifn_add(s->chain, a), IFN_OK);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.args[0].call.lane, 4);
    assert_int_equal(seen.args[0].call.n_lanes, 8);
    assert_ptr_equal(seen.args[0].call.scratch, scratch);
    assert_int_equal(seen.args[0].part_begin, a->part_begin);
    assert_int_equal(seen.args[0].part_end, a->part_end);
}

TEST(what_is_not_cut_runs_whole)
{
    stack s = open_noting(&declared, "4+small", 2);
    const ifn_add_args one_unit = noted_call(5), nothing = noted_call(0);
    ifn_add_args odd_part = noted_call(100);
    odd_part.part_begin = 7;
    odd_part.part_end = 60;
    expect_whole(&s, &one_unit);
    expect_whole(&s, &nothing);
    expect_whole(&s, &odd_part);
    close_stack(&s);

    s = open_noting(&declared, "4", 2); /* too small to gain from it */
    const ifn_add_args small = noted_call(1000), large = noted_call(1000000);
    expect_whole(&s, &small);
    seen.n = 0;
    assert_int_equal(ifn_add(s.chain, &large), IFN_OK);
    assert_int_equal(seen.n, 4);
    close_stack(&s);
}

TEST(only_ops_that_declare_r1_are_cut)
{
    static const ifn_manifest older = {.manifest_bytes = 4, .invariances = ~0u};
    const ifn_manifest *const manifests[] = {NULL, &undeclared, &older};
    for (size_t i = 0; i < N_OF(manifests); i++) {
        stack s = open_noting(manifests[i], "4+small", 2);
        const ifn_add_args a = noted_call(103);
        expect_whole(&s, &a);
        close_stack(&s);
    }
}

/* Sizes that are too short or too long to copy: the caller has not filled in `bytes`. */
TEST(a_struct_of_no_known_size_is_handed_on_to_nobody)
{
    ifn_backend *leaf, *chain;
    ifn_error err = {0};
    const ifn_backend_options two = IFN_SIZED(ifn_backend_options, .n_contexts = 2);
    assert_ok(ifn_backend_open_desc(&seeing, NULL, NULL, &two, &leaf, &err), err);
    assert_ok(ifn_backend_open_desc(&ifn_backend_parallel, leaf, "2+small", NULL, &chain, &err),
              err);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        static const uint32_t sizes[] = {0, 1, IFN_ARGS_MAX_BYTES + 1, UINT32_MAX};
        for (size_t i = 0; i < N_OF(sizes); i++) {
            ifn_args args = legal_call((ifn_op)op);
            args.call.bytes = sizes[i];
            seeing_status = IFN_OK;
            seen_args = NULL;
            assert_int_equal(ifn_op_run(chain, (ifn_op)op, &args.call), IFN_ERR_SHAPE);
            assert_null(seen_args);
        }
    }
    ifn_backend_close(chain);
    ifn_backend_close(leaf);
}

TEST(the_lowest_part_that_fails_answers_for_the_call)
{
    stack s = open_noting(&declared, "4+small", 2);
    const ifn_add_args a = noted_call(100);
    for (int round = 0; round < 20; round++) {
        seen.lower_is_later = round % 4 > 1;
        seen.n = 0;
        memset(seen.answers, 0, sizeof seen.answers);
        /* 20 units: 5 for each share, of which the last part has two */
        seen.answers[5 + round % 2] = IFN_ERR_IO;
        seen.answers[8 + round % 3 * 5] = IFN_ERR_FORMAT;
        assert_int_equal(ifn_add(s.chain, &a), IFN_ERR_IO);
        assert_int_equal(seen.n, 16);
    }
    memset(seen.answers, 0, sizeof seen.answers);
    assert_int_equal(ifn_add(s.chain, &a), IFN_OK);
    close_stack(&s);
}

/* A call that comes while the pool runs another one, of this or another context, runs whole. */
TEST(a_call_inside_a_call_runs_whole)
{
    stack s = open_noting(&declared, "4+small", 2);
    const ifn_add_args a = noted_call(100);
    seen.chain = s.chain;
    assert_int_equal(ifn_add(s.chain, &a), IFN_OK);
    assert_int_equal(seen.n, 16);
    close_stack(&s);
}

/* The first part ends only when all others have ended, so other threads must do the rest of that thread's share. */
TEST(a_thread_that_is_held_up_holds_up_one_part)
{
    static const char *const texts[] = {"2+small", "3+small", "4+small"};
    for (size_t i = 0; i < N_OF(texts); i++) {
        stack s = open_noting(&declared, texts[i], 2);
        const ifn_add_args a = noted_call(5 * 48);
        const int n = 4 * (texts[i][0] - '0');
        seen.held_up = n - 1;
        assert_int_equal(ifn_add(s.chain, &a), IFN_OK);
        assert_int_equal(seen.n, n);
        assert_true(seen.in_time);
        close_stack(&s);
    }
}

/* --- equal bits --- */

static unsigned char want[sizeof mem];

static void fill_memory(uint64_t seed)
{
    float *const all = &mem[0][0];
    for (size_t i = 0; i < sizeof mem / sizeof(float); i++)
        all[i] = (float)(draw(&seed) >> 8) * 0x1p-22f - 2.0f;
}

/* Compares bits, but takes any NaN for any other: numerics 10 leaves sign and payload open, and random scales may be
 * NaN. */
static int has_wanted(void)
{
    float got, wanted;
    for (size_t i = 0; i + sizeof got <= sizeof mem; i += sizeof got) {
        memcpy(&got, (const unsigned char *)mem + i, sizeof got);
        memcpy(&wanted, want + i, sizeof wanted);
        if (memcmp(&got, &wanted, sizeof got) != 0 && !(isnan(got) && isnan(wanted)))
            return 0;
    }
    return 1;
}

static void expect_equal_bits(ifn_backend *chain, ifn_backend *inner, ifn_op op, uint32_t seed)
{
    fill_memory(seed);
    ifn_args args = legal_call(op);
    const ifn_status status = ifn_op_run(inner, op, &args.call);
    int32_t ids[N_OF(legal_ids)];
    memcpy(want, mem, sizeof mem);
    memcpy(ids, legal_ids, sizeof ids);
    fill_memory(seed);
    args = legal_call(op);
    assert_int_equal(ifn_op_run(chain, op, &args.call), status);
    assert_that(has_wanted(), "%s on %s", ifn_op_name(op), ifn_backend_expression(chain));
    assert_memory_equal(ids, legal_ids, sizeof ids);
}

TEST(every_op_gives_the_inner_backends_bits_on_1_to_64_threads)
{
    static const char *const leaves[] = {"scalar", "simd"};
    for (size_t k = 0; k < N_OF(leaves); k++) {
        ifn_backend *const inner = open_leaf(leaves[k]);
        if (!inner)
            continue;
        for (int n = 1; n <= 64; n++) {
            char expression[64];
            snprintf(expression, sizeof expression, "parallel=%d+small:%s", n, leaves[k]);
            ifn_backend *const chain = open_with(expression, NULL);
            for (int op = 0; op < IFN_OP_COUNT; op++)
                expect_equal_bits(chain, inner, (ifn_op)op, (uint32_t)n);
            ifn_backend_close(chain);
        }
        ifn_backend_close(inner);
    }
}

/* The parts before the bad id may not have written when the call is refused. */
TEST(a_bad_id_fails_the_whole_call_before_anything_is_written)
{
    ifn_backend *const chain = open_with("parallel=4+small:scalar", NULL);
    for (int bad = 0; bad < 4; bad++) {
        fill_memory(1);
        ifn_args args = legal_call(IFN_OP_GATHER_ROWS);
        legal_ids[bad] = bad % 2 ? -1 : 5;
        memcpy(want, mem, sizeof mem);
        assert_int_equal(ifn_op_run(chain, IFN_OP_GATHER_ROWS, &args.call), IFN_ERR_ARGUMENT);
        assert_memory_equal(want, mem, sizeof mem);
    }
    ifn_backend_close(chain);
}

TEST(refusals_are_those_of_the_inner_backend)
{
    ifn_backend *const inner = open_with("scalar", NULL);
    ifn_backend *const chain = open_with("parallel=3+small:scalar", NULL);
    static const int64_t bad[] = {-1, INT64_MIN, 5};
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_linear_args linear = legal_linear();
        linear.n_w = bad[i];
        assert_int_equal(ifn_linear(chain, &linear), ifn_linear(inner, &linear));
        ifn_add_args add = legal_add();
        add.n = bad[i] < 0 ? bad[i] : -5;
        assert_int_equal(ifn_add(chain, &add), ifn_add(inner, &add));
        ifn_attention_args attention = legal_attention();
        attention.rows = bad[i];
        assert_int_equal(ifn_attention(chain, &attention), ifn_attention(inner, &attention));
    }
    ifn_backend_close(chain);
    ifn_backend_close(inner);
}

/* --- around and below other backends --- */

TEST(stacks_of_wrappers_give_the_same_bits)
{
    static const char *const stacks[] = {
        "trace:parallel=3+small:scalar", "parallel=3+small:trace:scalar",
        "check:parallel=3+small:scalar", "parallel=2+small:check:trace:scalar",
        "parallel=2+small:" PLUGIN_DIR "/one_op.so"};
    ifn_backend *const scalar = open_with("scalar", NULL);
    for (size_t i = 0; i < N_OF(stacks); i++) {
        ifn_backend *const chain = open_with(stacks[i], NULL);
        ifn_backend *const inner = strstr(stacks[i], ".so") ? chain->inner : scalar;
        for (int op = 0; op < IFN_OP_COUNT; op++)
            expect_equal_bits(chain, inner, (ifn_op)op, 7);
        ifn_backend_close(chain);
    }
    ifn_backend_close(scalar);
}

TEST(a_forked_child_computes_the_same_alone)
{
    ifn_backend *const chain = open_with("parallel=3+small:scalar", NULL);
    fill_memory(3);
    const ifn_args args = legal_call(IFN_OP_ADD);
    assert_int_equal(ifn_op_run(chain, IFN_OP_ADD, &args.call), IFN_OK);
    memcpy(want, mem, sizeof mem);
    const pid_t child = fork();
    if (child == 0) {
        fill_memory(3);
        const ifn_status status = ifn_op_run(chain, IFN_OP_ADD, &args.call);
        ifn_backend_close(chain);
        _exit(status == IFN_OK && memcmp(want, mem, sizeof mem) == 0 ? 42 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    ifn_backend_close(chain);
}

typedef struct client {
    ifn_backend *chain;
    int32_t lane;
    int n_wrong;
} client;

enum { N_SUM = 3000 };

static void *add_often(void *cookie)
{
    client *const c = cookie;
    float x[N_SUM], out[N_SUM];
    for (int i = 0; i < N_SUM; i++)
        x[i] = (float)(i + c->lane);
    for (int round = 0; round < 500; round++) {
        memset(out, 0, sizeof out);
        ifn_add_args a = IFN_ARGS(add, .out = out, .x = x, .y = x, .n = N_SUM);
        a.call.lane = c->lane;
        a.call.n_lanes = 2;
        c->n_wrong += ifn_add(c->chain, &a) != IFN_OK;
        for (int i = 0; i < N_SUM; i++)
            c->n_wrong += out[i] != x[i] + x[i];
    }
    return NULL;
}

TEST(two_threads_share_one_chain)
{
    const ifn_backend_options two = IFN_SIZED(ifn_backend_options, .n_contexts = 2);
    ifn_backend *const chain = open_with("trace=100:parallel=3+small:trace=100:scalar", &two);
    client clients[2] = {{chain, 0, 0}, {chain, 1, 0}};
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, add_often, &clients[1]), 0);
    add_often(&clients[0]);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(clients[0].n_wrong + clients[1].n_wrong, 0);
    ifn_backend_close(chain);
}
