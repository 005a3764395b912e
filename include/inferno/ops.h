/*
 * The op list: every operation of the engine, declared once.
 *
 * IFN_OPS enumerates the ops with their declared splits. Each has a header in ops/: its argument
 * struct, its formula and contract, its signature and what it costs. Names, tables, wrappers,
 * checks, specs and tests are expansions of this list.
 *
 * Conventions. Matrices are row-major and contiguous unless a stride says otherwise; shapes are
 * written [rows, cols]. Sizes are element counts. Every extent may be 0 unless an op says
 * otherwise: an empty output writes nothing, an empty sum is 0, a pointer to an empty tensor may be
 * NULL. Inputs are only read, so several may be the same memory. spec/numerics.md, installed as
 * share/inferno/spec/numerics.md with ops/ beside it, defines which results are right, and how near they
 * must be: section 6 has the bound of each op, section 10 the special values. The bits of a NaN count
 * only where an op moves data; the sign of a zero counts there and where an op rounds once.
 *
 * Errors. An op itself refuses, with IFN_ERR_SHAPE unless its header names another status: negative
 * extents, counts and places, and what its Errors line lists. The caller must avoid null pointers of
 * non-empty tensors, overlaps that are not permitted and parts outside the op, where no Errors line lists
 * them: backends need not look for these; ifn_op_check and the wrapper `check` do, and return
 * IFN_ERR_SHAPE. If a call is to be refused and the backend does not support it either, both statuses are
 * right. A call that refuses its arguments, or returns IFN_ERR_UNSUPPORTED, has written nothing; a call
 * that fails otherwise leaves its own outputs undefined.
 *
 * Ops are pure: their results depend on their arguments alone, on every lane, whatever runs at the same
 * time. They ask no allocator for memory, and use the scratch of their lane; their use of the stack, of
 * which a thread may have 1 MiB, does not grow with the sizes of a call. A backend makes threads, locks
 * and tables that serve all calls once, also if two first calls come at once: best in open, and no threads
 * before that, as a host may load a plugin, fork, and open it in the child. Threads for one call end with
 * it, and all that the system has made for them. A call may wait for a lock until another call has ended.
 * The caller calls in the default floating-point environment (to nearest, subnormals kept); the op may
 * change it, if it restores the control bits before it returns. If a caller has another environment all
 * the same, the call restores that, too; its results are unspecified, and none of them is kept for other
 * calls. Signal mask, locale, working directory and descriptors stay as they are, and nothing is printed.
 * spec/backend.yaml, installed there, has all of it.
 *
 * Stability: stable, and part of the plugin ABI: an op keeps its number and its meaning, an argument
 * its place. Later versions may add ops, and arguments at the end of a struct.
 */
#ifndef INFERNO_OPS_H
#define INFERNO_OPS_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/call.h>
#include <inferno/dtype.h>
#include <inferno/export.h>
#include <inferno/status.h>
#include <inferno/tensor.h>

#include <inferno/ops/add.h>
#include <inferno/ops/add_scalar.h>
#include <inferno/ops/apply_rope.h>
#include <inferno/ops/apply_rope_single_row.h>
#include <inferno/ops/argmax_with_prob.h>
#include <inferno/ops/attention.h>
#include <inferno/ops/broadcast_row_scalars.h>
#include <inferno/ops/concat_dim0.h>
#include <inferno/ops/copy_2d_from_cols.h>
#include <inferno/ops/copy_2d_into_cols.h>
#include <inferno/ops/copy_contiguous_into.h>
#include <inferno/ops/copy_in.h>
#include <inferno/ops/copy_out.h>
#include <inferno/ops/copy_row_2d.h>
#include <inferno/ops/dequantize_rows.h>
#include <inferno/ops/fill_strict_upper_tri.h>
#include <inferno/ops/gather_rows.h>
#include <inferno/ops/hadamard.h>
#include <inferno/ops/kv_store.h>
#include <inferno/ops/linear.h>
#include <inferno/ops/linear_q8.h>
#include <inferno/ops/matmul.h>
#include <inferno/ops/quantize_rows.h>
#include <inferno/ops/repeat_row_as_matrix.h>
#include <inferno/ops/reshape_data.h>
#include <inferno/ops/rms_norm.h>
#include <inferno/ops/rsqrt_elem.h>
#include <inferno/ops/scale.h>
#include <inferno/ops/silu.h>
#include <inferno/ops/softmax_rows.h>
#include <inferno/ops/sum_squares_axis.h>
#include <inferno/ops/swiglu.h>
#include <inferno/ops/transpose_2d.h>

IFN_EXTERN_C_BEGIN

/*
 * X(NAME, name, cut, cut2, doc)
 *
 * cut, cut2: the dimensions along which a call may be cut into parts. The parts together must meet the
 * contract of the whole call, and give its very bits if the backend declares R1. Append only: the order is
 * part of the plugin ABI.
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
    X(COPY_OUT,              copy_out,              NONE,     NONE,       "a buffer of the backend into host memory") \
    /* the next op: a row before this line */
/* clang-format on */

/* IFN_OP_MATMUL, ... */
enum ifn_ops { /* named, so that a switch over all of them can be held to it */
#define X(NAME, name, cut, cut2, doc) IFN_OP_##NAME,
               IFN_OPS(X)
#undef X
                   IFN_OP_COUNT /* in this version; a later host may pass larger op numbers */
};

typedef int32_t ifn_op;

/* The dimension that a cut in the list runs along. */
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
/* Finds an op by name. Returns 1 and sets *out, or 0. */
IFN_API int ifn_op_from_name(const char *name, ifn_op *out);

/**
 * The length of the dimension that this call may be cut along; 0 if the op has no such cut. The arguments
 * must have passed ifn_op_check.
 */
IFN_API int64_t ifn_op_extent(ifn_op op, const ifn_call *args, int axis);

/**
 * Sets the part of `axis` in an argument struct (a copy of it, usually). No effect if the op has
 * no such cut. Beware that [0, 0) means all.
 */
IFN_API void ifn_op_set_part(ifn_op op, ifn_call *args, int axis, int64_t begin, int64_t end);

/**
 * Checks the arguments of a call: struct size, all that an op refuses by itself, and what its caller
 * must avoid ("Errors", above). Sizes and shapes are checked first, so an id out of range is found only in
 * a call that is right otherwise. It reads ids, so it is not for calls whose buffers are a device's. It is
 * a function of the library: a plugin, which links nothing, has to check by itself. Returns IFN_OK or a
 * status, with a message that names op and argument.
 */
IFN_API ifn_status ifn_op_check(ifn_op op, const ifn_call *args, ifn_error *err);

/*
 * The work of a call, or of the part it computes.
 *
 * bytes     of every operand the call touches, each counted once, as if nothing lay in a cache; a
 *           packed weight counts like the raw one
 * flops     one for each addition, subtraction, product, quotient, square root and exponential of
 *           the op's formula, on integers too (linear_q8). Comparisons, negations and conversions
 *           are free; quantizing and dequantizing a block counts one product per element
 * elements  of the largest operand, as far as the call touches it; words of 4 bytes where it has no floats
 */
typedef struct ifn_op_cost {
    uint64_t bytes, flops, elements;
} ifn_op_cost;

/*
 * IFN_COST_<op>: the flops of a call, in the header of the op. The code that expands it defines the words.
 *
 * EACH(simple, slow)  per element written, besides decoding and encoding it: `simple` sums, differences
 *                     and products, `slow` quotients, roots and exponentials
 * OWN(op)             irregular: the flops depend on more than the number of elements written
 */

/* Errors  those of ifn_op_check */
IFN_API IFN_NODISCARD ifn_status ifn_op_count_cost(ifn_op op, const ifn_call *args,
                                                   ifn_op_cost *out, ifn_error *err);

IFN_EXTERN_C_END

#endif
