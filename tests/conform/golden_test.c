#include "golden.h"

#include <math.h>
#include <string.h>

#include "case_call.h"
#include "paths.h"
#include "spec_text.h"
#include "test.h"

#define GOLDEN "{name: twice, x: [1, -2.5], value: 2, out: [2, -5]}"
#define REFUSE "{n: -1}"

TEST(sizes_are_those_of_the_lists)
{
    spec_op *spec = assert_read("op: scale", "op: scale");
    conform_case c;
    ifn_error err;
    assert_ok(conform_golden_case(spec, 1, &c, &err), err);
    assert_int_equal(c.dim[0], 2);
    assert_int_equal(c.tier, TIER_GOLDEN);
    assert_int_equal(c.family, FAMILY_WRITTEN);
    assert_int_equal(c.index, 1);
    spec_op_free(spec);
}

TEST(a_size_that_is_named_wins)
{
    spec_op *spec =
        assert_read(GOLDEN, "{name: none, n: 0, dtype: q8_0, x: [], value: 2, out: []}");
    conform_case c;
    ifn_error err;
    assert_ok(conform_golden_case(spec, 1, &c, &err), err);
    assert_int_equal(c.dim[0], 0);
    assert_int_equal(c.dtype, IFN_DTYPE_Q8_0);
    spec_op_free(spec);
}

static void assert_no_case(const char *golden, uint32_t index, const char *message)
{
    spec_op *spec = assert_read(GOLDEN, golden);
    conform_case c;
    ifn_error err;
    assert_int_not_equal(conform_golden_case(spec, index, &c, &err), IFN_OK);
    assert_string_equal(err.text, message);
    spec_op_free(spec);
}

TEST(sizes_that_do_not_fit_are_refused)
{
    assert_no_case("{name: g, x: [1, 2], value: 1, out: [1, 2, 3]}", 1,
                   "out in line 16: 3 values, expected 2");
    assert_no_case(GOLDEN, 2, "scale: golden entry 2, the spec has 1");
    assert_no_case(GOLDEN, 0, "scale: golden entry 0, the spec has 1");
}

TEST(a_row_that_holds_no_whole_blocks_is_refused)
{
    spec_values cols = {.name = "cols", .kind = SPEC_NUMBERS, .n = 1, .values = {31}};
    spec_values dtype = {.name = "dtype", .kind = SPEC_NAMED, .text = "q8_0"};
    spec_values values[] = {cols, dtype};
    static spec_op spec = {.op = IFN_OP_DEQUANTIZE_ROWS, .n_golden = 1};
    conform_case c;
    ifn_error err;
    spec.golden[0] = (spec_entry){.name = "g", .n_values = 2, .values = values};
    assert_int_equal(conform_golden_case(&spec, 1, &c, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, "dequantize_rows: golden 'g': its sizes do not fit each other");
}

typedef struct buffers {
    conform_layout l;
    float x[2], value, out[2];
    void *data[3];
} buffers;

static void open_buffers(buffers *b)
{
    const conform_case c = {.op = IFN_OP_SCALE, .dim = {2}};
    memset(b, 0, sizeof *b);
    assert_int_equal(conform_case_layout(&c, &b->l), IFN_OK);
    b->data[0] = b->x;
    b->data[1] = &b->value;
    b->data[2] = b->out;
}

TEST(inputs_are_what_is_written)
{
    spec_op *spec = assert_read("op: scale", "op: scale");
    buffers b;
    ifn_error err;
    open_buffers(&b);
    assert_ok(conform_golden_fill(&b.l, &spec->golden[0], b.data, &err), err);
    assert_true(b.x[0] == 1 && b.x[1] == -2.5f && b.value == 2);
    assert_true(b.out[0] == 0);
    spec_op_free(spec);
    spec = assert_read("value: 2, ", "");
    assert_int_equal(conform_golden_fill(&b.l, &spec->golden[0], b.data, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, "golden 'twice': no values for value");
    spec_op_free(spec);
}

static int holds_where(const float *got, const conform_truth *truth, bool may_skip)
{
    spec_op *spec = assert_read("op: scale", "op: scale");
    buffers b;
    open_buffers(&b);
    ifn_error err;
    const spec_values *want = conform_golden_want(&b.l, 2, &spec->golden[0]);
    assert_non_null(want);
    const int result = conform_golden_holds(&b.l.t[2], want, got, truth, may_skip, &err);
    if (!result)
        assert_string_equal(err.text, "out in line 16: value 1 is not -5");
    spec_op_free(spec);
    return result;
}

static int holds(const float *got, const conform_truth *truth)
{
    return holds_where(got, truth, false);
}

/* A golden value is compared even where the truth skips the element, unless a declared format makes it skip. */
TEST(what_the_truth_leaves_out_is_judged_where_nothing_is_declared)
{
    double want[2] = {2, -5}, bound[2] = {0.25, 0.25};
    unsigned char skip[2] = {0, 1};
    const conform_truth judged = {.class = CLASS_BOUND, .want = want, .bound = bound, .skip = skip};
    assert_false(holds((const float[]){2, -4.5f}, &judged));
    assert_true(holds_where((const float[]){2, -4.5f}, &judged, true));
    assert_true(holds((const float[]){2, -5}, &judged));
}

TEST(results_are_the_same_bits_or_within_the_bound)
{
    double want[2] = {2, -5}, bound[2] = {0.25, 0.25};
    const conform_truth judged = {.class = CLASS_BOUND, .want = want, .bound = bound};
    assert_true(holds((const float[]){2, -5}, NULL));
    assert_false(holds((const float[]){2, -4.9999f}, NULL));
    assert_true(holds((const float[]){2, -4.875f}, &judged));
    assert_false(holds((const float[]){2, -4.5f}, &judged));
    assert_false(holds((const float[]){2, NAN}, &judged));
    assert_false(holds((const float[]){2, -INFINITY}, &judged));
}

TEST(the_oracle_must_find_what_is_written)
{
    spec_op *spec = assert_read("op: scale", "op: scale");
    double want[2] = {2, -5}, bound[2] = {100, 100};
    conform_truth truth = {.class = CLASS_BOUND, .want = want, .bound = bound};
    buffers b;
    ifn_error err;
    open_buffers(&b);
    const spec_values *written = conform_golden_want(&b.l, 2, &spec->golden[0]);
    assert_true(conform_golden_confirms(&b.l.t[2], written, &truth, &err));
    want[1] = -5.0001;
    assert_false(conform_golden_confirms(&b.l.t[2], written, &truth, &err));
    assert_string_equal(err.text, "out in line 16: value 1 is -5, the oracle's not");
    want[1] = (double)NAN;
    assert_false(conform_golden_confirms(&b.l.t[2], written, &truth, &err));
    truth.class = CLASS_BITS;
    assert_false(conform_golden_confirms(&b.l.t[2], written, &truth, &err));
    spec_op_free(spec);
}

TEST(special_results_are_compared_by_kind)
{
    spec_op *spec = assert_read("out: [2, -5]", "out: [.nan, -.inf]");
    buffers b;
    ifn_error err;
    open_buffers(&b);
    const spec_values *want = conform_golden_want(&b.l, 2, &spec->golden[0]);
    const float right[] = {-NAN, -INFINITY}, wrong[] = {NAN, INFINITY}, finite[] = {1, -INFINITY};
    assert_true(conform_golden_holds(&b.l.t[2], want, right, NULL, false, &err));
    assert_false(conform_golden_holds(&b.l.t[2], want, wrong, NULL, false, &err));
    assert_false(conform_golden_holds(&b.l.t[2], want, finite, NULL, false, &err));
    spec_op_free(spec);
}

/* i32, bytes and blocks: one tensor each, with values that do and do not fit. */
TEST(numbers_fit_their_elements)
{
    static const struct {
        const char *x;
        int element; /* index in the layout below */
        const char *message;
    } cases[] = {
        {"x: [7, -1]", 0, NULL},
        {"x: [7, 1.5]", 0, "x in line 16: 1.5, expected an integer of its size"},
        {"x: [7, .nan]", 0, "x in line 16: nan, expected an integer of its size"},
        {"x: [7, 255]", 1, NULL},
        {"x: [7, 256]", 1, "x in line 16: 256, expected an integer of its size"},
        {"x: {bytes: \"3c003c00\"}", 2, NULL},
        {"x: [1, 2]", 2, "x in line 16: numbers, expected bytes of F16"},
        {"x: {bytes: \"3c00\"}", 2, "x in line 16: 2 values, expected 4"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        conform_layout all = {0};
        conform_add_i32(&all, "x", ROLE_IN, 2);
        conform_add_bytes(&all, "x", ROLE_IN, 2);
        conform_add_blocks(&all, "x", ROLE_IN, IFN_DTYPE_F16, 1, 2);
        conform_layout l = {.n = 1, .t = {all.t[cases[i].element]}};
        unsigned char data[8];
        void *pointers[] = {data};
        ifn_error err = {.text = ""};
        spec_op *spec = assert_read("x: [1, -2.5]", cases[i].x);
        (void)!conform_golden_fill(&l, &spec->golden[0], pointers, &err);
        assert_string_equal(err.text, cases[i].message ? cases[i].message : "");
        if (cases[i].element == 2 && !cases[i].message)
            assert_memory_equal(data, "\x3c\x00\x3c\x00", 4);
        spec_op_free(spec);
    }
}

TEST(a_tensor_changed_in_place_is_written_twice)
{
    spec_op *spec = assert_read("out: [2, -5]", "out: [0, 0], out_after: [2, -5]");
    conform_layout l = {0};
    conform_add_f32(&l, "out", ROLE_INOUT, 1, 2);
    assert_ptr_equal(conform_golden_want(&l, 0, &spec->golden[0]),
                     spec_find_values(&spec->golden[0], "out_after"));
    spec_op_free(spec);
}

static conform_call refused(const char *with, buffers *b)
{
    spec_op *spec = assert_read(REFUSE, with);
    conform_call call = {0};
    ifn_error err;
    open_buffers(b);
    conform_case c = conform_refuse_case(spec, 1);
    assert_int_equal(c.tier, TIER_REFUSE);
    assert_int_equal(c.dim[0], 3);
    c.dim[0] = 2;
    assert_ok(conform_refuse_bind(spec, &c, &b->l, b->data, &call, &err), err);
    spec_op_free(spec);
    return call;
}

/* A refuse entry may name a member of a weight that the call does not have: that is a mistake of the spec. */
TEST(a_weight_that_the_call_lacks_is_a_mistake_of_the_spec)
{
    buffers b;
    conform_call call = {0};
    ifn_error err;
    spec_op *spec = assert_read(REFUSE, "{x.n_dims: 3}");
    open_buffers(&b);
    const conform_case c = conform_refuse_case(spec, 1);
    assert_int_equal(conform_refuse_bind(spec, &c, &b.l, b.data, &call, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "x.n_dims in line "));
    spec_op_free(spec);
}

TEST(a_refused_call_differs_in_what_is_written)
{
    buffers b;
    conform_call call = refused("{n: -1}", &b);
    assert_int_equal(call.args.scale.n, -1);
    assert_ptr_equal(call.args.scale.x, b.x);
    call = refused("{x: null}", &b);
    assert_null(call.args.scale.x);
    assert_int_equal(call.args.scale.n, 2);
    call = refused("{out: x}", &b);
    assert_ptr_equal(call.args.scale.out, b.x);
    call = refused("{x: [8, 9]}", &b);
    assert_true(b.x[0] == 8 && b.x[1] == 9);
    call = refused("{part: [1, 3]}", &b);
    assert_int_equal(call.args.scale.part_begin, 1);
    assert_int_equal(call.args.scale.part_end, 3);
}
