/*
 * Computes the length of a call's split dimensions and the offsets of its parts in the struct. The signature
 * says along which dimension of an output a cut runs; features of several weights and blocks of keys are
 * counted here.
 */
#include "op_split.h"

#include <string.h>

#include <inferno/signature_values.h>
#include <inferno/spans.h>

/* Wrap around on overflow: calls are split before they are checked, so sizes may be anything. */
static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t product(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t features(const ifn_tensor *const *w, int64_t n_w)
{
    int64_t n = 0;
    for (int64_t i = 0; i < n_w; i++)
        n = sum(n, w[i]->shape[0]);
    return n;
}

/* The length of attention's second cut. Only PARTIALS writes results per block; the other phases have none. */
static int64_t key_blocks(const ifn_attention_args *a)
{
    return a->phase == IFN_ATTENTION_PARTIALS ? ifn_attention_n_blocks(a) : 0;
}

static int64_t length_along(const ifn_op_arg *a, const ifn_call *args, ifn_dim_cut cut)
{
    int64_t n = 1;
    bool is_there = false;
    for (int i = 0; i < a->n_dims; i++) {
        const ifn_op_dim *const d = &a->dims[i];
        if (d->cut != (uint8_t)cut || !ifn_dim_is_cut(d, args))
            continue;
        n = product(n, ifn_dim_touched(d, args, 0));
        is_there = true;
    }
    return is_there ? n : -1;
}

/* The length, along this axis, of the first output that is cut along it. */
static int64_t regular_extent(ifn_op op, const ifn_call *args, int axis)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    int64_t n = -1;
    for (size_t i = 0; i < s.n && n < 0; i++) {
        if (!ifn_arg_is_written(&s.args[i]))
            continue;
        n = length_along(&s.args[i], args, axis == 0 ? IFN_DIM_PART : IFN_DIM_PART2);
        if (n < 0 && axis == 0)
            n = length_along(&s.args[i], args, IFN_DIM_FLAT);
    }
    return n < 0 ? 0 : n;
}

int64_t ifn_op_extent(ifn_op op, const ifn_call *args, int axis)
{
    const ifn_args *const a = (const ifn_args *)args;
    if (ifn_op_cut(op, axis) == IFN_CUT_NONE)
        return 0;
    if (op == IFN_OP_LINEAR && axis == 0)
        return features(a->linear.w, a->linear.n_w);
    if (op == IFN_OP_LINEAR_Q8 && axis == 0)
        return features(a->linear_q8.w, a->linear_q8.n_w);
    if (op == IFN_OP_ATTENTION && axis == 1)
        return key_blocks(&a->attention);
    return regular_extent(op, args, axis);
}

/* `value` if the list declares a cut; 0 if it says NONE, as the members of `value` do not exist then. */
#define IF_CUT_NONE(value)       0
#define IF_CUT_ELEMENTS(value)   (value)
#define IF_CUT_ROWS(value)       (value)
#define IF_CUT_COLS(value)       (value)
#define IF_CUT_FEATURES(value)   (value)
#define IF_CUT_HEADS(value)      (value)
#define IF_CUT_KEY_BLOCKS(value) (value)

/* Offsets of part_begin and part2_begin, each of which starts an ifn_range. */
static const size_t part_offsets[][2] = {
#define X(NAME, name, cut, cut2, doc)                                                              \
    {IF_CUT_##cut(offsetof(ifn_##name##_args, part_begin)),                                        \
     IF_CUT_##cut2(offsetof(ifn_##name##_args, part2_begin))},
    IFN_OPS(X)
#undef X
};

/* Asserts that begin and end are adjacent, as they are in an ifn_range. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    _Static_assert(IF_CUT_##cut(offsetof(ifn_##name##_args, part_end) -                            \
                                offsetof(ifn_##name##_args, part_begin) -                          \
                                offsetof(ifn_range, end)) == 0,                                    \
                   #name " keeps its part together");                                              \
    _Static_assert(IF_CUT_##cut2(offsetof(ifn_##name##_args, part2_end) -                          \
                                 offsetof(ifn_##name##_args, part2_begin) -                        \
                                 offsetof(ifn_range, end)) == 0,                                   \
                   #name " keeps its second part together");
IFN_OPS(X)
#undef X

ifn_range ifn_op_get_part(ifn_op op, const ifn_call *args, int axis)
{
    ifn_range part = {0, 0};
    if (ifn_op_cut(op, axis) != IFN_CUT_NONE)
        memcpy(&part, (const char *)args + part_offsets[op][axis], sizeof part);
    return part;
}

void ifn_op_set_part(ifn_op op, ifn_call *args, int axis, int64_t begin, int64_t end)
{
    const ifn_range part = {begin, end};
    if (ifn_op_cut(op, axis) != IFN_CUT_NONE)
        memcpy((char *)args + part_offsets[op][axis], &part, sizeof part);
}
