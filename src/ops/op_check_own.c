/*
 * Checks what irregular ops require of their arguments beyond what a signature can say: shapes taken from
 * weights, ids, phases.
 */
#include "op_check_util.h"

#include <inttypes.h>

#include <inferno/signature_values.h>
#include <inferno/spans.h>

#include "checked.h"

_Static_assert(IFN_LINEAR_MAX == 4, "one name per weight below");
static const char *const w_names[] = {"w[0]", "w[1]", "w[2]", "w[3]"};
static const char *const out_names[] = {"out[0]", "out[1]", "out[2]", "out[3]"};
static const char *const stride_names[] = {"out_stride[0]", "out_stride[1]", "out_stride[2]",
                                           "out_stride[3]"};
static const char *const bias_names[] = {"bias[0]", "bias[1]", "bias[2]", "bias[3]"};

/* The arguments that linear and linear_q8 have in common: all but x. */
typedef struct linear_view {
    int64_t rows, k, n_w;
    const ifn_tensor *const *w;
    const void *const *packed;
    float *const *out;
    const float *const *bias;
    const int64_t *out_stride;
    bool quantized_only;
} linear_view;

#define LINEAR_VIEW(a, is_q8)                                                                      \
    {                                                                                              \
        .rows = (a)->rows, .k = (a)->k, .n_w = (a)->n_w, .w = (a)->w, .packed = (a)->packed,       \
        .out = (a)->out, .bias = (a)->bias, .out_stride = (a)->out_stride,                         \
        .quantized_only = (is_q8)                                                                  \
    }

/* The region of rows of n elements of `bytes` bytes each, `stride` elements apart; expects stride >= n. */
static op_region expect_strided(op_checker *c, const char *name, const char *stride_name,
                                const void *p, int64_t rows, int64_t n, int64_t stride,
                                size_t bytes)
{
    size_t row_bytes = 0, stride_bytes = 0;
    if (stride < n)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %" PRId64 ", expected %" PRId64 " or more",
                         stride_name, stride, n);
    else if (!ifn_mul_size((size_t)n, bytes, &row_bytes) ||
             !ifn_mul_size((size_t)stride, bytes, &stride_bytes))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s: larger than any memory", name);
    return ifn_expect_rows(c, name, p, rows, row_bytes, stride_bytes);
}

static void expect_linear_dtype_and_k(op_checker *c, const linear_view *l, const char *name,
                                      const ifn_tensor *w)
{
    if (w->shape[1] != l->k)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s %s: shape [%" PRId64 ", %" PRId64 "], expected [*, %" PRId64 "]", name,
                         w->name, w->shape[0], w->shape[1], l->k);
    if (l->quantized_only && !ifn_dtype_is_quantized(w->dtype))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %s: dtype %s, expected a quantized one", name,
                         w->name, ifn_dtype_name(w->dtype));
}

/* Checks one weight with its output and its bias. Returns the number of its features. */
static int64_t check_linear_weight(op_checker *c, const linear_view *l, int64_t i, op_region *out,
                                   op_region *w, op_region *bias)
{
    *w = ifn_expect_weight(c, w_names[i], l->w[i], l->packed[i]);
    if (ifn_checker_ok(c))
        expect_linear_dtype_and_k(c, l, w_names[i], l->w[i]);
    const int64_t n = ifn_checker_ok(c) ? l->w[i]->shape[0] : 0;
    *out = expect_strided(c, out_names[i], stride_names[i], l->out[i], l->rows, n, l->out_stride[i],
                          sizeof(float));
    *bias = ifn_expect_f32(c, bias_names[i], l->bias[i], l->bias[i] ? 1 : 0, n);
    return n;
}

static void check_linear_weights(op_checker *c, const linear_view *l, const op_region *x)
{
    op_region out[IFN_LINEAR_MAX], w[IFN_LINEAR_MAX], bias[IFN_LINEAR_MAX];
    int64_t features = 0;
    for (int64_t i = 0; i < l->n_w; i++) {
        const int64_t n = check_linear_weight(c, l, i, &out[i], &w[i], &bias[i]);
        features = ifn_expect_sum(c, "features", features, n);
    }
    for (int64_t i = 0; i < l->n_w; i++) {
        ifn_expect_apart(c, &out[i], x);
        for (int64_t j = 0; j < l->n_w; j++) {
            ifn_expect_apart(c, &out[i], &w[j]);
            ifn_expect_apart(c, &out[i], &bias[j]);
            if (j < i)
                ifn_expect_apart(c, &out[i], &out[j]);
        }
    }
}

void ifn_check_linear(op_checker *c, const ifn_linear_args *a)
{
    const op_region x =
        expect_strided(c, "x", "x_stride", a->x, a->rows, a->k, a->x_stride, sizeof *a->x);
    const linear_view view = LINEAR_VIEW(a, false);
    if (ifn_checker_ok(c))
        check_linear_weights(c, &view, &x);
}

void ifn_check_linear_q8(op_checker *c, const ifn_linear_q8_args *a)
{
    const int64_t blocks = a->k / ifn_dtype_block_elements(IFN_DTYPE_Q8_32F);
    ifn_expect_row_bytes(c, "x", IFN_DTYPE_Q8_32F, "k", a->k);
    const op_region x =
        expect_strided(c, "x", "x_stride", a->x, a->rows, blocks, a->x_stride, sizeof *a->x);
    const linear_view view = LINEAR_VIEW(a, true);
    if (ifn_checker_ok(c))
        check_linear_weights(c, &view, &x);
}

void ifn_check_reshape_data(op_checker *c, const ifn_reshape_data_args *a)
{
    const int64_t n = ifn_expect_product(c, "x", a->rows, a->cols);
    const int64_t out_n = ifn_expect_product(c, "out", a->out_rows, a->out_cols);
    if (n != out_n)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "out [%" PRId64 ", %" PRId64 "], expected the elements of [%" PRId64
                         ", %" PRId64 "]",
                         a->out_rows, a->out_cols, a->rows, a->cols);
    ifn_expect_tensors(c, IFN_OP_RESHAPE_DATA, &a->call);
}

/* Checks only the ids of the part: the others belong to other calls. */
void ifn_check_gather_rows(op_checker *c, const ifn_gather_rows_args *a)
{
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    ifn_expect_tensors(c, IFN_OP_GATHER_ROWS, &a->call);
    ifn_expect_part(c, "part", (ifn_range){a->part_begin, a->part_end}, a->n);
    for (int64_t i = part.begin; !c->is_blind && ifn_checker_ok(c) && i < part.end; i++) {
        if (a->ids[i] < 0 || a->ids[i] >= a->table->shape[0])
            ifn_checker_fail(c, IFN_ERR_ARGUMENT,
                             "ids[%" PRId64 "] %" PRId32 ", %s has %" PRId64 " rows", i, a->ids[i],
                             a->table->name, a->table->shape[0]);
    }
}

/* The arguments of kv_store and attention that give the places of their rows in the cache. */
typedef struct places {
    const ifn_span *spans;
    int64_t n_spans, rows, first_pos, max_pos;
    const int32_t *pages;
    int64_t n_pages, page_rows;
    int64_t extent; /* rows of a head that the call can name: ifn_cache_extent */
} places;

#define PLACES(a)                                                                                  \
    {                                                                                              \
        .spans = (a)->spans, .n_spans = (a)->n_spans, .rows = (a)->rows,                           \
        .first_pos = (a)->first_pos, .max_pos = (a)->max_pos, .pages = (a)->pages,                 \
        .n_pages = (a)->n_pages, .page_rows = (a)->page_rows,                                      \
        .extent = ifn_cache_extent((a)->n_pages, (a)->page_rows, (a)->max_pos)                     \
    }

static ifn_range rows_of_span(const places *p, int64_t i)
{
    const int64_t begin = p->n_spans > 0 ? p->spans[i].begin : 0;
    const int64_t at = p->n_spans > 0 ? p->spans[i].first_pos : p->first_pos;
    return (ifn_range){begin + at, begin + at + (p->n_spans > 0 ? p->spans[i].rows : p->rows)};
}

/* The block table entries of the pages that a span writes or, if !is_written, of all it reaches from its
 * position 0 on. Empty if it has no rows. */
static ifn_range entries_of_span(const places *p, int64_t i, bool is_written)
{
    const ifn_range rows = rows_of_span(p, i);
    const int64_t begin = is_written ? rows.begin : p->n_spans > 0 ? p->spans[i].begin : 0;
    const int64_t first = begin / p->page_rows;
    return (ifn_range){first, rows.end > rows.begin ? (rows.end - 1) / p->page_rows + 1 : first};
}

static int64_t expect_span(op_checker *c, const places *p, int64_t i)
{
    const ifn_span *const s = &p->spans[i];
    if (!ifn_span_fits(s, p->extent))
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "spans[%" PRId64 "] {%" PRId64 ", %" PRId64 ", %" PRId64
                         "}, expected one inside [0, %" PRId64 ")",
                         i, s->begin, s->first_pos, s->rows, p->extent);
    if (ifn_checker_ok(c) && s->first_pos + s->rows > p->max_pos)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "spans[%" PRId64 "] ends at position %" PRId64
                         ", expected at most %" PRId64,
                         i, s->first_pos + s->rows, p->max_pos);
    if (ifn_checker_ok(c) && p->page_rows > 0 && s->begin % p->page_rows != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "spans[%" PRId64 "] begins at %" PRId64
                         ", expected a multiple of %" PRId64,
                         i, s->begin, p->page_rows);
    return ifn_checker_ok(c) ? s->rows : 0;
}

static void expect_spans(op_checker *c, const places *p)
{
    int64_t rows = 0;
    if (p->n_spans == 0)
        return;
    if (!p->spans)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "spans is NULL, expected %" PRId64, p->n_spans);
    if (p->first_pos != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "first_pos %" PRId64 ", expected 0 beside spans",
                         p->first_pos);
    for (int64_t i = 0; ifn_checker_ok(c) && i < p->n_spans; i++)
        rows = ifn_expect_sum(c, "spans", rows, expect_span(c, p, i));
    if (rows != p->rows)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "rows %" PRId64 ", expected those of the spans, %" PRId64, p->rows, rows);
}

/* Expects that no two spans write the same row of the cache; spans without rows write none. */
static void expect_spans_apart(op_checker *c, const places *p)
{
    for (int64_t i = 1; i < p->n_spans; i++) {
        const int64_t begin = p->spans[i].begin + p->spans[i].first_pos;
        for (int64_t k = 0; ifn_checker_ok(c) && k < i; k++) {
            const int64_t other = p->spans[k].begin + p->spans[k].first_pos;
            const bool has_rows = p->spans[i].rows > 0 && p->spans[k].rows > 0;
            if (has_rows && begin < other + p->spans[k].rows && other < begin + p->spans[i].rows)
                ifn_checker_fail(c, IFN_ERR_SHAPE, "spans[%" PRId64 "] overlaps spans[%" PRId64 "]",
                                 i, k);
        }
    }
}

/* Expects a block table with a page size that exists, or no table. */
static void expect_table(op_checker *c, const places *p)
{
    if (p->page_rows == 0 && p->n_pages != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "n_pages %" PRId64 ", expected 0 beside page_rows 0",
                         p->n_pages);
    else if (p->page_rows != 0 && !ifn_is_page_size(p->page_rows))
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "page_rows %" PRId64 ", expected a power of two, %d to %d", p->page_rows,
                         IFN_PAGE_ROWS_LEAST, IFN_PAGE_ROWS_MOST);
    else if (p->n_pages > 0 && !p->pages)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "pages is NULL, expected %" PRId64, p->n_pages);
}

/* Expects all entries that a span reaches to be pages of the cache. */
static void expect_pages_of_span(op_checker *c, const places *p, int64_t i)
{
    const ifn_range entries = entries_of_span(p, i, false);
    if (entries.end > p->n_pages)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "n_pages %" PRId64 ", expected %" PRId64 " or more",
                         p->n_pages, entries.end);
    for (int64_t e = entries.begin; ifn_checker_ok(c) && e < entries.end; e++)
        if (p->pages[e] < 0 || p->pages[e] >= p->max_pos / p->page_rows)
            ifn_checker_fail(c, IFN_ERR_SHAPE,
                             "pages[%" PRId64 "] %" PRId32 ", expected one of [0, %" PRId64 ")", e,
                             p->pages[e], p->max_pos / p->page_rows);
}

static int64_t n_places(const places *p)
{
    return p->n_spans > 0 ? p->n_spans : 1;
}

static void expect_pages(op_checker *c, const places *p)
{
    for (int64_t i = 0; ifn_checker_ok(c) && p->page_rows > 0 && i < n_places(p); i++)
        expect_pages_of_span(c, p, i);
}

/* Expects that neither span i nor an earlier one writes the page of entry e through another entry, too. */
static void expect_page_once(op_checker *c, const places *p, int64_t i, int64_t e)
{
    for (int64_t k = 0; k <= i; k++) {
        const ifn_range other = entries_of_span(p, k, true);
        for (int64_t o = other.begin; ifn_checker_ok(c) && o < other.end; o++)
            if (o != e && p->pages[o] == p->pages[e])
                ifn_checker_fail(c, IFN_ERR_SHAPE,
                                 "pages[%" PRId64 "] and pages[%" PRId64 "] are both page %" PRId32
                                 ", and are written",
                                 o < e ? o : e, o < e ? e : o, p->pages[e]);
    }
}

static void expect_written_pages_once(op_checker *c, const places *p)
{
    for (int64_t i = 0; ifn_checker_ok(c) && p->page_rows > 0 && i < n_places(p); i++) {
        const ifn_range entries = entries_of_span(p, i, true);
        for (int64_t e = entries.begin; ifn_checker_ok(c) && e < entries.end; e++)
            expect_page_once(c, p, i, e);
    }
}

void ifn_check_kv_store(op_checker *c, const ifn_kv_store_args *a)
{
    const places p = PLACES(a);
    expect_table(c, &p);
    expect_spans(c, &p);
    if (ifn_checker_ok(c))
        expect_spans_apart(c, &p);
    expect_pages(c, &p);
    expect_written_pages_once(c, &p);
    ifn_expect_tensors(c, IFN_OP_KV_STORE, &a->call);
}

static void expect_attention_spans(op_checker *c, const ifn_attention_args *a)
{
    const places p = PLACES(a);
    expect_table(c, &p);
    if (a->n_spans == 0)
        ifn_expect_window(c, "first_pos", a->first_pos, a->rows, a->max_pos);
    expect_spans(c, &p);
    if (a->n_spans > 1 && a->phase != IFN_ATTENTION_WHOLE)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "n_spans %" PRId64 ", expected 0 or 1 in phase %d",
                         a->n_spans, (int)a->phase);
    expect_pages(c, &p);
}

static void expect_attention_shape(op_checker *c, const ifn_attention_args *a)
{
    expect_attention_spans(c, a);
    if (a->n_kv_heads == 0 ? a->n_heads != 0 : a->n_heads % a->n_kv_heads != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "n_heads %" PRId64 ", expected a multiple of n_kv_heads %" PRId64,
                         a->n_heads, a->n_kv_heads);
    ifn_expect_row_bytes(c, "cache_dtype", a->cache_dtype, "head_dim", a->head_dim);
}

/* The region of partials, [rows, n_heads, blocks, 2 + head_dim]. 2 + head_dim cannot overflow, as a cache row
 * has been checked to have head_dim elements. */
static op_region expect_partials(op_checker *c, const ifn_attention_args *a)
{
    if (!ifn_checker_ok(c) || a->phase == IFN_ATTENTION_WHOLE)
        return (op_region){.name = "partials"};
    const int64_t blocks = ifn_attention_n_blocks(a);
    const int64_t q_rows = ifn_expect_product(c, "partials", a->rows, a->n_heads);
    return ifn_expect_f32(c, "partials", a->partials,
                          ifn_expect_product(c, "partials", q_rows, blocks), 2 + a->head_dim);
}

static op_region expect_needed(op_checker *c, const ifn_attention_args *a, const char *name,
                               bool is_needed)
{
    if (!is_needed)
        return (op_region){.name = name};
    return ifn_expect_tensor(c, IFN_OP_ATTENTION, ifn_op_arg_find(IFN_OP_ATTENTION, name),
                             &a->call);
}

/* Expects the buffers that the phase reads or writes; the others may be NULL. */
void ifn_check_attention(op_checker *c, const ifn_attention_args *a)
{
    const bool reads_cache = a->phase != IFN_ATTENTION_MERGE;
    expect_attention_shape(c, a);
    const op_region inputs[] = {
        expect_needed(c, a, "q", reads_cache),
        expect_needed(c, a, "k_cache", reads_cache),
        expect_needed(c, a, "v_cache", reads_cache),
    };
    const op_region out = expect_needed(c, a, "out", a->phase != IFN_ATTENTION_PARTIALS);
    const op_region partials = expect_partials(c, a);
    ifn_expect_apart(c, &out, &partials);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        ifn_expect_apart(c, &out, &inputs[i]);
        ifn_expect_apart(c, &partials, &inputs[i]);
    }
}
