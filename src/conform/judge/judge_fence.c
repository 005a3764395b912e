/*
 * Fences: memory next to a part is read-only during the call. A kernel that stores a vector over the neighbours of its
 * part and then puts them back leaves no trace when the call returns, but another thread, which runs another part,
 * would lose what it wrote meanwhile.
 */
#include <string.h>
#include <sys/mman.h>

#include "gen.h"
#include "judge_run.h"
#include "part_region.h"
#include "zero_map.h"

typedef struct fence_range {
    size_t begin, end; /* bytes of the tensor, from the first to the last that the part may write */
} fence_range;

/* The bytes at both ends of a row of `out` that no part writes: columns outside a window, positions that are not
 * stored. */
typedef struct fence_gap {
    size_t before, after;
} fence_gap;

static fence_gap gap_of(const judge_run *r)
{
    if (r->slot->c.op == IFN_OP_COPY_2D_INTO_COLS) {
        const ifn_copy_2d_into_cols_args *const a = &r->call.args.copy_2d_into_cols;
        return (fence_gap){(size_t)a->col_begin * sizeof(float),
                           (size_t)(a->out_cols - a->col_begin - a->cols) * sizeof(float)};
    }
    if (r->slot->c.op == IFN_OP_KV_STORE) {
        const ifn_kv_store_args *const a = &r->call.args.kv_store;
        const size_t row = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
        return (fence_gap){(size_t)a->first_pos * row,
                           (size_t)(a->max_pos - a->first_pos - a->rows) * row};
    }
    return (fence_gap){0, 0};
}

static fence_range range_of(const judge_run *r, int i, const conform_part *part)
{
    const conform_tensor *const t = &r->slot->layout.t[i];
    const conform_region region =
        conform_part_region(r->slot->c.op, &r->call.args, &r->slot->layout, i, part);
    const fence_gap gap = gap_of(r);
    fence_range range = {t->bytes, 0};
    size_t begin, end;
    for (size_t at = 0; at < t->bytes;) {
        at = conform_region_at(&region, t->bytes, at, &begin, &end);
        if (begin == end)
            continue;
        range.begin = begin < range.begin ? begin : range.begin;
        range.end = end;
    }
    range.begin += gap.before;
    range.end -= range.end > gap.after ? gap.after : 0;
    return range;
}

static size_t round_up(size_t bytes, size_t page)
{
    return (bytes + page - 1) / page * page;
}

unsigned char *judge_fence_place(guard_region *region, size_t bytes, size_t border)
{
    const size_t page = page_bytes();
    if (!guard_region_open(region, bytes + 2 * page))
        return NULL;
    return region->body + round_up(border, page) - border;
}

/* Places tensor i so that a page begins where its part ends or begins. */
static void place_tensor(judge_run *r, judge_fence *f, int i, const conform_part *part)
{
    const size_t bytes = r->slot->layout.t[i].bytes;
    const fence_range range = range_of(r, i, part);
    const size_t border = f->is_after ? range.end : range.begin;
    guard_region *const region = &f->regions[i];
    if (range.begin >= range.end)
        return;
    unsigned char *const data = judge_fence_place(region, bytes, border);
    if (!data)
        return;
    r->data[i] = data;
    f->from[i] = f->is_after ? data + border : region->body;
    f->to[i] = f->is_after ? region->body + region->body_bytes : data + border;
    judge_tell_far(r, i, data, bytes, region);
}

void judge_set_part(judge_run *r, const conform_part *part)
{
    for (int axis = 0; axis < 2; axis++)
        if (part->end[axis])
            ifn_op_set_part(r->slot->c.op, &r->call.args.call, axis, part->begin[axis],
                            part->end[axis]);
}

bool judge_fence_is_due(const judge_run *r, uint64_t turn)
{
    return conform_hash(r->slot->c.seed, "fence", 0) % turn == 0 && !r->judge->image.device &&
           guard_protects();
}

void judge_fence_raise(judge_run *r, judge_fence *f, const conform_part *part)
{
    *f = (judge_fence){.is_after = !(conform_hash(r->slot->c.seed, "fence", 1) & 1)};
    judge_start(r);
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->slot->is_written[i] && r->data[i])
            place_tensor(r, f, i, part);
    judge_prefill(r, 0);
    judge_bind(r);
    for (int i = 0; i < r->slot->layout.n; i++)
        if (f->from[i] < f->to[i])
            mprotect(f->from[i], (size_t)(f->to[i] - f->from[i]), PROT_READ);
}

void judge_fence_lower(judge_run *r, judge_fence *f)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        guard_region_close(&f->regions[i]);
    judge_point(r, r->home, 0);
}
