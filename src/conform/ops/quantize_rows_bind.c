/* quantize_rows: f32 rows to a storage dtype */
#include <math.h>

#include "elementwise.h"
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    if (cols % ifn_dtype_block_elements(c->out_dtype) != 0)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, rows, cols);
    conform_add_blocks(out, "out", ROLE_OUT, c->out_dtype, rows, cols);
    return IFN_OK;
}

/* How many steps lie between zero (or the minimum) and the end of the code range. */
static int64_t steps_of(ifn_dtype dtype)
{
    switch (dtype) {
    case IFN_DTYPE_Q4_0:
        return 8;
    case IFN_DTYPE_Q5_0:
        return 16;
    case IFN_DTYPE_Q4_1:
        return 15;
    case IFN_DTYPE_Q5_1:
        return 31;
    default:
        return 127;
    }
}

/* Halfway between two neighbours of F16 and BF16: a significand of one bit too many. */
static float halfway_float(conform_stream s, uint64_t i, ifn_dtype dtype)
{
    const int64_t lowest = dtype == IFN_DTYPE_F16 ? 1024 : 128;
    const int64_t significand = 2 * conform_integer(s, 4 * i, lowest, 2 * lowest - 1) + 1;
    const double value = ldexp((double)significand, (int)conform_integer(s, 4 * i + 1, -36, 3));
    return (float)(conform_bits(s, 4 * i + 2) & 1 ? -value : value);
}

/* Half steps of a power of two, with both ends of the range in every block: all the rest are codes
 * or ties between two. */
static float half_step(conform_stream s, uint64_t i, ifn_dtype dtype)
{
    const int64_t steps = steps_of(dtype);
    const int has_min = dtype == IFN_DTYPE_Q4_1 || dtype == IFN_DTYPE_Q5_1;
    const uint64_t block = i / 32;
    const conform_stream own = {conform_bits(s, 3 * block)};
    const int exponent = (int)conform_integer(own, 0, -6, 6);
    const int64_t end = conform_integer(own, 1, 0, 31), start = (end + 7) % 32;
    int64_t halves = conform_integer(own, 3 + i % 32, has_min ? 0 : -2 * steps, 2 * steps);
    if ((int64_t)(i % 32) == end)
        halves = conform_bits(own, 2) & 1 && !has_min ? -2 * steps : 2 * steps;
    if ((int64_t)(i % 32) == start && has_min)
        halves = 0;
    return (float)ldexp((double)(halves - (has_min ? steps : 0)), exponent - 1);
}

/* Ties are what roundings differ in: a part of the ordinary cases, and all of the lattice. */
static int wants_ties(const conform_case *c)
{
    return c->family == FAMILY_LATTICE ||
           (c->family == FAMILY_NORMAL && conform_hash(c->seed, "ties", 0) % 4 == 0);
}

/* What the encoders that search are tried on beside normal rows (numerics 6). */
typedef enum shape { SHAPE_NORMAL, SHAPE_LAPLACE, SHAPE_SPARSE, SHAPES } shape;

static void reshape(const conform_case *c, float *x, int64_t n)
{
    const conform_stream s = conform_stream_of(c->seed, "shape");
    const shape kind = (shape)(conform_hash(c->seed, "shapes", 0) % SHAPES);
    for (int64_t i = 0; i < n; i++) {
        const double u = conform_uniform(s, (uint64_t)i);
        if (kind == SHAPE_LAPLACE)
            x[i] = (float)copysign(log(1.0 - u), (double)x[i]);
        else if (kind == SHAPE_SPARSE && u < 0.875)
            x[i] = 0.0f;
    }
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    const conform_stream s = conform_stream_of(c->seed, "ties");
    const int is_float = ifn_dtype_block_elements(c->out_dtype) == 1;
    float *x = data[0];
    (void)l;
    if (!wants_ties(c)) {
        conform_fill_f32(c, "x", OPERAND_PLAIN, 1, x, rows, cols, cols);
        if (c->family == FAMILY_NORMAL && ifn_dtype_block_elements(c->out_dtype) == 256)
            reshape(c, x, rows * cols);
        return;
    }
    for (int64_t i = 0; i < rows * cols; i++)
        x[i] = is_float ? halfway_float(s, (uint64_t)i, c->out_dtype)
                        : half_step(s, (uint64_t)i, c->out_dtype);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.quantize_rows =
        IFN_ARGS(quantize_rows, .out = data[1], .x = data[0], .rows = c->dim[0], .cols = c->dim[1],
                 .out_dtype = c->out_dtype);
}

const conform_module conform_module_quantize_rows = {
    .op = IFN_OP_QUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_quantize_rows,
    .work = conform_matrix_work,
};
