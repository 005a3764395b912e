#include "far_whole.h"

#include "stream.h"

static const far_whole wholes[] = {
    {IFN_OP_COPY_IN, "bytes", 1, WHOLE_MOVES, false},
    {IFN_OP_COPY_OUT, "bytes", 1, WHOLE_MOVES, false},
    {IFN_OP_RESHAPE_DATA, "all elements", sizeof(float), WHOLE_MOVES, true},
    {IFN_OP_COPY_CONTIGUOUS_INTO, "all of n", sizeof(float), WHOLE_MOVES, true},
    {IFN_OP_CONCAT_DIM0, "all rows", sizeof(float), WHOLE_MOVES, true},
    {IFN_OP_COPY_ROW_2D, "cols", sizeof(float), WHOLE_MOVES, true},
    {IFN_OP_ARGMAX_WITH_PROB, "n", sizeof(float), WHOLE_SEARCHES, false},
    {IFN_OP_ADD, "all of n", sizeof(float), WHOLE_COMPUTES, true},
    {IFN_OP_HADAMARD, "all of n", sizeof(float), WHOLE_COMPUTES, true},
    {IFN_OP_SCALE, "all of n", sizeof(float), WHOLE_COMPUTES, true},
    {IFN_OP_ADD_SCALAR, "all of n", sizeof(float), WHOLE_COMPUTES, true},
    {IFN_OP_SILU, "all of n", sizeof(float), WHOLE_COMPUTES, true},
    {IFN_OP_RSQRT_ELEM, "all of n", sizeof(float), WHOLE_COMPUTES, true},
    {IFN_OP_SWIGLU, "all elements", sizeof(float), WHOLE_COMPUTES, true},
};

/* PAGES: the least bytes past the border. MORE: up to so many elements are added at random. */
enum { PAGES = 3 << 12, MORE = 1 << 10 };

const far_whole *conform_far_whole_of(ifn_op op)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (wholes[i].op == op)
            return &wholes[i];
    return NULL;
}

bool conform_far_whole_comes_in(const far_whole *self, far_size size)
{
    return size != FAR_GREAT || self->is_cut;
}

bool conform_far_whole_has(const far_whole *self, const conform_case *home)
{
    return self->kind != WHOLE_COMPUTES || home->out_dtype == IFN_DTYPE_F32;
}

static int64_t draw(const conform_case *home, int what, int64_t n)
{
    return (int64_t)(conform_hash(home->seed, "far", (uint64_t)what) % (uint64_t)n);
}

/* The border plus PAGES bytes plus an odd number of elements: above 2^24 a float cannot hold an odd number. */
static int64_t past(const far_whole *self, const conform_case *home, int64_t border)
{
    return border + PAGES / (int64_t)self->element_bytes + (draw(home, 1, MORE) | 1);
}

/* One row, three, or 4099, about as many as columns: the number of elements is a product that may be computed
 * wrongly. */
static int64_t draw_rows(const conform_case *home, far_size size)
{
    static const int64_t rows[] = {1, 3, 4099};
    return rows[draw(home, 2, size == FAR_LONG ? 3 : 2)];
}

static int64_t odd_columns(int64_t n, int64_t rows)
{
    return ((n + rows - 1) / rows) | 1;
}

/* Both a and b pass the border by themselves. In a huge call one of them has 2^32 bytes, the other only 2^31. */
static void concatenate(const conform_case *home, far_size size, int64_t n, conform_case *c)
{
    const int64_t rows = draw_rows(home, size), more = size == FAR_HUGE ? draw(home, 3, 2) : 0;
    c->dim[0] = size == FAR_HUGE ? 1 + more : rows;
    c->dim[1] = size == FAR_HUGE ? 2 - more : rows;
    c->dim[2] = size == FAR_HUGE ? (n + PAGES / 4) / 2 : odd_columns(n, rows);
}

/* Copies one of two rows; one of one in calls that take much address space. */
static void copy_row(const conform_case *home, far_size size, int64_t n, conform_case *c)
{
    const int64_t rows = size == FAR_LONG ? 2 : 1;
    c->dim[0] = c->dim[1] = rows;
    c->dim[2] = n;
    c->dim[3] = draw(home, 3, rows);
    c->dim[4] = draw(home, 4, rows);
}

static int64_t border_of(const far_whole *self, far_size size)
{
    const int64_t bytes = INT64_C(1) << (size == FAR_GREAT ? 31 : 32);
    return size == FAR_LONG ? INT64_C(1) << 24 : bytes / (int64_t)self->element_bytes;
}

conform_case conform_far_whole_case(const far_whole *self, const conform_case *home, far_size size,
                                    int64_t shares)
{
    const int64_t n = past(self, home, border_of(self, size)) / shares;
    conform_case c = *home;
    switch (self->op) {
    case IFN_OP_RESHAPE_DATA:
    case IFN_OP_SWIGLU:
        c.dim[0] = draw_rows(home, size);
        c.dim[1] = odd_columns(n, c.dim[0]);
        break;
    case IFN_OP_CONCAT_DIM0:
        concatenate(home, size, n, &c);
        break;
    case IFN_OP_COPY_ROW_2D:
        copy_row(home, size, n, &c);
        break;
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        c.dim[2] = draw(home, 3, MORE);
        c.dim[1] = c.dim[2] + n + draw(home, 4, MORE);
        c.dim[0] = n;
        break;
    default:
        c.dim[0] = n;
        break;
    }
    return c;
}

/* --- what is moved where --- */

/* The source of output element `at`, if a window of n elements at `begin` is copied into an output of `all`. */
static far_moved window(int64_t at, int64_t begin, int64_t n, int64_t all, int64_t from)
{
    if (at < begin)
        return (far_moved){NULL, 0, begin - at};
    if (at < begin + n)
        return (far_moved){"x", from + at - begin, begin + n - at};
    return (far_moved){NULL, 0, all - at};
}

static far_moved joined(int64_t at, int64_t a, int64_t b)
{
    return at < a ? (far_moved){"a", at, a - at} : (far_moved){"b", at - a, a + b - at};
}

far_moved conform_far_moved(const conform_case *c, int64_t at)
{
    const int64_t *const d = c->dim;
    switch (c->op) {
    case IFN_OP_CONCAT_DIM0:
        return joined(at, d[0] * d[2], d[1] * d[2]);
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        return window(at, d[2], d[0], d[1], 0);
    case IFN_OP_COPY_ROW_2D:
        return window(at, d[3] * d[2], d[2], d[0] * d[2], d[4] * d[2]);
    case IFN_OP_RESHAPE_DATA:
        return (far_moved){"x", at, d[0] * d[1] - at};
    default:
        return (far_moved){c->op == IFN_OP_COPY_IN ? "host" : "x", at, d[0] - at};
    }
}
