/*
 * What the arguments of every op are, once: IFN_SIGNATURE_<op> for each op of IFN_OPS. Checks of
 * arguments, operands, splits, costs, the views and bindings of the conformance suite and the
 * comparison with spec/ops derive from it. An op without a signature does not compile, and a test
 * refuses an argument that no row is about.
 *
 * A program that has the engine at hand asks ifn_op_signature; a plugin, which links nothing,
 * expands the lists itself. Whoever expands one defines the words below.
 *
 * Stability: stable, and part of the plugin ABI. Rows and words may be added: whoever expands a
 * list defines all words of the header it is built with.
 */
#ifndef INFERNO_SIGNATURE_H
#define INFERNO_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/export.h>
#include <inferno/ops.h>

IFN_EXTERN_C_BEGIN

/*
 * Numbers
 *   EXTENT(field, least)             int64_t: a size of tensors
 *   EVEN(field)                      the same, even
 *   BYTES(field)                     size_t: a size in bytes
 *   INTEGER(field, least, most)      int32_t or int64_t
 *   PLACE(field)                     int64_t: where something begins
 *   REAL(field, least)               float; ANY: no least
 *   DTYPE(field, set)                ifn_dtype: ANY_DTYPE, ACTIVATION_DTYPES or CACHE_DTYPES
 *   STRIDES(field, count)            int64_t: elements (blocks of Q8_32F) from row to row; no case
 *                                    or trace has them, they are the caller's layout
 *
 * Tensors, in the order of the formula, outputs last
 *   IN(field, element, dims...)      read; IN_OPT: may be NULL
 *   OUT(field, element, equal, dims...)
 *                                    written; OUT_OPT: may be NULL. It overlaps nothing but, whole
 *                                    and as F32, what it may equal: APART, EQUAL(x), EITHER(x, y)
 *   INOUT(field, element, dims...)   only parts of it are written
 *   HOST(field, element, dims...)    read, in memory of the host
 *   HOST_OUT(field, element, equal, dims...)
 *                                    written like OUT, in memory of the host
 *   BETWEEN(field, element)          written by one phase of the op and read by the next: what
 *                                    shape it has is the op's own business
 *   MANY_OUT, MANY_IN_OPT(field, element, dims...)
 *                                    arrays of IFN_LINEAR_MAX of them
 *   WEIGHT(field, count), PACKED(field, count)
 *                                    ifn_tensor, and the handle that may stand for it
 *   SPANS(field)                     a list of ifn_span in host memory
 *   PAGES(field)                     a list of int32_t in host memory: a block table
 *
 *   element   F32, I32, Q8_32F, WORD (any 4 bytes), BYTE, or STORED(field): of that dtype
 *
 * Dimensions
 *   ALL(n) ONE SIZE(bytes)           n elements, one, so many bytes
 *   PART(n) PART2(n)                 cut along by the first part, the second
 *   BOTH(a, b)                       a + b, cut; PART_FROM(b, a): of that, what follows a
 *   FLAT(n)                          rows and columns together are cut, as one run of elements
 *   WINDOW(n, begin, length)         of n only [begin, begin + length) is touched, which must fit;
 *   WINDOW_PART(n, begin, length)    the window is cut; ROW(n, begin): a window of one
 *   CUT_IF(n, field, value)          cut where the number `field` is `value`
 *   LEFT_IF(n, field, value)         there, and cut, where it is; otherwise no dimension
 *   COLS_OF(w) FEATURES_OF(w)        the columns of a weight; its rows, cut by the first part
 */
/* clang-format off */
#define IFN_SIGNATURE_matmul                                                        \
    EXTENT(m, 0) EXTENT(n, 0) EXTENT(p, 0)                                          \
    IN(a, F32, PART(m), ALL(n))                                                     \
    IN(b, F32, ALL(n), PART2(p))                                                    \
    OUT(out, F32, APART, PART(m), PART2(p))

#define IFN_SIGNATURE_add                                                           \
    EXTENT(n, 0)                                                                    \
    IN(x, F32, PART(n))                                                             \
    IN(y, F32, PART(n))                                                             \
    OUT(out, F32, EITHER(x, y), PART(n))

#define IFN_SIGNATURE_hadamard IFN_SIGNATURE_add

#define IFN_SIGNATURE_scale                                                         \
    REAL(value, ANY) EXTENT(n, 0)                                                   \
    IN(x, F32, PART(n))                                                             \
    OUT(out, F32, EQUAL(x), PART(n))

#define IFN_SIGNATURE_add_scalar IFN_SIGNATURE_scale

#define IFN_SIGNATURE_silu                                                          \
    EXTENT(n, 0)                                                                    \
    IN(x, F32, PART(n))                                                             \
    OUT(out, F32, EQUAL(x), PART(n))

#define IFN_SIGNATURE_rsqrt_elem IFN_SIGNATURE_silu

#define IFN_SIGNATURE_sum_squares_axis                                              \
    EXTENT(rows, 0) EXTENT(cols, 0) INTEGER(axis, 0, 1)                             \
    IN(x, F32, CUT_IF(rows, axis, 1), CUT_IF(cols, axis, 0))                        \
    OUT(out, F32, APART, LEFT_IF(rows, axis, 1), LEFT_IF(cols, axis, 0))

#define IFN_SIGNATURE_broadcast_row_scalars                                         \
    EXTENT(rows, 0) EXTENT(dim, 0)                                                  \
    IN(x, F32, PART(rows))                                                          \
    OUT(out, F32, APART, PART(rows), ALL(dim))

#define IFN_SIGNATURE_repeat_row_as_matrix                                          \
    EXTENT(rows, 0) EXTENT(dim, 0)                                                  \
    IN(x, F32, ALL(dim))                                                            \
    OUT(out, F32, APART, PART(rows), ALL(dim))

#define IFN_SIGNATURE_transpose_2d                                                  \
    EXTENT(rows, 0) EXTENT(cols, 0)                                                 \
    IN(x, F32, ALL(rows), PART(cols))                                               \
    OUT(out, F32, APART, PART(cols), ALL(rows))

#define IFN_SIGNATURE_reshape_data                                                  \
    EXTENT(rows, 0) EXTENT(cols, 0) EXTENT(out_rows, 0) EXTENT(out_cols, 0)         \
    IN(x, F32, FLAT(rows), FLAT(cols))                                              \
    OUT(out, F32, EQUAL(x), FLAT(out_rows), FLAT(out_cols))

#define IFN_SIGNATURE_softmax_rows                                                  \
    EXTENT(rows, 0) EXTENT(cols, 0)                                                 \
    IN(x, F32, PART(rows), ALL(cols))                                               \
    OUT(out, F32, EQUAL(x), PART(rows), ALL(cols))

#define IFN_SIGNATURE_gather_rows                                                   \
    EXTENT(n, 0)                                                                    \
    WEIGHT(table, 1) PACKED(packed, 1)                                              \
    IN(ids, I32, PART(n))                                                           \
    OUT(out, F32, APART, PART(n), COLS_OF(table))

#define IFN_SIGNATURE_fill_strict_upper_tri                                         \
    REAL(value, ANY)                                                                \
    EXTENT(rows, 0) EXTENT(cols, 0) PLACE(offset)              \
    INOUT(x, F32, PART(rows), ALL(cols))

#define IFN_SIGNATURE_copy_2d_from_cols                                             \
    EXTENT(rows, 0) EXTENT(cols, 0) EXTENT(x_cols, 0)                               \
    PLACE(col_begin)                                           \
    IN(x, F32, PART(rows), WINDOW(x_cols, col_begin, cols))                         \
    OUT(out, F32, APART, PART(rows), ALL(cols))

#define IFN_SIGNATURE_copy_2d_into_cols                                             \
    EXTENT(rows, 0) EXTENT(cols, 0) EXTENT(out_cols, 0)                             \
    PLACE(col_begin)                                           \
    IN(x, F32, PART(rows), ALL(cols))                                               \
    INOUT(out, F32, PART(rows), WINDOW(out_cols, col_begin, cols))

#define IFN_SIGNATURE_copy_row_2d                                                   \
    EXTENT(out_rows, 0) EXTENT(x_rows, 0) EXTENT(cols, 0)                           \
    PLACE(out_row) PLACE(x_row)           \
    IN(x, F32, ROW(x_rows, x_row), ALL(cols))                                       \
    INOUT(out, F32, ROW(out_rows, out_row), ALL(cols))

#define IFN_SIGNATURE_copy_contiguous_into                                          \
    EXTENT(n, 0) EXTENT(out_n, 0) PLACE(out_offset)            \
    IN(x, WORD, PART(n))                                                            \
    INOUT(out, WORD, WINDOW_PART(out_n, out_offset, n))

#define IFN_SIGNATURE_concat_dim0                                                   \
    EXTENT(a_rows, 0) EXTENT(b_rows, 0) EXTENT(cols, 0)                             \
    IN(a, F32, PART(a_rows), ALL(cols))                                             \
    IN(b, F32, PART_FROM(b_rows, a_rows), ALL(cols))                                \
    OUT(out, F32, APART, BOTH(a_rows, b_rows), ALL(cols))

#define IFN_SIGNATURE_apply_rope                                                    \
    EXTENT(rows, 0) EXTENT(n_heads, 0) EVEN(head_dim) INTEGER(pairing, 0, 1) \
    IN(x, F32, PART(rows), ALL(n_heads), ALL(head_dim))                             \
    IN(table, F32, PART(rows), ALL(head_dim))                                       \
    OUT(out, F32, EQUAL(x), PART(rows), ALL(n_heads), ALL(head_dim))

#define IFN_SIGNATURE_apply_rope_single_row                                         \
    EXTENT(n_heads, 0) EVEN(head_dim) INTEGER(pairing, 0, 1)               \
    IN(x, F32, PART(n_heads), ALL(head_dim))                                        \
    IN(table, F32, ONE, ALL(head_dim))                                              \
    OUT(out, F32, EQUAL(x), PART(n_heads), ALL(head_dim))

#define IFN_SIGNATURE_argmax_with_prob                                              \
    EXTENT(n, 1)                                                                    \
    IN(x, F32, ALL(n))                                                              \
    OUT(index, I32, APART, ONE)                                                     \
    OUT(value, F32, APART, ONE)

/* Irregular: how many weights there are, and what each is, stands in the call. */
#define IFN_SIGNATURE_LINEAR_OF(x_element)                                          \
    EXTENT(rows, 0) EXTENT(k, 0) INTEGER(n_w, 1, IFN_LINEAR_MAX)           \
    IN(x, x_element, PART2(rows), ALL(k)) STRIDES(x_stride, 1)                      \
    WEIGHT(w, IFN_LINEAR_MAX) PACKED(packed, IFN_LINEAR_MAX)                        \
    MANY_IN_OPT(bias, F32, FEATURES_OF(w))                                         \
    MANY_OUT(out, F32, PART2(rows), FEATURES_OF(w)) STRIDES(out_stride, IFN_LINEAR_MAX)

#define IFN_SIGNATURE_linear    IFN_SIGNATURE_LINEAR_OF(F32)
#define IFN_SIGNATURE_linear_q8 IFN_SIGNATURE_LINEAR_OF(Q8_32F)

#define IFN_SIGNATURE_quantize_rows                                                 \
    EXTENT(rows, 0) EXTENT(cols, 0) DTYPE(out_dtype, ANY_DTYPE)                     \
    IN(x, F32, PART(rows), ALL(cols))                                               \
    OUT(out, STORED(out_dtype), APART, PART(rows), ALL(cols))

#define IFN_SIGNATURE_dequantize_rows                                               \
    EXTENT(rows, 0) EXTENT(cols, 0) DTYPE(dtype, ANY_DTYPE)                         \
    IN(x, STORED(dtype), PART(rows), ALL(cols))                                     \
    OUT(out, F32, APART, PART(rows), ALL(cols))

#define IFN_SIGNATURE_rms_norm                                                      \
    EXTENT(rows, 0) EXTENT(dim, 1) REAL(eps, 0) DTYPE(out_dtype, ACTIVATION_DTYPES) \
    IN(x, F32, PART(rows), ALL(dim))                                                \
    IN_OPT(add, F32, PART(rows), ALL(dim))                                          \
    IN(weight, F32, ALL(dim))                                                       \
    OUT(out, STORED(out_dtype), EQUAL(x), PART(rows), ALL(dim))                     \
    OUT_OPT(sum, F32, EITHER(x, add), PART(rows), ALL(dim))

#define IFN_SIGNATURE_swiglu                                                        \
    EXTENT(rows, 0) EXTENT(dim, 0) DTYPE(out_dtype, ACTIVATION_DTYPES)              \
    IN(gate, F32, PART(rows), ALL(dim))                                             \
    IN(up, F32, PART(rows), ALL(dim))                                               \
    OUT(out, STORED(out_dtype), EITHER(gate, up), PART(rows), ALL(dim))

/* With spans it is their windows instead, and with pages the windows are in those. */
#define IFN_SIGNATURE_kv_store                                                      \
    EXTENT(rows, 0) PLACE(first_pos) EXTENT(max_pos, 0)        \
    EXTENT(n_kv_heads, 0) EXTENT(head_dim, 0) DTYPE(cache_dtype, CACHE_DTYPES)      \
    IN(k, F32, ALL(rows), PART(n_kv_heads), ALL(head_dim))                          \
    IN(v, F32, ALL(rows), PART(n_kv_heads), ALL(head_dim))                          \
    INOUT(k_cache, STORED(cache_dtype), PART(n_kv_heads),                           \
          WINDOW(max_pos, first_pos, rows), ALL(head_dim))                          \
    INOUT(v_cache, STORED(cache_dtype), PART(n_kv_heads),                           \
          WINDOW(max_pos, first_pos, rows), ALL(head_dim))                          \
    INTEGER(n_spans, 0, INT64_MAX) SPANS(spans)                                     \
    INTEGER(n_pages, 0, INT64_MAX) INTEGER(page_rows, 0, IFN_PAGE_ROWS_MOST) PAGES(pages)

/* Irregular: a head reads the cache of another, its rows what lies before them, and two phases
 * need some of the buffers each. */
#define IFN_SIGNATURE_attention                                                     \
    EXTENT(rows, 0) PLACE(first_pos) EXTENT(max_pos, 0)        \
    EXTENT(n_heads, 0) EXTENT(n_kv_heads, 0) EXTENT(head_dim, 0) REAL(scale, ANY)   \
    INTEGER(phase, IFN_ATTENTION_WHOLE, IFN_ATTENTION_MERGE)               \
    DTYPE(cache_dtype, CACHE_DTYPES)                                                \
    IN(q, F32, ALL(rows), PART(n_heads), ALL(head_dim))                             \
    IN(k_cache, STORED(cache_dtype), ALL(n_kv_heads), ALL(max_pos), ALL(head_dim))  \
    IN(v_cache, STORED(cache_dtype), ALL(n_kv_heads), ALL(max_pos), ALL(head_dim))  \
    BETWEEN(partials, F32)                                                          \
    OUT(out, F32, APART, ALL(rows), PART(n_heads), ALL(head_dim))                   \
    INTEGER(n_spans, 0, INT64_MAX) SPANS(spans)                                     \
    INTEGER(n_pages, 0, INT64_MAX) INTEGER(page_rows, 0, IFN_PAGE_ROWS_MOST) PAGES(pages)

#define IFN_SIGNATURE_copy_in                                                       \
    BYTES(bytes)                                                                    \
    HOST(host, BYTE, SIZE(bytes))                                                    \
    OUT(out, BYTE, APART, SIZE(bytes))

#define IFN_SIGNATURE_copy_out                                                      \
    BYTES(bytes)                                                                    \
    IN(x, BYTE, SIZE(bytes))                                                        \
    HOST_OUT(host, BYTE, APART, SIZE(bytes))
/* clang-format on */

typedef enum ifn_arg_kind {
    IFN_ARG_EXTENT,  /* int64_t */
    IFN_ARG_EVEN,    /* int64_t */
    IFN_ARG_BYTES,   /* size_t */
    IFN_ARG_INT32,   /* int32_t */
    IFN_ARG_INT64,   /* int64_t that is no size */
    IFN_ARG_REAL,    /* float */
    IFN_ARG_DTYPE,   /* ifn_dtype */
    IFN_ARG_STRIDE,  /* int64_t */
    IFN_ARG_IN,      /* this and all that follow: pointers */
    IFN_ARG_OUT,     /* written, every element of its part */
    IFN_ARG_INOUT,   /* written in parts */
    IFN_ARG_HOST,    /* read, in host memory */
    IFN_ARG_BETWEEN, /* between two phases */
    IFN_ARG_WEIGHT,  /* const ifn_tensor * */
    IFN_ARG_PACKED,  /* a handle that stands for the weight before it */
    IFN_ARG_SPANS,   /* const ifn_span *, in host memory */
    IFN_ARG_PAGES    /* const int32_t *, in host memory */
} ifn_arg_kind;

/* What a tensor is made of. */
typedef enum ifn_arg_element {
    IFN_ELEMENT_F32,
    IFN_ELEMENT_I32,
    IFN_ELEMENT_Q8_32F, /* blocks; the last dimension counts elements */
    IFN_ELEMENT_WORD,   /* any four bytes */
    IFN_ELEMENT_BYTE,
    IFN_ELEMENT_STORED /* of the dtype that an argument names; the last dimension counts elements */
} ifn_arg_element;

/* What of a dimension belongs to a part of the call. */
typedef enum ifn_dim_cut {
    IFN_DIM_WHOLE,
    IFN_DIM_PART, /* begin and end are the first part's, or the second's */
    IFN_DIM_PART2,
    IFN_DIM_FLAT /* the first part's, through all dimensions of the tensor at once */
} ifn_dim_cut;

enum { IFN_ARG_MAX_DIMS = 3, IFN_ARG_MAX_EQUAL = 2, IFN_SIGNATURE_MAX = 24 };

/* Offsets are those of arguments in the struct of the op; 0, where the call is, means none. */
typedef struct ifn_op_dim {
    uint16_t extent; /* how long: an int64_t. None: 1 */
    uint16_t plus;   /* and as many more */
    uint16_t weight; /* the ifn_tensor whose shape[weight_axis] it is instead */
    uint16_t begin;  /* only a window from there on is touched, */
    uint16_t length; /* so long. None: 1 */
    uint16_t after;  /* where along the cut it begins: int64_t */
    uint16_t choice; /* the number that must be `chosen` for the dimension to be cut, */
    int16_t chosen;
    uint8_t is_left_out; /* or to be there at all */
    uint8_t weight_axis;
    uint8_t is_size; /* the extent is a size_t */
    uint8_t cut;     /* ifn_dim_cut */
} ifn_op_dim;

typedef struct ifn_op_arg {
    const char *name;
    uint16_t offset;
    uint16_t count;  /* of an array; else 1 */
    uint8_t kind;    /* ifn_arg_kind */
    uint8_t is_host; /* a tensor in memory of the host, not in a buffer of the backend */
    /* Numbers */
    int64_t least, most; /* INT64_MIN, INT64_MAX: any */
    uint32_t dtypes;     /* a bit for each that may be; 0: any */
    /* Tensors */
    uint8_t element; /* ifn_arg_element */
    uint8_t is_optional;
    uint16_t dtype;                        /* IFN_ELEMENT_STORED: the argument that names it */
    uint16_t may_equal[IFN_ARG_MAX_EQUAL]; /* what it may be the same memory as, as F32 */
    uint16_t n_dims;
    ifn_op_dim dims[IFN_ARG_MAX_DIMS];
} ifn_op_arg;

typedef struct ifn_op_signature {
    size_t n;
    const ifn_op_arg *args; /* static */
} ifn_op_signature;

/* All arguments but the call and its parts. None for no op. */
IFN_API ifn_op_signature ifn_op_signature_of(ifn_op op);

/* The argument of that name, or NULL. */
IFN_API const ifn_op_arg *ifn_op_arg_find(ifn_op op, const char *name);

/* The name of the argument at an offset of the struct; "" for none. */
IFN_API const char *ifn_op_arg_name_at(ifn_op op, size_t offset);

IFN_EXTERN_C_END

#endif
