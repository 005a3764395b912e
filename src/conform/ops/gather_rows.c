/* gather_rows: rows of a table by index, any dtype */
#include <stdbool.h>
#include <string.h>

#include "blocks.h"
#include "gen.h"
#include "module.h"

/* The truth of f32 rows, which move bit for bit; other dtypes are decoded with one rounding. */
static void copy_rows(const conform_case *c, const unsigned char *table, const int32_t *ids,
                      conform_pool *pool, conform_truth *out)
{
    const size_t row_bytes = (size_t)c->dim[2] * sizeof(float);
    conform_truth_take(out, CLASS_RAW, c->dim[0] * (int64_t)row_bytes, pool);
    for (int64_t i = c->dim[0]; i-- > 0 && row_bytes > 0;)
        memcpy(out->raw + (size_t)i * row_bytes, table + (size_t)ids[i] * row_bytes, row_bytes);
}

void conform_truth_gather_rows(const conform_case *c, const conform_layout *l, void *const *data,
                               const conform_declared *declared, conform_pool *pool,
                               conform_truth *truth)
{
    const int64_t n = c->dim[0], cols = c->dim[2];
    const unsigned char *table = data[conform_tensor_index(l, "table")];
    const int32_t *ids = data[conform_tensor_index(l, "ids")];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, cols);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    if (c->dtype == IFN_DTYPE_F32) {
        copy_rows(c, table, ids, pool, out);
        return;
    }
    conform_truth_take(out, CLASS_BITS, n * cols, pool);
    out->is_any_zero = conform_has_free_zeros(c->dtype);
    for (int64_t r = n; r-- > 0;)
        conform_values(c->dtype, table + (size_t)ids[r] * row_bytes, cols, out->want + r * cols);
    for (int64_t i = n * cols; i-- > 0;)
        out->want[i] = (double)(float)out->want[i];
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t n = c->dim[0], table_rows = c->dim[1], cols = c->dim[2];
    if (cols % ifn_dtype_block_elements(c->dtype) != 0 || (n > 0 && table_rows == 0))
        return IFN_ERR_SHAPE;
    conform_add_blocks(out, "table", ROLE_IN, c->dtype, table_rows, cols);
    conform_add_i32(out, "ids", ROLE_IN, n);
    conform_add_f32(out, "out", ROLE_OUT, n, cols);
    return IFN_OK;
}

/* Consecutive ids, except for a few in the middle or two that are swapped. It finds kernels that copy all rows at once
 * because the first id, the last one and the sum are those of a run. */
static int32_t id_of_run(const conform_case *c, conform_stream s, int64_t i)
{
    const int64_t n = c->dim[0], table_rows = c->dim[1];
    const int64_t begin = conform_integer(s, (uint64_t)n, 0, table_rows - 1);
    if (conform_hash(c->seed, "swapped", 0) & 1 && n > 4) {
        const int64_t at = conform_integer(s, (uint64_t)n + 1, 1, n - 3);
        const int64_t row = i == at ? i + 1 : i == at + 1 ? i - 1 : i;
        return (int32_t)((begin + row) % table_rows);
    }
    const bool is_other =
        i > 1 && i < n - 2 && conform_hash(c->seed, "other", (uint64_t)i) % 8 == 0;
    return (int32_t)(is_other ? conform_integer(s, (uint64_t)i, 0, table_rows - 1)
                              : (begin + i) % table_rows);
}

/* Random ids, the last and the first row of the table among them. Repetitions are likely; in every other case they are
 * adjacent. */
static int32_t id_of(const conform_case *c, conform_stream s, const int32_t *ids, int64_t i)
{
    const int64_t last = c->dim[1] - 1;
    if (i > 1 && conform_hash(c->seed, "runs", 0) & 1 &&
        conform_hash(c->seed, "repeats", (uint64_t)i) & 1)
        return ids[i - 1];
    return (int32_t)(i == 0 ? last : i == 1 ? 0 : conform_integer(s, (uint64_t)i, 0, last));
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const conform_stream s = conform_stream_of(c->seed, "ids");
    const bool is_run = conform_hash(c->seed, "ascending", 0) % 4 == 0;
    int32_t *ids = data[1];
    (void)l;
    conform_fill_blocks(c, "table", OPERAND_PLAIN, c->dtype, 1, data[0], c->dim[1], c->dim[2]);
    for (int64_t i = 0; i < c->dim[0]; i++)
        ids[i] = is_run ? id_of_run(c, s, i) : id_of(c, s, ids, i);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->weights[0] =
        (ifn_tensor){.name = "table",
                     .data = data[0],
                     .dtype = c->dtype,
                     .n_dims = 2,
                     .shape = {c->dim[1], c->dim[2], CONFORM_NO_SIZE, CONFORM_NO_SIZE}};
    call->args.gather_rows.table = &call->weights[0];
}

static int64_t work(const conform_case *c)
{
    return c->dim[0] * c->dim[2];
}

const conform_module conform_module_gather_rows = {
    .op = IFN_OP_GATHER_ROWS,
    .dim_names = {"n", "table_rows", "cols"},
    .block_dim = "cols",
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_gather_rows,
    .work = work,
    .model_sizes = "n=1,table_rows=32000,cols=1024;n=64,table_rows=32000,cols=1024",
    .model_dtypes = "F32,F16,Q8_0,Q4_K",
};
