/* swiglu: silu(gate) * up */
#include "activations.h"
#include "bounds.h"
#include "elementwise.h"
#include "gen.h"

/* swiglu: silu in f64 with its bound, carried through the product (numerics 6). */

/* True if `up` is infinite and silu is small: the product is NaN or inf, depending on whether silu was rounded to 0. */
static bool is_uncertain(double silu, float gate, float up)
{
    return isinf(up) && gate != 0 && fabs(silu) < 0x1p-100;
}

static void judge(conform_truth *t, int64_t i, float gate, float up,
                  const conform_declared *declared)
{
    double silu_bound;
    const double silu = conform_silu(gate, declared, &silu_bound), v = (double)up;
    const double y = silu * v, g = (double)gate, unit = conform_floor_unit(declared);
    t->want[i] = y;
    t->skip[i] = is_uncertain(silu, gate, up);
    if (!isfinite(y))
        return;
    if ((1.0 + 0x1p-10) * fabs(g * v) >= FMAX) {
        t->skip[i] = fabs(y) * (1.0 - 0x1p-10) < 0x1p128;
        t->want[i] = copysign((double)INFINITY, y);
        return;
    }
    t->bound[i] =
        silu_bound * fabs(v) + (U * fabs(y) + unit * (1.0 + fabs(g) + fabs(v))) * CONFORM_WIDEN;
}

void conform_truth_swiglu(const conform_case *c, const conform_layout *l, void *const *data,
                          const conform_declared *declared, conform_pool *pool,
                          conform_truth *truth)
{
    const int64_t n = c->dim[0] * c->dim[1];
    const float *gate = data[conform_tensor_index(l, "gate")];
    const float *up = data[conform_tensor_index(l, "up")];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, n, pool);
    for (int64_t i = n; i-- > 0;)
        judge(out, i, gate[i], up[i], declared);
    if (c->out_dtype != IFN_DTYPE_F32)
        conform_judge_quantized(out, n);
}

/* The output may overlap an input only if it is f32. */
static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->alias && c->out_dtype != IFN_DTYPE_F32)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "gate", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "up", ROLE_IN, c->dim[0], c->dim[1]);
    return conform_add_activations(out, c->out_dtype, c->dim[0], c->dim[1]);
}

/* Sets all gates to 128, where silu is the gate itself, and divides `up` by 128: the results, which become codes, lie
 * as exactly at an edge as the values of `up` did. */
static void open_gates(float *gate, float *up, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        gate[i] = 128;
        up[i] /= 128;
    }
}

/* In half of the cases of special values makes every other block of `up` zeros: 0 * NaN and 0 * inf are NaN. */
static void put_zeros(const conform_case *c, float *up, int64_t rows, int64_t dim)
{
    enum { BLOCK = 32 };
    if (c->family != FAMILY_SPECIALS || conform_hash(c->seed, "zeros in up", 0) & 1)
        return;
    for (int64_t i = 0; i < rows * dim; i++)
        if (conform_hash(c->seed, "block of zeros", (uint64_t)(i / BLOCK)) & 1)
            up[i] = 0;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], dim = c->dim[1];
    (void)l;
    /* gates go through an exponential, so they are spread as logits are */
    conform_fill_f32(c, "gate", OPERAND_LOGIT, 1, data[0], rows, dim, dim);
    conform_fill_f32(c, "up", OPERAND_PLAIN, 1, data[1], rows, dim, dim);
    put_zeros(c, data[1], rows, dim);
    if (c->family == FAMILY_EDGES && c->out_dtype == IFN_DTYPE_Q8_32F)
        open_gates(data[0], data[1], rows * dim);
}

const conform_module conform_module_swiglu = {
    .op = IFN_OP_SWIGLU,
    .dim_names = {"rows", "dim"},
    .block_dim = "dim",
    .aliases = {"out=gate", "out=up"},
    .layout = layout,
    .fill = fill,
    .truth = conform_truth_swiglu,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,dim=3072;rows=64,dim=3072",
};
