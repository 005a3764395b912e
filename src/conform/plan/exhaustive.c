#include "exhaustive.h"

#include <stdbool.h>

#include "linear_tensors.h"

/* Elements of a piece: its tensors stay in cache. */
enum { PIECE = 1 << 16, PIECE_HALVES = 4096 };
/* Values written per pattern: the pattern itself, the midpoint after it, and both f32 neighbours of the midpoint. */
enum { WRITTEN_PER_PATTERN = 4 };

/* A search for sweep number i, which counts sweeps down. */
typedef struct search {
    int left;
    conform_sweep *out;
} search;

static bool is_it(search *s, const conform_sweep *w)
{
    if (s->left-- == 0)
        *s->out = *w;
    return s->left < 0;
}

static conform_sweep sweep(ifn_op op, ifn_dtype dtype, int64_t n_values, int64_t per_piece)
{
    return (conform_sweep){
        .c = {.op = op, .dtype = dtype, .tier = TIER_T1, .family = FAMILY_EVERY},
        .n_values = n_values,
        .per_piece = per_piece,
    };
}

/* A sweep over all f32: dim[0] rows of dim[1] inputs; `first_is_fixed`: the first input of each row is no value of the
 * sweep. */
static int floats(search *s, ifn_op op, int64_t rows, int64_t cols, int first_is_fixed)
{
    conform_sweep w =
        sweep(op, IFN_DTYPE_F32, INT64_C(1) << 32, rows * (cols - (first_is_fixed ? 1 : 0)));
    w.c.dim[0] = rows;
    w.c.dim[1] = cols;
    return is_it(s, &w);
}

static bool is_half(ifn_dtype dtype)
{
    return dtype == IFN_DTYPE_F16 || dtype == IFN_DTYPE_BF16;
}

/* True for the dtypes of files whose blocks can be swept. */
static bool is_swept(ifn_dtype dtype)
{
    return is_half(dtype) || (ifn_dtype_is_quantized(dtype) && dtype != IFN_DTYPE_Q8_32F);
}

/* A sweep through an op that decodes rows: each row is one block, or 256 elements of F16 and BF16. */
static int decoded(search *s, ifn_op op, ifn_dtype dtype)
{
    const int64_t block = ifn_dtype_block_elements(dtype), cols = is_half(dtype) ? 256 : block;
    const int64_t rows = block == 32 ? 256 : is_half(dtype) ? PIECE_HALVES / cols : 64;
    conform_sweep w = sweep(op, dtype, conform_every_blocks(dtype), rows * cols / block);
    const bool is_gather = op == IFN_OP_GATHER_ROWS;
    w.c.dim[0] = rows;
    w.c.dim[1] = is_gather ? rows : cols;
    w.c.dim[2] = is_gather ? cols : 0;
    return is_it(s, &w);
}

/* A sweep through a product: one weight of n rows of k elements, and k one-hot rows of x, so that the result is the
 * weight. */
static int multiplied(search *s, ifn_op op, ifn_dtype dtype, int prepared, int64_t n, int64_t k)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    conform_sweep w = sweep(op, dtype, conform_every_blocks(dtype), n * k / block);
    w.c.tier = TIER_T0;
    w.c.prepared = prepared;
    w.c.dim[LINEAR_ROWS] = w.c.dim[LINEAR_K] = k;
    w.c.dim[LINEAR_N] = n;
    w.c.dim[LINEAR_N_W] = 1;
    return is_it(s, &w);
}

/* The sweeps of the weights of one dtype. An infinity or a NaN makes all results of its row NaN, so F16 and BF16 are
 * also swept with one weight per row (k = 1). */
static int weights(search *s, ifn_op op, ifn_dtype dtype)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    for (int prepared = 0; prepared < 2; prepared++) {
        if (is_half(dtype) && (multiplied(s, op, dtype, prepared, 64, 64) ||
                               multiplied(s, op, dtype, prepared, PIECE_HALVES, 1)))
            return 1;
        if (!is_half(dtype) && multiplied(s, op, dtype, prepared, block == 32 ? 64 : 4, block))
            return 1;
    }
    return 0;
}

static int by_dtype(search *s, ifn_op op)
{
    const bool is_product = op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8;
    for (int d = 0; d < IFN_DTYPE_COUNT; d++) {
        const ifn_dtype dtype = (ifn_dtype)d;
        if (!is_swept(dtype) || (op == IFN_OP_LINEAR_Q8 && is_half(dtype)))
            continue;
        if (is_product ? weights(s, op, dtype) : decoded(s, op, dtype))
            return 1;
    }
    return 0;
}

/* A sweep through an op that writes halves: 16 rows of 256 elements; for kv_store, 16 new rows of one head. */
static int written(search *s, ifn_op op, ifn_dtype dtype)
{
    const bool is_cache = op == IFN_OP_KV_STORE;
    conform_sweep w = sweep(op, is_cache ? dtype : IFN_DTYPE_F32,
                            WRITTEN_PER_PATTERN * conform_every_blocks(dtype), PIECE_HALVES);
    w.c.out_dtype = is_cache ? IFN_DTYPE_F32 : dtype;
    w.c.dim[0] = PIECE_HALVES / 256;
    w.c.dim[1] = is_cache ? 0 : 256;
    w.c.dim[3] = is_cache ? 1 : 0;
    w.c.dim[4] = is_cache ? 256 : 0;
    return is_it(s, &w);
}

static int ordered(search *s, ifn_op op)
{
    for (int64_t n = 1; n <= EVERY_ORDERED; n++) {
        conform_sweep w = sweep(op, IFN_DTYPE_F32, conform_orderings(n), 1);
        w.c.dim[0] = n;
        if (is_it(s, &w))
            return 1;
    }
    return 0;
}

int conform_sweep_of(ifn_op op, int i, conform_sweep *out)
{
    search s = {i, out};
    switch (op) {
    case IFN_OP_SILU:
    case IFN_OP_RSQRT_ELEM: {
        conform_sweep w = sweep(op, IFN_DTYPE_F32, INT64_C(1) << 32, PIECE);
        w.c.dim[0] = PIECE;
        return is_it(&s, &w);
    }
    case IFN_OP_SWIGLU:
        return floats(&s, op, 16, PIECE / 16, 0);
    case IFN_OP_SOFTMAX_ROWS: /* rows of 16, and rows of 2, whose bound is the sharpest */
        return floats(&s, op, PIECE / 16, 16, 1) || floats(&s, op, PIECE / 2, 2, 1);
    case IFN_OP_DEQUANTIZE_ROWS:
    case IFN_OP_GATHER_ROWS:
    case IFN_OP_LINEAR:
    case IFN_OP_LINEAR_Q8:
        return by_dtype(&s, op);
    case IFN_OP_QUANTIZE_ROWS:
        return written(&s, op, IFN_DTYPE_F16) || written(&s, op, IFN_DTYPE_BF16);
    case IFN_OP_KV_STORE:
        return written(&s, op, IFN_DTYPE_F16);
    case IFN_OP_ARGMAX_WITH_PROB:
        return ordered(&s, op);
    default:
        return 0;
    }
}

int64_t conform_sweep_pieces(const conform_sweep *sweep)
{
    return (sweep->n_values + sweep->per_piece - 1) / sweep->per_piece;
}

conform_case conform_sweep_piece(const conform_sweep *sweep, int64_t i)
{
    conform_case c = sweep->c;
    c.seed = (uint64_t)(i * sweep->per_piece);
    return c;
}

int conform_every_is_legal(const conform_case *c)
{
    conform_sweep w;
    for (int i = 0; conform_sweep_of(c->op, i, &w); i++)
        if (c->dtype == w.c.dtype && c->out_dtype == w.c.out_dtype && c->tier == w.c.tier &&
            c->n_more == 0 &&
            (c->op != IFN_OP_ARGMAX_WITH_PROB || (c->dim[0] >= 1 && c->dim[0] <= EVERY_ORDERED)))
            return 1;
    return 0;
}
