/* apply_rope: rotary position embedding of rows */
#include "gen.h"
#include "module.h"
#include "rope.h"

enum { ROWS, N_HEADS, HEAD_DIM, POS, PAIRING };

/* Judges every row by its own table row, the last row first. */
void conform_truth_apply_rope(const conform_case *c, const conform_layout *l, void *const *data,
                              const conform_declared *declared, conform_pool *pool,
                              conform_truth *truth)
{
    const int64_t width = c->dim[N_HEADS] * c->dim[HEAD_DIM];
    const float *x = data[conform_tensor_index(l, "x")];
    const float *table = data[conform_tensor_index(l, "table")];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, c->dim[ROWS] * width, pool);
    for (int64_t r = c->dim[ROWS]; r-- > 0;)
        conform_judge_rope_row(out, r * width, x + r * width, table + r * c->dim[HEAD_DIM],
                               c->dim[N_HEADS], c->dim[HEAD_DIM], c->dim[PAIRING], declared);
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t head_dim = c->dim[HEAD_DIM];
    if (head_dim % 2 != 0)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[ROWS], c->dim[N_HEADS] * head_dim);
    conform_add_f32(out, "table", ROLE_IN, c->dim[ROWS], head_dim);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[ROWS], c->dim[N_HEADS] * head_dim);
    return IFN_OK;
}

enum { RUN_ROWS = 3 };

/* The position of a row. Rows of one call may belong to many sequences: in every other case they come in runs of
 * RUN_ROWS. A run has its own first position, up to that of the case, or all rows of a later run have the case's
 * position. */
static int64_t position_of(const conform_case *c, int64_t row)
{
    const conform_stream s = conform_stream_of(c->seed, "sequences");
    const uint64_t run = 1 + 2 * (uint64_t)(row / RUN_ROWS);
    const int64_t pos = c->dim[POS];
    if (conform_bits(s, 0) & 1)
        return pos + row;
    if (row >= RUN_ROWS && conform_bits(s, run) & 1)
        return pos;
    return conform_integer(s, run + 1, 0, pos) + row % RUN_ROWS;
}

/* In one case of four all rows have the first and the last angles of row 0, as rows of images do whose angles mix
 * several positions. It finds backends that recognise a table row by its ends. */
static void share_ends(const conform_case *c, float *table)
{
    const int64_t half = c->dim[HEAD_DIM] / 2;
    const int64_t ends[] = {0, half - 1, half, 2 * half - 1};
    if (half < 3 || conform_hash(c->seed, "ends of angles", 0) % 4 != 0)
        return;
    for (int64_t r = 1; r < c->dim[ROWS]; r++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            table[r * c->dim[HEAD_DIM] + ends[i]] = table[ends[i]];
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    float *table = data[1];
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], l->t[0].rows, l->t[0].cols, l->t[0].stride);
    for (int64_t r = 0; r < c->dim[ROWS]; r++)
        conform_fill_rope(table + r * c->dim[HEAD_DIM], c->dim[HEAD_DIM], position_of(c, r),
                          conform_rope_base(c));
    share_ends(c, table);
}

static int64_t work(const conform_case *c)
{
    return c->dim[ROWS] * c->dim[N_HEADS] * c->dim[HEAD_DIM];
}

const conform_module conform_module_apply_rope = {
    .op = IFN_OP_APPLY_ROPE,
    .dim_names = {"rows", "n_heads", "head_dim", "pos", "pairing"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = fill,
    .truth = conform_truth_apply_rope,
    .work = work,
    .model_sizes = "rows=1,n_heads=16,head_dim=128,pos=511;"
                   "rows=64,n_heads=16,head_dim=128,pos=448",
};
