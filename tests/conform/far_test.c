#include "case_call.h"
#include "far.h"

#include <string.h>

#include "golden.h"
#include "test.h"

static conform_case case_of(ifn_op op, ifn_dtype dtype, const int64_t dim[CONFORM_MAX_DIMS])
{
    conform_case c = {
        .op = op, .dtype = dtype, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 1};
    memcpy(c.dim, dim, sizeof c.dim);
    return c;
}

/* Binds a call whose tensors lie anywhere. */
static void make_call(const conform_case *c, conform_call *out)
{
    static unsigned char nothing[CONFORM_MAX_TENSORS][1 << 14];
    void *data[CONFORM_MAX_TENSORS];
    conform_layout l = {0};
    *out = (conform_call){0};
    assert_int_equal(conform_case_layout(c, &l), IFN_OK);
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        data[i] = i < l.n && !l.t[i].absent ? nothing[i] : NULL;
    conform_case_bind(c, &l, data, out);
}

TEST(every_op_has_a_way)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        assert_that(conform_far_way_name((ifn_op)op, 0), "%s", ifn_op_name((ifn_op)op));
        assert_null(conform_far_way_name((ifn_op)op, FAR_WAYS));
    }
}

static const far_tensor *find(const far_tensor *all, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].arg->name, name) == 0)
            return &all[i];
    return NULL;
}

static int64_t bytes_at(far_border border, ifn_dtype dtype)
{
    const int64_t at = INT64_C(1) << (border % 2 ? 32 : 31),
                  block = ifn_dtype_block_elements(dtype);
    return border < FAR_ELEMENTS_31 ? at : at / block * (int64_t)ifn_dtype_row_bytes(dtype, block);
}

/* The border lies within the bytes of the tensor that are read. */
TEST(rows_of_a_table_lie_on_both_sides_of_the_border)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q4_K};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const conform_case c =
            case_of(IFN_OP_GATHER_ROWS, dtypes[i], (int64_t[CONFORM_MAX_DIMS]){4, 9, 256});
        conform_call home;
        make_call(&c, &home);
        far_run runs[FAR_RUNS];
        int n_tables = 0;
        for (int r = 0, n = conform_far_runs(c.op, &home, runs); r < n; r++) {
            far_tensor all[FAR_TENSORS];
            conform_call far;
            conform_far_move(c.op, &home, &runs[r], &far);
            const int n_far = conform_far_tensors(c.op, &home, &far, &runs[r], all);
            const far_tensor *const table = find(all, n_far, "table"),
                                    *ids = find(all, n_far, "ids");
            if (!table)
                continue;
            const int64_t at = bytes_at(runs[r].border, c.dtype);
            assert_true((int64_t)table->far_begin < at);
            assert_true((int64_t)(table->far_begin + table->run_bytes) > at);
            assert_true(table->far_bytes > table->far_begin + table->run_bytes);
            assert_int_equal(ids->ids_more * (int64_t)table->run_bytes / 9, table->far_begin);
            n_tables++;
        }
        assert_int_equal(n_tables, FAR_PART_BORDERS);
    }
}

/* The whole of the original call is a part of the far call, and the argument checks of every backend pass. */
TEST(a_far_call_is_legal)
{
    static const struct {
        ifn_op op;
        ifn_dtype dtype;
        int64_t dim[CONFORM_MAX_DIMS];
    } cases[] = {
        {IFN_OP_ADD, IFN_DTYPE_F32, {5}},
        {IFN_OP_MATMUL, IFN_DTYPE_F32, {3, 4, 5}},
        {IFN_OP_CONCAT_DIM0, IFN_DTYPE_F32, {2, 3, 4}},
        {IFN_OP_RESHAPE_DATA, IFN_DTYPE_F32, {2, 3}},
        {IFN_OP_LINEAR, IFN_DTYPE_Q8_0, {3, 4, 64, 1, 1, 1}},
        {IFN_OP_KV_STORE, IFN_DTYPE_F16, {2, 3, 1, 2, 8}},
        {IFN_OP_ATTENTION, IFN_DTYPE_Q8_0, {2, 3, 1, 2, 3, 32, 0}},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        const conform_case c = case_of(cases[i].op, cases[i].dtype, cases[i].dim);
        conform_call home;
        make_call(&c, &home);
        far_run runs[FAR_RUNS];
        const int n = conform_far_runs(c.op, &home, runs);
        assert_true(n >= FAR_PART_BORDERS);
        for (int r = 0; r < n; r++) {
            far_tensor all[FAR_TENSORS];
            conform_call far;
            ifn_error err = {0};
            conform_far_move(c.op, &home, &runs[r], &far);
            const int n_far = conform_far_tensors(c.op, &home, &far, &runs[r], all);
            /* each tensor gets an address of its own, as if there were so much memory */
            for (int t = 0; t < n_far; t++)
                conform_far_set_address(&all[t], &far, (char *)0 + ((uintptr_t)(t + 1) << 40));
            const ifn_status status = ifn_op_check(c.op, &far.args.call, &err);
            assert_that(status == IFN_OK, "%s, %s: %s", ifn_op_name(c.op),
                        conform_far_way_name(c.op, runs[r].way), err.text);
        }
    }
}

typedef struct part {
    int64_t begin, end;
} part;

#define PART_OF(a, axis)                                                                           \
    ((axis) ? (part){(a)->part2_begin, (a)->part2_end} : (part){(a)->part_begin, (a)->part_end})

static part part_of(ifn_op op, const ifn_args *args, int axis)
{
    return op == IFN_OP_MATMUL      ? PART_OF(&args->matmul, axis)
           : op == IFN_OP_LINEAR    ? PART_OF(&args->linear, axis)
           : op == IFN_OP_ATTENTION ? PART_OF(&args->attention, axis)
                                    : (part){args->add.part_begin, args->add.part_end};
}

/* A backend that cuts at multiples of a granule gets parts that begin and end at such multiples, or are the last
 * part. */
TEST(a_far_part_is_cut_where_the_backend_wants_it)
{
    static const int64_t granules[] = {1, 2, 3, 16, 100};
    static const struct {
        ifn_op op;
        int64_t dim[CONFORM_MAX_DIMS];
    } cases[] = {{IFN_OP_ADD, {48}},
                 {IFN_OP_MATMUL, {3, 4, 5}},
                 {IFN_OP_LINEAR, {3, 16, 64, 1, 1, 1}},
                 {IFN_OP_ATTENTION, {2, 3, 1, 2, 3, 32, 0}}};
    for (size_t i = 0; i < N_OF(cases) * N_OF(granules); i++) {
        const int64_t granule = granules[i % N_OF(granules)];
        const ifn_op op = cases[i / N_OF(granules)].op;
        const conform_case c = case_of(op, IFN_DTYPE_F32, cases[i / N_OF(granules)].dim);
        conform_call home, far;
        make_call(&c, &home);
        far_run runs[FAR_RUNS];
        int n_parts = 0;
        for (int r = 0, n = conform_far_runs(op, &home, runs); r < n; r++) {
            const int axis = conform_far_axis(op, &home, &runs[r]);
            if (axis < 0)
                continue;
            far_run run = runs[r];
            assert_false(conform_far_aligned(op, &home, INT64_MAX, &run));
            assert_true(conform_far_aligned(op, &home, granule, &run));
            conform_far_move(op, &home, &run, &far);
            const part its = part_of(op, &far.args, axis);
            const int64_t extent = ifn_op_extent(op, &far.args.call, axis);
            assert_true(run.more >= runs[r].more && run.more < runs[r].more + granule);
            assert_int_equal(its.begin % granule, 0);
            assert_true(its.end == extent || (its.end % granule == 0 && its.end < extent));
            assert_int_equal(its.end - its.begin, ifn_op_extent(op, &home.args.call, axis));
            n_parts++;
        }
        assert_true(n_parts > 0);
    }
}

TEST(packed_weights_are_never_far)
{
    conform_case c =
        case_of(IFN_OP_LINEAR, IFN_DTYPE_Q8_0, (int64_t[CONFORM_MAX_DIMS]){3, 4, 64, 1, 0, 0});
    const uint32_t raw = conform_far_classes(&c), of_n = (1U << FAR_PART_BORDERS) - 1;
    c.prepared = 1;
    assert_int_equal(raw & of_n, of_n);
    assert_int_equal(conform_far_classes(&c), raw & ~of_n);
}

TEST(one_case_of_some_is_due_and_no_refusal)
{
    conform_case c = case_of(IFN_OP_ADD, IFN_DTYPE_F32, (int64_t[CONFORM_MAX_DIMS]){5});
    int n = 0;
    for (c.seed = 1; c.seed <= 3200; c.seed++)
        n += conform_far_calls(&c) == FAR_CALL_OF_PARTS;
    assert_in_range(n, 150, 250);
    c.tier = TIER_REFUSE;
    for (c.seed = 1; c.seed <= 3200; c.seed++)
        assert_int_equal(conform_far_calls(&c), 0);
}
