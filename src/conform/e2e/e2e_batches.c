#include "e2e_batches.h"

#include "stream.h"

enum { LONG_TURN = 6 /* one batch in so many has a sequence that spans blocks of keys */ };

typedef struct drawer {
    batch_script *script;
    conform_stream stream;
    uint64_t n_drawn;
    int64_t n_vocab;
    bool has_long;
    int32_t now[BATCH_SEQUENCES]; /* the current life of each sequence; -1: it does not exist */
} drawer;

static int64_t draw(drawer *self, int64_t least, int64_t most)
{
    return conform_integer(self->stream, self->n_drawn++, least, most);
}

static void shuffle(drawer *self, int64_t *out, int64_t n)
{
    conform_shuffle(self->stream, self->n_drawn, out, n);
    self->n_drawn += (uint64_t)n;
}

static batch_life *life_of(drawer *self, int32_t sequence)
{
    return &self->script->lives[self->now[sequence]];
}

static bool is_there(const drawer *self, int32_t sequence)
{
    return self->now[sequence] >= 0;
}

/* --- changes --- */

static void begin_life(drawer *self, int32_t sequence, const batch_life *copied, int64_t n)
{
    batch_life *const life = &self->script->lives[self->script->n_lives];
    *life = copied ? *copied : (batch_life){.n_chunks = 0};
    life->sequence = sequence;
    life->n_copied = life->n_chunks;
    life->position = n;
    self->now[sequence] = self->script->n_lives++;
}

/* Draws how many tokens of a life to keep: all, or any number up to that. */
static int64_t draw_tokens(drawer *self, const batch_life *life)
{
    return draw(self, 0, 2) == 0 ? life->position : draw(self, 0, life->position);
}

static batch_change copy_other(drawer *self, int32_t from, int32_t to)
{
    const int64_t n = draw_tokens(self, life_of(self, from));
    begin_life(self, to, life_of(self, from), n);
    return (batch_change){BATCH_COPY, to, from, n};
}

static batch_change add_sequence(drawer *self, int32_t sequence)
{
    begin_life(self, sequence, NULL, 0);
    return (batch_change){.kind = BATCH_ADD, .sequence = sequence};
}

static batch_change drop_sequence(drawer *self, int32_t sequence)
{
    self->now[sequence] = -1;
    return (batch_change){.kind = BATCH_DROP, .sequence = sequence};
}

static batch_change cut_sequence(drawer *self, int32_t sequence)
{
    batch_life *const life = life_of(self, sequence);
    life->position = draw_tokens(self, life);
    return (batch_change){.kind = BATCH_CUT, .sequence = sequence, .n = life->position};
}

/* Draws a change of one sequence: drop, cut or overwrite by a copy if it exists, else add it. */
static batch_change draw_change(drawer *self)
{
    const int32_t n = self->script->n_sequences, sequence = (int32_t)draw(self, 0, n - 1);
    const int32_t other = (int32_t)((sequence + draw(self, 1, n - 1)) % n);
    if (!is_there(self, sequence))
        return add_sequence(self, sequence);
    switch (draw(self, 0, 3)) {
    case 0:
        return drop_sequence(self, sequence);
    case 1:
        return cut_sequence(self, sequence);
    default:
        return copy_other(self, sequence, other);
    }
}

/* --- steps --- */

/* Draws how many ids a sequence evaluates in a step. In later steps half of them get one id, as in decoding; some get
 * 0. */
static int64_t draw_n_ids(drawer *self, int step, int32_t sequence)
{
    if (step == 0 && sequence == 0)
        return self->has_long ? BATCH_LONG_FROM + draw(self, 0, BATCH_LONG_MORE)
                              : draw(self, 1, BATCH_FIRST_IDS);
    if (step == 0)
        return draw(self, 0, BATCH_FIRST_IDS);
    return draw(self, 0, 1) ? 1 : draw(self, 0, BATCH_LATER_IDS);
}

static void add_part(drawer *self, batch_step *step, int32_t sequence, int64_t n)
{
    batch_life *const life = life_of(self, sequence);
    for (int64_t i = 0; i < n; i++)
        life->ids[life->n_ids + i] = (ifn_token)draw(self, 0, self->n_vocab - 1);
    step->parts[step->n_parts++] = (batch_part){self->now[sequence], life->n_chunks};
    life->chunks[life->n_chunks++] = (batch_chunk){life->position, life->n_ids, n};
    life->n_ids += n;
    life->position += n;
}

static void draw_step(drawer *self, int step)
{
    batch_step *const out = &self->script->steps[step];
    const int64_t n_changes = step > 0 ? draw(self, 0, BATCH_CHANGES) : 0;
    int64_t order[BATCH_SEQUENCES];
    *out = (batch_step){.n_changes = 0};
    while (out->n_changes < n_changes)
        out->changes[out->n_changes++] = draw_change(self);
    shuffle(self, order, self->script->n_sequences);
    for (int32_t i = 0; i < self->script->n_sequences; i++) {
        const int32_t sequence = (int32_t)order[i];
        const int64_t n = is_there(self, sequence) ? draw_n_ids(self, step, sequence) : 0;
        if (n > 0)
            add_part(self, out, sequence, n);
    }
}

void e2e_batch_draw(batch_script *out, uint64_t seed, int64_t n_vocab, bool with_long)
{
    drawer d = {.script = out, .stream = conform_stream_of(seed, "company"), .n_vocab = n_vocab};
    d.has_long = with_long && draw(&d, 1, LONG_TURN) == 1;
    out->n_lives = 0;
    out->n_sequences = (int32_t)draw(&d, 2, BATCH_SEQUENCES);
    shuffle(&d, out->places, BATCH_SEQUENCES);
    for (int32_t s = 0; s < out->n_sequences; s++)
        begin_life(&d, s, NULL, 0);
    for (int step = 0; step < BATCH_STEPS; step++)
        draw_step(&d, step);
}
