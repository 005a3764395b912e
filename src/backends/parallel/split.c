/* Computes the ranges of parts from extents, granules and a number of threads. */
#include "split.h"

#include <stdbool.h>
#include <string.h>

#include "alloc_priv.h"
#include "checked.h"
#include "min_max.h"
#include "op_split.h"

/* With so many granules per thread, cutting along one axis alone is even enough. */
#define ENOUGH_GRANULES 4

/* With so many rows per thread, linear_q8 is cut along rows. */
#define ENOUGH_ROWS 64

/* Sets one segment per weight for the features of linear, else one for the whole extent. */
static void set_segments(ifn_split_axis *out, ifn_op op, const ifn_call *args, int axis)
{
    const ifn_tensor *const *w = NULL;
    out->n_segments = 1;
    out->segments[0] = ifn_op_extent(op, args, axis);
    if (ifn_op_cut(op, axis) != IFN_CUT_FEATURES)
        return;
    if (op == IFN_OP_LINEAR) {
        w = ((const ifn_linear_args *)args)->w;
        out->n_segments = (int32_t)((const ifn_linear_args *)args)->n_w;
    } else {
        w = ((const ifn_linear_q8_args *)args)->w;
        out->n_segments = (int32_t)((const ifn_linear_q8_args *)args)->n_w;
    }
    for (int32_t i = 0; i < out->n_segments; i++)
        out->segments[i] = w[i]->shape[0];
}

static int64_t granules_of(int64_t length, int64_t granule)
{
    return length / granule + (length % granule != 0);
}

/* Where granule `index` begins; the end of the extent if `index` is the number of granules. */
static int64_t position_of(const ifn_split_axis *a, int64_t index)
{
    int64_t begin = 0;
    for (int32_t i = 0; i < a->n_segments; i++) {
        const int64_t n = granules_of(a->segments[i], a->granule);
        if (index < n)
            return begin + index * a->granule;
        index -= n;
        begin += a->segments[i];
    }
    return begin;
}

/* The index of the first granule that begins at or after `position`. */
static int64_t granule_at(const ifn_split_axis *a, int64_t position)
{
    int64_t index = 0;
    for (int32_t i = 0; i < a->n_segments && position > 0; i++) {
        const int64_t inside = position < a->segments[i] ? position : a->segments[i];
        index += granules_of(inside, a->granule);
        position -= inside;
    }
    return index;
}

/* Sets one granule if the op has no such cut, or the call's own part is not made of whole granules. */
static void set_axis(ifn_split_axis *out, ifn_op op, const ifn_call *args, ifn_backend *inner,
                     int axis)
{
    *out = (ifn_split_axis){.granule = 1, .n_granules = 1, .n_parts = 1};
    const int64_t extent = ifn_op_extent(op, args, axis);
    const ifn_range given = ifn_op_get_part(op, args, axis);
    const ifn_range part = ifn_part(given.begin, given.end, extent);
    if (part.begin < 0 || part.begin >= part.end || part.end > extent)
        return;
    set_segments(out, op, args, axis);
    out->granule = ifn_backend_granule(inner, op, axis, args);
    const int64_t first = granule_at(out, part.begin), end = granule_at(out, part.end);
    if (position_of(out, first) != part.begin || position_of(out, end) != part.end)
        return;
    out->first = first;
    out->n_granules = end - first;
}

/*
 * Costs of attention, in units of the time for one query with the keys of one block: READ_BLOCK for reading
 * these keys and values, for all queries that share them; MERGE for handing out and merging if the keys are
 * cut. Measured on simd: reading takes 3.5 us, the unit 1.5, handing out and merging 1.
 */
#define READ_BLOCK 2.0
#define MERGE      1.0

/* The cost of a block for so many heads. */
static double heads_times(const ifn_attention_args *a, int64_t n_heads)
{
    const int64_t sharing = a->n_kv_heads > 0 ? a->n_heads / a->n_kv_heads : 0;
    return (double)n_heads + READ_BLOCK * (double)granules_of(n_heads, sharing > 0 ? sharing : 1);
}

/* The number of keys of a call; of several spans that of the first, as such calls are not cut along keys. */
static int64_t keys_of(const ifn_attention_args *a)
{
    return a->n_spans > 0 ? a->spans[0].first_pos + a->spans[0].rows : a->first_pos + a->rows;
}

/* The cost of the largest part, if the axes are cut into n0 and n1 parts. */
static double largest_part(const ifn_split *s, const ifn_call *args, int32_t n0, int32_t n1)
{
    const int64_t length0 = granules_of(s->axes[0].n_granules, n0) * s->axes[0].granule;
    const int64_t length1 = granules_of(s->axes[1].n_granules, n1) * s->axes[1].granule;
    if (s->op != IFN_OP_ATTENTION)
        return (double)length0 * (double)length1;
    const ifn_attention_args *const a = (const ifn_attention_args *)args;
    const double blocks = (double)keys_of(a) / IFN_ATTENTION_BLOCK;
    return heads_times(a, length0) * (blocks < (double)length1 ? blocks : (double)length1) +
           (n1 > 1 ? MERGE : 0.0);
}

/* Chooses the grid whose largest part is smallest; among equals the one with most parts along `first`. */
static void choose_grid(ifn_split *out, const ifn_call *args, int32_t n, int first)
{
    ifn_split_axis *const axes = out->axes;
    const int other = 1 - first;
    double best = 0.0;
    for (int32_t a = (int32_t)ifn_min(axes[first].n_granules, n); a >= 1; a--) {
        const int32_t b = (int32_t)ifn_min(axes[other].n_granules, n / a);
        const double largest =
            first == 0 ? largest_part(out, args, a, b) : largest_part(out, args, b, a);
        if (best == 0.0 || largest < best) {
            best = largest;
            axes[first].n_parts = a;
            axes[other].n_parts = b;
        }
    }
}

/*
 * Prefers the features of weights (axis 0): if rows were cut, each part would unpack all weights. But
 * linear_q8 unpacks them for every pass of rows anyway, and with many rows a thread better gets
 * the rows that it has normed: measured on simd, a prompt of 512 on two threads is 0 to 6 per cent
 * faster.
 */
static int preferred_axis(const ifn_split *s, int32_t n)
{
    if (s->op == IFN_OP_LINEAR_Q8)
        return s->axes[1].n_granules * s->axes[1].granule / ENOUGH_ROWS >= (int64_t)n;
    return s->op == IFN_OP_MATMUL;
}

int32_t ifn_split_call(ifn_split *out, ifn_op op, const ifn_call *args, ifn_backend *inner,
                       int32_t n)
{
    out->op = op;
    out->fine_axis = 0;
    out->n_fine = 1;
    for (int axis = 0; axis < 2; axis++)
        set_axis(&out->axes[axis], op, args, inner, axis);
    const int first = preferred_axis(out, n), other = 1 - first;
    if (out->axes[other].n_granules <= 1 ||
        out->axes[first].n_granules / ENOUGH_GRANULES >= (int64_t)n)
        out->axes[first].n_parts = (int32_t)ifn_min(out->axes[first].n_granules, n);
    else
        choose_grid(out, args, n, first);
    return out->axes[0].n_parts * out->axes[1].n_parts;
}

/* How many granules must stay together: the query heads that share a KV head, or all heads if the keys are
 * cut already. */
static int64_t bundle_of(const ifn_split *s, const ifn_call *args)
{
    const ifn_attention_args *const a = (const ifn_attention_args *)args;
    if (s->op != IFN_OP_ATTENTION)
        return 1;
    if (a->phase != IFN_ATTENTION_WHOLE || a->n_kv_heads < 1 || s->axes[0].granule != 1)
        return s->axes[0].n_granules;
    return a->n_heads / a->n_kv_heads;
}

int32_t ifn_split_refine(ifn_split *self, const ifn_call *args, int32_t n, int64_t least)
{
    /* Never along the rows of a product: each part would unpack its weights again, or copy b. */
    const int axis = self->op == IFN_OP_MATMUL;
    const ifn_split_axis *const a = &self->axes[axis];
    const int64_t bundle = bundle_of(self, args), each = a->n_granules / a->n_parts;
    self->fine_axis = axis;
    self->n_fine = (int32_t)ifn_min(each / (least > 1 ? least : 1), n > 1 ? n : 1);
    if (self->n_fine < 1)
        self->n_fine = 1;
    /* All parts must consist of equally many whole bundles. */
    while (bundle > 1 && self->n_fine > 1 &&
           a->n_granules % (bundle * a->n_parts * self->n_fine) != 0)
        self->n_fine--;
    return self->n_fine;
}

/* The first granule of part i of n: i * n_granules / n, without a product that could overflow. */
static int64_t first_granule(const ifn_split_axis *a, int64_t i, int64_t n)
{
    const int64_t each = a->n_granules / n, rest = a->n_granules % n;
    return a->first + i * each + i * rest / n;
}

void ifn_split_set_part(const ifn_split *self, ifn_call *args, int32_t i)
{
    const int32_t whole = i / self->n_fine, fine = i % self->n_fine;
    const int32_t at[2] = {whole / self->axes[1].n_parts, whole % self->axes[1].n_parts};
    for (int axis = 0; axis < 2; axis++) {
        const ifn_split_axis *const a = &self->axes[axis];
        const bool is_fine = axis == self->fine_axis;
        const int64_t each = is_fine ? self->n_fine : 1, n = a->n_parts * each;
        const int64_t part = at[axis] * each + (is_fine ? fine : 0);
        if (n > 1)
            ifn_op_set_part(self->op, args, axis, position_of(a, first_granule(a, part, n)),
                            position_of(a, first_granule(a, part + 1, n)));
    }
}

/* Bytes of the partials of one row; SIZE_MAX if they overflow. */
static size_t partials_bytes(int64_t n_heads, int64_t keys, int64_t head_dim)
{
    uint64_t bytes;
    size_t rounded;
    if (n_heads < 0 || keys < 0 || head_dim < 0 ||
        !ifn_mul_u64((uint64_t)n_heads, (uint64_t)granules_of(keys, IFN_ATTENTION_BLOCK), &bytes) ||
        !ifn_mul_u64(bytes, sizeof(float), &bytes) ||
        !ifn_mul_u64(bytes, 2 + (uint64_t)head_dim, &bytes) || bytes > SIZE_MAX ||
        !ifn_round_up_size((size_t)bytes, IFN_ALIGN, &rounded))
        return SIZE_MAX;
    return rounded;
}

size_t ifn_split_partials_bytes(const ifn_limits *max)
{
    return partials_bytes(max->n_heads, max->max_pos, max->head_dim);
}

int32_t ifn_split_keys(ifn_split *out, ifn_args *partials, const ifn_attention_args *a,
                       ifn_backend *inner, int32_t n)
{
    const int64_t keys = keys_of(a);
    if (a->phase != IFN_ATTENTION_WHOLE || a->rows != 1 || a->n_spans > 1 ||
        keys <= IFN_ATTENTION_BLOCK || a->n_kv_heads < 1 || a->n_heads % a->n_kv_heads != 0)
        return 1;
    const size_t bytes = partials_bytes(a->n_heads, keys, a->head_dim);
    if (!a->call.scratch || bytes > a->call.scratch_bytes)
        return 1;
    ifn_attention_args *const p = &partials->attention;
    memcpy(partials, a, a->call.bytes);
    p->phase = IFN_ATTENTION_PARTIALS;
    p->part2_begin = p->part2_end = 0;
    p->call.scratch_bytes = (a->call.scratch_bytes - bytes) / IFN_ALIGN * IFN_ALIGN;
    p->partials = (float *)(void *)((unsigned char *)a->call.scratch + p->call.scratch_bytes);
    const int32_t parts = ifn_split_call(out, IFN_OP_ATTENTION, &p->call, inner, n);
    return out->axes[1].n_parts > 1 ? parts : 1;
}
