/*
 * The op list: every operation of the engine, declared once.
 *
 * IFN_OPS enumerates the ops with their declared splits; one argument struct per op follows. Names,
 * tables, wrappers, checks, specs and tests are expansions of this list.
 *
 * Conventions. Matrices are row-major and contiguous unless a stride says otherwise; shapes are
 * written [rows, cols]. Sizes are element counts. Every extent may be 0 unless an op says
 * otherwise: an empty output writes nothing, an empty sum is 0, a pointer to an empty tensor may be
 * NULL. Ops are pure: inputs and sizes in, output out; no hidden state, no allocation. Inputs are
 * only read, so several may be the same memory.
 *
 * Stability: stable, and part of the plugin ABI: an op keeps its number and its meaning, arguments
 * their places. Ops, arguments at the end of a struct and points may be added.
 */
#ifndef INFERNO_OPS_H
#define INFERNO_OPS_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/dtype.h>
#include <inferno/export.h>
#include <inferno/status.h>
#include <inferno/tensor.h>

IFN_EXTERN_C_BEGIN

/*
 * X(NAME, name, cut, cut2, doc)
 *
 * cut, cut2: the dimensions along which a call may be cut into parts without changing any
 * element's own order of summation. Append only: the order is part of the plugin ABI.
 */
/* clang-format off */
#define IFN_OPS(X)                                                                                       \
    X(MATMUL,                matmul,                ROWS,     COLS,       "C = A B, f32")                 \
    X(ADD,                   add,                   ELEMENTS, NONE,       "elementwise sum")              \
    X(HADAMARD,              hadamard,              ELEMENTS, NONE,       "elementwise product")          \
    X(SCALE,                 scale,                 ELEMENTS, NONE,       "every element by one scalar")  \
    X(ADD_SCALAR,            add_scalar,            ELEMENTS, NONE,       "every element plus one scalar") \
    X(SILU,                  silu,                  ELEMENTS, NONE,       "x / (1 + e^-x)")               \
    X(RSQRT_ELEM,            rsqrt_elem,            ELEMENTS, NONE,       "1 / sqrt(x)")                  \
    X(SUM_SQUARES_AXIS,      sum_squares_axis,      ELEMENTS, NONE,       "sum of squares per row or column") \
    X(BROADCAST_ROW_SCALARS, broadcast_row_scalars, ROWS,     NONE,       "one scalar per row, repeated along it") \
    X(REPEAT_ROW_AS_MATRIX,  repeat_row_as_matrix,  ROWS,     NONE,       "one row, repeated")            \
    X(TRANSPOSE_2D,          transpose_2d,          ROWS,     NONE,       "rows become columns")          \
    X(RESHAPE_DATA,          reshape_data,          ELEMENTS, NONE,       "the same elements under another shape") \
    X(SOFTMAX_ROWS,          softmax_rows,          ROWS,     NONE,       "softmax of each row, shifted by its maximum") \
    X(GATHER_ROWS,           gather_rows,           ROWS,     NONE,       "rows of a table by index, any dtype") \
    X(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, ROWS,     NONE,       "constant where column > row + offset") \
    X(COPY_2D_FROM_COLS,     copy_2d_from_cols,     ROWS,     NONE,       "a column window out of a wider matrix") \
    X(COPY_2D_INTO_COLS,     copy_2d_into_cols,     ROWS,     NONE,       "a matrix into a column window of a wider one") \
    X(COPY_ROW_2D,           copy_row_2d,           NONE,     NONE,       "one row of one matrix to one row of another") \
    X(COPY_CONTIGUOUS_INTO,  copy_contiguous_into,  ELEMENTS, NONE,       "a run of elements to an offset") \
    X(CONCAT_DIM0,           concat_dim0,           ROWS,     NONE,       "one matrix under the other")   \
    X(APPLY_ROPE,            apply_rope,            ROWS,     NONE,       "rotary position embedding of rows") \
    X(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, HEADS,    NONE,       "rotary position embedding of one row") \
    X(ARGMAX_WITH_PROB,      argmax_with_prob,      NONE,     NONE,       "index of the first maximum, and its value") \
    X(LINEAR,                linear,                FEATURES, ROWS,       "Y = X W^T, up to four W sharing X") \
    X(LINEAR_Q8,             linear_q8,             FEATURES, ROWS,       "linear on rows of Q8_32F")      \
    X(QUANTIZE_ROWS,         quantize_rows,         ROWS,     NONE,       "f32 rows to a storage dtype")  \
    X(DEQUANTIZE_ROWS,       dequantize_rows,       ROWS,     NONE,       "rows of a storage dtype to f32") \
    X(RMS_NORM,              rms_norm,              ROWS,     NONE,       "root-mean-square normalisation") \
    X(SWIGLU,                swiglu,                ROWS,     NONE,       "silu(gate) * up")              \
    X(KV_STORE,              kv_store,              HEADS,    NONE,       "new K and V rows into the cache") \
    X(ATTENTION,             attention,             HEADS,    KEY_BLOCKS, "causal, grouped-query, over the cache") \
    X(COPY_IN,               copy_in,               NONE,     NONE,       "host memory into a buffer of the backend") \
    X(COPY_OUT,              copy_out,              NONE,     NONE,       "a buffer of the backend into host memory")
/* clang-format on */

/* IFN_OP_MATMUL, ... */
enum ifn_ops { /* named, so that a switch over all of them can be held to it */
#define X(NAME, name, cut, cut2, doc) IFN_OP_##NAME,
               IFN_OPS(X)
#undef X
                   IFN_OP_COUNT /* of this version: what is asked about may be a later one's */
};

typedef int32_t ifn_op;

/* What a cut of the list runs along. */
enum {
    IFN_CUT_NONE,
    IFN_CUT_ELEMENTS,  /* of the output */
    IFN_CUT_ROWS,      /* of the output */
    IFN_CUT_COLS,      /* of the output */
    IFN_CUT_FEATURES,  /* output features, weight after weight, end to end */
    IFN_CUT_HEADS,     /* query heads (attention), heads (rope), KV heads (kv_store) */
    IFN_CUT_KEY_BLOCKS /* blocks of IFN_ATTENTION_BLOCK keys */
};

typedef int32_t ifn_cut;

/*
 * What a call of a forward pass works towards, in the order of a layer. X(NAME, name). Append only.
 */
/* clang-format off */
#define IFN_POINTS(X)                                                                     \
    X(NONE, "?") /* nobody says */                                                        \
    X(WEIGHTS, "weights") /* made once, before any pass */                                \
    X(INPUTS, "inputs") X(READBACK, "readback") X(SAMPLE, "sample")                       \
    X(EMBEDDING, "embedding")                                                             \
    X(ATTN_NORM, "attn_norm")                                                             \
    X(Q, "q") X(K, "k") X(V, "v")                                                         \
    X(Q_NORM, "q_norm") X(K_NORM, "k_norm")                                               \
    X(Q_ROPE, "q_rope") X(K_ROPE, "k_rope")                                               \
    X(K_STORED, "k_stored") X(V_STORED, "v_stored")                                       \
    X(ATTENDED, "attended")                                                               \
    X(ATTN_OUTPUT, "attn_output")                                                         \
    X(ATTN_RESIDUAL, "attn_residual")                                                     \
    X(FFN_NORM, "ffn_norm")                                                               \
    X(GATE, "gate") X(UP, "up")                                                           \
    X(GATED, "gated")                                                                     \
    X(FFN_DOWN, "ffn_down")                                                               \
    X(FFN_RESIDUAL, "ffn_residual")                                                       \
    X(OUTPUT_NORM, "output_norm")                                                         \
    X(LOGITS, "logits")
/* clang-format on */

/* IFN_POINT_NONE, ... */
enum {
#define X(NAME, name) IFN_POINT_##NAME,
    IFN_POINTS(X)
#undef X
        IFN_POINT_COUNT
};

typedef int32_t ifn_point;

/**
 * Opens every argument struct. The caller sets `bytes` to sizeof the whole struct, and where in a
 * forward pass the call stands, if it does: zeros say nothing. Whoever runs the call sets the rest.
 * A backend sees structs of the size that it was built with, whatever the caller's is.
 * scratch is the lane's own, aligned to 64 bytes, of the size the backend asked for; a backend that
 * asked for none gets NULL.
 *
 * Argument structs grow at the end, and zero there means: as before. A backend that was built
 * before an argument came is never shown a call that sets it (backend.h, "Growth"). Neither is one
 * that was built before a word of `reserved` got its meaning.
 */
typedef struct ifn_call {
    uint32_t bytes;        /* of the whole argument struct this member opens */
    int32_t lane, n_lanes; /* who runs this call, of how many */
    int16_t layer;         /* the block, -1 outside of all; only beside a point */
    uint8_t point;         /* ifn_point */
    uint8_t is_point;      /* 1: what is written is the point, 0: a step on the way to it */
    void *scratch;         /* this lane's own */
    size_t scratch_bytes;
    uint64_t reserved[4]; /* zero: what later versions say of a call */
} ifn_call;

/* Starts an argument struct: `IFN_ARGS(matmul, .out = c, ...)` is a complete, sized literal. */
#define IFN_ARGS(op, ...)                                                                          \
    ((ifn_##op##_args){.call = {.bytes = (uint32_t)sizeof(ifn_##op##_args)}, __VA_ARGS__})

/*
 * Pieces. Ops that may be cut carry [part_begin, part_end) of their first dimension, those with a
 * second [part2_begin, part2_end); 0, 0 means all of it. Buffers keep their base and extents their
 * value; the op writes what lies in its part and nothing else.
 */

/**
 * matmul: out[i,j] = sum_l a[i,l] * b[l,j]
 *
 * out  [m, p]   no overlap with a or b
 * a    [m, n]
 * b    [n, p]
 *
 * Split   rows of out; columns of out
 * Errors  IFN_ERR_SHAPE if an extent is negative
 * Spec    spec/ops/matmul.yaml
 */
typedef struct ifn_matmul_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    float *out;
    const float *a, *b;
    int64_t m, n, p;
} ifn_matmul_args;

/**
 * add: out[i] = x[i] + y[i]
 *
 * out, x, y  [n]   out may equal x or y; no other overlap
 * Split   elements
 */
typedef struct ifn_add_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *y;
    int64_t n;
} ifn_add_args;

/**
 * hadamard: out[i] = x[i] * y[i]
 *
 * out, x, y  [n]   out may equal x or y; no other overlap
 * Split   elements
 */
typedef struct ifn_hadamard_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *y;
    int64_t n;
} ifn_hadamard_args;

/**
 * scale: out[i] = x[i] * value
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_scale_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    float value;
    int64_t n;
} ifn_scale_args;

/**
 * add_scalar: out[i] = x[i] + value
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_add_scalar_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    float value;
    int64_t n;
} ifn_add_scalar_args;

/**
 * silu: out[i] = x[i] / (1 + e^-x[i]); -inf gives NaN, as the formula does
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements                       Source  arXiv:1702.03118
 */
typedef struct ifn_silu_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t n;
} ifn_silu_args;

/**
 * rsqrt_elem: out[i] = 1 / sqrt(x[i])
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_rsqrt_elem_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t n;
} ifn_rsqrt_elem_args;

/**
 * sum_squares_axis: axis 1: out[r] = sum_c x[r,c]^2;  axis 0: out[c] = sum_r x[r,c]^2
 *
 * out   [rows] for axis 1, [cols] for axis 0; no overlap with x
 * x     [rows, cols]
 * axis  the one that is summed away, 0 or 1
 *
 * Split   elements of out
 * Errors  IFN_ERR_SHAPE for another axis
 */
typedef struct ifn_sum_squares_axis_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
    int32_t axis;
} ifn_sum_squares_axis_args;

/**
 * broadcast_row_scalars: out[r,c] = x[r]
 *
 * out [rows, dim], x [rows]; no overlap
 * Split   rows
 */
typedef struct ifn_broadcast_row_scalars_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, dim;
} ifn_broadcast_row_scalars_args;

/**
 * repeat_row_as_matrix: out[r,c] = x[c]
 *
 * out [rows, dim], x [dim]; no overlap
 * Split   rows
 */
typedef struct ifn_repeat_row_as_matrix_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, dim;
} ifn_repeat_row_as_matrix_args;

/**
 * transpose_2d: out[c,r] = x[r,c]
 *
 * out [cols, rows], x [rows, cols]; no overlap
 * Split   rows of out (columns of x)
 */
typedef struct ifn_transpose_2d_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
} ifn_transpose_2d_args;

/**
 * reshape_data: the elements of x [rows, cols] in order, as out [out_rows, out_cols]
 *
 * out, x  out may equal x; no other overlap
 * Split   elements
 * Errors  IFN_ERR_SHAPE unless rows * cols == out_rows * out_cols
 */
typedef struct ifn_reshape_data_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
    int64_t out_rows, out_cols;
} ifn_reshape_data_args;

/**
 * softmax_rows: out[r,c] = e^(x[r,c] - m_r) / sum_j e^(x[r,j] - m_r),  m_r = max_j x[r,j]
 *
 * out, x  [rows, cols]   out may equal x; no other overlap
 * A row that is all -inf, or holds +inf or NaN, gives NaN in every element.
 * Split   rows
 */
typedef struct ifn_softmax_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
} ifn_softmax_rows_args;

/**
 * gather_rows: out[i,:] = decode(table[ids[i],:])
 *
 * out     [n, cols] f32, cols = table->shape[1]; no overlap
 * table   [table_rows, cols], any storage dtype
 * packed  a handle this backend made for this op, or NULL: read the table
 * ids     [n], each in [0, table_rows)
 *
 * Split   rows of out
 * Errors  IFN_ERR_ARGUMENT if an id of the part is out of range; then nothing is written
 */
typedef struct ifn_gather_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const ifn_tensor *table;
    const void *packed;
    const int32_t *ids;
    int64_t n;
} ifn_gather_rows_args;

/**
 * fill_strict_upper_tri: x[r,c] = value where c > r + offset; the rest keeps its bits
 *
 * x  [rows, cols], in place
 * Split   rows
 */
typedef struct ifn_fill_strict_upper_tri_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *x;
    float value;
    int64_t rows, cols, offset;
} ifn_fill_strict_upper_tri_args;

/**
 * copy_2d_from_cols: out[r,c] = x[r, col_begin + c]
 *
 * out [rows, cols], x [rows, x_cols]; no overlap
 * Split   rows
 * Errors  IFN_ERR_SHAPE unless 0 <= col_begin and col_begin + cols <= x_cols
 */
typedef struct ifn_copy_2d_from_cols_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols, x_cols, col_begin;
} ifn_copy_2d_from_cols_args;

/**
 * copy_2d_into_cols: out[r, col_begin + c] = x[r,c]; other columns of out keep their bits
 *
 * out [rows, out_cols], x [rows, cols]; no overlap
 * Split   rows
 * Errors  IFN_ERR_SHAPE unless 0 <= col_begin and col_begin + cols <= out_cols
 */
typedef struct ifn_copy_2d_into_cols_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols, out_cols, col_begin;
} ifn_copy_2d_into_cols_args;

/**
 * copy_row_2d: out[out_row,:] = x[x_row,:]
 *
 * out [out_rows, cols], x [x_rows, cols]; no overlap
 * Errors  IFN_ERR_SHAPE unless 0 <= out_row < out_rows and 0 <= x_row < x_rows
 */
typedef struct ifn_copy_row_2d_args {
    ifn_call call;
    float *out;
    const float *x;
    int64_t out_rows, x_rows, cols;
    int64_t out_row, x_row;
} ifn_copy_row_2d_args;

/**
 * copy_contiguous_into: out[out_offset + i] = x[i], raw 4-byte elements
 *
 * out      [out_n]
 * x        [n]; no overlap
 *
 * Split   elements of x
 * Errors  IFN_ERR_SHAPE unless 0 <= out_offset and out_offset + n <= out_n
 */
typedef struct ifn_copy_contiguous_into_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    const void *x;
    int64_t n, out_n, out_offset;
} ifn_copy_contiguous_into_args;

/**
 * concat_dim0: out = a with b under it
 *
 * out [a_rows + b_rows, cols], a [a_rows, cols], b [b_rows, cols]; no overlap
 * Split   rows of out
 */
typedef struct ifn_concat_dim0_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *a, *b;
    int64_t a_rows, b_rows, cols;
} ifn_concat_dim0_args;

/* Which two elements of a head form a pair. */
enum {
    IFN_ROPE_HALF_SPLIT = 0, /* i and i + head_dim / 2 (Qwen) */
    IFN_ROPE_INTERLEAVED = 1 /* 2i and 2i + 1 (Llama in GGUF files) */
};

typedef int32_t ifn_rope_pairing;

/**
 * apply_rope: rotates each pair (x0, x1) of each head: y0 = x0*c - x1*s, y1 = x0*s + x1*c
 *
 * out, x  [rows, n_heads, head_dim]   out may equal x; no other overlap
 * table   [rows, head_dim]: the row of one position holds head_dim/2 cosines, then head_dim/2
 *         sines, formed in f64 and rounded once. Each row of x has one, that of its position, so
 *         rows of many sequences go in one call and no list of spans is needed
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if head_dim is odd or the pairing unknown
 * Source  arXiv:2104.09864
 */
typedef struct ifn_apply_rope_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *table;
    int64_t rows, n_heads, head_dim;
    ifn_rope_pairing pairing;
} ifn_apply_rope_args;

/**
 * apply_rope_single_row: apply_rope of one row; equal bits
 *
 * out, x [n_heads, head_dim], table [head_dim]
 * Split   heads
 * Errors  IFN_ERR_SHAPE if head_dim is odd or negative, or the pairing unknown
 */
typedef struct ifn_apply_rope_single_row_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *table;
    int64_t n_heads, head_dim;
    ifn_rope_pairing pairing;
} ifn_apply_rope_single_row_args;

/**
 * argmax_with_prob: the lowest index among equal maxima, and the bits of x at it. NaN never wins;
 * all NaN: index 0. The value is a probability when x is the output of softmax_rows.
 *
 * index, value  one element each
 * x             [n], n >= 1
 * Errors  IFN_ERR_SHAPE if n < 1
 */
typedef struct ifn_argmax_with_prob_args {
    ifn_call call;
    int32_t *index;
    float *value;
    const float *x;
    int64_t n;
} ifn_argmax_with_prob_args;

/* Weights that one linear may share its input with: q k v; gate up. */
#define IFN_LINEAR_MAX 4

/**
 * linear: out_i[r,f] = sum_j x[r,j] * w_i[f,j] (+ bias_i[f]), for up to four weights that share x
 *
 * x       [rows, k] f32, rows x_stride elements apart (x_stride >= k)
 * w_i     [n_i, k], any storage dtype but Q8_32F
 * packed  a handle this backend made for this op, or NULL: read w_i
 * out_i   [rows, n_i] f32, rows out_stride_i elements apart; no overlap
 * bias_i  [n_i], or NULL
 *
 * Split   output features (weight after weight, end to end); rows
 * Errors  IFN_ERR_SHAPE if n_w is not 1 .. IFN_LINEAR_MAX, a weight is no matrix with k columns of
 *         such a dtype, x_stride < k, or out_stride_i < n_i
 */
typedef struct ifn_linear_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    const float *x;
    int64_t rows, k, x_stride;
    int64_t n_w;
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const void *packed[IFN_LINEAR_MAX];
    float *out[IFN_LINEAR_MAX];
    const float *bias[IFN_LINEAR_MAX];
    int64_t out_stride[IFN_LINEAR_MAX];
} ifn_linear_args;

/**
 * linear_q8: linear on activations that are Q8_32F already. Integer sums inside a block are exact.
 *
 * x  [rows, k / 32] blocks, rows x_stride blocks apart (x_stride >= k / 32); k a multiple of 32
 * w  quantized dtypes only; everything else as in linear
 *
 * Errors  IFN_ERR_SHAPE as for linear: n_w, weights, strides (x_stride < k / 32), or k no multiple
 *         of 32
 */
typedef struct ifn_linear_q8_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    const ifn_block_q8_32f *x;
    int64_t rows, k, x_stride;
    int64_t n_w;
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const void *packed[IFN_LINEAR_MAX];
    float *out[IFN_LINEAR_MAX];
    const float *bias[IFN_LINEAR_MAX];
    int64_t out_stride[IFN_LINEAR_MAX];
} ifn_linear_q8_args;

/**
 * quantize_rows: out[r,:] = encode(x[r,:])
 *
 * out  [rows, cols] of out_dtype, ifn_dtype_row_bytes apart; no overlap
 * x    [rows, cols] f32
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if cols does not fit the block of out_dtype, whatever rows is
 */
typedef struct ifn_quantize_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    const float *x;
    int64_t rows, cols;
    ifn_dtype out_dtype;
} ifn_quantize_rows_args;

/**
 * dequantize_rows: out[r,:] = decode(x[r,:])
 *
 * out  [rows, cols] f32
 * x    [rows, cols] of dtype, ifn_dtype_row_bytes apart; no overlap
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if cols does not fit the block of dtype, whatever rows is
 */
typedef struct ifn_dequantize_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const void *x;
    int64_t rows, cols;
    ifn_dtype dtype;
} ifn_dequantize_rows_args;

/**
 * rms_norm: out[r,i] = s[r,i] / sqrt(mean_i(s[r,i]^2) + eps) * weight[i],  s = x + add
 *
 * out     [rows, dim] out_dtype   may equal x if f32; no other overlap
 * sum     [rows, dim] f32         receives s; may equal x or add, not out; NULL if not wanted
 * x       [rows, dim] f32
 * add     [rows, dim] f32         NULL: s = x
 * weight  [dim]       f32
 * eps     >= 0, added to the mean square
 * out_dtype  F32, or Q8_32F (dim a multiple of 32): the bits of quantize_rows on the f32 result
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if rows < 0, dim < 1, eps is below 0 or NaN, or out_dtype does not fit
 * Spec    spec/ops/rms_norm.yaml      Source  arXiv:1910.07467
 */
typedef struct ifn_rms_norm_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    float *sum;
    const float *x, *add, *weight;
    int64_t rows, dim;
    float eps;
    ifn_dtype out_dtype;
} ifn_rms_norm_args;

/**
 * swiglu: out[r,i] = silu(gate[r,i]) * up[r,i]
 *
 * out       [rows, dim] out_dtype   may equal gate or up if f32; no other overlap
 * gate, up  [rows, dim] f32
 * out_dtype F32, or Q8_32F (dim a multiple of 32): the bits of quantize_rows on the f32 result
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if out_dtype is another one, or is Q8_32F and dim no multiple of 32 or out
 *         the same memory as gate or up
 * Source  arXiv:2002.05202
 */
typedef struct ifn_swiglu_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    const float *gate, *up;
    int64_t rows, dim;
    ifn_dtype out_dtype;
} ifn_swiglu_args;

/**
 * Consecutive positions of one sequence: `rows` rows of a call, the first at position first_pos of
 * a sequence whose position 0 is row `begin` of each head of the cache. All of it fits the cache:
 * 0 <= begin, 0 <= first_pos, 0 <= rows, begin + first_pos + rows <= max_pos.
 *
 * kv_store and attention take a list of spans, in host memory and borrowed for the call, so that
 * one call serves many sequences: the rows of spans[0] come first, then those of spans[1]; `rows`
 * is their sum and first_pos is 0. What a span gets has the bits of a call of its own (R10). With
 * n_spans 0 the call is the span {0, first_pos, rows}. A backend that does not declare `spans` in
 * its manifest never sees a list: the host makes a call of each span.
 */
typedef struct ifn_span {
    int64_t begin, first_pos, rows;
} ifn_span;

/*
 * A cache in pages. With page_rows, a power of two from 16 to 256, page i of a cache is rows
 * [i * page_rows, (i + 1) * page_rows) of every head of K and of V, and `pages`, in host memory and
 * borrowed for the call, is the block table: row r of what the call sees is row r % page_rows of
 * page pages[r / page_rows]. Positions and spans count such rows, n_pages * page_rows of them; a
 * span begins with a page. max_pos stays how many rows a head has in memory. So sequences can share
 * pages of what they begin with, and a block of keys is whole pages.
 *
 * Entries past the last row that a call or a span reaches are not read; those before it are pages
 * that the cache has. A paged call has the bits of the same call on the same rows side by side
 * (R5). With page_rows 0 rows lie as they are counted. A backend that does not declare `pages` in
 * its manifest never sees such a call: it goes to its base.
 */
enum { IFN_PAGE_ROWS_LEAST = 16, IFN_PAGE_ROWS_MOST = 256 };

/**
 * kv_store: cache[h, first_pos + r, :] = encode(new[r, h, :]) for K and for V
 *
 * k_cache, v_cache  [n_kv_heads, max_pos, head_dim] of cache_dtype: F32, F16 or Q8_0
 * k, v              [rows, n_kv_heads, head_dim] f32; no overlap
 * spans             [n_spans], no row of the cache in two of them; NULL if n_spans is 0
 * pages             [n_pages], none that is written there twice; NULL if page_rows is 0
 *
 * Split   KV heads
 * Errors  IFN_ERR_SHAPE if rows do not fit after first_pos, head_dim does not fit the dtype,
 *         n_spans or n_pages is negative, or spans are not there, do not fit the cache, overlap, or have
 *         other rows than the call; page_rows is no size of a page, pages are not there, not of
 *         the cache, too few, or written twice
 */
typedef struct ifn_kv_store_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *k_cache, *v_cache;
    const float *k, *v;
    int64_t rows, first_pos, max_pos, n_kv_heads, head_dim;
    ifn_dtype cache_dtype;
    const ifn_span *spans;
    int64_t n_spans;
    const int32_t *pages;
    int64_t n_pages, page_rows;
} ifn_kv_store_args;

/* Keys are reduced in blocks of this many absolute positions, merged in ascending order. */
#define IFN_ATTENTION_BLOCK 256

enum {
    IFN_ATTENTION_WHOLE = 0,
    IFN_ATTENTION_PARTIALS = 1, /* fills partials for a range of key blocks */
    IFN_ATTENTION_MERGE = 2     /* merges partials into out for a range of heads */
};

typedef int32_t ifn_attention_phase;

/**
 * attention: softmax(scale * q k^T) v, causal and grouped-query, over the cache
 *
 * out       [rows, n_heads, head_dim] f32
 * q         [rows, n_heads, head_dim] f32; row i stands at position first_pos + i and sees the keys
 *           0 .. first_pos + i. No overlap with out
 * caches    [n_kv_heads, max_pos, head_dim] of cache_dtype; query head h reads KV head
 *           h * n_kv_heads / n_heads. Rows after the last visible key are not read
 * partials  [rows, n_heads, blocks, 2 + head_dim] f32, blocks = ceil((first_pos + rows) / 256):
 *           maximum, sum of exponentials, accumulator of each block. Phases PARTIALS and MERGE only
 *
 * spans     [n_spans]: a row of one sees the keys from its `begin` on; NULL if n_spans is 0.
 *           Phases PARTIALS and MERGE take one at most, whose end the blocks are counted to
 * pages     [n_pages], any of them more than once; NULL if page_rows is 0
 *
 * One order: each block of 256 absolute positions takes its own maximum first, then its sum and its
 * accumulator over ascending keys; blocks merge in ascending order. So an element has the same bits
 * in any chunking and in any company. A row with no visible key is all zeros.
 *
 * Split   query heads; key blocks (PARTIALS only)
 * Errors  IFN_ERR_SHAPE if n_heads is no multiple of n_kv_heads, first_pos, n_spans or n_pages is
 *         negative, rows or spans do not fit the cache, spans are not there or have other rows than
 *         the call, the phase is unknown, lacks its partials or has several spans, page_rows is no
 *         size of a page, pages are not there, not of the cache or too few
 */
typedef struct ifn_attention_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    float *out;
    const float *q;
    const void *k_cache, *v_cache;
    float *partials;
    int64_t rows, first_pos, max_pos, n_heads, n_kv_heads, head_dim;
    float scale;
    ifn_dtype cache_dtype;
    ifn_attention_phase phase;
    const ifn_span *spans;
    int64_t n_spans;
    const int32_t *pages;
    int64_t n_pages, page_rows;
} ifn_attention_args;

/**
 * copy_in: bytes of host memory into a buffer of the backend: the one way to write one
 *
 * out, host  no overlap
 */
typedef struct ifn_copy_in_args {
    ifn_call call;
    void *out;
    const void *host;
    size_t bytes;
} ifn_copy_in_args;

/**
 * copy_out: bytes of a buffer of the backend into host memory: the one way to read one. The bytes
 * are there when it returns, whatever of the calls before it on its lane was still under way.
 *
 * host, x  no overlap
 */
typedef struct ifn_copy_out_args {
    ifn_call call;
    void *host;
    const void *x;
    size_t bytes;
} ifn_copy_out_args;

/* Room for a copy of any argument struct, newer ones included. */
#define IFN_ARGS_MAX_BYTES 512

typedef union ifn_args {
    ifn_call call;
    unsigned char room[IFN_ARGS_MAX_BYTES];
    /* matmul, add, ...: one member per op */
#define X(NAME, name, cut, cut2, doc) ifn_##name##_args name;
    IFN_OPS(X)
#undef X
} ifn_args;

/* Name, description and cuts of an op. All static. */
IFN_API const char *ifn_op_name(ifn_op op); /* "matmul"; "?" for no op */
IFN_API const char *ifn_op_doc(ifn_op op);
IFN_API ifn_cut ifn_op_cut(ifn_op op, int axis); /* axis 0 or 1; IFN_CUT_NONE for no op */
IFN_API size_t ifn_op_args_bytes(ifn_op op);
/* "attn_norm"; "?" for no point */
IFN_API const char *ifn_point_name(int point);
/* Where a call stands, cut where `bytes` end: "blk.3.attn_norm", "logits"; "" where nobody said. */
IFN_API void ifn_call_place(const ifn_call *args, char *out, size_t bytes);
/* Finds an op by name. Returns 1 and sets *out, or 0. */
IFN_API int ifn_op_from_name(const char *name, ifn_op *out);

/**
 * How long the split dimension of this call is. 0 where the op has no such cut. The arguments must
 * have passed ifn_op_check.
 */
IFN_API int64_t ifn_op_extent(ifn_op op, const ifn_call *args, int axis);

/**
 * Sets the part of `axis` in an argument struct (a copy of it, usually). No effect where the op has
 * no such cut. Beware that [0, 0) means all: never ask for an empty part.
 */
IFN_API void ifn_op_set_part(ifn_op op, ifn_call *args, int axis, int64_t begin, int64_t end);

/**
 * Checks the arguments of a call: struct size, negative extents, null pointers of non-empty
 * tensors, parts outside the op, overlaps the op forbids, everything its "Errors" line says.
 * Returns IFN_OK or the status the op itself must return, with a message that names op and
 * argument.
 */
IFN_API ifn_status ifn_op_check(ifn_op op, const ifn_call *args, ifn_error *err);

/*
 * What a call, or the part it is, moves and computes.
 *
 * bytes     of every operand the call touches, each counted once, as if nothing lay in a cache; a
 *           packed weight counts like the raw one
 * flops     one for each addition, subtraction, product, quotient, square root and exponential of
 *           the formula above, on integers too (linear_q8). Comparisons, negations and conversions
 *           are free; quantizing and dequantizing a block is one product an element
 * elements  of its largest operand, as far as it is touched; words of 4 bytes where it has no floats
 */
typedef struct ifn_op_cost {
    uint64_t bytes, flops, elements;
} ifn_op_cost;

/* Errors  those of ifn_op_check */
IFN_API IFN_NODISCARD ifn_status ifn_op_count_cost(ifn_op op, const ifn_call *args,
                                                   ifn_op_cost *out, ifn_error *err);

IFN_EXTERN_C_END

#endif
