/* Drawn batches: in each step a sequence has the tokens that it would have without the other sequences. */
#include "e2e_batches.h"

#include <string.h>

#include "test.h"

enum { N_SEEDS = 3000, N_VOCAB = 61 };

/* The tokens of one sequence, as a context holds them. */
typedef struct text {
    bool is_there;
    int64_t n;
    ifn_token ids[BATCH_LONG];
} text;

/* Counts how often each kind of change occurs over all seeds. */
typedef struct counts {
    int64_t changes[BATCH_CUT + 1];
    int64_t copies_of_a_part, cuts_of_a_part, copies_over_others;
    int64_t parts, single_ids, copied_that_go_on, long_ones;
} counts;

static void evaluate(text *t, const batch_life *life, const batch_chunk *chunk, int64_t most)
{
    assert_true(chunk->n > 0 && chunk->at + chunk->n <= life->n_ids);
    assert_true(chunk->kept + chunk->n <= most);
    assert_int_equal(chunk->kept, t->n);
    for (int64_t i = 0; i < chunk->n; i++) {
        const ifn_token id = life->ids[chunk->at + i];
        assert_in_range(id, 0, N_VOCAB - 1);
        t->ids[t->n++] = id;
    }
}

/* Returns the text after the first `n` chunks of a sequence without company. */
static text alone(const batch_life *life, int32_t n, int64_t most)
{
    text t = {.n = 0};
    for (int32_t i = 0; i < n; i++) {
        assert_true(life->chunks[i].kept <= t.n);
        t.n = life->chunks[i].kept;
        evaluate(&t, life, &life->chunks[i], most);
    }
    return t;
}

static void change(text *texts, const batch_change *c, counts *n)
{
    text *const t = &texts[c->sequence];
    n->changes[c->kind]++;
    assert_true(c->kind == BATCH_COPY || t->is_there == (c->kind != BATCH_ADD));
    switch (c->kind) {
    case BATCH_COPY:
        assert_true(c->from != c->sequence && texts[c->from].is_there);
        assert_in_range(c->n, 0, texts[c->from].n);
        n->copies_of_a_part += c->n < texts[c->from].n;
        n->copies_over_others += t->is_there && t->n > 0;
        *t = texts[c->from];
        break;
    case BATCH_CUT:
        assert_in_range(c->n, 0, t->n);
        n->cuts_of_a_part += c->n < t->n;
        break;
    default:
        break;
    }
    t->is_there = c->kind != BATCH_DROP;
    t->n = c->n;
}

static void go_on(const batch_script *p, text *texts, batch_part part, int64_t most, counts *n)
{
    const batch_life *const life = &p->lives[part.life];
    const batch_chunk *const chunk = &life->chunks[part.chunk];
    text *const t = &texts[life->sequence];
    assert_true(t->is_there && part.chunk >= life->n_copied);
    evaluate(t, life, chunk, most);
    const text want = alone(life, part.chunk + 1, most);
    assert_int_equal(t->n, want.n);
    assert_memory_equal(t->ids, want.ids, (size_t)t->n * sizeof *t->ids);
    n->parts++;
    n->single_ids += chunk->n == 1;
    n->copied_that_go_on += life->n_copied > 0;
    n->long_ones += t->n > IFN_ATTENTION_BLOCK;
}

static void follow(const batch_script *p, int64_t most, counts *n)
{
    text texts[BATCH_SEQUENCES] = {{.n = 0}};
    for (int32_t s = 0; s < p->n_sequences; s++)
        texts[s].is_there = true;
    for (int step = 0; step < BATCH_STEPS; step++) {
        const batch_step *const now = &p->steps[step];
        int seen[BATCH_SEQUENCES] = {0};
        for (int32_t i = 0; i < now->n_changes; i++)
            change(texts, &now->changes[i], n);
        for (int32_t i = 0; i < now->n_parts; i++) {
            go_on(p, texts, now->parts[i], most, n);
            assert_int_equal(seen[p->lives[now->parts[i].life].sequence]++, 0);
        }
    }
}

static counts follow_all(bool with_long)
{
    static batch_script p;
    counts n = {.parts = 0};
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        e2e_batch_draw(&p, seed, N_VOCAB, with_long);
        assert_in_range(p.n_sequences, 2, BATCH_SEQUENCES);
        assert_true(p.n_lives <= BATCH_LIVES && p.steps[0].n_parts > 0);
        follow(&p, with_long ? BATCH_LONG : BATCH_SHORT, &n);
    }
    return n;
}

TEST(a_sequence_has_the_tokens_of_its_life)
{
    const counts n = follow_all(true);
    for (int kind = 0; kind <= BATCH_CUT; kind++)
        assert_true(n.changes[kind] > N_SEEDS / 10);
    assert_true(n.copies_of_a_part > N_SEEDS / 10 && n.cuts_of_a_part > N_SEEDS / 10);
    assert_true(n.copies_over_others > N_SEEDS / 10);
    assert_true(n.copied_that_go_on > N_SEEDS && n.long_ones > N_SEEDS / 10);
    assert_in_range(n.single_ids, n.parts / 3, 2 * n.parts / 3);
}

TEST(a_short_model_has_no_long_sequences)
{
    assert_int_equal(follow_all(false).long_ones, 0);
}

TEST(a_seed_is_a_batch)
{
    static batch_script a, b;
    e2e_batch_draw(&a, 7, N_VOCAB, true);
    e2e_batch_draw(&b, 7, N_VOCAB, true);
    assert_memory_equal(&a, &b, sizeof a);
    e2e_batch_draw(&b, 8, N_VOCAB, true);
    assert_true(memcmp(&a, &b, sizeof a) != 0);
}
