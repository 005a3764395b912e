/* Batches: a sequence gets the same results as alone, whatever other sequences are in the batch (numerics 12, R10). */
#include "road.h"

#include <string.h>

#include <inferno/batch.h>

#include "draw.h"

enum { N_VOCAB = 61, N_SEQUENCES = 5, MAX_POS = 33, STEPS = 40 };

/* The context that gets batches, and for each sequence a context of its own that gets the same ids. */
typedef struct company {
    road all, alone[N_SEQUENCES];
} company;

static ifn_context_params params_of(int32_t n_sequences, ifn_kv kv)
{
    ifn_context_params p = road_params();
    p.max_pos = MAX_POS;
    p.max_rows = 11;
    p.kv = kv;
    p.n_sequences = n_sequences;
    return p;
}

/* `page_rows` is for the context that gets batches; the others have no pages. */
static company company_open(const char *expression, ifn_kv kv, ifn_dtype dtype, int64_t page_rows)
{
    company c;
    tiny_model m = tiny_default("qwen3");
    const char *const path = temp_path("batch.gguf");
    const ifn_context_params one = params_of(1, kv);
    ifn_context_params many = params_of(N_SEQUENCES, kv);
    many.page_rows = page_rows;
    m.dtype = dtype;
    tiny_write(&m, path);
    c.all = road_open_on(path, &many, expression, NULL);
    for (int i = 0; i < N_SEQUENCES; i++)
        c.alone[i] = road_open_on(path, &one, expression, NULL);
    return c;
}

static void company_close(company *c)
{
    road_close(&c->all);
    for (int i = 0; i < N_SEQUENCES; i++)
        road_close(&c->alone[i]);
}

/* The parts of one batch, with their ids and logits. */
typedef struct drawn {
    ifn_batch_part parts[N_SEQUENCES];
    ifn_token ids[N_SEQUENCES][MAX_POS];
    float logits[N_SEQUENCES][MAX_POS * N_VOCAB];
    size_t n;
} drawn;

/* Adds a part: sequence s with `n` ids, of which the last `n_logits` get logits, in memory of the test. */
static void add_part(drawn *d, uint64_t *state, int32_t s, size_t n, size_t n_logits)
{
    ifn_batch_part *const part = &d->parts[d->n];
    for (size_t i = 0; i < n; i++)
        d->ids[d->n][i] = (ifn_token)draw_below(state, N_VOCAB);
    *part = (ifn_batch_part){s, n, d->ids[d->n], n_logits, d->logits[d->n]};
    d->n++;
}

/* Draws some of the sequences in any order, each with some ids: half of the time with a single one. */
static void draw_batch(const company *c, drawn *d, uint64_t *state)
{
    const int64_t first = draw_below(state, N_SEQUENCES);
    d->n = 0;
    for (int64_t i = 0; i < N_SEQUENCES; i++) {
        const int32_t s = (int32_t)((first + 2 * i) % N_SEQUENCES);
        const int64_t room = MAX_POS - ifn_context_sequence_position(c->all.context, s);
        if (room == 0 || draw_below(state, 4) == 0)
            continue;
        const int64_t n = draw_below(state, 2) ? 1 : 1 + draw_below(state, room < 20 ? room : 20);
        add_part(d, state, s, (size_t)n, (size_t)draw_below(state, 2));
    }
}

static void expect_alone(company *c, const ifn_batch_part *part)
{
    float want[N_VOCAB], kept[N_VOCAB];
    ifn_error err = {0};
    road *const alone = &c->alone[part->sequence];
    road_eval(alone, part->ids, part->n);
    road_logits(alone, want);
    assert_int_equal(ifn_context_sequence_position(c->all.context, part->sequence),
                     ifn_context_position(alone->context));
    if (part->n_logits == 0) {
        assert_int_equal(ifn_context_sequence_logits(c->all.context, part->sequence, kept, &err),
                         IFN_ERR_ARGUMENT);
        return;
    }
    assert_memory_equal(part->logits, want, sizeof want);
    assert_ok(ifn_context_sequence_logits(c->all.context, part->sequence, kept, &err), err);
    assert_memory_equal(kept, want, sizeof want);
}

static void run_batches(const char *expression, ifn_kv kv, ifn_dtype dtype, int64_t page_rows)
{
    static drawn d;
    company c = company_open(expression, kv, dtype, page_rows);
    uint64_t state = kv * 7 + dtype;
    ifn_error err = {0};
    for (int32_t i = 1, s; i < N_SEQUENCES; i++) {
        assert_ok(ifn_context_sequence_add(c.all.context, &s, &err), err);
        assert_int_equal(s, i);
    }
    for (int step = 0; step < STEPS; step++) {
        draw_batch(&c, &d, &state);
        assert_ok(ifn_context_eval_batch(c.all.context, &(ifn_batch){d.n, d.parts}, &err), err);
        for (size_t i = 0; i < d.n; i++)
            expect_alone(&c, &d.parts[i]);
        const int32_t s = (int32_t)draw_below(&state, N_SEQUENCES);
        const int64_t n = ifn_context_sequence_position(c.all.context, s) / 2;
        assert_ok(ifn_context_sequence_cut(c.all.context, s, n, &err), err);
        assert_ok(ifn_context_rewind(c.alone[s].context, n, &err), err);
    }
    company_close(&c);
}

TEST(a_sequence_has_the_bits_it_has_alone)
{
    static const char *const backends[] = {"scalar", "simd", "parallel=3+small:simd"};
    static const ifn_kv kinds[] = {IFN_KV_F32, IFN_KV_F16};
    for (size_t i = 0; i < N_OF(backends); i++)
        for (size_t k = 0; k < N_OF(kinds); k++)
            run_batches(backends[i], kinds[k], IFN_DTYPE_F32, 0);
    run_batches("scalar", IFN_KV_F16, IFN_DTYPE_Q8_0, 0);
    run_batches("parallel=2+small:simd", IFN_KV_F16, IFN_DTYPE_Q8_0, 0);
}

TEST(pages_of_any_size_change_no_bit)
{
    for (int64_t rows = IFN_PAGE_ROWS_LEAST; rows <= IFN_PAGE_ROWS_MOST; rows *= 4) {
        run_batches("scalar", IFN_KV_F16, IFN_DTYPE_F32, rows);
        run_batches("parallel=3+small:simd", IFN_KV_F32, IFN_DTYPE_Q8_0, rows);
    }
}

/* Opens a context of `n` sequences, of which the first two are in use. */
static road open_two(int32_t n, ifn_kv kv, int32_t all_logits)
{
    tiny_model m = tiny_default("llama");
    m.head_dim = 32;
    ifn_context_params p = params_of(n, kv);
    p.all_logits = all_logits;
    road r = road_open(&m, &p);
    int32_t s;
    ifn_error err = {0};
    assert_ok(ifn_context_sequence_add(r.context, &s, &err), err);
    return r;
}

static const ifn_token text[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

/* Odd lengths are tried, too: a copy of cache rows moves at least two at once. */
TEST(a_copied_prefix_goes_on_like_its_source)
{
    static const ifn_kv kinds[] = {IFN_KV_F32, IFN_KV_F16, IFN_KV_Q8_0};
    for (size_t k = 0; k < N_OF(kinds); k++)
        for (int64_t n = 0; n <= 7; n++) {
            float a[N_VOCAB], b[N_VOCAB];
            ifn_error err = {0};
            road r = open_two(2, kinds[k], 0);
            road_eval(&r, text, 7);
            assert_ok(ifn_context_sequence_copy(r.context, 0, 1, n, &err), err);
            assert_int_equal(ifn_context_sequence_position(r.context, 1), n);
            assert_ok(ifn_context_rewind(r.context, n, &err), err);
            const ifn_batch_part parts[] = {{1, 2, text + 3, 1, a}, {0, 2, text + 3, 1, b}};
            assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){2, parts}, &err), err);
            assert_memory_equal(a, b, sizeof a);
            road_close(&r);
        }
}

TEST(a_whole_copy_has_the_logits_too)
{
    float a[N_VOCAB], b[N_VOCAB];
    ifn_error err = {0};
    ifn_sampler greedy = IFN_SAMPLER_INIT;
    ifn_token of_0, of_1;
    road r = open_two(2, IFN_KV_F16, 0);
    road_eval(&r, text, 7);
    assert_ok(ifn_context_sequence_copy(r.context, 0, 1, 7, &err), err);
    assert_ok(ifn_context_sequence_logits(r.context, 1, a, &err), err);
    road_logits(&r, b);
    assert_memory_equal(a, b, sizeof a);
    assert_ok(ifn_sampler_init(&greedy, &IFN_SIZED(ifn_sampling), &err), err);
    assert_ok(ifn_context_sequence_sample(r.context, 1, &greedy, &of_1, NULL, &err), err);
    assert_ok(ifn_context_sample(r.context, &greedy, &of_0, NULL, &err), err);
    assert_int_equal(of_0, of_1);
    road_close(&r);
}

TEST(logits_of_many_positions_go_to_the_host)
{
    static float whole[11 * N_VOCAB], some[11 * N_VOCAB], other[11 * N_VOCAB], last[N_VOCAB];
    ifn_error err = {0};
    road r = open_two(3, IFN_KV_F32, 1);
    assert_ok(ifn_context_eval_all(r.context, text, 11, whole, &err), err);
    assert_ok(ifn_context_rewind(r.context, 0, &err), err);
    int32_t third;
    assert_ok(ifn_context_sequence_add(r.context, &third, &err), err);
    const ifn_batch_part parts[] = {
        {1, 11, text, 11, some}, {third, 10, text, 1, last}, {0, 11, text, 5, other}};
    assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){3, parts}, &err), err);
    assert_memory_equal(some, whole, sizeof whole);
    assert_memory_equal(other, whole + 6 * N_VOCAB, 5 * N_VOCAB * sizeof *whole);
    assert_memory_equal(last, whole + 9 * N_VOCAB, sizeof last);
    road_close(&r);
}

TEST(places_are_taken_and_given_back)
{
    int32_t s;
    ifn_error err = {0};
    road r = open_two(3, IFN_KV_F32, 0);
    road_eval(&r, text, 4);
    assert_ok(ifn_context_sequence_add(r.context, &s, &err), err);
    assert_int_equal(s, 2);
    assert_int_equal(ifn_context_sequence_add(r.context, &s, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "another sequence: all 3 of the context are in use");
    assert_ok(ifn_context_sequence_drop(r.context, 0, &err), err);
    assert_int_equal(ifn_context_eval(r.context, text, 1, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "sequence 0: not one of those in use, of 3");
    assert_ok(ifn_context_sequence_add(r.context, &s, &err), err);
    assert_int_equal(s, 0);
    assert_int_equal(ifn_context_position(r.context), 0);
    assert_int_equal(ifn_context_sequence_position(r.context, 7), 0);
    road_close(&r);
}

static void expect_batch_refused(road *r, const ifn_batch_part *parts, size_t n,
                                 const char *text_is)
{
    ifn_error err = {0};
    assert_int_equal(ifn_context_eval_batch(r->context, &(ifn_batch){n, parts}, &err),
                     IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, text_is);
    assert_int_equal(ifn_context_position(r->context), 2);
    assert_int_equal(ifn_context_sequence_position(r->context, 1), 0);
}

TEST(a_batch_that_is_wrong_changes_nothing)
{
    static const ifn_token high[] = {1, N_VOCAB};
    static ifn_token many[MAX_POS];
    float logits[2 * N_VOCAB];
    road r = open_two(3, IFN_KV_F32, 0);
    road_eval(&r, text, 2);
    ifn_batch_part p[] = {{1, 2, text, 1, NULL}, {2, 1, text, 1, NULL}};
    expect_batch_refused(&r, p, 2, "sequence 2: not one of those in use, of 3");
    p[1].sequence = 1;
    expect_batch_refused(&r, p, 2, "sequence 1: twice in one batch");
    p[1] = (ifn_batch_part){0, 0, text, 0, NULL};
    expect_batch_refused(&r, p, 2, "sequence 0: no tokens, expected 1 or more");
    p[1] = (ifn_batch_part){0, 2, high, 0, NULL};
    expect_batch_refused(&r, p, 2, "token 1: id 61, expected 0 .. 60");
    p[1] = (ifn_batch_part){0, MAX_POS, many, 0, NULL};
    expect_batch_refused(&r, p, 2, "33 tokens after 2: the context holds 33");
    p[1] = (ifn_batch_part){0, 1, text, 2, logits};
    expect_batch_refused(&r, p, 2, "logits of 2 positions, expected at most 1");
    p[1] = (ifn_batch_part){0, 2, text, 2, logits};
    expect_batch_refused(&r, p, 2, "the context was opened without all_logits");
    ifn_error err = {0};
    assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){0}, &err), err);
    road_logits(&r, logits); /* the logits are still there */
    assert_int_equal(ifn_context_sequence_copy(r.context, 0, 0, 1, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_sequence_copy(r.context, 0, 1, 3, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_sequence_copy(r.context, 2, 1, 0, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_sequence_cut(r.context, 1, 1, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_sequence_drop(r.context, 3, &err), IFN_ERR_ARGUMENT);
    road_close(&r);
}

/* Without a cache each batch recomputes the whole sequence. */
TEST(one_sequence_goes_on_without_a_cache)
{
    static const ifn_token ids[] = {3, 1, 4, 1, 5, 9, 2, 6};
    float whole[N_VOCAB], pieces[N_VOCAB];
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = params_of(1, IFN_KV_OFF);
    road r = road_open(&m, &p);
    ifn_error err = {0};
    road_eval(&r, ids, N_OF(ids));
    road_logits(&r, whole);
    assert_ok(ifn_context_rewind(r.context, 0, &err), err);
    for (size_t at = 0; at < N_OF(ids); at += 4) {
        const ifn_batch_part part = {.n = 4, .ids = ids + at, .n_logits = 1, .logits = pieces};
        assert_ok(ifn_context_eval_batch(r.context, &(ifn_batch){1, &part}, &err), err);
    }
    assert_int_equal(ifn_context_position(r.context), N_OF(ids));
    assert_memory_equal(pieces, whole, sizeof whole);
    road_close(&r);
}

TEST(several_sequences_take_a_cache_and_the_fused_graph)
{
    const tiny_model m = tiny_default("llama");
    ifn_context_params p = params_of(1, IFN_KV_F32);
    road r = road_open(&m, &p);
    ifn_plan plan = IFN_PLAN_INIT;
    ifn_error err = {0};
    p.n_sequences = 2;
    p.kv = IFN_KV_OFF;
    assert_int_equal(ifn_context_plan(r.model, r.backend, &p, &plan, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "2 sequences without a KV cache: expected one, or a KV cache and "
                                  "the fused graph");
    p.kv = IFN_KV_F32;
    p.graph = IFN_GRAPH_PRIMITIVE;
    assert_int_equal(ifn_context_plan(r.model, r.backend, &p, &plan, &err), IFN_ERR_ARGUMENT);
    p.n_sequences = -1;
    assert_int_equal(ifn_context_plan(r.model, r.backend, &p, &plan, &err), IFN_ERR_ARGUMENT);
    p = params_of(INT32_MAX, IFN_KV_F32);
    p.max_pos = INT64_MAX;
    assert_int_equal(ifn_context_plan(r.model, r.backend, &p, &plan, &err), IFN_ERR_ARGUMENT);
    road_close(&r);
}
