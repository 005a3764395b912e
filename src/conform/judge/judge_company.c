/*
 * A sequence alone and among others (R10): the rows of a case as one or two spans of a call that
 * has spans of other sequences before, between and after them, in one cache with theirs.
 */
#include <string.h>

#include <inferno/spans.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"

enum {
    FEW_OTHERS = 4,
    MOST_OTHERS = 40, /* in one case of CROWD_TURN: what servers batch, and lists of 8, 16 and 32 */
    CROWD_TURN = 4,
    MOST_SPANS = MOST_OTHERS + 2,
    OTHER_ROWS = 3,  /* of another sequence, at most; in a crowd some have none */
    OTHER_POS = 300, /* before them, at most: some have more than a block of keys */
    CROWD_POS = 20,
    GAP = 2 /* rows between two sequences of the cache, at most */
};

/* Numbers of the stream. */
enum { AT_TURN, AT_PLACE, AT_CUT, AT_NUMBER, AT_GAPS = 100, AT_POS = 200, AT_ROWS = 300 };

typedef struct company {
    ifn_span spans[MOST_SPANS];
    bool is_own[MOST_SPANS];
    int n;
    int64_t rows;    /* of all spans */
    int64_t max_pos; /* of the cache they share */
    int64_t begin;   /* where the case's sequence has its position 0 */
} company;

static int64_t draw(const judge_run *r, int64_t what, int64_t least, int64_t most)
{
    return conform_integer(conform_stream_of(r->slot->c.seed, "company"), (uint64_t)what, least,
                           most);
}

static void add_span(company *c, int64_t begin, int64_t first_pos, int64_t rows, bool is_own)
{
    c->spans[c->n] = (ifn_span){begin, first_pos, rows};
    c->is_own[c->n++] = is_own;
    c->rows += rows;
}

/* `rows` rows at `first_pos` in a window of `extent`, among one to MOST_OTHERS sequences. Where
 * they are cut in two, the others' last spans come between. */
static company draw_company(const judge_run *r, int64_t first_pos, int64_t rows, int64_t extent)
{
    company c = {.n = 0};
    const bool is_crowd = draw(r, AT_TURN, 1, CROWD_TURN) == 1;
    const int64_t n_others = is_crowd ? draw(r, AT_NUMBER, FEW_OTHERS + 1, MOST_OTHERS)
                                      : draw(r, AT_NUMBER, 1, FEW_OTHERS);
    const int64_t own_at = draw(r, AT_PLACE, 0, n_others);
    const int64_t first_rows = rows > 1 ? draw(r, AT_CUT, 1, rows) : rows;
    for (int64_t i = 0; i <= n_others; i++) {
        c.max_pos += draw(r, AT_GAPS + i, 0, GAP);
        if (i == own_at) {
            c.begin = c.max_pos;
            add_span(&c, c.begin, first_pos, first_rows, true);
            c.max_pos += extent;
        } else {
            const int64_t pos = draw(r, AT_POS + i, 0, is_crowd ? CROWD_POS : OTHER_POS);
            add_span(&c, c.max_pos, pos % (2 * first_pos + 3),
                     draw(r, AT_ROWS + i, !is_crowd, OTHER_ROWS), false);
            c.max_pos += c.spans[c.n - 1].first_pos + c.spans[c.n - 1].rows;
        }
    }
    if (first_rows < rows)
        add_span(&c, c.begin, first_pos + first_rows, rows - first_rows, true);
    return c;
}

/* Rows of `width` floats in the order of the call: own ones from `own`, others' some of the same
 * numbers. With `back` own ones go to `own`, and nothing else happens. */
static void arrange(const company *c, float *own, int64_t n_own, int64_t width, float *all,
                    bool back)
{
    const size_t bytes = (size_t)width * sizeof *own;
    int64_t next = 0, at = 0;
    for (int i = 0; i < c->n; i++)
        for (int64_t k = 0; k < c->spans[i].rows; k++, at++) {
            const int64_t from = c->is_own[i] ? next++ : (at * 7 + 3) % n_own;
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

/* As much scratch as the larger call may ask for; what it holds is anybody's. */
static void give_scratch(judge_run *r, const company *c)
{
    ifn_limits limits = conform_call_limits(r->slot->c.op, &r->call, &r->slot->layout);
    limits.rows += c->rows;
    limits.max_pos += OTHER_POS + OTHER_ROWS;
    const size_t bytes = ifn_backend_scratch_bytes(r->judge->backend, &limits);
    ifn_call *call = &r->call.args.call;
    if (bytes <= call->scratch_bytes)
        return;
    call->scratch = conform_pool_take(&r->judge->pool, bytes, 1);
    call->scratch_bytes = bytes;
}

/* The list with its last span a row too far is refused before any span is looked after. Caches have room for
 * that row: who refuses nothing writes it. */
static void refuse_misfit(judge_run *r, const company *c, const ifn_span **spans,
                          void *const written[2], size_t bytes)
{
    company far = *c;
    ifn_span *const last = &far.spans[far.n - 1];
    unsigned char *before[2] = {NULL, NULL};
    last->begin = c->max_pos - last->first_pos - last->rows + 1;
    for (int i = 0; i < 2 && written[i]; i++)
        before[i] = memcpy(conform_pool_take(&r->judge->pool, bytes, 1), written[i], bytes);
    *spans = far.spans;
    const ifn_status status = judge_call(r, r->judge->backend, RUN_COMPANY);
    *spans = c->spans;
    if (status != IFN_ERR_SHAPE)
        conform_verdict_fail(r->verdict, CHECK_STATUS,
                             "%s: the last span ends past the cache: returned %s, expected "
                             "ERR_SHAPE",
                             conform_run_name(RUN_COMPANY), ifn_status_name(status));
    for (int i = 0; i < 2 && written[i]; i++)
        if (memcmp(before[i], written[i], bytes) != 0)
            conform_verdict_fail(r->verdict, CHECK_WROTE,
                                 "%s: the last span ends past the cache: refused, and has written "
                                 "what the spans before it have",
                                 conform_run_name(RUN_COMPANY));
}

/* --- attention --- */

/* Own positions up to the last that is seen, others' some of the same rows, NaN everywhere else. */
static unsigned char *shared_cache(judge_run *r, const company *c, const ifn_attention_args *a,
                                   const void *own)
{
    const size_t row = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t visible = a->first_pos + a->rows;
    const size_t rows = (size_t)(a->n_kv_heads * c->max_pos);
    unsigned char *all = conform_pool_take(&r->judge->pool, rows + 1, row);
    memset(all, 0xff, rows * row);
    for (int64_t h = 0; h < a->n_kv_heads; h++) {
        const unsigned char *const from =
            (const unsigned char *)own + (size_t)(h * a->max_pos) * row;
        unsigned char *const to = all + (size_t)(h * c->max_pos) * row;
        for (int i = 0; i < c->n; i++) {
            const ifn_span *const s = &c->spans[i];
            for (int64_t pos = 0; pos < s->first_pos + s->rows; pos++) {
                const int64_t at = c->is_own[i] ? pos : (pos * 7 + i) % visible;
                memcpy(to + (size_t)(s->begin + pos) * row, from + (size_t)at * row, row);
            }
        }
    }
    return all;
}

static void attend_in_company(judge_run *r)
{
    const ifn_attention_args home = r->call.args.attention;
    if (home.rows < 1 || home.n_heads < 1 || home.head_dim < 1 || home.phase != IFN_ATTENTION_WHOLE)
        return;
    const company c = draw_company(r, home.first_pos, home.rows, home.first_pos + home.rows);
    const int64_t width = home.n_heads * home.head_dim;
    ifn_attention_args *a = &r->call.args.attention;
    a->k_cache = shared_cache(r, &c, &home, home.k_cache);
    a->v_cache = shared_cache(r, &c, &home, home.v_cache);
    a->q = arranged(r, &c, home.q, home.rows, width);
    float *const out = arranged(r, &c, home.out, home.rows, width);
    give_scratch(r, &c);
    a->out = out;
    a->max_pos = c.max_pos;
    a->rows = c.rows;
    a->first_pos = 0;
    a->spans = c.spans;
    a->n_spans = c.n;
    refuse_misfit(r, &c, &a->spans, (void *const[2]){out}, (size_t)(c.rows * width) * sizeof *out);
    judge_must_run(r, RUN_COMPANY);
    arrange(&c, home.out, home.rows, width, out, true);
    judge_relate(r, RUN_COMPANY);
}

/* --- kv_store --- */

static bool is_stored(const company *c, int64_t row)
{
    for (int i = 0; i < c->n; i++) {
        const int64_t first = c->spans[i].begin + c->spans[i].first_pos;
        if (row >= first && row < first + c->spans[i].rows)
            return true;
    }
    return false;
}

/* Bytes of anything, but the own window what the case's cache holds. With `back` that window goes
 * back, and rows of no span must be as they were. */
static void share_cache(judge_run *r, const company *c, const ifn_kv_store_args *home, void *own,
                        unsigned char *all, bool back)
{
    const size_t row = ifn_dtype_row_bytes(home->cache_dtype, home->head_dim);
    const conform_stream s = conform_stream_of(r->slot->c.seed, "company cache");
    for (int64_t i = 0; i < home->n_kv_heads * c->max_pos; i++) {
        const int64_t pos = i % c->max_pos - c->begin;
        unsigned char *const here = all + (size_t)i * row;
        const unsigned char byte = (unsigned char)conform_bits(s, (uint64_t)i);
        unsigned char *const there =
            (unsigned char *)own + (size_t)(i / c->max_pos * home->max_pos + pos) * row;
        if (pos >= 0 && pos < home->max_pos)
            memcpy(back ? there : here, back ? here : there, row);
        else if (!back)
            memset(here, byte, row);
        else if (!is_stored(c, i % c->max_pos) && row > 0 &&
                 (*here != byte || memcmp(here, here + 1, row - 1) != 0))
            conform_verdict_fail(r->verdict, CHECK_COMPANY,
                                 "R10: %s: row %lld of the cache was written, which no span has",
                                 conform_run_name(RUN_COMPANY), (long long)i);
    }
}

static void store_in_company(judge_run *r)
{
    const ifn_kv_store_args home = r->call.args.kv_store;
    if (home.rows < 1 || home.n_kv_heads < 1 || home.head_dim < 1)
        return;
    const company c = draw_company(r, home.first_pos, home.rows, home.max_pos);
    const int64_t width = home.n_kv_heads * home.head_dim;
    const size_t rows = (size_t)(home.n_kv_heads * c.max_pos);
    const size_t row = ifn_dtype_row_bytes(home.cache_dtype, home.head_dim);
    ifn_kv_store_args *a = &r->call.args.kv_store;
    a->k_cache = conform_pool_take(&r->judge->pool, rows + 1, row);
    a->v_cache = conform_pool_take(&r->judge->pool, rows + 1, row);
    share_cache(r, &c, &home, home.k_cache, a->k_cache, false);
    share_cache(r, &c, &home, home.v_cache, a->v_cache, false);
    a->k = arranged(r, &c, home.k, home.rows, width);
    a->v = arranged(r, &c, home.v, home.rows, width);
    give_scratch(r, &c);
    a->max_pos = c.max_pos;
    a->rows = c.rows;
    a->first_pos = 0;
    a->spans = c.spans;
    a->n_spans = c.n;
    refuse_misfit(r, &c, &a->spans, (void *const[2]){a->k_cache, a->v_cache}, rows * row);
    judge_must_run(r, RUN_COMPANY);
    share_cache(r, &c, &home, home.k_cache, a->k_cache, true);
    share_cache(r, &c, &home, home.v_cache, a->v_cache, true);
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
