/* Holds the signatures as tables, and evaluates them for a call. */
#include <inferno/signature_values.h>

#include <string.h>

/*
 * Macros for the words of signature.h. A row that names a member which the argument struct T does not have, or
 * which has another type, does not compile.
 */
/* clang-format off */
#define AT(field)            ((uint16_t)offsetof(T, field))
#define AT_AS(field, type)   _Generic(((T *)0)->field, type: AT(field))
#define COUNT_AT(field)      AT_AS(field, int64_t)
#define ROW_OF(k, field, n)  .name = #field, .kind = (k), .offset = AT(field), .count = (n)

#define NUMBER(k, field, type, low, high)                                                          \
    {.name = #field, .kind = IFN_ARG_##k, .offset = AT_AS(field, type), .count = 1,                \
     .least = (low), .most = (high)},
#define ANY                  INT64_MIN
#define EXTENT(field, least) NUMBER(EXTENT, field, int64_t, least, INT64_MAX)
#define EVEN(field)          NUMBER(EVEN, field, int64_t, 0, INT64_MAX)
#define BYTES(field)         NUMBER(BYTES, field, size_t, 0, INT64_MAX)
#define PLACE(field)         NUMBER(INT64, field, int64_t, INT64_MIN, INT64_MAX)
#define REAL(field, least)   NUMBER(REAL, field, float, least, INT64_MAX)
#define INTEGER(field, low, high)                                                                  \
    {ROW_OF(_Generic(((T *)0)->field, int32_t: IFN_ARG_INT32, int64_t: IFN_ARG_INT64), field, 1),  \
     .least = (low), .most = (high)},
#define DTYPE(field, set)                                                                          \
    {.name = #field, .kind = IFN_ARG_DTYPE, .offset = AT_AS(field, ifn_dtype), .count = 1,         \
     .dtypes = (set)},
#define ANY_DTYPE            0
#define ACTIVATION_DTYPES    (1u << IFN_DTYPE_F32 | 1u << IFN_DTYPE_Q8_32F)
#define CACHE_DTYPES         (1u << IFN_DTYPE_F32 | 1u << IFN_DTYPE_F16 | 1u << IFN_DTYPE_Q8_0)

#define STRIDES(field, n)    {ROW_OF(IFN_ARG_STRIDE, field, n)},
#define WEIGHT(field, n)     {ROW_OF(IFN_ARG_WEIGHT, field, n)},
#define PACKED(field, n)     {ROW_OF(IFN_ARG_PACKED, field, n)},
#define SPANS(field)         {ROW_OF(IFN_ARG_SPANS, field, 1), .is_optional = 1},
#define PAGES(field)         {ROW_OF(IFN_ARG_PAGES, field, 1), .is_optional = 1},
#define TENSOR(k, field, n, e, ...)                                                                \
    ROW_OF(IFN_ARG_##k, field, n), ELEMENT_##e,                                                    \
    .n_dims = sizeof((const ifn_op_dim[]){__VA_ARGS__}) / sizeof(ifn_op_dim), .dims = {__VA_ARGS__}
#define IN(field, e, ...)              {TENSOR(IN, field, 1, e, __VA_ARGS__)},
#define IN_OPT(field, e, ...)          {TENSOR(IN, field, 1, e, __VA_ARGS__), .is_optional = 1},
#define OUT(field, e, equal, ...)      {TENSOR(OUT, field, 1, e, __VA_ARGS__), .may_equal = equal},
#define OUT_OPT(field, e, equal, ...)                                                              \
    {TENSOR(OUT, field, 1, e, __VA_ARGS__), .may_equal = equal, .is_optional = 1},
#define INOUT(field, e, ...)           {TENSOR(INOUT, field, 1, e, __VA_ARGS__)},
#define HOST(field, e, ...)            {TENSOR(HOST, field, 1, e, __VA_ARGS__), .is_host = 1},
#define HOST_OUT(field, e, equal, ...)                                                             \
    {TENSOR(OUT, field, 1, e, __VA_ARGS__), .may_equal = equal, .is_host = 1},
#define BETWEEN(field, e)              {ROW_OF(IFN_ARG_BETWEEN, field, 1), .is_optional = 1, ELEMENT_##e},
#define MANY_OUT(field, e, ...)        {TENSOR(OUT, field, IFN_LINEAR_MAX, e, __VA_ARGS__)},
#define MANY_IN_OPT(field, e, ...)                                                                 \
    {TENSOR(IN, field, IFN_LINEAR_MAX, e, __VA_ARGS__), .is_optional = 1},

#define APART                {0}
#define EQUAL(x)             {AT(x)}
#define EITHER(x, y)         {AT(x), AT(y)}

#define ELEMENT_F32           .element = IFN_ELEMENT_F32
#define ELEMENT_I32           .element = IFN_ELEMENT_I32
#define ELEMENT_Q8_32F        .element = IFN_ELEMENT_Q8_32F
#define ELEMENT_WORD          .element = IFN_ELEMENT_WORD
#define ELEMENT_BYTE          .element = IFN_ELEMENT_BYTE
#define ELEMENT_STORED(field) .element = IFN_ELEMENT_STORED, .dtype = AT(field)

#define CUT_ALONG(n)         .extent = COUNT_AT(n), .cut = IFN_DIM_PART
#define WINDOW_OF(n, from)   .extent = COUNT_AT(n), .begin = COUNT_AT(from)
#define IF(which, value)     .choice = AT_AS(which, int32_t), .chosen = (value)
#define ONE                  {0}
#define ALL(n)               {.extent = COUNT_AT(n)}
#define SIZE(n)              {.extent = AT_AS(n, size_t), .is_size = 1}
#define PART(n)              {CUT_ALONG(n)}
#define PART2(n)             {.extent = COUNT_AT(n), .cut = IFN_DIM_PART2}
#define FLAT(n)              {.extent = COUNT_AT(n), .cut = IFN_DIM_FLAT}
#define BOTH(a, b)           {CUT_ALONG(a), .plus = COUNT_AT(b)}
#define PART_FROM(b, a)      {CUT_ALONG(b), .after = COUNT_AT(a)}
#define ROW(n, from)         {WINDOW_OF(n, from)}
#define WINDOW(n, from, l)   {WINDOW_OF(n, from), .length = COUNT_AT(l)}
#define WINDOW_PART(n, from, l) {WINDOW_OF(n, from), .length = COUNT_AT(l), .cut = IFN_DIM_PART}
#define CUT_IF(n, which, value) {CUT_ALONG(n), IF(which, value)}
#define LEFT_IF(n, which, value) {CUT_ALONG(n), IF(which, value), .is_left_out = 1}
#define COLS_OF(w)           {.weight = AT(w), .weight_axis = 1}
#define FEATURES_OF(w)       {.weight = AT(w), .cut = IFN_DIM_PART}
/* clang-format on */

/* signature_matmul, signature_add, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_op_signature signature_##name(void)                                                 \
    {                                                                                              \
        typedef ifn_##name##_args T;                                                               \
        static const ifn_op_arg args[] = {IFN_SIGNATURE_##name};                                   \
        _Static_assert(sizeof args / sizeof *args <= IFN_SIGNATURE_MAX, #name " has less rows");   \
        return (ifn_op_signature){sizeof args / sizeof *args, args};                               \
    }
IFN_OPS(X)
#undef X

ifn_op_signature ifn_op_signature_of(ifn_op op)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return signature_##name();
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return (ifn_op_signature){0};
}

const ifn_op_arg *ifn_op_arg_find(ifn_op op, const char *name)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        if (strcmp(s.args[i].name, name) == 0)
            return &s.args[i];
    return NULL;
}

const char *ifn_op_arg_name_at(ifn_op op, size_t offset)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        if (s.args[i].offset == offset)
            return s.args[i].name;
    return "";
}
