#include <inferno/quant.h>

#include "op_weights.h"

TEST(rows_of_every_dtype_are_decoded)
{
    for (uint64_t seed = 0; seed < 260; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_GATHER_ROWS, seed);
        const ifn_dtype dtype = (ifn_dtype)(seed % IFN_DTYPE_Q8_32F);
        const int64_t cols = op_size(&c, 4) * ifn_dtype_block_elements(dtype);
        const int64_t n = op_size(&c, 20), table_rows = 1 + op_size(&c, 10);
        const size_t row_bytes = ifn_dtype_row_bytes(dtype, cols);
        int32_t ids[20];
        for (int64_t i = 0; i < n; i++)
            ids[i] = (int32_t)op_below(&c, table_rows);
        op_weights w;
        op_weights_init(&w, &c, dtype, table_rows, cols, OP_SCALES_ANY);
        const int32_t *in_ids = op_input(&c, ids, n * sizeof *ids);
        float *out = op_output(&c, n * cols * 4);
        c.args.gather_rows =
            IFN_ARGS(gather_rows, .out = out, .table = &w.tensor, .ids = in_ids, .n = n);
        op_shape(&c, "%s, %d of %d rows, cols %d", ifn_dtype_name(dtype), (int)n, (int)table_rows,
                 (int)cols);
        while (op_next(&c)) {
            for (int64_t i = 0; i < n && cols > 0; i++) {
                float row[4 * 256];
                const char *const at = (const char *)w.tensor.data + ids[i] * row_bytes;
                assert_int_equal(ifn_dequantize_row(dtype, at, row, cols), IFN_OK);
                op_expect_bytes(&c, "row", out + i * cols, row, cols * 4);
            }
        }
        op_weights_fini(&w);
    }
}

TEST(f32_rows_keep_their_bits)
{
    op_case c;
    op_begin(&c, IFN_OP_GATHER_ROWS, 0);
    const ifn_tensor table = {"table", op_floats(&c, 12, OP_BITS), IFN_DTYPE_F32, 2, {4, 3}};
    const int32_t *ids = op_input(&c, (const int32_t[]){3, 0, 3}, 3 * sizeof *ids);
    float *out = op_output(&c, 9 * sizeof *out);
    c.args.gather_rows = IFN_ARGS(gather_rows, .out = out, .table = &table, .ids = ids, .n = 3);
    const char *const rows = table.data;
    while (op_next(&c)) {
        op_expect_bytes(&c, "out[0]", out, rows + 36, 12);
        op_expect_bytes(&c, "out[1]", out + 3, rows, 12);
        op_expect_bytes(&c, "out[2]", out + 6, rows + 36, 12);
    }
}

TEST(an_id_of_the_part_out_of_range_is_refused_before_anything_is_written)
{
    static const int32_t wrong[][3] = {{0, 1, 4}, {0, -1, 1}};
    for (size_t i = 0; i < N_OF(wrong); i++) {
        for (int64_t cols = 0; cols < 3; cols += 2) {
            op_case c;
            op_begin(&c, IFN_OP_GATHER_ROWS, i);
            const ifn_tensor table = {
                "table", op_floats(&c, 4 * cols, OP_PLAIN), IFN_DTYPE_F32, 2, {4, cols}};
            c.args.gather_rows =
                IFN_ARGS(gather_rows, .out = op_output(&c, 3 * cols * 4), .table = &table,
                         .ids = op_input(&c, wrong[i], sizeof wrong[i]), .n = 3);
            op_expect_status(&c, IFN_ERR_ARGUMENT);
        }
    }
}

TEST(an_id_outside_the_part_does_not_matter)
{
    op_case c;
    op_begin(&c, IFN_OP_GATHER_ROWS, 0);
    const ifn_tensor table = {"table", OP_IN(&c, 5, 6), IFN_DTYPE_F32, 2, {2, 1}};
    const int32_t *ids = op_input(&c, (const int32_t[]){99, 1, -1}, 3 * sizeof *ids);
    float *out = op_output_some(&c, 3 * sizeof *out);
    c.args.gather_rows = IFN_ARGS(gather_rows, .part_begin = 1, .part_end = 2, .out = out,
                                  .table = &table, .ids = ids, .n = 3);
    while (op_next(&c)) {
        op_expect_float(&c, "out", 1, out[1], 6);
        op_expect_untouched(&c, "before the part", &out[0], sizeof *out);
        op_expect_untouched(&c, "behind the part", &out[2], sizeof *out);
    }
}

TEST(a_table_that_does_not_fit_is_refused)
{
    const ifn_tensor vector = {"vector", NULL, IFN_DTYPE_F32, 1, {0}};
    const ifn_tensor uneven = {"uneven", NULL, IFN_DTYPE_Q8_0, 2, {0, 33}};
    const ifn_tensor activations = {"activations", NULL, IFN_DTYPE_Q8_32F, 2, {0, 32}};
    const ifn_tensor fine = {"fine", NULL, IFN_DTYPE_F32, 2, {0, 0}};
    const ifn_gather_rows_args wrong[] = {
        IFN_ARGS(gather_rows, .table = &vector),
        IFN_ARGS(gather_rows, .table = &uneven),
        IFN_ARGS(gather_rows, .table = &activations),
        IFN_ARGS(gather_rows, .table = &fine, .n = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_GATHER_ROWS, i);
        c.args.gather_rows = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
