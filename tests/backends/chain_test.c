#include "chain.h"

#include <string.h>

#include "fail_alloc.h"
#include "fakes.h"
#include "test.h"

/* Opens `text` from the fake backends; it must open. */
static ifn_backend *open_with(const char *text, const ifn_backend_options *options)
{
    ifn_backend *self;
    ifn_error err;
    fake_journal_clear();
    assert_ok(ifn_registry_open(&fake_registry, text, options, &self, &err), err);
    return self;
}

static ifn_backend *open_fake(const char *text)
{
    return open_with(text, NULL);
}

static ifn_backend *open_desc(const ifn_backend_desc *desc, ifn_backend *below)
{
    ifn_backend *self;
    ifn_error err;
    assert_ok(ifn_registry_open_desc(&fake_registry, desc, below, NULL, NULL, &self, &err), err);
    return self;
}

static ifn_status silu(ifn_backend *self)
{
    const ifn_silu_args a = IFN_ARGS(silu, .n = 0);
    return ifn_silu(self, &a);
}

static ifn_status add(ifn_backend *self)
{
    const ifn_add_args a = IFN_ARGS(add, .n = 0);
    return ifn_add(self, &a);
}

TEST(a_leaf_runs_its_own_ops_and_inherits_the_rest)
{
    ifn_backend *const self = open_fake("simd");
    assert_int_equal(silu(self), FROM_SIMD);
    assert_int_equal(add(self), FROM_ROOT);
    assert_true(self->base && !self->inner && !self->base->base);
    ifn_backend_close(self);
}

TEST(a_leaf_on_a_named_base_inherits_from_it)
{
    ifn_backend *const simd = open_fake("simd");
    ifn_backend *const mine = open_desc(&fake_mine, simd);
    assert_int_equal(add(mine), FROM_MINE);
    assert_int_equal(silu(mine), FROM_SIMD);
    assert_int_equal(add(simd), FROM_ROOT);
    assert_ptr_equal(ifn_backend_implementer(mine, IFN_OP_ADD), mine);
    assert_ptr_equal(ifn_backend_implementer(mine, IFN_OP_SILU), simd);
    assert_ptr_equal(ifn_backend_implementer(mine, IFN_OP_SCALE), simd->base);
    assert_string_equal(ifn_backend_expression(mine), "mine:simd");
    ifn_backend_close(mine);
    assert_int_equal(silu(simd), FROM_SIMD); /* borrowed, so still open */
    ifn_backend_close(simd);
}

TEST(a_wrapper_passes_on_what_it_does_not_implement)
{
    ifn_backend *const self = open_fake("trace:parallel:simd");
    fake_journal_clear();
    assert_int_equal(silu(self), FROM_SIMD);
    assert_string_equal(fake_journal, "");
    assert_int_equal(add(self), FROM_ROOT);
    assert_string_equal(fake_journal, "add trace\n");
    ifn_backend_close(self);
}

TEST(implements_means_this_very_backend)
{
    ifn_backend *const self = open_fake("trace:simd");
    assert_int_equal(ifn_backend_implements(self, IFN_OP_ADD), 1);
    assert_int_equal(ifn_backend_implements(self, IFN_OP_SILU), 0);
    assert_int_equal(ifn_backend_implements(self->inner, IFN_OP_SILU), 1);
    assert_int_equal(ifn_backend_implements(self->inner, IFN_OP_ADD), 0);
    for (int i = 0; i < IFN_OP_COUNT; i++)
        assert_int_equal(ifn_backend_implements(self->inner->base, (ifn_op)i), 1);
    assert_int_equal(ifn_backend_implements(self->inner->base, IFN_OP_COUNT), 0);
    ifn_backend_close(self);
}

TEST(the_implementer_is_a_leaf_below_every_wrapper)
{
    ifn_backend *const self = open_fake("trace:parallel:simd");
    ifn_backend *const simd = self->inner->inner;
    assert_ptr_equal(ifn_backend_implementer(self, IFN_OP_SILU), simd);
    assert_ptr_equal(ifn_backend_implementer(self, IFN_OP_ADD), simd->base);
    ifn_backend_close(self);
}

TEST(expressions_say_what_was_opened)
{
    static const struct {
        const char *text, *expression;
    } cases[] = {
        {"scalar", "scalar"},
        {"simd", "simd"},
        {"simd:scalar", "simd:scalar"},
        {"tracing:parallel=2:simd=avx2", "trace:parallel=2:simd=avx2"},
        {"parallel", "parallel:simd"},
        {"trace:parallel=3", "trace:parallel=3:simd"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_backend *const self = open_fake(cases[i].text);
        assert_string_equal(ifn_backend_expression(self), cases[i].expression);
        ifn_backend_close(self);
    }
}

TEST(lanes_multiply_from_the_outside_in)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = 2, .n_threads = 3);
    ifn_backend_close(open_fake("trace:parallel:trace:split=5:trace:scalar"));
    assert_string_equal(fake_journal, "open trace 20 []\nopen split with 5 threads 4 [5]\n"
                                      "open trace 4 []\nopen parallel 1 []\nopen trace 1 []\n"
                                      "close trace\nclose parallel\nclose trace\n"
                                      "close split\nclose trace\n");
    ifn_backend_close(open_with("parallel:trace=x,y:scalar", &options));
    assert_string_equal(fake_journal, "open trace 6 [x,y]\nopen parallel 2 []\n"
                                      "close parallel\nclose trace\n");
}

TEST(too_many_lanes_are_refused)
{
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&fake_registry, "parallel=65536:trace:split=65536:scalar",
                                       NULL, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'split': 65536 lanes for each of 65536 calls");
    assert_null(self);
    assert_int_equal(ifn_registry_open(&fake_registry, "parallel=-1:scalar", NULL, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'parallel': -1 lanes for each of 1 calls");
}

/* The rule holds for an inner backend that is already open, too. */
TEST(calls_are_not_cut_again_below_an_open_backend)
{
    ifn_backend *const inner = open_fake("trace:parallel=2:scalar");
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(
        ifn_registry_open_desc(&fake_registry, &fake_parallel, inner, "1", NULL, &self, &err),
        IFN_ERR_ARGUMENT);
    assert_string_equal(err.text,
                        "backend 'parallel': is in the stack twice, expected calls to be cut once");
    ifn_backend_close(inner);
}

/* `open` must not count processors a second time, as their number may have changed. */
TEST(a_wrapper_that_makes_pieces_is_told_its_own_answer)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = 3);
    ifn_backend_close(open_fake("split:scalar"));
    assert_string_equal(fake_journal, "open split with 4 threads 1 []\nclose split\n");
    ifn_backend_close(open_with("split:scalar", &options));
    assert_string_equal(fake_journal, "open split with 3 threads 1 []\nclose split\n");
    ifn_backend_close(open_with("split=7:trace:scalar", &options));
    assert_string_equal(fake_journal, "open trace 7 []\nopen split with 7 threads 1 [7]\n"
                                      "close split\nclose trace\n");
}

/* An open backend was told the number of lanes when it was opened; it cannot serve more. */
TEST(a_borrowed_backend_must_have_been_opened_for_the_lanes)
{
    const ifn_backend_options four = IFN_SIZED(ifn_backend_options, .n_contexts = 4);
    ifn_backend *const narrow = open_fake("trace:scalar");
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(
        ifn_registry_open_desc(&fake_registry, &fake_parallel, narrow, NULL, NULL, &self, &err),
        IFN_ERR_ARGUMENT);
    assert_string_equal(err.text,
                        "backend 'parallel': needs 4 lanes, 'trace:scalar' was opened for 1");
    ifn_backend_close(narrow);
    ifn_backend *const wide = open_with("trace:scalar", &four);
    self = open_desc(&fake_parallel, wide);
    assert_string_equal(ifn_backend_expression(self), "parallel:trace:scalar");
    ifn_backend_close(self);
    ifn_backend_close(wide);
}

TEST(scratch_is_the_largest_of_the_chain)
{
    const ifn_limits few = {.limits_bytes = sizeof few, .rows = 7};
    const ifn_limits many = {.limits_bytes = sizeof many, .rows = 700};
    ifn_backend *const root = open_fake("scalar");
    ifn_backend *const simd = open_fake("trace:simd");
    ifn_backend *const parallel = open_fake("trace:parallel:simd");
    assert_int_equal(ifn_backend_scratch_bytes(root, &few), 7);
    assert_int_equal(ifn_backend_scratch_bytes(simd, &few), FAKE_SIMD_SCRATCH);
    assert_int_equal(ifn_backend_scratch_bytes(simd, &many), 700);
    assert_int_equal(ifn_backend_scratch_bytes(parallel, &few), 4 * FAKE_SIMD_SCRATCH);
    ifn_backend_close(root);
    ifn_backend_close(simd);
    ifn_backend_close(parallel);
}

TEST(the_granule_is_the_implementers)
{
    const ifn_linear_args linear = IFN_ARGS(linear, .rows = 1);
    const ifn_add_args sum = IFN_ARGS(add, .n = 1);
    ifn_backend *const self = open_fake("trace:parallel:simd");
    assert_int_equal(ifn_backend_granule(self, IFN_OP_LINEAR, 0, &linear.call), FAKE_SIMD_GRANULE);
    assert_int_equal(ifn_backend_granule(self, IFN_OP_LINEAR, 1, &linear.call), 1);
    assert_int_equal(ifn_backend_granule(self, IFN_OP_ADD, 0, &sum.call), 1);
    ifn_backend_close(self);
}

static const ifn_allocator *no_buffers(const ifn_backend *self)
{
    (void)self;
    return NULL;
}

static fail_alloc own_buffers;

static const ifn_allocator *foreign_buffers(const ifn_backend *self)
{
    (void)self;
    return &own_buffers.allocator;
}

TEST(buffers_come_from_the_innermost_that_cares)
{
    fail_alloc heap;
    fail_alloc_init(&heap, -1);
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .alloc = &heap.allocator);
    ifn_backend *const plain = open_with("trace:simd", &options);
    assert_ptr_equal(plain->buffers, &heap.allocator);
    ifn_backend_close(plain);
    assert_int_equal(heap.live_blocks, 0);

    ifn_backend_desc foreign = fake_mine;
    foreign.buffers = foreign_buffers;
    ifn_backend *const leaf = open_desc(&foreign, NULL);
    ifn_backend *const around = open_desc(&fake_trace, leaf);
    assert_ptr_equal(around->buffers, &own_buffers.allocator);
    ifn_backend_close(around);
    ifn_backend_close(leaf);
}

TEST(a_backend_without_buffers_is_closed_again)
{
    ifn_backend_desc broken = fake_trace;
    ifn_backend *const below = open_fake("scalar");
    ifn_backend *self;
    ifn_error err;
    broken.buffers = no_buffers;
    assert_int_equal(ifn_registry_open_desc(&fake_registry, &broken, below, "z", NULL, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'trace': has no allocator for buffers");
    assert_string_equal(fake_journal, "open trace 1 [z]\nclose trace\n");
    ifn_backend_close(below);
}

static void fill_nothing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->scale = NULL;
}

TEST(an_empty_slot_is_refused)
{
    ifn_backend_desc broken = fake_mine;
    ifn_backend *self;
    ifn_error err;
    broken.fill = fill_nothing;
    assert_int_equal(ifn_registry_open_desc(&fake_registry, &broken, NULL, NULL, NULL, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'mine': fill left scale empty");
    assert_null(self);
}

TEST(stacks_without_sense_are_refused)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"trace", "backend 'trace': wraps another backend, expected trace:NAME"},
        {"parallel:trace", "backend 'trace': wraps another backend, expected trace:NAME"},
        {"simd:trace:scalar", "backend 'simd': cannot stand on 'trace', which is a wrapper"},
        {"trace:trace:simd", "backend 'trace': stands on itself, expected it once"},
        {"parallel:trace:tracing:simd", "backend 'trace': stands on itself, expected it once"},
        {"simd:simd", "backend 'simd': stands on itself, expected it once"},
        {"parallel:parallel:simd",
         "backend 'parallel': is in the stack twice, expected calls to be cut once"},
        {"parallel:trace:parallel=2:simd",
         "backend 'parallel': is in the stack twice, expected calls to be cut once"},
        {"scalar:simd", "backend 'scalar': implements every op and stands on nothing, found 'simd' "
                        "below it"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_backend *self;
        ifn_error err;
        assert_int_equal(ifn_registry_open(&fake_registry, cases[i].text, NULL, &self, &err),
                         IFN_ERR_ARGUMENT);
        assert_string_equal(err.text, cases[i].message);
        assert_null(self);
    }
}

/* Whether explain_if_known has an explanation. */
static int knows;

static int explain_if_known(ifn_backend *self, ifn_error *err)
{
    if (knows)
        (void)ifn_fail(err, IFN_ERR_SHAPE, "%s knows", self->desc->name);
    return knows;
}

TEST(the_outermost_that_knows_explains)
{
    ifn_backend_desc mine = fake_mine, trace = fake_trace;
    ifn_backend *leaf, *wrapper;
    ifn_error err = {0};
    mine.explain = explain_if_known;
    assert_ok(ifn_registry_open_desc(&fake_registry, &mine, NULL, NULL, NULL, &leaf, &err), err);
    assert_ok(ifn_registry_open_desc(&fake_registry, &trace, leaf, NULL, NULL, &wrapper, &err),
              err);
    knows = 0;
    assert_int_equal(ifn_backend_explain(wrapper, &err), 0);
    knows = 1;
    assert_int_equal(ifn_backend_explain(wrapper, &err), 1);
    assert_string_equal(err.text, "mine knows");
    ifn_backend_close(wrapper);
    trace.explain = explain_if_known;
    assert_ok(ifn_registry_open_desc(&fake_registry, &trace, leaf, NULL, NULL, &wrapper, &err),
              err);
    assert_int_equal(ifn_backend_explain(wrapper, &err), 1);
    assert_string_equal(err.text, "trace knows");
    ifn_backend_close(wrapper);
    ifn_backend_close(leaf);
}

TEST(a_descriptor_stands_only_where_it_can)
{
    ifn_backend *const wrapper = open_fake("trace:scalar");
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(
        ifn_registry_open_desc(&fake_registry, &fake_mine, wrapper, NULL, NULL, &self, &err),
        IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'mine': cannot stand on 'trace', which is a wrapper");
    assert_int_equal(
        ifn_registry_open_desc(&fake_registry, &fake_trace, NULL, NULL, NULL, &self, &err),
        IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'trace': wraps another backend, expected trace:NAME");
    ifn_backend_close(wrapper);
}

TEST(a_machine_that_cannot_run_it_is_told)
{
    if (!ifn_cpu_detect())
        skip(); /* fakes.c */
    const ifn_backend_options no_cpu =
        IFN_SIZED(ifn_backend_options, .cpu_mask = UINT64_C(1) << 63);
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&fake_registry, "trace:simd", &no_cpu, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'simd': cannot run on this machine");
}

TEST(options_that_do_not_say_how_long_they_are_are_refused)
{
    const ifn_backend_options none = {.n_threads = 1};
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&fake_registry, "scalar", &none, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text,
                        "ifn_backend_options: bytes 0, expected its size, which its _INIT "
                        "begins with");
    assert_int_equal(
        ifn_registry_open_desc(&fake_registry, &fake_simd, NULL, NULL, &none, &self, &err),
        IFN_ERR_ARGUMENT);
}

TEST(negative_counts_are_refused)
{
    const ifn_backend_options threads = IFN_SIZED(ifn_backend_options, .n_threads = -1),
                              contexts = IFN_SIZED(ifn_backend_options, .n_contexts = -2);
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&fake_registry, "scalar", &threads, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "n_threads -1, expected 0 or more");
    assert_int_equal(ifn_registry_open(&fake_registry, "scalar", &contexts, &self, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "n_contexts -2, expected 0 or more");
}

TEST(a_stage_that_does_not_open_takes_the_inner_ones_with_it)
{
    fail_alloc heap;
    fail_alloc_init(&heap, -1);
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .alloc = &heap.allocator);
    ifn_backend *self;
    ifn_error err;
    fake_open_status = IFN_ERR_IO;
    const ifn_status status =
        ifn_registry_open(&fake_registry, "trace:simd", &options, &self, &err);
    fake_open_status = IFN_OK;
    assert_int_equal(status, IFN_ERR_IO);
    assert_string_equal(err.text, "trace does not open");
    assert_null(self);
    assert_int_equal(heap.live_blocks, 0);
}

static ifn_status open_without_a_reason(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)state, (void)env, (void)err;
    return IFN_ERR_IO;
}

TEST(a_stage_that_fails_without_a_reason_is_told_by_name)
{
    ifn_backend_desc desc = fake_mine;
    ifn_backend *self;
    ifn_error err = {.text = "left over"};
    desc.usable = NULL;
    desc.open = open_without_a_reason;
    assert_int_equal(ifn_registry_open_desc(&fake_registry, &desc, NULL, "", NULL, &self, &err),
                     IFN_ERR_IO);
    assert_int_equal(err.status, IFN_ERR_IO);
    assert_string_equal(err.text, "backend 'mine': open failed (ERR_IO) and gives no reason");
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    for (long n = 0;; n++) {
        fail_alloc heap;
        ifn_backend *self;
        ifn_error err = {0};
        fail_alloc_init(&heap, n);
        const ifn_backend_options options =
            IFN_SIZED(ifn_backend_options, .alloc = &heap.allocator);
        const ifn_status status =
            ifn_registry_open(&fake_registry, "trace:parallel=2:simd", &options, &self, &err);
        if (status == IFN_OK) {
            assert_true(n >= 4); /* four nodes at least */
            ifn_backend_close(self);
            assert_int_equal(heap.live_blocks, 0);
            return;
        }
        assert_int_equal(status, IFN_ERR_NOMEM);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
        assert_null(self);
        assert_int_equal(heap.live_blocks, 0);
    }
}

TEST(closing_nothing_is_fine)
{
    ifn_backend_close(NULL);
}
