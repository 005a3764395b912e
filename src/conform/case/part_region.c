#include "part_region.h"

#include <stdbool.h>
#include <string.h>

#include <inferno/spans.h>

static conform_region whole_of(const conform_tensor *t)
{
    return (conform_region){.stride = conform_stride_bytes(t),
                            .unit = 1,
                            .n_units = t->rows,
                            .unit_end = t->rows,
                            .byte_end = conform_row_bytes(t)};
}

static void cut_rows(conform_region *r, int64_t begin, int64_t end)
{
    r->unit_begin = begin;
    r->unit_end = end;
}

static size_t clamp(int64_t at, size_t most)
{
    return at < 0 ? 0 : (size_t)at < most ? (size_t)at : most;
}

/* Cuts f32 columns. Columns are counted over several tensors; this tensor has those from `first` on. */
static void cut_cols(conform_region *r, int64_t first, int64_t begin, int64_t end)
{
    const int64_t bytes = (int64_t)sizeof(float);
    const size_t most = r->byte_end;
    r->byte_begin = clamp((begin - first) * bytes, most);
    r->byte_end = clamp((end - first) * bytes, most);
}

/* Cuts elements of the output in order, regardless of rows; copy_contiguous_into counts those of its source. */
static void cut_elements(conform_region *r, const conform_tensor *t, ifn_op op,
                         const ifn_args *args, int64_t begin, int64_t end)
{
    const int64_t first =
        op == IFN_OP_COPY_CONTIGUOUS_INTO ? -args->copy_contiguous_into.out_offset : 0;
    *r = (conform_region){.stride = t->bytes ? t->bytes : 1,
                          .unit = 1,
                          .n_units = 1,
                          .unit_end = 1,
                          .byte_end = t->bytes};
    cut_cols(r, first, begin, end);
}

/* Cuts heads. They repeat in every row of activations; in a cache each head has all its positions one after another. */
static void cut_heads(conform_region *r, ifn_op op, const ifn_args *args, int64_t begin,
                      int64_t end)
{
    if (op == IFN_OP_KV_STORE) {
        r->unit = args->kv_store.max_pos;
        r->n_units = args->kv_store.n_kv_heads;
    } else if (op == IFN_OP_ATTENTION) {
        r->n_units = args->attention.n_heads;
    }
    cut_rows(r, begin, end);
}

/* The index of the first feature of an output of a linear; features are counted over all outputs. */
static int64_t first_feature(const conform_layout *layout, int i)
{
    int64_t first = 0;
    for (int k = 0; k < i; k++)
        if (layout->t[k].role == ROLE_OUT)
            first += layout->t[k].cols;
    return first;
}

/* Cuts partials. The blocks of a head lie together, so a part with some of the blocks has a single head. */
static void cut_partials(conform_region *r, const ifn_attention_args *a, const conform_part *part)
{
    const int64_t blocks = ifn_attention_n_blocks(a), first = part->begin[0] * blocks;
    r->n_units = a->n_heads * blocks;
    if (part->end[1])
        cut_rows(r, first + part->begin[1], first + part->end[1]);
    else
        cut_rows(r, first, part->end[0] * blocks);
}

static void cut_along(conform_region *r, ifn_op op, const ifn_args *args,
                      const conform_layout *layout, int i, ifn_cut cut, int64_t begin, int64_t end)
{
    switch (cut) {
    case IFN_CUT_ELEMENTS:
        cut_elements(r, &layout->t[i], op, args, begin, end);
        break;
    case IFN_CUT_ROWS:
        cut_rows(r, begin, end);
        break;
    case IFN_CUT_COLS:
        cut_cols(r, 0, begin, end);
        break;
    case IFN_CUT_FEATURES:
        cut_cols(r, first_feature(layout, i), begin, end);
        break;
    case IFN_CUT_HEADS:
        cut_heads(r, op, args, begin, end);
        break;
    default: /* a cut along key blocks concerns only the partials */
        break;
    }
}

conform_region conform_part_region(ifn_op op, const ifn_args *args, const conform_layout *layout,
                                   int i, const conform_part *part)
{
    conform_region r = whole_of(&layout->t[i]);
    if (layout->t[i].role == ROLE_BETWEEN) {
        cut_partials(&r, &args->attention, part);
        return r;
    }
    for (int axis = 0; axis < 2; axis++)
        if (part->end[axis])
            cut_along(&r, op, args, layout, i, ifn_op_cut(op, axis), part->begin[axis],
                      part->end[axis]);
    return r;
}

void conform_region_row(const conform_region *region, int64_t row, size_t *begin, size_t *end)
{
    const int64_t unit = row / region->unit % region->n_units;
    const bool is_in = unit >= region->unit_begin && unit < region->unit_end;
    *begin = region->byte_begin;
    *end = is_in && region->byte_end > *begin ? region->byte_end : *begin;
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t conform_region_at(const conform_region *region, size_t bytes, size_t at, size_t *begin,
                         size_t *end)
{
    const size_t next = lesser(at + region->stride, bytes);
    conform_region_row(region, (int64_t)(at / region->stride), begin, end);
    *begin = lesser(at + *begin, next);
    *end = lesser(at + *end, next);
    return next;
}
