/*
 * A sequence alone and among others (R10): the rows of a case are one or two spans of a call that has spans of other
 * sequences before, between and after them. All share one cache, which may be in pages.
 */
#include <string.h>
#include <sys/mman.h>

#include <inferno/spans.h>

#include "company_draw.h"
#include "declared.h"
#include "gen.h"
#include "invoke.h"
#include "zero_map.h"

/* The own row whose numbers row `at` of the call has, if that is another sequence's. */
static int64_t shared_row(int64_t at, int64_t n_own)
{
    return (at * 7 + 3) % n_own;
}

/* Copies rows of `width` floats in the order of the call: own rows from `own`, and for others some of the same rows.
 * With `back` only own rows are copied, to `own`. */
static void arrange(const company *c, float *own, int64_t n_own, int64_t width, float *all,
                    bool back)
{
    const size_t bytes = (size_t)width * sizeof *own;
    int64_t next = 0, at = 0;
    for (int i = 0; i < c->n; i++)
        for (int64_t k = 0; k < c->spans[i].rows; k++, at++) {
            const int64_t from = c->is_own[i] ? next++ : shared_row(at, n_own);
            if (back && c->is_own[i])
                memcpy(own + from * width, all + at * width, bytes);
            else if (!back)
                memcpy(all + at * width, own + from * width, bytes);
        }
}

static float *arranged(judge_run *r, const company *c, const float *own, int64_t n_own,
                       int64_t width)
{
    float *all = conform_pool_take(&r->judge->pool, (size_t)(c->rows * width), sizeof *all);
    arrange(c, (float *)(uintptr_t)own, n_own, width, all, false);
    return all;
}

/* Gives the larger call the scratch that it may ask for; its content is arbitrary. */
static void give_scratch(judge_run *r, const company *c)
{
    ifn_limits limits = conform_call_limits(r->slot->c.op, &r->call, &r->slot->layout);
    limits.rows += c->rows;
    limits.max_pos += COMPANY_POS + COMPANY_ROWS;
    const size_t bytes = ifn_backend_scratch_bytes(r->judge->backend, &limits);
    ifn_call *call = &r->call.args.call;
    if (bytes <= call->scratch_bytes)
        return;
    call->scratch = judge_take_scratch(r, bytes);
    call->scratch_bytes = bytes;
}

/* Pointers to the arguments that describe a cache and a list of spans, which both ops have. */
typedef struct company_args {
    int64_t *rows, *first_pos, *max_pos, *n_spans, *n_pages, *page_rows;
    const ifn_span **spans;
    const int32_t **pages;
} company_args;

#define ARGS_OF(a)                                                                                 \
    ((company_args){&(a)->rows, &(a)->first_pos, &(a)->max_pos, &(a)->n_spans, &(a)->n_pages,      \
                    &(a)->page_rows, &(a)->spans, &(a)->pages})

static void put_company(const company_args *a, const company *c)
{
    *a->rows = c->rows;
    *a->first_pos = 0;
    *a->max_pos = c->max_pos;
    *a->spans = c->spans;
    *a->n_spans = c->n;
    *a->pages = c->pages;
    *a->n_pages = c->n_pages;
    *a->page_rows = c->page_rows;
}

static bool may_page(const judge_run *r)
{
    return conform_takes_pages(r->judge->backend, r->slot->c.op);
}

/* Judges attention by its results without company and without pages: in pages it gives the same bits only if R5 is
 * declared, too. */
static void relate(judge_run *r, const company *c)
{
    if (c->page_rows > 0 && !conform_is_invariant(r->judge->backend, IFN_OP_ATTENTION, 5))
        judge_resemble(r, RUN_COMPANY);
    else
        judge_relate(r, RUN_COMPANY);
}

/* A range of memory that a call writes. */
typedef struct company_written {
    void *data;
    size_t bytes;
} company_written;

static void call_wrong(judge_run *r, const company *c, const company_args *a,
                       const company_wrong *w)
{
    const int32_t page = w->entry ? *w->entry : 0;
    if (w->entry)
        *w->entry = w->page;
    *a->spans = w->spans;
    judge_must_be_refused(r, RUN_COMPANY, w->what);
    *a->spans = c->spans;
    if (w->entry)
        *w->entry = page;
}

static void refuse_one(judge_run *r, const company *c, const company_args *a,
                       const company_wrong *w, const company_written written[2])
{
    unsigned char *before[2] = {NULL, NULL};
    for (int i = 0; i < 2 && written[i].data; i++)
        before[i] = memcpy(conform_pool_take(&r->judge->pool, written[i].bytes, 1), written[i].data,
                           written[i].bytes);
    call_wrong(r, c, a, w);
    for (int i = 0; i < 2 && written[i].data; i++)
        if (memcmp(before[i], written[i].data, written[i].bytes) != 0)
            conform_verdict_fail(r->verdict, CHECK_WROTE,
                                 "%s: %s: refused, and has written what the spans before it have",
                                 conform_run_name(RUN_COMPANY), w->what);
}

/* Expects a wrong list to be refused before any of its spans is written. */
static void refuse_misfits(judge_run *r, const company *c, const company_args *a,
                           const company_written written[2])
{
    for (int i = 0; i < COMPANY_WRONGS; i++) {
        const company_wrong w = company_wrong_list(c, i);
        if (w.what && !judge_failed(r))
            refuse_one(r, c, a, &w, written);
    }
}

/* Allocates a cache of rows of `row` bytes, with room for a page or a row before and after, where a backend reads and
 * writes that does not refuse a wrong list. */
static unsigned char *take_cache(judge_run *r, const company *c, int64_t n_heads, size_t row)
{
    const size_t room = ((size_t)c->page_rows * row + 63) / 64 * 64;
    const size_t bytes = (size_t)(n_heads * c->max_pos + 1) * row;
    unsigned char *const memory = conform_pool_take(&r->judge->pool, bytes + 2 * room, 1);
    memset(memory, 0xff, bytes + 2 * room);
    return memory + room;
}

/* Bytes [begin, end) of a cache that no span has. border: the end of them where a span begins or ends. */
typedef struct company_gap {
    size_t begin, end, border;
} company_gap;

static bool is_border(const company *c, int64_t row)
{
    return company_has(c, row - 1) != company_has(c, row);
}

/* Draws a gap next to the rows of a span, in one head. Empty if every row is a span's. */
static company_gap gap_beside_a_span(const judge_run *r, const company *c, int64_t n_heads,
                                     size_t row_bytes)
{
    const uint64_t seed = r->slot->c.seed;
    int64_t n_borders = 0, border = 0;
    for (int64_t i = 1; i < c->max_pos; i++)
        n_borders += is_border(c, i);
    if (n_borders == 0)
        return (company_gap){0, 0, 0};
    int64_t left = (int64_t)(conform_hash(seed, "fence", 4) % (uint64_t)n_borders);
    while (left >= 0)
        left -= is_border(c, ++border);
    int64_t begin = border, end = border;
    while (begin > 0 && !company_has(c, begin - 1))
        begin--;
    while (end < c->max_pos && !company_has(c, end))
        end++;
    const int64_t head = (int64_t)(conform_hash(seed, "fence", 5) % (uint64_t)n_heads) * c->max_pos;
    return (company_gap){(size_t)(head + begin) * row_bytes, (size_t)(head + end) * row_bytes,
                         (size_t)(head + border) * row_bytes};
}

/* Copies a cache and makes the whole pages inside the gap read-only. */
static void *take_fenced(const company_written *cache, const company_gap *gap, guard_region *region)
{
    const uintptr_t page = page_bytes();
    unsigned char *const data = judge_fence_place(region, cache->bytes, gap->border);
    if (!data)
        return NULL;
    const uintptr_t at = (uintptr_t)memcpy(data, cache->data, cache->bytes);
    const uintptr_t begin = (at + gap->begin + page - 1) / page * page;
    const uintptr_t end = (at + gap->end) / page * page;
    if (begin < end)
        (void)mprotect(data + (begin - at), end - begin, PROT_READ);
    return data;
}

/* --- attention --- */

/* The most floats of partials that a refused call is given. */
enum { MOST_PARTIALS = 1 << 22 };

/* Builds the shared cache: own positions up to the last visible one, for others some of the same rows, NaN
 * elsewhere. */
static unsigned char *shared_cache(judge_run *r, const company *c, const ifn_attention_args *a,
                                   const void *own)
{
    const size_t row = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t visible = a->first_pos + a->rows;
    unsigned char *const all = take_cache(r, c, a->n_kv_heads, row);
    for (int64_t h = 0; h < a->n_kv_heads; h++) {
        const unsigned char *const from =
            (const unsigned char *)own + (size_t)(h * a->max_pos) * row;
        unsigned char *const to = all + (size_t)(h * c->max_pos) * row;
        for (int i = 0; i < c->n; i++) {
            const ifn_span *const s = &c->spans[i];
            for (int64_t pos = 0; pos < s->first_pos + s->rows; pos++) {
                const int64_t at = c->is_own[i] ? pos : (pos * 7 + i) % visible;
                memcpy(to + (size_t)company_row(c, s->begin + pos) * row, from + (size_t)at * row,
                       row);
            }
        }
    }
    return all;
}

/* Expects PARTIALS and MERGE of several spans to be refused: partials have no place for a second span. */
static void refuse_phases(judge_run *r, const company *c, const company_args *args,
                          const company_written written[2])
{
    static const char *const names[] = {"WHOLE", "PARTIALS with several spans",
                                        "MERGE with several spans"};
    ifn_attention_args *const a = &r->call.args.attention;
    const int64_t n = c->rows * a->n_heads * ifn_attention_n_blocks(a) * (2 + a->head_dim);
    if (c->n < 2 || n > MOST_PARTIALS)
        return;
    const ifn_attention_args whole = *a;
    a->partials = conform_pool_take(&r->judge->pool, (size_t)n, sizeof *a->partials);
    for (a->phase = IFN_ATTENTION_PARTIALS; a->phase <= IFN_ATTENTION_MERGE; a->phase++) {
        company_wrong w = {.what = names[a->phase]};
        memcpy(w.spans, c->spans, sizeof w.spans);
        if (!judge_failed(r))
            refuse_one(r, c, args, &w, written);
    }
    *a = whole;
}

static void attend_in_company(judge_run *r)
{
    const ifn_attention_args home = r->call.args.attention;
    if (home.rows < 1 || home.n_heads < 1 || home.head_dim < 1 || home.phase != IFN_ATTENTION_WHOLE)
        return;
    const company c =
        company_draw(r, home.first_pos, home.rows, home.first_pos + home.rows, may_page(r));
    const int64_t width = home.n_heads * home.head_dim;
    ifn_attention_args *a = &r->call.args.attention;
    const company_args args = ARGS_OF(a);
    a->k_cache = shared_cache(r, &c, &home, home.k_cache);
    a->v_cache = shared_cache(r, &c, &home, home.v_cache);
    a->q = arranged(r, &c, home.q, home.rows, width);
    float *const out = arranged(r, &c, home.out, home.rows, width);
    give_scratch(r, &c);
    a->out = out;
    put_company(&args, &c);
    const company_written written[2] = {{out, (size_t)(c.rows * width) * sizeof *out}, {NULL, 0}};
    refuse_misfits(r, &c, &args, written);
    refuse_phases(r, &c, &args, written);
    judge_must_run(r, RUN_COMPANY);
    arrange(&c, home.out, home.rows, width, out, true);
    relate(r, &c);
}

/* --- kv_store --- */

/* Fills the shared cache with any bytes, and the own window with the case's cache. With `back` copies that window back,
 * and checks that rows of no span are unchanged. */
static void share_cache(judge_run *r, const company *c, const ifn_kv_store_args *home, void *own,
                        unsigned char *all, bool back)
{
    const size_t row = ifn_dtype_row_bytes(home->cache_dtype, home->head_dim);
    const conform_stream s = conform_stream_of(r->slot->c.seed, "company cache");
    for (int64_t i = 0; i < home->n_kv_heads * c->max_pos; i++) {
        const int64_t at = i % c->max_pos, pos = c->named[at] - c->begin;
        unsigned char *const here = all + (size_t)i * row;
        const unsigned char byte = (unsigned char)conform_bits(s, (uint64_t)i);
        unsigned char *const there =
            (unsigned char *)own + (size_t)(i / c->max_pos * home->max_pos + pos) * row;
        if (pos >= 0 && pos < home->max_pos)
            memcpy(back ? there : here, back ? here : there, row);
        else if (!back)
            memset(here, byte, row);
        else if (!company_has(c, at) && row > 0 &&
                 (*here != byte || memcmp(here, here + 1, row - 1) != 0))
            conform_verdict_fail(r->verdict, CHECK_COMPANY,
                                 "R10: %s: row %lld of the cache was written, which no span has",
                                 conform_run_name(RUN_COMPANY), (long long)i);
    }
}

/* True if all bits are equal, except that all NaNs are alike. */
static bool are_alike(ifn_dtype dtype, const unsigned char *a, const unsigned char *b, size_t bytes)
{
    const size_t element = dtype == IFN_DTYPE_F32 ? 4 : dtype == IFN_DTYPE_F16 ? 2 : bytes;
    for (size_t i = 0; memcmp(a, b, bytes) != 0 && i < bytes; i += element)
        if (memcmp(a + i, b + i, element) != 0 &&
            !(judge_is_nan(dtype, a + i) && judge_is_nan(dtype, b + i)))
            return false;
    return true;
}

/* Expects the rows that others have stored to equal those stored for the same numbers in the own window. */
static void expect_others(judge_run *r, const company *c, const ifn_kv_store_args *home,
                          const unsigned char *own, const unsigned char *all)
{
    const size_t row = ifn_dtype_row_bytes(home->cache_dtype, home->head_dim);
    int64_t at = 0;
    for (int i = 0; i < c->n; i++)
        for (int64_t k = 0; k < c->spans[i].rows; k++, at++) {
            const int64_t from = home->first_pos + shared_row(at, home->rows);
            const int64_t to = company_row(c, c->spans[i].begin + c->spans[i].first_pos + k);
            for (int64_t h = 0; !c->is_own[i] && h < home->n_kv_heads; h++)
                if (!are_alike(home->cache_dtype, all + (size_t)(h * c->max_pos + to) * row,
                               own + (size_t)(h * home->max_pos + from) * row, row))
                    conform_verdict_fail(
                        r->verdict, CHECK_COMPANY,
                        "R10: %s: of span %d row %lld, KV head %lld, is not stored "
                        "as the same numbers are in another",
                        conform_run_name(RUN_COMPANY), i, (long long)k, (long long)h);
        }
}

/* Makes the call on caches in which rows next to a span's are read-only during the call, as they may be another
 * thread's. What it stores is checked in the run without a fence. */
static void run_fenced(judge_run *r, const company *c, size_t row_bytes,
                       const company_written written[2])
{
    ifn_kv_store_args *const a = &r->call.args.kv_store;
    const ifn_args home = r->call.args;
    if (!judge_fence_is_due(r, 1))
        return;
    const company_gap gap = gap_beside_a_span(r, c, a->n_kv_heads, row_bytes);
    guard_region regions[2] = {{.map = NULL}, {.map = NULL}};
    void **const caches[2] = {&a->k_cache, &a->v_cache};
    static const char *const names[2] = {"k_cache", "v_cache"};
    bool has_room = true;
    for (int i = 0; i < 2; i++) {
        *caches[i] = take_fenced(&written[i], &gap, &regions[i]);
        has_room = has_room && *caches[i];
        judge_tell_far(r, conform_tensor_index(&r->slot->layout, names[i]), *caches[i],
                       written[i].bytes, &regions[i]);
    }
    if (has_room)
        judge_must_run(r, RUN_COMPANY);
    for (int i = 0; i < 2; i++)
        guard_region_close(&regions[i]);
    judge_tell_tensors(r);
    r->call.args = home;
}

static void store_in_company(judge_run *r)
{
    const ifn_kv_store_args home = r->call.args.kv_store;
    if (home.rows < 1 || home.n_kv_heads < 1 || home.head_dim < 1)
        return;
    const company c = company_draw(r, home.first_pos, home.rows, home.max_pos, may_page(r));
    const int64_t width = home.n_kv_heads * home.head_dim;
    const size_t row = ifn_dtype_row_bytes(home.cache_dtype, home.head_dim);
    const size_t bytes = (size_t)(home.n_kv_heads * c.max_pos) * row;
    ifn_kv_store_args *a = &r->call.args.kv_store;
    const company_args args = ARGS_OF(a);
    a->k_cache = take_cache(r, &c, home.n_kv_heads, row);
    a->v_cache = take_cache(r, &c, home.n_kv_heads, row);
    share_cache(r, &c, &home, home.k_cache, a->k_cache, false);
    share_cache(r, &c, &home, home.v_cache, a->v_cache, false);
    a->k = arranged(r, &c, home.k, home.rows, width);
    a->v = arranged(r, &c, home.v, home.rows, width);
    give_scratch(r, &c);
    put_company(&args, &c);
    const company_written written[2] = {{a->k_cache, bytes}, {a->v_cache, bytes}};
    refuse_misfits(r, &c, &args, written);
    run_fenced(r, &c, row, written);
    judge_must_run(r, RUN_COMPANY);
    share_cache(r, &c, &home, home.k_cache, a->k_cache, true);
    share_cache(r, &c, &home, home.v_cache, a->v_cache, true);
    expect_others(r, &c, &home, home.k_cache, a->k_cache);
    expect_others(r, &c, &home, home.v_cache, a->v_cache);
    judge_relate(r, RUN_COMPANY);
}

void judge_company(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    if ((op != IFN_OP_ATTENTION && op != IFN_OP_KV_STORE) || !judge_is_due(r, CHECK_COMPANY))
        return;
    judge_start(r);
    if (op == IFN_OP_ATTENTION)
        attend_in_company(r);
    else
        store_in_company(r);
}
