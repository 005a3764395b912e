/*
 * Signatures: IFN_SIGNATURE_<op>, in the header of the op, describes all arguments of the op in one place.
 * Argument checks, operands, splits, costs, the views and bindings of the conformance suite and the
 * comparison with spec/ops derive from it. An op without a signature does not compile, and a test
 * refuses an argument that no row describes.
 *
 * A program that links the engine calls ifn_op_signature_of; a plugin, which links nothing, expands the
 * lists itself. The code that expands a list defines the words below as macros.
 *
 * Stability: stable, and part of the plugin ABI. Rows and words may be added: code that expands a
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
 *   PLACE(field)                     int64_t: where something begins; not negative unless the op
 *                                    says so
 *   REAL(field, least)               float; ANY: no least
 *   DTYPE(field, set)                ifn_dtype: ANY_DTYPE, ACTIVATION_DTYPES (F32, Q8_32F) or
 *                                    CACHE_DTYPES (F32, F16, Q8_0)
 *   STRIDES(field, count)            int64_t: elements (blocks of Q8_32F) from row to row; cases and
 *                                    traces leave them out, as they only describe the caller's layout
 *
 * Tensors, in the order of the formula, outputs last
 *   IN(field, element, dims...)      read; IN_OPT: may be NULL
 *   OUT(field, element, equal, dims...)
 *                                    written; OUT_OPT: may be NULL. It overlaps nothing, except that,
 *                                    if F32, it may be the whole of: APART (none), EQUAL(x), EITHER(x, y)
 *   INOUT(field, element, dims...)   only parts of it are written
 *   HOST(field, element, dims...)    read, in memory of the host
 *   HOST_OUT(field, element, equal, dims...)
 *                                    written like OUT, in memory of the host
 *   BETWEEN(field, element)          written by one phase of the op and read by the next: only the
 *                                    header of the op states its shape
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
 *   PART(n) PART2(n)                 n elements, cut by the first part, by the second
 *   BOTH(a, b)                       a + b, cut; PART_FROM(b, a): the b elements of it after the first a
 *   FLAT(n)                          rows and columns together are cut, as one run of elements
 *   WINDOW(n, begin, length)         of n only [begin, begin + length) is touched, which must fit;
 *   WINDOW_PART(n, begin, length)    the window is cut; ROW(n, begin): a window of one
 *   CUT_IF(n, field, value)          cut where the number `field` is `value`
 *   LEFT_IF(n, field, value)         present, and cut, where `field` is `value`; else no dimension
 *   COLS_OF(w) FEATURES_OF(w)        the columns of a weight; its rows, cut by the first part
 */
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

/* The type of a tensor's elements. */
typedef enum ifn_arg_element {
    IFN_ELEMENT_F32,
    IFN_ELEMENT_I32,
    IFN_ELEMENT_Q8_32F, /* blocks; the last dimension counts elements */
    IFN_ELEMENT_WORD,   /* any four bytes */
    IFN_ELEMENT_BYTE,
    IFN_ELEMENT_STORED /* of the dtype that an argument names; the last dimension counts elements */
} ifn_arg_element;

/* Which range of a dimension belongs to a part of the call. */
typedef enum ifn_dim_cut {
    IFN_DIM_WHOLE,
    IFN_DIM_PART, /* begin and end are the first part's, or the second's */
    IFN_DIM_PART2,
    IFN_DIM_FLAT /* the first part's, through all dimensions of the tensor at once */
} ifn_dim_cut;

enum { IFN_ARG_MAX_DIMS = 3, IFN_ARG_MAX_EQUAL = 2, IFN_SIGNATURE_MAX = 24 };

/* A dimension. The uint16_t up to `choice` are offsets of arguments in the struct of the op; 0, the offset of
 * the call, means none. */
typedef struct ifn_op_dim {
    uint16_t extent; /* its length: an int64_t. None: 1 */
    uint16_t plus;   /* added to the length */
    uint16_t weight; /* the ifn_tensor whose shape[weight_axis] is the length instead */
    uint16_t begin;  /* the op touches only a window that begins here, */
    uint16_t length; /* of this length. None: 1 */
    uint16_t after;  /* where along the cut the dimension begins: int64_t */
    uint16_t choice; /* the dimension is cut only if this number equals `chosen` */
    int16_t chosen;
    uint8_t is_left_out; /* 1: without that, the dimension does not exist at all */
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
    uint32_t dtypes;     /* a bit for each legal dtype; 0: any */
    /* Tensors */
    uint8_t element; /* ifn_arg_element */
    uint8_t is_optional;
    uint16_t dtype; /* IFN_ELEMENT_STORED: the argument that names the dtype */
    uint16_t may_equal[IFN_ARG_MAX_EQUAL]; /* the tensors whose memory it may share, if F32 */
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
