/*
 * A device is judged in its own memory: the judge finds what an op writes there beside a tensor or to an input, and
 * finds a host that reads a tensor.
 */
#include <string.h>

#include "bench.h"
#include "fenced_leaf.h"
#include "test.h"

/* What the device does besides adding; offsets are in elements. */
typedef struct habit {
    int writes;  /* writes the -writes-th element before out, or the writes-th after it; 0: not */
    int reads;   /* out[0] becomes the reads-th element after x; 0: not */
    int masks;   /* adds 0 times what stands after x to out[0] */
    int changes; /* writes to x */
    int touches; /* reads out from the host */
    int loses;   /* copy_in leaves out the last byte */
    int leaves; /* leaves a call or part to its base unless it is whole groups of so many elements */
    int halves; /* and has already written the first element of it */
} habit;

static const habit honest = {.writes = 0};

static const habit *habit_of(const ifn_backend *self)
{
    return fenced_leaf_habit(self);
}

static ifn_status device_copy_in(ifn_backend *self, const ifn_copy_in_args *args)
{
    ifn_copy_in_args a = *args;
    a.bytes -= a.bytes && habit_of(self)->loses;
    return fenced_leaf_copy_in(self, &a);
}

static int leaves(const ifn_add_args *a, int group)
{
    const int64_t end = a->part_end ? a->part_end : a->n;
    return a->part_begin % group != 0 || end % group != 0;
}

static ifn_status device_add(ifn_backend *self, const ifn_add_args *args)
{
    const habit *const h = habit_of(self);
    ifn_add_args a = *args;
    a.x = fenced_leaf_inside(self, args->x);
    a.y = fenced_leaf_inside(self, args->y);
    a.out = fenced_leaf_inside(self, args->out);
    if (h->leaves && leaves(&a, h->leaves)) {
        if (h->halves && a.n > 0)
            a.out[a.part_begin] = 7;
        return IFN_ERR_UNSUPPORTED;
    }
    const ifn_status status = ifn_add(self->base, &a);
    if (status != IFN_OK || a.n < 1)
        return status;
    if (h->writes)
        a.out[h->writes < 0 ? h->writes : a.n + h->writes - 1] = 7;
    if (h->reads)
        a.out[0] = a.x[a.n + h->reads - 1];
    if (h->masks)
        a.out[0] += 0.0f * a.x[a.n];
    if (h->changes)
        memset((void *)(uintptr_t)a.x, 7, sizeof *a.x);
    return h->touches && *(const volatile float *)args->out > 0 ? IFN_ERR_SHAPE : status;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->copy_in = device_copy_in;
    table->copy_out = fenced_leaf_copy_out;
    table->add = device_add;
}

static const ifn_backend_desc desc = {FENCED_LEAF, .fill = fill};
static const conform_tested tested = {"device", leaf_open, &desc};

static conform_case case_of(ifn_op op, int64_t n)
{
    return (conform_case){
        .op = op, .dim = {n}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 3};
}

static void expect(habit h, conform_case c, conform_check check, const char *text)
{
    fenced_leaf_expect(&tested, &h, c, check, text);
}

/* An op of its own, one of its doors, and two that are staged. */
TEST(an_honest_device_passes)
{
    for (int64_t n = 0; n < 70; n++) {
        expect(honest, case_of(IFN_OP_ADD, n), CHECK_NONE, "");
        expect(honest, case_of(IFN_OP_COPY_IN, n), CHECK_NONE, "");
        expect(honest, case_of(IFN_OP_COPY_OUT, n), CHECK_NONE, "");
        expect(honest, case_of(IFN_OP_SILU, n), CHECK_NONE, "");
    }
}

/* The device leaves whole calls to its base, and single parts of calls that it runs itself. */
TEST(a_device_may_leave_any_call_to_its_base)
{
    const habit h = {.leaves = 4};
    for (uint64_t seed = 1; seed < 40; seed++) {
        conform_case c = case_of(IFN_OP_ADD, 40);
        c.seed = seed;
        expect(h, c, CHECK_NONE, "");
    }
}

TEST(a_part_that_is_left_to_the_base_is_as_it_was)
{
    int n = 0;
    for (uint64_t seed = 1; seed < 40; seed++) {
        conform_case c = case_of(IFN_OP_ADD, 40);
        c.seed = seed;
        const conform_verdict v = fenced_leaf_judge(&tested, &(habit){.leaves = 4, .halves = 1}, c);
        n += v.outcome == OUTCOME_FAIL && strstr(v.detail, "in parts: refused") != NULL;
    }
    assert_that(n > 10, "%d of 39", n);
}

TEST(what_is_written_beside_a_tensor_is_found)
{
    expect((habit){.writes = 1}, case_of(IFN_OP_ADD, 5), CHECK_SLACK,
           "4 bytes after out, the first 0 away");
    expect((habit){.writes = 3}, case_of(IFN_OP_ADD, 5), CHECK_SLACK,
           "4 bytes after out, the first 8 away");
    expect((habit){.writes = -2}, case_of(IFN_OP_ADD, 5), CHECK_SLACK,
           "4 bytes before out, the first 8 away");
}

TEST(an_input_that_is_written_is_found)
{
    expect((habit){.changes = 1}, case_of(IFN_OP_ADD, 5), CHECK_INPUT, "input x has changed");
}

TEST(what_depends_on_bytes_after_a_tensor_is_wrong)
{
    expect((habit){.reads = 1}, case_of(IFN_OP_ADD, 5), CHECK_VALUE, "out");
}

/* The op masks a tail by multiplying it by zero: correct if numbers follow the tensor, wrong if NaN does. */
TEST(what_multiplies_bytes_after_a_tensor_by_zero_is_found)
{
    const conform_verdict v =
        fenced_leaf_judge(&tested, &(habit){.masks = 1}, case_of(IFN_OP_ADD, 5));
    assert_that(v.outcome == OUTCOME_FAIL && strstr(v.detail, "R0: the same call again"), "%s",
                v.detail);
}

/* The judge copies in a tensor with a guard band after it, so the last byte of each copy belongs to a band. */
TEST(a_door_that_loses_a_byte_is_found)
{
    expect((habit){.loses = 1}, case_of(IFN_OP_COPY_IN, 5), CHECK_SLACK, "1 bytes after out");
}

/* The worker dies of the read, and that is the verdict of this case. Another worker opens the device again for the
 * next case. */
TEST(a_host_that_reads_a_buffer_dies_and_the_device_is_opened_again)
{
    const habit touches = {.touches = 1};
    const conform_case bad = case_of(IFN_OP_ADD, 5), good = case_of(IFN_OP_ADD, 0);
    conform_runner r;
    conform_verdict v;
    ifn_error err = {0};
    fenced_leaf_next = &touches;
    bench_open(&r, &tested, 0, 10);
    const conform_failure f = bench_failure(&r, &bad);
    assert_ok(conform_runner_try(&r, 0, &good, &v, &err), err);
    conform_runner_close(&r);
    fenced_leaf_next = NULL;
    assert_that(f.verdict.check == CHECK_GUARD &&
                    strstr(f.verdict.detail, "SIGSEGV reading at byte 0 of out"),
                "%s: %s", conform_check_name(f.verdict.check), f.verdict.detail);
    assert_int_equal(v.outcome, OUTCOME_PASS);
}

/* Far calls that a device cannot have count as left out. */
TEST(a_device_has_no_far_calls)
{
    conform_case c = case_of(IFN_OP_ADD, 5);
    uint32_t tried = 0, left_out = 0;
    for (c.seed = 1; c.seed < 200; c.seed++) {
        const conform_verdict v = fenced_leaf_judge(&tested, &honest, c);
        assert_int_equal(v.outcome, OUTCOME_PASS);
        tried |= v.far;
        left_out |= v.far_left_out;
    }
    assert_int_equal(tried, 0);
    assert_true(left_out != 0);
}
