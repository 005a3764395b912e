/* Extent, granule and a number of threads in, ranges out. */
#include "split.h"

#include "op_split.h"

/* An axis with so many units for every thread is cut evenly enough without the other axis. */
#define ENOUGH_UNITS 4

/* Weight after weight for the features of linear, else the whole extent. */
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

static int64_t units_of(int64_t length, int64_t granule)
{
    return length / granule + (length % granule != 0);
}

/* Where unit `unit` begins; the end of the extent for the number of all units. */
static int64_t position_of(const ifn_split_axis *a, int64_t unit)
{
    int64_t begin = 0;
    for (int32_t i = 0; i < a->n_segments; i++) {
        const int64_t n = units_of(a->segments[i], a->granule);
        if (unit < n)
            return begin + unit * a->granule;
        unit -= n;
        begin += a->segments[i];
    }
    return begin;
}

/* The first unit that does not begin before `position`. */
static int64_t unit_at(const ifn_split_axis *a, int64_t position)
{
    int64_t unit = 0;
    for (int32_t i = 0; i < a->n_segments && position > 0; i++) {
        const int64_t inside = position < a->segments[i] ? position : a->segments[i];
        unit += units_of(inside, a->granule);
        position -= inside;
    }
    return unit;
}

/* One unit where the op has no such cut, or the call's own part is not made of whole units. */
static void set_axis(ifn_split_axis *out, ifn_op op, const ifn_call *args, ifn_backend *inner,
                     int axis)
{
    *out = (ifn_split_axis){.granule = 1, .n_units = 1, .n_pieces = 1};
    const int64_t extent = ifn_op_extent(op, args, axis);
    const ifn_range given = ifn_op_get_part(op, args, axis);
    const ifn_range part = ifn_part(given.begin, given.end, extent);
    if (part.begin < 0 || part.begin >= part.end || part.end > extent)
        return;
    set_segments(out, op, args, axis);
    out->granule = ifn_backend_granule(inner, op, axis, args);
    const int64_t first = unit_at(out, part.begin), end = unit_at(out, part.end);
    if (position_of(out, first) != part.begin || position_of(out, end) != part.end)
        return;
    out->first = first;
    out->n_units = end - first;
}

static int32_t smaller(int64_t a, int32_t b)
{
    return a < b ? (int32_t)a : b;
}

/* The units of the largest piece, if each axis is cut like this. */
static double largest_piece(const ifn_split_axis axes[2], int32_t n0, int32_t n1)
{
    return (double)units_of(axes[0].n_units, n0) * (double)axes[0].granule *
           (double)units_of(axes[1].n_units, n1) * (double)axes[1].granule;
}

/* The grid with the smallest largest piece; among equals the one cut most along `first`. */
static void choose_grid(ifn_split_axis axes[2], int32_t n, int first)
{
    const int other = 1 - first;
    double best = 0.0;
    for (int32_t a = smaller(axes[first].n_units, n); a >= 1; a--) {
        const int32_t b = smaller(axes[other].n_units, n / a);
        const double largest = first == 0 ? largest_piece(axes, a, b) : largest_piece(axes, b, a);
        if (best == 0.0 || largest < best) {
            best = largest;
            axes[first].n_pieces = a;
            axes[other].n_pieces = b;
        }
    }
}

/* Along the weights where there are any: pieces of the rows would each unpack all of them. */
static int preferred_axis(ifn_op op)
{
    return op == IFN_OP_MATMUL ? 1 : 0;
}

int32_t ifn_split_call(ifn_split *out, ifn_op op, const ifn_call *args, ifn_backend *inner,
                       int32_t n)
{
    const int first = preferred_axis(op), other = 1 - first;
    out->op = op;
    for (int axis = 0; axis < 2; axis++)
        set_axis(&out->axes[axis], op, args, inner, axis);
    if (out->axes[other].n_units <= 1 || out->axes[first].n_units / ENOUGH_UNITS >= (int64_t)n)
        out->axes[first].n_pieces = smaller(out->axes[first].n_units, n);
    else
        choose_grid(out->axes, n, first);
    return out->axes[0].n_pieces * out->axes[1].n_pieces;
}

/* Piece i of n has the units from i * n_units / n on, without a product that could overflow. */
static int64_t first_unit(const ifn_split_axis *a, int64_t i)
{
    const int64_t each = a->n_units / a->n_pieces, rest = a->n_units % a->n_pieces;
    return a->first + i * each + i * rest / a->n_pieces;
}

void ifn_split_set_piece(const ifn_split *self, ifn_call *args, int32_t i)
{
    const int32_t at[2] = {i / self->axes[1].n_pieces, i % self->axes[1].n_pieces};
    for (int axis = 0; axis < 2; axis++) {
        const ifn_split_axis *const a = &self->axes[axis];
        if (a->n_pieces > 1)
            ifn_op_set_part(self->op, args, axis, position_of(a, first_unit(a, at[axis])),
                            position_of(a, first_unit(a, at[axis] + 1)));
    }
}
