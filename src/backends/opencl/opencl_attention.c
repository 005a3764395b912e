/* The ops on the KV cache: kv_store and attention, one sequence per launch. */
#include <inferno/spans.h>

#include "opencl_launch.h"

/* Passes the entries of the block table that the rows of a call reach. */
static void give_pages(ifn_opencl_launch *l, const int32_t *pages, int64_t page_rows, int64_t rows)
{
    const int64_t n = page_rows > 0 ? rows / page_rows + (rows % page_rows != 0) : 0;
    ifn_opencl_list(l, pages, (size_t)n * sizeof *pages, "pages");
    ifn_opencl_long(l, page_rows);
}

static ifn_status store(ifn_opencl *self, const ifn_kv_store_args *a, const void *cache,
                        const float *x)
{
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_kv_heads);
    const int64_t pieces = a->head_dim / 32 + (a->head_dim % 32 != 0);
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_kv_store, a->cache_dtype, 0);
    ifn_opencl_buffer(&l, cache);
    ifn_opencl_buffer(&l, x);
    give_pages(&l, a->pages, a->page_rows, a->first_pos + a->rows);
    ifn_opencl_long(&l, heads.begin);
    ifn_opencl_long(&l, heads.end);
    ifn_opencl_long(&l, a->rows);
    ifn_opencl_long(&l, a->first_pos);
    ifn_opencl_long(&l, a->max_pos);
    ifn_opencl_long(&l, a->n_kv_heads);
    ifn_opencl_long(&l, a->head_dim);
    ifn_opencl_long(&l, ifn_cache_row_bytes(a->cache_dtype, a->head_dim));
    return ifn_opencl_run_items(&l, (heads.end - heads.begin) * a->rows * pieces);
}

static ifn_status kv_store(ifn_opencl *self, const ifn_kv_store_args *a)
{
    IFN_TRY(store(self, a, a->k_cache, a->k));
    return store(self, a, a->v_cache, a->v);
}

ifn_status ifn_opencl_kv_store(ifn_opencl *self, const ifn_kv_store_args *a)
{
    if (a->n_spans == 0)
        return kv_store(self, a);
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_kv_store_args one = ifn_kv_store_of_span(a, i, row);
        IFN_TRY(kv_store(self, &one));
    }
    return IFN_OK;
}

/* The dimensions of groups: query heads, rows, and for PARTIALS blocks of keys. */
static ifn_status attend(ifn_opencl *self, const ifn_attention_args *a)
{
    const int64_t n_blocks = ifn_attention_n_blocks(a);
    const bool is_partials = a->phase == IFN_ATTENTION_PARTIALS;
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_heads);
    const ifn_range blocks = ifn_part(a->part2_begin, a->part2_end, n_blocks);
    if (a->head_dim == 0 && !is_partials)
        return IFN_OK;
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_attention, a->cache_dtype, 0);
    ifn_opencl_buffer(&l, is_partials ? NULL : a->out);
    ifn_opencl_buffer(&l, a->q);
    ifn_opencl_buffer(&l, a->k_cache);
    ifn_opencl_buffer(&l, a->v_cache);
    ifn_opencl_buffer(&l, a->phase == IFN_ATTENTION_WHOLE ? NULL : a->partials);
    give_pages(&l, a->pages, a->page_rows, a->first_pos + a->rows);
    ifn_opencl_long(&l, heads.begin);
    ifn_opencl_long(&l, blocks.begin);
    ifn_opencl_long(&l, n_blocks);
    ifn_opencl_long(&l, a->first_pos);
    ifn_opencl_long(&l, a->max_pos);
    ifn_opencl_long(&l, a->n_heads);
    ifn_opencl_long(&l, a->n_kv_heads);
    ifn_opencl_long(&l, a->head_dim);
    ifn_opencl_float(&l, a->scale);
    ifn_opencl_int(&l, a->phase);
    ifn_opencl_long(&l, ifn_cache_row_bytes(a->cache_dtype, a->head_dim));
    return ifn_opencl_run_groups(&l, heads.end - heads.begin, a->rows,
                                 is_partials ? blocks.end - blocks.begin : 1);
}

ifn_status ifn_opencl_attention(ifn_opencl *self, const ifn_attention_args *a)
{
    if (a->n_spans == 0)
        return attend(self, a);
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_attention_args one = ifn_attention_of_span(a, i, row);
        IFN_TRY(attend(self, &one));
    }
    return IFN_OK;
}
